// SPDX-License-Identifier: Apache-2.0
// Each lane stores its number into one line and loads it again: on a bus of 64 bits 16 beats, the last of which are the words of
// lanes 30 and 31.
// launch: --block 32 --arg out:128
.kernel strayed
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        STG.E [R2], R0 ;                        // 0x40
        MEMBAR.GPU ;                            // 0x50
        LDG.E R4, [R2] ;                        // 0x60
        EXIT ;                                  // 0x70
.end
