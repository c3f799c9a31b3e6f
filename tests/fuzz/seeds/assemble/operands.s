.kernel k
        FADD R0, -|R1|, 1.5 ;
        FADD R0, R1, -1e-45 ;
        FADD R0, R1, +INF ;
        FADD R0, R1, -QNAN ;
        FADD R0, R1, 0x7f800001 ;
        FFMA.RM R1, R2.reuse, R3, -R4.reuse ;
        LOP3.LUT R0, R1, R2, RZ, 0x3c ;
        LOP3.LUT R22, R3, 0x4, RZ, 0xc0 ;
        ISETP.LT.U32.AND P0, P1, R0, 0xc, !P2 ;
        IADD3 R20, P5, PT, R8, -R9, RZ ;
        IADD3.X R0, R1, R2, R3, P0, !P1 ;
        LDG.E.128 R8, [R4+-0x10] ;
        LDS.U8 R8, [0x10] ;
        STG.E [R6+N-4], R24 ;
        ATOMG.E.ADD R27, [R28+0x4004], R26 ;
        LDC R30, c[0x0][R25+0x8] ;
        [B0-2--5:R1:W0:Y:S09] LDG.E R4, [R2] ;
        [S08:W-:B012345] MOV R5, 0xffffffff ;
        BSSY B0, l ;
@!P0    BRA l ;
l:      BSYNC B0 ;
        SEL R31, R30, R27, !PT ;
        S2R R0, SR_TID.X ;
        MOV R7, -0x80000000 ;
        EXIT ;
.end
.equ N 8
