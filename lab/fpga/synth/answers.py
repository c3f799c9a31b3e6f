# SPDX-License-Identifier: Apache-2.0
"""Tells ABC9 when memories answer, and choices.

example: build/venv/bin/python3 lab/fpga/synth/answers.py build/synth/tiny/pins

Yosys' library has no times of block RAM, and 0 for LUT memory: ABC9 takes what they read as there at
the clock, or at the address, and lays a dozen LUTs after it. NAME.before.json is a design before LUTs
are mapped; in NAME.answers.json a cell of the time that a memory takes stands at each of its outputs,
and NAME.answers.v says what time that is. ABC9 knows such cells as boxes; NAME.gone.v then makes wires
of them again.

Nor does ABC9 know the wire before a carry cell. A sum is mapped well all the same; a comparison
(wide_equal.v) may stand in the middle of a long path, and so a wire's time stands before each of its bits.

LUTs that are cells already, those of choices (wide_mux.v), ABC9 takes for the end of one path and the
beginning of another: a path over three choices had four cycles. So each is a box of a LUT's time and a
wire's while ABC9 is there, and what many choose by comes later by what its wires take more.
"""
import collections
import json
import math
import pathlib
import sys

import levels

BOX = "HEDDLE_ANSWERS_AFTER_"
CHOICE = "HEDDLE_CHOICE_"  # and the LUT's entries
CHOSEN = {"LUT4": "ABCD", "PFUMX": ("C0",), "L6MUX21": ("SD",)}  # inputs of choices that have a wire
MANY = 8  # choices by one net, from which on its wires count for more than one's


def after(cell, port):
    """How much later than ABC9 thinks an output is there, in ps."""
    if cell["type"] == "TRELLIS_DPR16X4" and port == "DO":
        return levels.LUT + levels.WIRE  # a wire to its address, which of LUTs alone ABC9 knows
    if cell["type"] == "DP16KD" and port[:2] == "DO":
        return levels.BLOCK_RAM - levels.CLOCK_TO_Q
    return 0


def compares(cell):
    return cell["type"] == "CCU2C" and "YES" in (cell["parameters"].get("INJECT1_0"), cell["parameters"].get("INJECT1_1"))


def more(ends):
    """What a wire to so many ends takes more than one to a single one, in steps that leave few kinds of boxes."""
    return int(round(levels.WIRE_DOUBLED * math.log2(ends), -2)) if ends >= MANY else 0


def late_pins(module):
    """Inputs before which ABC9 forgets a wire, as lists of their net: of comparisons, of choices."""
    compared = [wires for cell in module["cells"].values() if compares(cell)
                for port, wires in cell["connections"].items() if len(port) == 2 and port[0] in "ABCD"]
    chosen = [cell["connections"][port] for cell in module["cells"].values() for port in CHOSEN.get(cell["type"], ())]
    return compared, chosen


def put_boxes(module):
    """Boxes at the outputs of memories, before comparisons and choices."""
    bits = (b for n in module["netnames"].values() for b in n["bits"] if isinstance(b, int))
    free = max(bits, default=1) + 1
    boxes = {}

    def box(name, time, source, sink):
        boxes[name] = {
            "hide_name": 1,
            "type": f"{BOX}{time}",
            "parameters": {},
            "attributes": {},
            "port_directions": {"I": "input", "O": "output"},
            "connections": {"I": [source], "O": [sink]},
        }

    compared, chosen = late_pins(module)
    for what, pins, time in (("compared", compared, lambda _: levels.WIRE), ("chosen", chosen, more)):
        counts, late = collections.Counter(pin[0] for pin in pins), {}
        for pin in pins:
            bit = pin[0]
            if not isinstance(bit, int) or time(counts[bit]) == 0:
                continue
            if bit not in late:
                late[bit] = free
                box(f"{what}.{bit}.answers", time(counts[bit]), bit, free)
                free += 1
            pin[0] = late[bit]
    for name, cell in module["cells"].items():
        for port, wires in cell["connections"].items():
            time = after(cell, port)
            for i, bit in enumerate(wires):
                if time == 0 or not isinstance(bit, int):
                    continue
                wires[i] = free
                box(f"{name}.{port}.{i}.answers", time, free, bit)
                free += 1
    module["cells"].update(boxes)


def put_choices(module):
    """Boxes in the place of choices' LUTs."""
    for cell in module["cells"].values():
        if cell["type"] == "LUT4":
            cell["type"] = CHOICE + cell["parameters"].pop("INIT")


def library(types):
    """(what ABC9 is told of these types of boxes, what they become again), in Verilog."""
    boxes, gone = [], []
    for kind in sorted(types):
        if kind.startswith(BOX):
            ports, delays, body = "input I, output O", f"(I => O) = {kind.removeprefix(BOX)};", "assign O = I;"
        elif kind.startswith(CHOICE):
            init = kind.removeprefix(CHOICE)
            ports = "input A, B, C, D, output Z"
            delays = " ".join(f"({pin} => Z) = {levels.WIRE + levels.LUT};" for pin in "ABCD")
            body = f"LUT4 #(.INIT({len(init)}'b{init})) lut_i (.A(A), .B(B), .C(C), .D(D), .Z(Z));"
        else:
            continue
        boxes.append(f"(* abc9_box, blackbox *) module {kind} ({ports});\n  specify {delays} endspecify\nendmodule\n")
        gone.append(f"module {kind} ({ports});\n  {body}\nendmodule\n")
    return "".join(boxes), "".join(gone)


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    name = sys.argv[1]
    design = json.loads(pathlib.Path(f"{name}.before.json").read_text(encoding="utf-8"))
    types = set()
    for module in design["modules"].values():
        put_boxes(module)
        put_choices(module)
        types |= {cell["type"] for cell in module["cells"].values()}
    boxes, gone = library(types)
    pathlib.Path(f"{name}.answers.json").write_text(json.dumps(design), encoding="utf-8")
    pathlib.Path(f"{name}.answers.v").write_text(boxes, encoding="utf-8")
    pathlib.Path(f"{name}.gone.v").write_text(gone, encoding="utf-8")


if __name__ == "__main__":
    main()
