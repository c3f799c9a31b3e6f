// SPDX-License-Identifier: Apache-2.0
// Two warps count lanes with a true predicate, five in each; one of them keeps the number.
// launch: --block 64
.kernel red
        S2R R0, SR_LANEID ;                         // 0x00
        S2R R1, SR_TID.X ;                          // 0x10
        ISETP.LT.U32.AND P0, PT, R0, 0x5, PT ;      // 0x20
        ISETP.GE.U32.AND P1, PT, R1, 0x20, PT ;     // 0x30
@P1     BRA other ;                                 // 0x40
        BAR.RED.POPC R2, 0x1, 0x40, P0 ;            // 0x50
        EXIT ;                                      // 0x60
other:
        BAR.RED.POPC RZ, 0x1, 0x40, P0 ;            // 0x70
        EXIT ;                                      // 0x80
.end
