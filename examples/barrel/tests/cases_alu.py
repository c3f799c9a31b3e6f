# SPDX-License-Identifier: Apache-2.0
"""Integers, predicates, moves."""
from case import program, stores

M = 0xffffffff

program("moves", """
 MOV R4, 0x12345678 ; SEL R5, R0, R4, !PT ; ISETP.LT.AND P0, P1, R0, 0x5, PT ;
 SEL R6, R0, 0x63, P0 ; SEL R7, R0, 0x63, P1 ; CS2R R8, SRZ ; S2R R10, SR_LTMASK ;
 S2R R11, SR_GEMASK ;
""" + stores("R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11") + " EXIT ;", {
    0: lambda x: 0x12345678, 1: lambda x: 0x12345678, 2: lambda x: x if x < 5 else 99,
    3: lambda x: 99 if x < 5 else x, 4: lambda x: 0, 5: lambda x: 0,
    6: lambda x: (1 << x) - 1, 7: lambda x: M ^ ((1 << x) - 1)})

# Sums: carries, the negated zero, a 64-bit subtraction.
program("carries", """
 MOV R4, 0xffffffff ; IADD3 R5, P0, P1, R4, R4, R4 ; SEL R6, RZ, 0x1, !P0 ; SEL R7, RZ, 0x1, !P1 ;
 IADD3 R8, P2, PT, R0, -0x5, RZ ; IADD3.X R9, RZ, ~RZ, RZ, P2, !PT ;
 MOV R12, RZ ; IADD3 R10, P3, P4, RZ, -R12, RZ ; SEL R11, RZ, 0x1, !P3 ;
 IADD3.X R13, RZ, RZ, RZ, PT, PT ; IADD3 R14, R0, -R4, -R0 ;
""".replace("-0x5, RZ", "R15, RZ").replace(" MOV R4", " MOV R15, 0xfffffffb ; MOV R4", 1)
    + stores("R5", "R6", "R7", "R8", "R9", "R10", "R11", "R13", "R14") + " EXIT ;", {
    0: lambda x: 0xfffffffd, 1: lambda x: 1, 2: lambda x: 1, 3: lambda x: x - 5,
    4: lambda x: 0 if x >= 5 else M, 5: lambda x: 0, 6: lambda x: 1, 7: lambda x: 2,
    8: lambda x: 1})

program("products", """
 IADD3 R4, R0, -0x10, RZ ;
 IMAD R5, R4, R0, -R0 ; MOV R6, 0x1 ; MOV R7, 0x0 ; IMAD.WIDE R8, R4, 0x7fffffff, R6 ;
 IMAD.WIDE.U32 R10, R4, 0x7fffffff, R6 ; MOV R12, 0xffffffff ; MOV R13, RZ ;
 IMAD.HI R14, R4, 0x1, R12 ; MOV R15, 0x80ff7f01 ; IDP4A.S8.U8 R16, R15, R15, R0 ;
 VABSDIFF R17, R4, 0x3, RZ ; VABSDIFF.U32 R18, R4, 0x3, RZ ; IABS R19, R4 ;
""".replace("-0x10", "R20").replace(" IADD3", " MOV R20, 0xfffffff0 ; IADD3", 1)
    + stores("R5", "R8", "R9", "R10", "R11", "R14", "R16", "R17", "R18", "R19") + " EXIT ;", {
    0: lambda x: (x - 16) * x - x,
    1: lambda x: ((x - 16) * 0x7fffffff + 1),
    2: lambda x: ((x - 16) * 0x7fffffff + 1) >> 32,
    3: lambda x: (((x - 16) & M) * 0x7fffffff + 1),
    4: lambda x: (((x - 16) & M) * 0x7fffffff + 1) >> 32,
    5: lambda x: ((x - 16) + M) >> 32,
    6: lambda x: -128 * 128 - 255 + 127 * 127 + 1 + x,
    7: lambda x: abs(x - 19), 8: lambda x: abs(((x - 16) & M) - 3), 9: lambda x: abs(x - 16)})


def shf(v, s, right, signed):
    v = v - (1 << 64) if signed and v >> 63 else v
    return (v >> s if right else v << s) & (1 << 64) - 1


