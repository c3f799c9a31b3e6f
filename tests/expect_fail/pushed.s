// SPDX-License-Identifier: Apache-2.0
// Lanes 16-31 wait for their turn, which does not come.
// launch: --block 32
// traps: breakpoint
.kernel pushed
        S2R R0, SR_LANEID ;                      // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x10, PT ;  // 0x10
@P0     BRA taken ;                              // 0x20
        EXIT ;                                   // 0x30
taken:
        IADD3 R1, R0, R0, RZ ;                   // 0x40
        BPT.TRAP ;                               // 0x50
        EXIT ;                                   // 0x60
.end
