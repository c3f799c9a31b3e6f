// SPDX-License-Identifier: Apache-2.0
// (lane * 2^-130) * 2^127 under .FTZ: lanes 1-15 have a subnormal operand, which counts as zero.
// launch: --block 32
.kernel flush
        S2R R0, SR_LANEID ;                     // 0x00
        SHF.L.U32 R0, R0, 0x13, RZ ;            // 0x10
        FMUL.FTZ R1, R0, 0x7f000000 ;           // 0x20
        EXIT ;                                  // 0x30
.end
