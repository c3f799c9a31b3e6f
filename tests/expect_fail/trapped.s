// SPDX-License-Identifier: Apache-2.0
// A load from where no region is.
// launch: --block 32
// traps: out_of_range
.kernel trapped
        MOV R2, 0x10 ;                          // 0x00
        MOV R3, 0x0 ;                           // 0x10
        LDG.E R4, [R2] ;                        // 0x20
        EXIT ;                                  // 0x30
.end
