#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How old each figure is that the pages quote: docs/lab/evidence.md, made of docs/lab/evidence.json.

usage: evidence.py --write | --check [--build DIR] | plan     example: scripts/evidence.py --write
The list names of each figure: what it says, the pages and the words there, the commit on which it was measured and the
paths that it depends on, without those that begin with ! (or the tests that hold it to what they measure), and the
command that measures it again. It is stale when more than 2,000 lines of these paths have changed since, comments and
pages apart. --write makes the page. --check finds what is wrong: a commit or command that is not there, words that their
page does not have, a page that is out of date, a stale figure
in a page outside docs/lab, a fresh one that no page quotes, a figure of README.md that is not in the list. Two may be
stale: one that no page quotes, which is history, and one of a study (docs/study-*.md) that says "Measured at commit
COMMIT", of that figure. The count of lines moves with each commit and is not compared: the page is out of date when a
figure has become stale or fresh, not before. --build: the tests that are named must be some of this build.
`plan` prints the plan of verification with its state (evidence_plan.py), which --write puts into
docs/for-verification.md and --check compares; where there is no history to tell ages by, what that page has.
Exit status: 0 nothing is wrong, 1 something is, 2 usage.
"""
import collections
import functools
import glob
import json
import os
import re
import subprocess
import sys
import textwrap

import evidence_plan

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
LIST, PAGE = "docs/lab/evidence.json", "docs/lab/evidence.md"
STALE = 2000  # lines
FIELDS = {"id", "topic", "what", "figure", "pages", "command"}
# What a number of README.md is followed by when it was measured and not counted.
MEASURED = re.compile(r"\d[\d.,]*\s(?:MHz|%|minutes|seconds|hours?|times)(?!\w)")


class NoHistory(Exception):
    pass


def git(root, *words):
    done = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise NoHistory(done.stderr.strip())
    return done.stdout


def has_history(root):
    """All of it: an archive has none, a shallow clone no old commits."""
    return os.path.exists(os.path.join(root, ".git")) and git(root, "rev-parse", "--is-shallow-repository").strip() == "false"


# Folders that have moved since some figures were measured: where a path begins now, and began before.
MOVED = {"lab/": "", "tests/lab/": "tests/", "lab/fpga/": "", "tests/lab/fpga/": "tests/", "isa/configs/": "configs/",
         "run/": "tools/", "compiler/device": "firmware/runtime/cc"}


SLASHES = (".sv", ".svh", ".v", ".c", ".h", ".cpp", ".hpp", ".cl", ".cu", ".ptx", ".s")
COMMENT, BEGINS_COMMENT = re.compile(r"//.*|/\*.*?\*/"), re.compile(r"\s*(\*|/\*)")


@functools.cache
def code_of(slashes, line):
    """A line without its comment and its blanks."""
    if slashes:
        return "" if BEGINS_COMMENT.match(line) else "".join(COMMENT.sub("", line).split())
    return "" if line.lstrip().startswith("#") else "".join(line.split())


def differ(old, new):
    """Lines that only one of two pieces of text has."""
    old, new = collections.Counter(filter(None, old)), collections.Counter(filter(None, new))
    return sum((old - new).values()) + sum((new - old).values())


def changed_in(diff):
    """Lines added and removed by a diff without context, but for comments, pages and blanks, which no figure depends on."""
    lines, path, old, new = 0, "", [], []
    for line in diff.splitlines():
        if line.startswith(("@@", "diff ")):
            lines += differ(old, new)
            old, new = [], []
        elif line.startswith(("--- ", "+++ ")):
            path = line[6:] if line[4:] != "/dev/null" else path
        elif line[:1] in ("-", "+") and not path.endswith(".md"):
            (old if line[0] == "-" else new).append(code_of(path.endswith(SLASHES), line[1:]))
    return lines + differ(old, new)


def changed(root, figure):
    """Lines added and removed since the figure's commit in what it depends on, in the files as they are now."""
    depends = list(figure["depends"])
    for now, before in MOVED.items():
        depends += [before + path.removeprefix(now) for path in figure["depends"] if path.startswith(now)]
    paths = [":(exclude,glob)" + path[1:] if path.startswith("!") else ":(glob)" + path for path in depends]
    return changed_in(git(root, "diff", "-U0", "-M", figure["commit"], "--", *paths))


def plain(text):
    """Words without line ends, so that a page may be wrapped anew."""
    return re.sub(r"\s+", " ", text)


def read(root, path):
    try:
        with open(os.path.join(root, path), encoding="utf-8") as f:
            return f.read()
    except OSError:
        return None


