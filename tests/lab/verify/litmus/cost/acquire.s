// SPDX-License-Identifier: Apache-2.0
// What an acquire costs a warp whose data lie in the L1: a flag, the fence, two loads of copies, 64 times.
.kernel cost
.param u64 mem
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][mem] ;
        MOV R3, c[0x0][mem+4] ;
        MOV R7, 0x4 ;
        IMAD.WIDE.U32 R2, R0, R7, R2 ;
        MOV R8, RZ ;
        MOV R9, RZ ;
again:
        LDG.E.STRONG.CTA R4, [R2] ;
        MEMBAR.GPU ;
        LDG.E R5, [R2+0x80] ;
        LDG.E R6, [R2+0x100] ;
        IADD3 R9, R5, R6, R9 ;
        IADD3 R8, R8, 0x1, RZ ;
        ISETP.LT.U32.AND P0, PT, R8, 0x40, PT ;
@P0     BRA again ;
        STG.E [R2+0x200], R9 ;
        EXIT ;
.end
