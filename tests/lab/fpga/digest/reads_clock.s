// SPDX-License-Identifier: Apache-2.0
// Each way to read the clock, also where no lane executes; often enough that a slow link has to hold the core.
.kernel reads_clock
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        MOV R9, 0x0 ;
        MOV R8, RZ ;
        ISETP.GE.AND P0, PT, R0, 0x400, PT ;
again:
        S2R R4, SR_CLOCKLO ;
        S2R R5, SR_CLOCKHI ;
        CS2R R6, SR_CLOCKLO ;
        @P0 S2R R4, SR_CLOCKLO ;
        IADD3 R8, R8, R4, RZ ;
        IADD3 R8, R8, R5, R6 ;
        IADD3 R9, R9, 0x1, RZ ;
        ISETP.LT.AND P1, PT, R9, 0x20, PT ;
        @P1 BRA again ;
        STG.E [R2], R8 ;
        EXIT ;
.end
