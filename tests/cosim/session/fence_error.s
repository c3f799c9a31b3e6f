// SPDX-License-Identifier: Apache-2.0
// A store of warp 0 that memory answers with an error is never performed: a fence of warp 1, behind it, does not wait
// for it.
.kernel fence_error
.param u64 mem
        S2R R0, SR_TID.X ;
        SHF.R.U32.HI R1, RZ, 0x5, R0 ;
        MOV R2, c[0x0][mem] ;
        MOV R3, c[0x0][mem+4] ;
        ISETP.NE.AND P0, PT, R1, RZ, PT ;
@P0     BRA fences ;
        STG.E.128 [R2+0x100], RZ ;
        EXIT ;
fences:
        MEMBAR.GPU ;
        MEMBAR.GPU ;
        MEMBAR.GPU ;
        MEMBAR.GPU ;
        MEMBAR.GPU ;
        MEMBAR.GPU ;
        EXIT ;
.end
