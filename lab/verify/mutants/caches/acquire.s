// SPDX-License-Identifier: Apache-2.0
// Fills under way while another warp empties the cache, again and again. Of the first line nobody asks again before the
// fill has come, so a copy that is kept is read right after that; of the second a load asks while it is under way. More
// than once, since the first time its own instructions have to come as well.
// launch: --grid 1 --block 64 --arg out:1536:u32:/dev/null --calm --latency 600
// cache: 512,ways=2,mshrs=4,epoch=2
// finds: fill_over_acquire join_after_acquire ivall_keeps ack_early
.kernel acquire
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        ISETP.GT.U32.AND P0, PT, R0, 0x1f, PT ;
        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
        MOV R9, 0x40 ;
@P0     BRA empty ;
        MOV R10, 0x4 ;
load:
        LDG.E R4, [R2] ;
        IADD3 R5, R4, R0, RZ ;                  // waits for the fill
        LDG.E R6, [R2] ;
        IADD3 R5, R5, R6, RZ ;
        LDG.E R7, [R2+0x80] ;
        IADD3 R5, R5, 0x1, RZ ;                 // 32 passes each
        IADD3 R5, R5, 0x1, RZ ;
        IADD3 R5, R5, 0x1, RZ ;
        IADD3 R5, R5, 0x1, RZ ;
        IADD3 R5, R5, 0x1, RZ ;
        IADD3 R5, R5, 0x1, RZ ;
        LDG.E R8, [R2+0x80] ;
        IADD3 R5, R5, R7, R8 ;
        STG.E [R2], R5 ;
        IADD3 R2, R2, 0x100, RZ ;
        IADD3 R10, R10, -0x1, RZ ;
        ISETP.NE.AND P1, PT, R10, RZ, PT ;
@P1     BRA load ;
        EXIT ;
empty:
        CCTL.E.IVALL [R2] ;
        IADD3 R9, R9, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA empty ;
        EXIT ;
.end
