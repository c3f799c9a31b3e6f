// SPDX-License-Identifier: Apache-2.0
// Eight blocks of one warp each.
// launch: --grid 8 --block 32
.kernel blocks
        EXIT ;                                  // 0x00
.end
