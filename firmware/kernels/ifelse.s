// SPDX-License-Identifier: Apache-2.0
// The textbook's conditional: if (x[i] != 0) x[i] = x[i] - y[i]; else x[i] = z[i];
.kernel ifelse
.param u64 x
.param u64 y
.param u64 z
.param u32 n
        S2R R0, SR_CTAID.X ;
        S2R R1, SR_TID.X ;
        IMAD R0, R0, c[0x0][0x0], R1 ;
        ISETP.GE.U32.AND P0, PT, R0, c[0x0][n], PT ;
@P0     EXIT ;
        MOV R2, c[0x0][x] ;
        MOV R3, c[0x0][x+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        LDG.E R8, [R2] ;
        FSETP.NEU.AND P0, PT, R8, 0x0, PT ;
        BSSY B0, endif ;
@!P0    BRA else ;
        MOV R4, c[0x0][y] ;
        MOV R5, c[0x0][y+4] ;
        IMAD.WIDE R4, R0, 0x4, R4 ;
        LDG.E R9, [R4] ;
        FADD R8, R8, -R9 ;
        BRA endif ;
else:
        MOV R4, c[0x0][z] ;
        MOV R5, c[0x0][z+4] ;
        IMAD.WIDE R4, R0, 0x4, R4 ;
        LDG.E R8, [R4] ;
endif:
        BSYNC B0 ;
        STG.E [R2], R8 ;
        EXIT ;
.end
