#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Findings that pages.py, links.py, words.py, features.py and scripts/counts.py must have, and must not have."""
import contextlib
import io
import os
import pathlib
import re
import sys
import tempfile
import unittest

import exceptions
import features
import links
import pages
import words

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts"))
import counts


def page(text, write=False):
    """Check a page of this text in an empty source tree; returns its text afterwards."""
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "build"))
        os.makedirs(os.path.join(root, "scripts"))
        with open(os.path.join(root, "scripts/say.sh"), "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\necho said\n")
        os.chmod(os.path.join(root, "scripts/say.sh"), 0o755)
        path = os.path.join(root, "page.md")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        pages.check_page("page.md", root, os.path.join(root, "build"), write)
        with open(path, encoding="utf-8") as f:
            return f.read()


class Pages(unittest.TestCase):
    def refused(self, text, why):
        with self.assertRaisesRegex(pages.Wrong, why):
            page(text)

    def test_commands_run_in_one_folder_and_in_order(self):
        page("```sh\necho a > x\n```\n```console\n$ cat x\na\n$ echo b\nb\n```\n")

    def test_a_failing_command_is_named_with_its_line(self):
        self.refused("text\n```sh\ntrue\nfalse\n```\n", "^4: exit status 1, not 0: false")
        self.refused("```sh\nno-such-command\n```\n", "exit status 127")

    def test_a_command_that_must_fail(self):
        page("```sh\nexit 3   # exit status 3\n```\n")
        self.refused("```sh\ntrue   # exit status 3\n```\n", "exit status 0, not 3")

    def test_output_is_compared(self):
        self.refused("```console\n$ echo a\nb\n```\n", "prints something else")
        self.refused("```console\n$ echo a\n```\n", "prints something else")
        self.refused("```console\n$ true\na\n```\n", "prints something else")
        self.refused("```console\n$ echo a >&2\nb\n```\n", "prints something else")

    def test_what_varies(self):
        self.assertTrue(pages.as_shown(["a … c", "…", "z"], ["a b c", "1", "2", "z"]))
        self.assertTrue(pages.as_shown(["a", "…"], ["a"]))
        self.assertFalse(pages.as_shown(["a … c"], ["a b d"]))
        self.assertFalse(pages.as_shown(["…", "z"], ["1", "2"]))
        self.assertTrue(pages.as_shown(["in 55: 0x1f", "at 55"], ["in 7: 0x2", "at 7"], ["55", "0x1f"]))
        self.assertFalse(pages.as_shown(["in 55", "at 55"], ["in 7", "at 8"], ["55"]))
        self.assertFalse(pages.as_shown(["in 55"], ["in 7"]))
        page("<!-- varies: 12 -->\n```console\n$ echo 345\n12\n```\n")

    def test_commands_over_several_lines(self):
        page("```sh\ncat > x <<'END'\na\n\n$b\nEND\nprintf '%s' \\\n  c >> x\n```\n```console\n$ cat x\na\n\n$b\nc\n```\n")

    def test_blocks_that_are_none(self):
        self.refused("```\ntrue\n```\n", "sh, console, text or c")
        self.refused("```rust\nlet x;\n```\n", "sh, console, text or c")
        self.refused("```sh\ntrue\n", "has no end")
        self.refused("```console\nfalse\n```\n", "a session begins")
        page("```text\nfalse\n```\n")

    def test_generated_parts(self):
        old = "<!-- scripts/say.sh -->\nold\n<!-- end -->\n"
        new = "<!-- scripts/say.sh -->\nsaid\n<!-- end -->\n"
        page(new)
        self.refused(old, "a table is old")
        self.assertEqual(page(old, write=True), new)
        self.refused("<!-- scripts/none.sh -->\n<!-- end -->\n", "exit status 127")

    def test_the_tree_is_left_alone(self):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "build"))
            with open(os.path.join(root, "page.md"), "w", encoding="utf-8") as f:
                f.write("```sh\ntouch here build/there\n```\n")
            pages.check_page("page.md", root, os.path.join(root, "build"), False)
            self.assertEqual(sorted(os.listdir(root)), ["build", "page.md"])
            self.assertEqual(os.listdir(os.path.join(root, "build")), [])

    def test_exceptions_that_no_page_has_or_that_are_gone(self):
        every = set(exceptions.NOT_RUN)
        with tempfile.TemporaryDirectory() as empty:
            os.makedirs(os.path.join(empty, "scripts"))
            with open(os.path.join(empty, "scripts/packages.txt"), "w", encoding="utf-8") as f:
                f.write("build     gcc    =    =    =    C compiler\n")
            self.assertEqual(len(list(exceptions.check(empty, empty, every))), len(every))
            self.assertIn("exceptions.py: no page says './demo.sh'; delete the entry",
                          list(exceptions.check(empty, empty, every - {"./demo.sh"})))


