// SPDX-License-Identifier: Apache-2.0
// Four blocks, one on each SM of quad: each stores its number into all words of a line of its own, all of bank 0.
// launch: --grid 4 --block 32 --arg out:2048
.kernel mixed
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        S2R R1, SR_CTAID.X ;                    // 0x10
        MOV R2, c[0x0][out] ;                   // 0x20
        MOV R3, c[0x0][out+4] ;                 // 0x30
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x40
        IMAD.WIDE R2, R1, 0x100, R2 ;           // 0x50
        STG.E [R2], R1 ;                        // 0x60
        EXIT ;                                  // 0x70
.end
