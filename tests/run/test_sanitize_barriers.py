#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: test_sanitize_barriers.py HEDDLE KERNELS

Takes each barrier of the kernels out, one at a time: the sanitizer must find a race, whatever the result happens to be.
Those that order nothing are listed with the reason; there it must be silent."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

heddle, kernels = sys.argv[1:]
BARRIER = re.compile(r"BAR\.SYNC [^;]*;|bar\.sync\s+[^;]*;|cp\.async\.wait_(?:group|all)[^;]*;")
NEEDLESS = {
    ("bitonic.ptx", 0): "in a function that nobody calls",
    ("bitonic.ptx", 1): "in a function that nobody calls",
    ("bitonic.ptx", 5): "bitonic_merge: the first step reads what the same thread has loaded",
    ("fft.ptx", 3): "the last one: nothing is written behind it",
    ("fft_clc.ptx", 0): "the first turn reads what the same thread has stored",
    ("scan.ptx", 8): "thread 0 alone is at work on both sides",
}
MOST = 12  # of a file: those behind are the same loop, unrolled


def race(folder, name):
    kernel, form = name.rsplit(".", 1)
    call = [heddle, "kernels", kernel, "--form", "asm" if form == "s" else form, "--dir", folder, "--on", "model"]
    call += ["--sanitize", "race", "--scale", "0", "--launches", "1"]
    r = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return "race: " in r.stderr


def main():
    tried = wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = shutil.copytree(kernels, os.path.join(scratch, "kernels"))
        for name in sorted(n for n in os.listdir(folder) if n.endswith((".s", ".ptx"))):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as f:
                text = f.read()
            for number, barrier in enumerate(list(BARRIER.finditer(text))[:MOST]):
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text[: barrier.start()] + ("NOP ;" if name.endswith(".s") else "") + text[barrier.end() :])
                tried += 1
                if race(folder, name) == ((name, number) in NEEDLESS):
                    wrong += 1
                    print(f"FAILED: {name} without its barrier {number}: {NEEDLESS.get((name, number), 'no race is found')}")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
    print(f"{tried} barriers: {wrong} wrong")
    return 1 if wrong or tried < 50 else 0


sys.exit(main())
