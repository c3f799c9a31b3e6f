// SPDX-License-Identifier: Apache-2.0
// Lanes 4-31 wait at the BSYNC for lanes 0-3, which leave instead.
// launch: --block 32
.kernel leave
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;  // 0x10
        BSSY B0, join ;                         // 0x20
@!P0    BRA join ;                              // 0x30
        EXIT ;                                  // 0x40
join:
        BSYNC B0 ;                              // 0x50
        EXIT ;                                  // 0x60
.end