# ---- what is wrong with the list
def wrong_entry(root, figure, tests):
    if ("commit" in figure) == ("tests" in figure) or ("commit" in figure) != ("depends" in figure):
        yield "has either commit and depends, or tests"
    for path, words in figure["pages"].items():
        text = read(root, path)
        if text is None:
            yield f"{path} does not exist"
        elif plain(words) not in plain(text):
            yield f"{path} does not say: {words}"
    for path in figure.get("depends", []):
        if not glob.glob(os.path.join(root, path.removeprefix("!"))):
            yield f"depends on {path}, which does not exist"
    for name in figure.get("tests", []):
        if tests is not None and not any(re.fullmatch(name.replace(".", r"\.").replace("*", ".*"), t) for t in tests):
            yield f"there is no test {name}"
    yield from wrong_command(root, figure["command"])


def wrong_command(root, command):
    """Programs are files of the tree, commands of heddle, or targets of the build; so are paths among the arguments."""
    found = False
    for part in re.split(r"&&|;|\|", command):
        words = [w for w in part.split() if not re.match(r"[A-Z_]+=", w)]
        program = words[0] if words else ""
        found = found or "/" in program or program == "ctest"
        if program == "build/heddle":
            name = words[1] if len(words) > 1 else ""
            if not any(glob.glob(os.path.join(root, part, "**", f"cmd_{name}.c"), recursive=True) for part in ("tools", "lab")):
                yield f"heddle has no command {name}"
        for word in words:
            if word.startswith("build/bin/") and not targets(root, word.split("/")[-1]):
                yield f"nothing builds {word}"
            elif "/" in word and not word.startswith(("build/", "../", "-")) and not glob.glob(os.path.join(root, word)):
                yield f"{word} of its command does not exist"
    if not found:
        yield f"its command runs nothing of this tree: {command}"


def targets(root, name):
    """Whether some CMakeLists.txt has the words of a target's name, which may be put together there."""
    last = name.split("_")[-1]
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if not f.startswith((".", "build"))]
        if "CMakeLists.txt" in files and re.search(rf"\b(\w*_)?{last}\b", read(folder, "CMakeLists.txt")):
            return True
    return False


def measured_words(readme):
    """The figures of README.md outside of commands and generated tables."""
    text = re.sub(r"^```.*?^```", "", readme, flags=re.M | re.S)
    text = re.sub(r"<!-- scripts/.*?<!-- end -->", "", text, flags=re.S)
    return MEASURED.findall(plain(text))


# ---- ages
class Ages:
    """Of each figure, by its id: lines changed, or None where tests hold it; and what could not be told."""

    def __init__(self, root, figures):
        self.lines, self.wrong = {}, []
        for figure in figures:
            self.lines[figure["id"]] = None
            if "commit" not in figure:
                continue
            try:
                git(root, "cat-file", "-e", figure["commit"] + "^{commit}")
                self.lines[figure["id"]] = changed(root, figure)
            except NoHistory:
                self.wrong.append(f"{figure['id']}: commit {figure['commit']} is not there")

    def stale(self, figure):
        return (self.lines[figure["id"]] or 0) > STALE

    def status(self, figure):
        if "tests" in figure:
            return "tested"
        return "fresh" if not self.stale(figure) else "stale" if figure["pages"] or "item" in figure else "history"


def may_be_stale(root, path, figure):
    return path.startswith("docs/lab/") or (
        path.startswith("docs/study-") and f"Measured at commit {figure['commit']}" in plain(read(root, path) or ""))


# ---- the page
HEAD = """# How old are the published figures?

For readers who quote or repeat a figure. *Fresh*: at most 2,000 lines of what it depends on have
changed since it was measured, comments and pages apart. *STALE*: more; then only `docs/lab` may
quote it, and a study that names its commit. *History*: stale and quoted nowhere. *Tested*: tests
hold it.

`scripts/evidence.py --write` makes this page from `evidence.json`; test `docs.evidence` fails when
it is out of date. To renew a figure: measure, change its page and its commit in the list, write
this page.
"""


def link(page):
    return f"[{page}]({os.path.relpath(page, os.path.dirname(PAGE))})"


def entry(figure, ages):
    """What it is and says; then how old, where it is quoted, and the command that measures it again."""
    status = ages.status(figure)
    if status == "tested":
        age = "tested by " + ", ".join(f"`{t}`" for t in figure["tests"])
    else:
        age = f"{status.replace('stale', '**STALE**')}, {ages.lines[figure['id']]:,} lines since `{figure['commit']}`"
    in_plan = [evidence_plan.PAGE] if "item" in figure else []
    pages = ", ".join(map(link, in_plan + list(figure["pages"]))) or "on no page"
    takes = f" ({figure['takes']})" if "takes" in figure else ""
    parts = (f"{figure['what']}: **{figure['figure']}**", f"{age}; {pages}", f"`{figure['command']}`{takes}")
    return "- " + "\n  ".join(line for part in parts for line in textwrap.wrap(part, 98, break_long_words=False,
                                                                              break_on_hyphens=False)) + "\n"


