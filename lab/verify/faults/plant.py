#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plant the faults of lists into a copy of the hardware's text: all in one text, one of them active at run time."""
import argparse
import json
import pathlib
import sys

import edits
import sites

ROOT = pathlib.Path(__file__).resolve().parents[3]
LISTS = ROOT / "lab/verify/faults"
# Where text of hardware lies: what a device of any kind is verilated from.
FOLDERS = ("rtl", "lab/fpga/board", "cosim/verilator", "cosim/port")
PACKAGE = LISTS / "heddle_fault.sv"  # is read before what is planted


def active(number):
    """The expression that is true while this fault is active."""
    return f"(heddle_fault::id == {number})"


def select(site, fault, original):
    return f"(heddle_fault::id == {site.number} ? ({fault}) : ({original}))"


def unless(site, original):
    return f"begin if (heddle_fault::id != {site.number}) {original} end"


def texts(root=ROOT, folders=FOLDERS):
    """{path from the root: text} of the hardware."""
    return {str(f.relative_to(root)): f.read_text(encoding="latin-1")
            for folder in folders for f in sorted((root / folder).glob("**/*")) if f.suffix in (".sv", ".svh")}


def read(lists, text_of):
    """The sites of all faults of these lists. A list whose faults have no numbers counts from 1 on."""
    found, numbers = [], {}
    for path in lists:
        for count, (where, words, changes) in enumerate(edits.read(path, ("what",), may=("number", "name", "class")), 1):
            number = int(words.get("number", count))
            if numbers.setdefault(number, where) != where or not 0 < number < 65536:
                raise edits.Bad(f"{where}: {number}: the number of {numbers[number]}, or none from 1 to 65535")
            found += [site(edit, number, words, text_of) for edit in changes]
    if not found:
        raise edits.Bad(f"{', '.join(map(str, lists))}: no fault stands here")
    sites.count_occurrences(found)
    return found


def site(edit, number, words, text_of):
    text = text_of.get(edit.file)
    if text is None:
        raise edits.Bad(f"{edit.where}: there is no {edit.file}")
    start, end = edit.span(text)
    before = text[:start]
    kind, after = ("add", edit.added(active(number))) if edit.adds else (words.get("class", "fault"), edit.after)
    return sites.Site(edit.file, start, end, kind, text[start:end], after, line=before.count("\n") + 1,
                      column=start - before.rfind("\n"), number=number, extra={"shown": words["what"]})


def row(s):
    return {"id": s.number, "file": s.file, "line": s.line, "column": s.column, "kind": s.kind, "group": s.group,
            "before": sites.squeeze(s.before), "after": sites.squeeze(s.after), "what": s.extra.get("shown", ""),
            "key": s.key, "occurrence": s.occurrence}


def write_table(out, taken):
    with open(out / "mutants.jsonl", "w", encoding="latin-1") as f:
        for s in taken:
            f.write(json.dumps(row(s)) + "\n")


def write_text(file, text):
    """What has not changed is left as it is, so that a build after it knows."""
    if not file.exists() or file.read_text(encoding="latin-1") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="latin-1")


def write_all(out, text_of, taken):
    for name, text in text_of.items():
        planted, _ = sites.rewrite(text, [s for s in taken if s.file == name], select, unless)
        write_text(out / name, planted)
    for gone in texts(out).keys() - text_of.keys():   # moved or deleted since the last time
        (out / gone).unlink()


def named(lists=None):
    """number: (name, what goes wrong) of each fault."""
    blocks = (words for path in lists or sorted(LISTS.glob("*.txt")) for _, words, _ in edits.read(path, ("number", "name", "what")))
    return dict(sorted((int(words["number"]), (words["name"], words["what"])) for words in blocks))


def main():
    p = argparse.ArgumentParser(description=__doc__, epilog="example: plant.py --out build/faults")
    p.add_argument("--out", metavar="DIR", help="where the copy goes (default: nowhere; the lists are checked alone)")
    p.add_argument("--list", action="store_true", help="print number, name and meaning of each instead")
    p.add_argument("lists", nargs="*", type=pathlib.Path, help="lists of faults (default: those of lab/verify/faults)")
    a = p.parse_args()
    text_of = texts()
    lists = a.lists or sorted(LISTS.glob("*.txt"))
    if a.list:
        for number, words in named(lists).items():
            print(number, *words)
        return 0
    try:
        taken = read(lists, text_of)
    except edits.Bad as error:
        sys.exit(f"error: {error}")
    if a.out:
        write_all(pathlib.Path(a.out), text_of, taken)
    print(f"{len({s.number for s in taken})} faults, {len(taken)} edits in {len({s.file for s in taken})} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
