#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The planted bugs of barrel under the checker.

usage: bugs.py HEDDLE --check FILE [BUG ...]        each line of FILE holds (of these bugs)
       bugs.py HEDDLE --search PROFILE [BUG ...]    lines for FILE: the first random program that shows each
  HEDDLE_DEVICES names the folder with barrel (P1) and barrel0 (P0): build.sh FOLDER, build.sh FOLDER 0
FILE: a line each, BUG PROFILE SEED PROGRAM SIGNATURE; SEED -: the program is that of programs/.
Exit status: 0 all is as FILE says, 1 it is not, 2 usage.
"""
import pathlib
import re
import subprocess
import sys

PROGRAMS = 150  # of each seed
SEEDS = (1, 2, 3)


def config(profile):
    return {"P1": "barrel", "P0": "barrel0"}[profile]


def signature_of_file(heddle, profile, bug, program):
    file = pathlib.Path(__file__).parent / "programs" / program
    words = [heddle, "run", file, "--grid", "1", "--block", "32", "--config", config(profile), "--fault", bug]
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    found = re.search(r"^  signature (\S+)$", done.stderr, re.M)
    return found[1] if found else None


def signature(heddle, profile, bug, seed, program):
    """Of the difference that the program shows with the bug, or None: it passes."""
    if seed == "-":
        return signature_of_file(heddle, profile, bug, program)
    words = [heddle, "fuzz", "--programs", "1", "--only", program, "--seed", seed, "--config", config(profile),
             "--fault", bug, "--no-shrink"]
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    found = re.search(r"^1 x (\S+)$", done.stdout, re.M)
    if done.returncode not in (0, 1):
        sys.exit(f"bugs.py: {' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
    return found[1] if found else None if done.returncode == 0 else "without a signature"


def search(heddle, profile, bugs):
    for bug in bugs or range(1, 51):
        for seed, program in ((s, p) for s in SEEDS for p in range(PROGRAMS)):
            found = signature(heddle, profile, bug, seed, program)
            if found:
                print(bug, profile, seed, program, found, flush=True)
                break
        else:
            print("#", bug, profile, "no program shows it", flush=True)


def check(heddle, path, bugs):
    wrong = found = 0
    with open(path, encoding="ascii") as file:
        lines = [line.split(None, 4) for line in file if line.strip() and not line.startswith("#")]
    for bug, profile, seed, program, want in lines:
        if bugs and int(bug) not in bugs:
            continue
        got = signature(heddle, profile, bug, seed, program)
        found += got is not None
        if got != want.strip():
            print(f"bug {bug} at {profile}: {want.strip()} was to be found, not {got}")
            wrong += 1
    print(f"{found} found, {wrong} otherwise than {path} says")
    return 1 if wrong else 0


def main():
    if len(sys.argv) < 4 or sys.argv[2] not in ("--check", "--search"):
        print(__doc__, file=sys.stderr)
        return 2
    heddle, _, what = sys.argv[1:4]
    bugs = [int(b) for b in sys.argv[4:]]
    if sys.argv[2] == "--check":
        return check(heddle, what, bugs)
    search(heddle, what, bugs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
