#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ask which programs make which mutants of rtl/ differ, without planting one.

In a watched device (build.sh --watch) each place also says whether its mutant would have had another value. One run of
a program tells that of all mutants; a mutant that no program makes differ lives, and of the others run.py --reach runs
only the programs that do. Results are appended, a line a program, so that a run can be stopped and goes on."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

import equivalent
import reach
from run import TIMEOUT, kinds_of, numbers, program_command, read_results

CLASSES = ((0, 0), (1, 9), (10, 99), (100, 999), (1000, None))


def main():
    a = arguments()
    folder = pathlib.Path(a.mutants).resolve()
    path = pathlib.Path(a.reach or folder / "reach.jsonl")
    if not a.show:
        ask(a, folder, path)
    return show(a, folder, reach.Reach(path))


def arguments():
    p = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 done, 1 a program does not pass, 2 usage, 5 something is not built\n"
               "example: lab/verify/mutants/build.sh --watch tiny && lab/verify/mutants/run_reach.py --config tiny --programs 200")
    p.add_argument("--config", default="tiny", metavar="NAME", help="machine (default tiny)")
    p.add_argument("--programs", type=int, default=100, metavar="N", help="how many, those of run.py (default 100)")
    p.add_argument("--seed", type=int, default=1, metavar="N", help="of the programs (default 1)")
    p.add_argument("--jobs", type=int, default=1, metavar="N", help="programs at a time (default 1)")
    p.add_argument("--kinds", type=kinds_of, metavar="NAMES", help="kinds of programs, as of run.py")
    p.add_argument("--mutants", default="build/mutants", metavar="DIR", help="what build.sh has made (default build/mutants)")
    p.add_argument("--heddle", default="build/heddle", metavar="PROGRAM", help="default build/heddle")
    p.add_argument("--reach", metavar="FILE", help="default reach.jsonl in that folder")
    p.add_argument("--results", metavar="FILE", help="of run.py: who is killed (default results.jsonl in that folder)")
    p.add_argument("--show", action="store_true", help="only show what is known")
    a = p.parse_args()
    if a.programs < 1 or a.jobs < 1:
        p.error("--programs and --jobs are at least 1")
    return a


def ask(a, folder, path):
    device = folder / f"watch/devices/verilator_{a.config}.so"
    for needed, how in ((device, f"lab/verify/mutants/build.sh --watch {a.config}"), (a.heddle, "target heddle")):
        if not os.path.exists(needed):
            print(f"run_reach.py: {needed} is not there; build it: {how}", file=sys.stderr)
            sys.exit(5)
    same = [(folder / name).read_bytes() for name in ("mutants.jsonl", "watch/mutants.jsonl")]
    if same[0] != same[1]:
        print(f"run_reach.py: {folder}/watch has other mutants than {folder}; build it with the same choice", file=sys.stderr)
        sys.exit(5)
    known, lock, done = reach.Reach(path), threading.Lock(), []
    work = [k for k in range(a.programs) if not known.known(a.config, a.seed, k)]

    def one(k):
        row = program(a, device.parent, k)
        with lock, open(path, "a", encoding="utf-8") as f:
            f.write(json.dumps(row) + "\n")
            done.append(k)
            if len(done) % 100 == 0:
                print(f"{len(done)} of {len(work)} programs", file=sys.stderr, flush=True)

    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        tasks = [pool.submit(one, k) for k in work]
        try:
            for t in concurrent.futures.as_completed(tasks):
                t.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def program(a, devices, k):
    with tempfile.TemporaryDirectory() as temporary:
        counts = pathlib.Path(temporary) / "counts"
        command = [a.heddle, *program_command(a.config, a.seed, k, a.kinds)]
        p = subprocess.run(command, timeout=TIMEOUT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           env={**os.environ, "HEDDLE_FAULT": "0", "HEDDLE_DEVICES": str(devices), "HEDDLE_WATCH": str(counts)},
                           check=False)
        if p.returncode != 0:
            raise SystemExit(f"run_reach.py: without a mutant this does not pass: {' '.join(command)}\n"
                             + p.stdout.decode("utf-8", "replace")[:2000])
        reached, differs = reach.counts(counts)
    return {"config": a.config, "seed": a.seed, "program": k, "differs": sorted(differs), "same": sorted(reached - differs)}


def show(a, folder, known):
    """How many programs make a mutant differ, and whether it has been killed."""
    with open(folder / "mutants.jsonl", encoding="latin-1") as lines:
        mutants = [json.loads(line) for line in lines]
    present, same = numbers(folder / f"present/{a.config}.txt"), equivalent.read()
    mutants = [m for m in mutants if m["id"] in present and not equivalent.holds(same, m)]
    results = read_results(a.results or str(folder / "results.jsonl"))
    asked = sum((c, s) == (a.config, a.seed) for c, s, _ in known.rows)
    table = [[0, 0, 0] for _ in CLASSES]
    for m in mutants:
        r = results.get((m["key"], m["occurrence"]))
        killed = r is not None and r["killed"] is not None
        reached, differs = known.programs(m["id"], a.config, a.seed)
        row = table[next(i for i, (low, high) in enumerate(CLASSES) if low <= differs and (high is None or differs <= high))]
        for column, counts in enumerate((True, killed, r is not None and not killed)):
            row[column] += counts
        if not differs:
            print(f"{m['file']}:{m['line']}: mutant {m['id']}: {f'reached by {reached}' if reached else 'not reached'}")
    print(f"\n{a.config}, {asked} programs of seed {a.seed}, {len(mutants)} mutants that change something\n")
    print("| programs in which it differs | mutants | killed | asked and left |\n|---|---|---|---|")
    for (low, high), row in zip(CLASSES, table):
        print(f"| {low if low == high else f'{low} to {high}' if high else f'{low} and more'} | " + " | ".join(map(str, row)) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
