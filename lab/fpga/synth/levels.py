# SPDX-License-Identifier: Apache-2.0
"""The longest paths of a mapped design, before place and route.

example: build/venv/bin/python3 lab/fpga/synth/levels.py build/synth/tiny/pins.json heddle_gpu_pins
         ... --paths 3 --picture paths.svg     draws them

Place and route of a whole machine takes an hour. This takes a minute and shows what is deep, in
nanoseconds that are guessed: cells as nextpnr knows them (speed grade 6), and for each wire a time
that grows with its sinks. Good to see which path to cut next, not for a clock to be promised.
"""
import argparse
import math
from collections import defaultdict

import path_picture
import timing

# Picoseconds: prjtrellis' figures of ECP5 cells, speed grade 6, slow corner, rounded up.
CLOCK_TO_Q = 525
LUT = WIDE = 240
CARRY_IN, CARRY, CARRY_OUT = 450, 70, 440
BLOCK_RAM, BLOCK_RAM_REGISTERED = 5600, 600
MULTIPLIER = 3900
SETUP = 200
# A wire to one sink, and what each doubling of its sinks adds: parts that are half full.
WIRE, WIRE_DOUBLED = 900, 150
# Wires inside a slice, or from one to the next.
DEDICATED = {("PFUMX", "ALUT"), ("PFUMX", "BLUT"), ("L6MUX21", "D0"), ("L6MUX21", "D1"), ("CCU2C", "CIN")}
CLOCKS = ("CLK", "WCK", "CLKA", "CLKB", "CLK0", "CLK1", "CLK2", "CLK3")


def carry_arcs(inputs, outputs):
    for sink in outputs:
        for source in inputs:
            if source == "CIN":
                yield source, sink, CARRY if sink == "COUT" else CARRY_OUT
            elif sink == "COUT" or source[-1] == sink[-1]:
                yield source, sink, CARRY_IN
            elif sink == "S1":
                yield source, sink, CARRY_IN + CARRY_OUT


def arcs(cell, inputs, outputs):
    """What is combinational in a cell: (input, output, delay)."""
    kind = cell["type"]
    if kind == "CCU2C":
        yield from carry_arcs(inputs, outputs)
        return
    if kind in ("LUT4", "PFUMX", "L6MUX21"):
        sources, delay = inputs, LUT if kind == "LUT4" else WIDE
    elif kind == "TRELLIS_DPR16X4":
        sources, delay = [i for i in inputs if i.startswith("RAD")], LUT
    elif kind == "MULT18X18D":
        sources, delay = [i for i in inputs if i[0] in "AB" and i[1:].isdigit()], MULTIPLIER
    else:
        return
    for source in sources:
        for sink in outputs:
            yield source, sink, delay


def clocked(cell, inputs, outputs):
    """(outputs that begin at the clock with their delay, inputs that end there)"""
    kind = cell["type"]
    ends = [i for i in inputs if i not in CLOCKS]
    if kind == "TRELLIS_FF":
        return {o: CLOCK_TO_Q for o in outputs}, ends
    if kind == "DP16KD":
        late = {side: cell["parameters"].get(f"REGMODE_{side}") != "OUTREG" for side in "AB"}
        return {o: BLOCK_RAM if late[o[2]] else BLOCK_RAM_REGISTERED for o in outputs}, ends
    if kind == "TRELLIS_DPR16X4":
        return {}, [i for i in ends if not i.startswith("RAD")]
    return {}, []


class Mapped(timing.Delays):
    """The delays of a netlist, guessed."""

    def __init__(self, cells):
        super().__init__()
        driver, sinks = {}, defaultdict(list)
        for name, cell in cells.items():
            ways = cell["port_directions"]
            pins = {"input": {}, "output": {}}
            for port, bits in cell["connections"].items():
                for index, bit in enumerate(bits):
                    if isinstance(bit, int) and ways[port] in pins:
                        pins[ways[port]][port if len(bits) == 1 else f"{port}{index}"] = bit
            self.kind[name] = cell["type"]
            for pin, bit in pins["output"].items():
                driver[bit] = f"{name}/{pin}"
            for pin, bit in pins["input"].items():
                sinks[bit].append((name, pin))
            for source, sink, delay in arcs(cell, pins["input"], pins["output"]):
                self.out[f"{name}/{source}"].append((f"{name}/{sink}", delay))
            starts, ends = clocked(cell, pins["input"], pins["output"])
            for pin, delay in starts.items():
                self.starts[f"{name}/{pin}"] = delay
            for pin in ends:
                self.ends[f"{name}/{pin}"] = SETUP
        for bit, source in driver.items():
            wire = WIRE + int(WIRE_DOUBLED * math.log2(max(1, len(sinks[bit]))))
            for name, pin in sinks[bit]:
                near = (self.kind[name], pin) in DEDICATED
                self.out[source].append((f"{name}/{pin}", 0 if near else wire))

    def level(self, cell, port):
        kind = self.kind[cell]
        return {"LUT4": "lut", "CCU2C": "carry"}.get(kind, "mux" if kind in ("PFUMX", "L6MUX21") else "other")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("netlist", help="what Yosys' write_json left, mapped and flat")
    parser.add_argument("top")
    parser.add_argument("--paths", type=int, default=20, help="how many (default 20)")
    parser.add_argument("--match", default="", help="only those that end where this is a part of the name")
    parser.add_argument("--picture", metavar="FILE", help="draw them, too (SVG)")
    args = parser.parse_args()
    names = timing.Names(args.netlist, args.top)
    found = timing.paths(Mapped(names.cells), names, args.paths, args.match)
    if args.picture:
        with open(args.picture, "w", encoding="utf-8") as file:
            file.write(path_picture.drawn(found))
    for i, path in enumerate(found, 1):
        print(f"{i:3}. {timing.sentence(path)}")
        if path["through"]:
            print("     through " + ", ".join(timing.short(p) for p in path["through"]))


if __name__ == "__main__":
    main()
