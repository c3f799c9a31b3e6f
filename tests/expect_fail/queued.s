// SPDX-License-Identifier: Apache-2.0
// Lane 0 adds 7 twice to a word of a line that no cache has. Memory takes its time, so that both wait for it; then each is one step in
// the bank's pipeline, and the second one comes a cycle after the first.
// launch: --block 32 --arg out:2048 --calm --latency 200
.kernel queued
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        ISETP.EQ.U32.AND P0, PT, R0, 0x0, PT ;  // 0x10
        MOV R2, c[0x0][out] ;                   // 0x20
        MOV R3, c[0x0][out+4] ;                 // 0x30
        MOV R5, 0x7 ;                           // 0x40
@P0     RED.E.ADD.STRONG.GPU [R2+0x700], R5 ;   // 0x50
@P0     RED.E.ADD.STRONG.GPU [R2+0x700], R5 ;   // 0x60
        EXIT ;                                  // 0x70
.end
