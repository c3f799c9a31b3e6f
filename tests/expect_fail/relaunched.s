// SPDX-License-Identifier: Apache-2.0
// Twice in the device's queue: a line is loaded, a word of local memory stored. Memory is slow enough that the second launch waits
// when the first one ends.
// launch: --launches 2 --block 32 --arg out:2048 --calm --latency 400
.kernel relaunched
.param u64 out
.local 8
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        LDG.E R4, [R2+0x700] ;                  // 0x40
        MOV R5, 0x5a5a5a5a ;                    // 0x50
        STL [RZ+0x4], R5 ;                      // 0x60
        EXIT ;                                  // 0x70
.end
