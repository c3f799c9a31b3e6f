#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often each signal of a GTKWave save file changes in the wave that it opens; its first value is not counted.

usage: moves.py SAVE.gtkw WAVE.vcd      (fst2vcd makes the second)
A line for each signal: changes, group/label. Exit 1, with file and line, for a signal that the wave does not hold.
"""
import collections
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../waves"))
import gtkw  # noqa: E402


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="ascii") as f:
        found = list(gtkw.rows(f.readlines()))
    with open(sys.argv[2], encoding="ascii") as vcd:
        known = gtkw.names(vcd)
        counts = collections.Counter(code for _, code, _ in gtkw.changes(vcd))
    wrong = [(row.number, row.path) for row in found if row.path not in known]
    for n, path in wrong:
        print(f"{sys.argv[1]}:{n}: the wave has no signal {path}", file=sys.stderr)
    for row in found:
        if row.path in known:
            print(max(counts[known[row.path]] - 1, 0), gtkw.full(row))
    sys.exit(1 if wrong or not found else 0)


if __name__ == "__main__":
    main()
