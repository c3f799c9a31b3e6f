// A warp that is not whole comes to a barrier.
// run: --grid 1 --block 32
// says: which are elsewhere
.kernel k
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
