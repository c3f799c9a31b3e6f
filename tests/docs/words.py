# SPDX-License-Identifier: Apache-2.0
"""Words that may not appear in pages: every .md file of the tree but docs/lab and what builds leave. And pages of
docs/ that use a hard word lead to the glossary, at its first line at the latest or among their first twelve.

usage: words.py ROOT
Exit status: 0 nothing is wrong, 1 something is, 2 usage."""
import os
import pathlib
import re
import sys

# Each was found by readers to hide who does what. Records of the project (docs/lab) are not for users.
WORDS = {
    r"told": "say which message: reported, listed, sent, declared",
    r"whoever": "name who it is: a reader, a warp, an adapter",
    r"mended": "fixed",
    r"of another make": "say whose: another core, a core of another instruction set",
    r"rungs?": "step",
    r"riddle": "question",
    r"bits that say nothing": "redundant bits",
    r"for whom": "name the reader",
}
# Words of this project that a new reader cannot know; docs/glossary.md has them.
HARD = re.compile(r"\b(beats?|points? of order|poison(?:ed)?|row queues?|digests?|planted bugs?|adversarial memory|"
                  r"knobs?|parked)\b", re.I)
CODE = re.compile(r"(?<!`)(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)", re.S)  # within a paragraph, over line ends too
GLOSSARY = re.compile(r"\]\((?:\.\./docs/)?glossary\.md[#)]")
FIRST = 12  # lines of a page in which a link to the glossary serves all of it


def blank(match):
    return "\n" * match[0].count("\n")


def prose(page):
    """The lines of a page without its blocks, code within lines, and what commands print."""
    text = re.sub(r"^ *```.*?^ *```", blank, page.read_text(encoding="utf-8"), flags=re.M | re.S)
    text = re.sub(r"^<!-- .*? -->\n.*?^<!-- end -->", blank, text, flags=re.M | re.S)
    return CODE.sub(blank, text).splitlines()


def pages(root):
    for folder, folders, files in os.walk(root):
        at = pathlib.Path(folder)
        folders[:] = sorted(f for f in folders if not f.startswith((".", "build")) and at / f != root / "docs/lab")
        yield from (at / f for f in sorted(files) if f.endswith(".md"))


def words(lines):
    for number, line in enumerate(lines, 1):
        for word, instead in WORDS.items():
            if re.search(rf"\b{word}\b", line, re.I):
                yield number, f"'{word}': {instead}"


def without_glossary(lines):
    """The first hard word of a page (not in a heading, nor the target of a link) that no link leads up to."""
    for number, line in enumerate(lines, 1):
        said = None if line.startswith("#") else HARD.search(re.sub(r"\]\([^)]*\)", "]", line))
        if said:
            if not any(map(GLOSSARY.search, lines[:max(number, FIRST)])):
                yield number, f"'{said[0]}': link docs/glossary.md here, before, or in the first {FIRST} lines"
            return


def findings(root):
    every = list(pages(root))
    for page in every:
        lines = prose(page)
        found = list(words(lines))
        if page.parent == root / "docs" and page.name != "glossary.md":
            found += without_glossary(lines)
        yield from (f"{page.relative_to(root)}:{number}: {what}" for number, what in found)
    if not every:
        yield f"{root}: no pages"


def main(arguments):
    if len(arguments) != 1:
        print("usage: words.py ROOT", file=sys.stderr)
        return 2
    found = list(findings(pathlib.Path(arguments[0])))
    print("\n".join(found + [f"{len(WORDS)} words, {len(found)} found"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
