// SPDX-License-Identifier: Apache-2.0
// One store of 32 lines: each lane has one of its own.
// launch: --block 32 --arg out:4096
.kernel stores
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x80, R2 ;            // 0x30
        STG.E [R2], R0 ;                        // 0x40
        EXIT ;                                  // 0x50
.end
