// SPDX-License-Identifier: Apache-2.0
// A negated guard: lanes 5-31 execute the last MOV.
// launch: --block 32
.kernel guard
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x5, PT ;  // 0x10
@!P0    MOV R1, R0 ;                            // 0x20
        EXIT ;                                  // 0x30
.end
