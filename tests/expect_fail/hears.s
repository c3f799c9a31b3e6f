// SPDX-License-Identifier: Apache-2.0
// The lower half of the lanes listens to lane 16, which does not execute.
// launch: --block 32
.kernel hears
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.LT.AND P0, PT, R0, 0x10, PT ;     // 0x10
@P0     SHFL.IDX R1, R0, 0x10, 0x1f ;           // 0x20
        EXIT ;                                  // 0x30
.end
