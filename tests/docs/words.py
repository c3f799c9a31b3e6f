# SPDX-License-Identifier: Apache-2.0
"""Words that may not appear in pages for users: README.md, docs/*.md, and what a repository has beside them.

usage: words.py ROOT
Exit status: 0 none does, 1 one does, 2 usage."""
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


def findings(root):
    pages = [p for p in root.glob("*.md")] + sorted((root / "docs").glob("*.md"))
    for page in pages:
        text = re.sub(r"```.*?```", lambda m: "\n" * m[0].count("\n"), page.read_text(encoding="utf-8"), flags=re.S)
        for number, line in enumerate(text.splitlines(), 1):
            for word, instead in WORDS.items():
                if re.search(rf"\b{word}\b", line, re.I):
                    yield f"{page.relative_to(root)}:{number}: '{word}': {instead}"
    if not pages:
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
