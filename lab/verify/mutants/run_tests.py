#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ask the tests of the hardware about the mutants that programs have left: module benches (build-benches.sh), proofs of
the module (lab/verify/formal), tests of host and session. A test that passes without a mutant and fails
with it kills it.

Goes on with RESULTS of run.py: what is left there (or was never hunted, for want of a machine that has it) is asked
about; a line is appended for each mutant that was."""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import sys
import threading
import time

import equivalent
import formal_copy
from run import chosen, read_results
from run_checker import ask

SECONDS = 900   # for one test
# Tests that run on a device: name, command. {build}: programs of the design, {root}: the tree.
DEVICE_TESTS = {
    "host": (("firmware.driver", ["{build}/bin/driver_story", "rtl:{config}"]),
             ("cosim.lockstep", ["{build}/bin/cosim_lockstep_test", "{config}"])),
    "silicon": (),   # of the unit that the mutant lies in, below
}
# What an H200 returned, in lockstep: the start of a module's name, forms of tests/silicon/ops, cases of build/silicon/mma.
SILICON = (
    ("fp64_", "fma.rn.f64 add.rm.f64 mul.rp.f64 fma.rz.f64 setp.ltu.f64 min.f64 cvt.rn.f32.f64 cvt.rzi.s64.f64 cvt.rmi.f64.f64 "
     "cvt.rn.f64.s64 cvt.rzi.u32.f64 cvt.f64.f32 cvt.rpi.u64.f32 cvt.rn.f32.u64", ""),
    ("half_", "fma.rn.f16x2 add.rn.ftz.f16x2 mul.rn.f16x2 fma.rn.relu.f16x2 fma.rn.sat.f16x2 fma.rn.ftz.f16x2", ""),
    ("sfu_", "ex2.approx.f32 lg2.approx.f32 rcp.approx.f32 rsqrt.approx.f32 sin.approx.f32 cos.approx.f32 sqrt.approx.f32 "
     "tanh.approx.f32 rcp.approx.ftz.f32 rcp.rn.f64 rsqrt.approx.f64", ""),
    ("warp_", "shfl.sync.bfly.b32 shfl.sync.up.b32 shfl.sync.down.b32 shfl.sync.idx.b32 vote.sync.all.pred vote.sync.uni.pred "
     "match.all.sync.b32 match.any.sync.b32 redux.sync.add.s32 redux.sync.max.s32 redux.sync.min.u32 redux.sync.xor.b32", ""),
    ("cvt_", "cvt.rn.f16.f32 cvt.f32.f16 cvt.rzi.s32.f32 cvt.rni.s32.f32 cvt.rn.f32.s32 cvt.rni.f32.f32 cvt.rn.f32.u32", ""),
    ("", "", "i32_s8u8 f16k8_f16"),   # wherever it lies: operands of three rows, three places in a queue
    ("mma_", "", "bf16k16_f32 f16k16_f16 f16k8_f32 tf32k8_f32 e4m3_f32 e5m2e4m3_f32 i32_s8u8 i16_u8s8_sat f64"),
)


def main():
    a = arguments()
    folder, root = pathlib.Path(a.mutants).resolve(), pathlib.Path(__file__).resolve().parents[3]
    with open(folder / "mutants.jsonl", encoding="latin-1") as lines:
        mutants = [json.loads(line) for line in lines]
    a.results = a.results or str(folder / "results.jsonl")
    results, known = read_results(a.results), equivalent.read()
    judges = bench_tests(folder) if "benches" in a.judges else []
    judges += formal_tests(root, mutants) if "formal" in a.judges else []
    for name in a.judges:
        judges += device_tests(name, a, folder, root)
    judges += silicon_tests(a, folder, root, mutants) if "silicon" in a.judges else []
    if not judges:
        print("run_tests.py: none of these judges is built (build-benches.sh, build.sh)", file=sys.stderr)
        return 5
    work = [m for m in chosen(mutants, a) if not killed(results, m) and not equivalent.holds(known, m)]
    hunt = Hunt(a, folder, root, judges, results, {m["id"]: m for m in mutants})
    work = [m for m in work if hunt.judges_of(m)]
    print(f"{len(work)} mutants, {len(judges)} tests", file=sys.stderr)
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for _ in pool.map(hunt.mutant, work):
            pass
    left = [m for m in work if not killed(results, m)]
    print(f"{len(work) - len(left)} of {len(work)} killed, {len(left)} left; {a.results}")
    return 0


def arguments():
    p = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 done, 2 usage, 5 something is not built\n"
               "example: lab/verify/mutants/run_tests.py --judges host,benches --jobs 2")
    p.add_argument("--judges", default="host,benches", metavar="NAMES", help="of benches, formal, host, silicon; "
                   "default host,benches. A test of a device is asked about what --config has")
    p.add_argument("--config", default="tiny", metavar="NAME", help="the machine (default tiny)")
    p.add_argument("--ids", metavar="N,N", help="only these")
    p.add_argument("--sample", type=int, metavar="N", help="only N mutants, chosen by chance (the same each time)")
    p.add_argument("--jobs", type=int, default=1, metavar="N", help="mutants at a time (default 1)")
    p.add_argument("--mutants", default="build/mutants", metavar="DIR", help="what build.sh has made (default build/mutants)")
    p.add_argument("--build", default="build", metavar="DIR", help="programs of the design as it is (default build)")
    p.add_argument("--results", metavar="FILE", help="default results.jsonl in --mutants")
    a = p.parse_args()
    a.judges = a.judges.split(",")
    if unknown := [j for j in a.judges if j not in ("benches", "formal", *DEVICE_TESTS)]:
        p.error(f"no judge {unknown[0]}: benches, formal, {', '.join(DEVICE_TESTS)}")
    if a.jobs < 1 or (a.sample is not None and a.sample < 1):
        p.error("--jobs and --sample are at least 1")
    if a.ids and not all(x.isdigit() for x in a.ids.split(",")):
        p.error(f"--ids {a.ids}: numbers and commas")
    if not (pathlib.Path(a.mutants) / "mutants.jsonl").exists():
        p.exit(5, f"run_tests.py: {a.mutants}/mutants.jsonl is not there; make it: lab/verify/mutants/build.sh\n")
    return a


def killed(results, m):
    r = results.get((m["key"], m["occurrence"]))
    return r is not None and r["killed"]


def numbers(path):
    return {int(x) for x in path.read_text().split()} if path.exists() else set()


def bench_tests(folder):
    """[(judge, test, command, numbers that it has)]: how ctest calls the benches that are built, but for those that
    inject a fault, which fail on purpose."""
    benches = folder / "benches"
    if not (benches / "tests.json").exists():
        return []
    found = []
    for t in json.loads((benches / "tests.json").read_text())["tests"]:
        command = t.get("command") or [""]
        bench = os.path.basename(command[0])
        properties = {p["name"]: p["value"] for p in t.get("properties", [])}
        injects = properties.get("WILL_FAIL") or "--fault" in command
        program = benches / "bin" / bench
        if bench.startswith("rtl_") and not injects and program.exists():
            found.append(("benches", t["name"], [str(program), *command[1:]], numbers(benches / f"present/{bench}.txt")))
    return found


def formal_tests(root, mutants):
    """The proofs of the module that the mutant lies in; {copy}: a tree with that mutant alone."""
    found = []
    for module, names in formal_copy.tops(root).items():
        ids = {m["id"] for m in mutants if pathlib.Path(m["file"]).stem == module}
        if ids:
            command = ["{copy}/lab/verify/formal/run.sh", *names, "--no-planted", "--limit", "200", "--jobs", "1"]
            found.append(("formal", f"formal.{module}", command, ids))
    return found


def device_tests(judge, a, folder, root):
    words = {"{build}": str(pathlib.Path(a.build).resolve()), "{root}": str(root), "{config}": a.config}
    present, found = numbers(folder / f"present/{a.config}.txt"), []
    for name, command in DEVICE_TESTS.get(judge, ()):
        for k, v in words.items():
            command = [c.replace(k, v) for c in command]
        if present and os.access(command[0], os.X_OK):
            found.append((judge, f"{name}.{a.config}", command, present))
        else:
            print(f"run_tests.py: {name} is left out: {command[0]} or the device of {a.config} is not built", file=sys.stderr)
    return found


def silicon_tests(a, folder, root, mutants):
    present, build, found = numbers(folder / f"present/{a.config}.txt"), pathlib.Path(a.build).resolve(), []
    for start, forms, cases in SILICON:
        ids = {m["id"] for m in mutants if pathlib.Path(m["file"]).name.startswith(start)} & present
        where = ["--on", "lockstep", "--config", a.config, "--max-cycles", "3000000"]
        for form in forms.split():
            command = [str(build / "heddle"), "ops", str(root / "tests/silicon/ops"), "--only", form, *where]
            found.append(("silicon", f"silicon.{form}", command, ids))
        for case in cases.split():
            if (build / f"silicon/mma/{case}.s").exists():
                command = [str(build / "heddle"), "cases", str(build / "silicon/mma"), "--only", case, *where]
                found.append(("silicon", f"silicon.{case}", command, ids))
    return found


class Hunt:
    def __init__(self, a, folder, root, judges, results, by_number):
        self.a, self.folder, self.root, self.judges, self.results = a, folder, root, judges, results
        self.by_number = by_number
        self.lock, self.cost, self.trying = threading.Lock(), {}, collections.defaultdict(threading.Lock)

    def judges_of(self, m):
        return [j for j in self.judges if m["id"] in j[3]]

    def passes(self, judge):
        """Whether it passes without a mutant; asked once. How long that takes is what puts tests in order."""
        with self.trying[judge[1]]:
            if judge[1] not in self.cost:
                start = time.monotonic()
                said = self.ask(judge, 0)
                self.cost[judge[1]] = time.monotonic() - start if said is None else None
                if said is not None:
                    print(f"run_tests.py: without a mutant {judge[1]} does not pass, and is left out: {said}", file=sys.stderr)
            return self.cost[judge[1]] is not None

    def ask(self, judge, number):
        command = judge[2]
        if judge[0] == "formal":
            copy = self.folder / f"formal/{judge[1]}.{number}"
            formal_copy.make(self.root, self.folder / "tree", self.by_number.get(number), copy)
            command = [w.replace("{copy}", str(copy)) for w in command]
        try:
            return ask((judge[1], command, SECONDS, "FAILED"), self.folder, self.root, number)
        finally:
            if judge[0] == "formal":
                shutil.rmtree(copy, ignore_errors=True)

    def mutant(self, m):
        key = m["key"], m["occurrence"]
        r = self.results.get(key) or {"id": m["id"], "key": m["key"], "occurrence": m["occurrence"], "config": None, "seed": None,
                                      "killed": None, "programs": 0, "warp_instructions": 0, "kernels": False, "seconds": 0.0}
        asked = r.setdefault("asked", [])
        judges = [j for j in self.judges_of(m) if j[1] not in asked and self.passes(j)]
        start = time.monotonic()
        for judge in sorted(judges, key=lambda j: self.cost[j[1]]):
            said = self.ask(judge, m["id"])
            asked.append(judge[1])
            if said is not None:
                r.update(killed=judge[0], diagnosis=f"{judge[1]}: {said}")
                break
        r["seconds"] = round(r["seconds"] + time.monotonic() - start, 1)
        with self.lock:
            self.results[key] = r
            with open(self.a.results, "a", encoding="utf-8") as f:
                f.write(json.dumps(r) + "\n")


if __name__ == "__main__":
    sys.exit(main())
