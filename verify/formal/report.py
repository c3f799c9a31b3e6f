# SPDX-License-Identifier: Apache-2.0
"""Tables of results."""
import re


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


def table(result):
    rows = result["rows"]
    lines = [f"Commit {result['commit']}, {result['seconds']:.0f} s.", ""]
    lines += [line + "." for line in summary(rows)]
    lines += ["", "| proof | property | says | how | depth | s | broken by |", "|---|---|---|---|---|---|---|"]
    for r in (r for r in rows if "planted" not in r):
        by = sorted(p["planted"] for p in rows if "planted" in p and p["top"] == r["top"] and p["property"] == r["property"])
        depth = r["depth"] or ""
        lines.append(f"| {r['top']} | `{r['property']}` | {r['sentence']} | {r['kind']} | {depth} | {r['seconds']:.1f} | "
                     f"{', '.join(by)} |")
    return lines


def readme(result, path):
    """Between the marks, the table."""
    text = path.read_text()
    new = re.sub(r"(<!-- verify/formal/run.sh --readme -->\n).*(<!-- end -->)",
                 lambda m: m.group(1) + "\n".join(table(result)) + "\n" + m.group(2), text, flags=re.S)
    path.write_text(new)
