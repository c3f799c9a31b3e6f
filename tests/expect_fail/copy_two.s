// SPDX-License-Identifier: Apache-2.0
// Two copies under way, to two places.
// launch: --block 32 --arg out:128
.kernel copy_two
.param u64 out
.shared room 256
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        SHF.L.U32 R4, R0, 0x2, RZ ;             // 0x40
        IADD3 R5, R4, 0x80, RZ ;                // 0x50
        LDGSTS.E [R4], [R2] ;                   // 0x60
        LDGSTS.E [R5], [R2] ;                   // 0x70
        EXIT ;                                  // 0x80
.end
