// SPDX-License-Identifier: Apache-2.0
// Warps of three blocks that take numbers from one counter in global and one in shared memory, hand values on behind
// barriers, and go through several windows of a digest. What each reads is in its registers.
.kernel meet
.param u64 out
.shared buf 512
        S2R R0, SR_TID.X ;
        S2R R1, SR_CTAID.X ;
        MOV R4, c[0x0][out] ;
        MOV R5, c[0x0][out+4] ;
        SHF.L.U32 R3, R0, 0x2, RZ ;
        MOV R10, 0x1 ;
        MOV R11, RZ ;
        MOV R12, RZ ;
        STS [R3+buf], R11 ;
        STS [R3+buf+4], R11 ;
        BAR.SYNC 0x0 ;
again:  ATOMG.E.ADD R13, [R4+0xc00], R10 ;
        ATOMS.ADD R14, [buf], R10 ;
        IADD3 R11, R11, R13, RZ ;
        STS [R3+buf+4], R11 ;
        BAR.SYNC 0x1 ;
        LOP3.LUT R15, R3, 0x80, RZ, 0x3c ;
        LOP3.LUT R15, R15, 0xfc, RZ, 0xc0 ;
        LDS R16, [R15+buf+4] ;
        IADD3 R12, R12, R16, R14 ;
        RED.E.ADD [R4+0xc08], R16 ;
        LDG.E R17, [R4+0xc08] ;
        BAR.SYNC 0x2 ;
        IADD3 R10, R10, 0x1, RZ ;
        ISETP.LT.U32.AND P0, PT, R10, 0x10, PT ;
@P0     BRA again ;
        IMAD R2, R1, c[0x0][0x0], R0 ;
        IMAD.WIDE R6, R2, 0x8, R4 ;
        STG.E [R6], R12 ;
        STG.E [R6+4], R17 ;
        EXIT ;
.end
