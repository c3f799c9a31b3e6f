// SPDX-License-Identifier: Apache-2.0
// Lanes 3 to 31 execute R2UR; the lowest of them gives the word.
// launch: --block 32
.kernel lowest
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.GT.U32.AND P0, PT, R0, 0x2, PT ;  // 0x10
@P0     R2UR UR4, R0 ;                          // 0x20
        EXIT ;                                  // 0x30
.end
