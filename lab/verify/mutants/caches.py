#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hunt the bugs of the L1 in C (cosim/port/l1_bugs.h): who is found by lockstep, and who by `heddle order`, from the
records of the same run alone.

Each bug is asked of the directed programs of lab/verify/mutants/caches first, then of random ones
(lab/verify/campaigns/cache.knobs), over caches of several sizes, until both judges have found it. Before that every program
runs without a bug: nothing may be found."""
import argparse
import concurrent.futures
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUGS = ROOT / "cosim/port/l1_bugs.h"
CONFIG = "tiny_port"
# Random programs take turns. Small ones replace, have no place for one more fill, and begin their epochs again.
SIZES = ("512,ways=2,mshrs=3,epoch=2", "1024,ways=4,mshrs=8,epoch=1", "256,ways=1,mshrs=2,epoch=3",
         "4096,ways=2,mshrs=4,epoch=2")
TIMEOUT = 120   # seconds of one program, which takes one at most
JUDGES = ("lockstep", "order")


def main():
    a = arguments()
    programs = ([] if a.random else directed()) + [Random(a.seed, k) for k in range(0 if a.directed else a.programs)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        hunt = Hunt(a.heddle, pathlib.Path(folder))
        alarms = [x for x in pool.map(hunt.control, programs) if x]
        results = []
        for r in pool.map(lambda b: hunt.bug(b, programs, a.directed), a.bugs):
            print(line_of(r), flush=True)
            results.append(r)
    for x in alarms:
        print(f"without a bug: {x}")
    found = {j: [r[j] for r in results if r[j]] for j in JUDGES}
    print(summary(found, results, programs, a.seed))
    if a.json:
        text = json.dumps({"seed": a.seed, "programs": len(programs), "alarms": alarms, "bugs": results}, indent=1)
        pathlib.Path(a.json).write_text(text + "\n", encoding="utf-8")
    least = [len(a.bugs)] * 2 if a.directed else [min(n, len(a.bugs)) for n in a.least]
    return int(bool(alarms) or any(len(found[j]) < n for j, n in zip(JUDGES, least)))


def arguments():
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 as many are found as --least says, and nothing without a bug; 1 not; 2 usage; 5 the device is not built\n"
               "example: lab/verify/mutants/caches.py --jobs 2 --json caches.json")
    p.add_argument("--programs", type=int, default=60, metavar="N", help="random programs a bug, at most (default 60)")
    p.add_argument("--seed", type=int, default=1, metavar="N", help="of the programs (default 1)")
    p.add_argument("--bugs", metavar="NAMES", help="only these, by commas")
    p.add_argument("--random", action="store_true", help="random programs alone")
    p.add_argument("--directed", action="store_true", help="directed programs alone: each bug must be found by both "
                   "judges in a program that names it")
    p.add_argument("--least", type=numbers, default=[40, 35], metavar="N,M", help="so many must be found by lockstep, and by "
                   "order (default 40,35)")
    p.add_argument("--jobs", type=int, default=1, metavar="N", help="bugs at a time (default 1)")
    p.add_argument("--json", metavar="FILE", help="the table as JSON")
    p.add_argument("--heddle", default=str(ROOT / "build/heddle"), metavar="PROGRAM", help="default build/heddle")
    a = p.parse_args()
    names = re.findall(r'^  X\(\w+, "(\w+)"', BUGS.read_text(encoding="utf-8"), re.M)
    wanted = a.bugs.split(",") if a.bugs else names
    for b in wanted:
        if b not in names:
            p.error(f"--bugs {b}: {BUGS.relative_to(ROOT)} has none of this name")
    a.bugs = [b for b in names if b in wanted]
    return a


def numbers(text):
    if not re.fullmatch(r"\d+,\d+", text):
        raise argparse.ArgumentTypeError(f"{text}: two numbers and a comma")
    return [int(n) for n in text.split(",")]


class Directed:
    """A program of lab/verify/mutants/caches: its lines say how it is launched, and which bugs it is made for."""

    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        self.name = path.stem
        said = {k: " ".join(re.findall(rf"^// {k}: (.*)$", text, re.M)) for k in ("launch", "cache", "finds")}
        self.cache, self.finds = said["cache"], said["finds"].split()
        self.command = ["run", str(path), *said["launch"].split()]


class Random:
    def __init__(self, seed, k):
        self.name, self.cache, self.finds = f"{seed}:{k}", SIZES[k % len(SIZES)], []
        self.command = ["fuzz", "--programs", "1", "--only", str(k), "--seed", str(seed), "--no-shrink", "--knobs",
                        str(ROOT / "lab/verify/campaigns/cache.knobs")]


def directed():
    return [Directed(p) for p in sorted((ROOT / "lab/verify/mutants/caches").glob("*.s"))]


def own(what):
    """Is it what the judge itself has found? The memory that is told a rule which its SM breaks, and a cache in which
    nothing moves any more, end a run without it; its trace has blocks that do not end."""
    return what is not None and what not in ("device", "limit", "block")


class Hunt:
    def __init__(self, heddle, folder):
        self.heddle, self.folder = heddle, folder

    def control(self, program):
        """What either judge says of the program without a bug, in words; nothing is right."""
        lockstep, order, _ = self.judge(program, None, JUDGES)
        return " ".join(f"{program.name}: {who} says {what}" for who, what in (("lockstep", lockstep), ("order", order)) if what)

    def bug(self, name, programs, named):
        found = {j: None for j in JUDGES}
        seconds = dict.fromkeys(JUDGES, 0.0)
        asked = [p for p in programs if not named or name in p.finds]
        for n, program in enumerate(sorted(asked, key=lambda p: (not isinstance(p, Directed), name not in p.finds)), 1):
            left = [j for j in JUDGES if found[j] is None]
            if not left:
                break
            lockstep, order, took = self.judge(program, name, left)
            for j, what in (("lockstep", lockstep), ("order", order)):
                seconds[j] += took[j]
                if j in left and own(what):
                    found[j] = {"what": what, "program": program.name, "programs": n, "seconds": round(seconds[j], 2)}
        return {"bug": name, **found}

    def judge(self, program, bug, judges):
        """The difference that lockstep finds, the axiom that order finds broken, and what each took."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            trace, took = str(pathlib.Path(folder) / "trace"), dict.fromkeys(JUDGES, 0.0)
            lockstep, took["lockstep"] = self.run(program, bug, "lockstep", trace)
            if "order" not in judges:
                return lockstep, None, took
            order, took["order"] = self.order(trace)
            if lockstep and not own(order):   # it stops there: order is owed the whole run
                _, first = self.run(program, bug, "rtl", trace)
                order, second = self.order(trace)
                took["order"] += first + second
            took["order"] += took["lockstep"]
        return lockstep, order, took

    def run(self, program, bug, where, trace):
        cache = program.cache + (f",bug={bug}" if bug else "")
        command = [self.heddle, *program.command, "--on", where, "--config", CONFIG, "--l1", cache, "--trace", trace]
        status, said, seconds = self.call(command, trace + ".json")
        if status in (0, "ok"):
            return None, seconds
        one = said.get("programs", [said.get("result", {})])[0]
        return (one.get("diagnosis") or {}).get("kind") or said.get("status", f"exit {status}"), seconds

    def order(self, trace):
        status, said, seconds = self.call([self.heddle, "order", trace], trace + ".json")
        return said.get("axiom") if status == 1 else None, seconds

    def call(self, command, path):
        pathlib.Path(path).unlink(missing_ok=True)
        start = time.monotonic()
        try:
            status = subprocess.run([*command, "--json", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                    timeout=TIMEOUT, check=False).returncode
        except subprocess.TimeoutExpired:
            status = 124
        seconds = time.monotonic() - start
        if status in (2, 5) and command[1] != "order":   # a run without an end leaves a trace that order refuses
            print(f"caches.py: exit status {status}: {' '.join(command)}", file=sys.stderr)
            sys.exit(status)
        try:
            return status, json.loads(pathlib.Path(path).read_text(encoding="utf-8")), seconds
        except (OSError, ValueError):
            return status, {}, seconds


def line_of(r):
    def one(f):
        return f"{f['what']:20} {f['program']:>12} {f['programs']:3} {f['seconds']:6.2f} s" if f else f"{'not found':46}"
    return f"{r['bug']:20}" + "   ".join(one(r[j]) for j in JUDGES).rstrip()


def summary(found, results, programs, seed):
    counts = ", ".join(f"{len(found[j])} of {len(results)} by {j}" for j in JUDGES)
    medians = "; ".join(f"{j} {statistics.median(f['programs'] for f in found[j]):g} programs, "
                        f"{statistics.median(f['seconds'] for f in found[j]):.2f} s" for j in JUDGES if found[j])
    return f"{counts}; median {medians}; {len(programs)} programs at most, seed {seed}"


if __name__ == "__main__":
    sys.exit(main())
