# SPDX-License-Identifier: Apache-2.0
"""GTKWave's save files and the waves that they open, as a VCD (fst2vcd makes one of an FST)."""
import collections
import re
import sys

ASSEMBLY, DECIMAL = "@4022", "@24"  # flags of a row; others: bits, hex
# group: the outermost one
Row = collections.namedtuple("Row", "number group label path flags")


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


def changes(vcd):
    """(time, code, value in binary digits) of each change, in their order; vcd stands behind its head."""
    time = 0
    for line in vcd:
        if line[0] == "#":
            time = int(line[1:])
        elif line[0] == "b":
            value, code = line[1:].split()
            yield time, code, value
        elif line[0] in "01xz":
            yield time, line[1:].strip(), line[0]


def rows(save):
    """A Row for each signal."""
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
            yield Row(number, groups[0] if groups else "", label, path, flags)


def full(row):
    """group/label"""
    return f"{row.group}/{row.label}" if row.group else row.label
