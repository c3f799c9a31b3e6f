// SPDX-License-Identifier: Apache-2.0
// A load of one line: on a bus of 64 bits 16 beats, the last of which are the words of lanes 30 and 31.
// launch: --block 32 --arg in:128:u32:1,2,3
.kernel strayed
.param u64 in
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][in] ;                    // 0x10
        MOV R3, c[0x0][in+4] ;                  // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        LDG.E R4, [R2] ;                        // 0x40
        IADD3 R5, R4, 0x1, RZ ;                 // 0x50
        EXIT ;                                  // 0x60
.end
