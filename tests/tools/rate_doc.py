#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of docs/benchmarks.md is what heddle bench rate found.

usage: rate_doc.py [--write] PAGE TABLE.json
The rows between `<!-- rates -->` and `<!-- end -->` name what is to be shown; the column of TABLE.json's configuration
must hold its cycles (--write: puts them there), within 2 %; after them in brackets the limit, where it is not reached;
of streams the shares of R and W, of products that of the multiply-adds; "-" where the machine has no such unit. Rows of
the table or of the page alone are left alone. The last column has the machines of which each landing asks the row, the
last row the commit at which a machine was measured whole, as rates.txt says. Exit status: 0 it does, 1 it does not, 2 usage.
"""
import json
import pathlib
import re
import sys

BEGIN, END = "<!-- rates -->", "<!-- end -->"
WHOLE = "all rows"
NEAR = 0.02


def figure(cycles):
    """At most two digits after the point, none that says nothing."""
    return f"{cycles:.2f}".rstrip("0").rstrip(".") if cycles < 10 else f"{cycles:.0f}"


def cell(row):
    """What the page should say of a row."""
    if "missing" in row:
        return "-"
    shares = [f"{row[key]:.2f} {name}" for key, name in (("share_of_r", "R"), ("share_of_w", "W")) if key in row]
    if shares or "issued" in row:
        return ", ".join(shares) or f"{row['fraction']:.2f}"
    reached = row["limit"] is None or abs(row["cycles"] / row["limit"] - 1) <= NEAR
    cycles = row["limit"] if row["limit"] is not None and reached else row["cycles"]
    return figure(cycles) + ("" if reached else f" ({figure(row['limit'])})")


def same(shown, wanted):
    """Equal, or each number of it near enough (of figures that are rounded)."""
    if shown == wanted or not re.match(r"[0-9.]+( |$)", wanted):
        return shown == wanted
    a, b = (re.findall(r"[0-9.]+", text) for text in (shown, wanted))
    if re.sub(r"[0-9.]+", "", shown) != re.sub(r"[0-9.]+", "", wanted) or len(a) != len(b):
        return False
    return all(abs(float(x) - float(y)) <= NEAR * float(y) + 0.5 * (float(y) >= 10) for x, y in zip(a, b))


def table_of(lines):
    """(first line, line after the last, [[cell]]) of the table."""
    begin = lines.index(BEGIN) + 1
    end = lines.index(END, begin)
    return begin, end, [[c.strip() for c in line.strip("|").split("|")] for line in lines[begin:end]]


def asked():
    """{row: [machine]} that landings ask, {machine: commit} of the whole tables."""
    rows, commits = {}, {}
    for line in pathlib.Path(__file__).with_name("rates.txt").read_text(encoding="ascii").split("\n"):
        fields = line.split()
        if fields[:1] == ["landing"]:
            for row in fields[2].split(","):
                rows.setdefault(f"`{row}`", []).append(fields[1])
        if fields[:1] == ["measured"]:
            commits[fields[1]] = fields[2]
    return rows, commits


def cells(table, found):
    """(row, column, what it should say) of the page, as far as the machine `found` and rates.txt know it."""
    rows = {f"`{row['name']}`": row for row in found["rates"]}
    landing, commits = asked()
    for at in table[2:]:
        if at[0] in rows:
            yield at, table[0].index(found["config"]), cell(rows[at[0]])
        if at[0].startswith("`"):
            yield at, len(at) - 1, ", ".join(landing.get(at[0], [])) or "-"
        if at[0] == WHOLE:
            yield from ((at, column, commits[name]) for column, name in enumerate(table[0]) if name in commits)


def main():
    """Compare, or write."""
    write = sys.argv[1:2] == ["--write"]
    names = sys.argv[2:] if write else sys.argv[1:]
    if len(names) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(names[0], encoding="utf-8") as page:
        lines = page.read().split("\n")
    with open(names[1], encoding="utf-8") as found:
        found = json.load(found)
    begin, end, table = table_of(lines)
    wrong = 0
    for at, column, wanted in cells(table, found):
        if write:
            at[column] = wanted
        elif not same(at[column], wanted):
            where = f"{table[0][column]} {at[0].strip('`')}"
            print(f"error: {names[0]}: {where}: shown {at[column]}, found {wanted}; --write renews it")
            wrong += 1
    if write:
        lines[begin:end] = ["| " + " | ".join(r) + " |" if set("".join(r)) != {"-"} else "|" + "---|" * len(r)
                            for r in table]
        with open(names[0], "w", encoding="utf-8") as page:
            page.write("\n".join(lines))
    return 1 if wrong else 0


sys.exit(main())
