# SPDX-License-Identifier: Apache-2.0
"""Tables and JSON of what scripts/synth.sh left in its working folder."""
import argparse
import json
import os
import re
import sys

import families
import timing

GRADES = (6, 7, 8)  # speed grades, the slowest first


def read(folder, name):
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as text:
            return text.read().strip()
    except OSError:
        return None


def row(family, folder, name, depth, title):
    """The figures of one top, or None if it has none."""
    stat = read(folder, f"{name}.stat.json")
    try:
        design = json.loads(stat or "")["design"]
    except (ValueError, KeyError):
        return None
    cells = design["num_cells_by_type"]
    return {"top": name, "title": title, "depth": depth, **family.counts(cells), "abc": read(folder, f"{name}.abc"),
            "seconds": int(read(folder, f"{name}.seconds") or 0)}


def achieved(text):
    """The highest clock in a report of nextpnr, in MHz, or None."""
    clock = next(iter(json.loads(text)["fmax"].values()), None) if text else None
    return round(clock["achieved"], 2) if clock else None


def placed(args, family):
    """What nextpnr says (of a design that does not fit: what it would use), or None."""
    if args.seed is None:
        return None
    # Of the first placing: the second one has LUTs too that only keep sites free.
    log, text = read(args.work, "placed.log") or read(args.work, "pnr.log"), read(args.work, "pnr.report")
    if not log:
        return None
    found = re.findall(r"^Info:\s+(\w+): +(\d+)/ *(\d+) ", log, re.M)
    counts = {kind: {"used": int(used), "available": int(of)} for kind, used, of in found}
    used = {mine: counts.get(kind, {}) for kind, mine in family.routed.items()}
    fmax, worst, paths, grades = achieved(text), None, [], {}
    if args.grade:
        grades = {str(grade): fmax if grade == args.grade else achieved(read(args.work, f"pnr.grade{grade}.report"))
                  for grade in GRADES}
    if text and os.path.exists(os.path.join(args.work, "pnr.sdf")):
        paths = timing.longest(os.path.join(args.work, "pnr.sdf"), os.path.join(args.work, "pins.json"),
                               "heddle_gpu_pins", 10)
        worst = round(1000 / paths[0]["ns"], 2) if paths else None
    return {"part": family.part["name"], "package": family.package, "speed": args.grade or family.grade, "seed": args.seed,
            "aim_mhz": args.freq,
            "fits": bool(text), "fmax_mhz": fmax, "fmax_of_paths_mhz": worst,
            "fmax_mhz_by_grade": grades, "used": used, "paths": paths,
            "seconds": int(read(args.work, "pnr.seconds") or 0)}


def table(family, rows):
    """Rows as text, a column each."""
    head = ["module", *family.heads(), "s"]
    lines = [head] + [["  " * r["depth"] + r["title"]] + [f"{r[k]:g}" if isinstance(r[k], float) else str(r[k])
                                                          for k in (*family.keys(), "seconds")] for r in rows]
    wide = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join("  ".join([line[0].ljust(wide[0])] + [c.rjust(w) for c, w in zip(line[1:], wide[1:])])
                     for line in lines)


def print_stores(args, rows):
    """What became of each primitive, in the last top."""
    found = families.by_primitive(*(read(args.work, f"{rows[-1]['top']}.{kind}") or "" for kind in ("asked", "stores")))
    cells = {}
    for (name, kind), n in sorted(found.items()):
        cells.setdefault(name, []).append(f"{n} {kind}")
    print(f"\nmemories and multipliers of {rows[-1]['top']}, by primitive:")
    for name, kinds in cells.items():
        print(f"  {name:12} {', '.join(kinds)}")


def print_share(family, row):
    share = ", ".join(f"{key.upper()} {100 * row[key] / n:.1f} %" for key, n in family.part.items() if key in row)
    print(f"of an {family.part['name']}: {share}")


def print_placed(pnr):
    print(f"\n{pnr['part']}, {pnr['package']}, speed grade {pnr['speed']}, seed {pnr['seed']}: "
          + (f"Fmax {pnr['fmax_mhz']} MHz" if pnr["fits"] else "does not fit") + f" (place and route {pnr['seconds']} s)")
    for grade, mhz in pnr["fmax_mhz_by_grade"].items():
        if pnr["fits"] and mhz and int(grade) != pnr["speed"]:
            print(f"  the same wires in grade {grade}: {mhz} MHz")
    for name, use in pnr["used"].items():
        if use.get("available"):
            print(f"  {name:11} {use['used']:6} of {use['available']:6} ({100 * use['used'] / use['available']:.1f} %)")
    if pnr["paths"]:
        print("longest paths, each between another pair of registers:")
    for i, path in enumerate(pnr["paths"], 1):
        print(f"{i:3}. {timing.sentence(path)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True)
    parser.add_argument("--rows", required=True, help="lines of NAME DEPTH TITLE")
    parser.add_argument("--config", required=True)
    parser.add_argument("--family", default="ecp5", choices=families.FAMILIES)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--seed", type=int, help="of place and route; without it there was none")
    parser.add_argument("--freq", type=int, help="what place and route aimed at, in MHz")
    parser.add_argument("--grade", type=int, help="speed grade of an ECP5")
    parser.add_argument("--json", help="write the figures there too")
    args = parser.parse_args()

    family, rows, missing = families.FAMILIES[args.family], [], []
    for line in (read("", args.rows) or "").splitlines():
        name, depth, title = line.split(" ", 2)
        found = row(family, args.work, name, int(depth), title)
        if found:
            rows.append(found)
        else:
            missing.append(name)
    pnr = placed(args, family)
    figures = {"version": 1, "config": args.config, "commit": args.commit, "part": family.part, "rows": rows,
               "missing": missing, "pnr": pnr}
    if args.json:
        with open(args.json, "w", encoding="utf-8") as out:
            json.dump(figures, out, indent=1)
            out.write("\n")
    stream = sys.stderr if args.json == "/dev/stdout" else sys.stdout
    sys.stdout = stream
    print(table(family, rows))
    if args.family != "ecp5":
        if rows:
            print_stores(args, rows)
            print_share(family, rows[-1])
    elif any(r["abc"] == "abc" for r in rows):
        print("without ABC9: " + ", ".join(r["top"] for r in rows if r["abc"] == "abc"))
    if pnr:
        print_placed(pnr)
    return 1 if missing or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
