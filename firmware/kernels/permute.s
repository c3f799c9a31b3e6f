// SPDX-License-Identifier: Apache-2.0
// a[i] = b[c[i]]: every lane goes to a sector of its own.
.kernel permute
.param u64 a
.param u64 b
.param u64 c
.param u32 n
        S2R R0, SR_CTAID.X ;
        S2R R1, SR_TID.X ;
        IMAD R0, R0, c[0x0][0x0], R1 ;
        ISETP.GE.U32.AND P0, PT, R0, c[0x0][n], PT ;
@P0     EXIT ;
        MOV R2, c[0x0][c] ;
        MOV R3, c[0x0][c+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        LDG.E R8, [R2] ;
        MOV R4, c[0x0][b] ;
        MOV R5, c[0x0][b+4] ;
        IMAD.WIDE R4, R8, 0x4, R4 ;
        LDG.E R9, [R4] ;
        MOV R6, c[0x0][a] ;
        MOV R7, c[0x0][a+4] ;
        IMAD.WIDE R6, R0, 0x4, R6 ;
        STG.E [R6], R9 ;
        EXIT ;
.end
