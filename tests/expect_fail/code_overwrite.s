// SPDX-License-Identifier: Apache-2.0
// The target of a load is written again while the load is under way.
// launch: --block 32 --arg out:4
.kernel code_overwrite
.param u64 from
        MOV R2, c[0x0][from] ;                  // 0x00
        MOV R3, c[0x0][from+4] ;                // 0x10
[B------:R-:W0:-:S01] LDG.E R4, [R2] ;          // 0x20
[B------:R-:W-:-:S01] MOV R4, 0x7 ;             // 0x30
[B0-----:R-:W-:-:S05] IADD3 R5, R4, 0x1, RZ ;   // 0x40
        EXIT ;                                  // 0x50
.end
