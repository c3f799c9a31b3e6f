// SPDX-License-Identifier: Apache-2.0
// A store into sixteen lines, all of bank 0 of quad: sixteen answers.
// launch: --block 16 --arg out:4096
.kernel sixteen
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x100, R2 ;           // 0x30
        STG.E [R2], R0 ;                        // 0x40
        EXIT ;                                  // 0x50
.end
