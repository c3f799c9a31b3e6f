// SPDX-License-Identifier: Apache-2.0
// Lanes 0-3 go round a loop 64 times, while lanes 4-31 wait for their turn.
// launch: --block 32 --div its
.kernel turns
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;  // 0x10
        MOV R1, 0x40 ;                          // 0x20
@P0     BRA again ;                             // 0x30
        EXIT ;                                  // 0x40
again:
        IADD3 R1, R1, -0x1, RZ ;                // 0x50
        ISETP.NE.AND P1, PT, R1, RZ, PT ;       // 0x60
@P1     BRA again ;                             // 0x70
        EXIT ;                                  // 0x80
.end
