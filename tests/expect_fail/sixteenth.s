// SPDX-License-Identifier: Apache-2.0
// The sixteenth instruction reads and writes long before the next one issues.
// launch: --block 32
.kernel sixteenth
        NOP ;                                   // 0x00
        NOP ;                                   // 0x10
        NOP ;                                   // 0x20
        NOP ;                                   // 0x30
        NOP ;                                   // 0x40
        NOP ;                                   // 0x50
        NOP ;                                   // 0x60
        NOP ;                                   // 0x70
        NOP ;                                   // 0x80
        NOP ;                                   // 0x90
        NOP ;                                   // 0xa0
        NOP ;                                   // 0xb0
        NOP ;                                   // 0xc0
        NOP ;                                   // 0xd0
        NOP ;                                   // 0xe0
[B------:R-:W-:-:S15] S2R R0, SR_LANEID ;       // 0xf0
        EXIT ;                                  // 0x100
.end
