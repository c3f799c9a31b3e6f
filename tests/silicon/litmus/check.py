#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what a GPU did to the models: every outcome that it showed is one that PTX's model allows, and the table says
rightly which of them Heddle's model allows as well.

usage: check.py HEDDLE COUNTS.csv      exit status: 0 so it is, 1 it is not
example: tests/silicon/litmus/check.py build/heddle tests/silicon/litmus/h100.csv"""
import csv
import pathlib
import subprocess
import sys
import tempfile

if len(sys.argv) != 3:
    sys.exit(__doc__)
heddle = sys.argv[1]
with open(sys.argv[2], encoding="utf-8") as f:
    rows = list(csv.DictReader(f))
names = list(dict.fromkeys(r["test"] for r in rows))
wrong = 0


def both(file):
    """What the two models say of a test's condition: (PTX, Heddle)."""
    said = subprocess.run([heddle, "litmus", "import", file], capture_output=True, text=True, check=False)
    words = said.stdout.strip().rsplit("PTX ", 1)[-1].replace(",", "").split()      # "yes, Heddle no"
    return words[0] == "yes", words[2] == "yes"


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    most = 1 + max(int(n.split("-")[0]) for n in names)
    subprocess.run([heddle, "litmus", "gen", folder, "--count", str(most)], capture_output=True, check=True)
    for r in rows:
        allowed = (folder / f"{r['test']}.outcomes").read_text(encoding="utf-8").split("\n")
        if (r["outcome"] in allowed) != (r["allowed"] == "yes"):
            print(f"{r['test']}: {r['outcome']}: the table says {r['allowed']}")
            wrong += 1
        if r["outcome"] in allowed:
            continue            # what Heddle's model allows, PTX's does: gen has asked
        file = folder / "asked.litmus"
        condition = r["outcome"].replace(" ", r" /\ ")
        file.write_text((folder / f"{r['test']}.litmus").read_text(encoding="utf-8") + f"exists ({condition})\n",
                        encoding="utf-8")
        if both(file) != (True, False):
            print(f"{r['test']}: {r['outcome']}: came {r['count']} times, and PTX's model forbids it")
            wrong += 1
    beyond = sum(r["allowed"] == "no" for r in rows)
    possible = sum(len((folder / f"{n}.outcomes").read_text(encoding="utf-8").splitlines()) for n in names)
print(f"{len(names)} tests, {len(rows)} outcomes, {beyond} beyond Heddle's model, all within PTX's; Heddle's allows "
      f"{possible}" if not wrong else f"{wrong} of {len(rows)} outcomes are wrong")
sys.exit(wrong != 0)
