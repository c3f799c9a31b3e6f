# SPDX-License-Identifier: Apache-2.0
"""What is simulated is what is built: outside rtl/lib no conditional of the preprocessor stands in the RTL or in what is
generated for it, and in rtl/lib those that ask for a tool stand in the headers that say so and in primitives alone.

usage: test_one_text.py ROOT GENERATED
"""
import re
import sys
import tempfile
from pathlib import Path

CONDITIONAL = re.compile(r"`\s*(ifdef|ifndef|elsif)\s+(\w+)")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
# Who may ask which tool reads: HEDDLE_SIMULATED and HEDDLE_PLAIN are made here, assertions and kept loops are nobody's logic.
TOOLS = {
    "heddle_form.svh": {"VERILATOR", "HEDDLE_ASBUILT", "HEDDLE_SIMULATED", "HEDDLE_PLAIN"},
    "heddle_idle.svh": {"HEDDLE_SIMULATED", "SYNTHESIS", "HEDDLE_IDLE"},
    "heddle_assert.svh": {"FORMAL", "SYNTHESIS", "YOSYS", "ASSERT_IF"},
    "heddle_lanes.svh": {"HEDDLE_KEEP_LOOPS"},
}


def conditionals(path):
    text = COMMENT.sub(lambda m: "\n" * m.group().count("\n"), path.read_text())
    guard = path.name.upper().replace(".", "_")
    for m in CONDITIONAL.finditer(text):
        if m.group(2) != guard:
            yield text.count("\n", 0, m.start()) + 1, m.group(2)


def wrong(root, generated):
    """Each conditional that should not be there, as a line for a person."""
    library = root / "rtl" / "lib"
    files = [f for f in (root / "rtl").rglob("*.sv*")] + [f for f in generated.rglob("*.sv")]
    files += [root / "lab/fpga/synth" / "heddle_gpu_pins.sv"]
    if len(files) < 100:
        yield f"{len(files)} files of RTL found: this is not the tree"
    for f in sorted(files):
        allowed = set()
        if f.parent == library:
            allowed = TOOLS.get(f.name, {"HEDDLE_SIMULATED", "HEDDLE_ASBUILT"} if f.suffix == ".sv" else set())
        elif f.is_relative_to(library):
            allowed = {"HEDDLE_PLAIN"}
        for line, name in conditionals(f):
            if name not in allowed:
                yield f"{f}:{line}: {name} chooses text; what must differ is a primitive in rtl/lib"


def proved(root):
    """Primitives with two forms that no proof names."""
    tests = "".join((root / "tests/lab/fpga/synth" / f"test_{t}.sh").read_text() for t in ("memories", "simulated"))
    for f in sorted((root / "rtl" / "lib").rglob("*.sv")):
        forms = {"HEDDLE_SIMULATED", "HEDDLE_PLAIN"} & {n for _, n in conditionals(f)}
        if forms and not re.search(rf"\b(same|lanes|what=)\W?{f.stem}\b", tests):
            yield f"{f}: two forms, and tests/lab/fpga/synth proves nothing of them"


def notices():
    """A conditional that is planted is found."""
    with tempfile.TemporaryDirectory() as folder:
        for text in ("`ifdef VERILATOR", "  `ifndef SYNTHESIS", "`elsif OTHER"):
            f = Path(folder) / "planted.sv"
            f.write_text(f"// `ifdef COMMENT\n{text}\n`endif\n")
            if [n for n, _ in conditionals(f)] != [2]:
                yield f"the conditional in '{text}' is not noticed"


root, generated = Path(sys.argv[1]), Path(sys.argv[2])
found = [*wrong(root, generated), *proved(root), *notices()]
print("\n".join(found) if found else "one text")
sys.exit(1 if found else 0)
