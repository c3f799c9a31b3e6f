#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual of the instructions: one page each, an index, the fields and sets; with --pdf a book of it.

usage: make.py --heddle PROGRAM --out DIR [--isa FILE] [--configs NAME,...] [--pdf FILE] [--partial]
  --configs NAME,...  machines whose times are given (default: all)
  --partial           instructions without a section in isa/doc have a page of what the ISA file says
"""
import argparse
import json
import os
import re
import subprocess
import sys

import book
import diagram
import sections as sec

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
LATENCY = {"fixed": "fixed latency", "variable": "variable latency", "control": "control"}
KINDS = {"gpr.read": "register", "ugpr.read": "uniform register", "imm32": "immediate", "coff": "constant `c[bank][offset]`",
         "unsigned": "short number"}
WORDS = {"gpr.read": "register{}", "gpr.write": "register, written", "ugpr.read": "uniform register{}",
         "ugpr.write": "uniform register, written", "pred.read": "predicate, read", "pred.write": "predicate, written",
         "upred.read": "uniform predicate, read", "upred.write": "uniform predicate, written", "imm32": "immediate{}",
         "coff": "offset{}", "cbank": "constant bank{}", "neg": "negates{}", "abs": "absolute value{}",
         "unsigned": "unsigned number{}", "signed": "signed number{}", "rel": "distance{}", "breg": "barrier"}
TIMES = {"fixed": "Its latency is fixed: a stall count of the producer may cover it, a counter need not.",
         "variable": "Its latency varies: a counter covers it, no stall count does.",
         "control": "A control instruction. A result, if it has one, is awaited as one of unit `alu` is, by the same stall "
                    "counts."}


def page_of(name):
    return name.replace(".", "-") + ".md"


def link(name):
    return f"[{name}]({page_of(name)})"


def bits(field):
    return str(field["hi"]) if field["hi"] == field["lo"] else f"{field['hi']}:{field['lo']}"


def slug(heading):
    """The name under which a heading can be linked to."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def table(head, rows):
    """A table, without columns that are empty; nothing of no rows."""
    full = [k for k in range(len(head)) if any(row[k] != "" for row in rows)]
    out = ["| " + " | ".join(str(line[k]).replace("|", "\\|") for k in full) + " |" for line in [head, *rows]]
    return "\n".join(out[:1] + ["|" + "---|" * len(full)] + out[1:] + [""]) if rows else ""


