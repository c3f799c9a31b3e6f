// SPDX-License-Identifier: Apache-2.0
// Each lane stores one word of a line, the last set's of both banks of quad (lines 14 and 15 of 16): all bytes of it are 0x5a.
// launch: --block 32 --arg out:2048
.kernel whole
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        MOV R4, 0x5a5a5a5a ;                    // 0x40
        STG.E [R2+0x700], R4 ;                  // 0x50
        STG.E [R2+0x780], R4 ;                  // 0x60
        EXIT ;                                  // 0x70
.end
