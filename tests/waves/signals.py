#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hold a GTKWave save file against the wave that it opens.

usage: signals.py SAVE.gtkw WAVE.vcd      (fst2vcd makes the second)
Exit 1, with file and line, when the save file names a signal that the wave does not hold. Otherwise a
line for each signal: group/label, then its value at the marker; first the times "start" and "marker".
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../waves"))
import gtkw  # noqa: E402


def values(vcd, until):
    """Code -> value, binary digits, when all changes up to the time `until` have happened."""
    now = {}
    for time, code, value in gtkw.changes(vcd):
        if time > until:
            break
        now[code] = value
    return now


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="ascii") as f:
        lines = f.readlines()
    text = "".join(lines)
    start = int(re.search(r"^\[timestart\] (\d+)$", text, re.M)[1])
    marker = int(re.search(r"^\*\S+ (\d+)$", text, re.M)[1])
    with open(sys.argv[2], encoding="ascii") as vcd:
        known = gtkw.names(vcd)
        found = list(gtkw.rows(lines))
        wrong = [(row.number, row.path) for row in found if row.path not in known]
        for n, path in wrong:
            print(f"{sys.argv[1]}:{n}: the wave has no signal {path}", file=sys.stderr)
        if wrong or not found:
            sys.exit(1)
        now = values(vcd, marker)
    print(f"start {start}\nmarker {marker}")
    for row in found:
        print(gtkw.full(row), now[known[row.path]])


if __name__ == "__main__":
    main()
