// SPDX-License-Identifier: Apache-2.0
// Warp 0 loads a line, and again behind a fence; meanwhile a line that warp 1 has asked for is on its way from memory, which is slow.
// Both warps load at first and wait, so that they are nearly in step; the moves behind take longer than they are apart, and less than
// memory takes. Twice, with other lines: the first time instructions come from memory as well, and take longer than the refill.
// launch: --block 64 --arg out:8192 --calm --latency 400
.kernel flight
.param u64 out
        S2R R0, SR_TID.X ;                      // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x20, PT ; // 0x10
        MOV R2, c[0x0][out] ;                   // 0x20
        MOV R3, c[0x0][out+4] ;                 // 0x30
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x40
        MOV R9, 0x2 ;                           // 0x50
again:
        LDG.E R4, [R2+0x600] ;                  // 0x60
        IADD3 R5, R4, R0, RZ ;                  // 0x70
@!P0    LDG.E R6, [R2+0x700] ;                  // 0x80
        MOV R7, RZ ;                            // 0x90
        MOV R7, RZ ;                            // 0xa0
        MOV R7, RZ ;                            // 0xb0
        NOP ;                                   // 0xc0
        NOP ;                                   // 0xd0
        NOP ;                                   // 0xe0
        NOP ;                                   // 0xf0
        NOP ;                                   // 0x100
@P0     MEMBAR.GPU ;                            // 0x110
@P0     LDG.E R8, [R2+0x600] ;                  // 0x120
        IADD3 R2, R2, 0x800, RZ ;               // 0x130
        IADD3 R9, R9, -0x1, RZ ;                // 0x140
        ISETP.NE.U32.AND P1, PT, R9, 0x0, PT ;  // 0x150
@P1     BRA again ;                             // 0x160
        EXIT ;                                  // 0x170
.end
