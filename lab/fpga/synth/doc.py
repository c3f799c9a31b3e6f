# SPDX-License-Identifier: Apache-2.0
"""Fill the tables of docs/lab/area.md from figures that were measured.

usage: doc.py [--check] DOCUMENT      example: build/venv/bin/python3 lab/fpga/synth/doc.py docs/lab/area.md
A table stands between `<!-- parts CONFIG ... -->` and `<!-- end -->`, of several configurations side by side, from
lab/fpga/synth/figures/CONFIG-parts.json, which lab/fpga/synth/hierarchy.py --json wrote; a part that none of them has is left out.
--check changes nothing; exit status 1: the document says something else.
"""
import json
import os
import re
import sys

FIGURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "figures")
MARK = re.compile(r"(<!-- parts ([\w ]+) -->\n).*?(<!-- end -->)", re.S)
# The parts of a machine as the page names them, and the ends of their instances' names. Of several the sum. (The fixed pipes
# had no module around them when some of the figures were measured.)
BACK = "gen_partition[0].u_partition.u_back"
FRONT = "gen_partition[0].u_partition.u_front"
MEMORY = "u_sm.u_mem_top"
PARTS = (
    *((0, f"`{pipe}`", (f"{BACK}.u_pipes.u_{pipe}", f"{BACK}.u_{pipe}")) for pipe in ("alu", "fma", "cvt")),
    (0, "`sfu_unit`", (f"{BACK}.u_units.gen_sfu",)),
    (0, "`warp_unit`", (f"{BACK}.u_units.gen_warp",)),
    (0, "`operand`", (f"{BACK}.u_operand",)),
    (1, "the register file, with the choice among its banks", (f"{BACK}.u_operand.u_regfile",)),
    (0, "`writeback`", (f"{BACK}.u_writeback",)),
    (0, "`front`", (FRONT,)),
    (1, "`issue`", (f"{FRONT}.u_issue",)),
    (1, "`ibuf` with the decoder", (f"{FRONT}.u_ibuf",)),
    (0, "`divergence`", ("u_partition.u_divergence",)),
    (0, "`lsu`", (f"{MEMORY}.u_lsu",)),
    (1, "shared memory", tuple(f"{MEMORY}.u_lsu.{at}u_shared" for at in ("", "gen_parallel.", "gen_serial."))),
    (1, "global memory", (f"{MEMORY}.u_lsu.u_global",)),
    (0, "`order`", ("u_gpu.u_memory.gen_order.u_order", "u_gpu.u_memory.u_order", "u_gpu.u_order")),
    (0, "adders of atomics' floats, one for each memory", (f"{MEMORY}.gen_add", "u_gpu.u_memory.gen_add", "u_gpu.gen_add",
     "u_gpu.u_memory.gen_floats[0].gen_add")),
    (0, "caches of instructions and constants", (f"{MEMORY}.u_icache", f"{MEMORY}.u_ccache")),
    (0, "`barrier`, `cta_dispatch`", ("u_sm.u_barrier", "u_sm.u_cta_dispatch")),
    (0, "`gpu_host`", ("u_gpu.u_host",)),
    (0, "whole", ("",)),
)
PART_COLUMNS = (("lut4", "LUT4"), ("sites", "LUT sites"), ("dp16kd", "DP16KD"))


def figures(config, what):
    try:
        with open(os.path.join(FIGURES, f"{config}-{what}.json"), encoding="utf-8") as text:
            return json.load(text)
    except OSError:
        return None


def part(found, ends, key):
    """The sum of a figure over the instances that end so, or None where there is none."""
    own = [p[key] for place, p in found.items() for end in ends
           if place == end or (end and place.endswith("." + end))]
    return f"{sum(own):,}" if own else "–"


def parts(configs):
    sides = {config: figures(config, "parts") for config in configs.split()}
    if not all(sides.values()):
        return "Not measured yet."
    lines = ["| part | " + " | ".join(f"`{config}`: {name}" for config in sides for _, name in PART_COLUMNS) + " |",
             "|---" * (1 + len(sides) * len(PART_COLUMNS)) + "|"]
    for depth, title, ends in PARTS:
        cells = [part(side["parts"], ends, key) for side in sides.values() for key, _ in PART_COLUMNS]
        if set(cells) == {"–"}:
            continue  # not there when they were measured, or not any more
        lines.append("| " + "· " * depth + " | ".join([title] + cells) + " |")
    return "\n".join(lines)


def main():
    check = sys.argv[1:2] == ["--check"]
    if len(sys.argv) != 2 + check:
        sys.exit(__doc__)
    name = sys.argv[-1]
    with open(name, encoding="utf-8") as text:
        old = text.read()
    new = MARK.sub(lambda m: f"{m[1]}{parts(m[2])}\n{m[3]}", old)
    if check:
        if new != old:
            sys.exit(f"{name}: its tables are not lab/fpga/synth/figures: run lab/fpga/synth/doc.py {name}")
    elif new != old:
        with open(name, "w", encoding="utf-8") as text:
            text.write(new)


if __name__ == "__main__":
    main()
