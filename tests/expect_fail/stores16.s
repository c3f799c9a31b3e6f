// SPDX-License-Identifier: Apache-2.0
// Fifteen lines of lanes 0-14, then, when all of them are performed, a sixteenth store of lanes 28-31 alone.
// launch: --block 32 --arg out:4096
.kernel stores16
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0xf, PT ;  // 0x10
        ISETP.GE.U32.AND P1, PT, R0, 0x1c, PT ; // 0x20
        MOV R2, c[0x0][out] ;                   // 0x30
        MOV R3, c[0x0][out+4] ;                 // 0x40
        IMAD.WIDE R4, R0, 0x80, R2 ;            // 0x50
        IMAD.WIDE R6, R0, 0x4, R2 ;             // 0x60  lanes 28-31: bytes 112 to 127, one sector
@P0     STG.E [R4], R0 ;                        // 0x70
        MEMBAR.GPU ;                            // 0x80
@P1     STG.E [R6], R0 ;                        // 0x90
        EXIT ;                                  // 0xa0
.end
