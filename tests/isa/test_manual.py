#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual of the instructions: each has a page with its parts, every form all bits of the word, every link of a page
leads to a page or chapter and a heading or name in it. With --pdf the book is made, too.

usage: test_manual.py HEDDLE [--pdf]
"""
import os
import re
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path.insert(0, os.path.join(ROOT, "isa/manual"))
sys.path.insert(0, os.path.join(ROOT, "tests/docs"))
import book  # noqa: E402
import diagram  # noqa: E402
import links  # noqa: E402
import make  # noqa: E402
import sections as sec  # noqa: E402


def wrong_links(folder, name, text):
    """Links of one page that lead nowhere; the folder lies as isa/manual does in the tree."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, heading = target.partition("#")
        whole = os.path.join(ROOT, "isa/manual", path) if path.startswith("..") else os.path.join(folder, path or name)
        if not os.path.isfile(whole):
            yield f"{name}: {target}: no such page"
            continue
        with open(whole, encoding="utf-8") as f:
            names = set(re.findall(r'<a id="([^"]*)"', f.read())) | links.headings(whole)
        if heading and heading not in names:
            yield f"{name}: {target}: no such heading"


def check(manual, folder):
    pages = manual.pages()
    for name, text in pages.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
    for name, insn in manual.insns.items():
        text = pages[make.page_of(name)]
        for part in ("## Syntax", "## Operation", "## Examples", "## Forms", "## Latency and throughput", "<svg "):
            if part not in text:
                yield f"{name}: its page has no {part}"
        if f"[{name}]({make.page_of(name)})" not in pages["index.md"]:
            yield f"{name}: not in the index"
        if text.count("<svg ") != len(insn["forms"]):
            yield f"{name}: {text.count('<svg ')} pictures of {len(insn['forms'])} forms"
        for form in insn["forms"]:
            bits = [b for _, cells in diagram.rows(form) for hi, lo, _ in cells for b in range(hi, lo - 1, -1)]
            if bits != list(range(127, -1, -1)):
                yield f"{name} {form['format']}: not each bit once"
    for field in manual.fields:
        if f'<a id="field-{field}">' not in pages["words.md"] or f"#field-{field})" not in pages["index.md"]:
            yield f"{field}: not among the fields"
    for name, text in pages.items():
        yield from wrong_links(folder, name, text)
    # What finds links finds these.
    for bad in ("[x](NOWHERE.md)", "[x](words.md#field-nowhere)", "[x](../doc/02-instructions.md#nowhere)"):
        if not list(wrong_links(folder, "index.md", bad)):
            yield f"{bad} is found by nobody"


def check_times(manual):
    """Stall counts are those of the configuration files that say them themselves."""
    seen = 0
    for m in manual.machines:
        with open(os.path.join(ROOT, "isa", "configs", m["name"] + ".cfg"), encoding="utf-8") as f:
            said = dict(re.findall(r"^stall_(\w+) *= *(\d+)", f.read(), re.M))
        for unit, t in m["timing"].items():
            for key, name in (("stall", f"{unit}_reg"), ("stall_predicate", f"{unit}_pred")):
                if key in t and name in said:
                    seen += 1
                    if t[key] != int(said[name]):
                        yield f"{m['name']}: {name}: {t[key]}, not {said[name]}"
    if seen < 20:
        yield f"only {seen} stall counts compared"


def check_book(manual, folder):
    """make.py refuses a book in which a name is missing that its table of contents or another link leads to."""
    path = os.path.join(folder, "book.pdf")
    book.write(manual, manual.pages(), sec.chapters(ROOT), make.slug, path)
    with open(path, "rb") as f:
        if not f.read(5) == b"%PDF-":
            yield f"{path}: no PDF"
    pages = manual.pages()
    try:
        book.write(manual, {p: pages[p] for p in ("index.md", "words.md", "MOV.md")}, sec.chapters(ROOT), make.slug, path)
        yield "a book without the page of an instruction is made"
    except sec.Wrong:
        pass


def main():
    manual = make.Manual(sys.argv[1], os.path.join(ROOT, "isa/heddle.isa"), [])
    with tempfile.TemporaryDirectory() as folder:
        faults = manual.faults + list(check(manual, folder)) + list(check_times(manual))
        if "--pdf" in sys.argv:
            faults += check_book(manual, folder)
    print("".join(f + "\n" for f in faults) + f"{len(manual.insns)} instructions, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
