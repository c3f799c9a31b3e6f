// SPDX-License-Identifier: Apache-2.0
// Warp 0 loads a line, and again behind a fence; meanwhile a line that warp 1 has asked for is on its way from memory, which is slow.
// Both warps load at first and wait, so that they are in step.
// launch: --block 64 --arg out:2048 --calm --latency 200
.kernel flight
.param u64 out
        S2R R0, SR_TID.X ;                      // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x20, PT ; // 0x10
        MOV R2, c[0x0][out] ;                   // 0x20
        MOV R3, c[0x0][out+4] ;                 // 0x30
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x40
        LDG.E R4, [R2+0x600] ;                  // 0x50
        IADD3 R5, R4, R0, RZ ;                  // 0x60
@!P0    LDG.E R6, [R2+0x700] ;                  // 0x70
        NOP ;                                   // 0x80
        NOP ;                                   // 0x90
        NOP ;                                   // 0xa0
        NOP ;                                   // 0xb0
        NOP ;                                   // 0xc0
        NOP ;                                   // 0xd0
        NOP ;                                   // 0xe0
        NOP ;                                   // 0xf0
@P0     MEMBAR.GPU ;                            // 0x100
@P0     LDG.E R8, [R2+0x600] ;                  // 0x110
        EXIT ;                                  // 0x120
.end
