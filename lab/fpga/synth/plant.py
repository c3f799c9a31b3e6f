# SPDX-License-Identifier: Apache-2.0
"""Plants faults into a mapped netlist, of which heddle --fault N makes one active.

example, in build/synth/tiny: python3 ../../../lab/fpga/synth/plant.py 1 heddle_gpu.routable.json planted.json planted.txt

Each fault is what mapping, or a program after it, could get wrong: a bit of a LUT, a register's enable or
reset, an address, a write, a sign, wires that are exchanged. Which cells, the seed (the first argument)
draws. What is right stands beside what is wrong, and a cell HEDDLE_PLANTED, which lab/fpga/synth/verilog.py knows,
takes one of both; without a fault the netlist is what it was. The last file says of each fault what it is.
What only the retire port shows (ports ret_...) has none: place and route gets a netlist without it, and what
a record does not use nobody looks at.
Faults named after the files are left out, and others drawn in their place: for those that change nothing.
"""
import collections
import copy
import json
import random
import re
import sys

import routable
import verilog

# What there is of each kind.
KINDS = (("lut_bit", 5), ("lut_swap", 2), ("slice_swap", 1), ("carry_bit", 1), ("enable", 2), ("reset_value", 1), ("reset_lost", 1),
         ("block_read_address", 1), ("block_write_address", 1), ("block_write", 1), ("block_bytes", 1), ("sign", 1),
         ("ram_address", 1), ("ram_write", 1))


