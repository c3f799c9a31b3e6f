// SPDX-License-Identifier: Apache-2.0
// Each lane stores its number, and again into the word behind, into two lines, one of each bank of quad, and loads them again at once:
// 16 beats of either bank, on their way to the one SM at the same time.
// launch: --block 32 --arg out:2048
.kernel both
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        S2R R1, SR_LANEID ;                     // 0x10
        MOV R2, c[0x0][out] ;                   // 0x20
        MOV R3, c[0x0][out+4] ;                 // 0x30
        IMAD.WIDE R2, R0, 0x8, R2 ;             // 0x40
        STG.E.64 [R2+0x700], R0 ;               // 0x50
        MEMBAR.GPU ;                            // 0x60
        LDG.E.64 R4, [R2+0x700] ;               // 0x70
        EXIT ;                                  // 0x80
.end
