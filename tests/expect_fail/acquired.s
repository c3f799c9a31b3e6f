// SPDX-License-Identifier: Apache-2.0
// Two lines, the one of bank 0, the other of bank 1 of quad, are loaded, and again behind a fence of GPU scope.
// launch: --block 32 --arg out:2048
.kernel acquired
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        LDG.E R4, [R2+0x700] ;                  // 0x40
        LDG.E R5, [R2+0x780] ;                  // 0x50
        MEMBAR.GPU ;                            // 0x60
        LDG.E R6, [R2+0x700] ;                  // 0x70
        LDG.E R7, [R2+0x780] ;                  // 0x80
        EXIT ;                                  // 0x90
.end