V = 0x8765432112345678
program("shifts", """
 MOV R4, 0x12345678 ; MOV R5, 0x87654321 ; IMAD R6, R0, 0x3, RZ ;
 SHF.L.U32 R7, R4, R6, R5 ; SHF.L.U64.HI R8, R4, R6, R5 ; SHF.R.S64.HI R9, R4, R6, R5 ;
 SHF.R.W.U64 R10, R4, R6, R5 ; SHF.R.W.U32.HI R11, R4, R6, R5 ; SHF.R.S32 R12, R4, R6, R5 ;
 LEA R13, P0, R5, R4, 0x4 ; SEL R14, RZ, 0x1, !P0 ; LEA.HI R15, R4, R0, R5, 0x8 ;
 LEA.HI.SX32 R16, R5, R0, R4, 0x8 ; LEA.HI.X R17, R4, R0, R5, 0x8, P0 ;
""" + stores(*(f"R{n}" for n in range(7, 18))) + " EXIT ;", {
    0: lambda x: shf(V, min(3 * x, 32), 0, 0), 1: lambda x: shf(V, min(3 * x, 64), 0, 0) >> 32,
    2: lambda x: shf(V, min(3 * x, 64), 1, 1) >> 32, 3: lambda x: shf(V, 3 * x & 63, 1, 0),
    4: lambda x: shf(V, 3 * x & 31, 1, 0) >> 32, 5: lambda x: shf(V, min(3 * x, 32), 1, 1),
    6: lambda x: 0x76543210 + 0x12345678, 7: lambda x: 0, 8: lambda x: 0x65432112 + x,
    9: lambda x: 0xffffff87 + x, 10: lambda x: 0x65432112 + x})

program("bits", """
 MOV R4, 0xf0f0a5c3 ; LOP3.LUT P0, R5, R4, R0, 0xffff, 0x6a ; SEL R6, RZ, 0x1, !P0 ;
 POPC R7, R4 ; POPC R8, ~R0 ; BREV R9, R0 ; FLO.U32 R10, R0 ; FLO R11, ~R4 ; FLO.U32.SH R12, R0 ;
 SGXT R13, R4, R0 ; SGXT.U32 R14, R4, R0 ; BMSK R15, R0, 0x4 ; BMSK.W R16, 0x1f, R0 ;
 PRMT R17, R4, 0xe942, R0 ; PRMT.B4E R18, R4, R0, R4 ; PRMT.ECL R19, R4, 0x1, RZ ;
 IMNMX R20, R4, R0, PT ; IMNMX.U32 R21, R4, R0, PT ; IMNMX R22, R4, R0, !PT ;
""".replace("BMSK.W R16, 0x1f, R0", "MOV R23, 0x3f ; BMSK.W R16, R23, R0")
    + stores(*(f"R{n}" for n in range(5, 23))) + " EXIT ;", {
    0: lambda x: (0xf0f0a5c3 & x) ^ 0xffff, 1: lambda x: 1, 2: lambda x: 16,
    3: lambda x: 32 - bin(x).count("1"), 4: lambda x: int(f"{x:032b}"[::-1], 2),
    5: lambda x: x.bit_length() - 1, 6: lambda x: 27,
    7: lambda x: 32 - x.bit_length() if x else M,
    8: lambda x: (lambda low: low - (1 << x) if x and low >> x - 1 else low)(
        0xf0f0a5c3 & (1 << x) - 1),
    9: lambda x: 0xf0f0a5c3 & (1 << x) - 1, 10: lambda x: 15 << x,
    11: lambda x: ((1 << (x & 31)) - 1) << 31,
    12: lambda x: 0x00ff00f0 | x << 8,
    14: lambda x: 0xf0f0a5a5, 15: lambda x: 0xf0f0a5c3, 16: lambda x: x,
    17: lambda x: x})

program("predicates", """
 ISETP.GE.U32.OR P0, P1, R0, 0x8, !PT ; ISETP.NE.XOR P2, P3, R0, 0x3, P0 ;
 PLOP3.LUT P4, P5, P0, P2, !P1, 0xe8, 0x96 ; ISETP.EQ.AND P6, P6, R0, R0, PT ;
 P2R R4, PR, RZ, 0x7f ; P2R R5, PR, R0, 0x15 ;
 MOV R6, 0x2a ; R2P PR, R0, R6 ; P2R R7, PR, RZ, 0x7f ;
 ISETP.EQ.U32.AND P0, PT, R0, 0x4, PT ; MOV R8, 0x5 ;
 ISETP.LT.U32.EX.AND P1, P2, R8, 0x5, PT, P0 ; P2R R9, PR, RZ, 0x6 ;
 ISETP.LT.AND P0, PT, R0, 0x10, PT ;
@!P0 MOV R9, 0x100 ;
""".replace("ISETP.LT.U32.EX.AND", "ISETP.EX.LT.U32.AND")
    + stores("R4", "R5", "R7", "R9") + " EXIT ;", None)


def preds(x):
    p0 = x >= 8
    p1 = not p0
    r = x != 3
    p2, p3 = r ^ p0, (not r) ^ p0
    k = p0 << 2 | p2 << 1 | (not p1)
    p4, p5 = 0xe8 >> k & 1, 0x96 >> k & 1
    bits = p0 | p1 << 1 | p2 << 2 | p3 << 3 | p4 << 4 | p5 << 5 | 0 << 6
    after = bits & ~0x2a | x & 0x2a
    return bits, x & ~0x15 | bits & 0x15, after, 0x100 if x >= 16 else 2 if x == 4 else 4


from case import CASES  # noqa: E402
CASES[-1].expect = {128 * n: [preds(x)[n] for x in range(32)] for n in range(4)}
