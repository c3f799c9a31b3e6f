# SPDX-License-Identifier: Apache-2.0
"""A tree of its own for the proofs of one mutant: its file of rtl/ with that mutant alone, all else as it is."""
import re
import shutil

TOP = re.compile(r"^  ([a-z]\w*) (?:#\(.*\) )?u_dut \($", re.M)   # as lab/verify/formal/tops.py reads it


def tops(root):
    """{module: names of the formal tops in which it is what is proved}"""
    found = {}
    for path in sorted((root / "lab/verify/formal").glob("*_formal.sv")):
        for module in TOP.findall(path.read_text(encoding="utf-8")):
            found.setdefault(module, []).append(path.stem[:-len("_formal")])
    return found


def make(root, planted, mutant, where):
    """`planted`: the copy that holds all mutants; mutant None: the design as it is. Yosys (WebAssembly) sees nothing
    above `where`, so that sources and packages are copied."""
    shutil.rmtree(where, ignore_errors=True)
    (where / "build").mkdir(parents=True)
    shutil.copytree(root / "rtl", where / "rtl")
    shutil.copytree(root / "lab/verify/formal", where / "lab/verify/formal")
    shutil.copytree(root / "lab/verify/faults", where / "lab/verify/faults")
    shutil.copytree(root / "build/gen", where / "build/gen")
    (where / "build/venv").symlink_to(root / "build/venv")
    if mutant is not None:
        text = (planted / mutant["file"]).read_text(encoding="latin-1")
        text = text.replace("heddle_fault::id", f"32'd{mutant['id']}")
        (where / mutant["file"]).write_text(text, encoding="latin-1")
