#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bring-up of simulated boards: one in good order passes each step that its bit file has; each broken one of
board_faults.txt is refused with the layers, and the wire, that stand there."""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).with_name("board_faults.txt")
FAILED, OK = 1, 0
Fault = collections.namedtuple("Fault", "number program layers where what always")


def table():
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        left, what = line.split(" : ", 1)
        number, program, layers, where = left.split(None, 3)
        yield Fault(number, program, set(layers.split(",")), where.strip(), what.rstrip("* "), what.endswith("*"))


def bring_up(build, program, options=(), **more):
    """Exit status, the report, and what was said."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        run = subprocess.run([build / "heddle", "board", f"sim:{program}", "--bring-up", "--json", report, *options],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=3000,
                             env={**os.environ, **more})
        return run.returncode, json.loads(report.read_text()), run.stdout


def results(report):
    return [step["result"] for step in report["bring_up"]["steps"]]


def good(build, program, passes, options=()):
    """All steps of its bit file pass, and no others are there."""
    status, report, said = bring_up(build, program, options)
    want = ["pass"] * passes + ["absent"] * (10 - passes)
    if status == OK and report["status"] == "ok" and report["bring_up"]["verdict"] is None and results(report) == want:
        return f"{program.name}: {passes} steps pass", True
    return f"FAILED {program.name}: status {status}, {results(report)}\n{said}", False


def broken(build, fault):
    variable = "HEDDLE_FAULT" if fault.number[0] == "c" else "HEDDLE_BOARD_FAULT"
    status, report, said = bring_up(build, build / "bin" / f"board_sim_{fault.program}",
                                    **{variable: fault.number.lstrip("c")})
    verdict = report["bring_up"]["verdict"] or {"layers": [], "where": "", "what": "nothing", "name": "no step"}
    got = f"{verdict['name']}: {','.join(verdict['layers'])} {verdict['where']}: {verdict['what']}"
    right = set(verdict["layers"]) == fault.layers and fault.where in ("-", verdict["where"])
    steps = results(report)
    if status == FAILED and right and steps[-1] == "fail" and "fail" not in steps[:-1]:
        return f"{fault.number} {fault.what}\n     {got}", True
    return (f"FAILED {fault.number} {fault.what}: status {status}\n     {got}\n"
            f"     expected {','.join(sorted(fault.layers))} {fault.where}\n{said}"), False


def joined(build):
    """The bit file `led`, of which nothing is simulated but what it is for the line: two pins joined."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "joined"
        program.write_text("#!/usr/bin/env python3\nimport os, sys\nfd = int(sys.argv[sys.argv.index('--fd') + 1])\n"
                           "while data := os.read(fd, 4096):\n    os.write(fd, data)\n")
        program.chmod(0o755)
        return good(build, program, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="all of the table, and a whole board")
    parser.add_argument("--only", help="numbers, with commas between")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    build = args.build.resolve()
    faults = [f for f in table() if (f.number in args.only.split(",") if args.only else args.all or f.always)]
    jobs = [(broken, build, f) for f in faults]
    if not args.only:
        programs = build / "bin"
        jobs += [(joined, build), (good, build, programs / "board_sim_march", 5),
                 (good, build, programs / "board_sim_registers", 6)]
    if args.all:
        jobs += [(good, build, programs / "board_sim_tiny", 10, ("--campaign", "1")),
                 (good, build, programs / "board_sim_i9_march", 5)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for work in concurrent.futures.as_completed([pool.submit(*job) for job in jobs]):
            text, right = work.result()
            print(text, flush=True)
            failed += not right
    print(f"{len(jobs) - failed} as expected, {failed} not")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
