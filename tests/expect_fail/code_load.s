// SPDX-License-Identifier: Apache-2.0
// The code names no counter for a load, and its result is used at once.
// launch: --block 32 --arg out:4
.kernel code_load
.param u64 from
        MOV R2, c[0x0][from] ;                  // 0x00
        MOV R3, c[0x0][from+4] ;                // 0x10
[B------:R-:W-:-:S01] LDG.E R4, [R2] ;          // 0x20
[B------:R-:W-:-:S01] IADD3 R5, R4, 0x1, RZ ;   // 0x30
        EXIT ;                                  // 0x40
.end
