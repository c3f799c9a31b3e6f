// SPDX-License-Identifier: Apache-2.0
// The result of a multiply-add is read as early as it may be on a machine of one beat. What leaves its collector in cycle d is
// written in d+5; the next instruction reads in d+stall+2, which must be d+6: stall 4. (The configurations' table asks for more.)
// launch: --block 32
.kernel stall_ffma
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, 0x0 ;                           // 0x10
[B------:R-:W-:-:S04] FFMA R2, R0, R0, R0 ;     // 0x20
        FADD R3, R2, 0x0 ;                      // 0x30
        EXIT ;                                  // 0x40
.end
