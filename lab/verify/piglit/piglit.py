#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Debian's piglit: its OpenCL program tests, compiled by `heddle cc` and run, each with what its file expects.

usage: piglit.py HEDDLE PIGLIT [--on "OPTIONS OF RUN"] [--cc "OPTIONS OF CLANG"] [--pick N] [--jobs N] [--known FILE]
                 [--list FILE] [--only WORDS]
  --cc       more options for clang, behind those of the test's file
  --pick N   N tests, spread over all (for lockstep); --only: files whose path has these words
  --known    tests that fail, with reasons ("PATH: NAME: reason" a line): exit status 0 if exactly these do
  --list     writes what failed in that form
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

from piglit_text import Argument, Unsupported, first, sections

SECONDS = 60
# The first that fits names the group of a failure.
GROUPS = [("images", "images"), ("makes no program", "clang refuses"), ("error:", "does not compile"),
          ("trap", "trap"), ("undefined", "undefined read"), ("is ", "another value"), ("", "other")]


def outcome(command, folder):
    """Exit status and what was said."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, check=False, text=True,
                              errors="replace")
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return 4, "error: no end in %d s" % SECONDS


class File:
    """One file of tests, compiled."""

    def __init__(self, heddle, root, path, folder, cc=()):
        self.heddle, self.root, self.path, self.folder, self.cc = heddle, os.path.realpath(root), path, folder, cc
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        head = re.search(r"/\*!(.*?)!?\*/", text, re.S)
        self.config, self.tests = sections(head[1] if head else text if path.endswith(".program_test") else "")
        self.source = path
        if first(self.config, "program_source_file"):
            self.source = os.path.join(os.path.dirname(path), first(self.config, "program_source_file"))

    def compile(self):
        """None, or why there is no program."""
        source = os.path.join(self.folder, "source.cl")
        os.symlink(os.path.realpath(self.source), source)
        options = first(self.config, "build_options", "").replace("-I ", "-I" + self.root + "/").split()
        if int(first(self.config, "clc_version_min", "10").split()[0]) >= 20:
            options.append("-cl-std=CL2.0")
        if "-Werror" not in options:
            options.append("-w")
        code, said = outcome([self.heddle, "cc", source, "-o", "p.ptx", "--", "-I" + os.path.dirname(self.path), *options,
                              *self.cc], self.folder)
        if code == 0:
            code, said = outcome([self.heddle, "ptx", "p.ptx", "-o", "p.elf", "--target", "model"], self.folder)
        if code != 0:
            return next((line for line in said.splitlines() if "error" in line), said[:200])
        with open(os.path.join(self.folder, "p.ptx"), encoding="utf-8") as f:
            self.ptx = f.read()
        return None

    def local(self, kernel, index):
        """Is this parameter a pointer to local memory?"""
        return re.search(r"\.ptr \.shared[^,)]*\b%s_param_%d\b" % (re.escape(kernel), index), self.ptx) is not None

    def run(self, test, options):
        """None, or why it fails."""
        pairs = test + self.config
        kernel, given, wanted = first(pairs, "kernel_name"), {}, []
        for key, value in test:
            if key == "arg_in":
                a = Argument(value)
                given[a.index] = a
            if key == "arg_out":
                wanted.append(Argument(value))
        if first(pairs, "global_offset", "0 0 0").split() != ["0"] * 3:
            raise Unsupported("a global offset")
        command = [self.heddle, "run", "p.elf", "--kernel", kernel, *options, "--global", size(first(pairs, "global_size"))]
        if size(first(pairs, "local_size", "0")) and first(pairs, "local_size", "0").split()[0] != "0":
            command += ["--local", size(first(pairs, "local_size"))]
        for index in sorted(set(given) | {a.index for a in wanted}):
            command += ["--arg", self.argument(kernel, index, given.get(index), wanted)]
        code, said = outcome(command, self.folder)
        if code != 0:
            return next((line for line in said.splitlines() if "error" in line or "trap" in line), said[:200])
        for a in wanted:
            with open(os.path.join(self.folder, f"{a.index}.out"), "rb") as f:
                wrong = a.wrong(f.read())
            if wrong:
                return wrong
        return None

    def argument(self, kernel, index, a, wanted):
        """What --arg takes; files for it."""
        out = next((w for w in wanted if w.index == index), None)
        if a is None:
            return f"out:{out.bytes}:{index}.out"
        if a.null:
            return f"local:{a.bytes}" if self.local(kernel, index) else "u64:0"
        name = os.path.join(self.folder, f"{index}.in")
        with open(name, "wb") as f:
            f.write(a.data())
        if not a.buffer:
            return f"struct:{index}.in"
        return f"inout:{index}.in:{index}.out" if out else f"inout:{index}.in:{index}.unused"


def size(text):
    """"4 0 0" as 4,1,1."""
    return ",".join(str(max(int(w), 1)) for w in (text or "1").split()[:3])


def run_file(heddle, root, path, options, cc, chosen):
    """[(name, None or the reason)] of a file's tests; chosen: their numbers, None: all."""
    if chosen is not None and not chosen:
        return []
    results = []
    with tempfile.TemporaryDirectory(prefix="piglit-") as folder:
        f = File(heddle, root, path, folder, cc)
        names = [f"{k}: {first(t, 'name', '')}" for k, t in enumerate(f.tests)] or ["builds"]
        wants_failure = first(f.config, "expect_build_fail", "false") == "true"
        why = f.compile()
        if wants_failure or why or not f.tests:
            why = None if wants_failure and why else "clang takes what it must refuse" if wants_failure else why
            return [(n, why) for k, n in enumerate(names) if chosen is None or k in chosen]
        for k, (name, test) in enumerate(zip(names, f.tests)):
            if chosen is not None and k not in chosen:
                continue
            try:
                why = f.run(test, options)
            except (Unsupported, ValueError, TypeError) as e:
                why = f"not run: {e}"
            if first(test, "expect_test_fail") == "true":
                why = None if why else "passes, which must fail"
            results.append((name, why))
    return results


