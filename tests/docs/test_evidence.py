#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/evidence.py finds what is wrong with the list of figures, in a tree of one figure, and nothing where all is
right.

usage: test_evidence.py
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts")
sys.path.insert(0, SCRIPTS)
import evidence
import evidence_plan


class Tree:
    """README.md quotes 50 MHz, measured on the first commit with three lines of rtl/."""

    def __init__(self):
        self.root = tempfile.mkdtemp()
        self.write("README.md", "It runs at\n50 MHz.\n```\nmade in 3 minutes\n```\n")
        self.write("rtl/a.sv", "1\n2\n3\n")
        self.write("scripts/measure.sh", "")
        os.makedirs(os.path.join(self.root, "docs/lab"))
        for name in ("evidence.py", "evidence_plan.py"):
            shutil.copy(os.path.join(SCRIPTS, name), os.path.join(self.root, "scripts"))
        self.git("init", "-q")
        self.git("config", "user.email", "a@b")
        self.git("config", "user.name", "a")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "first")
        self.figure = {"id": "speed", "topic": "Speed", "what": "it", "figure": "50 MHz",
                       "pages": {"README.md": "runs at 50 MHz"}, "commit": self.git("rev-parse", "HEAD").strip()[:7],
                       "depends": ["rtl"], "command": "scripts/measure.sh"}
        self.put()

    def git(self, *words):
        return subprocess.run(["git", "-C", self.root, *words], capture_output=True, text=True, check=True).stdout

    def write(self, path, text):
        whole = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "w", encoding="utf-8") as f:
            f.write(text)

    def put(self):
        self.write("docs/lab/evidence.json", json.dumps({"figures": [self.figure]}))

    def run(self, *words):
        done = subprocess.run([sys.executable, "-B", os.path.join(self.root, "scripts/evidence.py"), *words],
                              capture_output=True, text=True)
        return done.returncode, done.stdout

    def changed(self, lines, code="x"):
        self.write("rtl/a.sv", "1\n2\n3\n" + f"{code}\n" * lines)


