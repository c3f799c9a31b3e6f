#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: sanitizer-cost.py HEDDLE [KERNEL...]

What `heddle run --sanitize` costs: rows of the table in docs/sanitizer.md. CPU time of one launch of kernels of
firmware/kernels on the model with one thread: of N launches more, the least of three runs each."""
import os
import random
import re
import resource
import struct
import subprocess
import sys
import tempfile

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "firmware", "kernels")
RUNS = {
    "vecadd": "--grid 256 --block 256 --arg in:f --arg in:f --arg out:262144:o --arg u32:65536",
    "saxpy": "--grid 64 --block 256 --arg f32:2 --arg in:f --arg inout:f:o --arg u32:65536",
    "reduce": "--grid 64 --block 256 --arg in:f --arg out:256:o --arg local:1024 --arg u32:65536",
    "transpose": "--grid 8,8 --block 32,8 --arg in:f --arg out:262144:o --arg u32:256 --arg u32:256",
    "histogram": "--grid 16 --block 256 --arg in:b --arg out:1024:o --arg u32:262144",
    "sgemm": "--grid 8,8 --block 16,16 --arg u32:128 --arg u32:128 --arg u32:128 --arg f32:1 --arg in:f --arg in:f "
             "--arg f32:0 --arg inout:f:o",
    "conv2d": "--grid 16,16 --block 16,16 --arg in:f --arg out:262144:o --arg s32:256 --arg s32:256 --arg u32:0 --arg f32:1",
    "scan": "--kernel scan_blocks --grid 64 --block 128 --arg in:f --arg out:262144:o --arg out:1024:o --arg u32:65536",
}


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(heddle, kernel, extra, launches, scratch):
    """Seconds of CPU, and warp instructions."""
    call = [heddle, "run", os.path.join(KERNELS, kernel + ".cl"), "--on", "model", "--threads", "1"]
    call += RUNS[kernel].split() + extra + ["--launches", str(launches)]
    least = None
    for _ in range(3):
        before = children()
        done = subprocess.run(call, cwd=scratch, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(call)}: exit status {done.returncode}\n{done.stderr}")
        least = min(children() - before, least or 1e9)
    return least, int(re.search(r"(\d+) warp instructions", done.stderr).group(1))


def each(heddle, kernel, extra, launches, scratch):
    one, instructions = measure(heddle, kernel, extra, 1, scratch)
    return (measure(heddle, kernel, extra, 1 + launches, scratch)[0] - one) / launches, instructions


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    heddle = os.path.abspath(sys.argv[1])
    random.seed(1)
    with tempfile.TemporaryDirectory() as scratch:
        with open(os.path.join(scratch, "f"), "wb") as f:
            f.write(struct.pack("<65536f", *[random.random() for _ in range(65536)]))
        with open(os.path.join(scratch, "b"), "wb") as f:
            f.write(bytes(random.randrange(256) for _ in range(262144)))
        for kernel in sys.argv[2:] or RUNS:
            plain, instructions = each(heddle, kernel, [], 60, scratch)
            times = [each(heddle, kernel, ["--sanitize", c], 10, scratch)[0] / plain for c in ("race", "memory", "all")]
            print(f"| {kernel} | {instructions} | {plain * 1e3:.2f} | " + " | ".join(f"{t:.1f}" for t in times) + " |", flush=True)


main()
