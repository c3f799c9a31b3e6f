// SPDX-License-Identifier: Apache-2.0
// As collide.s, and the word is read.
// launch: --block 32
.kernel collide_felt
.shared word 4
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;  // 0x10
        IADD3 R1, R0, 0x10, RZ ;                // 0x20
@P0     STS [word], R1 ;                        // 0x30
        LDS R2, [word] ;                        // 0x40
        EXIT ;                                  // 0x50
.end
