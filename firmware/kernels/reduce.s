// SPDX-License-Identifier: Apache-2.0
// out[block] = sum of the block's 128 inputs, FP32, as a tree in shared memory: stride 64, 32, ... 1.
.kernel reduce
.param u64 in
.param u64 out
.param u32 n
.shared sdata 512
        S2R R0, SR_CTAID.X ;
        S2R R1, SR_TID.X ;
        IMAD R2, R0, c[0x0][0x0], R1 ;
        ISETP.LT.U32.AND P0, PT, R2, c[0x0][n], PT ;
        MOV R4, c[0x0][in] ;
        MOV R5, c[0x0][in+4] ;
        IMAD.WIDE R4, R2, 0x4, R4 ;
        MOV R6, RZ ;
@P0     LDG.E R6, [R4] ;
        SHF.L.U32 R7, R1, 0x2, RZ ;
        STS [R7+sdata], R6 ;
        BAR.SYNC 0x0 ;
        MOV R8, 0x40 ;
tree:
        ISETP.LT.U32.AND P1, PT, R1, R8, PT ;
        LEA R9, R8, R7, 0x2 ;
@P1     LDS R10, [R7+sdata] ;
@P1     LDS R11, [R9+sdata] ;
@P1     FADD R10, R10, R11 ;
@P1     STS [R7+sdata], R10 ;
        BAR.SYNC 0x0 ;
        SHF.R.U32.HI R8, RZ, 0x1, R8 ;
        ISETP.NE.AND P2, PT, R8, RZ, PT ;
@P2     BRA tree ;
        ISETP.NE.AND P3, PT, R1, RZ, PT ;
@P3     EXIT ;
        LDS R10, [sdata] ;
        MOV R4, c[0x0][out] ;
        MOV R5, c[0x0][out+4] ;
        IMAD.WIDE R4, R0, 0x4, R4 ;
        STG.E [R4], R10 ;
        EXIT ;
.end
