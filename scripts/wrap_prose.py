# SPDX-License-Identifier: Apache-2.0
"""Prose of the pages stands in lines of at most 100 columns: names each paragraph that does not.

usage: scripts/wrap_prose.py [--fix] FILE.md ...
  example: scripts/wrap_prose.py --fix docs/*.md     wraps those paragraphs

Left as they are: tables, headings, code, quotations, what a command writes (`<!-- NAME -->` to
`<!-- end -->`), and paragraphs with a line that ends in two spaces (a break that is meant).
"""
import re
import sys
import textwrap

COLUMNS = 100
ITEM = re.compile(r"^(\s*)([-*] |\d+\. )?")
BEGINS_ITEM = re.compile(r"^\s*([-*+] |\d+[.)] )")
NOT_PROSE = ("|", "#", "<", ">", "```")


def paragraphs(lines):
    """(first line, lines) of each paragraph or item of prose."""
    code = made = False
    i = 0
    while i < len(lines):
        line = lines[i]
        if line.lstrip().startswith("```"):
            code = not code
        elif line.startswith("<!--") and not line.startswith("<!-- varies"):
            made = not line.startswith("<!-- end")
        elif indented_code(lines, i):
            while i + 1 < len(lines) and lines[i + 1].strip():
                i += 1
        elif line.strip() and not code and not made and not line.lstrip().startswith(NOT_PROSE):
            last = end_of(lines, i)
            yield i, lines[i:last]
            i = last
            continue
        i += 1


def indented_code(lines, i):
    """Four columns in, after an empty line, and no item of a list."""
    return lines[i].startswith("    ") and not BEGINS_ITEM.match(lines[i]) and (i == 0 or not lines[i - 1].strip())


def end_of(lines, first):
    """Where the paragraph ends: lines that hang under its first one belong to it."""
    space, mark = ITEM.match(lines[first]).groups()
    hang = len(space) + len(mark or "")
    i = first + 1
    while i < len(lines) and lines[i].strip() and not lines[i].lstrip().startswith(NOT_PROSE):
        if BEGINS_ITEM.match(lines[i]) or len(lines[i]) - len(lines[i].lstrip()) != hang:
            break
        i += 1
    return i


def wrapped(paragraph):
    """The paragraph in lines of COLUMNS; as it is where that would make another text of it."""
    if max(map(len, paragraph)) <= COLUMNS or any(line.endswith(("  ", "\\")) for line in paragraph):
        return paragraph
    space, mark = ITEM.match(paragraph[0]).groups()
    mark = mark or ""
    words = " ".join(line.strip() for line in [paragraph[0][len(space) + len(mark):], *paragraph[1:]])
    # A line that would begin as an item does (a number, a dash) is avoided by lines that are a little shorter.
    for columns in range(COLUMNS, COLUMNS - 20, -1):
        lines = textwrap.wrap(words, columns, initial_indent=space + mark, subsequent_indent=space + " " * len(mark),
                              break_long_words=False, break_on_hyphens=False)
        if not any(BEGINS_ITEM.match(line) or line.lstrip().startswith(NOT_PROSE) for line in lines[1:]):
            return lines
    return paragraph


def page(path, fix):
    """How many paragraphs of a page are too wide."""
    with open(path, encoding="utf-8") as text:
        lines = text.read().split("\n")
    wrong = [(at, old, wrapped(old)) for at, old in paragraphs(lines)]
    wrong = [(at, old, new) for at, old, new in wrong if new != old]
    for at, old, new in reversed(wrong):
        lines[at:at + len(old)] = new
    if fix and wrong:
        with open(path, "w", encoding="utf-8") as text:
            text.write("\n".join(lines))
    elif not fix:
        for at, _, _ in wrong:
            print(f"{path}:{at + 1}: wider than {COLUMNS} columns; scripts/check-format.sh --fix mends it")
    return 0 if fix else len(wrong)


def main():
    names = sys.argv[1:]
    fix = names[:1] == ["--fix"]
    if not names[fix:] or names[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if names[:1] in (["-h"], ["--help"]) else 2
    return 1 if sum([page(path, fix) for path in names[fix:]]) else 0


if __name__ == "__main__":
    sys.exit(main())
