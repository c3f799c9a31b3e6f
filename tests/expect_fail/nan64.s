// SPDX-License-Identifier: Apache-2.0
// A NaN comes back with its own sign, whatever the instruction says of the operand's.
// launch: --block 32
.kernel nan64
        S2R R2, SR_LANEID ;                     // 0x00
        MOV R3, 0x7ff80000 ;                    // 0x10
        DADD R4, RZ, -R2 ;                      // 0x20
        EXIT ;                                  // 0x30
.end
