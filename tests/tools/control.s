// SPDX-License-Identifier: Apache-2.0
// JMP taken by a part of a warp, YIELD in a loop, KILL of some lanes, a breakpoint: of nobody, or (mode) of thread `mode`.
// out[thread] = (thread odd ? 100 : 200) + number of turns of the loop (thread mod 4); threads 7 mod 8 write nothing.
.kernel control
.param u64 out
.param u32 mode
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        LOP3.LUT P0, R1, R0, 0x1, RZ, 0xc0 ;    // odd
        BSSY B0, join ;
@P0     JMP odd ;
        MOV R5, 0xc8 ;
        JMP join ;
odd:
        MOV R5, 0x64 ;
join:
        BSYNC B0 ;
        LOP3.LUT R6, R0, 0x3, RZ, 0xc0 ;
        BSSY B1, left ;
turn:
        ISETP.EQ.AND P1, PT, R6, RZ, PT ;
@P1     BRA left ;
        YIELD ;
        IADD3 R6, R6, 0xffffffff, RZ ;
        IADD3 R5, R5, 0x1, RZ ;
        JMP turn ;
left:
        BSYNC B1 ;
        LOP3.LUT R6, R0, 0x7, RZ, 0xc0 ;
        ISETP.EQ.AND P2, PT, R6, 0x7, PT ;
@P2     KILL ;
        ISETP.EQ.AND P3, PT, R0, c[0x0][mode], PT ;
@P3     BPT.TRAP ;
        STG.E [R2], R5 ;
        EXIT ;
.end

// All lanes jump into the middle of a word.
.kernel astray
        JMP 0x18 ;
        EXIT ;
.end