class Manual:
    def __init__(self, heddle, isa, only):
        def call(*words):
            return json.loads(subprocess.run([heddle, *words, "--json", "-"], check=True, capture_output=True).stdout)
        self.isa = call("isa", "doc", isa)
        self.machines = [c for c in call("configs")["configs"] if not only or c["name"] in only]
        self.machines.sort(key=lambda c: (c["lanes"] * c["partitions"] * c["sms"], c["warps"], c["name"]))
        self.insns = {i["name"]: i for i in self.isa["instructions"]}
        self.fields = {f["name"]: f for f in self.isa["fields"]}
        self.sets = {s["name"]: s["tokens"] for s in self.isa["sets"]}
        self.latency = {u["name"]: u["latency"] for u in self.isa["units"]}
        self.sections, self.faults = sec.read_all(sec.chapters(ROOT), ROOT, self.insns)
        self.faults += sec.missing(self.sections, self.insns, os.path.relpath(isa, ROOT))
        self.measured = self.read_rates()
        self.kin = {}
        for i in self.insns.values():
            self.kin.setdefault(i["meaning"], []).append(i["name"])

    def read_rates(self):
        """(row, what runs, {machine: value}, instructions named) of the table in docs/benchmarks.md."""
        with open(os.path.join(ROOT, "docs/benchmarks.md"), encoding="utf-8") as f:
            lines = re.search(r"<!-- rates -->\n(.*?)<!-- end -->", f.read(), re.S)[1].split("\n")
        cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        found = []
        for row in (c for c in cells[2:] if c[0].startswith("`")):  # others are no rates of a machine
            values = {m: v for m, v in zip(cells[0][2:-1], row[2:-1]) if v != "-"}
            names = {self.name_in(word) for word in re.findall(r"[A-Z][\w.]+", row[1])} - {None}
            found.append((row[0], row[1], values, names))
        return found

    def name_in(self, word):
        """The instruction that a mnemonic of a table means: LDG.128 is LDG.E."""
        while word:
            for name in self.insns:
                if name == word or name.startswith(word + "."):
                    return name
            word = word.rpartition(".")[0]
        return None

    # ---- parts of a page
    def summary(self, name, first_sentence=False):
        section = self.sections.get(name)
        if not section or not section.blocks or section.blocks[0][0] != "prose":
            return ""
        text = " ".join(self.prose(section, section.blocks[0][2]).split("\n\n")[0].split("\n"))
        return re.split(r"(?<=[.:;]) (?=[A-Z])|:$|: ", text)[0].rstrip(".:;") if first_sentence else text

    def prose(self, section, rows):
        """Its text, with links as they are from the folder of the pages."""
        def there(m):
            target = m[1]
            if re.match(r"[a-z]+:", target):
                return m[0]
            path = "../doc/" + (os.path.basename(section.page) + target if target.startswith("#") else target)
            return "](" + os.path.normpath(path) + ")"
        return re.sub(r"\]\(([^)\s]+)\)", there, "\n".join(rows).strip())

    def syntax(self, insn):
        def piece(m):
            name, _, flags = m[1].partition(":")
            sign = "".join(f for f in flags if f in "-~")
            bars = "[|]" if "|" in flags else ""
            part = "[.part]" if "." in flags else ""
            return (f"[{sign}]" if sign else "") + bars + name + bars + part
        suffixes = "".join("{." + f + "}" for f in insn["suffixes"])
        return f"{insn['name']}{suffixes} {re.sub(r'[{]([^}]*)[}]', piece, insn['syntax'].replace('}{', '}+{'))}".strip()

    def values(self, set_name):
        return ", ".join(f"`{t['text']}`" if t["text"] else "nothing" for t in self.sets[set_name] if t["printed"])

    def operands(self, insn):
        runs = [(f, r) for f in insn["forms"] for r in f["bits"] if "field" in r and "value" not in r]
        rows = []
        for op in ("rd", "a", "b", "c"):
            kinds, changes = [], []
            for _, r in runs:
                kind = self.fields[r["field"]]["kind"]
                if op == "rd" and kind in ("gpr.write", "ugpr.write"):
                    kinds.append("register, written" if kind[0] == "g" else "uniform register, written")
                if r.get("operand") == op and kind in KINDS:
                    kinds.append(KINDS[kind] + (f" ({insn['immediate']})" if kind == "imm32" else ""))
                if r.get("changes") == op:
                    changes.append(f"`{r['field']}`")
            wide = insn["wide"].get(op, 1)
            count = wide if isinstance(wide, int) else f"as `{wide}` says"
            if kinds:
                rows.append((f"`{op}`", ", ".join(dict.fromkeys(kinds)), count, ", ".join(dict.fromkeys(changes))))
        return table(("operand", "may be", "registers", "changed by"), rows)

    def field_rows(self, insn):
        rows = {}
        for form in insn["forms"]:
            for r in form["bits"]:
                f = self.fields.get(r.get("field"))
                if f and "value" not in r and f["kind"] not in diagram.CONTROL and f["name"] not in rows:
                    kind = f"[{f['kind']}](words.md#set-{f['kind']}): {self.values(f['kind'])}" if f["set"] else f["kind"]
                    of = r.get("operand") or r.get("changes")
                    of = (" operand " if f["kind"] == "neg" else ", operand " if "operand" in r else " of operand ") + of \
                        if of else ""
                    kind = WORDS[kind].format(of) if kind in WORDS else kind + of
                    note = "; ".join(t for t in (kind, f["note"]) if t)
                    rows[f["name"]] = (f"[{f['name']}](words.md#field-{f['name']})", bits(f), note)
        return table(("field", "bits", "what it says"), list(rows.values()))

    def forms(self, insn):
        first, out = None, []
        for form in insn["forms"]:
            rows = diagram.rows(form)
            shown = [r for k, r in enumerate(rows) if not first or diagram.svg([r], self.fields, "")
                     != diagram.svg([first[k]], self.fields, "")]
            parts = []
            for op in "abc":
                kinds = [self.fields[r["field"]]["kind"] for r in form["bits"] if r.get("operand") == op]
                parts += [f"{op} {KINDS[k].split(' `')[0]}" for k in kinds if k in KINDS][:1]
            rest = "" if not first or len(shown) == 4 else f"; the other bits as in {insn['forms'][0]['format']}"
            mark = "" if form["rtl"] else " (not in the RTL yet)"
            out.append(f'<div class="bits"><p><b>{form["format"]}</b>{mark}: {", ".join(parts) or "no operands"}{rest}</p>'
                       f'{diagram.svg(shown, self.fields, insn["name"] + " " + form["format"])}</div>\n')
            first = first or rows
        free = [bits({"hi": r["hi"], "lo": r["lo"]}) for r in insn["forms"][0]["bits"] if "field" not in r]
        if free:
            out.append(f"Boxes with 0 are reserved: no field owns these bits, and one that is set makes the word illegal. "
                       f"In {insn['forms'][0]['format']} {insn['forms'][0]['reserved']}: {', '.join(free)}.\n")
        return "\n".join(out)

    def times(self, insn):
        units = [insn["unit"]] + ([insn["wide_unit"]] if "wide_unit" in insn else [])
        out = []
        if len(units) > 1:
            out.append(f"Words with an operand or a result of two registers go to unit `{units[1]}`, others to "
                       f"`{units[0]}`.\n")
        out.append(TIMES[self.latency[units[0]]] + "\n")
        lacking, rows = [], {}
        predicate = any("pred.write" in self.fields[r["field"]]["kind"] for r in insn["forms"][0]["bits"] if "field" in r)
        for m in self.machines:
            have = m["units"].split()
            if insn["unit"] not in have or insn["async"] and "async" not in have:
                lacking.append(m["name"])
            for u in units:
                t = m["timing"].get(u, {})
                if "stall" in t or "latency" in t:
                    after = f"a stall count of {t['stall']}" if "stall" in t else f"{t['latency']} cycles"
                    after += f"; a predicate: {t['stall_predicate']}" if "stall_predicate" in t and predicate else ""
                    rows.setdefault((units.index(u), f"`{u}`", t["cycles"], after), []).append(f"`{m['name']}`")
        out.append(table(("unit", "machines", "cycles of the unit for a warp", "a result can be used after"),
                         [(u, ", ".join(names), cycles, after) for (_, u, cycles, after), names in sorted(rows.items())]))
        if lacking:
            out.append(f"Not in {', '.join(f'`{n}`' for n in lacking)}: an illegal word there.\n")
        mine = [r for r in self.measured if insn["name"] in r[3]]
        if not mine and self.latency[insn["unit"]] == "fixed":
            mine = [r for r in self.measured if r[0].rstrip("`").endswith(("_full", "_chain"))
                    and {self.insns[n]["unit"] for n in r[3]} == {insn["unit"]}]
        names = [m["name"] for m in self.machines if any(m["name"] in r[2] for r in mine)]
        if mine:
            out.append("Measured ([benchmarks](../../docs/benchmarks.md#issue-rate) say how, and what a figure is):\n")
            out.append(table(("row", "what runs", *names), [(r[0], r[1], *(r[2].get(n, "-") for n in names)) for r in mine]))
        return "\n".join(line for line in out if line)

    def split(self, section):
        """Markdown of its parts: operation, traps, names in SASS, examples."""
        out = {"op": [], "Traps": [], "SASS": [], "example": []}
        now = "op"
        for number, (kind, _, rows) in enumerate(section.blocks):
            if kind != "prose":
                now = "example" if kind == "example" else now
                out[now].append("```\n" + "\n".join(rows).rstrip() + "\n```\n")
                continue
            paragraphs = [p for p in self.prose(section, rows).split("\n\n") if p.strip()]
            if number == 0:
                paragraphs = paragraphs[1:]
            before = section.blocks[number + 1][0] == "example" if number + 1 < len(section.blocks) else False
            for p in paragraphs:
                mark = re.match(r"(Traps|SASS): ", p)
                if mark:
                    out[mark[1]].append(p[mark.end():] + "\n")
                else:
                    leads = before and p is paragraphs[-1] and p.endswith(":")
                    out["example" if leads else now].append(p + "\n")
        return {k: "\n".join(v) for k, v in out.items()}

    def page(self, name):
        insn, section = self.insns[name], self.sections.get(name)
        out = [f"# {name}\n", self.summary(name) + "\n"]
        where = [f"Unit [`{insn['unit']}`](index.md#unit-{insn['unit']}), {LATENCY[self.latency[insn['unit']]]}"]
        where += [f"memory: `{insn['memory']}`"] if "memory" in insn else []
        where += ["waits for all earlier accesses of the warp"] if insn["drains"] else []
        if section:
            where.append(f"chapter: [{section.chapter}](../doc/{os.path.basename(section.page)}#{slug(section.group)})")
        kin = [link(k) for k in self.kin[insn["meaning"]] if k != name]
        where += ["of the same meaning: " + ", ".join(kin)] if kin else []
        out += ["; ".join(where) + ".\n", "## Syntax\n", f"```\n{self.syntax(insn)}\n```\n"]
        code = [row for e in (section.examples if section else []) for _, row in e.code
                if sec.instruction(row, self.insns) == name]
        if code:
            out.append("Such as " + ", ".join(f"`{c}`" for c in list(dict.fromkeys(code))[:4]) + ".\n")
        parts = self.split(section) if section else {}
        for title, key in (("Operation", "op"), ("Traps", "Traps"), ("In SASS", "SASS")):
            if parts.get(key):
                out += [f"## {title}\n", parts[key]]
        if parts.get("example"):
            out += ["## Examples\n", "Run by the tests, on the model and in lockstep: what is set in front, the code, what "
                    "holds then ([how to read them](../doc/02-instructions.md#how-to-read-a-section)).\n", parts["example"]]
        out += ["## Operands\n" if self.operands(insn) else "", self.operands(insn)]
        out += ["## Forms\n", self.forms(insn), self.field_rows(insn),
                "Control code (`stall yield wbar rbar wait`, `reuse`): "
                "[words and control codes](../doc/01-words-and-control.md#control-code).\n"]
        out += ["## Latency and throughput\n", self.times(insn)]
        return "\n".join(line for line in out if line)

    # ---- pages about all of them
    def index(self):
        out = [f"# Instructions A to Z\n\n{len(self.insns)} instructions in "
               f"{sum(len(i['forms']) for i in self.insns.values())} forms; what is common to them: "
               "[what each instruction does](../doc/02-instructions.md), "
               "[words and control codes](../doc/01-words-and-control.md), [assembly](../doc/07-assembly.md). "
               "Here [by unit](#by-unit) and [by field](#by-field), too; [fields and sets](words.md).\n"]
        out.append(table(("instruction", "unit", "what it does"),
                         [(link(n), f"`{self.insns[n]['unit']}`", self.summary(n, True)) for n in sorted(self.insns)]))
        out.append("## By unit\n")
        for u in self.isa["units"]:
            names = [n for n, i in self.insns.items() if u["name"] in (i["unit"], i.get("wide_unit"))]
            have = [f"`{m['name']}`" for m in self.machines if u["name"] in m["units"].split()]
            out.append(f'<a id="unit-{u["name"]}"></a>\n')
            out.append(f"**{u['name']}**, {LATENCY[u['latency']]}, in {', '.join(have)}: "
                       f"{', '.join(link(n) for n in names)}\n")
        out.append("## By field\n")
        out += [f"[{f['name']}](words.md#field-{f['name']}) {bits(f)}: {self.users(f['name'])}\n"
                for f in self.isa["fields"]]
        return "\n".join(out)

    def users(self, field):
        names = [n for n, i in self.insns.items()
                 if any(r.get("field") == field for form in i["forms"] for r in form["bits"])]
        return "all" if len(names) == len(self.insns) else ", ".join(map(link, names)) or "none"

    def words(self):
        out = ["# Fields and sets\n", "A field is a range of bits with a name; where its kind is a set, it holds one of the "
               "set's values. [The language of the ISA file](../doc/00-isa-file.md) says what kinds there are.\n"]
        def kind(f):
            return f"[{f['kind']}](#set-{f['kind']})" if f["set"] else f["kind"]
        out.append(table(("field", "bits", "kind", "what it says"),
                         [(f'<a id="field-{f["name"]}"></a>`{f["name"]}`', bits(f), kind(f), f["note"])
                          for f in self.isa["fields"]]))
        out.append("## Sets\n\nA value that is not listed makes the word illegal.\n")
        out.append(table(("set", "values"), [(f'<a id="set-{name}"></a>`{name}`', "; ".join(self.tokens(tokens)))
                                             for name, tokens in self.sets.items()]))
        return "\n".join(out)

    def tokens(self, tokens):
        """Each value of a set: how it is printed, what else is accepted, how many registers it fills."""
        def token(t):
            return f"`{t['text']}`" if t["text"] else "nothing"
        for t in (t for t in tokens if t["printed"]):
            also = [token(o) for o in tokens if o["value"] == t["value"] and not o["printed"]]
            more = ["also " + ", ".join(also)] if also else []
            more += [f"{t['registers']} registers"] if t.get("registers", 1) > 1 else []
            more += [] if t["rtl"] else ["not in the RTL yet"]
            yield f"{t['value']} {token(t)}" + (f" ({', '.join(more)})" if more else "")

    def pages(self):
        """File name: Markdown."""
        made = {"index.md": self.index(), "words.md": self.words()}
        made.update((page_of(n), self.page(n)) for n in sorted(self.insns))
        return made


def main():
    p = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2])
    p.add_argument("--heddle", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--isa", default=os.path.join(ROOT, "isa/heddle.isa"))
    p.add_argument("--configs", type=lambda text: text.split(","), default=[])
    p.add_argument("--pdf")
    p.add_argument("--partial", action="store_true")
    args = p.parse_args()
    manual = Manual(args.heddle, args.isa, args.configs)
    if manual.faults and not args.partial:
        print("\n".join(manual.faults), file=sys.stderr)
        return 1
    pages = manual.pages()
    os.makedirs(args.out, exist_ok=True)
    for name, text in pages.items():
        with open(os.path.join(args.out, name), "w", encoding="utf-8") as f:
            f.write(text.rstrip("\n") + "\n")
    if args.pdf:
        try:
            book.write(manual, pages, sec.chapters(ROOT), slug, args.pdf)
        except (sec.Wrong, OSError, subprocess.CalledProcessError) as why:
            print(f"make.py: {why}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
