// SPDX-License-Identifier: Apache-2.0
// MOV R0, 0x7 with bit 127 set, which no encoding owns. Bits: 8:0 opcode 0x002, 11:9 form 4, 15:12 guard PT, 23:16 R0,
// 63:32 the immediate, 108:105 stall 1, 112:110 and 115:113 no counters.
// launch: --block 32
// traps: illegal_instruction
.kernel reserved
        NOP ;                                   // 0x00
        .word 0x800fc200000000000000000700007802 // 0x10
        EXIT ;                                  // 0x20
.end