def programs(root, only):
    """Every file of tests."""
    for part in ("tests/cl", "generated_tests/cl"):
        for folder, _, names in sorted(os.walk(os.path.join(root, part))):
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name.endswith((".cl", ".program_test")) and (only or "") in path and "example" not in name:
                    yield path


def pick(o, paths, known):
    """The numbers of the tests of each file that are to run, none of the known ones; None: all."""
    if o.pick is None:
        return None
    every = []
    for path in paths:
        for k, test in enumerate(File(o.heddle, o.piglit, path, "").tests):
            if not is_known(f"{os.path.relpath(path, o.piglit)}: {k}: {first(test, 'name', '')}", known):
                every.append((path, k))
    chosen = {path: set() for path in paths}
    for n in range(o.pick):
        path, k = every[n * len(every) // o.pick]
        chosen[path].add(k)
    return chosen


def is_known(name, known):
    """Its reason, or None."""
    return next((k.split(" | ")[1] for k in known if name.startswith(k.split(" | ")[0])), None)


def group_of(why):
    return next(g for words, g in GROUPS if words in why)


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("heddle")
    p.add_argument("piglit")
    p.add_argument("--on", default="--on model")
    p.add_argument("--cc", default="")
    p.add_argument("--pick", type=int)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--known")
    p.add_argument("--list")
    p.add_argument("--only")
    o = p.parse_args()
    paths = list(programs(o.piglit, o.only))
    known = []
    if o.known:
        with open(o.known, encoding="utf-8") as f:
            known = [line.strip() for line in f if line.strip() and not line.startswith("#")]
    picked = pick(o, paths, known)
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        all_of = pool.map(lambda path: run_file(os.path.realpath(o.heddle), o.piglit, path, o.on.split(),
                                                o.cc.split(), None if picked is None else picked[path]), paths)
        results = [(os.path.relpath(path, o.piglit), *r) for path, rs in zip(paths, all_of) for r in rs]
    failed = [(f"{path}: {name}", why) for path, name, why in results if why]
    groups = collections.Counter(group_of(why) for _, why in failed)
    for group, n in groups.most_common():
        print(f"{n:6}  {group}")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    if o.list:
        with open(o.list, "w", encoding="utf-8") as f:
            f.writelines(f"{name}: {why}\n" for name, why in failed)
    reasons = collections.Counter(is_known(name, known) for name, _ in failed)
    for reason, n in sorted((r, n) for r, n in reasons.items() if r):
        print(f"{n:6}  known: {reason}")
    new = [(name, why) for name, why in failed if not is_known(name, known)]
    for name, why in new:
        print(f"new: {name}: {why}")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
