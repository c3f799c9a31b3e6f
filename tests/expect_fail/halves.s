// SPDX-License-Identifier: Apache-2.0
// Each lane has another word; only their upper halves differ.
// launch: --block 32
.kernel halves
        S2R R0, SR_LANEID ;                     // 0x00
        IMAD R0, R0, 0x10000, RZ ;              // 0x10
        MATCH.ANY R1, R0 ;                      // 0x20
        EXIT ;                                  // 0x30
.end