def page_of(figures, ages):
    all_of = [ages.status(f) for f in figures]
    counts = ", ".join(f"{all_of.count(status)} {status}" for status in ("fresh", "tested", "stale", "history"))
    text = HEAD + f"\n{len(figures)} figures: {counts}.\n"
    for topic in dict.fromkeys(f["topic"] for f in figures):
        text += f"\n## {topic}\n" + "".join(entry(f, ages) for f in figures if f["topic"] == topic)
    return text


def without_counts(page):
    """Nor where lines end, which moves with the counts."""
    return re.sub(r"[\d,]+ lines since", "lines since", plain(page))


# ---- all of it
def tests_of(build):
    """Those that ./test.sh --more runs."""
    said = subprocess.run(["ctest", "--test-dir", build, "-N", "-L", "^(first|more)$"], capture_output=True, text=True,
                          check=True).stdout
    return re.findall(r"^ *Test +#\d+: (\S+)", said, re.M)


def built_in(build):
    """The configurations that a build tests."""
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as f:
        return re.search(r"^HEDDLE_TESTED_CONFIGS:\w+=(.*)$", f.read(), re.M)[1].split(";")


def plan_of(root, data, ages):
    date = functools.cache(lambda commit: git(root, "show", "-s", "--format=%cs", commit).strip())
    return "\n".join(evidence_plan.Plan(root, data, ages.status, date).text()) + "\n"


def check(root, data, tests=None, built=None):
    """What is wrong, a sentence each. tests, built: those of a build."""
    figures = data["figures"]
    bare = [f for f in figures if FIELDS - f.keys()]
    yield from (f"{f.get('id', f)}: has no {', '.join(sorted(FIELDS - f.keys()))}" for f in bare)
    if bare:
        return
    wrong_plan = list(evidence_plan.wrong(root, data, tests, built)) if "plan" in data else []
    yield from wrong_plan
    for figure in figures:
        yield from (f"{figure['id']}: {why}" for why in wrong_entry(root, figure, tests))
    if len({f["id"] for f in figures}) != len(figures):
        yield "two figures have one id"
    quoted = [plain(f["pages"]["README.md"]) for f in figures if "README.md" in f["pages"]]
    for words in measured_words(read(root, "README.md") or ""):
        if not any(words in quote for quote in quoted):
            yield f"README.md quotes {words}, which is not in {LIST}"
    if not has_history(root):
        print("no whole git history here (an archive, a shallow clone?): how old figures are is not checked, all else is")
        return
    ages = Ages(root, figures)
    yield from ages.wrong
    for figure in figures:
        if not figure["pages"] and "item" not in figure and not ages.stale(figure):
            yield f"{figure['id']}: is quoted nowhere"
        for path in figure["pages"]:
            if ages.stale(figure) and not may_be_stale(root, path, figure):
                yield (f"{figure['id']}: {path} quotes {figure['figure']}, of which {ages.lines[figure['id']]:,} lines have "
                       "changed: measure it again, or take it out of the page (no page: history)")
    if not ages.wrong and without_counts(read(root, PAGE) or "") != without_counts(page_of(figures, ages)):
        yield f"{PAGE} is out of date: scripts/evidence.py --write"
    if "plan" in data and not ages.wrong and not wrong_plan:
        if evidence_plan.block(read(root, evidence_plan.PAGE)) != plan_of(root, data, ages):
            yield f"the plan in {evidence_plan.PAGE} is out of date: scripts/evidence.py --write"


def write(root, data):
    """Both pages. What is wrong with the list, if they cannot be made."""
    ages = Ages(root, data["figures"])
    found = ages.wrong + (list(evidence_plan.wrong(root, data, None, None)) if "plan" in data else [])
    if found:
        return found
    pages = {PAGE: page_of(data["figures"], ages)}
    if "plan" in data:
        pages[evidence_plan.PAGE] = evidence_plan.with_block(read(root, evidence_plan.PAGE), plan_of(root, data, ages))
    for path, text in pages.items():
        with open(os.path.join(root, path), "w", encoding="utf-8") as f:
            f.write(text)
    return []


def print_plan(root, data):
    if has_history(root):
        print(plan_of(root, data, Ages(root, data["figures"])), end="")
    else:
        print(evidence_plan.block(read(root, evidence_plan.PAGE)), end="")
    return 0


def main(words):
    if words[:1] not in (["--write"], ["--check"], ["plan"]) or len(words) not in (1, 3) or \
            words[1:2] not in ([], ["--build"]):
        print(__doc__, file=sys.stderr)
        return 2
    with open(os.path.join(ROOT, LIST), encoding="utf-8") as f:
        data = json.load(f)
    if words[0] == "plan":
        return print_plan(ROOT, data)
    if words[0] == "--write":
        found = write(ROOT, data)
    else:
        found = list(check(ROOT, data, *((tests_of(words[2]), built_in(words[2])) if len(words) == 3 else ())))
    for why in found:
        print(why)
    print(f"{len(data['figures'])} figures, {len(found)} findings")
    return 1 if found or not data["figures"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
