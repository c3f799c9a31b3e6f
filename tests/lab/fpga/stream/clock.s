// SPDX-License-Identifier: Apache-2.0
// What a kernel reads of the clock is judged from the stream, too: it is a constant behind the stream's own cycles.
.kernel clock
.param u64 out
        S2R R1, SR_CLOCKLO ;
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        S2R R4, SR_CLOCKLO ;
        IADD3 R1, R1, R4, RZ ;
        STG.E [R2], R1 ;
        EXIT ;
.end
