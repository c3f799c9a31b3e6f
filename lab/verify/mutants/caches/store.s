// SPDX-License-Identifier: Apache-2.0
// Fills that a store overtakes, in two lines: of the first nobody asks again before the fill has come, so a copy that
// is kept is read later; of the second a load asks at once.
// launch: --grid 1 --block 32 --arg out:256:u32:/dev/null --calm --latency 200
// cache: 512,ways=2,mshrs=4,epoch=2
// finds: fill_over_store join_after_store
.kernel store
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
        LDG.E R4, [R2] ;
        STG.E [R2], R0 ;
        IADD3 R5, R4, R0, RZ ;                  // waits for the fill
        LDG.E R6, [R2] ;
        LDG.E R7, [R2+0x80] ;
        STG.E [R2+0x80], R0 ;
        LDG.E R8, [R2+0x80] ;
        IADD3 R5, R5, R6, R7 ;
        IADD3 R5, R5, R8, RZ ;
        STG.E [R2], R5 ;
        EXIT ;
.end
