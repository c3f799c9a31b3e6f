#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every relative link in every .md file leads somewhere: the file exists, and has the heading if one is named.

usage: links.py ROOT
"""
import os
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)


def pages(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "build")))
        yield from (os.path.join(folder, f) for f in sorted(files) if f.endswith(".md"))


def prose(path):
    """The text outside of fenced blocks, whose lines keep their numbers."""
    with open(path, encoding="utf-8") as f:
        return FENCE.sub(lambda block: "\n" * block[0].count("\n"), f.read())


def headings(path):
    """The names under which a page's headings can be linked to."""
    found = re.findall(r"^#+ (.*)$", prose(path), re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in found}


def wrong(page, link):
    """What is wrong with the link; None: nothing."""
    path, _, heading = link.partition("#")
    whole = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not os.path.exists(whole):
        return "does not exist"
    if heading and not (whole.endswith(".md") and heading in headings(whole)):
        return "has no such heading"
    return None


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = os.path.realpath(sys.argv[1])
    links = failed = 0
    for page in pages(root):
        for number, line in enumerate(prose(page).splitlines(), 1):
            for link in LINK.findall(line):
                if re.match(r"[a-z]+:", link):
                    continue
                links += 1
                why = wrong(page, link)
                if why:
                    failed += 1
                    print(f"{os.path.relpath(page, root)}:{number}: {link} {why}")
    print(f"{links} links, {failed} lead nowhere")
    return 1 if failed or links == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
