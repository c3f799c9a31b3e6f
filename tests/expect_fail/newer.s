// SPDX-License-Identifier: Apache-2.0
// Lane 0 stores the number 7 into a word of a line that no cache has; then lanes 0 and 1 load it and the word beside it, past the
// cache of their SM: the rest of the row comes from memory, which has zeros.
// launch: --block 32 --arg out:2048
.kernel newer
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.EQ.U32.AND P0, PT, R0, 0x0, PT ;  // 0x10
        ISETP.LT.U32.AND P1, PT, R0, 0x2, PT ;  // 0x20
        MOV R2, c[0x0][out] ;                   // 0x30
        MOV R3, c[0x0][out+4] ;                 // 0x40
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x50
        MOV R4, 0x7 ;                           // 0x60
@P0     STG.E [R2+0x700], R4 ;                  // 0x70
@P1     LDG.E.STRONG.GPU R6, [R2+0x700] ;       // 0x80
        EXIT ;                                  // 0x90
.end
