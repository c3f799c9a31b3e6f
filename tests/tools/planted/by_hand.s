// before the beginning of out
.kernel before
.param u64 out
  S2R R0, SR_TID.X ;
  MOV R2, c[0x0][out] ;
  MOV R3, c[0x0][out+4] ;
  IMAD.WIDE R2, R0, 0x4, R2 ;
  STG.E [R2+-0x4], R0 ;
  EXIT ;
.end

// in is for reading
.kernel readonly
.param u64 in
  MOV R2, c[0x0][in] ;
  MOV R3, c[0x0][in+4] ;
  STG.E [R2], RZ ;
  EXIT ;
.end

// two halves of the block at different barriers
.kernel crossed
  S2R R0, SR_TID.X ;
  ISETP.GT.AND P0, PT, R0, 0x1f, PT ;
  @P0 BRA other ;
  BAR.SYNC 0x0, 0x40 ;
  EXIT ;
other:
  BAR.SYNC 0x1, 0x40 ;
  EXIT ;
.end

// a barrier for two warps in a block of one
.kernel too_few
  BAR.SYNC 0x2, 0x40 ;
  EXIT ;
.end

// a barrier for some threads of a warp
.kernel divided
  S2R R0, SR_TID.X ;
  ISETP.LT.AND P0, PT, R0, 0x14, PT ;
  @P0 BAR.SYNC 0x0 ;
  EXIT ;
.end

// a lock whose holder waits for the threads that spin on it
.kernel lock
.param u64 p
  MOV R2, c[0x0][p] ;
  MOV R3, c[0x0][p+4] ;
  MOV R5, 0x1 ;
  BSSY B0, got ;
again:
  ATOMG.E.CAS R6, [R2], RZ, R5 ;
  ISETP.EQ.AND P0, PT, R6, RZ, PT ;
  @P0 BRA got ;
  BRA again ;
got:
  BSYNC B0 ;
  STG.E [R2], RZ ;
  EXIT ;
.end

// R4 is meant, R5 is read
.kernel unset
.param u64 out
  MOV R2, c[0x0][out] ;
  MOV R3, c[0x0][out+4] ;
  MOV R4, 0x7 ;
  IADD3 R4, R5, 0x1, RZ ;
  STG.E [R2], R4 ;
  EXIT ;
.end

// on a machine without the uniform datapath
.kernel lacks_uni
.param u64 out
  MOV R2, c[0x0][out] ;
  MOV R3, c[0x0][out+4] ;
  UMOV UR4, 0x3 ;
  MOV R4, UR4 ;
  STG.E [R2], R4 ;
  EXIT ;
.end

// no EXIT: it runs into nothing
.kernel endless
  MOV R0, 0x1 ;
  MOV R1, 0x2 ;
.end
