#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hunt the faults of order between SMs (order_faults.txt; of lab/verify/faults): who is found in lockstep, and who
by `heddle order`, from a trace of the RTL alone.

Each fault is asked of random programs first (lab/verify/campaigns: share, share, cache, plain by turns), then of the small
programs that tests/expect_fail has for it, until both judges have found it; where all that was found is a wrong value,
some programs longer, until a rule of order is broken as well. Before that every program runs without a fault: nothing may
be found. One device has all faults: target device_verilator_quad_faults."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
import caches  # noqa: E402
import plant  # noqa: E402

ROOT = caches.ROOT
LIST = ROOT / "lab/verify/mutants/order_faults.txt"
MADE = ROOT / "tests/expect_fail"
KINDS = ("share", "share", "cache", "plain")
JUDGES = caches.JUDGES
# What says that some bytes are wrong, and no more: found by values alone.
VALUES = {"perform.data", "perform.strobe", "perform.result", "writeback.value", "operand.value", "memory.final",
          "reads-from", "atomicity", "stored", "result", "memory"}
# Not what a judge says: a rule of the bus or of STATUS, or an assertion; a run that stands still.
ENDS = {"device", "limit"}
CYCLES = "150000"   # of a run without a checker: who waits for a flag that never comes waits for ever
TIMEOUT = 60        # seconds of one run


def main():
    a = arguments()
    randoms = [Random(a.seed, k) for k in range(0 if a.directed else a.programs)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        hunt = Hunt(a, pathlib.Path(folder))
        made = {f.number: [Made(m, folder) for m in f.made] for f in a.faults}
        controls = randoms[:a.controls] + list({p.name: p for ps in made.values() for p in ps}.values())
        alarms = [x for x in pool.map(hunt.control, controls) if x]
        results = []
        for r in pool.map(lambda f: hunt.fault(f, randoms, made[f.number]), a.faults):
            print(line_of(r), flush=True)
            results.append(r)
    for x in alarms:
        print(f"without a fault: {x}")
    print(summary(results, a))
    if a.json:
        text = json.dumps({"config": a.config, "seed": a.seed, "programs": a.programs, "alarms": alarms, "faults": results}, indent=1)
        pathlib.Path(a.json).write_text(text + "\n", encoding="utf-8")
    least = [min(n, len(a.faults)) for n in a.least]
    return int(bool(alarms) or any(sum(r[j] is not None for r in results) < n for j, n in zip(JUDGES, least)))


def arguments():
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 as many are found as --least says, and nothing without a fault; 1 not; 2 usage; 5 the device is not built\n"
               "example: lab/verify/mutants/order_faults.py --jobs 2 --json order_faults.json\n"
               "         lab/verify/mutants/order_faults.py --config backed --faults 80-97 --least 18,0")
    p.add_argument("--config", default="quad", metavar="NAME", help="the machine (default quad)")
    p.add_argument("--programs", type=int, default=24, metavar="N", help="random programs a fault, at most (default 24)")
    p.add_argument("--beyond", type=int, default=6, metavar="N", help="programs more where a value is all that was found "
                   "(default 6)")
    p.add_argument("--seed", type=int, default=1, metavar="N", help="of the programs (default 1)")
    p.add_argument("--faults", metavar="LIST", help="only these: 80-97,120; default: all of order_faults.txt")
    p.add_argument("--directed", action="store_true", help="the small programs alone")
    p.add_argument("--controls", type=int, default=12, metavar="N", help="so many random programs run without a fault first "
                   "(default 12)")
    p.add_argument("--least", type=caches.numbers, default=[40, 35], metavar="N,M", help="so many must be found in lockstep, "
                   "and by order (default 40,35)")
    p.add_argument("--jobs", type=int, default=1, metavar="N", help="faults at a time (default 1)")
    p.add_argument("--json", metavar="FILE", help="the table as JSON")
    p.add_argument("--heddle", default=str(ROOT / "build/heddle"), metavar="PROGRAM", help="default build/heddle")
    a = p.parse_args()
    known = {f.number: f for f in faults()}
    wanted = [n for part in a.faults.split(",") for n in span(part)] if a.faults else [n for n in sorted(known) if known[n].kind != "-"]
    a.faults = [known[n] for n in wanted if n in known]
    if not a.faults:
        p.error("--faults: order_faults.txt has none of these")
    return a


