// SPDX-License-Identifier: Apache-2.0
// out[i] = { a + b, t mod 2^32 xor its carry } with t = ({c:a} >> 13) + b: a, b, c are multiples of i.
.kernel shradd
.param u64 out
        S2R R0, SR_CTAID.X ;
        S2R R1, SR_TID.X ;
        IMAD R0, R0, c[0x0][0x0], R1 ;
        IMAD R4, R0, 0x9e3779b9, RZ ;
        IMAD R5, R0, 0x7feb352d, RZ ;
        IMAD R6, R0, 0x846ca68b, RZ ;
        SHRADD R7, R4, R5, R6, 0x0 ;
        SHRADD R8, P1, R4, R5, R6, 0xd ;
        MOV R9, 0x1 ;
@P1     LOP3.LUT R8, R8, R9, RZ, 0x3c ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x8, R2 ;
        STG.E [R2], R7 ;
        STG.E [R2+0x4], R8 ;
        EXIT ;
.end
