// Lanes spin on a lock whose holder never has its turn: under unit stack nothing is promised within a warp.
// run: --grid 1 --block 32 --div stack --arg out:8:-
// says: which spin
.kernel k
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
