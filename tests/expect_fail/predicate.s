// SPDX-License-Identifier: Apache-2.0
// A predicate is written that nothing reads.
// launch: --block 32
.kernel predicate
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x5, PT ;  // 0x10
        EXIT ;                                  // 0x20
.end
