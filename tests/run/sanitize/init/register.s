// A register that is written under a guard alone.
// run: --grid 1 --block 32 --arg out:128:-
// says: R7 was never written
.kernel k
.param u64 out
  S2R R0, SR_TID.X ;
  ISETP.LT.AND P0, PT, R0, 0x10, PT ;
  // mended: MOV R7, RZ ;
  @P0 MOV R7, 0x5 ;
  MOV R2, c[0x0][out] ;
  MOV R3, c[0x0][out+4] ;
  IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
  STG.E [R2], R7 ; // told: init
  EXIT ;
.end
