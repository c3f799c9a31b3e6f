// SPDX-License-Identifier: Apache-2.0
// A lock within one warp: who has got it waits at B0 for the others, who spin. YIELD lets him go on.
.kernel lock
.param u64 mem
        MOV R2, c[0x0][mem] ;
        MOV R3, c[0x0][mem+4] ;
        MOV R5, 0x1 ;
        BSSY B0, got ;
again:
        ATOMG.E.CAS.STRONG.GPU R6, [R2], RZ, R5 ;
        ISETP.EQ.AND P0, PT, R6, RZ, PT ;
@P0     BRA got ;
        YIELD ;
        BRA again ;
got:
        BSYNC B0 ;
        LDG.E.STRONG.GPU R7, [R2+0x4] ;
        IADD3 R7, R7, 0x1, RZ ;
        STG.E.STRONG.GPU [R2+0x4], R7 ;
        MEMBAR.GPU ;
        STG.E.STRONG.GPU [R2], RZ ;
        EXIT ;
.end
