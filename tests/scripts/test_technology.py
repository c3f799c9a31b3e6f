# SPDX-License-Identifier: Apache-2.0
"""Technology stands apart: `initial` in rtl/lib alone (outside it nothing may have a value before its reset), vendors' cells in no
module of rtl/, and forms for one technology (HEDDLE_PLAIN) in the folder of rtl/lib that has its name alone.

usage: test_technology.py ROOT
"""
import re
import sys
import tempfile
from pathlib import Path

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"', re.S)
INITIAL = re.compile(r"\binitial\b")
FORM = re.compile(r"\bHEDDLE_PLAIN\b")
# Lattice, AMD, Intel, Gowin and iCE40, and the libraries of open foundries.
CELL = re.compile(r"""\b(
    LUT[1-8] | CCU2\w | PFUMX | L6MUX21 | TRELLIS_\w+ | P?DPW?16K\w | MULT(9X9|18X18)\w? | ALU54\w | EHXPLL\w | FD1[SP]3\w\w | [IO]FS1P3\w\w
  | (RAMB|FIFO)(16|18|36)\w* | RAM(16|32|64|128|256|512)[XM]\w+ | SRLC?(16|32)\w* | DSP(48|58)\w* | CARRY[48] | MUXF[789] | FD[RSCP]E
  | BUFG\w* | MMCM\w+ | PLLE\d\w* | [IO]BUF[DGT]\w* | altsyncram | altpll | alt\w+_component | lpm_\w+ | SB_\w+ | SDPB | DPB
  | sky130_\w+ | gf180\w+ | sg13g2_\w+)\b""", re.X)


def named(text, what):
    """Line and word of each place in what a tool reads."""
    text = COMMENT.sub(lambda m: "\n" * m.group().count("\n"), text)
    for m in what.finditer(text):
        yield text.count("\n", 0, m.start()) + 1, m.group()


def wrong(root):
    """Each word that should not be there, as a line for a person."""
    library = root / "rtl" / "lib"
    files = sorted((root / "rtl").rglob("*.sv*"))
    for f in files:
        text, in_library = f.read_text(), f.is_relative_to(library)
        apart = in_library and f.parent != library
        for line, _ in named(text, INITIAL) if not in_library else ():
            yield f"{f}:{line}: an initial block; constants are lib/rom, all else has a reset"
        for line, word in named(text, CELL) if not apart else ():
            yield f"{f}:{line}: {word} is a cell of one technology: a folder of rtl/lib for it"
        for line, word in named(text, FORM) if not apart and f.name != "heddle_form.svh" else ():
            yield f"{f}:{line}: {word} chooses a form for one technology: a folder of rtl/lib for it"


def judged(place, text):
    """How many lines are wrong in a tree with this text alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / place
        path.parent.mkdir(parents=True)
        path.write_text(text)
        return len(list(wrong(Path(folder))))


def notices():
    """What is planted is found, and nothing else."""
    for place, text, lines in (("rtl/fetch/a.sv", "// initial\ninitial q = 0;\n", 1), ("rtl/lib/a.sv", "initial q = ROWS;\n", 0),
                               ("rtl/lib/a.sv", "  DP16KD u_ram (\n", 1), ("rtl/lib/a.sv", "// a DP16KD\nassign initialised = 1;\n", 0),
                               ("rtl/lib/part/a.sv", "PFUMX u_mux (\n`ifdef HEDDLE_PLAIN\n", 0), ("rtl/gpu/a.sv", "RAMB18E1 #(\n", 1),
                               ("rtl/lib/a.sv", "`ifdef HEDDLE_PLAIN\n", 1), ("rtl/gpu/initial.sv", "assign initial_q = x;\n", 0)):
        if judged(place, text) != lines:
            yield f"{place}: not {lines} wrong: {text!r}"


root = Path(sys.argv[1])
found = [*wrong(root), *notices()]
if len(list((root / "rtl").rglob("*.sv"))) < 100:
    found.append("fewer than 100 files of RTL: this is not the tree")
print("\n".join(found) if found else "technology apart")
sys.exit(1 if found else 0)
