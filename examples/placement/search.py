#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where should a field lie? Every place of one field that the instruction set allows, by what the decoder costs there.

usage: examples/placement/search.py FIELD [--list] [--places LO ...] [--jobs N] [--build DIR]
  example: examples/placement/search.py yield --list
  example: examples/placement/search.py yield --places 109 104 125
--list     only say which places are free, mapping nothing
--places   only these lowest bits
--build    the build that isa-gen and the other packages are of (default build)
Run it from the source tree. Each place is an overlay of one line, checked by isa-gen, and a mapping of
lab/fpga/synth/isa_decoder.sv: half a minute. Results stay in BUILD/placement. Mapping is luck: `yield` is a wire through the
decoder wherever it lies, and its places differ by 3 %. A place that wins by less has won nothing.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

OTHERS = ("host_regs_pkg.sv", "bank0_pkg.sv", "retire_pkg.sv", "mufu_pkg.sv", "tiny/cfg_pkg.sv")


def width_of(field):
    with open("isa/heddle.isa", encoding="utf-8") as f:
        found = re.search(rf"^field\s+{re.escape(field)}\s+(\d+)(?::(\d+))?\s", f.read(), re.M)
    if not found:
        sys.exit(f"search.py: no field '{field}' in isa/heddle.isa")
    return int(found[1]) - int(found[2] or found[1]) + 1, int(found[2] or found[1])


def overlay(args, lo, width):
    """The overlay's path, or None where the instruction set does not allow it."""
    folder = os.path.join(args.build, "placement", f"{args.field}-{lo}")
    os.makedirs(os.path.join(folder, "gen", "tiny"), exist_ok=True)
    path = os.path.join(folder, "overlay.isa")
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"import {os.path.abspath('isa/heddle.isa')}\nmove {args.field} {lo + width - 1}:{lo}\n")
    checked = subprocess.run([os.path.join(args.build, "bin/isa-gen"), "--check", path], check=False, capture_output=True)
    return folder if checked.returncode == 0 else None


def cost(args, folder):
    gen = os.path.join(folder, "gen")
    subprocess.run([os.path.join(args.build, "bin/isa-gen"), os.path.join(folder, "overlay.isa"), gen], check=True)
    for name in OTHERS:
        shutil.copy(os.path.join(args.build, "gen", name), os.path.join(gen, name))
    out = os.path.join(folder, "decoder.json")
    done = subprocess.run(["scripts/synth.sh", "--jobs", "1", "--json", out, "tiny", "isa_decoder"], check=False,
                          capture_output=True, text=True, env={**os.environ, "HEDDLE_GEN_DIR": gen})
    if done.returncode != 0:
        sys.exit(f"search.py: {folder}: {done.stderr}")
    with open(out, encoding="utf-8") as f:
        return lut4(json.load(f))


def lut4(report):
    """Of the only top in a report of scripts/synth.sh."""
    rows = next(v for v in report.values() if isinstance(v, list) and v and "lut4" in v[0])
    return rows[0]["lut4"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("field")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--places", type=int, nargs="+")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--build", default="build")
    args = parser.parse_args()
    width, here = width_of(args.field)
    wanted = args.places or range(128 - width + 1)
    folders = {lo: folder for lo in wanted if (folder := overlay(args, lo, width))}
    print(f"{args.field}, {width} bits, now at {here}: {len(folders)} places: {' '.join(map(str, folders))}")
    if args.list:
        return
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        costs = list(pool.map(lambda lo: (cost(args, folders[lo]), lo), folders))
    for luts, lo in sorted(costs):
        print(f"{luts:6} LUT4  {args.field} {lo + width - 1}:{lo}{'  (the base)' if lo == here else ''}")


if __name__ == "__main__":
    main()
