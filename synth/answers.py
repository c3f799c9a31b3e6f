# SPDX-License-Identifier: Apache-2.0
"""Tells ABC9 when memories answer.

example: build/venv/bin/python3 synth/answers.py build/synth/tiny/pins

Yosys' library has no times of block RAM, and 0 for LUT memory: ABC9 takes what they read as there at
the clock, or at the address, and lays a dozen LUTs after it. NAME.before.json is a design before LUTs
are mapped; in NAME.answers.json a cell of the time that a memory takes stands at each of its outputs,
and NAME.answers.v says what time that is. ABC9 knows such cells as boxes; NAME.gone.v then makes wires
of them again.

Nor does ABC9 know the wire before a carry cell. A sum is mapped well all the same; a comparison
(wide_equal.v) may stand in the middle of a long path, and so a wire's time stands before each of its bits.
"""
import json
import pathlib
import sys

import levels

BOX = "HEDDLE_ANSWERS_AFTER_"


def after(cell, port):
    """How much later than ABC9 thinks an output is there, in ps."""
    if cell["type"] == "TRELLIS_DPR16X4" and port == "DO":
        return levels.LUT + levels.WIRE  # a wire to its address, which of LUTs alone ABC9 knows
    if cell["type"] == "DP16KD" and port[:2] == "DO":
        return levels.BLOCK_RAM - levels.CLOCK_TO_Q
    return 0


def compares(cell):
    return cell["type"] == "CCU2C" and "YES" in (cell["parameters"].get("INJECT1_0"), cell["parameters"].get("INJECT1_1"))


def put_boxes(module):
    """Boxes at the outputs of memories, and before comparisons; returns the times that there are."""
    bits = (b for n in module["netnames"].values() for b in n["bits"] if isinstance(b, int))
    free = max(bits, default=1) + 1
    times, boxes, late = set(), {}, {}

    def box(name, time, source, sink):
        times.add(time)
        boxes[name] = {
            "hide_name": 1,
            "type": f"{BOX}{time}",
            "parameters": {},
            "attributes": {},
            "port_directions": {"I": "input", "O": "output"},
            "connections": {"I": [source], "O": [sink]},
        }

    for cell in module["cells"].values():
        if not compares(cell):
            continue
        for port, wires in cell["connections"].items():
            if len(port) == 2 and port[0] in "ABCD" and isinstance(wires[0], int):
                bit = wires[0]
                if bit not in late:
                    late[bit] = free
                    box(f"compared.{bit}.answers", levels.WIRE, bit, free)
                    free += 1
                wires[0] = late[bit]
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
    return times


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    name = sys.argv[1]
    design = json.loads(pathlib.Path(f"{name}.before.json").read_text(encoding="utf-8"))
    times = set()
    for module in design["modules"].values():
        times |= put_boxes(module)
    pathlib.Path(f"{name}.answers.json").write_text(json.dumps(design), encoding="utf-8")
    with open(f"{name}.answers.v", "w", encoding="utf-8") as boxes, open(f"{name}.gone.v", "w", encoding="utf-8") as gone:
        for time in sorted(times):
            boxes.write(f"(* abc9_box, blackbox *) module {BOX}{time} (input I, output O);\n")
            boxes.write(f"  specify (I => O) = {time}; endspecify\nendmodule\n")
            gone.write(f"module {BOX}{time} (input I, output O);\n  assign O = I;\nendmodule\n")


if __name__ == "__main__":
    main()
