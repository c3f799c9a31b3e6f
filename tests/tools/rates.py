#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judge what heddle bench rate found.

usage: rates.py [--part] RATES.txt TABLE.json [LITTLE.json]
       rates.py --renew RATES.txt TABLE.json
The figures of a row fit together, and all are as RATES.txt demands of that configuration; --part: the
table has only some of its rows. --renew: the lines "exactly" of that configuration become what the table says, and
rows that nothing is demanded of get one.
Exit status: 0 they are, 1 they are not, 2 usage.
"""
import json
import sys

TOLERANCE = 0.03  # of --little
PHASE = 0.01  # figures of several warps: docs/benchmarks.md says why
DIGITS = 1e-4  # of "exactly"


def demands(path, config):
    """{row: [(what, figure)]} of the lines of a configuration."""
    found = {}
    with open(path, encoding="ascii") as lines:
        for number, line in enumerate(lines, 1):
            fields = line.split("#")[0].split()
            if not fields or fields[0] in ("landing", "measured"):
                continue
            if len(fields) != 4 or fields[2] not in ("least", "most", "about", "cycles", "exactly", "outside", "wanted"):
                raise SystemExit(f"{path}:{number}: expected CONFIGURATION ROW WHAT FIGURE")
            if fields[0] == config:
                found.setdefault(fields[1], []).append((fields[2], float(fields[3])))
    return found


def fits_together(row):
    """What is wrong with the figures of a row by themselves."""
    cycles, limit, fraction = row["cycles"], row["limit"], row["fraction"]
    if cycles <= 0 or (limit is None) != (fraction is None):
        yield f"cycles {cycles}, limit {limit}, fraction {fraction}"
    elif limit is not None and abs(fraction - limit / cycles) > 1e-9:
        yield f"fraction {fraction} is not {limit} / {cycles}"
    elif limit is not None and fraction > 1 + PHASE:
        yield f"{cycles} cycles are fewer than the limit of {limit}"
    busiest = max(row.get("share_of_r", 0), row.get("share_of_w", 0))
    if busiest > 0 and abs(busiest - fraction) > 1e-9:
        yield f"{busiest} of the busier channel, fraction {fraction}"
    if abs(sum(row["warp_cycles"].values()) - 1) > 1e-9:
        yield "the parts of warp cycles do not add up"


def judged(row, what, figure):
    """Is one demand kept?"""
    if what == "least":
        return row["fraction"] is not None and row["fraction"] >= figure
    if what == "wanted":
        return row["fraction"] is not None and row["fraction"] < figure
    if what == "most":
        return row["cycles"] <= figure
    if what == "about":
        return abs(row["cycles"] / figure - 1) < PHASE
    if what == "exactly":
        return abs(row["cycles"] - figure) <= 0.5 * DIGITS
    return what == "cycles" and abs(row["cycles"] - figure) < 1e-9


def table(rows, wanted, part):
    """What is wrong with the table, or with a part of it."""
    if not rows:
        yield "no rows"
    for row in rows:
        name = row["name"]
        if "missing" in row:
            continue
        yield from (f"{name}: {wrong}" for wrong in fits_together(row))
        if not wanted.get(name):
            yield f"{name}: nothing is demanded of it"
        for what, figure in wanted.pop(name, []):
            if what == "wanted" and judged(row, what, figure):
                print(f"short: {name}: fraction {row['fraction']:.4f}, wanted: {figure:g}")
            elif what == "wanted":
                yield f"{name}: fraction {row['fraction']} is what was wanted, {figure:g}: demand it (least)"
            elif not judged(row, what, figure):
                yield f"{name}: {row['cycles']} cycles, fraction {row['fraction']}; demanded: {what} {figure:g}"
    if not part:
        yield from (f"{name}: no such row" for name in wanted)


def renew(path, found):
    """Write what was found into the lines that say "exactly"."""
    cycles = {row["name"]: row["cycles"] for row in found["rates"] if "missing" not in row}
    with open(path, encoding="ascii") as f:
        lines = f.readlines()
    def written(name):
        return f"{found['config']} {name:<24} exactly {cycles[name]:.4f}\n"

    last, there = 0, set()
    for number, line in enumerate(lines):
        fields = line.split("#")[0].split()
        if len(fields) != 4 or fields[0] != found["config"]:
            continue
        there.add(fields[1])
        last = number if fields[1] == "little" else number + 1
        if fields[2] == "exactly" and fields[1] in cycles:
            lines[number] = written(fields[1])
    lines[last:last] = [written(name) for name in cycles if name not in there]
    with open(path, "w", encoding="ascii") as f:
        f.writelines(lines)


def law_of(found, warps, chains):
    """Each partition has its share of the warps; none does more than an instruction in `beats` cycles."""
    parts = found["partitions"]
    shares = [warps // parts + (p < warps % parts) for p in range(parts)]
    return sum(min(n * chains / found["latency"], 1 / found["beats"]) for n in shares)


def little(found, most):
    """What is wrong with the points of Little's law."""
    off = [p["rate"] / p["law"] - 1 for p in found["points"]]
    law = [law_of(found, p["warps"], p["chains"]) for p in found["points"]]
    if any(abs(p["law"] - l) > 1e-9 for p, l in zip(found["points"], law)):
        yield "little: that is not the law"
    if max(off) > 2 * PHASE:
        yield f"little: a point lies above the law by {max(off):.4f}"
    if abs(found["worst"] - max(off, key=abs)) > 1e-9 or found["outside"] != sum(abs(o) > TOLERANCE for o in off):
        yield "little: worst, outside: not of these points"
    if found["outside"] > most:
        yield f"little: {found['outside']} points are off, demanded: {most:g} or fewer"


def main():
    """Judge, and say what is wrong."""
    part, write = sys.argv[1:2] == ["--part"], sys.argv[1:2] == ["--renew"]
    names = sys.argv[1 + part + write:]
    if len(names) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    found, *law = (json.load(open(name, encoding="utf-8")) for name in names[1:])
    if write:
        renew(names[0], found)
        return 0
    wanted = demands(names[0], found["config"])
    (what, most), = wanted.pop("little", [("outside", 0)])
    wrong = list(table(found["rates"], wanted, part))
    for points in law:
        wrong += little(points, most if what == "outside" else 0)
    for line in wrong:
        print(f"error: {found['config']}: {line}")
    return 1 if wrong else 0


sys.exit(main())