class Links(unittest.TestCase):
    def test_links(self):
        with tempfile.TemporaryDirectory() as root:
            a = os.path.join(root, "a.md")
            with open(a, "w", encoding="utf-8") as f:
                f.write("# `tiny`: 4 lanes, 4 warps\n\n```text\n[no](link.md)\n```\n[b](b.md)\n<a id=\"beat\"></a>\n")
            self.assertIsNone(links.wrong(a, "a.md"))
            self.assertIsNone(links.wrong(a, "#tiny-4-lanes-4-warps"))
            self.assertIsNone(links.wrong(a, "a.md#beat"))
            self.assertEqual(links.wrong(a, "b.md"), "does not exist")
            self.assertEqual(links.wrong(a, "a.md#other"), "has no such heading or anchor")
            self.assertEqual(links.LINK.findall(links.prose(a)), ["b.md"])

    def test_paths_in_back_quotes(self):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "isa/doc"))
            page_of = os.path.join(root, "isa/a.md")
            with open(page_of, "w", encoding="utf-8") as f:
                f.write("`isa/doc` `isa/d` `doc/x` `isa/x.c`\n`other/x` `isa/NAME.isa`\n")
            found = [(n, path) for n, path, why in links.findings(root, page_of) if why]
            self.assertEqual(found, [(1, "isa/x.c")])


