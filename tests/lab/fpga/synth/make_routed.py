# SPDX-License-Identifier: Apache-2.0
"""A routed design of four cells, as Yosys and nextpnr write them: DIR/pins.json and DIR/pnr.sdf. Two more are in no path."""
import json
import sys

FOLDER = sys.argv[1]


def register(module, data, out):
    return {"type": "TRELLIS_FF", "attributes": {"src": f"rtl/issue/{module}.sv:12.3-14.6|/share/map.v:1"},
            "port_directions": {"CLK": "input", "DI": "input", "Q": "output"},
            "connections": {"CLK": [2], "DI": [data], "Q": [out]}}


NETLIST = {"modules": {"top": {
    "cells": {
        # two bits of one register: the path from the slower one stands for both
        "$auto$1": register("first", 6, 3),
        "$auto$2": register("first", 6, 4),
        "$auto$3": register("second", 5, 6),
        "$abc$lut": {"type": "LUT4", "attributes": {}, "port_directions": {"A": "input", "Z": "output"},
                     "connections": {"A": [3], "Z": [7]}},
        "$carry": {"type": "CCU2C", "attributes": {}, "port_directions": {"A0": "input", "S0": "output"},
                   "connections": {"A0": [7], "S0": [5]}},
        # what goes into a port and has no other name is driven beside it; pieces of a memory are numbered
        "$abc$in": {"type": "LUT4", "attributes": {}, "port_directions": {"Z": "output"}, "connections": {"Z": [8]}},
        "u_b.u_ram.mem_q.0.1": {"type": "TRELLIS_DPR16X4", "attributes": {}, "port_directions": {}, "connections": {}},
    },
    "netnames": {
        "u_a.a_q": {"bits": [3, 4]},
        "u_far.u_b.value_i": {"bits": [3, 4]},
        "u_b.b_q": {"bits": [6]},
        "$abc$7": {"bits": [7]},
        "u_b.sum": {"bits": [5]},
        "u_a.u_in.value_i": {"bits": [8]},
    },
}}}


def cell(kind, name, delays, checks=""):
    name = name.replace("$", "\\$")
    text = f'  (CELL\n    (CELLTYPE "{kind}")\n    (INSTANCE {name})\n    (DELAY\n      (ABSOLUTE\n{delays}      )\n    )\n'
    return text + (f"    (TIMINGCHECK\n{checks}    )\n" if checks else "") + "    )\n"


def triple(ps):
    return f"({ps // 2}:{ps - 1}:{ps})"


def arc(source, sink, ps):
    return f"        (IOPATH {source} {sink} {triple(ps)} {triple(ps)})\n"


def wire(source, sink, ps):
    source, sink = (pin.replace("$", "\\$") for pin in (source, sink))
    return f"        (INTERCONNECT {source} {sink} {triple(ps)} {triple(ps)})\n"


CHECK = "".join(f"      (SETUPHOLD ({edge}edge DI) (posedge CLK) {triple(300)} {triple(100)})\n" for edge in ("pos", "neg"))
WIRES = (wire("$auto$1/Q", "$abc$lut/A", 1200) + wire("$auto$2/Q", "$abc$lut/B", 1500)
         + wire("$abc$lut/F", "$carry$CCU2_COMB0/A", 1800) + wire("$carry$CCU2_COMB0/F", "$auto$3/DI", 0)
         + wire("$auto$3/Q", "$auto$1/DI", 300) + wire("$auto$3/Q", "$auto$2/DI", 200))
SDF = ('(DELAYFILE\n  (SDFVERSION "3.0")\n' + cell("top", "", WIRES)
       + "".join(cell("TRELLIS_FF", f"$auto${i}", arc("CLK", "Q", 500), CHECK) for i in (1, 2, 3))
       + cell("TRELLIS_COMB", "$abc$lut", arc("A", "F", 236) + arc("B", "F", 236))
       + cell("TRELLIS_COMB", "$carry$CCU2_COMB0", arc("A", "FCO", 400) + arc("A", "F", 950)) + ")\n")

with open(f"{FOLDER}/pins.json", "w", encoding="utf-8") as out:
    json.dump(NETLIST, out)
with open(f"{FOLDER}/pnr.sdf", "w", encoding="utf-8") as out:
    out.write(SDF)
