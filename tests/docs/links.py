#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every relative link in every .md file leads somewhere: the file exists, and has the heading or
anchor if one is named. So does every path of the tree in back-quotes, such as `rtl/sm/sm.sv`, from the root or from the
page; `isa/doc/01` is short for what begins so, and a part in capitals stands for any name.

usage: links.py ROOT
"""
import glob
import os
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"`([\w.-]+/[\w./-]+)`")
ANCHOR = re.compile(r'<a id="([\w-]+)"></a>')
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
    """The names under which a page's headings can be linked to, and the anchors that it sets itself."""
    text = prose(path)
    found = {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", text, re.M)}
    return found | set(ANCHOR.findall(text))


def wrong(page, link):
    """What is wrong with the link; None: nothing."""
    path, _, heading = link.partition("#")
    whole = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not os.path.exists(whole):
        return "does not exist"
    if heading and not (whole.endswith(".md") and heading in headings(whole)):
        return "has no such heading or anchor"
    return None


def stands_for_any(path):
    return any(re.fullmatch(r"[A-Z]+(\.\w+)?", part) for part in path.split("/"))


def missing(root, page, path):
    """Whether a path in back-quotes begins in a folder of the root, and leads nowhere."""
    if not os.path.isdir(os.path.join(root, path.split("/")[0])) or path.startswith("build"):
        return False
    places = (os.path.join(root, path), os.path.join(os.path.dirname(page), path))
    return not stands_for_any(path) and not any(glob.glob(glob.escape(p) + "*") for p in places)


def findings(root, page):
    """(line number, link or path, what is wrong or None) of all that a page points at."""
    for number, line in enumerate(prose(page).splitlines(), 1):
        for link in LINK.findall(line):
            if not re.match(r"[a-z]+:", link):
                yield number, link, wrong(page, link)
        for path in PATH.findall(line):
            yield number, path, "does not exist" if missing(root, page, path) else None


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = os.path.realpath(sys.argv[1])
    every = failed = 0
    for page in pages(root):
        for number, target, why in findings(root, page):
            every += 1
            if why:
                failed += 1
                print(f"{os.path.relpath(page, root)}:{number}: {target} {why}")
    print(f"{every} links and paths, {failed} lead nowhere")
    return 1 if failed or every == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
