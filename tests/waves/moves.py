#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often each signal of a GTKWave save file changes in the wave that it opens.

usage: moves.py SAVE.gtkw WAVE.vcd      (fst2vcd makes the second)
A line for each signal: changes, group/label. Exit 1, with file and line, for a signal that the wave does not hold.
"""
import collections
import sys

import signals


def changes(vcd):
    """Code -> number of times that a value was given; what it was at first is not counted."""
    counts = collections.Counter()
    for line in vcd:
        if line[0] == "b":
            counts[line.split()[1]] += 1
        elif line[0] in "01xz":
            counts[line[1:].strip()] += 1
    return {code: n - 1 for code, n in counts.items()}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="ascii") as f:
        found = list(signals.rows(f.readlines()))
    with open(sys.argv[2], encoding="ascii") as vcd:
        known = signals.names(vcd)
        counts = changes(vcd)
    wrong = [(n, path) for n, _, path in found if path not in known]
    for n, path in wrong:
        print(f"{sys.argv[1]}:{n}: the wave has no signal {path}", file=sys.stderr)
    for _, label, path in found:
        if path in known:
            print(counts.get(known[path], 0), label)
    sys.exit(1 if wrong or not found else 0)


if __name__ == "__main__":
    main()
