# SPDX-License-Identifier: Apache-2.0
"""Writes a mapped netlist as Verilog that a simulator compiles and runs in reasonable time.

example: build/venv/bin/python3 lab/fpga/synth/verilog.py build/synth/tiny/heddle_gpu.json heddle_gpu.v

What it says is what the part's cells say (Yosys' cells_sim_ecp5.v; of a Gowin GW5A its gowin/cells_sim.v):
LUTs, slices' multiplexers and carry cells are expressions, registers with the same clock, enable and reset
stand in one block, memories of 16 by 4 with the same addresses are one array. Block RAMs and multipliers are
instances of cells/. What the part leaves open when it starts is left to the simulator, which makes it random:
registers, memories without words to begin with, data that nothing drives. An input of an ECP5's slice that
nothing drives is 1.
"""
import collections
import json
import re
import sys

import expression

INSTANCES = ("DP16KD", "MULT18X18D", "SP", "SPX9", "SDPB", "SDPX9B", "DPB", "DPX9B")
CONSTANTS = {"0": "1'b0", "1": "1'b1"}
ANY = "1'bx"  # the simulator's to choose


class Unknown(Exception):
    """A cell, or something about it, that this has no words for."""


def parameter(value):
    """Bits as a number of Verilog, or text: Yosys appends a space to text that looks like bits."""
    if re.fullmatch("[01xz]+", value):
        return f"{len(value)}'b{value}"
    return '"' + (value[:-1] if re.fullmatch("[01xz]* +", value) else value) + '"'


def expect(name, cell, **values):
    for key, value in values.items():
        if cell["parameters"].get(key, value).strip() not in (value if isinstance(value, tuple) else (value,)):
            raise Unknown(f"{name}: {cell['type']} with {key} {cell['parameters'][key]}")


