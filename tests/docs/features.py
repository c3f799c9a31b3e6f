#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No page denies what the tree has, and the pages that list limits name what it lacks: features.txt beside this.

usage: features.py ROOT
Of a feature that is there: CHANGELOG.md has its words (or its path exists), and no sentence of a page denies one of its
names ("no paging", "virtual memory is not there"). Of one that is missing: each page named denies it. Each "no ..." of the
limits of README.md is of a feature that the list has as missing.
Exit status: 0 nothing is wrong, 1 something is, 2 usage.
"""
import pathlib
import re
import sys

import words

NO = r"(?:no|without|lacks?|lacking|not yet|neither|nor|never|no longer|(?:is|are|was|were|has|have|does|do|can) ?not|isn't)"
# Sentences that deny something else: the name is of a part of a machine, or of a mode, that some lack.
ALLOWED = [
    ("machines without FP64", "some machines lack it"),
    ("CODE is not asked for FP64", "bins of machines that lack it"),
    ("the same as without SystemC", "the answer compares both"),
]
LIMITS = re.compile(r"^## [^\n]*(?:[Ll]imit|cannot|does not|[Mm]issing)[^\n]*\n(.*?)(?=^## |\Z)", re.M | re.S)


def listed(root):
    """(state, names, what it is held to) of each row."""
    for line in (root / "tests/docs/features.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            state, names, held = (part.strip() for part in line.split("|"))
            yield state, [name.strip() for name in names.split(",")], held


def any_of(names):
    return "(?:" + "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in names) + ")"


def sentences(text):
    for at, block in words.page_blocks(words.prose(text)):
        yield from ((line, " ".join(sentence.split())) for line, sentence in words.sentences(at, block))


def denies(names):
    """no virtual memory; virtual memory is not there; virtual memory: none."""
    name = any_of(names)
    absent = r"\s+(?:is|are)\s+(?:not\s+(?:there|supported|yet|routed)|missing|absent)|:\s+none"
    return re.compile(rf"\b{NO}(?:\s+\w[\w-]*){{0,2}}?\s+{name}\b|\b{name}(?:\s+\w+)?(?:{absent})\b", re.I)


def wrong_there(page, text, denial):
    for line, sentence in sentences(text):
        said = denial.search(sentence)
        if said and not any(re.search(allowed, sentence) for allowed, _ in ALLOWED):
            yield f"{page}:{line}: denies what is there: '{said[0]}'"


def wrong_missing(root, names, pages):
    """A page says that something is missing where a paragraph, item or row has its name and a negation."""
    for page in pages:
        path = root / page
        blocks = re.split(r"\n\s*\n|\n(?=\||- )", path.read_text(encoding="utf-8")) if path.exists() else []
        both = (re.search(rf"\b{any_of(names)}", b, re.I) and re.search(rf"\b(?:{NO}|none|not)\b", b, re.I) for b in blocks)
        if not any(both):
            yield f"{page}: does not say that {' or '.join(names)} is missing"


def wrong_limits(root, missing):
    found = LIMITS.search((root / "README.md").read_text(encoding="utf-8"))
    if not found:
        yield "README.md: no section of limits"
        return
    for said in re.findall(r"\b[Nn]o ([a-z][\w\s-]*?)(?=[,.;:()|]|\Z)", found[1]):
        if not re.search(any_of(missing), said, re.I):
            yield f"README.md: limits: 'no {' '.join(said.split())}' is not a feature that features.txt has as missing"


def findings(root):
    rows = list(listed(root))
    changes = " ".join((root / "CHANGELOG.md").read_text(encoding="utf-8").split())
    for state, names, held in rows:
        if state == "missing":
            yield from wrong_missing(root, names, held.split())
        elif state != "there":
            yield f"features.txt: '{state}' is neither there nor missing"
        elif held not in changes and not (root / held).exists():
            yield f"features.txt: CHANGELOG.md does not say '{held}', nor is it a path"
    denial = denies([name for state, names, _ in rows if state == "there" for name in names])
    for path in words.files(root):
        if path.endswith(".md") and not path.startswith("docs/lab/"):
            yield from wrong_there(path, (root / path).read_text(encoding="utf-8"), denial)
    yield from wrong_limits(root, [name for state, names, _ in rows if state == "missing" for name in names])


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[0])
    found = list(findings(root))
    print(*found, f"{len(list(listed(root)))} features, {len(found)} findings", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