def span(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


class Fault:
    def __init__(self, number, kind, names, made):
        if number not in names:
            sys.exit(f"error: {LIST.name}: lab/verify/faults has no fault {number}")
        self.number, self.kind, self.name, self.made = number, kind, names[number], made


def faults():
    """Those of the list, each with its name and the programs that expected.txt has for it."""
    names = {number: name for number, (name, _) in plant.named().items()}
    made = {}
    for line in (MADE / "expected.txt").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and words[0].isdigit() and words[2] not in made.setdefault(int(words[0]), []):
            made[int(words[0])].append(words[2])
    lines = [line.split() for line in LIST.read_text(encoding="utf-8").splitlines()]
    return [Fault(int(w[0]), w[1], names, made.get(int(w[0]), [])) for w in lines if w and not w[0].startswith("#")]


class Made:
    """A program of tests/expect_fail: assembled, launched as its head says."""

    def __init__(self, name, folder):
        self.name = name
        text = (MADE / f"{name}.s").read_text(encoding="utf-8").replace("S##", "S00")
        self.traps = "// traps:" in text
        # A write-back that memory refuses stands in STATUS, in no record.
        self.judges = ("lockstep",) if "--bus-errors" in text and not self.traps else JUDGES
        launch = re.sub(r"out:(\d+)", r"out:\1:/dev/null", re.search(r"^// launch: (.*)$", text, re.M).group(1))
        path = pathlib.Path(folder) / f"{name}.s"
        path.write_text(text, encoding="utf-8")
        self.command = ["run", str(path), "--kernel", name, *([] if "--grid" in launch else ["--grid", "1"]), *launch.split(),
                        "--max-cycles", "200000"]


class Random:
    def __init__(self, seed, k):
        kind, self.traps, self.judges = KINDS[k % len(KINDS)], True, JUDGES
        self.name = f"{kind} {seed}:{k}"
        knobs = [] if kind == "plain" else ["--knobs", str(ROOT / f"lab/verify/campaigns/{kind}.knobs")]
        self.command = ["fuzz", "--programs", "1", "--only", str(k), "--seed", str(seed), "--no-shrink", *knobs]


class Hunt(caches.Hunt):
    def __init__(self, a, folder):
        super().__init__(a.heddle, folder)
        self.config, self.beyond = a.config, a.beyond

    def control(self, program):
        said = {j: w for j, (w, _) in self.ask(program, 0, JUDGES).items() if w}
        return " ".join(f"{program.name}: {who} says {what}" for who, what in said.items())

    def fault(self, fault, randoms, made):
        first, order, seconds = dict.fromkeys(JUDGES), dict.fromkeys(JUDGES), dict.fromkeys(JUDGES, 0.0)
        ends = set()
        more = self.beyond
        for n, program in enumerate([*randoms, *made], 1):
            left = [j for j in JUDGES if first[j] is None]
            if not left:   # both have found it: is a rule of order broken, too?
                if any(order.values()) or more == 0:
                    break
                more -= 1
            for j, (what, took) in self.ask(program, fault.number, left or JUDGES).items():
                seconds[j] += took
                if what in ENDS:
                    ends.add(f"{what} {program.name}")
                if what is None or what in ENDS:
                    continue
                one = {"what": what, "program": program.name, "programs": n, "seconds": round(seconds[j], 2)}
                first[j] = first[j] or one
                if what not in VALUES:
                    order[j] = order[j] or one
        return {"fault": fault.number, "name": fault.name, "class": fault.kind, **first,
                "order_too": {j: order[j] for j in JUDGES if order[j] and order[j] is not first[j]},
                "values_alone": {j: first[j] is not None and order[j] is None for j in JUDGES}, "ends": sorted(ends)}

    def ask(self, program, number, judges):
        """What each judge says, and how long it took: nothing, a difference or an axiom, or how the run ended without one."""
        said = {}
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            trace = str(pathlib.Path(folder) / "trace")
            judges = [j for j in judges if j in program.judges]
            if "lockstep" in judges:
                said["lockstep"] = self.at(program, number, "lockstep", [])
            if "order" in judges:
                ended, first = self.at(program, number, "rtl", ["--trace", trace])
                axiom, second = self.order(trace)
                # Of a run that stood still blocks do not end: nobody has judged that.
                stands = ended if ended in ENDS else None
                said["order"] = (stands if axiom == "block" and stands else axiom or stands), first + second
        return said

    def at(self, program, number, where, more):
        command = [self.heddle, *program.command, "--on", where, "--config", self.config, *more]
        if where == "rtl" and "--max-cycles" not in command:
            command += ["--max-cycles", CYCLES]
        if number:
            command += ["--fault", str(number)]
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            status, said, seconds = self.call(command, str(pathlib.Path(folder) / "run.json"))
        if status in (0, "ok") or (status == 3 and program.traps):
            return None, seconds
        one = said.get("programs", [said.get("result", {})])[0]
        what = (one.get("diagnosis") or {}).get("kind") or one.get("status") or said.get("status") or f"exit {status}"
        return ("limit" if status in (4, 124) else what), seconds

    def call(self, command, path):
        pathlib.Path(path).unlink(missing_ok=True)
        start = time.monotonic()
        with subprocess.Popen([*command, "--json", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              start_new_session=True) as p:
            try:
                status = p.wait(TIMEOUT)
            except subprocess.TimeoutExpired:   # with the process that its program has
                os.killpg(p.pid, signal.SIGKILL)
                status = 124
        seconds = time.monotonic() - start
        if status in (2, 5) and command[1] != "order":   # a run without an end leaves a trace that order refuses
            print(f"order_faults.py: exit status {status}: {' '.join(command)}", file=sys.stderr)
            os._exit(status)
        try:
            return status, json.loads(pathlib.Path(path).read_text(encoding="utf-8")), seconds
        except (OSError, ValueError):
            return status, {}, seconds


def line_of(r):
    def one(j):
        f = r[j]
        if not f:
            return f"{'not found':44}"
        return f"{f['what'] + (' (value)' if r['values_alone'][j] else ''):28} {f['program']:>12} {f['programs']:3}"
    also = "".join(f"  {j} {f['what']} {f['program']}" for j, f in r["order_too"].items())
    return f"{r['fault']:3} {r['name']:16} {r['class']:9}" + "  ".join(one(j) for j in JUDGES) + also \
        + (f"  [{', '.join(r['ends'][:2])}]" if r["ends"] else "")


def summary(results, a):
    words = []
    for j in JUDGES:
        found = [r for r in results if r[j]]
        alone = sum(r["values_alone"][j] for r in found)
        words.append(f"{len(found)} of {len(results)} by {j}, {alone} of them by values alone"
                     + (f", median {statistics.median(r[j]['programs'] for r in found):g} programs, "
                        f"{statistics.median(r[j]['seconds'] for r in found):.1f} s" if found else ""))
    return "; ".join(words) + f"; {a.config}, {a.programs} random programs at most, seed {a.seed}"


if __name__ == "__main__":
    sys.exit(main())
