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


# The page of results: a row for each top, all that has no reset written anew from the tops. COUNTS: columns of numbers.
COUNTS = ("proved", "bounded", "of the RTL", "reached", "bugs", "s")
ROW = re.compile(r"^\| (\w+) \| [^|]* \| [^|]* \| " + r"(\d+) \| " * len(COUNTS) + r"([^|]+) \|$", re.M)
HEAD = """# Which properties are proved, and when did they last run?

Written by `lab/verify/formal/run.sh --record docs/lab/proofs.md [NAME...]`, which replaces the
rows of what it ran and writes nothing if a property fails. Sentences of all properties:
`lab/verify/formal/run.sh --list`; method: [lab/verify/formal](../../lab/verify/formal/README.md).

*Proved*: properties of the top, by induction, without bound. *Bounded*: for some cycles only,
listed below. *Of the RTL*: assertions within it that were proved too. *Reached*: states shown to
be possible. *Bugs*: planted bugs refuted. *s*: seconds. *At*: commit.
"""


def counted(top, result):
    """A top's row: name, module, configuration, COUNTS, commit."""
    rows = [r for r in result["rows"] if r["top"] == top.name]
    own = [r for r in rows if "planted" not in r]
    of_top = [r["kind"] for r in own if "." not in r["property"]]
    counts = [sum(k.startswith(kind) for k in of_top) for kind in ("induction", "bounded")]
    counts += [len(own) - len(of_top), sum(k.startswith("reached") for k in of_top),
               len({r["planted"] for r in rows if "planted" in r}), round(sum(r["seconds"] for r in rows))]
    return [top.name, f"`{top.module}`", f"`{top.config}`", *map(str, counts), result["commit"]]


def bounded(tops):
    for t in tops:
        yield from (f"`{t.name}.{p.name}`, {p.depth} cycles: {p.sentence}" for p in t.properties.values()
                    if p.kind == "bounded")
        yield from (f"`{t.name}.{name}`, {depth} cycles" for name, depth in t.bounds.items())


def left_out(tops):
    for t in tops:
        yield from (f"`{t.name}.{name}`: {why}" for name, why in t.without.items())


def bullets(title, lines):
    wrapped = [part for line in lines for part in textwrap.wrap(line, 100, initial_indent="- ", subsequent_indent="  ",
                                                                break_long_words=False, break_on_hyphens=False)]
    return ["", f"## {title}", *(wrapped or ["None."])]


def page(result, text, tops):
    """The page with the result's rows in the place of older ones in `text`."""
    run = {r["top"] for r in result["rows"]}
    rows = {m[1]: [cell.strip() for cell in m[0].strip("|").split("|")] for m in ROW.finditer(text)}
    rows.update({n: counted(tops[n], result) for n in run})
    rows = [rows[n] for n in tops if n in rows]
    sums = [sum(int(r[3 + i]) for r in rows) for i in range(len(COUNTS))]
    lines = ["", "| proof | of | on | " + " | ".join(COUNTS) + " | at |", "|---|---|---|" + "--:|" * len(COUNTS) + "---|"]
    lines += ["| " + " | ".join(r) + " |" for r in rows]
    lines += ["", "In all " + ", ".join(f"{n} {what}" for n, what in zip(sums, COUNTS)) + "."]
    gone = [f"`{n}`" for n in tops if n not in {r[0] for r in rows}]
    lines += textwrap.wrap(f"Not run yet: {', '.join(gone)}.", 100) if gone else []
    lines += bullets("For so many cycles alone", bounded(tops.values()))
    lines += bullets("Assertions of the RTL that a top leaves out", left_out(tops.values()))
    return HEAD + "\n".join(lines) + "\n"


def record(result, path, tops):
    """Writes the page, only of what holds; else says why not."""
    bad = [f"{r['top']}.{r['property']}" for r in result["rows"] if r["state"] not in ("passed", "found")]
    if bad:
        return f"{path.name} is not written: {', '.join(bad)}"
    path.write_text(page(result, path.read_text() if path.exists() else "", tops))
    return None
