// Races: tests/tools/test_sanitize.py says what the comments mean.

// The same as between_warps of race.cu, by hand.
// run: --grid 1 --block 64 --arg out:256:-
.kernel assembly
.param u64 out
.shared room 256
  S2R R0, SR_TID.X ;
  SHF.L.U32 R1, R0, 0x2, RZ ;
  LOP3.LUT R5, R1, 0xfc, RZ, 0x3c ;
  STS [R1], R0 ;
  // mended: BAR.SYNC 0x0 ;
  LDS R4, [R5] ; // told: race with line -2
  MOV R2, c[0x0][out] ;
  MOV R3, c[0x0][out+4] ;
  IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
  STG.E [R2], R4 ; // told: init
  EXIT ;
.end
