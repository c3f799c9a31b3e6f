// Reads of what nobody wrote: tests/tools/test_sanitize.py says what the comments mean.

// A guard that nothing sets.
// run: --grid 1 --block 32 --arg out:128:-
// says: P2 was never written
.kernel guard
.param u64 out
  S2R R0, SR_TID.X ;
  MOV R2, c[0x0][out] ;
  MOV R3, c[0x0][out+4] ;
  IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
  // mended: ISETP.LT.AND P2, PT, R0, 0x10, PT ;
  @P2 STG.E [R2], R0 ; // told: init
  EXIT ;
.end

// A register that is written under a guard alone.
// run: --grid 1 --block 32 --arg out:128:-
// says: R7 was never written
.kernel register
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
