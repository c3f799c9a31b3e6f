// SPDX-License-Identifier: Apache-2.0
// Who goes on together after BREAK, BMOV.SET, calls to two targets, a return that some take, EXIT. Each thread writes
// eight words: ACTIVEMASK at eight places. test_threads.sh has the words, derived from isa/doc/03-divergence.md by hand.
.kernel release
.param u64 out
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x20, R2 ;
        LOP3.LUT R4, R0, 0x3, RZ, 0xc0 ;
        ISETP.EQ.AND P0, PT, R4, RZ, PT ;
        ISETP.LT.U32.AND P1, PT, R0, 0x4, PT ;
        LOP3.LUT R4, R0, 0x1, RZ, 0xc0 ;
        ISETP.EQ.AND P2, PT, R4, RZ, PT ;
// Lanes 0, 4, 8 ... wait for the others, which break out of the barrier.
        BSSY B0, b_end ;
@!P0    BRA b_break ;
        BSYNC B0 ;
        ACTIVEMASK R5 ;
        STG.E [R2], R5 ;
        BRA b_end ;
b_break:
        BREAK B0 ;
        ACTIVEMASK R5 ;
        STG.E [R2], R5 ;
b_end:
        WARPSYNC 0xffffffff ;
        ACTIVEMASK R5 ;
        STG.E [R2+4], R5 ;
// The same, and the others make the waiting lanes the only members.
        MOV R6, 0x11111111 ;
        BSSY B1, m_end ;
@!P0    BRA m_move ;
        BSYNC B1 ;
        ACTIVEMASK R5 ;
        STG.E [R2+8], R5 ;
        BRA m_end ;
m_move:
        BMOV.SET B1, R6 ;
        ACTIVEMASK R5 ;
        STG.E [R2+8], R5 ;
m_end:
        WARPSYNC 0xffffffff ;
        ACTIVEMASK R5 ;
        STG.E [R2+0xc], R5 ;
// Even lanes call one function, odd ones another; lanes 0 to 3 return earlier than the others.
        MOV R8, even ;
        MOV R9, odd ;
        SEL R10, R8, R9, P2 ;
        MOV R11, RZ ;
        MOV R12, back ;
        MOV R13, RZ ;
        CALL.ABS R10 ;
back:
        WARPSYNC 0xffffffff ;
        ACTIVEMASK R5 ;
        STG.E [R2+0x18], R5 ;
// Lanes 0, 4, 8 ... wait for the others, which exit.
        BSSY B2, last ;
@!P0    EXIT ;
        BSYNC B2 ;
last:
        ACTIVEMASK R5 ;
        STG.E [R2+0x1c], R5 ;
        EXIT ;
even:
        ACTIVEMASK R5 ;
        STG.E [R2+0x10], R5 ;
@P1     RET R12 ;
        ACTIVEMASK R5 ;
        STG.E [R2+0x14], R5 ;
        RET R12 ;
odd:
        ACTIVEMASK R5 ;
        STG.E [R2+0x10], R5 ;
@P1     RET R12 ;
        ACTIVEMASK R5 ;
        STG.E [R2+0x14], R5 ;
        RET R12 ;
.end
