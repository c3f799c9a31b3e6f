// SPDX-License-Identifier: Apache-2.0
// The clock, read often, by a guard that is false too; what it was decides where the warp goes.
.kernel clock
.param u64 out
        S2R R0, SR_TID.X ;
        S2R R1, SR_CTAID.X ;
        MOV R4, c[0x0][out] ;
        MOV R5, c[0x0][out+4] ;
        ISETP.NE.U32.AND P1, PT, RZ, RZ, PT ;
        MOV R10, 0x0 ;
        MOV R11, RZ ;
again:  S2R R6, SR_CLOCKLO ;
@P1     S2R R7, SR_CLOCKLO ;
        S2R R8, SR_CLOCKHI ;
        IADD3 R11, R11, R6, R8 ;
        LOP3.LUT R9, R6, 0x1, RZ, 0xc0 ;
        ISETP.NE.U32.AND P0, PT, R9, RZ, PT ;
@P0     IADD3 R11, R11, 0x100, RZ ;
        IADD3 R10, R10, 0x1, RZ ;
        ISETP.LT.U32.AND P0, PT, R10, 0x20, PT ;
@P0     BRA again ;
        IMAD R2, R1, c[0x0][0x0], R0 ;
        IMAD.WIDE R12, R2, 0x4, R4 ;
        STG.E [R12], R11 ;
        EXIT ;
.end