class Words(unittest.TestCase):
    def found(self, text, path="docs/a.md", held=("docs/", "rtl/", "cosim/")):
        """What fails of a file of this text, a line each."""
        with tempfile.TemporaryDirectory() as root:
            page_of = pathlib.Path(root, path)
            page_of.parent.mkdir(parents=True)
            page_of.write_text(text, encoding="utf-8")
            root = pathlib.Path(root)
            return words.judge(root, list(held), list(words.files(root)))[0]

    def status(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()):
            return words.main(list(arguments))

    def refused(self, text, *why, path="docs/a.md"):
        found = self.found(text, path)
        self.assertEqual(len(found), len(why), found)
        for line, beginning in zip(found, why):
            self.assertTrue(line.startswith(f"{path}:{beginning}"), line)

    def test_hidden_words_fail_in_every_page_of_users(self):
        self.assertIn("rtl/README.md:2: hidden: 'mended'", self.found("a\nMended\n", "rtl/README.md", [])[0])
        self.assertEqual(self.found("`told.c` `` `told `` `a\ntold`\n```text\ntold\n```\n"), [])
        for path in ("docs/lab/a.md", "build/a.md"):
            self.assertEqual(self.found("Mended\n", path), [])

    def test_paths_that_are_not_held_are_counted(self):
        self.assertEqual(self.found("Of it, a part.\n", held=["docs/b.md"]), [])
        with tempfile.TemporaryDirectory() as root:
            pathlib.Path(root, "a.md").write_text("Of it.\n", encoding="utf-8")
            self.assertEqual(words.judge(pathlib.Path(root), [], ["a.md"])[1], {(".", "first"): 1})
            self.assertEqual(self.status(root), 0)
            self.assertEqual(self.status(root, "--all"), 1)
            pathlib.Path(root, "tests/docs").mkdir(parents=True)
            for held, status in (("a.md", 1), ("none.md", 1), ("# a", 0)):
                pathlib.Path(root, "tests/docs/held.txt").write_text(held + "\n", encoding="utf-8")
                self.assertEqual(self.status(root), status)
        self.assertEqual(words.shortest(["a/b/c", "a/b/d", "e", "a/g.c"], ["a/b/c", "a/b/d", "a/f", "a/g.c", "e"]),
                         ["a/b/", "a/*.c", "e"])

    def test_sentences_begin_with_a_noun(self):
        self.refused("# What the core knows\n", "1: first: 'What'", "1: animate: 'knows'")
        self.refused("One thing.\nOf two, one. Whatever it is.\n", "2: first: 'Of'", "2: first: 'Whatever'")
        self.refused("| a | What it is |\n|---|---|\n", "1: first: 'What'")
        self.assertEqual(self.found("# What is shown?\n\nOften, what it is.\n"), [])

    def test_sentences_have_thirty_words(self):
        self.assertEqual(self.found("a " * 30 + "`b c\nd`.\n" .replace("`b c\nd`", "")), [])
        self.refused("One.\n" + "a " * 30 + "`b c`.\n", "2: length: 31 words")
        self.assertEqual(self.found("- " + "a " * 20 + "\n- " + "b " * 20 + "\n"), [])
        self.assertEqual(self.found("| " + "a " * 20 + " | " + "b " * 20 + "|\n"), [])

    def test_hardware_is_no_person(self):
        self.refused("A warp\nwhose cache asks.\n", "2: person: 'whose'", "2: animate: 'asks'")
        self.assertEqual(self.found("You cannot know. A reader is asked. Frequently asked questions. It is known.\n"), [])
        self.refused("A line\nlies there, given up.\n", "2: term: 'lies'", "2: term: 'given up'")

    def test_comments_of_hardware(self):
        text = "// It\n// asks.\n\nassign ask = a;  // Of it\n// SPDX-License-Identifier: whose\n// What \"a\n"
        self.refused(text, "2: animate: 'asks'", "4: first: 'Of'", "6: first: 'What'", path="rtl/a.sv")
        self.assertEqual(self.found("// ask_valid_i, `ask`: fires\nlogic ask;\n", "rtl/a.sv"), [])

    def test_comments_and_messages_of_programs(self):
        text = '/* A\n * lock whose\n */\nint ask(void); /* who */\n'
        self.refused(text, "2: person: 'whose'", "4: person: 'who'", path="cosim/a.h")
        self.refused('// who asks\nx = say("a port "\n  "that asks\\n");\n', "2: animate: 'asks'", path="cosim/a.c")
        self.assertEqual(self.found('x = "<p>' + "a " * 20 + "</p><p>" + "b " * 20 + '</p>";\n', "cosim/a.c"), [])
        self.assertEqual(self.found('#include "who asks it"\nname("asks", "who");\n', "cosim/a.c"), [])

    def test_a_hard_word_leads_to_the_glossary(self):
        link, far = "[b](glossary.md#beat)\n", "a\n\n" * 6
        for text in (link + far + "a beat\n", far + "a " + link + "a beat\n", "beat\n" + link, "# Beat\n", "`beat`\n"):
            self.assertEqual(self.found(text), [])
        self.assertIn("docs/a.md:1: glossary: 'beats'", self.found("beats\n")[0])
        self.assertIn("docs/a.md:13: glossary: 'Parked'", self.found(far + "Parked\n" + link)[0])
        self.assertEqual(self.found("beat\n", "rtl/README.md"), [])


def tree(files):
    """A source tree of these files; its folder."""
    root = tempfile.TemporaryDirectory()
    for path, text in files.items():
        whole = pathlib.Path(root.name, path)
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_text(text, encoding="utf-8")
    return root


