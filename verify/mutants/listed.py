# SPDX-License-Identifier: Apache-2.0
"""Faults that somebody has chosen by reading, from a file such as directed/faults.txt.

Each is a block of lines "name  value", blocks apart by empty lines, # begins a comment:

  class  of what edge it is (a word)
  file   from the root of the tree
  line   a piece of the text of one line, which stands in the file once
  from   what of that line is replaced, there once as well
  to     the expression that stands there instead
  what   what goes wrong, for a reader
"""
import sys

import sites

NAMES = ("class", "file", "line", "from", "to", "what")


def read(path, texts):
    """The sites, numbered from 1 on in the order of the file."""
    found = []
    for number, (at, block) in enumerate(blocks(path), 1):
        missing = [n for n in NAMES if not block.get(n)]
        if missing or len(block) != len(NAMES):
            sys.exit(f"error: {path}:{at}: a fault has {', '.join(NAMES)}, each once")
        found.append(site(f"{path}:{at}", number, block, texts))
    if not found:
        sys.exit(f"error: {path}: no fault stands here")
    sites.count_occurrences(found)
    return found


def blocks(path):
    """(first line's number, {name: value}) of each block."""
    block, at = {}, 0
    with open(path, encoding="latin-1") as f:
        for number, line in enumerate(f, 1):
            if line.startswith("#"):
                continue
            name, _, value = line.strip().partition(" ")
            if not name:
                if block:
                    yield at, block
                block = {}
                continue
            if name in block or name not in NAMES:
                sys.exit(f"error: {path}:{number}: '{name}' is twice here, or no name")
            at = at if block else number
            block[name] = value.strip()
    if block:
        yield at, block


def site(where, number, block, texts):
    text = texts.get(block["file"])
    if text is None:
        sys.exit(f"error: {where}: there is no {block['file']}")
    for what, inside in ((block["line"], text), (block["from"], block["line"])):
        if inside.count(what) != 1:
            sys.exit(f"error: {where}: this stands there {inside.count(what)} times, not once: {what}")
    start = text.index(block["line"]) + block["line"].index(block["from"])
    before = text[:start]
    return sites.Site(block["file"], start, start + len(block["from"]), block["class"], block["from"], block["to"],
                      line=before.count("\n") + 1, column=start - before.rfind("\n"), number=number,
                      extra={"shown": block["what"]})
