// SPDX-License-Identifier: Apache-2.0
// A loaded word is used at once; the code waits for the load's write counter.
// launch: --block 32 --arg out:4
.kernel await
.param u64 from
        MOV R2, c[0x0][from] ;                  // 0x00
        MOV R3, c[0x0][from+4] ;                // 0x10
        LDG.E R4, [R2] ;                        // 0x20
        IADD3 R5, R4, 0x1, RZ ;                 // 0x30
        EXIT ;                                  // 0x40
.end
