// SPDX-License-Identifier: Apache-2.0
// Memory answers a weak load with an error.
// launch: --grid 1 --block 32 --base 0x200000 --arg out:256:u32:/dev/null --bus-errors 0x200080:32 --expect-trap bus_error
// cache: 512,ways=2,mshrs=4,epoch=2
// finds: error_kept
.kernel error
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
        LDG.E R4, [R2+0x80] ;
        STG.E [R2], R4 ;
        EXIT ;
.end