class Writer:
    """The text of one module."""

    NO_WORDS = {"x"}  # what a memory of 16 by 4 begins with, if it was not said

    def __init__(self, module):
        self.ports, self.cells = module["ports"], module["cells"]
        self.body, self.driven, self.used, self.names = [], {}, set(), {}
        self.registers = collections.defaultdict(list)  # (clock, reset, enable): (output, input, value of the reset)
        self.memories = collections.defaultdict(list)   # (clock, enable, addresses): (outputs, inputs, words)
        for port, about in self.ports.items():
            if about["direction"] == "input":
                for i, bit in enumerate(about["bits"]):
                    self.names[bit] = f"{port}[{i}]" if len(about["bits"]) > 1 else port
                    self.driven[bit] = "input"

    def net(self, bit, undriven="1'b1"):
        """What is read there."""
        if isinstance(bit, str):
            return CONSTANTS.get(bit, undriven)
        self.used.add(bit)
        return self.names.get(bit, f"n{bit}")

    def drives(self, bit, kind="wire"):
        """The name of what a cell drives."""
        if bit in self.driven:
            raise Unknown(f"net {bit} has two drivers")
        self.driven[bit] = kind
        return f"n{bit}"

    def pin(self, cell, port, undriven="1'b1"):
        return self.net(cell["connections"].get(port, ["x"])[0], undriven)

    def assign(self, cell, port, text):
        bits = cell["connections"].get(port, [])
        if bits and isinstance(bits[0], int):
            self.body.append(f"  assign {self.drives(bits[0])} = {text};")

    def lut4(self, _, cell):
        init = int(cell["parameters"]["INIT"], 2)
        self.assign(cell, "Z", expression.of_lut(init, [self.pin(cell, port) for port in "ABCD"]))

    def pfumx(self, _, cell):
        self.assign(cell, "Z", f"{self.pin(cell, 'C0')} ? {self.pin(cell, 'ALUT')} : {self.pin(cell, 'BLUT')}")

    def l6mux21(self, _, cell):
        self.assign(cell, "Z", f"{self.pin(cell, 'SD')} ? {self.pin(cell, 'D1')} : {self.pin(cell, 'D0')}")

    def ccu2c(self, name, cell):
        """Two halves, each a LUT that says whether the carry passes on, and what it is where it does not."""
        expect(name, cell, INJECT1_0=("YES", "NO"), INJECT1_1=("YES", "NO"))
        carry, stem = self.pin(cell, "CIN"), f"c{len(self.body)}"
        for half in "01":
            init, pins = int(cell["parameters"]["INIT" + half], 2), [self.pin(cell, port + half) for port in "ABCD"]
            passes, makes = f"{stem}_p{half}", expression.of_lut(init & 15, pins[:2] + ["1'b0"] * 2)
            self.body.append(f"  wire {passes} = {expression.of_lut(init, pins)};")
            if cell["parameters"]["INJECT1_" + half] == "YES":
                self.assign(cell, "S" + half, passes)
                out = f"{passes} & {carry}"
            else:
                self.assign(cell, "S" + half, f"{passes} ^ {carry}")
                out = f"{passes} ? {carry} : {makes}"
            carry = f"{stem}_c{half}"
            self.body.append(f"  wire {carry} = {out};")
        self.assign(cell, "COUT", carry)

    def heddle_planted(self, _, cell):
        """What is wrong while the fault is active (lab/fpga/synth/plant.py)."""
        number = int(cell["parameters"]["FAULT"], 2)
        self.assign(cell, "Z", f"heddle_fault::id == {number} ? {self.pin(cell, 'BAD')} : {self.pin(cell, 'GOOD')}")

    def trellis_ff(self, name, cell):
        expect(name, cell, CLKMUX="CLK", LSRMUX=("LSR", "INV"), CEMUX=("CE", "INV", "1", "0"), LSRMODE="LSR", REGSET=("SET", "RESET"))
        about = cell["parameters"]
        reset, enable = self.pin(cell, "LSR", "1'b0"), self.pin(cell, "CE")
        enable = {"CE": enable, "INV": f"~{enable}"}.get(about["CEMUX"].strip(), f"1'b{about['CEMUX'].strip()}")
        if reset != "1'b0":
            expect(name, cell, SRMODE="LSR_OVER_CE")
        if about["LSRMUX"] == "INV":
            reset = f"~{reset}"
        value = "1'b1" if about["REGSET"] == "SET" else "1'b0"
        row = self.drives(cell["connections"]["Q"][0], "reg"), self.pin(cell, "DI"), value
        self.registers[self.pin(cell, "CLK"), reset, enable].append(row)

    def trellis_dpr16x4(self, name, cell):
        expect(name, cell, WCKMUX="WCK", WREMUX="WRE")
        pins = cell["connections"]
        rows = [[self.net(bit) for bit in reversed(pins[port])] for port in ("WAD", "RAD")]
        data = [self.net(bit, ANY) for bit in pins["DI"]]
        key = self.pin(cell, "WCK"), self.pin(cell, "WRE"), *(", ".join(row) for row in rows)
        self.memories[key].append((pins["DO"], data, cell["parameters"]["INITVAL"]))

    def instance(self, name, cell):
        """A cell of cells/. Words of a memory that are all 0, as the bit stream has those that are undefined too, go unsaid."""
        numbers = [f".{key}({parameter(value.replace('x', '0') if key.startswith('INIT') else value)})"
                   for key, value in cell["parameters"].items() if not key.startswith("INIT") or "1" in value]
        pins = []
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "input":
                nets = [self.net(bit, ANY) for bit in bits]
            else:
                nets = [self.drives(bit) for bit in bits if isinstance(bit, int)]
            if len(nets) == len(bits):
                pins.append(f".{port}({nets[0] if len(nets) == 1 else '{' + ', '.join(reversed(nets)) + '}'})")
            elif nets:
                raise Unknown(f"{name}: some pins of {port} are open")
        self.body.append(f"  {cell['type']} #({', '.join(numbers)})\n    i{len(self.body)} ({', '.join(pins)});  // {name}")

    def register_blocks(self):
        for (clock, reset, enable), rows in self.registers.items():
            loads = " ".join(f"{q} <= {d};" for q, d, _ in rows)
            text = f"  always @(posedge {clock}) "
            if reset != "1'b0":
                text += f"if ({reset}) begin {' '.join(f'{q} <= {value};' for q, _, value in rows)} end\n    else "
            yield text + f"if ({enable}) begin {loads} end"

    def memory_blocks(self):
        for i, ((clock, enable, write, read), parts) in enumerate(self.memories.items()):
            width = 4 * len(parts)
            data = ", ".join(bit for _, inputs, _ in reversed(parts) for bit in reversed(inputs))
            yield f"  reg [{width - 1}:0] m{i} [0:15];\n  wire [{width - 1}:0] r{i} = m{i}[{{{read}}}];"
            yield f"  always @(posedge {clock}) if ({enable}) m{i}[{{{write}}}] <= {{{data}}};"
            if any(not set(words) <= self.NO_WORDS for *_, words in parts):
                raise Unknown("a memory of 16 by 4 that begins with words")
            for at, bit in ((4 * k + j, bit) for k, (outputs, *_) in enumerate(parts) for j, bit in enumerate(outputs)):
                if isinstance(bit, int):
                    yield f"  assign {self.drives(bit)} = r{i}[{at}];"

    def header(self, name):
        def said(port, about):
            width = f" [{len(about['bits']) - 1}:0]" if len(about["bits"]) > 1 else ""
            return f"  {about['direction']}{width} {port}"
        return [f"module {name} (", ",\n".join(said(*each) for each in self.ports.items()), ");"]

    def text(self, name):
        for each, cell in self.cells.items():
            kind = cell["type"]
            write = self.instance if kind in INSTANCES else getattr(self, kind.lower(), None)
            if write is None:
                raise Unknown(f"{each}: a cell {kind}")
            write(each, cell)
        blocks = [*self.register_blocks(), *self.memory_blocks()]
        for port, about in self.ports.items():
            if about["direction"] == "output":
                blocks.append(f"  assign {port} = {{{', '.join(self.net(bit, ANY) for bit in reversed(about['bits']))}}};")
        undriven = sorted(self.used - set(self.driven))
        if undriven:
            raise Unknown(f"nets without a driver: {undriven[:10]}")
        nets = [f"  {kind} n{bit};" for bit, kind in self.driven.items() if kind != "input"]
        return "\n".join([*self.header(name), *nets, *self.body, *blocks, "endmodule", ""])


