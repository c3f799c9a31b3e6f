# SPDX-License-Identifier: Apache-2.0
"""The manual as a book: chapters of isa/doc, then the instructions A to Z, then index, fields and sets. pandoc makes HTML
of it, weasyprint the PDF; book.css is how it looks."""
import os
import re
import subprocess
import tempfile

import sections as sec

FENCE = re.compile(r"(^```.*?^```[^\n]*$)", re.M | re.S)

READ = "gfm-gfm_auto_identifiers+attributes"  # as the pages are written, and names of headings


def anchor(page, heading=""):
    """A name that is unique in the book: of a page, or of a heading in it."""
    stem = re.sub(r"\W", "-", os.path.splitext(os.path.basename(page))[0])
    return f"p-{stem}" + (f"--{heading}" if heading else "")


class Book:
    def __init__(self, manual, pages, chapters, slug):
        self.manual, self.pages, self.slug = manual, pages, slug
        self.chapters = {}
        for path in chapters:
            with open(path, encoding="utf-8") as f:
                self.chapters[os.path.basename(path)] = f.read()
        self.insns = {slug(", ".join(s.names)): anchor(s.names[0].replace(".", "-")) for s in manual.sections.values()}
        self.known = {"../doc/" + c for c in self.chapters} | set(pages)

    def links(self, text, page, chapter):
        """Links that lead into the book, there; of others the words alone."""
        def there(m):
            words, target = m[1], m[2]
            if re.match(r"[a-z]+:", target):
                return m[0]
            path, _, heading = target.partition("#")
            if chapter:
                path = os.path.normpath("../doc/" + path) if path else "../doc/" + page
            path = path or page
            if path not in self.known:
                return words
            if heading in self.insns:
                return f"[{words}](#{self.insns[heading]})"
            if re.match(r"(field|set|unit)-", heading):
                return f"[{words}](#{heading})"
            return f"[{words}](#{anchor(path, heading)})"
        return re.sub(r"\[((?:[^][]|\[[^]]*\])*)\]\(([^)\s]+)\)", there, text)

    def page(self, page, text, chapter, style=""):
        """One page of the tree as a part of the book: its headings and links have names of their own."""
        out, seen = [], set()

        def heading(m):
            name = anchor(page, "" if len(m[1]) == 1 else self.slug(m[2]))
            name = "" if name in seen else f"#{name}"
            seen.add(name[1:])
            return f"{m[1]} {m[2]} {{{name} {style if len(m[1]) == 1 else ''}}}"
        for k, part in enumerate(FENCE.split(text)):
            if k % 2:
                out.append(re.sub(r"^```.*", "```", part, count=1))
            else:
                out.append(re.sub(r"^(#+) (.*)$", heading, self.links(part, page, chapter), flags=re.M))
        return "".join(out)

    def chapter(self, page, text):
        """A chapter; sections of instructions, which have pages of their own, are named there."""
        rows, drop, fence = [], False, False
        for row in text.split("\n"):
            head = None if fence else sec.HEADING.fullmatch(row)
            fence ^= row.startswith("```")
            if head and len(head[1]) <= 3:
                names = head[2].split(", ")
                drop = len(head[1]) == 3 and all(n in self.manual.sections for n in names)
                if drop:
                    says = self.manual.summary(names[0], True)
                    rows += [f'<a class="page" href="#{anchor(n.replace(".", "-"))}">{n}</a>' + ("" if n != names[-1] else
                             f": {says}") for n in names] + [""]
            if not drop:
                rows.append(row)
        return self.page(page, "\n".join(rows), True)

    def nav(self):
        out = ["<nav>\n<h1>Contents</h1>\n"]
        for page, text in self.chapters.items():
            title = re.search("^# (.*)", text)[1].replace("`", "")
            out.append(f'<a class="chapter" href="#{anchor(page)}">{title}</a>')
            out += [f'<a style="margin-left:5mm" href="#{anchor(page, self.slug(h))}">{h.replace("`", "")}</a>'
                    for h in re.findall(r"^## (.*)$", FENCE.sub("", text), re.M)]
        out.append('<a class="chapter" href="#instructions">Instructions</a>\n<div class="insns">')
        out += [f'<a href="#{anchor(n.replace(".", "-"))}">{n}</a>' for n in sorted(self.manual.insns)]
        out.append('</div>\n<a class="chapter" href="#p-index">Index: A to Z, by unit, by field</a>'
                   '<a class="chapter" href="#p-words">Fields and sets</a>\n</nav>\n')
        return "\n".join(out)

    def text(self):
        insns = {p: t for p, t in self.pages.items() if p not in ("index.md", "words.md")}
        return "\n\n".join([
            f"<header><h1>The Heddle instruction set</h1><p>{len(insns)} instructions; encoding "
            f"<code>{self.manual.isa['hash']}</code></p></header>", self.nav(),
            *(self.chapter(c, t) for c, t in self.chapters.items()),
            '<h1 class="part" id="instructions">Instructions</h1>',
            *(self.page(p, t, False, ".insn") for p, t in insns.items()),
            self.page("index.md", self.pages["index.md"], False), self.page("words.md", self.pages["words.md"], False)])


def write(manual, pages, chapters, slug, path):
    """The PDF. CalledProcessError, FileNotFoundError: a tool said no, or is missing."""
    text = Book(manual, pages, chapters, slug).text()
    css = os.path.join(os.path.dirname(os.path.abspath(__file__)), "book.css")
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "book.html")
        subprocess.run(["pandoc", "-f", READ, "-t", "html5", "-s", "--metadata",
                        "title=The Heddle instruction set", "--template", template(folder), "-c", css, "-o", page],
                       input=text, text=True, check=True)
        said = subprocess.run(["weasyprint", page, path], check=True, stderr=subprocess.PIPE, text=True).stderr
    lost = re.findall("No anchor (#\\S+)", said)
    if lost:
        raise sec.Wrong(f"{path}: nothing has the name {', '.join(sorted(set(lost)))}")


def template(folder):
    """Nothing around what pandoc makes but what HTML wants."""
    path = os.path.join(folder, "template.html")
    with open(path, "w", encoding="utf-8") as f:
        f.write('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>$title$</title>'
                '$for(css)$<link rel="stylesheet" href="$css$">$endfor$</head><body>\n$body$\n</body></html>\n')
    return path
