// SPDX-License-Identifier: Apache-2.0
// How many steps a number takes to 1, where an even one is halved and an odd one becomes 3n + 1. Threads leave the loop
// at different times: BSSY and BSYNC bring the warp together again.
// run: heddle run examples/programs/collatz.s --grid 1 --block 32 --arg out:128:u32:-
.kernel collatz
.param u64 out
        S2R R0, SR_TID.X ;
        IADD3 R4, R0, 0x1, RZ ;                 // n
        MOV R5, RZ ;                            // steps
        BSSY B0, together ;
again:  ISETP.EQ.AND P0, PT, R4, 0x1, PT ;
  @P0   BRA done ;
        LOP3.LUT R6, R4, 0x1, RZ, 0xc0 ;
        ISETP.EQ.AND P1, PT, R6, 0x1, PT ;
  @P1   IMAD R4, R4, 0x3, RZ ;
  @P1   IADD3 R4, R4, 0x1, RZ ;
  @!P1  SHF.R.U32.HI R4, RZ, 0x1, R4 ;
        IADD3 R5, R5, 0x1, RZ ;
        BRA again ;
done:   BSYNC B0 ;
together:
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        STG.E [R2], R5 ;
        EXIT ;
.end
