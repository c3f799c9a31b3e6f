// SPDX-License-Identifier: Apache-2.0
// Lanes 8-31 wait at the BSYNC; lanes 4-7 are no members any more; lanes 0-3 leave, which releases 8-31 while 4-7 run on.
// launch: --block 32
.kernel leave_some
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x8, PT ;  // 0x10
        ISETP.LT.U32.AND P1, PT, R0, 0x4, PT ;  // 0x20
        BSSY B0, join ;                         // 0x30
@!P0    BRA join ;                              // 0x40
@!P1    BREAK B0 ;                              // 0x50
@P1     EXIT ;                                  // 0x60
        EXIT ;                                  // 0x70
join:
        BSYNC B0 ;                              // 0x80
        EXIT ;                                  // 0x90
.end
