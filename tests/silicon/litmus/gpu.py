#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs litmus tests on an NVIDIA GPU and counts their outcomes: the files of `heddle litmus gen`, through the driver's
own PTX compiler (libcuda.so.1; numpy is wanted).

A test runs in many launches: words beside each other, in lines of their own, or all of an instance in one sector, in
turns; threads begin at other times, and every second launch reads all locations first.

Writes CSV: test, instances, outcome, count, and whether Heddle's model allows the outcome (NAME.outcomes).
exit status: 0 done, 2 usage, 5 no GPU
example: tests/silicon/litmus/gpu.py build/litmus --instances 1000000 -o counts.csv 0007-IRIW-blocks 0001-2+2W-blocks"""
import argparse
import csv
import ctypes
import pathlib
import random
import re
import sys

import numpy

LANES = 32
GROUPS = 1024           # of blocks in a launch, each of LANES instances or less


class Driver:
    """What is needed of the CUDA driver API."""

    def __init__(self):
        try:
            self.lib = ctypes.CDLL("libcuda.so.1")
        except OSError as why:
            print(f"gpu.py: no CUDA driver: {why}", file=sys.stderr)
            raise SystemExit(5) from why
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        name = ctypes.create_string_buffer(128)
        self.call("cuDeviceGetName", name, 128, device)
        self.name = name.value.decode()
        self.call("cuCtxCreate_v2", ctypes.byref(context), 0, device)

    def call(self, function, *args):
        status = getattr(self.lib, function)(*args)
        if status:
            raise RuntimeError(f"{function}: error {status}")

    def kernel(self, ptx):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), ptx + b"\0")
        self.call("cuModuleGetFunction", ctypes.byref(function), module, b"litmus")
        return module, function

    def room(self, size):
        at = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(size))
        return at

    def put(self, at, array):
        self.call("cuMemcpyHtoD_v2", at, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))

    def get(self, at, array):
        self.call("cuMemcpyDtoH_v2", array.ctypes.data_as(ctypes.c_void_p), at, ctypes.c_size_t(array.nbytes))

    def launch(self, function, grid, block, args):
        cells = (ctypes.c_void_p * len(args))(*(ctypes.cast(ctypes.pointer(a), ctypes.c_void_p) for a in args))
        self.call("cuLaunchKernel", function, *grid, *block, 0, None, cells, None)
        self.call("cuCtxSynchronize")


class Test:
    """A litmus file: where its threads are, how its locations begin, what is looked at."""

    def __init__(self, folder, name):
        text = (folder / f"{name}.litmus").read_text(encoding="utf-8")
        self.name, self.ptx = name, (folder / f"{name}.ptx").read_bytes()
        self.allowed = (folder / f"{name}.outcomes").read_text(encoding="utf-8").split("\n")[:-1]
        self.first = {m[1]: int(m[2]) for m in re.finditer(r"^(\w+)=(\d+);", text, re.M)}
        places = [tuple(map(int, m)) for m in re.findall(r"P\d+@warp (\d+),cta (\d+)", text)]
        self.columns = [c.split("=")[0] for c in self.allowed[0].split()]
        self.registers = [c for c in self.columns if ":" in c]
        self.by_lane = len(places) > 1 and len(set(places)) == 1
        self.blocks = 1 + max(cta for _, cta in places)
        self.warps = 1 + max(warp for warp, _ in places)
        self.per_group = LANES // len(places) if self.by_lane else LANES

    def addresses(self, layout, instances):
        """Bytes from an instance to the next, from a location to the next, and in all."""
        n = max(1, len(self.first))
        stride, step = [(4, 4 * instances), (128, 128 * instances), (32, 4)][layout]
        return stride, step, max(step * n + stride, stride * instances + step * n)


def run(driver, test, wanted, draw):
    counts = {}
    instances = GROUPS * test.per_group
    _, function = driver.kernel(test.ptx)
    width = max(1, len(test.registers))
    seen = numpy.zeros((instances, width), numpy.uint32)
    out = driver.room(seen.nbytes)
    done = turn = 0
    while done < wanted:
        layout, warm = turn % 3, turn // 3 % 2
        stride, step, size = test.addresses(layout, instances)
        memory = numpy.zeros(size // 4 + 1, numpy.uint32)
        where = {l: (k * step + numpy.arange(instances) * stride) // 4 for k, l in enumerate(test.first)}
        for l, value in test.first.items():
            memory[where[l]] = value
        at = driver.room(memory.nbytes)
        driver.put(at, memory)
        skew = sum(draw.choice((0, 0, 1, 2, 5, 12, 30, 60)) << 8 * k for k in range(4))
        driver.launch(function, (test.blocks, GROUPS, 1), (LANES, test.warps, 1),
                      [at, out] + [ctypes.c_uint32(v) for v in (stride, step, 0, skew, warm)])
        driver.get(out, seen)
        driver.get(at, memory)
        driver.call("cuMemFree_v2", at)
        rows = numpy.column_stack([seen[:, test.registers.index(c)] if ":" in c else memory[where[c]]
                                   for c in test.columns])
        values, number = numpy.unique(rows, axis=0, return_counts=True)
        for value, n in zip(values, number):
            text = " ".join(f"{c}={v}" for c, v in zip(test.columns, value))
            counts[text] = counts.get(text, 0) + int(n)
        done += instances
        turn += 1
    driver.call("cuMemFree_v2", out)
    return done, counts


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", type=pathlib.Path, help="what heddle litmus gen has written")
    p.add_argument("names", nargs="*", help="tests; none: all")
    p.add_argument("--instances", type=int, default=1000000, metavar="N", help="of each test, at least (default 10⁶)")
    p.add_argument("--seed", type=int, default=1, help="of when threads begin (default 1)")
    p.add_argument("-o", type=argparse.FileType("w"), default=sys.stdout, metavar="FILE.csv", help="default: stdout")
    a = p.parse_args()
    names = a.names or sorted(f.stem for f in a.folder.glob("*.litmus"))
    left = [n for n in names if re.search(r"^shared ", (a.folder / f"{n}.litmus").read_text(encoding="utf-8"), re.M)]
    names = [n for n in names if n not in left]
    driver, draw, table = Driver(), random.Random(a.seed), csv.writer(a.o, lineterminator="\n")
    table.writerow(["test", "instances", "outcome", "count", "allowed"])
    beyond = 0
    for name in names:
        test = Test(a.folder, name)
        instances, counts = run(driver, test, a.instances, draw)
        for outcome, count in sorted(counts.items()):
            fits = outcome in test.allowed
            beyond += not fits
            table.writerow([name, instances, outcome, count, "yes" if fits else "no"])
    print(f"{driver.name}: {len(names)} tests, {beyond} outcomes beyond Heddle's model; left out, since nobody can read "
          f"shared memory afterwards: {len(left)}", file=sys.stderr)


if __name__ == "__main__":
    main()
