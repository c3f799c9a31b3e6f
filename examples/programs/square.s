// SPDX-License-Identifier: Apache-2.0
// The squares of the first 32 numbers. The assembler writes the control codes.
// run: heddle run examples/programs/square.s --grid 1 --block 32 --arg out:128:u32:-
.kernel square
.param u64 out
        S2R R0, SR_TID.X ;
        IMAD R1, R0, R0, RZ ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        STG.E [R2], R1 ;
        EXIT ;
.end
