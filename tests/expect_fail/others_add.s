// SPDX-License-Identifier: Apache-2.0
// Warp 0 adds to words of 32 lines, one after the other; warp 1 has a fence meanwhile.
// launch: --block 64 --arg out:16384
.kernel others_add
.param u64 out
        S2R R0, SR_TID.X ;                      // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x20, PT ; // 0x10
        MOV R2, c[0x0][out] ;                   // 0x20
        MOV R3, c[0x0][out+4] ;                 // 0x30
        IMAD.WIDE R2, R0, 0x100, R2 ;           // 0x40
@P0     RED.E.ADD.STRONG.GPU [R2+0x80], R0 ;    // 0x50
        NOP ;                                   // 0x60
        NOP ;                                   // 0x70
        NOP ;                                   // 0x80
        NOP ;                                   // 0x90
        NOP ;                                   // 0xa0
        NOP ;                                   // 0xb0
        NOP ;                                   // 0xc0
        NOP ;                                   // 0xd0
@!P0    MEMBAR.GPU ;                            // 0xe0
        EXIT ;                                  // 0xf0
.end
