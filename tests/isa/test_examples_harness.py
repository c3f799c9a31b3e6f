#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_examples.py finds what is wrong, and says where: a chapter that holds, and the same with one line changed.

usage: test_examples_harness.py HEDDLE
"""
import os
import re
import subprocess
import sys
import tempfile

RUNNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "test_examples.py")
GOOD = """\
# Chapter

## Moves
### MOV
Copies a value.

```op
rd = b
```

```example
R1 = lane * 3 + 1
MOV R0, R1
R0 = lane * 3 + 1
R0[2] = 7
```

### IADD3
Adds three numbers.

```op
rd = a + b + c
```

```example
R1 = 5
R2 = -7
P0 = 1
IADD3 R0, P1, PT, R1, R2, RZ
R0 = 0xfffffffe
P1 = 0
```

## Control
### BRA
Jumps.

```op
pc = target
```

```example
R2 = &global
P0 = lane < 16
global[0x0] = 4, 5
shared[0x8] = 9
bank1[0x4] = 1.5f
BSSY B0, join
@P0 BRA there
MOV R0, 0x1
BRA join
there:
MOV R0, 0x2
join:
BSYNC B0
LDG.E R5, [R2+0x4]
LDS R6, [0x8]
LDC R7, c[0x1][0x4]
STG.E [R2+0x8], R5
R0 = (lane < 16 ? 12 : 6) / 6  # that is to say
R6 = 9
R7 = 0x3fc00000
global[0x4] = 5, 5
shared[0x8] = 9
```

```example
R2 = &global + 1
BRA over
over:
LDG.E R0, [R2]
trap = misaligned
```
"""
# (a line of GOOD, what stands there instead, the line of GOOD that is named, what is said of it)
BAD = [
    ("R0 = lane * 3 + 1", "R0 = lane * 3 + 2", "", "MOV: R0 lane 0: expected 0x00000002, got 0x00000001"),
    ("R0[2] = 7", "R0[2] = 8", "", "MOV: R0 lane 2: expected 0x00000008, got 0x00000007"),
    ("P1 = 0", "P1 = 1", "", "IADD3: P1 lane 0: expected 0x00000001, got 0x00000000"),
    ("global[0x4] = 5, 5", "global[0x4] = 5, 6", "", "BRA: global[0x8]: expected 0x00000006, got 0x00000005"),
    ("shared[0x8] = 9", "shared[0x8] = 8", "", "BRA: shared[0x8] lane 0: expected 0x00000008, got 0x00000009"),
    ("trap = misaligned", "trap = out_of_range", "", "BRA: expected trap out_of_range, got misaligned"),
    ("trap = misaligned", "R1 = 0", "LDG.E R0, [R2]", "BRA: expected trap none, got misaligned"),
    ("R2 = &global + 1", "R2 = &global", "trap = misaligned", "BRA: expected trap misaligned, got ok"),
    ("R1 = 5", "R1 = much", "", "'much' is no value"),
    ("R1 = 5", "R1 = 5f2", "", "'5f2' is no value"),
    ("P0 = 1", "nonsense", "", "IADD3: error: unknown instruction 'nonsense'"),
    ("R2 = -7", "", "R0 = 0xfffffffe", "IADD3: undefined_read: data for global memory"),
    ("R0 = 0xfffffffe", "R40 = 0xfffffffe", "", "R40 is the runner's"),
    ("IADD3 R0, P1, PT, R1, R2, RZ", "MOV R0, R1", "### IADD3", "IADD3: no example has it"),
    ("MOV R0, R1", "MOV.X R0, R1", "", "MOV: error: "),
    ("P1 = 0", "trap = misaligned", "```example", "where a trap ends the program, nothing else is looked at"),
    ("R6 = 9", "BRA over", "", "'BRA over': no line of assembly stands behind what must hold"),
    ("```example", "```exmaple", "", "a block of an instruction is op or example, not exmaple"),
    ("```op", "```", "", "a block of an instruction is op or example, not nothing"),
    ("pc = target", "```\n```foo", "", "a block of an instruction is op or example, not foo"),
    ("```op", "```example", "### BRA", "BRA: no block of its operation (op)"),
    ("Jumps.", "", "### BRA", "BRA: begins with no sentence"),
    ("### IADD3", "### MOV", "", "MOV: has a section in "),
    ("### IADD3", "### MOVE", "", "MOVE: the ISA file has no such instruction"),
]


def last(rows, text):
    return len(rows) - rows[::-1].index(text)


def run(heddle, folder, rows, *options):
    page = os.path.join(folder, "chapter.md")
    with open(page, "w", encoding="utf-8") as f:
        f.write("\n".join(rows) + "\n")
    pages = [] if "--isa" in options else [page]
    ran = subprocess.run([sys.executable, "-B", RUNNER, heddle, *pages, *options], capture_output=True, text=True)
    return ran.returncode, ran.stdout + ran.stderr


def main():
    heddle = sys.argv[1]
    rows = GOOD.split("\n")
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        status, said = run(heddle, folder, rows)
        if status != 0 or "3 of 143 instructions, 4 examples" not in said or ", 0 faults" in said:
            failures += 1
            print(f"FAILED: the chapter that holds: {said}")
        for line, instead, named, text in BAD:
            at = last(rows, line)
            status, said = run(heddle, folder, rows[:at - 1] + [instead] + rows[at:], "--model")
            number = at + instead.count("\n")
            if named:
                number = last(rows[:at] if named == "```example" else rows, named)
            if status != 1 or not re.search(rf"chapter\.md:{number}: .*{re.escape(text)}", said):
                failures += 1
                print(f"FAILED: '{line}' as '{instead}': exit status {status}, wanted {number}: {text}, got: {said}")
        # Of an ISA file with one instruction that no chapter can have, this one is missing.
        isa = os.path.join(folder, "one.isa")
        with open(isa, "w", encoding="utf-8") as f:
            f.write("insn NOWHERE op=0x1\n")
        status, said = run(heddle, folder, rows, "--model", "--isa", isa)
        if status != 1 or "NOWHERE: no section in isa/doc (### NOWHERE)" not in said:
            failures += 1
            print(f"FAILED: an instruction without a section: exit status {status}, {said}")
    print(f"{len(BAD) + 2} chapters, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
