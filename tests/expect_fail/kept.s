// SPDX-License-Identifier: Apache-2.0
// A line is loaded, written, and loaded again.
// launch: --block 32 --arg out:2048
.kernel kept
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        LDG.E R4, [R2+0x700] ;                  // 0x40
        IADD3 R5, R4, R0, RZ ;                  // 0x50
        STG.E [R2+0x700], R5 ;                  // 0x60
        LDG.E R6, [R2+0x700] ;                  // 0x70
        EXIT ;                                  // 0x80
.end
