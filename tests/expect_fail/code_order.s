// SPDX-License-Identifier: Apache-2.0
// A move takes less time than the multiply-add before it, whose result it shall replace.
// launch: --block 32
.kernel code_order
        S2R R0, SR_LANEID ;                     // 0x00
[B------:R-:W-:-:S01] FFMA R2, R0, R0, R0 ;     // 0x10
[B------:R-:W-:-:S01] MOV R2, 0x7 ;             // 0x20
        EXIT ;                                  // 0x30
.end
