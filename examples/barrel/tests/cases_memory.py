# SPDX-License-Identifier: Apache-2.0
"""Global, shared, local, constant memory; atomics; what lanes say to each other."""
import struct

from case import program, stores

M = 0xffffffff
DATA = 0x20000
BYTES = bytes((37 * i + 129) & 255 for i in range(1024))


def signed(v, n):
    return v - (1 << n) if v >> n - 1 else v


def at(i, n):
    return int.from_bytes(BYTES[i:i + n], "little")


program("loads", """
 MOV R4, 0x20000 ; MOV R5, RZ ; IMAD.WIDE.U32 R6, R0, 0x2, R4 ; IMAD.WIDE.U32 R8, R0, 0x8, R4 ;
 IMAD.WIDE.U32 R10, R0, 0x10, R4 ; IADD3 R4, R4, R0, RZ ;
 LDG.E.U8 R16, [R4+3] ; LDG.E.S8 R17, [R4+0x41] ; LDG.E.U16 R18, [R6+0x10] ;
 LDG.E.S16 R19, [R6+0x20] ; LDG.E.64 R20, [R8+0x40] ; LDG.E.128 R24, [R10+0x100] ;
 LD.E R28, [R8+-0x0] ; LDG.E R29, [R8+0x4] ;
""" + stores(*(f"R{n}" for n in (*range(16, 22), *range(24, 30)))) + " EXIT ;", {
    0: lambda x: at(x + 3, 1), 1: lambda x: signed(at(x + 0x41, 1), 8),
    2: lambda x: at(2 * x + 16, 2), 3: lambda x: signed(at(2 * x + 32, 2), 16),
    4: lambda x: at(8 * x + 64, 4), 5: lambda x: at(8 * x + 68, 4),
    6: lambda x: at(16 * x + 256, 4), 7: lambda x: at(16 * x + 260, 4),
    8: lambda x: at(16 * x + 264, 4), 9: lambda x: at(16 * x + 268, 4),
    10: lambda x: at(8 * x, 4), 11: lambda x: at(8 * x + 4, 4)}, init=((DATA, BYTES),))

# Rows 0-3: 128-bit stores; row 4: bytes; row 5: halves; row 6: all lanes one word, the highest wins.
program("stores", """
 MOV R4, 0x10000 ; MOV R5, RZ ; IMAD.WIDE.U32 R6, R0, 0x10, R4 ; IMAD.WIDE.U32 R8, R0, 0x2, R4 ;
 IADD3 R10, R4, R0, RZ ; MOV R11, RZ ; MOV R12, R0 ; IADD3 R13, R0, R4, RZ ; MOV R14, 0x7 ;
 IMAD R15, R0, 0x100, R0 ;
 STG.E.128 [R6], R12 ; STG.E.U8 [R10+0x200], R15 ; STG.E.U16 [R8+0x280], R15 ;
 LOP3.LUT R16, R0, 0x1c, RZ, 0xc0 ; IADD3 R16, R16, R4, RZ ; MOV R17, RZ ;
 STG.E [R16+0x300], R0 ; IMAD.WIDE.U32 R18, R0, 0x8, R4 ; STG.E.64 [R18+0x400], R12 ;
 IADD3 R20, R4, 0x7, RZ ; MOV R21, RZ ; STG.E.U8 [R20+0x500], R0 ;
""".replace("R4, 0x7, RZ", "R4, R14, RZ") + " EXIT ;", expect={
    0: [w for x in range(32) for w in (x, x + 0x10000, 7, 0x101 * x)],
    0x200: [0x03020100 + 0x04040404 * k for k in range(8)],
    0x280: [(2 * k + 1) * 0x1010000 + 2 * k * 0x101 for k in range(16)],
    0x300: [4 * k + 3 for k in range(8)],
    0x400: [w for x in range(32) for w in (x, x + 0x10000)],
    0x500: [0xcccccccc, 0x1fcccccc]})

