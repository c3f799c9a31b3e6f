// SPDX-License-Identifier: Apache-2.0
// Two warps meet at barrier 5.
// launch: --block 64
.kernel barrier
        BAR.SYNC 0x5 ;                          // 0x00
        EXIT ;                                  // 0x10
.end