class Planter:
    """Draws cells and plants faults into them."""

    def __init__(self, module, seed, banned):
        self.module, self.cells, self.random, self.banned = module, module["cells"], random.Random(seed), banned
        named = [net["bits"] for net in module["netnames"].values()]
        wired = [bits for cell in self.cells.values() for bits in cell["connections"].values()]
        self.free = 1 + max(bit for bits in named + wired for bit in bits if isinstance(bit, int))
        loads = collections.defaultdict(list)
        for name, cell in self.cells.items():
            for port, i, bit in routable.pins(cell, "input"):
                loads[bit].append((name, port, i))
        self.number, self.place = 0, routable.places(module, loads)
        self.placed = self.leads_out()

    def leads_out(self):
        """The cells that lead to an output other than those of the retire port."""
        driver = {bit: name for name, cell in self.cells.items() for _, _, bit in routable.pins(cell, "output")}
        ports = self.module["ports"].items()
        bits = [bit for name, port in ports if port["direction"] == "output" and not name.startswith("ret_") for bit in port["bits"]]
        found = set()
        while bits:
            name = driver.get(bits.pop())
            if name is not None and name not in found:
                found.add(name)
                bits += [bit for _, _, bit in routable.pins(self.cells[name], "input")]
        return found

    def net(self):
        self.free += 1
        return self.free - 1

    def choice(self, good, bad, out):
        """`out` is one of both."""
        self.cells[f"planted_{self.number}_{out}"] = {
            "type": "HEDDLE_PLANTED", "parameters": {"FAULT": f"{self.number:08b}"}, "attributes": {},
            "port_directions": {"GOOD": "input", "BAD": "input", "Z": "output"},
            "connections": {"GOOD": [good], "BAD": [bad], "Z": [out]}}

    def wire(self, cell, port, i, bad):
        """What a pin reads."""
        out = self.net()
        self.choice(cell["connections"][port][i], bad, out)
        cell["connections"][port][i] = out

    def beside(self, name, change):
        """The cell a second time, changed."""
        good = self.cells[name]
        bad = copy.deepcopy(good)
        change(bad["parameters"])
        for port, bits in good["connections"].items():
            if good["port_directions"][port] == "output":
                for i, out in enumerate(bits):
                    if isinstance(out, int):
                        bits[i], bad["connections"][port][i] = self.net(), self.net()
                        self.choice(bits[i], bad["connections"][port][i], out)
        self.cells[f"planted_{self.number}"] = bad

    def draw(self, kind, wanted):
        """A cell of a kind, and by what it is told: what it drives, or what that leads to."""
        names = sorted(n for n, c in self.cells.items() if c["type"] == kind and wanted(c) and n in self.placed and n not in self.banned)
        name = self.random.choice(names)
        cell = self.cells[name]
        _, net, bit = self.place.get(name, ("", name, 0))
        return name, cell, f"{net}[{bit}]" if "$" in name else name

    def pins(self, cell, pattern):
        return [(p, i) for p, bits in cell["connections"].items() if re.fullmatch(pattern, p) and cell["port_directions"][p] == "input"
                for i, bit in enumerate(bits) if isinstance(bit, int)]

    def some(self, pattern, least=1):
        return lambda cell: len({cell["connections"][p][i] for p, i in self.pins(cell, pattern)}) >= least

    def flip(self, key, bit):
        def change(parameters):
            text = parameters[key]
            at = len(text) - 1 - bit
            parameters[key] = text[:at] + str(1 - int(text[at])) + text[at + 1:]
        return change

    # ---- kinds: each plants one, and says where
    def lut_bit(self):
        """An entry that its inputs can ask for: the inputs that are constant have their values."""
        name, cell, said = self.draw("LUT4", self.some("[ABCD]", 2))
        entry = sum((int(bit != "0") if isinstance(bit, str) else self.random.getrandbits(1)) << i
                    for i, bit in enumerate(cell["connections"][p][0] for p in "ABCD"))
        self.beside(name, self.flip("INIT", entry))
        return f"{said}: entry {entry} of a LUT"

    def exchange(self, cell, one, other):
        bits = cell["connections"][one][0], cell["connections"][other][0]
        self.wire(cell, one, 0, bits[1])
        self.wire(cell, other, 0, bits[0])

    def lut_swap(self):
        def other(cell):  # the two inputs are no longer the same to the LUT
            init = int(cell["parameters"]["INIT"], 2)
            exchanged = [i & 10 | (i & 1) << 2 | i >> 2 & 1 for i in range(16)]
            return self.some("[AC]", 2)(cell) and any((init >> i ^ init >> exchanged[i]) & 1 for i in range(16))
        _, cell, said = self.draw("LUT4", other)
        self.exchange(cell, "A", "C")
        return f"{said}: inputs A and C of a LUT exchanged"

    def slice_swap(self):
        _, cell, said = self.draw("PFUMX", self.some("[AB]LUT", 2))
        self.exchange(cell, "ALUT", "BLUT")
        return f"{said}: sides of a slice's multiplexer exchanged"

    def carry_bit(self):
        name, cell, said = self.draw("CCU2C", self.some("[AB]0", 2))
        entry = sum((int(bit != "0") if isinstance(bit, str) else self.random.getrandbits(1)) << i
                    for i, bit in enumerate(cell["connections"][p + "0"][0] for p in "ABCD"))
        self.beside(name, self.flip("INIT0", entry))
        return f"{said}: entry {entry} of a carry cell"

    def enable(self):
        _, cell, said = self.draw("TRELLIS_FF", lambda c: c["parameters"]["CEMUX"] == "CE" and self.some("CE")(c))
        self.wire(cell, "CE", 0, "0")
        return f"{said}: a register never enabled"

    def reset_value(self):
        name, _, said = self.draw("TRELLIS_FF", self.some("LSR"))
        self.beside(name, lambda p: p.update(REGSET="RESET" if p["REGSET"] == "SET" else "SET"))
        return f"{said}: a register reset to the other value"

    def reset_lost(self):
        _, cell, said = self.draw("TRELLIS_FF", self.some("LSR"))
        self.wire(cell, "LSR", 0, "0")
        return f"{said}: a register without its reset"

    # A write that is always enabled changes nothing where the next one comes to the same place before anybody reads it, as in
    # a queue; one that never is does.
    def block(self, pattern, bad, words):
        """Not of a table, which nobody writes."""
        _, cell, said = self.draw("DP16KD", lambda c: c["connections"]["WEA"] != ["0"] and self.some(pattern)(c))
        port, i = self.random.choice(self.pins(cell, pattern))
        self.wire(cell, port, i, bad)
        return f"{said}: {words} ({port}) of a block RAM always {bad}"

    def block_read_address(self):
        return self.block("ADB([5-9]|1.)", "0", "an address bit of reads")

    def block_write_address(self):
        return self.block("ADA([5-9]|1.)", "1", "an address bit of writes")

    def block_write(self):
        return self.block("WEA|CEA", "0", "the write enable")

    def block_bytes(self):
        return self.block("ADA[01]", "0", "a byte's enable, or an address bit of a narrow one")

    def sign(self):
        """Where the highest bit is not always 0."""
        _, cell, said = self.draw("MULT18X18D", self.some("[AB]17"))
        port = "SIGNED" + self.random.choice(self.pins(cell, "[AB]17"))[0][0]
        bad = str(1 - int(cell["connections"][port][0]))
        self.wire(cell, port, 0, bad)
        return f"{said}: {port} of a multiplier {bad}"

    def ram(self, pattern, bad, words):
        _, cell, said = self.draw("TRELLIS_DPR16X4", self.some(pattern))
        port, i = self.random.choice(self.pins(cell, pattern))
        self.wire(cell, port, i, bad)
        return f"{said}: {words} ({port}[{i}]) of a memory of 16 by 4 always {bad}"

    def ram_address(self):
        return self.ram("WAD", "0", "an address bit of writes")

    def ram_write(self):
        return self.ram("WRE", "0", "the write enable")

    def plant(self):
        for kind, count in KINDS:
            for _ in range(count):
                self.number += 1
                yield f"{self.number} {kind} {getattr(self, kind)()}"


def main():
    if len(sys.argv) < 5 or not re.fullmatch("[0-9]{1,9}", sys.argv[1]):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    with open(sys.argv[2], encoding="utf-8") as file:
        design = json.load(file)
    _, module = verilog.top_of(design)
    with open(sys.argv[4], "w", encoding="utf-8") as file:
        for line in Planter(module, int(sys.argv[1]), set(sys.argv[5:])).plant():
            file.write(f"{line}\n")
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        json.dump(design, file)


if __name__ == "__main__":
    main()
