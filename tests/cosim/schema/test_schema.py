#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What --json tells of a difference is as cosim/schema/difference.json says, for a fault of every kind that
tests/expect_fail injects; a report that lacks something or has it in another form is refused; signatures stay the same
under other seeds and on other machines. usage: test_schema.py HEDDLE ROOT CONFIG..."""
import copy
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import json_schema

heddle, root, configs = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
faults = root / "tests/expect_fail"
schema = json_schema.load(root / "cosim/schema/difference.json")
folder = tempfile.TemporaryDirectory()
work = pathlib.Path(folder.name)
skipped = os.environ.get("SKIP", "").split()  # words in hex, as for tests/expect_fail


def heddle_json(*words, want):
    out = work / "out.json"
    out.unlink(missing_ok=True)
    done = subprocess.run([heddle, *map(str, words), "--json", out], capture_output=True, text=True)
    assert done.returncode == want, (words, done.returncode, done.stderr)
    return json.load(open(out)), done.stderr


@functools.cache
def program(name):
    """The program and how it is launched; None where the machine decides its control codes."""
    text = (faults / f"{name}.s").read_text()
    if "// stall:" in text:
        return None
    launch = [line.split(":", 1)[1] for line in text.splitlines() if line.startswith("// launch:")][0].split()
    elf = work / f"{name}.elf"
    subprocess.run([heddle, "as", "--long", faults / f"{name}.s", "-o", elf], check=True, capture_output=True)
    words = [w + f":{work}/{name}.bin" if w.startswith("out:") else w for w in launch]
    return [elf, "--kernel", name, "--grid", "1", *words, "--max-cycles", "200000"]


def one_of_each_kind():
    """KIND: (fault, program, mode, machines), the first in expected.txt."""
    kinds = {}
    for line in (faults / "expected.txt").read_text().splitlines():
        f = line.split()
        if line.startswith("#") or len(f) < 11 or f[5] == "device":  # that is no difference of the checker's
            continue
        where = configs if f[3] == "all" else [c for c in configs if c in f[3].split(",")]
        if where and f[2] not in skipped and program(f[2]):
            kinds.setdefault(f[5], (f[0], f[2], f[4], where))
    return kinds


def validated(report, what):
    wrong = json_schema.errors(schema, report)
    assert not wrong, (what, wrong)
    return report


def instruction_at(elf, pc):
    listing = subprocess.run([heddle, "dis", elf], check=True, capture_output=True, text=True).stdout
    line = [line for line in listing.splitlines() if line.endswith(f"// {pc:04x}")][0]
    return line.split("]", 1)[1] if "]" in line else line


def mnemonic(text):
    """Without its guard."""
    return [w for w in text.split() if not w.startswith("@")][0]


def difference(kind, fault, name, mode, config, seed):
    result, said = heddle_json("run", *program(name), "--config", config, "--dep", mode, "--fault", fault, "--seed",
                               seed, want=1)
    report = validated(result["result"]["difference"], (name, config))
    d = report["checker"]["difference"]
    assert d["kind"] == kind and d["signature"] == result["result"]["diagnosis"]["signature"], d
    assert f"\n  signature {d['signature']}\n" in said, said
    version, of, op, what = d["signature"].split(":")
    assert (version, of) == ("s1", kind), d["signature"]
    if "pc" in d and "word" in d and int(d["word"], 16):
        there = mnemonic(instruction_at(work / f"{name}.elf", int(d["pc"], 16)))
        assert there == mnemonic(d["instruction"]), (there, d["instruction"])
        assert op == "illegal" or there.startswith(op.split("/")[0]), d
    else:
        assert op == "-", d
    return report


def leaves(value, path=()):
    if isinstance(value, (dict, list)) and value:
        for k, v in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(v, (*path, k))
    else:
        yield path


def put(report, path, value):
    changed = copy.deepcopy(report)
    at = changed
    for k in path[:-1]:
        at = at[k]
    at[path[-1]] = value
    return changed


def required(report):
    """Where something stands that must: (path of its object, name)."""
    yield from (((), name) for name in schema["required"])
    for name in schema["properties"]["checker"]["required"]:
        yield ("checker",), name
    for part in ("statistics", "difference"):
        yield from ((("checker", part), name) for name in schema["$defs"][part]["required"])


def spoiled(report):
    """Each leaf in a form that it cannot have, each member that must be there left out."""
    for path in leaves(report):
        yield path, put(report, path, {"x": 1.5})
    for path, name in required(report):
        changed = copy.deepcopy(report)
        at = changed
        for k in path:
            at = at[k]
        del at[name]
        yield (*path, "without", name), changed


def test_kinds():
    kinds = one_of_each_kind()
    assert len(kinds) >= 10, sorted(kinds)
    refused = 0
    for kind, (fault, name, mode, where) in kinds.items():
        first = difference(kind, fault, name, mode, where[0], 1)
        signature = first["checker"]["difference"]["signature"]
        for path, changed in spoiled(first):
            assert json_schema.errors(schema, changed), (kind, path)
            refused += 1
        for config, seed in [(where[0], 2), (where[0], 77), *((c, 1) for c in where[1:])]:
            again = difference(kind, fault, name, mode, config, seed)["checker"]["difference"]["signature"]
            assert again == signature, (config, seed, signature, again)
    print(f"{len(kinds)} kinds of difference are as the schema says, {refused} spoiled reports are not")


def test_others():
    """A run that is at its limit, and a trace."""
    result, _ = heddle_json("run", *program("barrier")[:-1], "40", "--config", configs[0], want=4)
    report = validated(result["result"]["difference"], "limit")
    assert report["outcome"] == "limit" and report["checker"]["difference"] is None
    trace = work / "t.bin"
    live, _ = heddle_json("run", *program("carry"), "--config", configs[0], "--fault", 1, "--trace", trace, want=1)
    told, _ = heddle_json("check", trace, work / "carry.elf", want=1)
    report = validated(told["difference"], "trace")
    assert report["checker"] == live["result"]["difference"]["checker"], report


# Each keyword: a schema, what it takes, what it does not.
WORDS = [
    ({"type": "integer"}, 3, True), ({"type": "null"}, None, 0), ({"const": 1}, 1, True), ({"enum": ["a"]}, "a", "b"),
    ({"minimum": 2}, 2, 1), ({"maximum": 2}, 2, 3), ({"minLength": 1}, "a", ""), ({"pattern": "^a"}, "ab", "ba"),
    ({"minItems": 1}, [0], []), ({"maxItems": 1}, [0], [0, 0]), ({"minProperties": 1}, {"a": 0}, {}),
    ({"required": ["a"]}, {"a": 0}, {"b": 0}), ({"dependentRequired": {"a": ["b"]}}, {"b": 0}, {"a": 0}),
    ({"items": {"type": "string"}}, ["a"], ["a", 0]), ({"anyOf": [{"const": 1}, {"const": 2}]}, 2, 3),
    ({"$ref": "#/$defs/a", "$defs": {"a": {"const": 1}}}, 1, 2),
    ({"properties": {"a": {"const": 1}}}, {"a": 1, "b": 2}, {"a": 2}),
    ({"patternProperties": {"^a": {"const": 1}}}, {"ab": 1, "b": 2}, {"ab": 2}),
    ({"properties": {"a": {}}, "additionalProperties": False}, {"a": 1}, {"b": 1}),
    ({"additionalProperties": {"const": 1}}, {"a": 1}, {"a": 2}),
]
BAD = [{"format": "date"}, {"type": "number"}, {"$ref": "#/a"}, {"$ref": "#/$defs/a"}, {"anyOf": [{"not": {}}]},
       {"properties": {"a": {"oneOf": []}}}, {"items": {"uniqueItems": True}}, {"additionalProperties": {"x": 1}}]


def test_the_validator():
    seen = set()
    for s, right, wrong in WORDS:
        json_schema.audit(s, s)
        assert not json_schema.errors(s, right) and json_schema.errors(s, wrong), s
        seen |= set(s)
    assert seen >= set(json_schema.CHECKS), set(json_schema.CHECKS) - seen
    for s in BAD:
        try:
            json_schema.audit(s, s)
        except json_schema.BadSchema:
            continue
        raise AssertionError(f"{s} is taken")


test_the_validator()
if configs:
    test_kinds()
    test_others()
