// SPDX-License-Identifier: Apache-2.0
// A chain: agent k waits until agent k + step has come, the last one for nobody; each then says that it has come, in
// word k. An agent is a warp (by = 0) or a block (by = 1). At the end word k is 1 for each, and mem[count] the number.
.kernel chain
.param u64 mem
.param u32 count
.param u32 by
.param u32 step
        S2R R1, SR_TID.X ;
        SHF.R.U32.HI R0, RZ, 0x5, R1 ;
        MOV R6, c[0x0][by] ;
        ISETP.NE.U32.AND P2, PT, R6, RZ, PT ;
@P2     S2R R0, SR_CTAID.X ;
        MOV R7, 0x4 ;
        MOV R8, c[0x0][mem] ;
        MOV R9, c[0x0][mem+4] ;
        MOV R10, c[0x0][step] ;
        MOV R11, c[0x0][count] ;
        MOV R5, 0x1 ;
        IMAD.WIDE.U32 R2, R0, R7, R8 ;
        IADD3 R12, R0, R10, RZ ;
        ISETP.GE.U32.AND P0, PT, R12, R11, PT ;
@P0     BRA here ;
        IMAD.WIDE.U32 R12, R12, R7, R8 ;
wait:
        LDG.E.STRONG.GPU R4, [R12] ;
        ISETP.EQ.AND P1, PT, R4, RZ, PT ;
@P1     BRA wait ;
here:
        STG.E.STRONG.GPU [R2], R5 ;
        LOP3.LUT R1, R1, 0x1f, RZ, 0xc0 ;
        ISETP.EQ.U32.AND P3, PT, R1, RZ, PT ;
        IMAD.WIDE.U32 R2, R11, R7, R8 ;
@P3     RED.E.ADD.STRONG.GPU [R2], R5 ;
        EXIT ;
.end
