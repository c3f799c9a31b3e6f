#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hold a GTKWave save file against the wave that it opens.

usage: signals.py SAVE.gtkw WAVE.vcd      (fst2vcd makes the second)
Exit 1, with file and line, when the save file names a signal that the wave does not hold. Otherwise a
line for each signal: group/label, then its value at the marker; first the times "start" and "marker".
"""
import re
import sys


def names(vcd):
    """Path with range -> code of the signal, as the head of the VCD declares them."""
    scope, found = [], {}
    for line in vcd:
        word = line.split()
        if word[:1] == ["$scope"]:
            scope.append(word[2])
        elif word[:1] == ["$upscope"]:
            scope.pop()
        elif word[:1] == ["$var"]:
            found[".".join(scope + ["".join(word[4:-1])])] = word[3]
        elif word[:1] == ["$enddefinitions"]:
            return found
    sys.exit("the VCD has no end of definitions")


def values(vcd, until):
    """Code -> value, binary digits, when all changes up to the time `until` have happened."""
    now = {}
    for line in vcd:
        if line[0] == "#":
            if int(line[1:]) > until:
                break
        elif line[0] == "b":
            value, code = line[1:].split()
            now[code] = value
        elif line[0] in "01xz":
            now[line[1:].strip()] = line[0]
    return now


def rows(save):
    """(line number, group/label, path) of each signal; the group is the outermost one."""
    groups, flags = [], ""
    for number, line in enumerate(save, 1):
        if line[0] == "@":
            flags = line.strip()
        elif line[0] == "-" and flags in ("@800200", "@c00200"):
            groups.append(line[1:].strip())
        elif line[0] == "-":
            groups.pop()
        elif line[0] == "+":
            label, path = re.fullmatch(r"\+\{(.*)\} (\S+)\n", line).groups()
            yield number, "/".join(groups[:1] + [label]), path


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="ascii") as f:
        lines = f.readlines()
    text = "".join(lines)
    start = int(re.search(r"^\[timestart\] (\d+)$", text, re.M)[1])
    marker = int(re.search(r"^\*\S+ (\d+)$", text, re.M)[1])
    with open(sys.argv[2], encoding="ascii") as vcd:
        known = names(vcd)
        found = list(rows(lines))
        wrong = [(n, path) for n, _, path in found if path not in known]
        for n, path in wrong:
            print(f"{sys.argv[1]}:{n}: the wave has no signal {path}", file=sys.stderr)
        if wrong or not found:
            sys.exit(1)
        now = values(vcd, marker)
    print(f"start {start}\nmarker {marker}")
    for _, label, path in found:
        print(label, now[known[path]])


if __name__ == "__main__":
    main()
