// SPDX-License-Identifier: Apache-2.0
// An operand a that differs from lane to lane.
// launch: --block 32
.kernel lanes
        S2R R0, SR_LANEID ;                     // 0x00
        IADD3 R1, R0, 0x1, RZ ;                 // 0x10
        EXIT ;                                  // 0x20
.end
