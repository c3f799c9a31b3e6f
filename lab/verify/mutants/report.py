#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a hunt has found, as a table by folder, and who is left."""
import argparse
import collections
import json
import pathlib
import sys

import equivalent
from run import read_results


def main():
    p = argparse.ArgumentParser(description=__doc__, epilog="example: lab/verify/mutants/report.py build/mutants")
    p.add_argument("folder", help="with mutants.jsonl and results.jsonl (build/mutants, build/mutants/checker)")
    p.add_argument("--results", metavar="FILE", help="default results.jsonl in that folder")
    p.add_argument("--kinds", action="store_true", help="by kind of mutant instead of folder")
    p.add_argument("--each", action="store_true", help="a line for each mutant: what killed it, after how many programs; "
                   "exit status 1 if one is left")
    p.add_argument("--json", metavar="FILE", help="the same as JSON")
    a = p.parse_args()
    folder = pathlib.Path(a.folder)
    if not (folder / "mutants.jsonl").exists():
        p.error(f"{folder}/mutants.jsonl is not there; build.sh or build-checker.sh makes it")
    with open(folder / "mutants.jsonl", encoding="latin-1") as lines:
        mutants = [json.loads(line) for line in lines]
    results, known = read_results(a.results or str(folder / "results.jsonl")), equivalent.read()
    if a.each:
        return each(mutants, results)
    rows, left = count(mutants, results, known, a.kinds)
    print_table(rows, "kind" if a.kinds else "folder")
    print_left(left)
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            json.dump({"rows": rows, "left": left}, f, indent=1)
    return 0


def each(mutants, results):
    """Mutants as they are listed. What no hunt has asked about is left, too."""
    left = 0
    print("| mutant | kind | where | what | programs | found as |\n|---|---|---|---|---|---|")
    for m in mutants:
        r = results.get((m["key"], m["occurrence"])) or {"programs": 0, "killed": None}
        left += not r["killed"]
        found = r.get("diagnosis", r["killed"]) if r["killed"] else "**left**"
        print(f"| {m['id']} | {m['kind']} | `{m['file']}:{m['line']}` | {m['what']} | {r['programs']} | {found} |")
    print(f"\n{len(mutants) - left} of {len(mutants)} killed")
    return 1 if left else 0


def count(mutants, results, known, kinds):
    rows, left = collections.defaultdict(collections.Counter), []
    for m in mutants:
        r = results.get((m["key"], m["occurrence"]))
        name = m["kind"] if kinds else m["file"].rsplit("/", 1)[0] + (" (tap)" if m["group"] == "tap" else "")
        row = rows[name]
        row["mutants"] += 1
        if r is None or not (r["killed"] or "programs" in r or "cosim.flips4" in r["asked"]):
            continue  # not hunted, or not by all judges yet
        row["hunted"] += 1
        if r["killed"]:
            row[r["killed"]] += 1
            if equivalent.holds(known, m):
                sys.exit(f"error: equivalent.txt has a mutant that {r['killed']} killed: {m['key']}")
        elif equivalent.holds(known, m):
            row["equivalent"] += 1
        else:
            row["left"] += 1
            left.append({**m, "programs": r.get("programs")})
    return {k: dict(v) for k, v in sorted(rows.items())}, left


def print_table(rows, what):
    killers = sorted({k for row in rows.values() for k in row} - {"mutants", "hunted", "equivalent", "left"})
    columns = ["mutants", "hunted", *killers, "equivalent", "left"]
    total = collections.Counter()
    for row in rows.values():
        total.update(row)
    print("| " + " | ".join([what, *columns, "killed of those that differ"]) + " |")
    print("|---" * (len(columns) + 2) + "|")
    for name, row in [*rows.items(), ("all", total)]:
        differ = row.get("hunted", 0) - row.get("equivalent", 0)
        share = f"{(differ - row.get('left', 0)) / differ:.1%}" if differ else "–"
        print(f"| {name} | " + " | ".join(str(row.get(c, 0)) for c in columns) + f" | {share} |")


def print_left(left):
    for m in left:
        print(f"\n{m['file']}:{m['line']}:{m['column']}: mutant {m['id']}, {m['kind']}"
              + (f", after {m['programs']} programs" if m["programs"] else ""))
        print(f"  - {m['before']}\n  + {m['after'] or '(nothing)'}")


if __name__ == "__main__":
    sys.exit(main())
