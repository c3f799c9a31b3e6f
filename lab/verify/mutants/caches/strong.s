// SPDX-License-Identifier: Apache-2.0
// Fills that a strong load overtakes, in two lines: of the first nobody asks again before the fill has come, so a copy
// that is kept is read later; of the second a load asks at once.
// launch: --grid 1 --block 32 --arg out:256:u32:/dev/null --calm --latency 200
// cache: 512,ways=2,mshrs=4,epoch=2
// finds: fill_over_strong join_after_strong
.kernel strong
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
        LDG.E R4, [R2] ;
        LDG.E.STRONG.GPU R5, [R2] ;
        IADD3 R4, R4, R0, RZ ;                  // waits for the fill
        LDG.E R6, [R2] ;
        LDG.E R7, [R2+0x80] ;
        LDG.E.STRONG.GPU R8, [R2+0x80] ;
        LDG.E R9, [R2+0x80] ;
        IADD3 R4, R4, R5, R6 ;
        IADD3 R4, R4, R7, R8 ;
        IADD3 R4, R4, R9, RZ ;
        STG.E [R2], R4 ;
        EXIT ;
.end
