// SPDX-License-Identifier: Apache-2.0
// Lanes of one warp: 1 to 31 wait for what lane 0 stores. They branch away, so that under `stack` they go first.
.kernel lanes
.param u64 mem
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][mem] ;
        MOV R3, c[0x0][mem+4] ;
        MOV R5, 0x1 ;
        ISETP.NE.AND P0, PT, R0, RZ, PT ;
@P0     BRA wait ;
        STG.E.STRONG.GPU [R2], R5 ;
        EXIT ;
wait:
        LDG.E.STRONG.GPU R4, [R2] ;
        ISETP.EQ.AND P1, PT, R4, RZ, PT ;
@P1     BRA wait ;
        RED.E.ADD.STRONG.GPU [R2+0x4], R5 ;
        EXIT ;
.end
