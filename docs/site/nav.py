# SPDX-License-Identifier: Apache-2.0
"""What stands at the side of each page: sections of nav.txt, the page itself marked, the way to it above the text."""
import fnmatch
import html
import os

import tree

REST = "*"  # a line of nav.txt: every page that no other line names


class Wrong(Exception):
    """A line of nav.txt that names nothing, or a page that none names."""


def sections(text, pages):
    """[(title, [page])] of nav.txt: a title begins in the first column, pages are indented and may be patterns."""
    found, left, rest = [], list(pages), None
    for number, line in enumerate(text.splitlines(), 1):
        word = line.strip()
        if not word or word.startswith("#"):
            continue
        if not line.startswith(" "):
            found.append((word, []))
        elif not found:
            raise Wrong(f"nav.txt:{number}: a page before the first section")
        elif word == REST:
            rest = found[-1][1]
        else:
            named = sorted(fnmatch.filter(left, word))
            if not named:
                raise Wrong(f"nav.txt:{number}: no page is called {word}, or it is named above")
            found[-1][1].extend(named)
            left = [p for p in left if p not in named]
    if left and rest is None:
        raise Wrong(f"nav.txt: {left[0]} is in no section")
    if rest is not None:
        rest.extend(left)
    return found


def relative(target, page):
    return html.escape(os.path.relpath(target, os.path.dirname(page) or "."))


class Nav:
    def __init__(self, found, titles, place=tree.place):
        """`titles`: page -> its heading, which is its name here, too."""
        self.sections = [(name, [(place(p), titles[p]) for p in pages]) for name, pages in found]

    def section_of(self, here):
        for name, pages in self.sections:
            if any(place == here for place, _ in pages):
                return name
        return None

    def side(self, here, section=None):
        """`here`: where the page lies in the site; a page that is not in the list may say of which section it is."""
        section = self.section_of(here) or section
        lines = []
        for name, pages in self.sections:
            lines.append(f"<details{' open' if name == section else ''}><summary>{html.escape(name)}</summary><ul>")
            for place, title in pages:
                current = ' aria-current="page"' if place == here else ""
                lines.append(f'<li><a href="{relative(place, here)}"{current}>{html.escape(title)}</a></li>')
            lines.append("</ul></details>")
        return "\n".join(lines)

    def way(self, here, title, section=None):
        """Heddle / section / title"""
        section = self.section_of(here) or section
        words = [f'<a href="{relative("index.html", here)}">Heddle</a>']
        words += [html.escape(section)] if section else []
        words += [html.escape(title)] if here != "index.html" else []
        return " / ".join(words)
