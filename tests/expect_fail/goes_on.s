// SPDX-License-Identifier: Apache-2.0
// Two blocks, on SM 0 and SM 1 of quad, count to a hundred and then to a thousand; the first traps in between.
// launch: --grid 2 --block 32
// traps: out_of_range
.kernel goes_on
        S2R R1, SR_CTAID.X ;                    // 0x00
        ISETP.EQ.U32.AND P0, PT, R1, RZ, PT ;   // 0x10
        MOV R2, 0x10 ;                          // 0x20
        MOV R3, 0x0 ;                           // 0x30
        MOV R5, 0x64 ;                          // 0x40
first:
        IADD3 R5, R5, -0x1, RZ ;                // 0x50
        ISETP.NE.U32.AND P1, PT, R5, RZ, PT ;   // 0x60
@P1     BRA first ;                             // 0x70
@P0     LDG.E R4, [R2] ;                        // 0x80
        MOV R5, 0x3e8 ;                         // 0x90
then:
        IADD3 R5, R5, -0x1, RZ ;                // 0xa0
        ISETP.NE.U32.AND P1, PT, R5, RZ, PT ;   // 0xb0
@P1     BRA then ;                              // 0xc0
        EXIT ;                                  // 0xd0
.end
