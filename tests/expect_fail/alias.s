// SPDX-License-Identifier: Apache-2.0
// Lane 0 stores 1, and 2 into a line of the same set (quad has eight sets in each of two banks: 2048 bytes apart); then it loads the
// first again past the cache of its SM.
// launch: --block 32 --arg out:4096
.kernel alias
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.EQ.U32.AND P0, PT, R0, 0x0, PT ;  // 0x10
        MOV R2, c[0x0][out] ;                   // 0x20
        MOV R3, c[0x0][out+4] ;                 // 0x30
        MOV R4, 0x1 ;                           // 0x40
        MOV R5, 0x2 ;                           // 0x50
@P0     STG.E [R2+0x700], R4 ;                  // 0x60
@P0     STG.E [R2+0xf00], R5 ;                  // 0x70
@P0     LDG.E.STRONG.GPU R6, [R2+0x700] ;       // 0x80
        EXIT ;                                  // 0x90
.end
