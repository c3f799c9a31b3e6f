// SPDX-License-Identifier: Apache-2.0
// As fence.s, with a memory that answers so soon that a fill which a fence has overtaken ends while the next one for its
// line still waits to be sent.
// launch: --grid 1 --block 128 --arg out:3072:u32:/dev/null --calm --latency 20
// cache: 512,ways=2,mshrs=4,epoch=2
// finds: mshr_reused
.kernel reused
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        ISETP.GE.U32.AND P1, PT, R0, 0x40, PT ;
        ISETP.GE.U32.AND P2, PT, R0, 0x60, PT ;
        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
        MOV R9, 0x18 ;
@P2     BRA loads ;
@P1     BRA stores ;
fences:
        NOP ;
        NOP ;
        MEMBAR.GPU ;
        LDG.E R5, [R2] ;
        NOP ;
        MEMBAR.GPU ;
        NOP ;
        MEMBAR.GPU ;
        IADD3 R9, R9, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA fences ;
        EXIT ;
stores:
        RED.E.ADD.STRONG.GPU [R2], R0 ;
        STG.E [R2+0x200], R0 ;
        STG.E [R2+0x400], R0 ;
        RED.E.ADD.STRONG.GPU [R2+0x600], R0 ;
        IADD3 R9, R9, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA stores ;
        EXIT ;
loads:
        LDG.E R4, [R2] ;
        IADD3 R4, R4, R0, RZ ;                  // waits for it
        IADD3 R9, R9, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA loads ;
        EXIT ;
.end
