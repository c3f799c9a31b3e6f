// SPDX-License-Identifier: Apache-2.0
// Four lanes of two warps read a line each; that of lane 0, which comes first, is answered with an error, and asked for again
// by the second warp before the first has ended.
// launch: --grid 1 --block 64 --base 0x200000 --arg out:4096:u32:/dev/null --bus-errors 0x200000:32 --expect-trap bus_error --calm --latency 20
.kernel errors
.param u64 out
        S2R R0, SR_LANEID ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE.U32 R2, R0, 0x80, R2 ;
        ISETP.NE.AND P0, PT, R0, RZ, PT ;
        ISETP.LT.U32.AND P2, PT, R0, 0x4, PT ;
        MOV R9, 0x2 ;
        MOV R8, RZ ;
again:
        BAR.SYNC 0x0 ;
@!P2    LDG.E R4, [R2] ;
        ISETP.EQ.AND P1, PT, R8, RZ, PT ;
        MOV R8, 0x1 ;
@P1     BRA again ;
@P2     LDG.E R4, [R2] ;
        EXIT ;
.end
