// SPDX-License-Identifier: Apache-2.0
// If without else. The taken side (lanes 0-3) parks at the BSYNC; then the other one is popped, parks, and releases both.
// launch: --block 32
.kernel diverge
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;  // 0x10
        BSSY B0, join ;                         // 0x20
@P0     BRA join ;                              // 0x30
        NOP ;                                   // 0x40
join:
        BSYNC B0 ;                              // 0x50
        EXIT ;                                  // 0x60
.end
