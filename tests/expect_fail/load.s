// SPDX-License-Identifier: Apache-2.0
// A load of eight sectors, four lanes each: the last one belongs to lanes 28-31.
// launch: --block 32 --arg out:256
.kernel load
.param u64 from
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R2, c[0x0][from] ;                  // 0x10
        MOV R3, c[0x0][from+4] ;                // 0x20
        IMAD.WIDE R2, R0, 0x8, R2 ;             // 0x30
        LDG.E R4, [R2] ;                        // 0x40
        EXIT ;                                  // 0x50
.end
