// SPDX-License-Identifier: Apache-2.0
// Places and bytes: each word of a line has a value of its own. Sectors are asked for one by one, and two of them; a
// load waits for two fills, and one joins a fill of other sectors; lines replace each other in a set of one way; lanes
// collide, and store single bytes.
// launch: --grid 1 --block 32 --arg out:1024:u32:/dev/null --calm --latency 200
// cache: 256,ways=1,mshrs=4,epoch=2
// finds: join_any strobes_wide merge_lost hit_sector tag_short fill_set valid_all beat_lost replace_valid
// finds: answer_swap sector_lost served_twice
.kernel bytes
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R8, c[0x0][out] ;
        MOV R9, c[0x0][out+4] ;
        ISETP.LT.U32.AND P0, PT, R0, 0x8, PT ;
        ISETP.LT.U32.AND P1, PT, R0, 0x10, PT ;
        IMAD.WIDE.U32 R2, R0, 0x4, R8 ;
        IADD3 R1, R0, 0x100, RZ ;
        MOV R4, RZ ;
        MOV R7, RZ ;
        STG.E [R2], R1 ;
        STG.E [R2+0x100], R0 ;
        STG.E [R2+0x200], R1 ;
        MEMBAR.GPU ;
        // a sector; the rest of the line while it comes; all of it, by two fills
@P0     LDG.E R4, [R2] ;
@!P0    LDG.E R7, [R2] ;
        LDG.E R5, [R2] ;
        IADD3 R5, R5, R4, RZ ;                  // waits
        LDG.E R6, [R2] ;                        // all of it is there
        IADD3 R5, R5, R6, RZ ;
        // in its place one sector of a line of another tag, then its others
@P0     LDG.E R4, [R2+0x100] ;
        IADD3 R5, R5, R4, RZ ;
        LDG.E R6, [R2+0x100] ;
        IADD3 R5, R5, R6, RZ ;
        // two sectors
@P1     LDG.E R4, [R2+0x200] ;
        IADD3 R5, R5, R4, R7 ;
        STG.E.U8 [R2+0x81], R5 ;
        STG.E [R8+0x180], R5 ;
        EXIT ;
.end
