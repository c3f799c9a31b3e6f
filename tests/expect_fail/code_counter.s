// SPDX-License-Identifier: Apache-2.0
// The load raises counter 0; the code waits for counter 1.
// launch: --block 32 --arg out:4
.kernel code_counter
.param u64 from
        MOV R2, c[0x0][from] ;                  // 0x00
        MOV R3, c[0x0][from+4] ;                // 0x10
[B------:R-:W0:-:S01] LDG.E R4, [R2] ;          // 0x20
[B-1----:R-:W-:-:S01] IADD3 R5, R4, 0x1, RZ ;   // 0x30
        EXIT ;                                  // 0x40
.end
