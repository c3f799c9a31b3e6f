// SPDX-License-Identifier: Apache-2.0
// Each lane stores a word into one of four lines, two of each bank of quad, that memory refuses when they are written back.
// launch: --block 32 --arg out:4096 --bus-errors 0x100700:512 --calm
.kernel lost
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x10, R2 ;            // 0x30
        STG.E [R2+0x700], R0 ;                  // 0x40
        EXIT ;                                  // 0x50
.end
