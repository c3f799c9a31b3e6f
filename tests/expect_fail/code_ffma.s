// SPDX-License-Identifier: Apache-2.0
// The result of a multiply-add is used in the cycle after it left for the pipe, by a store, which reads a row a cycle on every
// machine.
// launch: --block 32
.kernel code_ffma
.shared s 4
        S2R R0, SR_LANEID ;                     // 0x00
[B------:R-:W-:-:S01] FFMA R2, R0, R0, R0 ;     // 0x10
[B------:R-:W-:-:S01] STS [RZ], R2 ;            // 0x20
        EXIT ;                                  // 0x30
.end
