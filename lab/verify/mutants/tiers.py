#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a tier of tests finds: its tests of hardware, with each planted fault or mutant active in turn.

usage: tiers.py [--build DIR] [--tier first|more|full ...] [--jobs N] [--json FILE] NUMBER[-NUMBER] ...
  example: lab/verify/mutants/tiers.py --build build/planted --tier first more --jobs 16 1-400

DIR is a build whose devices and benches are all planted (cmake -DHEDDLE_FAULT_TEXT=TEXT, a text that lab/verify/faults/plant.py or
place.py made), so that HEDDLE_FAULT=NUMBER in the environment makes a fault active in whatever is simulated. Each test runs once
without a fault: one that fails then judges nothing, and is said. Then each number is asked of the tests, those first that have
found most in a second, until one fails; a tier is asked only of what the tiers before it have left. FILE gets a line a number,
and a run goes on where it was.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import threading
import time


def tests_of(build, tier):
    """[(name, command, folder, environment)] of the tests of hardware in a tier."""
    said = subprocess.run(["ctest", "--test-dir", build, "-L", f"^{tier}$", "-L", "^hardware$", "--show-only=json-v1"],
                          capture_output=True, text=True, check=True).stdout
    tests = []
    for test in json.loads(said)["tests"]:
        given = {p["name"]: p["value"] for p in test["properties"]}
        tests.append(Test(test["name"], test.get("command"), given))
    return tests


class Test:
    """A test as ctest runs it: by exit status, or by words that it must and must not say."""

    def __init__(self, name, command, given):
        self.name, self.command = name, command
        self.folder = given.get("WORKING_DIRECTORY")
        self.environment = dict(e.split("=", 1) for e in given.get("ENVIRONMENT", []))
        self.given = given
        self.seconds, self.found = 0, 0

    def passes(self, number, limit):
        environment = {**os.environ, **self.environment, "HEDDLE_FAULT": str(number)}
        words = {k: self.given.get(k, []) for k in ("PASS_REGULAR_EXPRESSION", "FAIL_REGULAR_EXPRESSION")}
        try:
            run = subprocess.run(self.command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, timeout=limit,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        except subprocess.TimeoutExpired:
            return False
        said = run.stdout.decode("latin-1")
        # ctest's regular expressions are simpler than Python's: the same for those that tests use.
        if any(re.search(r, said) for r in words["FAIL_REGULAR_EXPRESSION"]):
            return False
        if words["PASS_REGULAR_EXPRESSION"]:
            return any(re.search(r, said) for r in words["PASS_REGULAR_EXPRESSION"])
        return (run.returncode != 0) == bool(self.given.get("WILL_FAIL", False))


def clean(tests, jobs):
    """Without a fault: those that pass, with their seconds."""
    def run(test):
        began = time.monotonic()
        good = test.command and test.passes(0, 3600)
        test.seconds = time.monotonic() - began
        return good
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        good = list(pool.map(run, tests))
    for test, passed in zip(tests, good):
        if not passed:
            print(f"left out, it fails without a fault: {test.name}", flush=True)
    return [t for t, passed in zip(tests, good) if passed]


def hunt(tests, number):
    """The test that finds it, or None."""
    for test in sorted(tests, key=lambda t: -(t.found + 1) / (t.seconds + 0.2)):
        if not test.passes(number, 30 + 5 * test.seconds):
            test.found += 1
            return test.name
    return None


def numbers_of(words):
    for word in words:
        first, _, last = word.partition("-")
        yield from range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--tier", nargs="+", default=["first", "more"], choices=["first", "more", "full"])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--json", default="tiers.jsonl")
    parser.add_argument("numbers", nargs="+")
    a = parser.parse_args()
    known = {}
    if os.path.exists(a.json):
        with open(a.json, encoding="utf-8") as lines:
            known = {r["number"]: r for r in map(json.loads, lines)}
    left = [n for n in numbers_of(a.numbers) if known.get(n, {}).get("found") is None]
    found = collections.Counter(r["tier"] for r in known.values() if r["found"])
    lock = threading.Lock()
    for tier in a.tier:
        todo = [n for n in left if tier not in known.get(n, {}).get("asked", [])]
        if not todo:
            continue
        tests = clean(tests_of(a.build, tier), a.jobs)
        print(f"{tier}: {len(tests)} tests of hardware, {sum(t.seconds for t in tests):.0f} seconds; {len(todo)} numbers", flush=True)

        def one(number, tier=tier, tests=tests):
            name = hunt(tests, number)
            line = {"number": number, "tier": tier, "found": name, "asked": known.get(number, {}).get("asked", []) + [tier]}
            with lock, open(a.json, "a", encoding="utf-8") as out:
                known[number] = line
                out.write(json.dumps(line) + "\n")
                print(f"{number}: {name or 'not found'} ({tier})", flush=True)
            return name
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            names = list(pool.map(one, todo))
        found[tier] += sum(n is not None for n in names)
        left = [n for n in left if known[n]["found"] is None]
    for tier in a.tier:
        print(f"{tier}: found {found[tier]}")
    print("left: " + (" ".join(map(str, left)) or "none"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
