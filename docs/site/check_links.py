#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every link of the site leads to a file of it and, if it names one, to an anchor there; nothing is loaded from elsewhere.

usage: check_links.py DIR
Links to other places, such as https://, may be followed by whoever wants to; pictures, styles and scripts may not lie there.
A line for each dead link, then the count. Exit status: 0 none, 1 some, or nothing to check, 2 usage.
"""
import html.parser
import os
import re
import sys
import urllib.parse

SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.I)
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("object", "data")}


class Page(html.parser.HTMLParser):
    """Links (line, tag, attribute, target) and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.twice = [], {""}, set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        names = {value for name, value in attrs if name == "id" or (tag == "a" and name == "name")}
        self.twice |= {value for name, value in attrs if name == "id" and value in self.anchors}
        self.anchors |= names
        for name, value in attrs:
            if name in ("href", "src", "data") and value is not None:
                self.links.append((self.getpos()[0], tag, name, value))


def read(path):
    with open(path, encoding="utf-8") as f:
        return Page(f.read())


def pages_of(root):
    """path, relative to the root -> Page"""
    found = {}
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(files):
            if name.endswith(".html"):
                found[os.path.relpath(os.path.join(folder, name), root)] = read(os.path.join(folder, name))
    return found


def wrong(root, pages, page, tag, attribute, link):
    """What is wrong with a link; None: nothing."""
    if link.startswith("data:"):
        return None
    if SCHEME.match(link):
        return "is loaded from elsewhere" if (tag, attribute) in LOADED else None
    path, _, anchor = link.partition("#")
    path, anchor = urllib.parse.unquote(path), urllib.parse.unquote(anchor)
    target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if target.startswith("..") or os.path.isabs(target):
        return "leads out of the site"
    if not os.path.isfile(os.path.join(root, target)):
        return "does not exist"
    if anchor and (target not in pages or anchor not in pages[target].anchors):
        return "has no such anchor"
    return None


def check(root):
    """(number of links, what is wrong)"""
    pages, count, findings = pages_of(root), 0, []
    for name, page in pages.items():
        findings += [f"{name}: two elements are called {anchor}" for anchor in sorted(page.twice)]
        for line, tag, attribute, link in page.links:
            count += 1
            why = wrong(root, pages, name, tag, attribute, link)
            if why:
                findings.append(f"{name}:{line}: {link} {why}")
    return count, findings


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    count, findings = check(sys.argv[1])
    for finding in findings:
        print(finding)
    print(f"{count} links, {len(findings)} dead")
    return 1 if findings or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
