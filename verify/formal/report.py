# SPDX-License-Identifier: Apache-2.0
"""Tables of results."""
import re
import textwrap


def listing(chosen):
    for top in chosen:
        print(f"{top.name} ({top.module}, {top.config})")
        for prop in top.properties.values():
            depth = f" {prop.depth}" if prop.depth else ""
            print(f"  {prop.name:24} {prop.kind}{depth}: {prop.sentence}")


def summary(rows):
    own = [r for r in rows if "planted" not in r and "." not in r["property"]]
    inside = [r for r in rows if "planted" not in r and "." in r["property"]]
    planted = [r for r in rows if "planted" in r]

    def count(some, kind):
        return sum(r["state"] == "passed" and r["kind"].startswith(kind) for r in some)
    bad = sum(r["state"] not in ("passed", "found") for r in rows)
    return [f"{count(own, 'induction') + count(own, 'bounded')} properties proved, {count(own, 'induction')} of them by "
            f"induction; {count(own, 'reached')} states reached",
            f"{count(inside, 'induction') + count(inside, 'bounded')} assertions of the RTL proved, "
            f"{count(inside, 'induction')} of them by induction",
            f"{sum(r['state'] == 'found' for r in planted)} counterexamples of "
            f"{len({r['planted'] for r in planted})} planted bugs found; {bad} failed"]


def show(result, planted, out):
    rows = result["rows"]
    width = max([len(r["property"]) for r in rows] + [8])
    module = max([len(r["top"]) for r in rows] + [6])
    print(f"{'proof':{module}}  {'property':{width}}  {'kind':15}  {'depth':>5}  {'time':>7}  result", file=out)
    for r in rows:
        what = r["state"] + (f" ({r['planted']})" if "planted" in r else "")
        print(f"{r['top']:{module}}  {r['property']:{width}}  {r['kind']:15}  {r['depth']:>5}  {r['seconds']:>6.1f}s  {what}",
              file=out)
    for r in rows:
        if r["state"] in ("failed", "open"):
            print(f"\n{r['top']}.{r['property']}: {r['state']}: {r['sentence']}", file=out)
        if "counterexample" in r and (r["state"] == "failed" or planted):
            head = f"planted {r['planted']}" if "planted" in r else "counterexample"
            print(f"\n{r['top']}.{r['property']}, {head}: inputs (hexadecimal)", file=out)
            print("\n".join("  " + line for line in r["counterexample"]), file=out)
    print(file=out)
    for line in summary(rows):
        print(line, file=out)
    print(f"{result['seconds']:.0f} s, commit {result['commit']}", file=out)


ROW = re.compile(r"^\| (\w+) \| `([^`]+)` \| (.*) \| ((?:induction|bounded|reached) \(\w+\)) \| (\d*) \| ([\d.]+) \| (.*) \|$",
                 re.M)
RUN = re.compile(r"^\| (\S+) \| (`\w+`(?:, `\w+`)*) \| ([\d.]*) \|$", re.M)
FIELDS = ("top", "property", "sentence", "kind", "depth", "seconds", "by")


def proved(result):
    """A result's proofs as rows of the table."""
    rows = result["rows"]
    for r in (r for r in rows if "planted" not in r):
        by = sorted(p["planted"] for p in rows if "planted" in p and (p["top"], p["property"]) == (r["top"], r["property"]))
        yield dict(r, depth=r["depth"] or "", seconds=f"{r['seconds']:.1f}", by=", ".join(by))


def table(result, text, tops):
    """The table in the page with the result's rows in the place of older ones, and above it what was run when."""
    new = list(proved(result))
    names = {r["top"] for r in new}
    stay = [n for n in tops if n not in names]
    rows = [dict(zip(FIELDS, cells)) for cells in ROW.findall(text)]
    rows = sorted([r for r in rows if r["top"] in stay] + new, key=lambda r: list(tops).index(r["top"]))
    runs = [(when, [n for n in re.findall(r"\w+", of) if n in stay], s) for when, of, s in RUN.findall(text)]
    runs.append((result["commit"], [n for n in tops if n in names], f"{result['seconds']:.0f}"))
    gone = [n for n in tops if n not in {r["top"] for r in rows}]
    lines = []
    if gone:
        lines += [*textwrap.wrap("Not in the table yet: " + ", ".join(f"`{n}`" for n in gone) + ".", 100), ""]
    lines += ["| run at | of | s |", "|---|---|---|"]
    lines += [f"| {when} | " + ", ".join(f"`{n}`" for n in of) + f" | {s} |" for when, of, s in runs if of]
    lines += ["", "| proof | property | says | how | depth | s | broken by |", "|---|---|---|---|---|---|---|"]
    return lines + ["| {top} | `{property}` | {sentence} | {kind} | {depth} | {seconds} | {by} |".format(**r) for r in rows]


def readme(result, path, tops):
    """Between the marks, the table. Only of what holds."""
    bad = [f"{r['top']}.{r['property']}" for r in result["rows"] if r["state"] not in ("passed", "found")]
    if bad:
        return f"{path.name} is not written: {', '.join(bad)}"
    text = path.read_text()
    old = re.search(r"(<!-- verify/formal/run.sh --readme -->\n)(.*)(<!-- end -->)", text, flags=re.S)
    path.write_text(text[: old.start(2)] + "\n".join(table(result, old[2], tops)) + "\n" + text[old.end(2):])
    return None
