#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that are made for faults: each that is left is asked of all of them, in lockstep.

A program is a .s of the folders whose line "// launch:" says how heddle runs it; several such lines are tried in turns.
Without a fault each must pass. What is found is appended to MUTANTS/results.jsonl, as run.py does."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import run

LIMIT = "1000000"   # cycles


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                epilog="example: made.py --mutants build/mutants/directed --config cached --programs directed/cache")
    p.add_argument("--mutants", required=True, metavar="DIR", help="devices, and results.jsonl, as of directed.sh")
    p.add_argument("--config", required=True, metavar="NAME", help="machine")
    p.add_argument("--programs", required=True, nargs="+", metavar="DIR", help="of the programs")
    p.add_argument("--jobs", type=int, default=1, metavar="N", help="at a time (default 1)")
    a = p.parse_args()
    folder = pathlib.Path(a.mutants).resolve()
    commands = [c for d in a.programs for f in sorted(pathlib.Path(d).glob("*.s")) for c in commands_of(f, a.config)]
    wrong = [c for c in commands if ended(folder, c, 0) is not None]
    for c in wrong:
        print(f"error: without a fault: {' '.join(c)}", file=sys.stderr)
    if wrong or not commands:
        return 1
    with open(folder / "mutants.jsonl", encoding="latin-1") as lines:
        faults = [json.loads(line) for line in lines]
    known = run.read_results(folder / "results.jsonl")
    left = [f for f in faults if not known.get((f["key"], f["occurrence"]), {}).get("killed")]
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool, open(folder / "results.jsonl", "a", encoding="utf-8") as out:
        for r in pool.map(lambda f: hunt(folder, f, commands, a.config), left):
            if r["killed"]:
                print(json.dumps(r), file=out, flush=True)
    return 0


def commands_of(file, config):
    launches = re.findall(r"^// launch: (.*)$", file.read_text(encoding="utf-8"), re.M)
    return [["run", str(file), *launch.split(), "--on", "lockstep", "--config", config, "--max-cycles", LIMIT] for launch in launches]


def hunt(folder, fault, commands, config):
    r = {"id": fault["id"], "key": fault["key"], "occurrence": fault["occurrence"], "config": config, "seed": 1, "killed": None,
         "programs": 0, "warp_instructions": 0, "kernels": False, "seconds": 0.0}
    start = time.monotonic()
    for c in commands:
        r["programs"] += 1
        said = ended(folder, c, fault["id"])
        if said is not None:
            r["killed"], r["diagnosis"] = "made", said
            break
    r["seconds"] = round(time.monotonic() - start, 1)
    return r


def ended(folder, command, fault):
    """None: as it should. Else what the difference is, in its own words."""
    env = {**os.environ, "HEDDLE_DEVICES": str(folder / "devices"), "HEDDLE_FAULT": str(fault)}
    done = subprocess.run([run.CAMPAIGNS.parents[2] / "build/heddle", *command], env=env, capture_output=True, text=True,
                          timeout=run.TIMEOUT, check=False)
    if done.returncode == run.OK:
        return None
    words = re.search(r"difference: ([a-z_.]+) |Assertion failed in ([\w.]+)", done.stdout + done.stderr)
    return words[1] or f"assertion {words[2]}" if words else f"exit {done.returncode}"


if __name__ == "__main__":
    sys.exit(main())
