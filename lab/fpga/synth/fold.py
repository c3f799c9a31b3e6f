# SPDX-License-Identifier: Apache-2.0
"""Puts LUTs into the LUTs and carry cells that read them.

example: build/venv/bin/python3 lab/fpga/synth/fold.py build/synth/tiny/pins

Half a carry cell (CCU2C) adds two bits with a LUT of four inputs, of which Yosys uses two and a
constant: a gate, a complement or a choice before a sum takes LUTs of its own. And LUTs of two inputs
are left that would fit into each of the LUTs that read them, mostly where choices were mapped before
all else. NAME.mapped.json is a design mapped to the part's cells; in NAME.json each LUT that nothing
but LUTs and carry cells read, and that fits into all of these, is in them, where that takes one more
wire at the most. Counts of NAME.stat.json follow, where there is one.

A carry cell's LUT says whether a carry passes on; where it does not, the carry is what its lowest
four entries (inputs C and D zero) say of A and B. So a sum of h(A, B) and f(A, B, C, D) fits if f is
zero where C and D are; with one of these two free, which then is one, the lowest entries are free for
the carry.
"""
import itertools
import json
import pathlib
import sys
from collections import defaultdict

PINS = "ABCD"


class Table:
    """A LUT, or that of half a carry cell: the nets or constants at its inputs, and its entries."""

    def __init__(self, nets, init, carry):
        self.nets, self.init, self.carry = nets, init, carry
        self.leaves = list(dict.fromkeys(net for net in nets if isinstance(net, int)))

    def entry(self, value):
        return sum(value(net) << i for i, net in enumerate(self.nets))

    def __call__(self, value):
        return self.init >> self.entry(value) & 1

    def rows(self, leaves, inside, lut):
        """For each value of the leaves, with a LUT in place of the net `inside`: the output, and the carry, where one begins."""
        for bits in itertools.product((0, 1), repeat=len(leaves)):
            plain = dict(zip(leaves, bits))

            def of(net):
                return plain[net] if net in plain else int(net == "1")

            def value(net):
                return lut(of) if net == inside else of(net)

            out = self(value)
            yield bits, out, self.init >> (self.entry(value) & 3) & 1 if self.carry and not out else None

    def with_inside(self, inside, lut):
        """The same with a LUT in it, or None."""
        leaves = list(dict.fromkeys(leaf for net in self.leaves for leaf in (lut.leaves if net == inside else [net])))
        if len(leaves) > len(PINS):
            return None
        rows = list(self.rows(leaves, inside, lut))
        for places in itertools.permutations(range(len(PINS)), len(leaves)):
            entries = {}
            if all(enter(entries, places, row) for row in rows):
                nets = ["1"] * len(PINS)
                for leaf, place in zip(leaves, places):
                    nets[place] = leaf
                return Table(nets, sum(1 << entry for entry, bit in entries.items() if bit), self.carry)
        return None


def enter(entries, places, row):
    """Writes a row of a table with its leaves at these inputs; False if it cannot be."""
    bits, out, carry = row
    pins = [1] * len(PINS)
    for bit, place in zip(bits, places):
        pins[place] = bit
    entry = sum(bit << i for i, bit in enumerate(pins))
    return entries.setdefault(entry, out) == out and (carry is None or entries.setdefault(entry & 3, carry) == carry)


class Design:
    def __init__(self, module):
        self.cells = module["cells"]
        self.tables = {}                # (cell, "" or which half)
        self.readers = defaultdict(set)
        self.luts = {}                  # net: the LUT that drives it
        elsewhere = {net for port in module["ports"].values() for net in port["bits"]}
        for name, cell in self.cells.items():
            wires, kind = cell["connections"], cell["type"]
            halves = []
            if kind == "LUT4":
                halves = [""]
                self.luts[wires["Z"][0]] = name
            elif kind == "CCU2C" and cell["parameters"]["INJECT1_0"] == cell["parameters"]["INJECT1_1"] == "NO":
                halves = ["0", "1"]
            for half in halves:
                table = Table([wires[pin + half][0] for pin in PINS], int(cell["parameters"]["INIT" + half], 2), half != "")
                self.tables[name, half] = table
                for net in table.leaves:
                    self.readers[net].add((name, half))
            mine = {pin + half for half in halves for pin in PINS}
            for port, bits in wires.items():
                if port not in mine and cell["port_directions"][port] == "input":
                    elsewhere.update(bits)
        self.luts = {net: name for net, name in self.luts.items() if net not in elsewhere}

    def fold(self, net):
        """Puts the LUT of a net into whatever reads it, if it fits there and takes one wire more at the most."""
        name = self.luts[net]
        lut, changed = self.tables[name, ""], {}
        if not self.readers[net]:
            return False
        for reader in self.readers[net]:
            changed[reader] = self.tables[reader].with_inside(net, lut)
            if changed[reader] is None:
                return False
        if sum(len(table.leaves) - len(self.tables[reader].leaves) for reader, table in changed.items()) > len(lut.leaves) + 1:
            return False
        for reader, table in changed.items():
            self.tables[reader] = table
            cell, half = self.cells[reader[0]], reader[1]
            for pin, at in zip(PINS, table.nets):
                cell["connections"][pin + half] = [at]
            cell["parameters"]["INIT" + half] = f"{table.init:016b}"
            for leaf in table.leaves:
                self.readers[leaf].add(reader)
        for leaf in lut.leaves:
            self.readers[leaf].discard((name, ""))
        del self.cells[name], self.tables[name, ""], self.luts[net]
        return True

    def shrink(self):
        """Returns how many LUTs are gone."""
        def size(net):
            return len(self.tables[self.luts[net], ""].leaves), net
        gone, last = 0, -1
        while gone != last:
            last = gone
            gone += sum(self.fold(net) for net in sorted(self.luts, key=size))
        return gone


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    name = sys.argv[1]
    design = json.loads(pathlib.Path(f"{name}.mapped.json").read_text(encoding="utf-8"))
    gone = sum(Design(module).shrink() for module in design["modules"].values())
    pathlib.Path(f"{name}.json").write_text(json.dumps(design), encoding="utf-8")
    counts = pathlib.Path(f"{name}.stat.json")
    if counts.exists():
        stat = json.loads(counts.read_text(encoding="utf-8"))
        for part in [stat["design"], *stat["modules"].values()]:
            if "LUT4" in part.get("num_cells_by_type", {}):
                part["num_cells_by_type"]["LUT4"] -= gone
                part["num_submodules"] -= gone
        counts.write_text(json.dumps(stat, indent=3) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
