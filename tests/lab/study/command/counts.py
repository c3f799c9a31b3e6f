#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The figures of `heddle study divergence --json` against counts that another command made, and against its own table.

usage: counts.py JSON STACK ITS TABLE     STACK, ITS: lines "kernel warp-instructions"
For each kernel: the slots of stack and its are the machine's and (but for ORDER) the other command's; no rule has fewer slots than its
lanes need; each thread's instruction is in one slot; the table says the same.
Exit status: 0 all agree, 1 not.
"""
import json
import sys

ORDER = {"bfs.ptx"}  # which thread gets which vertex is up to the order of atomics: two runs differ
RULES = ("stack", "its", "dwf", "dwf_lanes", "tbc")


def read_counts(path):
    with open(path, encoding="utf-8") as f:
        return {name: int(count) for name, count in map(str.split, f)}


def read_table(path):
    rows = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) == 14 and cells[1].isdigit():
                rows[cells[0].split(" ")[0]] = cells
    return rows


def judge(kernel, ran, row):
    """What is wrong with one kernel."""
    slots = {rule: kernel[rule]["slots"] for rule in RULES}
    for unit in ("stack", "its"):
        if not slots[unit] == kernel["retired"][unit] == (ran[unit] if kernel["kernel"] not in ORDER else slots[unit]):
            yield f"{unit}: {slots[unit]} slots, the study's run {kernel['retired'][unit]}, another run {ran[unit]}"
    work = kernel["thread_instructions"]
    for rule in RULES:
        if kernel[rule]["lanes"] < work or slots[rule] * 32 < kernel[rule]["lanes"]:
            yield f"{rule}: {slots[rule]} slots with {kernel[rule]['lanes']} lanes, threads did {work}"
    for rule in RULES[2:]:
        if kernel[rule]["lanes"] != work:
            yield f"{rule}: {kernel[rule]['lanes']} lanes, threads did {work}"
    want = [str(slots[rule]) for rule in RULES] + [str(-(-work // 32))]
    if [row[3], row[5], row[7], row[9], row[11], row[13]] != want:
        yield f"the table says {row}, JSON {want}"
    if int(row[1]) != len(kernel["branches"]) or int(row[2]) != sum(b["diverged"] for b in kernel["branches"]):
        yield f"the table says {row[1]} branches, {row[2]} times; JSON another number"


def main(argv):
    with open(argv[1], encoding="utf-8") as f:
        kernels = json.load(f)["kernels"]
    ran, table = {"stack": read_counts(argv[2]), "its": read_counts(argv[3])}, read_table(argv[4])
    wrong = []
    if len(kernels) < 23 or {k["kernel"] for k in kernels} != set(ran["stack"]):
        wrong.append("not the kernels that the other command ran")
    for kernel in kernels:
        name = kernel["kernel"]
        counts = {unit: ran[unit].get(name) for unit in ran}
        wrong += [f"{name}: {what}" for what in judge(kernel, counts, table[name])]
    for what in wrong:
        print("FAILED:", what)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
