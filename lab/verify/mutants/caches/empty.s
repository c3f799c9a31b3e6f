// SPDX-License-Identifier: Apache-2.0
// One warp fences, over and over, one stores, and two load a line again and again: what comes while a fence waits is
// given up when it is done. Fills overtake stores of other lines, as memory answers in any order.
// launch: --grid 1 --block 128 --arg out:2048:u32:/dev/null
// cache: 512,ways=2,mshrs=4,epoch=4
// finds: fence_first mshr_early
.kernel empty
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        ISETP.GE.U32.AND P1, PT, R0, 0x20, PT ;
        ISETP.GE.U32.AND P2, PT, R0, 0x40, PT ;
        IMAD.WIDE.U32 R6, R0, 0x4, R2 ;
        MOV R9, 0x40 ;
@P2     BRA loads ;
@P1     BRA stores ;
fences:
        NOP ;
        MEMBAR.GPU ;
        NOP ;
        MEMBAR.GPU ;
        IADD3 R9, R9, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA fences ;
        EXIT ;
stores:
        STG.E [R6], R0 ;
        STG.E [R6+0x200], R0 ;
        RED.E.ADD.STRONG.GPU [R6+0x400], R0 ;
        IADD3 R9, R9, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA stores ;
        EXIT ;
loads:
        LDG.E R4, [R2] ;
        LDG.E R5, [R2] ;
        LDG.E R8, [R2] ;
        LDG.E R10, [R2] ;
        LDG.E R11, [R2] ;
        IADD3 R9, R9, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA loads ;
        EXIT ;
.end
