// SPDX-License-Identifier: Apache-2.0
// Lanes 0-3 store to one word of shared memory: lane 3 wins.
// launch: --block 32
.kernel collide
.shared word 4
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;  // 0x10
        IADD3 R1, R0, 0x10, RZ ;                // 0x20
@P0     STS [word], R1 ;                        // 0x30
        EXIT ;                                  // 0x40
.end
