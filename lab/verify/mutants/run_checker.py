#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hunt the mutants of checker and shim: does any test of the checker fail, is any injected fault no longer found?

A mutant is killed by the first judge that says something else than without it: tests/cosim, and tests/expect_fail,
whose faults must be found and named, and whose programs must pass without one. Results are appended to RESULTS."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

from run import chosen, read_results

FLIPS = "test_every_record_counts_*"   # one bit of each record: a minute
# In rising cost: name, command (of the folder with the programs), seconds it may take, the start of a line that ends it.
JUDGES = (
    ("cosim.shim", ["bin/cosim_shim_test"], 30, "[  FAILED  ]"),
    ("cosim.text", ["bin/tests_cosim", "text"], 30, "[  FAILED  ]"),
    ("cosim.local", ["bin/tests_checker", "cosim.local"], 30, "[  FAILED  ]"),
    ("cosim.watch", ["bin/tests_checker", "cosim.watch"], 30, "[  FAILED  ]"),
    ("cosim.host", ["bin/tests_checker", "cosim.host"], 30, "[  FAILED  ]"),
    ("cosim.late", ["bin/tests_checker", "cosim.late"], 30, "[  FAILED  ]"),
    ("cosim.visibility", ["bin/tests_checker", "cosim.visibility"], 30, "[  FAILED  ]"),
    ("cosim.visibility_rules", ["bin/tests_checker", "cosim.visibility_rules"], 30, "[  FAILED  ]"),
    ("cosim.visibility_fence", ["bin/tests_checker", "cosim.visibility_fence"], 30, "[  FAILED  ]"),
    ("cosim.visibility_tables", ["bin/tests_checker", "cosim.visibility_tables"], 30, "[  FAILED  ]"),
    ("cosim.visibility_bytes", ["bin/tests_checker", "cosim.visibility_bytes"], 60, "[  FAILED  ]"),
    ("cosim.visibility_random", ["bin/tests_checker", "cosim.visibility_random"], 300, "[  FAILED  ]"),
    ("cosim.records", ["bin/tests_cosim", "records"], 60, "[  FAILED  ]"),
    ("cosim.trace", ["bin/tests_cosim", "trace"], 120, "[  FAILED  ]"),
    ("cosim.session", ["bin/cosim_session_test"], 120, "[  FAILED  ]"),
    ("cosim.lockstep", ["bin/cosim_lockstep_test", "tiny"], 300, "[  FAILED  ]"),
    ("cosim.checker", ["bin/tests_checker", "cosim.checker", "-" + FLIPS], 300, "[  FAILED  ]"),
    ("random", ["heddle", "fuzz", "--programs", "10", "--config", "tiny", "--no-shrink"], 300, "difference"),
    ("random.cached", ["heddle", "fuzz", "--programs", "10", "--config", "cached", "--no-shrink", "--knobs",
                       "{root}/lab/verify/campaigns/cache.knobs"], 300, "difference"),
    ("kernels", ["heddle", "kernels", "vecadd", "nested", "reduce", "histogram", "permute", "--form", "asm", "--scale", "0",
                 "--launches", "2", "--config", "tiny"], 120, "difference"),
    ("expect_fail", ["bin/expect_fail", "tiny"], 900, "FAILED "),
    ("cosim.flips4", ["bin/tests_checker", "cosim.checker", FLIPS.replace("*", "4")], 300, "[  FAILED  ]"),
    ("cosim.flips", ["bin/tests_checker", "cosim.checker", FLIPS], 1800, "[  FAILED  ]"),
)


