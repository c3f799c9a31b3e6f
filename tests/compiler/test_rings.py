#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of the compiler call each other one way. usage: test_rings.py LIBRARY.a [NM]

Of the objects of the library: who uses a name that which other one defines. Files that use each other, in one step or
in several, are a ring. Rings that recursion over a tree makes are named below; any other one fails.
"""
import collections
import subprocess
import sys

# A fold that made something new folds again; a substitution is made of others; what is spilled is allocated again.
ALLOWED = ("fold", "substitute", "spill", "allocate")


def uses(library, nm):
    defined, wanted = {}, collections.defaultdict(set)
    for line in subprocess.run([nm, "-A", library], check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split()
        name, kind, obj = words[-1], words[-2], words[0].split(":")[1]
        if kind == "U":
            wanted[obj].add(name)
        elif kind in "TDRBC":
            defined[name] = obj
    return {o: {defined[n] for n in names if n in defined} - {o} for o, names in wanted.items()}


def reach(graph, start):
    seen, todo = set(), [start]
    while todo:
        for n in graph.get(todo.pop(), ()):
            if n not in seen:
                seen.add(n)
                todo.append(n)
    return seen


def main(library, nm="nm"):
    graph = uses(library, nm)
    if len(graph) < 80:
        sys.exit(f"{library}: only {len(graph)} objects: not the compiler")
    far = {o: reach(graph, o) for o in graph}
    rings = {tuple(sorted(p for p in far[o] if o in far.get(p, ()))) for o in graph if o in far[o]}
    bad = [r for r in sorted(rings) if not all(o.startswith(ALLOWED) for o in r)]
    for ring in bad:
        print("a ring:", " ".join(ring))
    print(f"{len(graph)} objects, {len(bad)} rings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
