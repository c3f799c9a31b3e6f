#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Has each struct of the installed C headers its size first, or a place in the table of docs/hosts.md with a reason?

usage: test_structs.py HEADERS TABLE       HEADERS: build/gen/heddle
A row of the table that names no such struct is wrong, too. So is a struct of the row `_sized` that a function fills
without its size, and a header of whose structs none was understood.
"""
import fnmatch
import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
STRUCT = re.compile(r"^(?:typedef )?struct (\w+) \{\s*([^;}]*);", re.MULTILINE)
SIZE = re.compile(r"(size_t|uint32_t) size$")


def structs(text):
    """Name to its first member."""
    return {name: " ".join(member.split()) for name, member in STRUCT.findall(COMMENT.sub(" ", text))}


def table(page):
    """Name to its reason; a name may end in *."""
    rows = re.search(r"^## Structs of the interface\n(.*?)^## ", page, re.MULTILINE | re.DOTALL).group(1)
    reasons = {}
    for line in rows.splitlines():
        if line.startswith("| `"):
            names, reason = line.strip("| ").split(" | ")
            reasons.update({name: reason for name in re.findall(r"`(\w+\*?)`", names)})
    return reasons


def wrong(headers, page):
    """Sentences."""
    reasons, found, said = table(page), {}, []
    text = "".join(h.read_text() for h in headers)
    for header in headers:
        mine = structs(header.read_text())
        if len(re.findall(r"^(?:typedef )?struct \w+ \{", COMMENT.sub(" ", header.read_text()), re.MULTILINE)) != len(mine):
            said.append(f"{header.name}: a struct is not understood")
        found.update(mine)
    for name, member in sorted(found.items()):
        told = any(fnmatch.fnmatchcase(name, n) for n in reasons)
        if bool(SIZE.fullmatch(member)) == told:
            said.append(f"{name}: its size comes first, and the table has it" if told else
                        f"{name}: neither its size first, but '{member}', nor a reason in docs/hosts.md")
    said += [f"{n}: in docs/hosts.md, and in no header" for n in sorted(reasons) if not fnmatch.filter(found, n)]
    for name in (n for n, reason in reasons.items() if "_sized" in reason):
        calls = re.findall(rf"^HEDDLE_API [^;]*?(\w+)\([^;]*struct {name} \*out\b[^;]*;", text, re.MULTILINE)
        if not calls or not all(call.endswith("_sized") for call in calls):
            said.append(f"{name}: filled by {calls}")
    return said


def self_test():
    """A struct without either, one with both, a row too many."""
    class Header:
        name = "x.h"

        def read_text(self):
            return "struct a {\n  /* no */ int x;\n};\nstruct b {\n  size_t size; /* yes */\n};\nstruct c {\n  int y;\n};\n"

    page = "## Structs of the interface\n| `b`, `d` | values |\n## Next\n"
    assert [w.split(":")[0] for w in wrong([Header()], page)] == ["a", "b", "c", "d"], wrong([Header()], page)


def main(headers, page):
    self_test()
    files = sorted(pathlib.Path(headers).glob("*.h"))
    said = wrong(files, pathlib.Path(page).read_text()) or ([] if len(files) > 30 else ["hardly any headers"])
    print("\n".join(said) or f"{len(files)} headers")
    return bool(said)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
