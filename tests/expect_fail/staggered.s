// SPDX-License-Identifier: Apache-2.0
// Four blocks, one on each SM of quad: each stores its number into all words of a line of its own, all of bank 0, again and again, and
// goes round between, so that stores of two begin within the 16 beats of one in every way.
// launch: --grid 4 --block 32 --arg out:2048
.kernel staggered
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        S2R R1, SR_CTAID.X ;                    // 0x10
        MOV R2, c[0x0][out] ;                   // 0x20
        MOV R3, c[0x0][out+4] ;                 // 0x30
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x40
        IMAD.WIDE R2, R1, 0x100, R2 ;           // 0x50
        MOV R4, 0x20 ;                          // 0x60
again:
        STG.E [R2], R1 ;                        // 0x70
        IADD3 R5, R1, 0x1, RZ ;                 // 0x80
wait:
        IADD3 R5, R5, -0x1, RZ ;                // 0x90
        ISETP.NE.U32.AND P0, PT, R5, 0x0, PT ;  // 0xa0
@P0     BRA wait ;                              // 0xb0
        IADD3 R4, R4, -0x1, RZ ;                // 0xc0
        ISETP.NE.U32.AND P1, PT, R4, 0x0, PT ;  // 0xd0
@P1     BRA again ;                             // 0xe0
        EXIT ;                                  // 0xf0
.end
