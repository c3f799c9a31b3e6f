// SPDX-License-Identifier: Apache-2.0
// The result of a multiply-add is read as early as it may be: a beat that is read in cycle r is on the operand bus in r+2, written
// in r+7 and seen from r+8 on (each pass of a beat but the first: one later); with stall 8 the next instruction reads it then.
// The next one is a store: it reads a row a cycle on every machine, so its last row is read too early before all others.
// launch: --block 32
.kernel stall_ffma
.shared s 4
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, 0x0 ;                           // 0x10
[B------:R-:W-:-:S08] FFMA R2, R0, R0, R0 ;     // 0x20
        STS [RZ], R2 ;                          // 0x30
        EXIT ;                                  // 0x40
.end
