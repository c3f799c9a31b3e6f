// SPDX-License-Identifier: Apache-2.0
// Every lane adds 1 to the same word of a line that no cache has, and a load of that word is behind it. Memory takes its time, so that
// both wait for the line; then the atomic takes a step for each lane.
// launch: --block 32 --arg out:2048 --calm --latency 200
.kernel aside
.param u64 out
        MOV R2, c[0x0][out] ;                       // 0x00
        MOV R3, c[0x0][out+4] ;                     // 0x10
        MOV R5, 0x1 ;                               // 0x20
        ATOMG.E.ADD.STRONG.GPU R4, [R2+0x700], R5 ; // 0x30
        LDG.E.STRONG.GPU R6, [R2+0x700] ;           // 0x40
        EXIT ;                                      // 0x50
.end
