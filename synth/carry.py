# SPDX-License-Identifier: Apache-2.0
"""Puts into carry cells what stands before them.

example: build/venv/bin/python3 synth/carry.py build/synth/tiny/pins

Half a carry cell (CCU2C) adds two bits with a LUT of four inputs, of which Yosys uses two and a
constant: a gate, a complement or a choice before a sum takes LUTs of its own. NAME.mapped.json is a
design mapped to the part's cells; in NAME.json each LUT that nothing but carry cells read, and that
fits into all of these, is in them. Counts of NAME.stat.json follow, where there is one.

The LUT says whether a carry passes on; where it does not, the carry is what its lowest four entries
(inputs C and D zero) say of A and B. So a sum of h(A, B) and f(A, B, C, D) fits if f is zero where C
and D are; with one of these two free, which then is one, the lowest entries are free for the carry.
"""
import itertools
import json
import pathlib
import sys
from collections import defaultdict

PINS = "ABCD"


def number(text):
    return int(text, 2) if isinstance(text, str) else text


class Table:
    """A LUT: the nets or constants at its inputs, and its entries."""

    def __init__(self, nets, init):
        self.nets, self.init = nets, init

    def __call__(self, value):
        return self.init >> sum(value(net) << i for i, net in enumerate(self.nets)) & 1


class Design:
    def __init__(self, cells, ports):
        self.cells = cells
        self.halves = {}                   # (cell, 0 or 1): its Table
        self.inside = defaultdict(dict)    # of a half: net: the LUT that is to be in it
        driver, readers, elsewhere = {}, defaultdict(set), set()
        for port in ports.values():
            elsewhere.update(port["bits"])
        for name, cell in cells.items():
            wires, kind = cell["connections"], cell["type"]
            if kind == "CCU2C" and cell["parameters"]["INJECT1_0"] == cell["parameters"]["INJECT1_1"] == "NO":
                for half in "01":
                    nets = [wires[pin + half][0] for pin in PINS]
                    self.halves[name, half] = Table(nets, number(cell["parameters"]["INIT" + half]))
                    for net in nets:
                        readers[net].add((name, half))
                elsewhere.update(wires["CIN"])
            elif kind == "LUT4":
                driver[wires["Z"][0]] = name
                elsewhere.update(wires[pin][0] for pin in PINS)
            else:
                elsewhere.update(net for bits in wires.values() for net in bits)
        # A LUT that feeds a LUT stays: only what carry cells alone read may go.
        self.may_go = {net: name for net, name in driver.items() if net in readers and net not in elsewhere}
        self.readers = readers

    def lut(self, name):
        cell = self.cells[name]
        return Table([cell["connections"][pin][0] for pin in PINS], number(cell["parameters"]["INIT"]))

    def fitted(self, half, inside):
        """Inputs and entries of half a carry cell with LUTs in it, or None."""
        table, leaves = self.halves[half], []
        for net in table.nets:
            for leaf in inside[net].nets if net in inside else [net]:
                if isinstance(leaf, int) and leaf not in leaves:
                    leaves.append(leaf)
        if len(leaves) > len(PINS):
            return None

        def value(bits):
            def plain(net):
                return bits[net] if isinstance(net, int) else int(net == "1")
            return lambda net: inside[net](plain) if net in inside else plain(net)

        # For every value of the leaves: does the carry pass on, else what is it?
        rows = []
        for bits in itertools.product((0, 1), repeat=len(leaves)):
            of = value(dict(zip(leaves, bits)))
            passes = table(of)
            rows.append((bits, passes, None if passes else table.init >> (of(table.nets[0]) + 2 * of(table.nets[1])) & 1))
        for places in itertools.permutations(range(len(PINS)), len(leaves)):
            entries = {}
            if all(self.enter(entries, places, row) for row in rows):
                nets = ["1"] * len(PINS)
                for leaf, place in zip(leaves, places):
                    nets[place] = leaf
                return Table(nets, sum(1 << entry for entry, bit in entries.items() if bit))
        return None

    @staticmethod
    def enter(entries, places, row):
        bits, passes, carry = row
        pins = [1] * len(PINS)
        for bit, place in zip(bits, places):
            pins[place] = bit
        entry = sum(bit << i for i, bit in enumerate(pins))
        if entries.setdefault(entry, passes) != passes:
            return False
        return carry is None or entries.setdefault(entry & 3, carry) == carry

    def shrink(self):
        """Returns how many LUTs are gone."""
        def size(net):
            return sum(isinstance(leaf, int) for leaf in self.lut(self.may_go[net]).nets)
        gone = 0
        for net in sorted(self.may_go, key=lambda net: (size(net), net)):
            lut = self.lut(self.may_go[net])
            if all(self.fitted(half, {**self.inside[half], net: lut}) for half in self.readers[net]):
                for half in self.readers[net]:
                    self.inside[half][net] = lut
                del self.cells[self.may_go[net]]
                gone += 1
        for half, inside in self.inside.items():
            if inside:
                name, which = half
                table = self.fitted(half, inside)
                for pin, net in zip(PINS, table.nets):
                    self.cells[name]["connections"][pin + which] = [net]
                self.cells[name]["parameters"]["INIT" + which] = f"{table.init:016b}"
        return gone


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    name = sys.argv[1]
    design = json.loads(pathlib.Path(f"{name}.mapped.json").read_text(encoding="utf-8"))
    gone = sum(Design(module["cells"], module["ports"]).shrink() for module in design["modules"].values())
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
