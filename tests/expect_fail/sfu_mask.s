// SPDX-License-Identifier: Apache-2.0
// All lanes but lane 1 take part: R1 of lane 1 is not to be written.
// launch: --block 32
.kernel sfu_mask
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.NE.U32.AND P0, PT, R0, 0x1, PT ;  // 0x10
@P0     MUFU.RCP R1, R0 ;                       // 0x20
        EXIT ;                                  // 0x30
.end