program("shared", """
 IMAD R4, R0, 0x4, RZ ; IMAD R5, R0, R0, 0x7 ; STS [R4+buf], R5 ; IMAD R6, R0, -0x4, RZ ;
 LDS R7, [R6+buf+0x7c] ; STS.U8 [R0+small], R0 ; LDS.U16 R8, [RZ+small+0x6] ;
 IMAD R9, R0, 0x10, RZ ; MOV R12, R0 ; MOV R13, 0x1 ; MOV R14, 0x2 ; MOV R15, R5 ;
 STS.128 [R9+large], R12 ; LDS.64 R16, [R9+large+0x8] ; LDS.128 R20, [R9+large] ;
 MOV R18, 0x0 ; MOV R19, 0x1000000 ; IADD3 R18, R4, buf, RZ ; LD.E R24, [R18] ;
 ST.E [R18], R0 ; LDS R25, [R4+buf] ;
""".replace("-0x4, RZ", "R10, RZ").replace(" IMAD R4", " MOV R10, 0xfffffffc ; IMAD R4", 1)
    .replace("R4, buf, RZ", "R4, R11, RZ").replace(" MOV R18", " MOV R11, buf ; MOV R18", 1)
    + stores("R7", "R8", "R16", "R17", "R21", "R24", "R25") + " EXIT ;", {
    0: lambda x: (31 - x) ** 2 + 7, 1: lambda x: 0x0706, 2: lambda x: 2, 3: lambda x: x * x + 7,
    4: lambda x: 1, 5: lambda x: x * x + 7, 6: lambda x: x},
    head=".shared pad 16\n.shared buf 128 16\n.shared small 32\n.shared large 512 16\n")

program("local", """
 IMAD R4, R0, 0x3, RZ ; MOV R5, R0 ; MOV R6, 0x11 ; MOV R7, 0x22 ;
 STL.128 [RZ+0x10], R4 ; STL.U8 [RZ+0x21], R0 ; STL [RZ+0x24], R4 ; LDL.64 R8, [RZ+0x18] ;
 LOP3.LUT R12, R0, 0x4, RZ, 0xc0 ; LDL R10, [R12+0x10] ; LDL.U8 R11, [RZ+0x21] ;
 MOV R14, 0x24 ; MOV R15, 0x2000000 ; LD.E R13, [R14] ;
""" + stores("R8", "R9", "R10", "R11", "R13") + " EXIT ;", {
    0: lambda x: 0x11, 1: lambda x: 0x22, 2: lambda x: x if x & 4 else 3 * x, 3: lambda x: x,
    4: lambda x: 3 * x}, head=".local 48\n")

program("constants", """
 IMAD R4, R0, 0x4, RZ ; LOP3.LUT R4, R4, 0x1c, RZ, 0xc0 ; LDC R5, c[0x3][R4+t] ;
 LDC.S8 R6, c[0x3][R4+t+3] ; LDC.64 R8, c[0x3][RZ+t+8] ; IADD3 R7, R0, c[0x3][t+0x1c], RZ ;
 LDC.U16 R10, c[0x3][RZ+t+0x1e] ;
""" + stores("R5", "R6", "R8", "R9", "R7", "R10")
    + " EXIT ;\n.end\n.const t u32 1, 2, 3, 0x80000004, 5, 6, 7, 0x00080009\n.kernel other\n EXIT ;", {
    0: lambda x: (1, 2, 3, 0x80000004, 5, 6, 7, 0x80009)[x & 7],
    1: lambda x: -128 if x & 7 == 3 else 0, 2: lambda x: 3, 3: lambda x: 0x80000004,
    4: lambda x: x + 0x80009, 5: lambda x: 8})

# Row 0: 32 old values of one counter, ascending; then minimum, exchange, compare and swap.
program("atomics", """
 MOV R4, 0x10000 ; MOV R5, RZ ; MOV R6, 0x3 ; MOV R7, 0x64 ;
@P6 NOP ;
 STG.E [R4+0x700], R7 ; STG.E [R4+0x704], R7 ; STG.E [R4+0x708], RZ ; STG.E [R4+0x70c], RZ ;
 ATOMG.E.ADD R8, [R4+0x700], R6 ; IADD3 R9, R0, -R7, RZ ;
 RED.E.MIN.S32 [R4+0x704], R9 ; ATOMG.E.INC R10, [R4+0x708], R6 ;
 MOV R12, R0 ; IADD3 R13, R0, 0x1, RZ ; ATOMG.E.CAS R11, [R4+0x70c], R12, R13 ;
 STS [RZ+0x0], RZ ; ATOMS.ADD R14, [RZ+0x0], R0 ; MOV R16, 0xffffffff ; MOV R17, RZ ;
 STS.64 [RZ+0x8], R16 ; MOV R18, 0x1 ; MOV R19, RZ ; ATOMS.ADD.64 R20, [RZ+0x8], R18 ;
 ATOMS.EXCH R15, [RZ+0x0], R0 ;
""".replace("@P6 NOP ;\n", "").replace("R0, 0x1, RZ", "R0, 0x1, RZ")
    + stores("R8", "R10", "R11", "R14", "R20", "R21", "R15") + " EXIT ;", {
    0: lambda x: 100 + 3 * x, 1: lambda x: x % 4, 2: lambda x: x,
    3: lambda x: x * (x - 1) // 2, 4: lambda x: (M + x) & M, 5: lambda x: 1 if x else 0,
    6: lambda x: x - 1 if x else 496, 14: [100 + 96, -100, 0, 32]}, head=".shared 16\n")

