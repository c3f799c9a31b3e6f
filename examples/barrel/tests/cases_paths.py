# SPDX-License-Identifier: Apache-2.0
"""Divergence, calls, barriers between warps. Words of START: 0 to 5."""
from case import program, stores

program("nested", """
 MOV R4, RZ ; ISETP.LT.AND P0, PT, R0, 0x10, PT ; BSSY B0, join ;
@P0 BRA low ;
 IADD3 R4, R0, 0x1, R4 ; BRA meet ;
low: LOP3.LUT R5, R0, 0x1, RZ, 0xc0 ; ISETP.EQ.AND P1, PT, R5, RZ, PT ; BSSY B1, inner ;
@P1 BRA even ;
 IADD3 R4, R0, 0x100, R4 ; BRA odd ;
even: IADD3 R4, R0, 0x200, R4 ;
odd: BSYNC B1 ;
inner: IADD3 R4, R4, 0x1000, RZ ;
meet: BSYNC B0 ;
join: VOTE.ANY R6, PT, PT ;
""" + stores("R4", "R6") + " EXIT ;", {
    0: lambda x: x + 1 if x >= 16 else x + 0x1000 + (0x200 if x % 2 == 0 else 0x100),
    1: lambda x: 0xffffffff},
    # Taken first: the lanes of `low` with an even number are at `even` (word 18) before others go on.
    counts={"issue 0 1 14 00000120 00005555": 1, "issue 0 1 16 00000100 0000aaaa": 1,
            "issue 0 1 21 000000a0 ffff0000": 1})

# Lane x goes round x + 1 times, but lanes whose counter meets 9 break out.
program("loops", """
 MOV R4, RZ ; MOV R5, RZ ; BSSY B2, done ; MOV R6, 0x1 ;
again: IADD3 R4, R4, R6, RZ ; ISETP.EQ.AND P0, PT, R4, 0xa, PT ;
@P0 BREAK B2 ;
@P0 BRA away ;
 ISETP.LE.AND P1, PT, R4, R0, PT ;
@P1 BRA again ;
 BSYNC B2 ;
done: VOTE.ANY R5, PT, PT ;
away: BSSY B3, end ; NOP ;
 BSYNC B3 ;
end: NOP ;
""" + stores("R4", "R5") + " EXIT ;", {
    0: lambda x: min(x + 1, 10), 1: lambda x: 0x1ff if x < 9 else 0})

# Four places to go, 48 bytes from each other; then a function that each lane calls through R8.
program("indirect", """
 LOP3.LUT R4, R0, 0x3, RZ, 0xc0 ; IMAD R4, R4, 0x30, RZ ; MOV R5, RZ ; BSSY B0, join ;
 BRX R4+table ;
table: MOV R6, 0x10 ; BRA meet ; NOP ;
 MOV R6, 0x11 ; BRA meet ; NOP ;
 MOV R6, 0x12 ; BRA meet ; NOP ;
 MOV R6, 0x13 ; BRA meet ; NOP ;
meet: BSYNC B0 ;
join: MOV R20, back ; MOV R21, RZ ; CALL.REL function ; NOP ;
back: MOV R20, last-0x10 ; MOV R8, function ; MOV R9, RZ ; ISETP.LT.AND P0, PT, R0, 0x8, PT ;
@!P0 BRA last ;
 CALL.ABS R8+0x0 ; NOP ;
last: JMP over ; BPT.TRAP ;
over: NOP ;
""" + stores("R6") + """ EXIT ;
function: IADD3 R6, R6, 0x100, RZ ; LOP3.LUT R7, R20, 0xfffffff0, RZ, 0xc0 ; RET R20+0x0 ;
""", {0: lambda x: 0x110 + x % 4 + (0x100 if x < 8 else 0)},
    # The same BRX, at the same place, with a new number for each target.
    counts={"issue 0 1 10 000000a0 ffffffff": 1, "issue 0 1 14 000000a0 eeeeeeee": 1,
            "issue 0 1 18 000000a0 cccccccc": 1, "issue 0 1 22 000000a0 88888888": 1})

