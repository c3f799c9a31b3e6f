#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: test_undefined_bits.py HEDDLE PROGRAMS OPTION...

Random programs whose registers, predicates and memory nobody has written, in lockstep (options of `heddle run`): the
RTL begins with other bits than the model, so a bit that the model calls defined although it is not would differ."""
import json
import os
import random
import subprocess
import sys
import tempfile

heddle, programs, *options = sys.argv[1:]
LENGTH = 400

# D, R: a register written, read; E: an even pair; P: a predicate; I: an immediate; {a|b}: one of them; 0x<n: below n.
FORMS = """
MOV D, R
MOV D, I
S2R D, SR_LANEID
SEL D, R, R, P
FSEL D, R, R, P
LOP3.LUT P, D, R, R, R, 0x<256
LOP3.LUT D, R, I, R, 0x<256
LOP3.LUT D, R, {0xff|0xffff|0xff00ff00|0x1|0x80000000}, RZ, 0xc0
PRMT D, R, R, R
PRMT D, R, 0x<65536, R
SHF.{L|R}.{|W.}{U32|S32|U64|S64}{|.HI} D, R, R, R
SHF.{L|R}.{|W.}{U32|S32|U64|S64}{|.HI} D, R, 0x<70, R
BREV D, R
SGXT{|.W}{|.U32} D, R, R
SGXT{|.W}{|.U32} D, R, 0x<33
IADD3 D, P, P, R, R, R
IADD3.X D, P, P, R, R, R, P, P
LEA D, P, R, R, 0x<32
LEA.HI{|.SX32} D, P, R, R, R, 0x<32
LEA.HI.X D, R, R, R, 0x<32, P
IMAD D, R, R, R
IMAD D, R, I, R
IMAD.WIDE{|.U32} E, R, R, E
IMAD.HI{|.U32} D, R, R, E
IMNMX D, R, R, P
POPC D, R
ISETP.{LT|EQ|NE|GE}.{AND|OR|XOR} P, P, R, R, P
ISETP.EQ.AND P, P, RZ, RZ, PT
ISETP.EX.LT.AND P, P, R, R, P, P
FSETP.LT.{AND|OR} P, P, R, R, P
PLOP3.LUT P, P, P, P, P, 0x<256, 0x<256
P2R D, PR, R, 0x<128
R2P PR, R, 0x<128
FADD D, R, R
I2F{|.U8|.S16} D, R
F2I D, R
STS [R60], R
STS.U8 [RZ+0x<64], R
LDS{|.U8|.S8|.U16|.S16} D, [R60]
STL [RZ+0x8], R
STL.U16 [RZ+0xa], R
LDL{|.U8|.S16} D, [RZ+0x8]
STG.E{|.U8} [R2], R
LDG.E{|.U8|.S8} D, [R2]
"""

HEAD = """.kernel bits
.shared room 512
.local 64
.param u64 out
 MOV R2, c[0x0][out] ;
 MOV R3, c[0x0][out+4] ;
 S2R R1, SR_LANEID ;
 IMAD.WIDE.U32 R2, R1, 0x4, R2 ;
 IMAD R60, R1, 0x4, RZ ;
"""
TAIL = " STG.E [R2], RZ ;\n EXIT ;\n.end\n"


def operand(rng, word):
    tail = "" if word[-1].isalnum() else word[-1]
    name = word.rstrip(",")
    if name == "D":
        return f"R{rng.randrange(4, 36)}{tail}"
    if name == "R":
        return ("RZ" if rng.random() < 0.1 else f"R{rng.randrange(4, 36)}") + tail
    if name == "E":
        return f"R{2 * rng.randrange(2, 18)}{tail}"
    if name == "P":
        return f"P{rng.randrange(7)}{tail}"
    if name == "I":
        return hex(rng.choice([0, 1, 8, 0x1F, 0xFF, 0xFFFF, 0x80000000, rng.getrandbits(32)])) + tail
    return word


def instruction(rng, form):
    while "{" in form:
        before, rest = form.split("{", 1)
        inside, after = rest.split("}", 1)
        form = before + rng.choice(inside.split("|")) + after
    while "0x<" in form:
        before, rest = form.split("0x<", 1)
        digits = len(rest) - len(rest.lstrip("0123456789"))
        form = before + hex(rng.randrange(int(rest[:digits]))) + rest[digits:]
    name, *words = form.split()
    return f" {name} {' '.join(operand(rng, w) for w in words)} ;\n"


def draw(rng, forms):
    """Often one that defines a register, or nothing is defined any more after a while."""
    return rng.choice(forms[1:3] if rng.random() < 0.3 else forms)


def main():
    forms = FORMS.split("\n")[1:-1]
    failed = unjudged = judged = 0
    with tempfile.TemporaryDirectory() as scratch:
        source, out = os.path.join(scratch, "bits.s"), os.path.join(scratch, "out.json")
        for seed in range(int(programs)):
            rng = random.Random(seed)
            with open(source, "w", encoding="utf-8") as f:
                f.write(HEAD + "".join(instruction(rng, draw(rng, forms)) for _ in range(LENGTH)) + TAIL)
            where = ["--seed", str(seed + 1), "--json", out] + options
            command = [heddle, "run", source, "--grid", "1", "--block", "32", "--arg", "out:128:zeros"] + where
            r = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
            if r.returncode != 0:
                failed += 1
                print(f"FAILED: program {seed}: exit {r.returncode}\n{r.stdout}{r.stderr}")
                continue
            with open(out, encoding="utf-8") as f:
                checked = json.load(f)["result"]["checked"]
            judged += checked["lanes"]
            unjudged += checked["lanes_unjudged"]
    print(f"{programs} programs, {failed} failed; {judged} lanes compared, {unjudged} of them in part or not at all")
    return failed != 0 or unjudged == 0 or judged <= unjudged


sys.exit(main())
