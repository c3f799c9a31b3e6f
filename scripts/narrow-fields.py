#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each field of the base narrower by one bit and by four, one at a time: lint refuses the variant with its file and
line, or it is built, and then kernels and random programs must leave what they leave under the base. One build folder
serves all: of a variant the C programs compile the tables alone. Hours with --device, which builds the hardware, too.

usage: scripts/narrow-fields.py [--lint HEDDLE | --build DIR] [--device CONFIG] [--programs N] [--seed N] [-o FILE]
       [FIELD ...]
example: scripts/narrow-fields.py --programs 20 -o narrow.txt off24 rel bx
--lint HEDDLE: verdicts of lint alone, by a program that is built. Exit status 0 only if every verdict is right."""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
BASE = os.path.join(ROOT, "isa/heddle.isa")


def run(*command, cwd=ROOT):
    return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def fields():
    """Name, top and bottom bit of each field of more than one bit."""
    with open(BASE, encoding="utf-8") as f:
        for m in re.finditer(r"^field\s+(\S+)\s+(\d+):(\d+)\s", f.read(), re.M):
            yield m[1], int(m[2]), int(m[3])


def variants(chosen):
    for name, hi, lo in fields():
        for by in (1, 4):
            if hi - by >= lo and (not chosen or name in chosen):
                yield f"{name} less {by}", f"import {BASE}\nmove {name} {hi - by}:{lo}\n"


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def lint(heddle, path):
    """None: taken. Else the complaint; it must be of the variant's own line."""
    done = run(heddle, "isa", "lint", path)
    if done.returncode == 0:
        return None
    if done.returncode != 2 or f"{path}:2: error: " not in done.stdout:
        raise ValueError(f"exit {done.returncode}, without the variant's line: {done.stdout.strip()}")
    return done.stdout.strip().split(": error: ", 1)[1]


def must(*command):
    done = run(*command)
    if done.returncode != 0:
        raise ValueError(f"{' '.join(command)}: exit {done.returncode}: {done.stdout.strip()[-400:]}")
    return done.stdout


def judge(build, path, a, folder):
    """What runs under the variant; raises ValueError where something differs."""
    targets = ["heddle", "decode_dump"] + ([f"device_verilator_{a.device}"] if a.device else [])
    must("cmake", "--build", build, "--target", *targets)
    heddle = os.path.join(build, "heddle")
    must(sys.executable, "lab/verify/oracle/decode/compare.py", path, os.path.join(build, "bin/decode_dump"), "--words",
         "20000", "--seed", str(a.seed))
    for form in ("ptx", "O0"):
        must(heddle, "kernels", "--form", form, "--on", "model", "--scale", "0")
    for source in sorted(glob.glob(os.path.join(build, "share/heddle/kernels/*.s"))):  # may be refused in words
        done = run(heddle, "as", source, "-o", os.path.join(folder, "kernel.elf"))
        if done.returncode == 0:
            must(heddle, "kernels", os.path.basename(source)[:-2], "--form", "asm", "--on", "model", "--scale", "0")
        elif not re.search(r":\d+:\d+: error: .*(this instruction set has|does not fit)", done.stdout):
            raise ValueError(done.stdout.strip())
    for way in ([], ["--div", "its"]):
        trace = os.path.join(folder, "trace")
        must(heddle, "fuzz", "--on", "model", "--programs", str(a.programs), "--seed", str(a.seed), "--trace", trace,
             *way)
        for one in sorted(glob.glob(trace + "*")):
            must(heddle, "threads", one)
            os.remove(one)
    if a.device:
        must(heddle, "fuzz", "--config", a.device, "--programs", str(a.programs), "--seed", str(a.seed))


def prepare(a, path):
    write(path, f"import {BASE}\n")
    must("cmake", "-S", ROOT, "-B", a.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DHEDDLE_ISA={path}")
    must("cmake", "--build", a.build, "--target", "heddle")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--lint", metavar="HEDDLE")
    p.add_argument("--build", default=os.path.join(ROOT, "build-variant/narrow-fields"))
    p.add_argument("--device")
    p.add_argument("--programs", type=int, default=10)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("-o", "--output")
    p.add_argument("field", nargs="*")
    a = p.parse_args()
    a.build = os.path.abspath(a.build)
    lines, bad, count = [], 0, {"refused": 0, "taken": 0, "equal": 0}

    def tell(text):
        print(text, flush=True)
        lines.append(text)
        if a.output:
            write(a.output, "\n".join(lines) + "\n")

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder if a.lint else a.build, "now.isa")
        if not a.lint:
            os.makedirs(a.build, exist_ok=True)
            prepare(a, path)
        heddle = os.path.realpath(a.lint) if a.lint else os.path.join(a.build, "heddle")
        tell(f"# commit {run('git', 'describe', '--always', '--dirty').stdout.strip()}, seed {a.seed}, "
             f"{0 if a.lint else a.programs} random programs, device {a.device or 'none'}")
        for what, text in variants(a.field):
            write(path, text)
            try:
                why = lint(heddle, path)
                verdict = "taken" if a.lint else "equal"
                if why is None and not a.lint:
                    judge(a.build, path, a, folder)
                count["refused" if why else verdict] += 1
                tell(f"{what}: {'refused: ' + why if why else verdict}")
            except ValueError as e:
                bad += 1
                tell(f"{what}: DIFFERS: {e}")
    tell(f"{sum(count.values()) + bad} variants: {count['refused']} refused, {count['taken']} taken by lint, "
         f"{count['equal']} equal to the base, {bad} differ")
    return 1 if bad or not any(count.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
