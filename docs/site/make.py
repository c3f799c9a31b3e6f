#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the site: every page of the tree, the manual, pictures, the headers; scripts/site.sh calls this.

usage: make.py ROOT BUILD DIR [--without-waves]
DIR is written whole or not at all; a folder that this has not made is never touched.
Exit status: 0, 1 a link or a tool is wrong, 2 usage.
"""
import concurrent.futures
import html
import os
import re
import shutil
import string
import subprocess
import sys
import tempfile

import api
import generated
import nav
import tree

HERE = os.path.dirname(os.path.abspath(__file__))
MARK = ".heddle-site"  # in every folder that this has made
SKIPPED = re.compile(r"\s*<!--.*?-->", re.S)


class Wrong(Exception):
    """What is wrong with the arguments."""


def progress(done, of):
    if sys.stderr.isatty():
        print(f"\rsite: {done} of {of} pages", end="" if done < of else "\n", file=sys.stderr, flush=True)


def pandoc(text):
    """Markdown to the HTML of a text, without head and body."""
    done = subprocess.run(["pandoc", "-f", "gfm", "-t", "html5", "--wrap=none", "--no-highlight"], input=text, text=True,
                          check=True, stdout=subprocess.PIPE)
    body = re.sub(r"(<table>.*?</table>)", r'<div class="scroll">\1</div>', SKIPPED.sub("", done.stdout), flags=re.S)
    return re.sub(r"<p>(<img [^>]*>)</p>", r"<figure>\1</figure>", body)


def title_of(page, text):
    found = re.search(r"^# (.+)$", text, re.M)
    if not found:
        raise tree.Wrong(f"{page}: has no heading")
    return re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", found[1])


class Site:
    def __init__(self, root, work, made):
        self.tree, self.work, self.files, self.wrong = tree.Tree(root, made), work, {}, []
        with open(os.path.join(HERE, "template.html"), encoding="utf-8") as f:
            self.template = string.Template(f.read())

    def write(self, place, body, title, section=None):
        up = os.path.relpath(".", os.path.dirname(place) or ".") + "/"
        whole = "Heddle" if place == "index.html" else title + " - Heddle"
        text = self.template.substitute(title=html.escape(whole), up="" if up == "./" else up, body=body,
                                        side=self.nav.side(place, section), way=self.nav.way(place, title, section))
        self.put(place, text.encode())

    def put(self, place, data):
        path = os.path.join(self.work, place)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)

    def page(self, page, text):
        body = pandoc(text)
        try:
            body = self.tree.rewritten(page, body)
        except tree.Wrong as e:
            self.wrong.append(str(e))
        return page, body

    def pages(self, texts, figures):
        """All pages of the tree: path -> text. Several processes of pandoc at a time."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for n, (page, body) in enumerate(pool.map(lambda p: self.page(p, texts[p]), sorted(texts)), 1):
                if figures:
                    body = generated.with_figures(page, body)
                self.write(tree.place(page), body, title_of(page, texts[page]), "Folders")
                progress(n, len(texts))

    def copies(self):
        """Folders that are linked and have no page, and files that are linked."""
        for folder in sorted(self.tree.listed):
            text = self.tree.listing(folder)
            _, body = self.page(folder + "/README.md", text)
            self.write(os.path.join(folder, "index.html"), body, folder + "/", "Folders")
        for path in sorted(self.tree.copied):
            with open(self.tree.where(path), "rb") as f:
                self.put(tree.place(path), f.read())

    def interfaces(self, pages):
        for name in sorted(pages):
            title, body = pages[name]
            self.write("api/" + name, body, title, api.SECTION)


def build(root, build_dir, out, with_waves):
    """Everything into the folder `out`, which is empty."""
    heddle = os.path.join(build_dir, "heddle")
    with tempfile.TemporaryDirectory(prefix="heddle-site-") as work:
        made = generated.documents(root, heddle, work)
        made.update(generated.waves(root, heddle, work) if with_waves else {})
        headers = api.pages(HERE, build_dir, work)
        site = Site(root, out, made)
        texts = {page: site.tree.text(page) for page in [*tree.pages(root), "isa/manual.md", "isa/map.md"]}
        titles = {page: title_of(page, text) for page, text in texts.items()}
        titles["api/index.md"] = "Headers"
        with open(os.path.join(HERE, "nav.txt"), encoding="utf-8") as f:
            site.nav = nav.Nav(nav.sections(f.read(), sorted(titles)), titles)
        if with_waves:
            site.tree.copied.update(path for path in made if path.endswith(".svg") and path.startswith("docs/"))
        site.pages(texts, with_waves)
        site.interfaces(headers)
        site.copies()
        shutil.copy(os.path.join(HERE, "style.css"), out)
        site.put(MARK, b"")
        for wrong in site.wrong:
            print(f"site: {wrong}", file=sys.stderr)
        return not site.wrong


def main(arguments):
    with_waves = "--without-waves" not in arguments
    words = [a for a in arguments if a != "--without-waves"]
    if len(words) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    root, build_dir, out = map(os.path.abspath, words)
    if os.path.exists(out) and not os.path.exists(os.path.join(out, MARK)) and (not os.path.isdir(out) or os.listdir(out)):
        print(f"site: {out}: is there and is no site; name another folder", file=sys.stderr)
        return 2
    os.makedirs(os.path.dirname(out), exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".heddle-site-", dir=os.path.dirname(out)) as work:
        new = os.path.join(work, "site")
        os.mkdir(new)
        try:
            good = build(root, build_dir, new, with_waves)
        except (tree.Wrong, nav.Wrong, api.Wrong, generated.Wrong, subprocess.CalledProcessError) as e:
            print(f"site: {e}", file=sys.stderr)
            good = False
        if good:
            shutil.rmtree(out, ignore_errors=True)
            os.rename(new, out)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
