#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What run.sh has counted, as one JSON file.

usage: collect.py DIR VERSIONS      DIR as run.sh fills it; results to standard output
       collect.py --same LOG STEPS  are two counts of one run, by log and by stepping, equal? exit 1: no
example: lab/study/simd/collect.py build/study-simd lab/study/simd/versions.txt
"""
import json
import os
import re
import subprocess
import sys

KERNELS = ("daxpy", "stencil", "sgemm", "sgemm4", "mandel")
WHICH = {"all": KERNELS, "plain": KERNELS[:3]}  # plain: those that compilers vectorise by themselves
LISTED = {"daxpy": ("heddle", "x86-avx2", "rvv-256-strip"), "mandel": ("heddle", "rvv-1024", "rvv-1024-masked")}


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def compare(log, steps):
    """Executions by instruction: address, bytes, text, class, executed."""
    a, b = ([row[:5] for row in load(path)["listing"]] for path in (log, steps))
    for row, other in zip(a, b):
        if row != other:
            print(f"collect.py: {log}: by log {row}, by stepping {other}", file=sys.stderr)
            return 1
    return int(len(a) != len(b) or not a)


def loop(listing):
    """What is executed at least half as often as the most often executed instruction: [text, class]."""
    most = max(row[4] for row in listing)
    return [[row[2], row[3]] for row in listing if 2 * row[4] >= most]


def version(count, kernel, name):
    """One version of one kernel."""
    entry = {key: count[key] for key in ("code", "executed", "vector", "float")}
    if name in LISTED.get(kernel, ()):
        entry["loop"] = loop(count["listing"])
    return entry


def tool(*command):
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return said[0].strip()


def remarks(folder):
    """Per target what the compiler says of loops: "13 vectorized loop", sorted, once each."""
    found = {}
    for name in sorted(os.listdir(folder)):
        if not name.startswith("remarks."):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            lines = re.findall(r"plain\.c:(\d+):\d+: remark: (.*?)(?: \[-Rpass[^\]]*\])?$", f.read(), re.M)
        found[name.partition(".")[2]] = sorted({f"{int(line):3}: {text}" for line, text in lines})
    return found


def collect(folder, versions):
    with open(versions, encoding="utf-8") as f:
        rows = [line.split() for line in f if line.strip() and not line.startswith("#")]
    results = load(os.path.join(folder, "reference.json"))
    for kernel in KERNELS:
        names = ["heddle"] + [row[0] for row in rows if kernel in WHICH.get(row[3], row[3:4])]
        counts = {name: load(os.path.join(folder, "counts", f"{name}.{kernel}.json")) for name in names}
        results[kernel]["versions"] = {name: version(counts[name], kernel, name) for name in names}
    tools = [tool("clang-19", "--version"), tool("qemu-riscv64", "--version")]
    return {"format": 1, "tools": tools, "kernels": results, "remarks": remarks(os.path.join(folder, "log"))}


def main(args):
    if len(args) == 3 and args[0] == "--same":
        return compare(args[1], args[2])
    if len(args) != 2 or "--help" in args:
        print(__doc__, file=sys.stdout if "--help" in args else sys.stderr, end="")
        return 0 if "--help" in args else 2
    json.dump(collect(*args), sys.stdout, indent=1, sort_keys=True)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
