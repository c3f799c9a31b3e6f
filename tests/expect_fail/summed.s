// SPDX-License-Identifier: Apache-2.0
// Each lane adds 1 to a word of its own, all in one line: on a bus of 64 bits 16 rows.
// launch: --block 32 --arg out:2048
.kernel summed
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        MOV R4, 0x1 ;                           // 0x40
        RED.E.ADD.STRONG.GPU [R2+0x700], R4 ;   // 0x50
        EXIT ;                                  // 0x60
.end