class Evidence(unittest.TestCase):
    def setUp(self):
        self.tree = Tree()
        self.addCleanup(shutil.rmtree, self.tree.root)
        self.assertEqual(self.tree.run("--write")[0], 0)

    def right(self):
        self.assertEqual(self.tree.run("--check"), (0, "1 figures, 0 findings\n"))

    def finds(self, words):
        status, said = self.tree.run("--check")
        self.assertEqual(status, 1)
        self.assertIn(words, said)

    def page(self):
        with open(os.path.join(self.tree.root, "docs/lab/evidence.md"), encoding="utf-8") as f:
            return f.read()

    def with_figure(self, **fields):
        self.tree.figure.update(fields)
        self.tree.put()

    def test_right(self):
        self.right()
        page = self.page()
        self.assertIn("fresh, 0 lines since `", page)
        self.assertIn("1 figures: 1 fresh, 0 tested, 0 stale, 0 history.", page)

    def test_few_lines_change_nothing(self):
        self.tree.changed(2000)
        self.right()

    def test_stale(self):
        self.tree.changed(2001)
        self.finds("speed: README.md quotes 50 MHz, of which 2,001 lines have changed")
        self.finds("docs/lab/evidence.md is out of date")
        self.tree.run("--write")
        self.finds("speed: README.md quotes")

    def test_comments_and_pages_are_no_lines(self):
        self.tree.changed(2001, "  // x")
        self.right()
        self.tree.changed(1000, "x // y")
        self.tree.write("rtl/README.md", "a page\n" * 2001)
        self.right()

    def test_lines_of_a_diff(self):
        def lines(*body, path="a.sv"):
            return evidence.changed_in("\n".join(("diff --git a/x b/x", f"--- a/{path}", f"+++ b/{path}", "@@ -1 +1 @@", *body)))
        self.assertEqual(lines("-a = b;", "+a = c;"), 2)
        self.assertEqual(lines("-a = b; // old", "+a  = b;  // new", "+// more", "+"), 0)
        self.assertEqual(lines("-a", "@@ -9 +9 @@", "+a"), 2)
        self.assertEqual(lines("+# a", "+ * a", "+a", path="a.py"), 2)
        self.assertEqual(lines("+# a", "+ * a", "+/* a */ b", "+/* a", path="a.c"), 1)
        self.assertEqual(evidence.changed_in("diff --git a/x b/x\n--- a/x.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-a"), 1)

    def stale_in(self, page, text):
        self.tree.write("README.md", "Nothing.\n")
        self.tree.write(page, text)
        self.with_figure(pages={page: "50 MHz"})
        self.tree.changed(2001)
        self.tree.run("--write")

    def test_stale_elsewhere(self):
        self.stale_in("docs/speed.md", "50 MHz")
        self.finds("speed: docs/speed.md quotes 50 MHz, of which 2,001 lines have changed: measure it again, or take it out")

    def test_stale_in_the_lab(self):
        self.stale_in("docs/lab/speed.md", "50 MHz")
        self.right()
        self.assertIn("0 tested, 1 stale, 0 history.", self.page())

    def test_stale_in_a_study(self):
        commit = self.tree.figure["commit"]
        self.stale_in("docs/study-speed.md", f"Measured at\ncommit {commit}: 50 MHz")
        self.right()
        self.stale_in("docs/study-speed.md", "Measured at commit 1234567: 50 MHz")
        self.finds("speed: docs/study-speed.md quotes")
        self.stale_in("docs/speed.md", f"Measured at commit {commit}: 50 MHz")
        self.finds("speed: docs/speed.md quotes")

    def test_quoted_nowhere(self):
        self.tree.write("README.md", "Nothing.\n")
        self.with_figure(pages={})
        self.finds("speed: is quoted nowhere")
        self.tree.changed(2001)
        self.tree.run("--write")
        self.right()
        self.assertIn("**50 MHz**", self.page())
        self.assertIn("; on no page\n", self.page())
        self.assertIn("history, 2,001 lines since `", self.page())
        self.assertIn("0 stale, 1 history.", self.page())

    def test_other_paths_do_not_count(self):
        self.tree.write("README.md", "It runs at 50 MHz.\n" + "x\n" * 3000)
        self.right()

    def test_commit(self):
        self.with_figure(commit="1234567")
        self.finds("speed: commit 1234567 is not there")

    def test_command(self):
        self.with_figure(command="scripts/gone.sh")
        self.finds("speed: scripts/gone.sh of its command does not exist")
        self.with_figure(command="build/heddle nothing")
        self.finds("speed: heddle has no command nothing")
        self.with_figure(command="build/bin/nothing")
        self.finds("speed: nothing builds build/bin/nothing")
        self.with_figure(command="by hand")
        self.finds("speed: its command runs nothing of this tree")
        del self.tree.figure["command"]
        self.tree.put()
        self.finds("speed: has no command")

    def test_words(self):
        self.with_figure(pages={"README.md": "runs at 51 MHz"})
        self.finds("speed: README.md does not say: runs at 51 MHz")

    def test_not_in_the_list(self):
        self.tree.write("README.md", "It runs at 50 MHz, or 60 MHz.\n")
        self.finds("README.md quotes 60 MHz")

    def test_paths(self):
        self.with_figure(depends=["gone"])
        self.finds("speed: depends on gone, which does not exist")

    def test_page(self):
        self.tree.write("docs/lab/evidence.md", "old")
        self.finds("docs/lab/evidence.md is out of date")

    def test_shallow(self):
        self.tree.changed(1)
        self.tree.git("commit", "-q", "-a", "-m", "second")
        shallow = self.tree.root + "-shallow"
        self.addCleanup(shutil.rmtree, shallow)
        self.tree.git("clone", "-q", "--depth", "1", "file://" + self.tree.root, shallow)
        for name in ("evidence.md", "evidence.json"):
            shutil.copy(os.path.join(self.tree.root, "docs/lab", name), self.made(shallow, "docs/lab"))
        self.tree.root, kept = shallow, self.tree.root
        status, said = self.tree.run("--check")
        self.assertEqual(status, 0, said)
        self.assertIn("no whole git history here", said)
        self.with_figure(command="scripts/gone.sh")
        self.finds("scripts/gone.sh")
        self.tree.root = kept

    def test_archive(self):
        shutil.rmtree(os.path.join(self.tree.root, ".git"))
        status, said = self.tree.run("--check")
        self.assertEqual(status, 0)
        self.assertIn("no whole git history here", said)
        self.with_figure(command="scripts/gone.sh")
        self.finds("scripts/gone.sh")

    @staticmethod
    def made(*parts):
        folder = os.path.join(*parts)
        os.makedirs(folder, exist_ok=True)
        return folder


