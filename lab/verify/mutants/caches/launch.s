// SPDX-License-Identifier: Apache-2.0
// Two launches, without a reset between them, read the same line.
// launch: --grid 1 --block 32 --launches 2 --arg out:256:u32:/dev/null
// cache: 512,ways=2,mshrs=4,epoch=2
// finds: launch_keeps
.kernel launch
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
        LDG.E R4, [R2] ;
        STG.E [R2+0x80], R4 ;
        EXIT ;
.end
