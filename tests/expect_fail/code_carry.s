// SPDX-License-Identifier: Apache-2.0
// The carry of the low half is added to the high half too early: a predicate as a source.
// launch: --block 32
.kernel code_carry
        MOV R2, 0xffffffff ;                    // 0x00
        MOV R3, 0x0 ;                           // 0x10
[B------:R-:W-:-:S01] IADD3 R2, P0, PT, R2, 0x1, RZ ; // 0x20
[B------:R-:W-:-:S01] IADD3.X R3, R3, RZ, RZ, P0, !PT ; // 0x30
        EXIT ;                                  // 0x40
.end
