# SPDX-License-Identifier: Apache-2.0
"""Fill the tables of docs/fpga.md from figures that scripts/synth.sh --json wrote.

usage: doc.py [--check] DOCUMENT      example: build/venv/bin/python3 synth/doc.py docs/fpga.md
A table stands between `<!-- WHAT CONFIG -->` and `<!-- end -->`, WHAT one of area, placed, paths; the
figures are synth/figures/CONFIG-before.json and CONFIG-after.json. Of two figures that differ both are
shown. --check changes nothing; exit status 1: the document says something else.
"""
import json
import os
import re
import sys

import timing

FIGURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "figures")
COLUMNS = (("lut4", "LUT4"), ("ff", "FF"), ("dp16kd", "DP16KD"), ("mult18x18d", "MULT18X18D"),
           ("dpr16x4", "DPR16X4"), ("ccu2c", "CCU2C"))
MARK = re.compile(r"(<!-- (area|placed|paths) (\w+) -->\n).*?(<!-- end -->)", re.S)


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
        gone = " (gone)" if tables[1] and rows[1] is None else " (new)" if tables[0] and rows[0] is None else ""
        cells = [cell(*pair(rows[0], rows[1], key)) for key, _ in COLUMNS]
        name = title if title.startswith("whole") else f"`{title}`"
        lines.append(" | ".join(["| " + "· " * depth + name + gone] + cells) + " |")
    return "\n".join(lines)


def placed(config):
    lines = ["| | before | after |", "|---|---|---|"]
    sides = [figures(config, when) for when in ("before", "after")]
    pnr = [f and f["pnr"] for f in sides]
    if not any(pnr):
        return "Not placed yet."

    def line(title, take):
        lines.append(f"| {title} | " + " | ".join(take(p) if p else "–" for p in pnr) + " |")

    line("Fmax", lambda p: f"{p['fmax_mhz']} MHz" if p["fits"] else "does not fit")
    for key, title in (("comb", "LUT sites"), ("ff", "flip-flops"), ("dp16kd", "DP16KD"),
                       ("mult18x18d", "MULT18X18D")):
        line(title, lambda p, key=key: f"{p['used'][key]['used']:,} of {p['used'][key]['available']:,}")
    line("seed; place and route", lambda p: f"{p['seed']}; {p['seconds']} s")
    return "\n".join(lines)


def paths(config):
    for when in ("after", "before"):
        found = figures(config, when)
        if found and found["pnr"] and found["pnr"]["paths"]:
            return "\n".join(f"{i}. {timing.sentence(p)}" for i, p in enumerate(found["pnr"]["paths"], 1))
    return "Not placed yet."


def main():
    check = sys.argv[1:2] == ["--check"]
    if len(sys.argv) != 2 + check:
        sys.exit(__doc__)
    name = sys.argv[-1]
    with open(name, encoding="utf-8") as text:
        old = text.read()
    make = {"area": area, "placed": placed, "paths": paths}
    new = MARK.sub(lambda m: f"{m[1]}{make[m[2]](m[3])}\n{m[4]}", old)
    if check:
        if new != old:
            sys.exit(f"{name}: its tables are not synth/figures: run synth/doc.py {name}")
    elif new != old:
        with open(name, "w", encoding="utf-8") as text:
            text.write(new)


if __name__ == "__main__":
    main()
