// SPDX-License-Identifier: Apache-2.0
// The copy raises counter 0, and what reads its words waits for that.
// launch: --block 32 --arg out:128
.kernel copy_await
.param u64 out
.shared room 128
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        SHF.L.U32 R4, R0, 0x2, RZ ;             // 0x40
[B------:R-:W0:-:S01] LDGSTS.E [R4], [R2] ;     // 0x50
[B0-----:R-:W1:-:S01] LDS R5, [R4] ;            // 0x60
        EXIT ;                                  // 0x70
.end
