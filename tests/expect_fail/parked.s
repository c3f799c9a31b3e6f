// SPDX-License-Identifier: Apache-2.0
// A line that no cache has, past the cache of the SM: a load has to wait for memory, which is slow, and a store, a load and an atomic
// of the same words behind it.
// launch: --block 32 --arg out:2048 --calm --latency 200
.kernel parked
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        LDG.E.STRONG.GPU R4, [R2+0x700] ;       // 0x40
        STG.E [R2+0x700], R0 ;                  // 0x50
        LDG.E.STRONG.GPU R5, [R2+0x700] ;       // 0x60
        RED.E.ADD.STRONG.GPU [R2+0x700], R0 ;   // 0x70
        EXIT ;                                  // 0x80
.end
