// SPDX-License-Identifier: Apache-2.0
// Each lane stores 0x5a5a5a5a into its word of a line that memory refuses to write.
// launch: --block 32 --arg out:128 --bus-errors 0x100000:128
.kernel unwritten
.param u64 out
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        IMAD.WIDE R2, R0, 0x4, R2 ;             // 0x30
        MOV R4, 0x5a5a5a5a ;                    // 0x40
        STG.E [R2], R4 ;                        // 0x50
        EXIT ;                                  // 0x60
.end
