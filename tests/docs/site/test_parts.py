#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Parts of the site that need neither MkDocs nor a browser: links, Markdown as GitHub has it, what stands at the side, headers.

usage: test_parts.py ROOT
"""
import os
import sys
import tempfile
import unittest

ROOT = os.path.realpath(sys.argv.pop(1))
sys.path.insert(0, os.path.join(ROOT, "docs", "site"))
import generated  # noqa: E402
import hooks  # noqa: E402

WORDS = "| word | means | elsewhere |\n|---|---|---|\n| warp, wave | 32 `threads` | |\n| lot, sector | 4 sectors; 32 bytes | |\n| line | 128 bytes | |\n"


class Tree(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        for path, text in {"README.md": "", "docs/a.md": "a", "docs/glossary.md": WORDS, "docs/img/p.png": "", "src/x.c": "int x;",
                           "src/in/y.txt": "", "sub/README.md": "", "build/b.md": "", "m/README.md": "", "c/include/heddle/h.h": "",
                           "WORK/m/index.md": "", "WORK/docs/a.md": "made", "WORK/include/heddle/h.h.md": ""}.items():
            path = os.path.join(scratch.name, path.replace("WORK", "build/work"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        self.tree = hooks.Tree(scratch.name, scratch.name + "/build/work")

    def test_pages(self):
        self.assertEqual(self.tree.pages(),
                         ["README.md", "docs/a.md", "docs/glossary.md", "include/heddle/h.h.md", "m/index.md", "sub/README.md"])

    def test_links(self):
        for link, to in (("../README.md#part", "../README.md#part"), ("../sub", "../sub/README.md"), ("../m/", "../m/index.md"),
                         ("../m/README.md", "../m/index.md"), ("../src/x.c", "../src/x.c.md"), ("../src", "../src/README.md"),
                         ("img/p.png", "img/p.png"), ("#part", "#part"), ("https://e.com/a.c", "https://e.com/a.c"),
                         ("../c/include/heddle/h.h", "../include/heddle/h.h.md"), ("`../none`", "`../none`")):
            self.assertEqual(self.tree.target("docs/a.md", link), to)

    def test_links_that_lead_nowhere(self):
        for link in ("none.md", "../none/", "../../x", "/etc/passwd"):
            with self.assertRaisesRegex(SystemExit, f"docs/a.md: link {link} leads nowhere"):
                self.tree.target("docs/a.md", link)

    def test_what_is_linked_is_made(self):
        self.tree.target("README.md", "src")
        self.tree.make_all()
        self.assertIn("# src/\n\n- `in/`\n- [x.c](x.c.md)\n", self.tree.made["src/README.md"])
        self.assertIn("# src/x.c\n\n~~~~~~~~~ c\nint x;\n", self.tree.made["src/x.c.md"])
        self.assertTrue(self.tree.made["docs/a.md"].startswith("made"))

    def test_code_is_left_alone(self):
        with open(self.tree.work + "/docs/a.md", "w", encoding="utf-8") as f:
            f.write("`[x](none)` [`y`](../src/x.c)\n```\ntext\n- [z](none)\n```\n")
        self.assertIn("`[x](none)` [`y`](../src/x.c.md)\n```\ntext\n- [z](none)\n```\n", self.tree.make("docs/a.md"))

    def test_glossary(self):
        words = self.tree.make("README.md")
        self.assertIn("*[warps]: 32 threads\n*[wave]: 32 threads\n", words)
        self.assertIn("*[lot]: 4 sectors\n*[lots]: 4 sectors\n*[sector]: 32 bytes\n", words)
        self.assertNotIn("*[line]", words)
        self.assertNotIn("*[", self.tree.make("docs/glossary.md"))


class Markdown(unittest.TestCase):
    def test_as_gfm(self):
        for text, want in (("text\n- a\n- b\n", "text\n\n- a\n- b\n"), ("- a\n  goes on\n- b\n", "- a\n  goes on\n- b\n"),
                           ("- a\n  - b\n", "- a\n    - b\n"), ("- a\n\n  more\n  of it\n", "- a\n\n    more\n    of it\n\n"),
                           ("| `a \\| b` | c \\| d |\n", "| `a | b` | c \\| d |\n"), ("\n- behind code\n", "\n\n- behind code\n")):
            self.assertEqual(hooks.as_gfm(text), want)

    def test_header(self):
        page = generated.header_page("heddle/x.h", "/* SPDX-License-Identifier: Apache-2.0\n *\n * About\n * it.\n *\n *   f(x);\n */\n"
                                     "#ifndef HEDDLE_X_H\n#define HEDDLE_X_H\n\n/* A. */\nstruct x {\n  int a; /* f(); */\n};\n"
                                     "int f(struct x);\n\n#endif\n")
        self.assertEqual(page, "# heddle/x.h\n\nAbout\nit.\n\n```text\n  f(x);\n```\n\n## `struct x`, `f`\n"
                         "```cpp\n/* A. */\nstruct x {\n  int a; /* f(); */\n};\nint f(struct x);\n```\n")


class Side(unittest.TestCase):
    MAP = "[W](w.md)\n## One: of it\n| [a](a.md), [i](../isa/doc/1.md) |\nAnd [b](b.md).\n## Two\n## Three\n## Four\n| [a](a.md#x) |\n"

    def test_sections(self):
        pages = ["README.md", "docs/a.md", "docs/b.md", "docs/w.md", "isa/doc/1.md", "isa/manual/A.md", "isa/manual/index.md",
                 "rtl/sm/x.md"]
        self.assertEqual(hooks.navigation(self.MAP, pages), [
            {"Home": ["README.md"]}, {"One": ["docs/a.md"]}, {"Two": []}, {"Three": []},
            {"Instruction set": ["isa/doc/1.md", {"Instructions A to Z": ["isa/manual/index.md", "isa/manual/A.md"]}]},
            {"Headers": []}, {"Four": []},
            {"Developers": ["docs/w.md", {"docs/": ["docs/b.md"]}, {"rtl/": [{"sm/": ["rtl/sm/x.md"]}]}]}])

    def test_every_page_for_readers_is_on_the_map(self):
        pages = hooks.Tree(ROOT, ROOT + "/build/none").pages()
        with open(ROOT + "/docs/README.md", encoding="utf-8") as f:
            nav = hooks.navigation(f.read(), pages)
        self.assertEqual([*map(list, nav)], [[t] for t in ("Home", "Tutorials", "How to", "Reference", "Instruction set", "Headers",
                                                           "Explanations", "Records", "Developers")])
        self.assertEqual([p for p in str(nav[-1]).split("'") if p.startswith(("docs/", "isa/doc/")) and p.count("/") == 1],
                         ["docs/where-is-x.md", "docs/"])


if __name__ == "__main__":
    unittest.main()