program("barrier_registers", """
 MOV R10, 0xabcd ; BSSY B5, here ; BMOV.GET R4, B5 ; BMOV.GET.CLEAR R5, B5 ; BMOV.GET R6, B5 ;
here: ISETP.GE.AND P0, PT, R0, 0x4, PT ;
@P0 BMOV.SET B6, R0 ;
 BMOV.GET R7, B6 ; BMOV.SET B6, 0xffffffff ; BSYNC B6 ;
 ISETP.LT.AND P1, PT, R0, 0x7, PT ;
@P1 BRA part ;
 MOV R10, 0x7 ; BRA sync ;
part: MOV R10, 0x8 ;
sync: WARPSYNC 0xffffffff ;
 VOTE.ANY R8, PT, PT ; YIELD ; NANOSLEEP 0x10 ; DEPBAR.LE SB0, 0x1 ; MEMBAR.GPU ;
""" + stores("R4", "R5", "R6", "R7", "R8", "R10") + " EXIT ;", {
    0: lambda x: 0xffffffff, 1: lambda x: 0xffffffff, 2: lambda x: 0, 3: lambda x: 4,
    4: lambda x: 0xffffffff, 5: lambda x: 8 if x < 7 else 7})

# Odd lanes end while the even ones are parked: their end releases B15.
program("ends", """
 LOP3.LUT R4, R0, 0x1, RZ, 0xc0 ; ISETP.EQ.AND P0, PT, R4, RZ, PT ; BSSY B15, join ;
@P0 BRA meet ;
 NOP ;
 EXIT ;
meet: BSYNC B15 ;
join: VOTE.ANY R5, PT, PT ;
@!P0 EXIT ;
""" + stores("R5") + " EXIT ;", {0: lambda x: 0xcccccccc if x & 1 else 0x55555555})

# Three warps and a part of a fourth: each reads what the next one wrote.
program("exchange", """
 IMAD R4, R0, 0x4, RZ ; STS [R4+buf], R0 ; BAR.SYNC 0x3 ; IADD3 R5, R0, 0x20, RZ ;
 ISETP.LT.AND P0, PT, R5, 0x64, PT ; SEL R5, R5, RZ, P0 ; IMAD R5, R5, 0x4, RZ ; LDS R6, [R5+buf] ;
 STG.E [R2], R6 ;
 LOP3.LUT R7, R0, 0x3, RZ, 0xc0 ; ISETP.EQ.AND P1, PT, R7, RZ, PT ;
 BAR.RED.POPC R8, 0x1, 0x0, P1 ; BAR.RED.OR P2, 0x2, 0x0, !P1 ; BAR.RED.AND P3, 0x2, 0x0, P1 ;
 P2R R9, PR, RZ, 0xc ; STG.E [R2+0x200], R8 ; STG.E [R2+0x400], R9 ; EXIT ;
""", block=(100, 1, 1), head=".shared buf 400\n", expect={
    0: [x + 32 if x < 68 else 0 for x in range(100)], 0x200: [25] * 100, 0x400: [4] * 100},
    counts={"barrier 0 3": 1, "barrier 0 1": 1, "barrier 0 2": 2})

# Warp 0 waits for what warp 1 has made (barrier 4, two warps); warps 2 and 3 end at once, and
# barrier 0, which wants all, is complete without them. Four blocks, as slots come free.
program("arrive", """
 S2R R12, SR_TID.X ; ISETP.GE.U32.AND P0, PT, R12, 0x40, PT ;
@P0 EXIT ;
 ISETP.GE.U32.AND P1, PT, R12, 0x20, PT ; MOV R6, 0x55 ;
@P1 BRA maker ;
 BAR.SYNC 0x4, 0x40 ; LDS R7, [RZ+0x40] ; STG.E [R2], R7 ; BAR.SYNC 0x0 ; EXIT ;
maker: S2R R7, SR_CTAID.X ; STS [RZ+0x40], R7 ; BAR.ARV 0x4, 0x40 ; BAR.SYNC 0x0 ; EXIT ;
""", grid=(4, 1, 1), block=(96, 1, 1), head=".shared buf 128\n",
    expect={96 * 4 * b: [b] * 32 for b in range(4)},
    counts={"start": 4, "end": 4, "barrier": 8})

# Six blocks of a warp at once two by two; shared memory of one is not the other's.
program("apart", """
 IMAD R4, R0, 0x0, RZ ; S2R R5, SR_CTAID.X ; S2R R6, SR_LANEID ; IMAD R7, R6, 0x4, RZ ;
 STS [R7], R5 ; NOP ; NOP ; NOP ; NOP ; NOP ; NOP ; LDS R8, [R7] ; STG.E [R2], R8 ; EXIT ;
""", {b: [b] * 32 for b in range(6)}, grid=(6, 1, 1), head=".shared buf 128\n",
    counts={"issue 0 3 0 ": 1, "start 0 ": 3, "start 1 ": 3, "end 0": 3, "end 1": 3})
