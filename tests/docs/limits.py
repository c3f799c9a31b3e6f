#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every constant that bounds a host, the driver, boards, sessions or tools is a row of docs/limits.md, with the value that
it has in its source; and every row is of a constant.

usage: limits.py ROOT
"""
import os
import re
import sys

FOLDERS = ("firmware", "cosim/platform", "cosim/session", "run", "lab", "tools")
OWN = ("lab/bench", "lab/study", "run/compare", "lab/litmus", "lab/verify", "lab/fpga")  # measure; have no users' data
NAME = re.compile(r"((^|_)(TRIES|MS)|MAX|MOST|DEPTH|POLLS|LIMIT|PATIENCE|SECONDS|STALLED|KEPT|HELD|DATED|DRAIN|ROOM)$")
# Of the same form, but nothing ends or is left out there: room of a fixed list, steps of a wait, what a heuristic tries.
INSIDE = {
    "firmware": "AGAIN_MS TRY_MS FIRST_ROOM HEDDLE_LACKS_MAX",
    "cosim/platform": "FIRST_ROOM KEPT",
    "tools/board": "POLLS MARCH_POLL_MS CORE_POLL_MS SLICE_MS TELL_SECONDS BYTES_MOST READY_MS LINES_MOST PATTERNS_MOST "
                   "WORDS_MOST BITS_MOST WAIT_MS",
    "lab/campaign": "CAMPAIGN_ARGS_MAX",
    "run/job": "PATH_MOST",
    "run/command": "TOOL_OPTIONS_MAX",
    "run/cases": "NAMES_MAX",
    "run/board": "SLICE_MS TELL_SECONDS",
    "firmware/host/cuda": "BLAS_ROOM BLOCKS_MAX",
    "run/debug": "SECTIONS_MAX",
    "lab/fuzz": "FUZZ_SIMPLER_MOST INSNS_MOST BANK_MOST",
    "firmware/host/opencl": "ROOM OCL_PIECE_MS SHORT_MS",
    "run/profile": "ROOFS_MOST KEPT",
    "run/programs": "ARGUMENTS_MAX JOINED_MAX STACK_MOST",
    "run/runner": "LINE_MOST",
    "tools": "WARNINGS_MAX",
}
UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def constants(text):
    """Name and expression of each macro and enumerator with a value."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    yield from re.findall(r"^#define +([A-Z][A-Z_0-9]*) +(\S.*)$", text, re.M)
    for body in re.findall(r"enum *\{([^}]*)\}", text):
        yield from ((n, v.strip()) for n, v in re.findall(r"([A-Z][A-Z_0-9]*) *= *([^,\n]+)", body))


def value(expression, known):
    """A whole number, or None."""
    plain = re.sub(r"UINT(?:64|32)_C\((\w+)\)|\(size_t\)", r"\1", expression)
    plain = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", plain)
    plain = re.sub(r"[A-Z][A-Z_0-9]+", lambda m: str(known.get(m[0], m[0])), plain)
    whole = re.fullmatch(r"[\s0-9a-fx()<>*+-]+", plain) and not re.search(r"\b0[0-7]", plain)
    return eval(plain, {"__builtins__": {}}) if whole else None


def rows(page):
    """Path, name and value of each row of the page."""
    for name, link, text in re.findall(r"^\| `(\w+)`, \[[^]]*\]\(([^)]*)\) \| ([^|]*) \|", page, re.M):
        number = re.match(r"([\d,]+)(?: (\w+))?", text)
        yield os.path.normpath(os.path.join("docs", link)), name, int(number[1].replace(",", "")) * UNITS.get(number[2], 1)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def sources(root):
    for folder in FOLDERS:
        for where, _, files in os.walk(os.path.join(root, folder)):
            path = os.path.relpath(where, root)
            if not path.startswith(OWN):
                yield from (os.path.join(path, f) for f in sorted(files) if f.endswith((".c", ".h")))


def inside(path, name):
    return any(path.startswith(folder) and name in names.split() for folder, names in INSIDE.items())


def wrong(root):
    known = {"INT_MAX": 2**31 - 1, "HEDDLE_PARAMS_MAX": 256}
    told = {(path, name): n for path, name, n in rows(read(os.path.join(root, "docs/limits.md")))}
    if len(told) < 50:
        yield f"docs/limits.md: {len(told)} rows: is its form another one?"
    for (path, name), n in told.items():
        have = {k: value(v, known) for k, v in constants(read(os.path.join(root, path)))}
        if have.get(name) != n:
            yield f"docs/limits.md says {n} of {name}; in {path} it is {have.get(name)}"
    for path in sources(root):
        if path.startswith(("compiler/device/", "firmware/host/cuda/include/")):
            continue
        for name, expression in constants(read(os.path.join(root, path))):
            number = value(expression, known)
            if number is not None and NAME.search(name) and (path, name) not in told and not inside(path, name):
                yield f"{path}: {name} = {expression}: no row of docs/limits.md"


def main(root):
    found = list(wrong(root))
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
