#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hunt the mutants of rtl/: random programs and kernels in lockstep, in rising numbers, until something stops one.

Each mutant is a run of `heddle` with HEDDLE_FAULT set. What stops it must pass without a mutant, which is tried as
well. Results are appended to RESULTS, a line a mutant, so that a hunt can be stopped and goes on where it was."""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

import reach

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "tests/tools"))
import kernel_cycles  # noqa: E402

# In assembly, and compiled: what a machine lacks the instructions for it leaves out.
KERNELS = {"asm": ("vecadd", "ifelse", "nested", "reduce", "histogram", "permute"),
           "ptx": ("saxpy", "scan", "bitonic", "blackscholes", "fft", "nbody", "hgemm_mma")}
KERNELS_AFTER = 100          # random programs
ROUNDS = (1, 3, 10, 25, 100, 400)   # after so many programs each, those that are left are known, over the whole table
# What the device does otherwise when it is asked to; programs take turns, so that its logic is tried as well.
MODES = ([], ["--div", "its"], ["--dep", "scoreboard"], ["--hold"], *(["--sched", name] for name in kernel_cycles.POLICIES[1:]))
# Kinds of programs in turns, by their knobs ("": as they come). Short ones kill more in a second of processor time.
CAMPAIGNS = pathlib.Path(__file__).resolve().parents[1] / "campaigns"
KNOBS = ("short", "", "warps", "edges", "traps", "shapes", "limits", "short", "release", "brief")
KNOBS_OF = {"sm": ("tensor", "", "warps", "edges", "traps", "tensor", "limits", "short", "release", "brief")}   # few matrices else
ONCE = ("--scale", "0", "--launches", "1", "--config")
TIMEOUT = 180               # seconds for one program; without a mutant it takes one
OK, DIFFERENCE, USAGE, TRAP, LIMIT, MISSING = range(6)


def main():
    a = arguments()
    folder = pathlib.Path(a.mutants).resolve()
    a.results = a.results or str(folder / "results.jsonl")
    present = {c: numbers(folder / f"present/{c}.txt") for c in a.config.split(",")}
    with open(folder / "mutants.jsonl", encoding="latin-1") as lines:
        mutants = [json.loads(line) for line in lines]
    hunt = Hunt(a, folder, read_results(a.results))
    work = [(m, next((c for c in present if m["id"] in present[c]), None)) for m in chosen(mutants, a)]
    missing = sum(1 for _, c in work if c is None)
    work = [(m, c) for m, c in work if c is not None]
    print(f"{len(work)} mutants; {missing} more are in none of {a.config}", file=sys.stderr)
    for programs in [n for n in ROUNDS if n < a.programs] + [a.programs]:
        left = one_round(hunt, work, programs)
        print(f"{len(work) - left} of {len(work)} killed, {left} left after {programs} programs; {a.results}", flush=True)
    return 0


def one_round(hunt, work, programs):
    """Each mutant that is left gets the programs that it lacks. Returns how many are left then."""
    with concurrent.futures.ThreadPoolExecutor(hunt.a.jobs) as pool:
        tasks = [pool.submit(hunt.mutant, m, c, programs) for m, c in work]
        try:
            for t in concurrent.futures.as_completed(tasks):
                t.result()
        except BaseException:
            hunt.stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return sum(1 for m, _ in work if not hunt.results[m["key"], m["occurrence"]]["killed"])


def arguments():
    p = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 done, 2 usage, 5 something is not built\n"
               "example: lab/verify/mutants/build.sh tiny && lab/verify/mutants/run.py --config tiny --sample 200 --programs 100")
    p.add_argument("--config", default="tiny", metavar="NAMES", help="machines, by commas: each mutant runs on the first that "
                   "has it (default tiny)")
    p.add_argument("--programs", type=int, default=100, metavar="N", help="random programs at most (default 100); 0: kernels alone")
    p.add_argument("--seed", type=int, default=1, metavar="N", help="of the programs (default 1)")
    p.add_argument("--sample", type=int, metavar="N", help="only N mutants, chosen by chance (the same each time)")
    p.add_argument("--ids", metavar="N,N", help="only these")
    p.add_argument("--jobs", type=int, default=1, metavar="N", help="mutants at a time (default 1)")
    p.add_argument("--mutants", default="build/mutants", metavar="DIR", help="what build.sh has made (default build/mutants)")
    p.add_argument("--heddle", default="build/heddle", metavar="PROGRAM", help="default build/heddle")
    p.add_argument("--results", metavar="FILE", help="default results.jsonl in that folder")
    p.add_argument("--every-kernel", action="store_true", help="after the programs each kernel that the machine runs, once, in "
                   "place of some of them twice: every mutant is asked the same")
    p.add_argument("--no-kernels", action="store_true", help="random programs alone")
    p.add_argument("--kinds", type=kinds_of, metavar="NAMES", help="kinds of programs in turns: knobs of lab/verify/campaigns, by "
                   f"commas (default {','.join(k or 'default' for k in KNOBS)}; default: without a file)")
    p.add_argument("--reach", metavar="FILE", help="of run_reach.py: programs that make no difference count, and are not run")
    a = p.parse_args()
    if a.reach and not os.path.exists(a.reach):
        p.error(f"--reach {a.reach}: there is no such file")
    if a.programs < 0 or a.jobs < 1 or (a.sample is not None and a.sample < 1):
        p.error("--jobs and --sample are at least 1, --programs is not negative")
    if a.no_kernels and a.programs == 0:
        p.error("--no-kernels leaves nothing of --programs 0")
    if a.ids and not re.fullmatch(r"\d+(,\d+)*", a.ids):
        p.error(f"--ids {a.ids}: numbers and commas")
    return a


def kinds_of(names):
    """Of --kinds: "" is a program as it comes."""
    kinds = ["" if k == "default" else k for k in names.split(",")]
    for k in kinds:
        if k and not (CAMPAIGNS / f"{k}.knobs").exists():
            raise argparse.ArgumentTypeError(f"there is no lab/verify/campaigns/{k}.knobs")
    return kinds


def numbers(path):
    if not path.exists():
        print(f"run.py: {path} is not there; build it: lab/verify/mutants/build.sh {path.stem}", file=sys.stderr)
        sys.exit(5)
    return {int(x) for x in path.read_text().split()}


def chosen(mutants, a):
    if a.ids:
        wanted = {int(x) for x in a.ids.split(",")}
        return [m for m in mutants if m["id"] in wanted]
    if a.sample:
        mutants = sorted(mutants, key=lambda m: hashlib.sha256(f"{m['key']}|{m['occurrence']}".encode()).digest())
        return sorted(mutants[:a.sample], key=lambda m: m["id"])
    return mutants


def read_results(path):
    """The last line of each mutant counts. A line cut off by a stop is left out."""
    results = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                try:
                    r = json.loads(line)
                except ValueError:
                    continue
                results[r["key"], r["occurrence"]] = r
    return results


class Hunt:
    def __init__(self, a, folder, results):
        self.a, self.folder, self.results, self.heddle = a, folder, results, a.heddle
        self.lock, self.stop, self.clean, self.all_kernels = threading.Lock(), threading.Event(), {}, {}
        self.reach = reach.Reach(a.reach)
        pathlib.Path(a.results).parent.mkdir(parents=True, exist_ok=True)
        if not os.access(self.heddle, os.X_OK):
            print(f"run.py: no {self.heddle}; build target heddle, or name one with --heddle", file=sys.stderr)
            sys.exit(5)

    def mutant(self, m, config, programs):
        kernels = not self.a.no_kernels and programs >= min(KERNELS_AFTER, self.a.programs)   # their turn is in this round
        key = m["key"], m["occurrence"]
        r = self.results.get(key)
        if r is None or r["config"] != config or r["seed"] != self.a.seed:
            r = {"id": m["id"], "key": m["key"], "occurrence": m["occurrence"], "config": config, "seed": self.a.seed,
                 "killed": None, "programs": 0, "warp_instructions": 0, "kernels": False, "seconds": 0.0}
        if r["killed"] or (r["programs"] >= programs and (r["kernels"] or not kernels)):
            self.results[key] = r
            return
        start = time.monotonic()
        while not r["killed"] and not self.stop.is_set() and (r["programs"] < programs or (kernels and not r["kernels"])):
            self.attempt(r, m["id"], config)
        if self.stop.is_set():
            return
        r["seconds"] = round(r["seconds"] + time.monotonic() - start, 1)
        with self.lock:
            self.results[key] = r
            with open(self.a.results, "a", encoding="utf-8") as f:
                f.write(json.dumps(r) + "\n")

    def attempt(self, r, number, config):
        """One program more, or the kernels when it is their turn."""
        if not self.a.no_kernels and not r["kernels"] and r["programs"] >= min(KERNELS_AFTER, self.a.programs):
            self.kernels(r, number, config)
            return
        if self.reach.differs(number, config, self.a.seed, r["programs"]):
            self.ask(r, number, program_command(config, self.a.seed, r["programs"], self.a.kinds), "random")
        else:
            r["idle"] = r.get("idle", 0) + 1
        r["programs"] += 1

    def kernels(self, r, number, config):
        """What kernels leave; then how long they take, where memory answers at once and nothing is random."""
        commands = self.every_kernel(config) if self.a.every_kernel else [kernel_command(config, form) for form in KERNELS]
        for command in commands:
            if not r["killed"]:
                self.ask(r, number, command, "kernels")
        for mode in kernel_cycles.MODES:
            if not r["killed"]:
                self.ask(r, number, kernel_cycles.command(config, mode), "cycles")
        r["kernels"] = True

    def every_kernel(self, config):
        """A command for each kernel that this machine runs without a mutant: of some, blocks are too large for it."""
        with self.lock:
            if config not in self.all_kernels:
                _, said = self.run(["kernels", *ONCE, config], 0, None)
                names = dict.fromkeys(re.findall(r"^([a-z0-9_]+)[. ].* ok$", said, re.M))
                self.all_kernels[config] = [["kernels", name, *ONCE, config] for name in names]
            return self.all_kernels[config]

    def ask(self, r, number, command, judge):
        """Run it. What ends otherwise than without a mutant, or, of "cycles", takes others, is killed."""
        status, said = self.run(command, number)
        r["warp_instructions"] += retired(said)
        if status == OK and judge != "cycles":
            return
        passes, took = self.without(command)
        if not passes:
            raise SystemExit(f"run.py: without a mutant this does not pass: {self.heddle} {' '.join(command)}")
        if status != OK:
            r["killed"] = "kernels" if judge == "cycles" else judge   # it is not the cycles that tell
            r["diagnosis"] = diagnosis(status, said)
        elif kernel_cycles.cycles(said) != took:
            r["killed"], r["diagnosis"] = "cycles", changed(took, kernel_cycles.cycles(said))

    def without(self, command):
        """Without a mutant: does it pass, and the cycles of each kernel?"""
        with self.lock:
            known = self.clean.get(tuple(command))
        if known is None:
            status, said = self.run(command, 0)
            known = status == OK, kernel_cycles.cycles(said)
            with self.lock:
                self.clean[tuple(command)] = known
        return known

    def run(self, command, number, timeout=TIMEOUT):
        """(exit status, all it said). A negative status: it crashed; None: it took too long."""
        environment = {**os.environ, "HEDDLE_FAULT": str(number), "HEDDLE_DEVICES": str(self.folder / "devices")}
        try:
            p = subprocess.run([self.heddle, *command], env=environment, timeout=timeout, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        except subprocess.TimeoutExpired as e:
            return None, (e.stdout or b"").decode("utf-8", "replace")
        said = p.stdout.decode("utf-8", "replace")
        if p.returncode in (USAGE, MISSING):
            raise SystemExit(f"run.py: {self.heddle} {' '.join(command)}: exit {p.returncode}\n{said[:2000]}")
        return p.returncode, said


def program_command(config, seed, k, kinds=None):
    turn, mode = divmod(k, len(MODES))
    kinds = kinds or KNOBS_OF.get(config, KNOBS)
    kind = kinds[(turn + mode) % len(kinds)]
    knobs = ["--knobs", str(CAMPAIGNS / f"{kind}.knobs")] if kind else []
    return ["fuzz", "--programs", "1", "--only", str(k), "--seed", str(seed), "--config", config, "--no-shrink", *knobs, *MODES[mode]]


def kernel_command(config, form):
    return ["kernels", *KERNELS[form], "--form", form, "--scale", "0", "--launches", "2", "--config", config]


def changed(was, now):
    """The first kernel that takes other cycles."""
    name = next(k for k in [*was, *now] if was.get(k) != now.get(k))
    return f"{name}: {was.get(name)} cycles, {now.get(name)}"


def retired(said):
    m = re.search(r"(\d+) warp instructions(?:,| retired)", said)
    return int(m[1]) if m else 0


def diagnosis(status, said):
    """A short name of what stopped it."""
    if status is None:
        return "timeout"
    if status < 0:
        return f"crash (signal {-status})"
    for pattern, word in ((r"^device: .*?([\w.]+):(\d+): assertion failed", "assertion {0}"), (r"difference: ([\w.]+)", "{0}"),
                          (r"^hung: ", "hung"), (r"trap (\w+)", "trap {0}"), (r"model alone leaves", "memory of the model alone"),
                          (r"(?:cycle limit|limit of)", "limit")):
        m = re.search(pattern, said, re.M)
        if m:
            return word.format(*m.groups())
    return f"exit {status}"


if __name__ == "__main__":
    sys.exit(main())
