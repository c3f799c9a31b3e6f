#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Parts of the site that need neither pandoc nor a browser: links, the list at the side, comments of headers.

usage: test_parts.py ROOT
"""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.realpath(sys.argv.pop(1))
SITE = os.path.join(ROOT, "docs", "site")
sys.path.insert(0, SITE)
import check_links  # noqa: E402
import nav  # noqa: E402
import tree  # noqa: E402


def write(root, files):
    for path, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as f:
            f.write(text)


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = scratch.name


class Tree(Folder):
    def setUp(self):
        super().setUp()
        write(self.root, {"README.md": "", "docs/a.md": "", "docs/img/p.png": "", "src/x.c": "", "src/y.txt": "",
                          "sub/README.md": "", "build/b.md": "", ".git/c.md": ""})
        self.tree = tree.Tree(self.root, {"isa/manual.md": os.path.join(self.root, "docs/a.md")})

    def test_pages(self):
        self.assertEqual(list(tree.pages(self.root)), ["README.md", "docs/a.md", "sub/README.md"])

    def test_places(self):
        self.assertEqual([tree.place(p) for p in ("README.md", "sub/README.md", "docs/a.md", "src/x.c", "src/y.txt", "p.svg")],
                         ["index.html", "sub/index.html", "docs/a.html", "src/x.c.txt", "src/y.txt", "p.svg"])

    def leads(self, page, link, to):
        html = f'<a class="x" href="{link}">t</a>'
        self.assertEqual(self.tree.rewritten(page, html), f'<a class="x" href="{to}">t</a>')

    def test_links(self):
        self.leads("README.md", "docs/a.md#part", "docs/a.html#part")
        self.leads("docs/a.md", "../README.md", "../index.html")
        self.leads("docs/a.md", "../sub", "../sub/index.html")
        self.leads("docs/a.md", "../isa/manual.md", "../isa/manual.html")
        self.leads("docs/a.md", "#part", "#part")
        self.leads("docs/a.md", "https://example.com/a.md", "https://example.com/a.md")
        self.assertEqual((self.tree.copied, self.tree.listed), (set(), set()))

    def test_what_is_linked_is_copied_or_listed(self):
        self.leads("docs/a.md", "../src/x.c", "../src/x.c.txt")
        self.leads("README.md", "src", "src/index.html")
        self.assertEqual(self.tree.rewritten("docs/a.md", '<img src="img/p.png" alt="p">'), '<img src="img/p.png" alt="p">')
        self.assertEqual((self.tree.copied, self.tree.listed), ({"src/x.c", "docs/img/p.png"}, {"src"}))
        self.assertEqual(self.tree.listing("src"), "# src/\n\n- [x.c](x.c)\n- [y.txt](y.txt)\n")

    def test_links_that_lead_nowhere(self):
        for link, why in (("none.md", "docs/a.md: link none.md leads nowhere"), ("../../x", "leads out of the tree"),
                          ("/etc/passwd", "leads out of the tree")):
            with self.assertRaisesRegex(tree.Wrong, why):
                self.tree.rewritten("docs/a.md", f'<a href="{link}">t</a>')


class Nav(unittest.TestCase):
    PAGES = ["README.md", "docs/a.md", "docs/b.md", "z.md"]

    def test_sections(self):
        found = nav.sections("# c\nStart\n  README.md\nDocs\n  docs/*.md\nRest\n  *\n", self.PAGES)
        self.assertEqual(found, [("Start", ["README.md"]), ("Docs", ["docs/a.md", "docs/b.md"]), ("Rest", ["z.md"])])

    def test_what_is_wrong_with_a_list(self):
        for text, why in (("Start\n  none.md\n  *\n", "nav.txt:2: no page is called none.md"),
                          ("Start\n  z.md\n  z.md\n  *\n", "nav.txt:3: no page is called z.md"),
                          ("  z.md\n", "nav.txt:1: a page before"), ("Start\n  README.md\n", "docs/a.md is in no section")):
            with self.assertRaisesRegex(nav.Wrong, why):
                nav.sections(text, self.PAGES)

    def test_the_page_itself_is_marked(self):
        one = nav.Nav([("Start", ["README.md"]), ("Docs", ["docs/a.md"])], {"README.md": "Home", "docs/a.md": "A & B"})
        side = one.side("docs/a.html")
        self.assertIn('<details open><summary>Docs</summary>', side)
        self.assertIn('<details><summary>Start</summary>', side)
        self.assertIn('<a href="a.html" aria-current="page">A &amp; B</a>', side)
        self.assertIn('<a href="../index.html">Home</a>', side)
        self.assertEqual(side.count("aria-current"), 1)
        self.assertEqual(one.way("docs/a.html", "A & B"), '<a href="../index.html">Heddle</a> / Docs / A &amp; B')

    def test_every_page_for_readers_has_a_section_of_its_own(self):
        pages = [*tree.pages(ROOT), "isa/manual.md", "isa/map.md", "api/index.md"]
        with open(os.path.join(SITE, "nav.txt"), encoding="utf-8") as f:
            found = dict(nav.sections(f.read(), pages))
        self.assertEqual([p for p in found["Folders"] if p.startswith(("docs/", "isa/doc/"))], [])
        self.assertEqual(len(found["Tutorials"]), 6)


class Links(Folder):
    def check(self, **files):
        write(self.root, {name.replace("_", ".", 1): text for name, text in files.items()})
        return check_links.check(self.root)[1]

    def test_right(self):
        text = '<p id="x"><a name="y"></a><a href="b.html#z">b</a><a href="#x"></a><a href="#y"></a><a href="https://e.com/">e</a>'
        self.assertEqual(self.check(a_html=text, b_html='<p id="z"><img src="data:,">'), [])

    def test_dead(self):
        found = self.check(a_html='\n<a href="none.html">\n<a href="b.html#none"><a href="#none"><a href="../x">', b_html="<p>")
        self.assertEqual(found, ["a.html:2: none.html does not exist", "a.html:3: b.html#none has no such anchor",
                                 "a.html:3: #none has no such anchor", "a.html:3: ../x leads out of the site"])

    def test_from_elsewhere(self):
        for text in ('<img src="https://e.com/p.png">', '<script src="//e.com/s.js"></script>',
                     '<link rel="stylesheet" href="http://e.com/s.css">'):
            with self.subTest(text):
                self.assertRegex("".join(self.check(a_html=text)), "is loaded from elsewhere")

    def test_one_anchor_twice(self):
        self.assertEqual(self.check(a_html='<p id="x"><p id="x">'), ["a.html: two elements are called x"])

    def test_status(self):
        program = [sys.executable, "-B", os.path.join(SITE, "check_links.py")]
        write(self.root, {"a.html": '<a href="a.html">'})
        run = lambda: subprocess.run([*program, self.root], check=False, stdout=subprocess.DEVNULL).returncode  # noqa: E731
        self.assertEqual(run(), 0)
        write(self.root, {"a.html": '<a href="none">'})
        self.assertEqual(run(), 1)
        write(self.root, {"a.html": "nothing to check"})
        self.assertEqual(run(), 1)


class Comments(unittest.TestCase):
    def given(self, text):
        return subprocess.run(["awk", "-f", os.path.join(SITE, "comments.awk")], input=text, text=True, check=True,
                              stdout=subprocess.PIPE).stdout

    def test_file_before_and_behind(self):
        self.assertEqual(self.given("/* SPDX-License-Identifier: Apache-2.0\n *\n * About.\n */\n/* A. */\nint a; /* is a\n * b */\n"),
                         "/** @file\n *\n * About.\n */\n/** A. */\nint a; /**< is a\n * b */\n")

    def test_indented_lines_are_code(self):
        self.assertEqual(self.given("/* A.\n *   f(x);\n *     g;\n * B. */\n"),
                         "/** A.\n * @verbatim\nf(x);\n  g;\n * @endverbatim\n * B. */\n")

    def test_code_is_left_alone(self):
        text = '#define F "x"\nint *f(int *a);\n  * b;\n'
        self.assertEqual(self.given(text), text)


if __name__ == "__main__":
    unittest.main()
