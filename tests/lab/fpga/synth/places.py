# SPDX-License-Identifier: Apache-2.0
"""Memories and multipliers of a dump of Yosys that do not stand in rtl/lib; exit status 1 if there are any.

A multiplier is a product of two words neither of which is a constant. A memory is what a RAM of an FPGA could hold: eight rows
or more, written through one port and read through at most four, at addresses that are no constants. So an array of registers
that all are compared or shifted in one cycle is none, nor is a double buffer, nor a table, which nothing writes.

usage: places.py DUMP"""

import re
import sys

ROWS, READERS = 8, 4


def cells(text):
    """(kind, source, parameters, connections) of each."""
    for found in re.finditer(r"((?:^ *attribute .*\n)*)^ *cell (\$\w+) .*\n((?:^ +(?:parameter|connect) .*\n)*)", text, re.M):
        attributes, kind, body = found.groups()
        source = re.search(r'\\src "([^"]*)"', attributes)
        parameters = dict(re.findall(r"parameter (?:signed )?\\(\w+) (\S+)", body))
        yield kind, source.group(1) if source else "?", parameters, dict(re.findall(r"connect \\(\w+) (.*)", body))


def constant(net):
    return re.fullmatch(r"-?\d+|\d+'[-01xz]+", net.strip()) is not None


def addresses(net, width, ports):
    """How many of the ports of a memory have an address that is no constant."""
    parts = re.findall(r"\\?[^\s{}]+(?: \[[\d:]+\])?", net)
    if constant(net):
        return 0
    return min(ports, sum(not constant(part) for part in parts)) if width else ports


def wrong(kind, about, nets):
    if kind == "$mul":
        return not constant(nets["A"]) and not constant(nets["B"])
    if int(about["SIZE"]) < ROWS or int(about["WR_PORTS"]) != 1:
        return False
    readers = addresses(nets["RD_ADDR"], int(about["ABITS"]), int(about["RD_PORTS"]))
    return 0 < readers and int(about["RD_PORTS"]) <= READERS


def main():
    bad = 0
    with open(sys.argv[1], encoding="utf-8") as file:
        for kind, source, about, nets in cells(file.read()):
            if "rtl/lib/" not in source and wrong(kind, about, nets):
                size = f"{about['WIDTH']} x {about['SIZE']}" if kind != "$mul" else f"{about['A_WIDTH']} x {about['B_WIDTH']}"
                print(f"{source}: a {'memory' if kind != '$mul' else 'multiplier'} of {size}: it stands in rtl/lib")
                bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
