// Two warps wait for each other at two barriers.
// run: --grid 1 --block 64
// says: where 1 of 2 warps have come, never completes
.kernel k
  S2R R0, SR_TID.X ;
  ISETP.GT.AND P0, PT, R0, 0x1f, PT ;
  @P0 BRA other ;
  BAR.SYNC 0x1, 0x40 ; // told: sync with line 12
  BAR.SYNC 0x2, 0x40 ;
  EXIT ;
other:
  BAR.SYNC 0x2, 0x40 ; // broken, told: sync with line 8
  // mended: BAR.SYNC 0x1, 0x40 ;
  BAR.SYNC 0x1, 0x40 ; // broken
  // mended: BAR.SYNC 0x2, 0x40 ;
  EXIT ;
.end
