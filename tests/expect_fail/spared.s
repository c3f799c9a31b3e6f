// SPDX-License-Identifier: Apache-2.0
// Memory refuses the end of a line and the beginning of the next. What is stored into the end of the first one is lost; what is
// stored into the third sector of the second is written back by itself, and arrives.
// launch: --block 32 --arg out:2048 --bus-errors 0x100760:64
.kernel spared
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.LT.U32.AND P0, PT, R0, 0x8, PT ;  // 0x10
        MOV R2, c[0x0][out] ;                   // 0x20
        MOV R3, c[0x0][out+4] ;                 // 0x30
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x40
        MOV R4, 0x5a5a5a5a ;                    // 0x50
@P0     STG.E [R2+0x760], R4 ;                  // 0x60
@P0     STG.E [R2+0x7c0], R4 ;                  // 0x70
        EXIT ;                                  // 0x80
.end
