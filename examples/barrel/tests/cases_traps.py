# SPDX-License-Identifier: Apache-2.0
"""Each cause: (cause, word, lanes, address, sequence). The first word behind START is 6."""
from case import ALL, program

program("illegal_reserved", ".word 0x000fc000000000000000000000007918 ;\n NOP ;\n"
        " .word 0x400fc000000000000000000000007918 ;\n EXIT ;", trap=(1, 8, ALL, 0, 8))


def word(op, form=4, guard=7, wbar=7, rbar=7, **fields):
    """an instruction with its control code; fields: bit -> value"""
    v = op | form << 9 | guard << 12 | 1 << 105 | wbar << 110 | rbar << 113
    for at, value in fields.items():
        v |= value << int(at[1:])
    return f" .word {v:#034x} ;\n"


NOP = 0x118
# Whatever the guard says (!PT).
program("illegal_wbar", word(NOP, guard=15) + word(NOP, guard=15, wbar=6) + " EXIT ;",
        trap=(1, 7, ALL, 0, 7))
program("illegal_register", " MOV R9, R0 ;\n" + word(2, 1, guard=15, _16=4, _32=10) + " EXIT ;",
        regs=10, trap=(1, 7, ALL, 0, 7))
program("illegal_pair", " MOV R8, R0 ; MOV R9, RZ ;\n" + word(0x25, 1, _16=5, _24=0, _32=0, _64=8)
        + " EXIT ;", trap=(1, 8, ALL, 0, 8))
program("illegal_unit", " MOV R4, RZ ; MOV R5, RZ ; DADD R4, R4, R4 ; EXIT ;",
        trap=(1, 8, ALL, 0, 8))
program("illegal_uniform", " MOV R4, RZ ; MOV R4, UR1 ; EXIT ;", trap=(1, 7, ALL, 0, 7))
program("illegal_float_atomic", " RED.E.ADD.F32 [R2], R0 ; EXIT ;", trap=(1, 6, ALL, 0, 6))
program("end_of_code", " ISETP.LT.AND P0, PT, R0, 0x4, PT ;\n@P0 EXIT ;\n NOP ;",
        trap=(2, 9, 0xfffffff0, 0x90, 9))
program("bad_target", " MOV R4, R0 ; MOV R5, RZ ; ISETP.GE.AND P0, PT, R0, 0x8, PT ;\n"
        "@P0 BRX R4+0x0 ;\n EXIT ;", trap=(2, 9, 0xfffeff00, 8, 9))
# Address 0x10001 + 5 x: a multiple of 4 for x = 3, 7, 11 ...
program("misaligned", " IADD3 R2, R2, R0, RZ ; ISETP.GE.AND P0, PT, R0, 0x2, PT ;\n"
        "@P0 LDG.E R4, [R2+0x1] ;\n EXIT ;", trap=(3, 8, 0x77777774, 0x1000b, 8))
# 0x1ffc0 + 4 x runs out of region 0 at x = 16 but region 1 follows; 0x20400 is nobody's.
program("out_of_range", " LDG.E R4, [R2+0x10380] ; LDG.E R4, [R2+0x103c0] ; EXIT ;",
        trap=(4, 7, 0xffff0000, 0x20400, 7))
program("high_address", " MOV R3, 0x100 ;\n@!PT LDG.E R4, [R2] ;\n LDG.E R4, [R2] ; EXIT ;",
        trap=(4, 8, ALL, 0x10000010000, 8))
program("write_protected", " STG.E [R2+0xffc0], R0 ; EXIT ;", expect={0xffc0: [0xcccccccc]},
        trap=(5, 6, 0xffff0000, 0x20000, 6))
program("shared_range", " IMAD R4, R0, 0x8, RZ ; STS.64 [R4], R2 ; EXIT ;",
        head=".shared buf 128\n", trap=(4, 7, 0xffff0000, 128, 7))
program("const_operand", "@!PT IADD3 R4, R0, c[0x0][0x170], RZ ;\n EXIT ;",
        trap=(6, 6, ALL, 0x170, 6))
program("const_load", " IMAD R4, R0, 0x4, RZ ; LDC R5, c[0x0][R4+0x160] ; EXIT ;",
        trap=(6, 7, 0xfffffff0, 0x170, 7))
program("not_member", " ISETP.LT.AND P0, PT, R0, 0x8, PT ;\n@P0 BSSY B1, x ;\n BSYNC B1 ;\n"
        "x: EXIT ;", trap=(7, 8, 0xffffff00, 0, 8))
program("outside_mask", " WARPSYNC 0xfffffff ; EXIT ;", trap=(7, 6, 0xf0000000, 0, 6),
        counts={"issue": 7})
program("deadlock", " BSSY B1, x ; ISETP.LT.AND P0, PT, R0, 0x8, PT ;\n@P0 BRA x ;\n BSYNC B1 ;\n"
        "x: BSSY B2, y ;\n BMOV.SET B2, 0xffffffff ; BSYNC B2 ;\ny: EXIT ;",
        trap=(8, 9, ALL, 0, 12))
program("not_whole", " ISETP.LT.AND P0, PT, R0, 0x8, PT ;\n@P0 BAR.SYNC 0x0 ;\n EXIT ;",
        trap=(9, 7, ALL, 0, 7), counts={"issue": 7})
program("bad_count", " BAR.SYNC 0x0, 0x40 ; EXIT ;", trap=(9, 6, ALL, 0, 6))
program("breakpoint", "@!PT BPT.TRAP ;\n ISETP.EQ.AND P0, PT, R0, 0x11, PT ;\n@P0 BPT.TRAP ;\n EXIT ;",
        trap=(11, 8, 0x20000, 0, 8))
# Lanes 8 to 15 want the sector that memory refuses; its line is theirs, and that of lanes 0 to 31.
program("bus_error", " MOV R4, R0 ; LDG.E R4, [R2+0x200] ; EXIT ;", bad=0x10220,
        trap=(10, 7, ALL, 0x10200, 7))
# Code at 0x10c0: word 12, in the line of 64 bytes that memory refuses; told is its sector of 32.
program("bus_error_code", " NOP ;" * 8 + " EXIT ;", bad=0x10e0, trap=(10, 12, ALL, 0x10c0, 12))
program("refused", " EXIT ;", block=(256, 1, 1), refused=3)
