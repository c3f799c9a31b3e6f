#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the model made of all that silicon has run, as the build ran it (compared.sh): every case is equal but those that
DIFFERS names, with the reason; one that is equal by now must leave that list.

usage: results.py RESULTS.json LEAST [DIFFERS]     LEAST: so many cases there are, or more
"""
import json
import sys


def faults(said, least, known):
    """What is wrong, a line each. said: the JSON of `heddle ops` or `heddle cases`; known: names that may differ."""
    cases = said.get("forms", said.get("cases", []))
    failed = {c["name"] for c in cases if not c["passed"]}
    for name in sorted(failed - set(known)):
        yield f"{name} is not as on silicon"
    for name in sorted(set(known) - failed):
        yield f"{name} is as on silicon, or is gone: take it out of the list"
    if len(known) != len(set(known)):
        yield "a name stands twice in the list"
    if len(cases) < least:
        yield f"{len(cases)} cases, and there are {least}"
    counts = [said.get(n) for n in ("passed", "failed", "exit")]
    if counts != [len(cases) - len(failed), len(failed), int(bool(failed))]:
        yield "{} passed, {} failed, exit status {}: not what the list says".format(*counts)


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        said = json.load(f)
    known = []
    if len(sys.argv) > 3:
        with open(sys.argv[3], encoding="utf-8") as f:
            known = [line.split()[0] for line in f if line.strip() and not line.startswith("#")]
    wrong = list(faults(said, int(sys.argv[2]), known))
    print("".join(f"FAILED: {w}\n" for w in wrong) + f"{said.get('passed')} as on silicon, {len(known)} known to differ")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
