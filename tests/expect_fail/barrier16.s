// SPDX-License-Identifier: Apache-2.0
// Two warps meet at barrier 5 with their eighth instructions: the sixteenth issue is the arrival that completes the barrier.
// launch: --block 64
.kernel barrier16
        NOP ;                                   // 0x00
        NOP ;                                   // 0x10
        NOP ;                                   // 0x20
        NOP ;                                   // 0x30
        NOP ;                                   // 0x40
        NOP ;                                   // 0x50
        NOP ;                                   // 0x60
        BAR.SYNC 0x5 ;                          // 0x70
        EXIT ;                                  // 0x80
.end