program("talk", """
 IMAD R4, R0, R0, RZ ; SHFL.IDX P0, R5, R4, 0x5, 0x1f ; SHFL.UP P1, R6, R4, 0x3, RZ ;
 SHFL.DOWN P2, R7, R4, 0x2, 0x1807 ; SHFL.BFLY P3, R8, R4, 0x1, 0x1f ; P2R R9, PR, RZ, 0xf ;
 ISETP.GE.AND P4, PT, R0, 0x14, PT ; VOTE.ANY R10, P5, P4 ; VOTE.ALL P6, P4 ;
 P2R R11, PR, RZ, 0x60 ; LOP3.LUT R12, R0, 0x3, RZ, 0xc0 ; MATCH.ANY R13, R12 ;
 MATCH.ALL P0, R14, R12 ; MATCH.ALL P1, R15, R10 ; P2R R16, PR, RZ, 0x3 ;
@P4 ACTIVEMASK R17 ;
@!P4 MOV R17, RZ ;
@P4 SHFL.IDX P2, R18, R4, 0x0, 0x1f ;
@!P4 MOV R18, RZ ;
""" + stores("R5", "R6", "R7", "R8", "R9", "R10", "R11", "R13", "R14", "R15", "R16", "R17", "R18")
    + " EXIT ;", {
    0: lambda x: 25, 1: lambda x: (x - 3) ** 2 if x >= 3 else x * x,
    2: lambda x: (x + 2) ** 2 if x % 8 < 6 else x * x, 3: lambda x: (x ^ 1) ** 2,
    4: lambda x: 9 + 2 * (x >= 3) + 4 * (x % 8 < 6), 5: lambda x: 0xfff00000, 6: lambda x: 0x20,
    7: lambda x: 0x11111111 << x % 4, 8: lambda x: 0, 9: lambda x: M, 10: lambda x: 2,
    11: lambda x: 0xfff00000 if x >= 20 else 0, 12: lambda x: x * x if x >= 20 else 0})

program("matrices", """
 IMAD R4, R0, 0x4, RZ ; STS [R4+0x0], R0 ; IADD3 R5, R0, 0x20, RZ ; STS [R4+0x80], R5 ;
 IMAD R6, R0, 0x10, RZ ; LOP3.LUT R6, R6, 0xf0, RZ, 0xc0 ; LDSM.16.M88.2 R8, [R6] ;
 LDSM.16.MT88.1 R10, [R6] ;
""" + stores("R8", "R9", "R10") + " EXIT ;", {
    0: lambda x: x, 1: lambda x: x + 32,
    # element (row r, column c) is word 4 r + c / 2, its low half for even c, else 0
    2: lambda x: 0 if x // 4 & 1 else (4 * 2 * (x % 4) + x // 8)
        | (4 * (2 * (x % 4) + 1) + x // 8) << 16}, head=".shared 256\n")

# Two blocks of 3 x 5 x 2 = 30 threads in a grid of 2 x 3: who one is.
program("blocks", """
 S2R R4, SR_TID.X ; S2R R5, SR_TID.Y ; S2R R6, SR_TID.Z ; S2R R7, SR_CTAID.Y ; S2R R8, SR_CTAID.X ;
 IMAD R9, R6, 0x5, R5 ; IMAD R9, R9, 0x3, R4 ; IMAD R10, R7, 0x2, R8 ; IMAD R10, R10, 0x80, RZ ;
 IMAD R11, R9, 0x4, R10 ; IMAD R12, R7, 0x10, R8 ; IMAD R12, R12, 0x100, R6 ;
 IMAD R12, R12, 0x100, R5 ; IMAD R12, R12, 0x100, R4 ;
 MOV R14, 0x10000 ; IADD3 R14, R14, R11, RZ ; MOV R15, RZ ; STG.E [R14], R12 ; EXIT ;
""", {b: [(b // 2 * 16 + b % 2) << 24 | x // 15 << 16 | x // 3 % 5 << 8 | x % 3
          for x in range(30)] + [0xcccccccc] * 2 for b in range(6)},
    grid=(2, 3, 1), block=(3, 5, 2), counts={"start": 6, "end": 6})
