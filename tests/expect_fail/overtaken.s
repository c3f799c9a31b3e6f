// SPDX-License-Identifier: Apache-2.0
// A store overtakes the refill of its line, since memory is slow; one load comes before the refill has come, one behind it.
// launch: --block 32 --arg out:2048 --calm --latency 200
.kernel overtaken
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        LDG.E R4, [R2+0x700] ;                  // 0x40
        STG.E [R2+0x700], R0 ;                  // 0x50
        LDG.E R5, [R2+0x700] ;                  // 0x60
        IADD3 R6, R4, R5, RZ ;                  // 0x70
        LDG.E R7, [R2+0x700] ;                  // 0x80
        EXIT ;                                  // 0x90
.end
