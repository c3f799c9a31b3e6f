// SPDX-License-Identifier: Apache-2.0
// A line of local memory and one of global memory with the same number: line 0x40000 is that of word 0 of warp slot 1,
// and that of address 0x2000000, where the buffer begins.
// launch: --grid 1 --block 64 --base 0x2000000 --arg out:512:u32:/dev/null
// cache: 512,ways=2,mshrs=4,epoch=2
// finds: local_mixed
.kernel mixed
.param u64 out
.local 16
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        S2R R1, SR_LANEID ;
        IMAD.WIDE.U32 R4, R1, 0x4, R2 ;
        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
        STL [RZ], R0 ;
        LDG.E R6, [R4] ;
        LDL R7, [RZ] ;
        IADD3 R7, R6, R7, RZ ;
        STG.E [R2+0x80], R7 ;
        EXIT ;
.end