class Plan(unittest.TestCase):
    """A plan of one item, asked of two of three machines, with a figure for one of them."""

    def setUp(self):
        self.tree = Tree()
        self.addCleanup(shutil.rmtree, self.tree.root)
        for name in ("big", "tiny", "wide"):
            self.tree.write(f"isa/configs/{name}.cfg", "")
        self.tree.write("isa/configs/CMakeLists.txt", "foreach(name tiny wide)\n  set(HEDDLE_TIER_${name} more CACHE INTERNAL)\n")
        self.tree.write("docs/for-verification.md", "Before.\n<!-- scripts/evidence.py plan -->\n<!-- end -->\n"
                        "After.\n")
        self.row = {"item": "clock", "name": "Clock", "aim": "50 MHz", "least": 50, "unit": " MHz",
                    "not": {"big": "too large"}}
        self.tree.figure.update(item="clock", reached={"tiny": 50})
        self.more = []
        self.put()
        self.assertEqual(self.tree.run("--write")[0], 0)

    def data(self):
        return {"plan": [self.row], "figures": [self.tree.figure] + self.more}

    def put(self, **fields):
        self.tree.figure.update(fields)
        self.tree.write("docs/lab/evidence.json", json.dumps(self.data()))

    def page(self):
        with open(os.path.join(self.tree.root, "docs/for-verification.md"), encoding="utf-8") as f:
            return f.read()

    def shows(self, cells, note=""):
        self.tree.run("--write")
        self.assertIn(f"| Clock | {cells} |", self.page())
        self.assertIn(note, " ".join(self.page().split()))
        self.assertEqual(self.tree.run("--check")[0], 0)

    def finds(self, words):
        status, said = self.tree.run("--check")
        self.assertEqual(status, 1)
        self.assertIn(words, said)

    def test_green_red_dash(self):
        commit = self.tree.figure["commit"]
        day = self.tree.git("show", "-s", "--format=%cs").strip()
        self.shows("– | ● 50 MHz ¹ | ○", f"(1) `tiny` 50 MHz; {day}, `{commit}`. –: too large.")
        self.assertTrue(self.page().startswith("Before.\n") and self.page().endswith("\nAfter.\n"))
        self.assertEqual(self.tree.run("plan"), (0, self.page().split("plan -->\n")[1].split("<!-- end")[0]))

    def test_stale(self):
        self.put(pages={})
        self.tree.write("README.md", "Nothing.\n")
        self.tree.run("--write")
        self.tree.changed(2001)
        self.finds("the plan in docs/for-verification.md is out of date")
        self.shows("– | ◐ 50 MHz ¹ | ○", "; *stale*.")

    def test_below_the_aim(self):
        self.row["least"] = 51
        self.put()
        self.shows("– | ◐ 50 MHz ¹ | ○", "; *of 51 MHz*.")

    def test_lacks(self):
        self.put(short="one part alone")
        self.shows("– | ◐ 50 MHz ¹ | ○", "; *one part alone*.")

    def test_the_best_of_two(self):
        self.more = [{**self.tree.figure, "id": "other", "reached": {"tiny": 49, "wide": 49}, "pages": {}}]
        self.put()
        self.shows("– | ● 50 MHz ¹ | ◐ 49 MHz ²")

    def test_whole(self):
        del self.row["not"], self.tree.figure["reached"]
        self.row["whole"] = True
        self.put()
        self.tree.run("--write")
        self.assertIn("- ● **Clock.** Aim: 50 MHz. (1) 50 MHz; ", self.page())
        self.put(reached={"tiny": 50})
        self.finds("speed: its item is not by configuration")

    def test_proofs_are_counted(self):
        self.row.update(least=100, unit=" %")
        self.tree.write("docs/proofs.md", "| proof | on | proved | bounded |\n|---|---|--:|--:|\n"
                        "| a | `tiny` | 5 | 1 |\n| b | `tiny` | 0 | 1 |\n| c | `wide` | 3 | 0 |\n")
        self.put(reached="docs/proofs.md")
        self.shows("– | ◐ 71.4 % ¹ | ● 100 % ¹")

    def test_by_hand(self):
        self.tree.write("docs/for-verification.md", self.page().replace("○", "●"))
        self.finds("the plan in docs/for-verification.md is out of date")
        self.tree.write("docs/for-verification.md", "Nothing.\n")
        self.finds("docs/for-verification.md has no <!-- scripts/evidence.py plan -->")

    def test_a_typed_share(self):
        self.row.update(least=90, unit=" %")
        self.tree.figure["figure"] = "48 of 57"
        self.put(reached={"tiny": 90.3})
        self.finds("speed: tiny 90.3: 48 of 57 is 84.2")
        self.put(reached={"tiny": 84.2})
        self.shows("– | ◐ 84.2 % ¹ | ○")

    def test_wrong_names(self):
        self.put(item="speed")
        self.finds("speed: speed is no item of the plan")
        self.put(item="clock", reached={"tinny": 50})
        self.finds("speed: there is no configuration tinny")
        self.put(reached={})
        self.finds("speed: says for no configuration what it is evidence of")
        self.row["not"] = {"bigg": "too large"}
        self.put(reached={"tiny": 50})
        self.finds("plan: clock: there is no configuration bigg")
        del self.row["aim"]
        self.put()
        self.finds("plan: clock has no aim")

    def test_tests(self):
        for name in ("commit", "depends", "reached"):
            del self.tree.figure[name]
        self.put(tests=["clock.*"], configs=["tiny", "wide"])
        self.shows("– | ● ¹ | ● ¹", "(1) 50 MHz; each commit.")

        def wrong(tests, built):
            return list(evidence_plan.wrong(self.tree.root, self.data(), tests, built))
        self.assertEqual(wrong(["clock.tiny", "clock.wide"], ["tiny", "wide"]), [])
        self.assertEqual(wrong(["clock.tiny"], ["tiny", "wide"]), ["speed: there is no test clock.wide"])
        self.assertEqual(wrong(["clock.tiny"], ["tiny"]), [])  # a build of fewer machines
        self.put(configs=["big"])  # whose device no landing tests
        self.assertEqual(wrong(["clock.tiny"], ["tiny"]), ["speed: there is no test clock.big"])

    def test_archive(self):
        shutil.rmtree(os.path.join(self.tree.root, ".git"))
        self.assertIn("| Clock | – | ● 50 MHz ¹ | ○ |", self.tree.run("plan")[1])

    def test_waivers(self):
        self.tree.write("lab/verify/coverage/exclusions.txt", "# what it is\nform a # why\nhazard b # why\n")
        self.tree.write("lab/verify/coverage/never.c", '#include "a.h"\n  return "never so";\n  {"a.b", NULL, "is full"},\n')
        self.tree.run("--write")
        self.assertIn("- 2 bins of coverage that these tools cannot reach", self.page())
        self.assertIn("- 2 reasons why bins of coverage cannot be", self.page())


if __name__ == "__main__":
    unittest.main()
