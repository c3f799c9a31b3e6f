// SPDX-License-Identifier: Apache-2.0
// A block of 8 x 4 threads: lane 31 is thread (7, 3).
// launch: --block 8,4
.kernel plane
        S2R R0, SR_TID.Y ;                      // 0x00
        EXIT ;                                  // 0x10
.end
