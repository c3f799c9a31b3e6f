// SPDX-License-Identifier: Apache-2.0
// Warp 0 loads from a slow memory and fences; warp 1 stores while that load is under way. When the fence has nothing of its own to
// wait for the store has long passed the cache, and memory takes as long again for it. Both warps load at first and wait, so that
// they are nearly in step; all instructions behind lie in one line, which has come with the first of them.
// launch: --block 64 --arg out:8192 --calm --latency 400
.kernel soon
.param u64 out
        S2R R0, SR_TID.X ;                      // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x20, PT ; // 0x10
        MOV R2, c[0x0][out] ;                   // 0x20
        MOV R3, c[0x0][out+4] ;                 // 0x30
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x40
        NOP ;                                   // 0x50
        LDG.E R4, [R2+0x600] ;                  // 0x60
        IADD3 R5, R4, R0, RZ ;                  // 0x70
@P0     LDG.E R6, [R2+0x700] ;                  // 0x80
@P0     MEMBAR.GPU ;                            // 0x90
        NOP ;                                   // 0xa0
        NOP ;                                   // 0xb0
@!P0    STG.E [R2+0x700], R0 ;                  // 0xc0
        EXIT ;                                  // 0xd0
.end
