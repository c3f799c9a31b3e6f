// SPDX-License-Identifier: Apache-2.0
// A result of pipe alu, three of whose operands lie in one bank of four, is read by pipe fma in the next instruction.
// launch: --block 32
.kernel changes
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R4, 0x0 ;                           // 0x10
        MOV R8, 0x0 ;                           // 0x20
        MOV R5, 0x0 ;                           // 0x30
        NOP ;                                   // 0x40
        IADD3 R5, R0, R4, R8 ;                  // 0x50
        IMAD R6, R5, 0x3, RZ ;                  // 0x60
        EXIT ;                                  // 0x70
.end
