# SPDX-License-Identifier: Apache-2.0
"""Cases of tests/silicon: what goes in, and what a real GPU made of it."""

import json
import pathlib
import zipfile

import numpy as np

import heddle

ROOT = pathlib.Path(__file__).resolve().parents[4]
FOLDER = ROOT / "tests/silicon/kernels"
CASES = {case["name"]: case for case in json.loads((FOLDER / "cases.json").read_text())["cases"]}


def contents(name, dtype):
    with zipfile.ZipFile(FOLDER / "data.zip") as z:
        return np.frombuffer(z.read(name), dtype).copy()


def scalar(arg):
    kind = np.dtype(arg["scalar"])
    return np.array([int(arg["bits"], 16)], f"u{kind.itemsize}").view(kind)[0]


def arguments(case):
    """Arrays and numbers, as the kernel takes them."""
    return [contents(a["buffer"], a["type"]) if "buffer" in a else scalar(a) for a in case["args"]]


def golden(case):
    """By argument: what must be there at the end, byte for byte."""
    return {i: contents(a["golden"], np.uint8) for i, a in enumerate(case["args"]) if "golden" in a}


def wrong(case, given):
    """Arguments that are not what silicon has."""
    return [i for i, gold in golden(case).items() if given[i].tobytes() != gold.tobytes()]


def run(device, name):
    """The arguments after the launch."""
    case = CASES[name]
    given = arguments(case)
    device.load(FOLDER / case["ptx"])[case["kernel"]](case["grid"], case["block"], *given)
    return given


__all__ = ["CASES", "FOLDER", "ROOT", "arguments", "golden", "heddle", "run", "wrong"]
