// SPDX-License-Identifier: Apache-2.0
// Four blocks, one on each SM of quad: block 0 ends at once, the others go round a while.
// launch: --grid 4 --block 32
.kernel uneven
        S2R R1, SR_CTAID.X ;                    // 0x00
        ISETP.EQ.U32.AND P0, PT, R1, 0x0, PT ;  // 0x10
        MOV R2, 0x40 ;                          // 0x20
@P0     EXIT ;                                  // 0x30
again:
        IADD3 R2, R2, -0x1, RZ ;                // 0x40
        ISETP.NE.U32.AND P1, PT, R2, 0x0, PT ;  // 0x50
@P1     BRA again ;                             // 0x60
        EXIT ;                                  // 0x70
.end
