// SPDX-License-Identifier: Apache-2.0
// {2, 1} times the upper half of the same: {4, 2}.
// launch: --block 32
.kernel half_part
        MOV R0, 0x40003c00 ;                    // 0x00
        HMUL2 R1, R0, R0.H1_H1 ;                // 0x10
        EXIT ;                                  // 0x20
.end
