#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Heddle's side of the study: results equal the reference in C, counts are those of heddle run, and the stored ones.

usage: test_heddle.py STUDY HEDDLE SIMD_WARP
"""
import json
import os
import subprocess
import sys
import tempfile

KERNELS = ("daxpy", "stencil", "sgemm", "sgemm4", "mandel")
BARRIER = """.kernel waits
        BAR.SYNC 0x0 ;
        EXIT ;
.end
"""
failed = False


def check(holds, what):
    global failed
    if not holds:
        print(f"FAILED: {what}")
        failed = True


def read(path):
    with open(path, "rb") as f:
        return f.read()


def launches(script):
    """kernel: [grid, block, arguments] as heddle.sh has them."""
    with open(script, encoding="utf-8") as f:
        words = [line.split() for line in f if line.startswith("kernel ")]
    return {w[1]: (w[2], w[3], w[4:]) for w in words}


def retired(heddle, study, kernel, launch, inputs, out):
    """Warp instructions as the model alone counts them."""
    grid, block, arguments = launch
    command = [heddle, "run", f"{study}/kernels/simd.ptx", "--kernel", kernel, "--grid", grid, "--block", block, "--on",
               "model", "--json", "-"]
    for a in arguments:
        command += ["--arg", a.strip('"').replace("$in", inputs).replace("$to", out)]
    done = subprocess.run(command, capture_output=True, text=True)
    check(done.returncode == 0, f"heddle run of {kernel}: {done.stderr}")
    return json.loads(done.stdout)["counters"]["warp_instructions"]


def count(study, warp, inputs, out):
    os.mkdir(out)
    subprocess.run([f"{study}/heddle.sh", warp, f"{study}/kernels/simd.ptx", inputs, out, out], check=True)


def refused(command, why):
    done = subprocess.run(command, capture_output=True, text=True)
    check(done.returncode == 2 and why in done.stderr and not done.stdout, f"not refused: {command}: {done.stderr}")


def refusals(study, warp, folder):
    path = f"{folder}/waits.s"
    with open(path, "w", encoding="utf-8") as f:
        f.write(BARRIER)
    rules = f"{folder}/rules.txt"
    with open(rules, "w", encoding="utf-8") as f:
        f.write("BAR* control vector\nEXIT control vector\n")
    refused([warp, path, "waits", rules, "1", "64"], "barrier")
    refused([warp, path, "waits", f"{study}/classes/heddle.txt", "1", "64"], "no line for 'BAR")
    refused([warp, path, "nobody", rules, "1", "64"], "nobody")
    refused([warp, path, "waits", rules, "0", "64"], "expected X,Y,Z")


def claims(stored):
    """What the page says in words of the stored numbers."""
    def versions(kernel, part, key):
        return {name: v[part][key] for name, v in stored[kernel]["versions"].items()}

    for kernel in ("sgemm4", "mandel"):
        float_of = versions(kernel, "executed", "float")
        for one, other in (("heddle", "rvv-1024"), ("x86-avx2", "rvv-256"), ("x86-scalar", "riscv-scalar")):
            check(float_of[one] == float_of[other], f"{kernel}: arithmetic of {one} and {other}: {float_of}")
    fewest = [kernel for kernel in KERNELS
              if min((n, name) for name, n in versions(kernel, "executed", "instructions").items())[1] == "heddle"]
    check(fewest == ["daxpy", "stencil", "sgemm", "mandel"], f"Heddle executes the fewest instructions in {fewest}")
    fetched = {kernel: versions(kernel, "executed", "bytes") for kernel in KERNELS}
    more = [kernel for kernel in KERNELS if fetched[kernel]["heddle"] > fetched[kernel]["rvv-1024"]]
    check(more == ["daxpy", "stencil", "sgemm4", "mandel"], f"Heddle fetches more bytes in {more}")


def main(study, heddle, warp):
    with open(f"{study}/results.json", encoding="utf-8") as f:
        stored = json.load(f)["kernels"]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cc", "-std=c11", "-O1", "-ffp-contract=off", f"{study}/kernels/reference.c", "-lm", "-o",
                        f"{folder}/reference"], check=True)
        told = json.loads(subprocess.run([f"{folder}/reference", folder], capture_output=True, check=True).stdout)
        for again in ("first", "second"):
            count(study, warp, folder, f"{folder}/{again}")
        for kernel in KERNELS:
            name = f"heddle.{kernel}"
            check(read(f"{folder}/first/{name}") == read(f"{folder}/{kernel}.bin"), f"{kernel}: the result")
            check(read(f"{folder}/first/{name}.json") == read(f"{folder}/second/{name}.json"), f"{kernel}: two runs")
            counted = json.loads(read(f"{folder}/first/{name}.json"))
            launch = launches(f"{study}/heddle.sh")[kernel]
            check(counted["executed"]["instructions"] ==
                  retired(heddle, study, kernel, launch, folder, f"{folder}/first/run"), f"{kernel}: instructions")
            check(counted["float"]["lanes"] == told[kernel]["operations"],
                  f"{kernel}: {counted['float']['lanes']} operations, the reference {told[kernel]['operations']}")
            is_stored = stored[kernel]["versions"]["heddle"]
            same = all(counted[key] == is_stored[key] for key in ("code", "executed", "vector", "float"))
            check(same, f"{kernel}: other counts than the page shows: run lab/study/simd/run.sh --store")
        refusals(study, warp, folder)
    claims(stored)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 4 else 2)
