// SPDX-License-Identifier: Apache-2.0
// Something for each view to show: two warps; lanes that part and meet again; shared and global memory; a barrier.
// launch: --block 64 --arg out:256:u32:-
.kernel moves
.param u64 out
.shared s 256
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        LDG.E R1, [R2] ;
        IADD3 R1, R1, 0x1, RZ ;
        LOP3.LUT R4, R0, 0x1, RZ, 0xc0 ;
        ISETP.NE.U32.AND P0, PT, R4, RZ, PT ;
        BSSY B0, meet ;
@P0     BRA odd ;
        IADD3 R1, R1, 0x10, RZ ;
        BRA meet ;
odd:
        IADD3 R1, R1, 0x20, RZ ;
meet:
        BSYNC B0 ;
        SHF.L.U32 R5, R0, 0x2, RZ ;
        STS [R5], R1 ;
        BAR.SYNC 0x0 ;
        LDS R6, [R5] ;
        STG.E [R2], R6 ;
        EXIT ;
.end
