// SPDX-License-Identifier: Apache-2.0
// Each lane stores its number and loads it again past the cache, all in one line.
// launch: --block 32 --arg out:128
.kernel swapped
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        STG.E [R2], R0 ;                        // 0x40
        LDG.E.STRONG.GPU R4, [R2] ;             // 0x50
        EXIT ;                                  // 0x60
.end
