// SPDX-License-Identifier: Apache-2.0
// A line that the cache has, whole: what passes gives it up, or sectors of it, and a load asks again.
// launch: --grid 1 --block 32 --arg out:128:u32:/dev/null --calm --latency 20
// cache: 512,ways=2,mshrs=4,epoch=2
// finds: drop_lost drop_sector drop_first cta_store_kept atomic_kept strong_kept strong_hit hit_way
.kernel drops
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        ISETP.EQ.U32.AND P0, PT, R0, RZ, PT ;
        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
        LDG.E R4, [R2] ;
        IADD3 R4, R4, 0x1, RZ ;                 // waits for it, as below
        STG.E [R2], R4 ;
        LDG.E R4, [R2] ;
        IADD3 R4, R4, 0x1, RZ ;
@P0     STG.E [R2], R4 ;
        LDG.E R4, [R2] ;
        IADD3 R4, R4, 0x1, RZ ;
        STG.E.STRONG.CTA [R2], R4 ;
        LDG.E R4, [R2] ;
        IADD3 R4, R4, 0x1, RZ ;
        RED.E.ADD.STRONG.GPU [R2], R4 ;
        LDG.E R4, [R2] ;
        IADD3 R4, R4, 0x1, RZ ;
        LDG.E.STRONG.GPU R5, [R2] ;
        LDG.E R4, [R2] ;
        IADD3 R4, R4, R5, RZ ;
        STG.E [R2], R4 ;
        EXIT ;
.end
