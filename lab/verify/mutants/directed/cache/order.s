// SPDX-License-Identifier: Apache-2.0
// Warps read a line with strong loads, then with weak ones, which join refills of each other: none before its strong one.
// launch: --grid 1 --block 128 --arg out:1024:u32:/dev/null
.kernel order
.param u64 out
        S2R R0, SR_LANEID ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        MOV R9, 0x40 ;
        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
        STG.E [R2], R0 ;
        STG.E [R2+0x80], R0 ;
again:
        LDG.E.STRONG.GPU R4, [R2] ;
        LDG.E R5, [R2] ;
        LDG.E.STRONG.GPU R6, [R2+0x80] ;
        LDG.E R7, [R2+0x80] ;
        IADD3 R9, R9, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA again ;
        IADD3 R4, R4, R5, R6 ;
        IADD3 R4, R4, R7, RZ ;
        STG.E [R2+0x100], R4 ;
        EXIT ;
.end
