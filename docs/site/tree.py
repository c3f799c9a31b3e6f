# SPDX-License-Identifier: Apache-2.0
"""Where each file of the source tree lies in the site, and where its links lead there.

A page FILE.md becomes FILE.html beside it, README.md index.html of its folder. Pictures are copied; any other file that
is linked becomes FILE.txt, which a browser shows. A folder without a README that is linked gets a page that lists it.
"""
import os
import re

PICTURES = (".svg", ".png")
LINK = re.compile(r'(<(?:a|img)\b[^>]*?\b(?:href|src)=")([^"]*)(")')
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)


class Wrong(Exception):
    """A link that leads nowhere, or out of the tree."""


def pages(root):
    """Every page of the tree, relative to its root; not those of builds."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "build")))
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.normpath(os.path.join(os.path.relpath(folder, root), name))


def place(path):
    """Where a page, a picture or any other file lies in the site."""
    folder, name = os.path.split(path)
    if name == "README.md":
        return os.path.join(folder, "index.html")
    stem, suffix = os.path.splitext(path)
    if suffix == ".md":
        return stem + ".html"
    return path if suffix in PICTURES + (".txt",) else path + ".txt"


class Tree:
    """The source tree with what has been generated: `made` has paths that look as if they lay in it -> where they are."""

    def __init__(self, root, made):
        self.root, self.made = root, made
        self.copied, self.listed = set(), set()

    def where(self, path):
        return self.made.get(path) or os.path.join(self.root, path)

    def text(self, path):
        with open(self.where(path), encoding="utf-8") as f:
            return f.read()

    def target(self, page, link):
        """Where a link of the page leads, relative to the root of the site; what must be there is written down."""
        path = os.path.normpath(os.path.join(os.path.dirname(page), link))
        if path.startswith("..") or os.path.isabs(path):
            raise Wrong(f"{page}: link {link} leads out of the tree")
        there = self.where(path)
        if os.path.isdir(there):
            if not os.path.exists(os.path.join(there, "README.md")):
                self.listed.add(path)
            return os.path.normpath(os.path.join(path, "index.html"))
        if not os.path.isfile(there):
            raise Wrong(f"{page}: link {link} leads nowhere")
        if not path.endswith(".md"):
            self.copied.add(path)
        return place(path)

    def rewritten(self, page, html):
        """The page's HTML with links that hold in the site."""
        here = os.path.dirname(place(page))

        def one(match):
            path, mark, heading = match[2].partition("#")
            if not path or SCHEME.match(path):
                return match[0]
            return match[1] + os.path.relpath(self.target(page, path), here or ".") + mark + heading + match[3]

        return LINK.sub(one, html)

    def listing(self, folder):
        """A page, as Markdown, of what a folder holds; its files are copied. Folders in it are named, not listed."""
        names = sorted(n for n in os.listdir(os.path.join(self.root, folder)) if not n.startswith((".", "__")))
        lines = [f"# {folder}/", ""]
        for name in names:
            inside = os.path.isdir(os.path.join(self.root, folder, name))
            lines.append(f"- `{name}/`" if inside else f"- [{name}]({name})")
        return "\n".join(lines) + "\n"
