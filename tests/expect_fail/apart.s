// SPDX-License-Identifier: Apache-2.0
// Two arms that share a barrier and wait for each other at PCs of their own, as `its` lets them.
// launch: --block 32 --div its
.kernel apart
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;  // 0x10
        BSSY B0, join ;                         // 0x20
@P0     BRA low ;                               // 0x30
        BSYNC B0 ;                              // 0x40
        EXIT ;                                  // 0x50
low:
        BSYNC B0 ;                              // 0x60
join:
        EXIT ;                                  // 0x70
.end
