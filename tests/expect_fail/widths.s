// SPDX-License-Identifier: Apache-2.0
// Every lane adds 1 to the upper half of a number of 64 bits, then 1 to that half as a word, in a line that no cache has: both wait for
// it, and go lane by lane, the second as the first has ended.
// launch: --block 32 --arg out:2048 --calm --latency 200
.kernel widths
.param u64 out
        MOV R2, c[0x0][out] ;                          // 0x00
        MOV R3, c[0x0][out+4] ;                        // 0x10
        MOV R4, RZ ;                                   // 0x20
        MOV R5, 0x1 ;                                  // 0x30
        ATOMG.E.ADD.64.STRONG.GPU R6, [R2+0x700], R4 ; // 0x40
        ATOMG.E.ADD.STRONG.GPU R8, [R2+0x704], R5 ;    // 0x50
        EXIT ;                                         // 0x60
.end
