// SPDX-License-Identifier: Apache-2.0
// A store, and a barrier behind it.
// launch: --block 32 --arg out:2048
.kernel arrived
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        STG.E [R2+0x700], R0 ;                  // 0x40
        BAR.SYNC 0x0 ;                          // 0x50
        EXIT ;                                  // 0x60
.end
