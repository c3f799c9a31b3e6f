// SPDX-License-Identifier: Apache-2.0
// A store is under way, and a fence waits for it; a second store passes, then a second fence comes, which waits for
// both. Twice, since the first time it is the code that all wait for.
// launch: --grid 1 --block 96 --arg out:1024:u32:/dev/null --calm --latency 2000
.kernel rounds
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        ISETP.GE.U32.AND P1, PT, R0, 0x20, PT ;
        ISETP.GE.U32.AND P2, PT, R0, 0x40, PT ;
        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
        MOV R8, 0x2 ;
top:
        BAR.SYNC 0x0 ;
@P2     BRA second ;
@P1     BRA stores ;
        MOV R9, 0x2 ;
early:
        IADD3 R9, R9, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA early ;
        MEMBAR.GPU ;
        BRA next ;
stores:
        STG.E [R2], R0 ;
        MOV R9, 0x4 ;
later:
        IADD3 R9, R9, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA later ;
        STG.E [R2+0x100], R0 ;
        BRA next ;
second:
        MOV R9, 0xa ;
last:
        IADD3 R9, R9, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA last ;
        NOP ;
        MEMBAR.GPU ;
next:
        IADD3 R8, R8, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R8, RZ, PT ;
@P0     BRA top ;
        EXIT ;
.end
