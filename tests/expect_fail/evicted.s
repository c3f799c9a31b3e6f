// SPDX-License-Identifier: Apache-2.0
// Lane 0 stores 1, 2 and 3 into three lines of one set, which has two places, and loads the first again, past the cache of its SM.
// Memory takes its time, so that the first one is still on its way back when the load comes.
// launch: --block 32 --arg out:8192 --calm --latency 200
.kernel evicted
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.EQ.U32.AND P0, PT, R0, 0x0, PT ;  // 0x10
        MOV R2, c[0x0][out] ;                   // 0x20
        MOV R3, c[0x0][out+4] ;                 // 0x30
        MOV R4, 0x1 ;                           // 0x40
        MOV R5, 0x2 ;                           // 0x50
        MOV R6, 0x3 ;                           // 0x60
@P0     STG.E [R2+0x700], R4 ;                  // 0x70
@P0     STG.E [R2+0xf00], R5 ;                  // 0x80
@P0     STG.E [R2+0x1700], R6 ;                 // 0x90
@P0     LDG.E.STRONG.GPU R8, [R2+0x700] ;       // 0xa0
        EXIT ;                                  // 0xb0
.end
