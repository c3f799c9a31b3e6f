// SPDX-License-Identifier: Apache-2.0
// The result of a multiply-add is used in the cycle after it left for the pipe.
// launch: --block 32
.kernel code_ffma
        S2R R0, SR_LANEID ;                     // 0x00
[B------:R-:W-:-:S01] FFMA R2, R0, R0, R0 ;     // 0x10
[B------:R-:W-:-:S01] IADD3 R3, R2, R2, RZ ;    // 0x20
        EXIT ;                                  // 0x30
.end
