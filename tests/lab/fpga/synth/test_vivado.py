# SPDX-License-Identifier: Apache-2.0
"""What lab/fpga/synth/vivado.py writes names every file of rtl/ once, each after the packages that it uses, and what the files say is
nothing that Vivado's guide (UG901, table of SystemVerilog constructs) calls not supported, and nothing that this tree leaves out.

usage: test_vivado.py ROOT GENERATED"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Not supported by the guide: $cast, methods and queries of arrays, tagged unions, event controls, timing and parallel blocks.
# Supported or not, this tree has none: interfaces, classes, programs, clocking, bind, DPI, streaming, concurrent assertions.
REFUSED = (r"\$cast\b", r"\$(size|left|right|low|high|increment|dimensions|unpacked_dimensions)\b",
           r"\.(sum|product|and|or|xor|find|find_index|sort|rsort|reverse|shuffle|unique|min|max)\s*\(\s*\)", r"\btagged\b",
           r"\biff\b", r"\b(fork|join|join_any|join_none|wait|disable|force|release)\b", r"(?<![\w.'])#\s*\d", r"\b(interface|modport|class|program|clocking)\b",
           r"\bbind\b", r"\bimport\s*\"", r"\{\s*(<<|>>)", r"\b(assert|assume|cover)\s+property\b", r"\bunion\b", r"\bforeach\b",
           r"\b(string|event|chandle|mailbox|semaphore|real|shortreal)\b", r"\balways_latch\b", r"\bimport\s+\w+::\*")


def plain(text):
    """Without comments, strings and attributes, and without what the preprocessor keeps from synthesis' reader."""
    text = re.sub(r'"(\\.|[^"\\])*"', '""', re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S))
    return re.sub(r"\(\*.*?\*\)", "", text)


def refused(text):
    return [found.group() for pattern in REFUSED for found in re.finditer(pattern, text)]


def main():
    root, generated = Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-B", root / "lab/fpga/synth/vivado.py", "fpga", folder, "--generated", generated], check=True)
        script = (Path(folder) / "fpga.tcl").read_text()
        assert "get_ports clk_i" in (Path(folder) / "fpga.xdc").read_text()
    sources = re.search(r"read_verilog -sv \{(.*?)\}", script, re.S).group(1).split()
    assert len(sources) == len(set(sources))
    there = {str(f.relative_to(root)) for f in (root / "rtl").rglob("*.sv")}
    assert there <= set(sources), there - set(sources)
    assert f"{generated}/fpga/cfg_pkg.sv" in sources and not any("/tiny/" in f for f in sources)
    read, wrong = set(), []
    for name in sources:
        text = plain((root / name).read_text())
        own = set(re.findall(r"\bpackage\s+(\w+)", text))
        early = set(re.findall(r"\b(\w+_pkg)::", text)) - read - own
        wrong += [f"{name} stands before {used}, which it uses" for used in sorted(early)]
        read |= own
        if name.startswith("rtl/"):
            wrong += [f"{name}: {what}" for what in refused(text)]
    assert len(read) > 20
    print("\n".join(wrong) or f"{len(sources)} files")
    for planted in ("interface a;", "x = $size(y);", "fork", "@(posedge c iff e)", "y = x.sum();", "#5 a = 1;", "import p::*;"):
        assert refused(plain(planted)), f"not noticed: {planted}"
    sys.exit(1 if wrong else 0)


main()
