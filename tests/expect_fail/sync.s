// SPDX-License-Identifier: Apache-2.0
// Lanes 0-30 come to the WARPSYNC first and wait for lane 31.
// launch: --block 32
.kernel sync
        S2R R0, SR_LANEID ;                         // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x1f, PT ;     // 0x10
@P0     BRA meet ;                                  // 0x20
        NOP ;                                       // 0x30
meet:
        WARPSYNC 0xffffffff ;                       // 0x40
        EXIT ;                                      // 0x50
.end
