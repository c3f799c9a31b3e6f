// SPDX-License-Identifier: Apache-2.0
// Two warps in two partitions meet at barrier 5 with their sixteenth instructions: the sixteenth issue of each partition is an
// arrival.
// launch: --block 64
.kernel barrier_apart
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
        BAR.SYNC 0x5 ;                          // 0xf0
        EXIT ;                                  // 0x100
.end
