// SPDX-License-Identifier: Apache-2.0
// A warp keeps numbers in local memory and reads them at once, while others read all of a buffer.
// launch: --grid 1 --block 128 --arg out:16384:u32:/dev/null --calm --latency 3
// launch: --grid 1 --block 128 --arg out:16384:u32:/dev/null --calm --latency 60
.kernel spill
.param u64 out
.local 32
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        MOV R9, 0x1e ;
        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
        ISETP.GE.U32.AND P1, PT, R0, 0x20, PT ;
        MOV R8, R0 ;
@P1     BRA others ;
        STL [RZ], R0 ;
        STL [RZ+0x4], R0 ;
own:
        IADD3 R8, R8, 0x101, RZ ;
        STL [RZ], R8 ;
        LDL R4, [RZ] ;
        STL [RZ+0x4], R8 ;
        LDL R5, [RZ+0x4] ;
        IADD3 R9, R9, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA own ;
        IADD3 R4, R4, R5, RZ ;
        STG.E [R2], R4 ;
        EXIT ;
others:
        STG.E [R2], R0 ;
        STG.E [R2+0x200], R0 ;
        STG.E [R2+0x400], R0 ;
        STG.E [R2+0x600], R0 ;
more:
        LDG.E R4, [R2] ;
        LDG.E R5, [R2+0x200] ;
        LDG.E R6, [R2+0x400] ;
        LDG.E R7, [R2+0x600] ;
        IADD3 R9, R9, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA more ;
        EXIT ;
.end