class Gowin(Writer):
    """The same of a GW5A, mapped by synth_gowin -setundef: words that were not said are zeros there."""

    NO_WORDS = {"x", "0"}

    def lut(self, _, cell):
        pins = [self.pin(cell, f"I{i}", ANY) for i in range(int(cell["type"][-1]))]
        self.assign(cell, "F", expression.of_lut(int(cell["parameters"]["INIT"], 2), pins))

    lut1 = lut2 = lut3 = lut4 = lut

    def mux2_lut(self, _, cell):
        self.assign(cell, "O", f"{self.pin(cell, 'S0', ANY)} ? {self.pin(cell, 'I1', ANY)} : {self.pin(cell, 'I0', ANY)}")

    mux2_lut5 = mux2_lut6 = mux2_lut7 = mux2_lut8 = mux2_lut

    def buffer(self, _, cell):
        self.assign(cell, "O", self.pin(cell, "I", ANY))

    ibuf = obuf = buffer

    def vcc(self, _, cell):
        self.assign(cell, "V", "1'b1")

    def gnd(self, _, cell):
        self.assign(cell, "G", "1'b0")

    def alu(self, name, cell):
        """One bit of a sum, or where I3 is 0 of a difference."""
        if int(cell["parameters"]["ALU_MODE"], 2) != 2:
            raise Unknown(f"{name}: ALU of mode {cell['parameters']['ALU_MODE']}")
        one, other, adds, carry = (self.pin(cell, port, ANY) for port in ("I0", "I1", "I3", "CIN"))
        passes = f"s{len(self.body)}"
        self.body.append(f"  wire {passes} = {one} ^ {other} ^ ~{adds};")
        self.assign(cell, "SUM", f"{passes} ^ {carry}")
        self.assign(cell, "COUT", f"{passes} ? {carry} : {one}")

    def dff(self, _, cell):
        reset = next((port for port in ("SET", "RESET") if port in cell["connections"]), None)
        enable = self.pin(cell, "CE", ANY) if "CE" in cell["connections"] else "1'b1"
        row = (self.drives(cell["connections"]["Q"][0], "reg"), self.pin(cell, "D", ANY),
               "1'b1" if reset == "SET" else "1'b0")
        self.registers[self.pin(cell, "CLK"), self.pin(cell, reset) if reset else "1'b0", enable].append(row)

    dffe = dffs = dffse = dffr = dffre = dff

    def ram16sdp(self, _, cell):
        pins, wide = cell["connections"], len(cell["connections"]["DO"])
        rows = [[self.net(bit) for bit in reversed(pins[port])] for port in ("WAD", "RAD")]
        words = "".join(cell["parameters"][f"INIT_{i}"] for i in range(wide))
        key = self.pin(cell, "CLK"), self.pin(cell, "WRE"), *(", ".join(row) for row in rows)
        # As many as of an ECP5's: those that are not there are read by nobody.
        self.memories[key].append((pins["DO"] + ["x"] * (4 - wide),
                                   [self.net(bit, ANY) for bit in pins["DI"]] + ["1'b0"] * (4 - wide), words))

    ram16sdp1 = ram16sdp2 = ram16sdp4 = ram16sdp


def top_of(design):
    """The name and the module that is the top."""
    return next((name, module) for name, module in design["modules"].items() if int(module["attributes"].get("top", "0"), 2))


def main():
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    with open(sys.argv[1], encoding="utf-8") as file:
        name, module = top_of(json.load(file))
    of_gowin = any(cell["type"] == "IBUF" for cell in module["cells"].values())
    try:
        text = (Gowin if of_gowin else Writer)(module).text(name)
    except Unknown as unknown:
        sys.exit(f"verilog: {unknown}")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(f"// Written by lab/fpga/synth/verilog.py from {sys.argv[1]}; do not edit.\n{text}")


if __name__ == "__main__":
    main()
