// A guard that nothing sets.
// run: --grid 1 --block 32 --arg out:128:-
// says: P2 was never written
.kernel k
.param u64 out
  S2R R0, SR_TID.X ;
  MOV R2, c[0x0][out] ;
  MOV R3, c[0x0][out+4] ;
  IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
  // mended: ISETP.LT.AND P2, PT, R0, 0x10, PT ;
  @P2 STG.E [R2], R0 ; // told: init
  EXIT ;
.end
