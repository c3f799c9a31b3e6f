// SPDX-License-Identifier: Apache-2.0
// A register that stands in the reuse cache is written, and then read in the same operand place.
// launch: --block 32
.kernel reuse
        MOV R0, 0x5 ;                           // 0x00
        IADD3 R1, R0.reuse, 0x1, RZ ;           // 0x10
        MOV R0, 0x7 ;                           // 0x20
        IADD3 R2, R0, 0x2, RZ ;                 // 0x30
        EXIT ;                                  // 0x40
.end
