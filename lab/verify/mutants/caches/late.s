// SPDX-License-Identifier: Apache-2.0
// A store to a sector that the cache has waits, on its way to memory, behind two stores of whole lines; a load comes
// meanwhile.
// launch: --grid 1 --block 32 --arg out:1024:u32:/dev/null --calm --latency 40
// cache: 512,ways=2,mshrs=4,epoch=2
// finds: drop_late fill_first
.kernel late
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE.U32 R4, R0, 0x4, R2 ;
        ISETP.EQ.U32.AND P0, PT, R0, RZ, PT ;
@P0     LDG.E R6, [R2] ;
@P0     IADD3 R6, R6, 0x1, RZ ;                 // waits for it
        STG.E [R4+0x100], R0 ;
        STG.E [R4+0x200], R0 ;
@P0     STG.E [R2], R4 ;
@P0     LDG.E R7, [R2] ;
@P0     IADD3 R6, R6, R7, RZ ;
@P0     STG.E [R2+0x4], R6 ;
        EXIT ;
.end
