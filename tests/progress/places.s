// SPDX-License-Identifier: Apache-2.0
// Who needs two places of memory's queue waits for both to be free, while others take each one that comes free: block 0
// stores four words, all others load without a pause until they have seen them.
.kernel places
.param u64 mem
        S2R R0, SR_CTAID.X ;
        S2R R1, SR_LANEID ;
        MOV R2, c[0x0][mem] ;
        MOV R3, c[0x0][mem+4] ;
        MOV R8, 0x1 ;
        MOV R9, 0x1 ;
        MOV R10, 0x1 ;
        MOV R11, 0x1 ;
        MOV R4, RZ ;
        IMAD.WIDE R6, R1, 0x80, R2 ;
        ISETP.NE.AND P0, PT, R0, RZ, PT ;
@P0     BRA spin ;
        LDG.E R12, [R2+0x10] ;
        IADD3 R8, R8, R12, RZ ;
        STG.E.128.STRONG.GPU [R2], R8 ;
        EXIT ;
spin:
        LDG.E RZ, [R6+0x10] ;
        LDG.E RZ, [R6+0x14] ;
        LDG.E RZ, [R6+0x18] ;
        LDG.E RZ, [R6+0x1c] ;
        ISETP.EQ.AND P0, PT, R4, RZ, PT ;
        LDG.E.STRONG.GPU R4, [R2] ;
@P0     BRA spin ;
        EXIT ;
.end
