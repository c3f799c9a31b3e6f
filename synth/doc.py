# SPDX-License-Identifier: Apache-2.0
"""Fill the tables of docs/fpga.md from figures that scripts/synth.sh --json wrote.

usage: doc.py [--check] DOCUMENT      example: build/venv/bin/python3 synth/doc.py docs/fpga.md
A table stands between `<!-- WHAT CONFIG ... -->` and `<!-- end -->`, WHAT one of area, placed, paths; the
figures are synth/figures/CONFIG-before.json and CONFIG-after.json. Of two figures that differ both are
shown. WHAT may be parts, of several configurations side by side: synth/figures/CONFIG-parts.json, which
synth/hierarchy.py --json wrote; a part that none of them has is left out. --check changes nothing; exit
status 1: the document says something else.
"""
import json
import os
import re
import sys
import textwrap

import timing

FIGURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "figures")
COLUMNS = (("lut4", "LUT4"), ("ff", "FF"), ("dp16kd", "DP16KD"), ("mult18x18d", "MULT18X18D"),
           ("dpr16x4", "DPR16X4"), ("ccu2c", "CCU2C"))
MARK = re.compile(r"(<!-- (area|placed|paths|parts) ([\w ]+) -->\n).*?(<!-- end -->)", re.S)
# The parts of a machine as the page names them, and the ends of their instances' names. Of several the sum.
BACK = "gen_partition[0].u_partition.u_back"
FRONT = "gen_partition[0].u_partition.u_front"
MEMORY = "u_sm.u_mem_top"
PARTS = (
    (0, "`alu`", (f"{BACK}.u_alu",)),
    (0, "`fma`", (f"{BACK}.u_fma",)),
    (0, "`cvt`", (f"{BACK}.u_cvt",)),
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
    # gen_full: as gen_parallel was called when synth/figures was last measured
    (1, "shared memory", tuple(f"{MEMORY}.u_lsu.{gen}.u_shared" for gen in ("gen_parallel", "gen_serial", "gen_full"))),
    (1, "global memory", (f"{MEMORY}.u_lsu.u_global",)),
    (0, "`order`", ("u_gpu.u_order",)),
    # what was in the place of `order`, and within the SM, when synth/figures was last measured
    (0, "`gmem` (before)", (f"{MEMORY}.u_gmem",)),
    (0, "the adder of atomics, one for both memories", (f"{MEMORY}.gen_add",)),
    (0, "caches of instructions and constants", (f"{MEMORY}.u_icache", f"{MEMORY}.u_ccache")),
    (0, "`axi_master` (before)", (f"{MEMORY}.u_axi",)),
    (0, "`barrier`, `cta_dispatch`", ("u_sm.u_barrier", "u_sm.u_cta_dispatch")),
    (0, "`gpu_host`", ("u_gpu.u_host",)),
    (0, "whole", ("",)),
)
PART_COLUMNS = (("lut4", "LUT4"), ("sites", "LUT sites"), ("dp16kd", "DP16KD"))


def figures(config, when):
    try:
        with open(os.path.join(FIGURES, f"{config}-{when}.json"), encoding="utf-8") as text:
            return json.load(text)
    except OSError:
        return None


def cell(old, new):
    """One figure, or two if they differ; what a side does not have is a dash."""
    old, new = (None if x is None else x if isinstance(x, str) else f"{x:,}" for x in (old, new))
    if old == new:
        return old or "–"
    return f"{old or '–'} → {new or '–'}"


def pair(before, after, key):
    """before and after of one row, or the one that is there twice."""
    if before is None or after is None:
        one = before or after
        return one.get(key), one.get(key)
    return before.get(key), after.get(key)


def area(config):
    before, after = figures(config, "before"), figures(config, "after")
    if not before and not after:
        return "Not measured yet."
    tables = [{r["title"]: r for r in f["rows"]} if f else {} for f in (before, after)]
    titles = list(tables[1] or tables[0])
    titles += [t for t in tables[0] if t not in tables[1] and tables[1]]
    lines = [" | ".join(["| module"] + [name for _, name in COLUMNS]) + " |", "|---" * (1 + len(COLUMNS)) + "|"]
    for title in titles:
        rows = [t.get(title) for t in tables]
        depth = (rows[1] or rows[0])["depth"]
        if not any(row and row[key] for row in rows for key, _ in COLUMNS):
            continue  # nothing of it is left in this configuration
        gone = " (before)" if tables[1] and rows[1] is None else " (new)" if tables[0] and rows[0] is None else ""
        cells = [cell(*pair(rows[0], rows[1], key)) for key, _ in COLUMNS]
        name = title if title.startswith("whole") else f"`{title}`"
        lines.append(" | ".join(["| " + "· " * depth + name + gone] + cells) + " |")
    return "\n".join(lines)


def placed(config):
    sides = {when: figures(config, when) for when in ("before", "after")}
    pnr = {when: side["pnr"] for when, side in sides.items() if side and side["pnr"]}
    if not pnr:
        return "Not placed yet."
    lines = ["| | " + " | ".join(pnr) + " |", "|---" * (1 + len(pnr)) + "|"]

    def line(title, take):
        lines.append(f"| {title} | " + " | ".join(map(take, pnr.values())) + " |")

    line("Fmax", lambda p: f"{p['fmax_mhz']} MHz" if p["fits"] else "does not fit")
    if any("fmax_mhz_by_grade" in p for p in pnr.values()):
        line("the same wires in grade 6, 7, 8", lambda p: ", ".join(
            f"{mhz}" for mhz in p.get("fmax_mhz_by_grade", {}).values()) + " MHz" if p["fits"] else "–")
    for key, title in (("comb", "LUT sites"), ("ff", "flip-flops"), ("dp16kd", "DP16KD"),
                       ("mult18x18d", "MULT18X18D")):
        line(title, lambda p, key=key: f"{p['used'][key]['used']:,} of {p['used'][key]['available']:,}")
    line("seed; place and route", lambda p: f"{p['seed']}; {p['seconds']} s")
    return "\n".join(lines)


def item(number, text):
    """An item of a list, in lines for a terminal; a name of the source is not broken."""
    return textwrap.fill(f"{number}. {text}", 100, subsequent_indent=" " * len(f"{number}. "),
                         break_long_words=False, break_on_hyphens=False)


def paths(config):
    for when in ("after", "before"):
        found = figures(config, when)
        if found and found["pnr"] and found["pnr"]["paths"]:
            return "\n".join(item(i, timing.sentence(p)) for i, p in enumerate(found["pnr"]["paths"], 1))
    return "Not placed yet."


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
    make = {"area": area, "placed": placed, "paths": paths, "parts": parts}
    new = MARK.sub(lambda m: f"{m[1]}{make[m[2]](m[3])}\n{m[4]}", old)
    if check:
        if new != old:
            sys.exit(f"{name}: its tables are not synth/figures: run synth/doc.py {name}")
    elif new != old:
        with open(name, "w", encoding="utf-8") as text:
            text.write(new)


if __name__ == "__main__":
    main()
