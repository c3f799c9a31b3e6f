// SPDX-License-Identifier: Apache-2.0
// 64 rounds: R0 is written and read. R0 lies in bank 0 and is the only such register that is written: R1 and R5 lie in bank 1,
// with two banks and with four.
// launch: --block 32
.kernel writes
        MOV R1, 0x40 ;                          // 0x00
round:
        MOV R0, R1 ;                            // 0x10
        IADD3 R5, R0, RZ, RZ ;                  // 0x20
        IADD3 R1, R1, -0x1, RZ ;                // 0x30
        ISETP.NE.AND P0, PT, R1, RZ, PT ;       // 0x40
@P0     BRA round ;                             // 0x50
        EXIT ;                                  // 0x60
.end
