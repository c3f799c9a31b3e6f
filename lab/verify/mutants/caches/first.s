// SPDX-License-Identifier: Apache-2.0
// What leaves for memory waits behind a store of a whole line, 16 beats: a load and then a store of one sector, and in
// another line a store and then a strong load. The younger of both may not leave first.
// launch: --grid 1 --block 32 --arg out:2048:u32:/dev/null --calm --latency 40
// cache: 512,ways=2,mshrs=4,epoch=2
// finds: store_first strong_first
.kernel first
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE.U32 R4, R0, 0x4, R2 ;
        ISETP.EQ.U32.AND P0, PT, R0, RZ, PT ;
        STG.E [R4+0x100], R0 ;
@P0     LDG.E R6, [R2] ;
@P0     STG.E [R2], R4 ;
@P0     IADD3 R6, R6, 0x1, RZ ;                 // waits until all this is done
        STG.E [R4+0x200], R0 ;
        STG.E [R4+0x300], R0 ;
@P0     STG.E [R2+0x80], R4 ;
@P0     LDG.E.STRONG.GPU R7, [R2+0x80] ;
@P0     IADD3 R6, R6, R7, RZ ;
@P0     STG.E [R2+0x4], R6 ;
        EXIT ;
.end
