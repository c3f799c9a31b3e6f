#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A seed must mean the same under every compiler: two draws of one expression, whose order is the compiler's to choose,
are an error. Draws are calls of splitmix64, and of whatever calls it.
usage: draws.py ROOT COMPILE_COMMANDS [FILE ...]      example: tests/scripts/draws.py . build/compile_commands.json
Without files: every C source that is compiled. Prints each place; the exit status is 1 if there is one."""
import json
import pathlib
import re
import sys

from clang import cindex
from clang.cindex import CursorKind as K

SOURCE = "splitmix64"
SEQUENCED = {"&&", "||", ","}


def units(root, commands, files):
    """Each source as clang's library reads it."""
    builtin = sorted(pathlib.Path("/usr/lib").glob("llvm-19/lib/clang/*/include"))  # the library (18) has no headers of its own
    index = cindex.Index.create()
    done = set()
    for c in json.loads(commands.read_text()):
        path = pathlib.Path(c["file"])
        if path.suffix != ".c" or path in done or not path.is_relative_to(root) or path.is_relative_to(commands.parent):
            continue
        if files and path not in files:
            continue
        done.add(path)
        words = c["command"].replace('\\"', '"').split()
        args = [w for w in words if w.startswith(("-I", "-D", "-std"))]
        args += [a for d in re.findall(r"-isystem\s+(\S+)", c["command"]) for a in ("-isystem", d)]
        args += ["-isystem", str(builtin[-1])] if builtin else []
        yield path, index.parse(str(path), args=args)


def callees(cursor, out):
    if cursor.kind == K.CALL_EXPR and cursor.referenced is not None:
        out.add(cursor.referenced.get_usr())
    for c in cursor.get_children():
        callees(c, out)


class Draws:
    def __init__(self):
        self.calls, self.bodies, self.seen, self.places = {}, [], set(), set()

    def read(self, root, unit):
        for c in unit.cursor.get_children():
            if c.kind != K.FUNCTION_DECL or not c.is_definition() or c.location.file is None:
                continue
            if not pathlib.Path(c.location.file.name).resolve().is_relative_to(root):
                continue
            place = c.location.file.name, c.location.offset
            if place not in self.seen:  # of a header: once
                self.seen.add(place)
                callees(c, self.calls.setdefault(c.get_usr(), set()))
                self.bodies.append(c)

    def close(self):
        """Whoever calls what draws, draws."""
        self.drawing = {u for u in self.calls if u.endswith("@" + SOURCE)}
        assert self.drawing, f"nobody defines {SOURCE}"
        while True:
            more = {u for u, called in self.calls.items() if called & self.drawing} - self.drawing
            if not more:
                return
            self.drawing |= more

    def draws(self, c):
        if c.kind == K.CALL_EXPR and c.referenced is not None and c.referenced.get_usr() in self.drawing:
            return True
        return any(self.draws(x) for x in c.get_children())

    def walk(self, c):
        children = list(c.get_children())
        if c.kind == K.CALL_EXPR:
            self.judge(c, list(c.get_arguments()))
        elif c.kind == K.INIT_LIST_EXPR or c.kind in (K.COMPOUND_ASSIGNMENT_OPERATOR, K.ARRAY_SUBSCRIPT_EXPR):
            self.judge(c, children)
        elif c.kind == K.BINARY_OPERATOR and self.operator(c, children) not in SEQUENCED:
            self.judge(c, children)
        for x in children:
            self.walk(x)

    def operator(self, c, children):
        end = children[0].extent.end.offset
        return next((t.spelling for t in c.get_tokens() if t.extent.start.offset >= end and t.spelling != ")"), "?")

    def judge(self, c, parts):
        if sum(self.draws(p) for p in parts) > 1:
            self.places.add((c.location.file.name, c.extent.start.line, c.extent.start.column))


def main():
    root, commands = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    files = {pathlib.Path(f).resolve() for f in sys.argv[3:]}
    all_draws, parsed, broken = Draws(), [], 0
    for path, unit in units(root, commands, files):
        for d in unit.diagnostics:
            if d.severity >= cindex.Diagnostic.Error:
                print(f"{path}: {d}", file=sys.stderr)
                broken = 1
        all_draws.read(root, unit)
        parsed.append(unit)
    all_draws.close()
    for body in all_draws.bodies:
        if body.get_usr() in all_draws.drawing:
            all_draws.walk(body)
    for name, line, column in sorted(all_draws.places):
        text = pathlib.Path(name).read_text().splitlines()[line - 1].strip()
        print(f"{pathlib.Path(name).relative_to(root)}:{line}:{column}: two draws, in an order of the compiler's: {text}")
    print(f"{len(parsed)} sources, {len(all_draws.drawing)} functions that draw, {len(all_draws.places)} places")
    sys.exit(1 if all_draws.places or broken else 0)


if __name__ == "__main__":
    main()
