// SPDX-License-Identifier: Apache-2.0
// The reciprocal of 1 + 2^-10: of its first segment, with X = 2^13 of 2^16.
// launch: --block 32
.kernel sfu_square
        MOV R0, 0x3f802000 ;                    // 0x00
        MUFU.RCP R1, R0 ;                       // 0x10
        EXIT ;                                  // 0x20
.end
