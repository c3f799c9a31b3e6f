// SPDX-License-Identifier: Apache-2.0
// 1 + 2^-11 in both halves: exactly between 1 and the next number. To even is down.
// launch: --block 32
.kernel half_round
        MOV R0, 0x10001000 ;                    // 0x00  2^-11, twice
        HADD2 R1, R0, 0x3c003c00 ;              // 0x10
        EXIT ;                                  // 0x20
.end
