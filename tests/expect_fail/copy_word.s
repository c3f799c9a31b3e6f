// SPDX-License-Identifier: Apache-2.0
// Each lane stores four words, 4 n to 4 n + 3, and copies them into shared memory.
// launch: --block 32 --arg out:512
.kernel copy_word
.param u64 out
.shared room 512
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x10, R2 ;            // 0x30
        SHF.L.U32 R4, R0, 0x4, RZ ;             // 0x40
        SHF.L.U32 R8, R0, 0x2, RZ ;             // 0x50
        IADD3 R9, R8, 0x1, RZ ;                 // 0x60
        IADD3 R10, R8, 0x2, RZ ;                // 0x70
        IADD3 R11, R8, 0x3, RZ ;                // 0x80
        STG.E.128 [R2], R8 ;                    // 0x90
        LDGSTS.E.128 [R4], [R2] ;               // 0xa0
        EXIT ;                                  // 0xb0
.end