def main():
    a = arguments()
    folder, root = pathlib.Path(a.mutants).resolve(), pathlib.Path(__file__).resolve().parents[3]
    for f in ("mutants.jsonl", "build/heddle", "build/bin/tests_checker", "build/bin/tests_cosim", "build/bin/cosim_lockstep_test",
              "build/devices/verilator_tiny.so"):
        if not (folder / f).exists():
            print(f"run_checker.py: {folder / f} is not there; build it: lab/verify/mutants/build-checker.sh", file=sys.stderr)
            return 5
    with open(folder / "mutants.jsonl", encoding="latin-1") as lines:
        mutants = [json.loads(line) for line in lines]
    a.results = a.results or str(folder / "results.jsonl")
    results, lock = read_results(a.results), threading.Lock()
    judges = [j for j in JUDGES if not a.quick or j[0] != "cosim.flips"]
    for judge in judges:
        said = ask(judge, folder / "build", root, 0)
        if said is not None:
            print(f"run_checker.py: without a mutant {judge[0]} does not pass: {said}", file=sys.stderr)
            return 1
    work = chosen(mutants, a)
    for judge in judges:   # the cheap ones over the whole table first
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            for _ in pool.map(lambda m, j=judge: hunt(m, j, folder, root, results, lock, a.results), work):
                pass
        left = [m for m in work if not results[m["key"], m["occurrence"]]["killed"]]
        print(f"{len(work) - len(left)} of {len(work)} killed, {len(left)} left after {judge[0]}; {a.results}", flush=True)
    return 0


def arguments():
    p = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 done, 1 something fails without a mutant, 2 usage, 5 something is not built\n"
               "example: lab/verify/mutants/build-checker.sh && lab/verify/mutants/run_checker.py --sample 50")
    p.add_argument("--sample", type=int, metavar="N", help="only N mutants, chosen by chance (the same each time)")
    p.add_argument("--ids", metavar="N,N", help="only these")
    p.add_argument("--quick", action="store_true", help="without cosim.flips, which takes about a minute a mutant")
    p.add_argument("--jobs", type=int, default=1, metavar="N", help="mutants at a time (default 1)")
    p.add_argument("--mutants", default="build/mutants/checker", metavar="DIR", help="what build-checker.sh has made (default "
                   "build/mutants/checker)")
    p.add_argument("--results", metavar="FILE", help="default results.jsonl in that folder")
    a = p.parse_args()
    if a.jobs < 1 or (a.sample is not None and a.sample < 1):
        p.error("--jobs and --sample are at least 1")
    if a.ids and not all(x.isdigit() for x in a.ids.split(",")):
        p.error(f"--ids {a.ids}: numbers and commas")
    return a


def hunt(m, judge, folder, root, results, lock, path):
    """Ask this judge, if it has not been asked and nobody has spoken yet."""
    key = m["key"], m["occurrence"]
    r = results.get(key) or {"id": m["id"], "key": m["key"], "occurrence": m["occurrence"], "group": m["group"],
                             "killed": None, "asked": [], "seconds": 0.0}
    with lock:
        results[key] = r
    if r["killed"] or judge[0] in r["asked"]:
        return
    start = time.monotonic()
    said = ask(judge, folder / "build", root, m["id"])
    r["asked"].append(judge[0])
    r["seconds"] = round(r.get("seconds", 0.0) + time.monotonic() - start, 1)
    if said is not None:
        r.update(killed=judge[0], diagnosis=said)
    with lock:
        with open(path, "a", encoding="utf-8") as f:
            f.write(json.dumps(r) + "\n")


def ask(judge, programs, root, number):
    """None: it passes; else a word on what it said. It is stopped at the first failure."""
    _, command, limit, failure = judge
    words = [w.replace("{root}", str(root)) for w in command]
    words = [str(programs / w) if (programs / w).is_file() else w for w in words]
    environment = {**os.environ, "HEDDLE_FAULT": str(number), "HEDDLE_DEVICES": str(programs / "devices")}
    with tempfile.TemporaryDirectory() as own:   # some tests write files where they are started
        p = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, errors="replace", start_new_session=True, cwd=own)
        return verdict(p, limit, failure)


def verdict(p, limit, failure):
    """What ends it: a line that begins with `failure`, too much time, a crash, its exit status; None: it passes."""
    late = threading.Timer(limit, stop, [p])
    late.start()
    found = None
    for line in p.stdout:
        if line.startswith(failure):
            found = line.strip()[:160]
            stop(p)
            break
    p.stdout.close()
    status = p.wait()
    if found is None and not late.is_alive():
        found = "timeout"
    late.cancel()
    if found is None and status != 0:
        found = f"crash (signal {-status})" if status < 0 else f"exit {status}"
    return found


def stop(p):
    """The program and what it has started, which are a session of their own."""
    try:
        os.killpg(p.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


if __name__ == "__main__":
    sys.exit(main())
