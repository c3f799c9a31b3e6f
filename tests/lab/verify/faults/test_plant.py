# SPDX-License-Identifier: Apache-2.0
"""Faults of lab/verify/faults: planted text without its guards is the product's, an edit that does not fit is refused by file
and line, and what synthesis reads has no fault in it."""
import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(ROOT / "lab/verify/faults"))
import edits  # noqa: E402
import plant  # noqa: E402
import sites  # noqa: E402

# Nothing in hardware knows of our faults. A port or parameter called so is one of these; those of pages have other names.
IN_TEXT = re.compile(r"(?i:heddle_fault|fault_pkg|inject(ed|s) )")
NAMED = re.compile(r"\bfault_[io]\b|\bFAULTS\b")
SYNTHESIS = ("rtl", "lab/fpga/board", "lab/fpga/synth")
SOLDERED = "lab/fpga/board/sim"  # what is around the FPGA, whole or broken: never synthesized
passed = 0


def check(what, right):
    global passed
    if not right:
        sys.exit(f"FAILED  {what}")
    passed += 1
    print(f"ok      {what}")


def refused(blocks, words, text="a = b + c;\nd = e;\n"):
    """These blocks, of a file x.sv with this text, are refused with these words."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "list.txt"
        path.write_text(blocks, encoding="ascii")
        try:
            plant.read([path], {"x.sv": text})
        except edits.Bad as error:
            check(f"refused: {words}", words in str(error) and f"{path}:" in str(error))
            return
    sys.exit(f"FAILED  not refused: {words}")


def planted(blocks, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "list.txt"
        path.write_text(blocks, encoding="ascii")
        return sites.rewrite(text, plant.read([path], {"x.sv": text}), plant.select, plant.unless)[0]


def lists():
    texts = plant.texts()
    taken = plant.read(sorted(plant.LISTS.glob("*.txt")), texts)
    check(f"{len({s.number for s in taken})} faults fit", len(taken) > 100)
    for name, text in texts.items():
        mine = [s for s in taken if s.file == name]
        if not mine:
            continue
        # Number 0 chooses what stood there; what is added comes behind lines, and goes with its guard.
        kept, _ = sites.rewrite(text, [s for s in mine if s.kind != "add"], lambda site, wrong, right: right, plant.unless)
        check(f"{name}: {len(mine)} edits, and the text as it is without them", kept == text)
    numbers = plant.named()
    check("each has a name of its own", len({name for name, _ in numbers.values()}) == len(numbers))
    with open(ROOT / "tests/expect_fail/expected.txt", encoding="utf-8") as expected:
        lines = {tuple(line.split()[:2]) for line in expected if line.strip() and not line.startswith("#")}
    missing = [name for number, (name, _) in numbers.items() if (str(number), name) not in lines]
    check(f"expected.txt has a line of each: {' '.join(missing)}", not missing)
    named = {int(number) for number, _ in lines} - {0} - numbers.keys()
    check(f"and of no other: {named}", not named)


def form():
    block = "number 7\nname A\nwhat w\nfile x.sv\n"
    check("an expression", planted(block + "line a = b + c;\nfrom b + c\nto b - c\n", "a = b + c;\n")
          == "a = (heddle_fault::id == 7 ? (b - c) : (b + c));\n")
    check("lines", planted(block + "line a = b;\nadd if (FAULT) a = c;\n|  n = FAULTS;\n", "  a = b;\nx\n")
          == "  a = b;\nif ((heddle_fault::id == 7)) a = c;\n  n = FAULTS;\nx\n")
    check("two in one place", planted(block + "line a = b + c;\nfrom b\nto d\n\nnumber 8\nname B\nwhat w\nfile x.sv\n"
                                      "line a = b + c;\nfrom b + c\nto c\n", "a = b + c;\n")
          == "a = (heddle_fault::id == 8 ? (c) : ((heddle_fault::id == 7 ? (d) : (b)) + c));\n")
    refused(block + "line a = b - c;\nfrom b\nto d\n", "x.sv has this 0 times, not once: a = b - c;")
    refused(block + "line = \nto d\n", "x.sv has this 2 times, not once: =")
    refused(block.replace("x.sv", "y.sv") + "line a\nto d\n", "there is no y.sv")
    refused(block + "line a = b + c;\nfrom b\nto d\nadd e\n", "either replaces (to) or adds (add)")
    refused(block + "line a = b + c;\n", "an edit lacks to")
    refused((block + "line a = b + c;\nfrom b\nto d\n\n") * 2, "7: the number of")
    refused(block.replace("7", "0") + "line a = b + c;\nfrom b\nto d\n", "or none from 1 to 65535")
    refused("# nothing\n", "no fault stands here")


def ours(text):
    """Whether this text of hardware knows of planted faults."""
    return bool(IN_TEXT.search(text) or NAMED.search(text))


def product():
    files = [f for folder in SYNTHESIS for f in sorted((ROOT / folder).glob("**/*"))
             if f.suffix in (".sv", ".svh", ".v") and ROOT / SOLDERED not in f.parents]
    wrong = [str(f.relative_to(ROOT)) for f in files if ours(f.read_text(encoding="latin-1"))]
    check("what names a fault of ours is found", ours("import fault_pkg::*;") and ours("// Injects bugs")
          and ours("  input logic fault_i,") and not ours("// faults of pages"))
    check(f"{len(files)} files of hardware without a fault {' '.join(wrong)}", len(files) > 200 and not wrong)


def unchanged():
    """Only what another fault changes is written, so that only this is verilated anew."""
    text = {"rtl/a.sv": "a = b;\n", "rtl/c.sv": "c = d;\n"}
    edit = sites.Site("rtl/a.sv", 4, 5, "fault", "b", "e", line=1, column=5, number=7)
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        plant.write_all(out, text, [])
        for name in text:
            os.utime(out / name, (1, 1))
        plant.write_all(out, text, [edit])
        check("a file that has not changed is left as it is",
              [(out / name).stat().st_mtime > 1 for name in sorted(text)] == [True, False])


def moved():
    """What a file was called before is not among what is verilated."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        plant.write_all(out, {"rtl/old.sv": "a\n", "rtl/lib/kept.sv": "b\n"}, [])
        plant.write_all(out, {"rtl/new.sv": "a\n", "rtl/lib/kept.sv": "b\n"}, [])
        check("a file that was moved", sorted(plant.texts(out)) == ["rtl/lib/kept.sv", "rtl/new.sv"])


form()
lists()
product()
unchanged()
moved()
print(f"{passed} passed, 0 failed")
