# SPDX-License-Identifier: Apache-2.0
"""JSON Schema (draft 2020-12) as far as cosim/schema uses it. A keyword that is not here is an error, not ignored:
what a schema asks for is checked, or nothing is. load(FILE) gives a schema, errors(SCHEMA, VALUE) what is wrong."""
import json
import re

ANNOTATIONS = {"$schema", "$id", "title", "description", "$defs"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


class BadSchema(Exception):
    pass


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def same(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def each_child(schema):
    for key in ("properties", "patternProperties", "$defs"):
        yield from schema.get(key, {}).values()
    yield from schema.get("anyOf", [])
    for key in ("items", "additionalProperties"):
        if key in schema:
            yield schema[key]


def audit(schema, root):
    """Every keyword is known, every reference leads somewhere, every pattern is one."""
    if isinstance(schema, bool):
        return
    for key, of in schema.items():
        if key not in ANNOTATIONS and key not in CHECKS:
            raise BadSchema(f"keyword {key}")
        if key == "type" and of != "integer" and of not in TYPES:
            raise BadSchema(f"type {of}")
        if key == "$ref":
            resolve(of, root)
        for pattern in [of] if key == "pattern" else of if key == "patternProperties" else []:
            re.compile(pattern)
    for child in each_child(schema):
        audit(child, root)


def resolve(reference, root):
    name = reference.removeprefix("#/$defs/")
    if name == reference or name not in root.get("$defs", {}):
        raise BadSchema(f"reference {reference}")
    return root["$defs"][name]


def check_ref(of, value, schema, root, where):
    yield from walk(resolve(of, root), value, root, where)


def check_any(of, value, schema, root, where):
    if all(any(True for _ in walk(s, value, root, where)) for s in of):
        yield f"{where}: none of the {len(of)} forms"


def check_required(of, value, schema, root, where):
    yield from (f"{where}: lacks {name}" for name in of if isinstance(value, dict) and name not in value)


def check_dependent(of, value, schema, root, where):
    for name, others in of.items():
        if isinstance(value, dict) and name in value:
            yield from (f"{where}: has {name}, lacks {o}" for o in others if o not in value)


def check_members(of, value, schema, root, where):
    """properties, patternProperties and additionalProperties together."""
    for name, member in value.items() if isinstance(value, dict) else ():
        fits = [s for n, s in schema.get("properties", {}).items() if n == name]
        fits += [s for p, s in schema.get("patternProperties", {}).items() if re.search(p, name)]
        for s in fits or [schema.get("additionalProperties", True)]:
            yield from walk(s, member, root, f"{where}.{name}")


def check_items(of, value, schema, root, where):
    for i, item in enumerate(value if isinstance(value, list) else ()):
        yield from walk(of, item, root, f"{where}[{i}]")


def rule(kind, wrong):
    """A keyword that says something of values of one type, and nothing of others."""
    def check(of, value, schema, root, where):
        if is_type(value, kind) and wrong(value, of):
            yield f"{where}: {json.dumps(value)[:60]} against {json.dumps(of)}"
    return check


def anything(wrong):
    def check(of, value, schema, root, where):
        if wrong(value, of):
            yield f"{where}: {json.dumps(value)[:60]} is not {json.dumps(of)}"
    return check


CHECKS = {
    "type": anything(lambda v, of: not is_type(v, of)),
    "const": anything(lambda v, of: not same(v, of)),
    "enum": anything(lambda v, of: not any(same(v, o) for o in of)),
    "minimum": rule("integer", lambda v, of: v < of),
    "maximum": rule("integer", lambda v, of: v > of),
    "minLength": rule("string", lambda v, of: len(v) < of),
    "pattern": rule("string", lambda v, of: not re.search(of, v)),
    "minItems": rule("array", lambda v, of: len(v) < of),
    "maxItems": rule("array", lambda v, of: len(v) > of),
    "minProperties": rule("object", lambda v, of: len(v) < of),
    "required": check_required,
    "dependentRequired": check_dependent,
    "items": check_items,
    "anyOf": check_any,
    "$ref": check_ref,
    "properties": check_members,
    "patternProperties": lambda *a: iter(()) if "properties" in a[2] else check_members(*a),
    "additionalProperties": lambda *a: iter(()) if {"properties", "patternProperties"} & set(a[2]) else check_members(*a),
}


def walk(schema, value, root, where):
    if isinstance(schema, bool):
        if not schema:
            yield f"{where}: not expected"
        return
    for key, of in schema.items():
        if key in CHECKS:
            yield from CHECKS[key](of, value, schema, root, where)


def load(path):
    schema = json.load(open(path))
    audit(schema, schema)
    return schema


def errors(schema, value):
    return list(walk(schema, value, schema, "report"))
