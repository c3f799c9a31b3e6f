#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `heddle litmus run --histogram` counted, as a table in Markdown: of each file, or of each shape and placing of
made tests, how many instances ended weakly (no one order of all accesses explains it), and in how many ways.

usage: litmus-table.py HISTOGRAM.csv ...
example: build/heddle litmus run tests/lab/verify/litmus/mechanisms/*.litmus --on lockstep --config quad --histogram h.csv
         lab/verify/litmus/litmus-table.py h.csv"""
import csv
import re
import sys

MADE = re.compile(r"\d{4}-(.+)-(warp|block|mixed|blocks)$")     # NUMBER-SHAPE-PLACING


def row_of(test):
    m = MADE.match(test)
    return (m[1], m[2]) if m else (test, "")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    tests = {}              # (file, test, layout): instances, SMs
    table = {}
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as f:
            for r in csv.DictReader(f):
                row = table.setdefault(row_of(r["test"]), {"instances": 0, "tests": 0, "weak": 0, "most": (0.0, ""),
                                                           "sms": 0, "weak tests": set()})
                key = (name, r["test"], r["layout"])
                instances, sms, count = int(r["instances"]), int(r["sms"]), int(r["count"])
                if key not in tests:
                    tests[key] = 0
                    row["instances"] += instances
                    row["tests"] += 1
                    row["sms"] = max(row["sms"], sms)
                if r["kind"] != "weak":
                    continue
                tests[key] += count
                row["weak"] += count
                row["weak tests"].add(r["test"])
                row["most"] = max(row["most"], (tests[key] / instances, r["test"]))
    print("| test or shape | threads in | SMs | tests | instances | weak | rate | weak in tests | most often in |")
    print("|---|---|---|---|---|---|---|---|---|")
    for (shape, place), row in sorted(table.items()):
        weak = len(row["weak tests"])
        rate = f"{100 * row['weak'] / row['instances']:.2f} %" if row["weak"] else "never"
        most = f"{row['most'][1]}, {100 * row['most'][0]:.1f} %" if weak else ""
        print(f"| {shape} | {place or 'its file'} | {row['sms']} | {row['tests']} | {row['instances']:,} | "
              f"{row['weak']:,} | {rate} | {weak} | {most} |")
    total = sum(row["instances"] for row in table.values())
    print(f"\n{sum(row['tests'] for row in table.values()):,} tests, {total:,} instances, "
          f"{sum(row['weak'] for row in table.values()):,} of them weak")


main()
