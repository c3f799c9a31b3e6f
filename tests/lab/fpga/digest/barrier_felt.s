// SPDX-License-Identifier: Apache-2.0
// Warp 1 loads, and stores what it has loaded, plus 1, before barrier 5; warp 0 reads that behind it.
// launch: --block 64 --arg out:256
.kernel barrier_felt
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R4, c[0x0][out] ;
        MOV R5, c[0x0][out+4] ;
        ISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;
@P0     BRA meet ;
        LDG.E R1, [R4] ;
        IADD3 R1, R1, 0x1, RZ ;
        STG.E [R4], R1 ;
meet:   BAR.SYNC 0x5 ;
@P0     LDG.E R2, [R4] ;
        IADD3 R3, R0, 0x1, RZ ;
        EXIT ;
.end
