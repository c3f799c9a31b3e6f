// SPDX-License-Identifier: Apache-2.0
// As chain.s, with a result that depends on operand b.
// launch: --block 32
.kernel chain_felt
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, 0x7 ;                           // 0x10
        LOP3.LUT R1, R0, R2, RZ, 0x3c ;         // 0x20
        EXIT ;                                  // 0x30
.end