class Features(unittest.TestCase):
    LISTED = "there | virtual memory, paging | Paging came\nmissing | images | README.md docs/faq.md\n"
    README = "# a\n\n## Limits\nNo images.\n"

    def found(self, **files):
        with tree({"tests/docs/features.txt": self.LISTED, "CHANGELOG.md": "- Paging\n  came\n", "README.md": self.README,
                   "docs/faq.md": "It has\nno images.\n", **files}) as root:
            return list(features.findings(pathlib.Path(root)))

    def test_a_denied_feature(self):
        self.assertEqual(self.found(), [])
        for text, said in (("One.\n\nNo paging.\n", "No paging"),
                           ("a\n\nwithout any\nvirtual memory\n", "without any virtual memory"),
                           ("a\n\nPaging is not supported.\n", "Paging is not supported")):
            self.assertEqual(self.found(**{"rtl/README.md": text}), [f"rtl/README.md:3: denies what is there: '{said}'"])

    def test_what_is_missing_is_said(self):
        self.assertEqual(self.found(**{"docs/faq.md": "Images may come.\n"}),
                         ["docs/faq.md: does not say that images is missing"])
        found = self.found(**{"README.md": "## Limits\nNo images, no sound; more.\n"})
        self.assertEqual(found, ["README.md: limits: 'no sound' is not a feature that features.txt has as missing"])
        self.assertIn("README.md: no section of limits", self.found(**{"README.md": "No images.\n"}))

    def test_the_list_itself(self):
        self.assertEqual(self.found(**{"CHANGELOG.md": "nothing\n"}),
                         ["features.txt: CHANGELOG.md does not say 'Paging came', nor is it a path"])
        self.assertIn("features.txt: 'maybe' is neither there nor missing",
                      self.found(**{"tests/docs/features.txt": self.LISTED + "maybe | a | b\n"}))


class Counts(unittest.TestCase):
    TREE = {"isa/configs/b.cfg": "", "isa/configs/a.cfg": "", "cosim/retire/retire.records": 'records retire 9 "a"\n',
            "cosim/include/heddle/trace.h": "#define TRACE_VERSION 10u\n"}

    def found(self, text, path="a.md"):
        with tree({**self.TREE, path: text}) as root:
            return list(counts.wrong_counts(root, path, text))

    def test_a_wrong_count(self):
        self.assertEqual(self.found("a\n<!--count:machines-->2<!--/--> <!--count:machines.names-->`a`,\n`b`<!--/-->\n"), [])
        self.assertEqual(self.found("a\n<!--count:machines-->3<!--/-->\n"),
                         ["a.md:2: machines is 2, not 3: scripts/counts.py --write"])
        self.assertIn("a.md:1: no count is named cats", self.found("<!--count:cats-->3<!--/-->")[0])

    def test_typed_versions(self):
        self.assertEqual(self.found("<!--count:records.version-->9<!--/-->. Records have version 9, traces version 10.\n"), [])
        self.assertEqual(self.found("a\nRecords have version 8.\n"), ["a.md:2: 'Records have version 8': records.version is 9"])
        self.assertEqual(self.found("Version 9.\n\n## a\nVersion 3.\n", "docs/trace-format.md"),
                         ["docs/trace-format.md:1: 'Version 9.': traces.version is 10"])

    def test_marks_are_filled(self):
        with tree(self.TREE) as root:
            self.assertEqual(counts.filled(root, "<!--count:machines-->5<!--/--> b"), "<!--count:machines-->2<!--/--> b")
            self.assertEqual(counts.filled(root, "<!--count:machines.names-->`a`,\n`b`<!--/-->"),
                             "<!--count:machines.names-->`a`,\n`b`<!--/-->")

    def test_folders_are_named(self):
        with tree({"rtl/README.md": "", "rtl/sm/a.sv": "", "rtl/lib/b.sv": "", "docs/where-is-x.md": ""}) as root:
            self.assertEqual(list(counts.check(root)), ["docs/where-is-x.md: does not name the folder docs/",
                             "docs/where-is-x.md: does not name the folder rtl/", "rtl/README.md: does not name the folder rtl/sm/"])


class DifferenceReport(unittest.TestCase):
    def test_the_page_names_all_that_is_compared(self):
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
        with open(os.path.join(root, "cosim/include/heddle/checker.h"), encoding="utf-8") as f:
            kinds = set(re.findall(r"^  X\([A-Z_]+, \"(\w+\.)", f.read(), re.M))
        with open(os.path.join(root, "docs/difference-report.md"), encoding="utf-8") as f:
            named = set(re.findall(r"`(\w+\.)(?:\w+)?`", f.read()))
        self.assertTrue(kinds)
        self.assertEqual(kinds - named, set())


if __name__ == "__main__":
    unittest.main()
