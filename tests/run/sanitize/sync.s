// Barriers that not all come to: tests/tools/test_sanitize.py says what the comments mean.

// A warp that is not whole comes to a barrier.
// run: --grid 1 --block 32
// says: which are elsewhere
.kernel apart
  S2R R0, SR_LANEID ;
  ISETP.LT.AND P0, PT, R0, 0x8, PT ;
  BSSY B0, meet ;
  @P0 BRA meet ;
  BAR.SYNC 0x0 ; // broken, told: sync
meet:
  BSYNC B0 ;
  // mended: BAR.SYNC 0x0 ;
  EXIT ;
.end

// Two warps wait for each other at two barriers.
// run: --grid 1 --block 64
// says: where 1 of 2 warps have come, never completes
.kernel crossed
  S2R R0, SR_TID.X ;
  ISETP.GT.AND P0, PT, R0, 0x1f, PT ;
  @P0 BRA other ;
  BAR.SYNC 0x1, 0x40 ; // told: sync with line +4
  BAR.SYNC 0x2, 0x40 ;
  EXIT ;
other:
  BAR.SYNC 0x2, 0x40 ; // broken, told: sync with line -4
  // mended: BAR.SYNC 0x1, 0x40 ;
  BAR.SYNC 0x1, 0x40 ; // broken
  // mended: BAR.SYNC 0x2, 0x40 ;
  EXIT ;
.end

// Lanes spin on a lock whose holder never has its turn: under unit stack nothing is promised within a warp.
// run: --grid 1 --block 32 --div stack --arg out:8:-
// says: which spin
.kernel lock
.param u64 out
  MOV R2, c[0x0][out] ;
  MOV R3, c[0x0][out+4] ;
  MOV R5, 0x1 ;
again:
  ATOMG.E.CAS R6, [R2], RZ, R5 ;
  ISETP.NE.AND P0, PT, R6, RZ, PT ;
  @P0 BRA again ; // broken
  MEMBAR.GPU ; // told: sync
  ATOMG.E.EXCH R7, [R2], RZ ;
  EXIT ;
.end
