// SPDX-License-Identifier: Apache-2.0
// out[i] = 3 (i - 5), so often as asked: what planted bug 25 (a negative factor) spoils.
.kernel wide
.param u64 out
.param u32 times
        S2R R0, SR_TID.X ;
        IADD3 R1, R0, -0x5, RZ ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x8, R2 ;
        MOV R6, c[0x0][times] ;
again:  IMAD.WIDE R4, R1, 0x3, RZ ;
        STG.E.64 [R2], R4 ;
        IADD3 R6, R6, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R6, RZ, PT ;
  @P0   BRA again ;
        EXIT ;
.end
