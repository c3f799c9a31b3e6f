#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/study-simd.md are those of the stored results.

usage: page.py [--write] PAGE [RESULTS]
Each part from "<!-- lab/study/simd/report.py WHAT -->" to "<!-- end -->" must be what report.py prints for WHAT; --write
renews them. Exit status: 0 they are, 1 they are not, 2 usage.
example: lab/study/simd/page.py docs/study-simd.md
"""
import difflib
import json
import os
import re
import sys

import report

PART = re.compile(r"^<!-- lab/study/simd/report\.py (.*?) -->\n.*?^<!-- end -->", re.M | re.S)


def renewed(text, results):
    """The page as it should be, and how many parts it has."""
    def part(match):
        shown = report.show(results, match[1])
        if shown is None:
            raise SystemExit(f"page.py: report.py knows no '{match[1]}'")
        return f"<!-- lab/study/simd/report.py {match[1]} -->\n{shown}\n<!-- end -->"

    return PART.subn(part, text)


def main(args):
    write = args[:1] == ["--write"]
    args = args[write:]
    if len(args) not in (1, 2) or args[0].startswith("-"):
        print(__doc__, file=sys.stdout if "--help" in args else sys.stderr, end="")
        return 0 if "--help" in args else 2
    with open(args[1] if len(args) == 2 else os.path.join(report.HERE, "results.json"), encoding="utf-8") as f:
        results = json.load(f)
    with open(args[0], encoding="utf-8") as f:
        text = f.read()
    new, parts = renewed(text, results)
    if write:
        with open(args[0], "w", encoding="utf-8") as f:
            f.write(new)
        return 0
    for line in difflib.unified_diff(text.splitlines(), new.splitlines(), args[0], "results", lineterm="", n=0):
        print(line)
    if new != text:
        print(f"{args[0]}: a table is old; lab/study/simd/page.py --write {args[0]} renews it")
    if parts == 0:
        print(f"{args[0]}: it has no tables")
    return int(new != text or parts == 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
