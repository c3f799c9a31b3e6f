// SPDX-License-Identifier: Apache-2.0
// (1 + lane * 2^-52) + 2^-53: exactly between two numbers. To even is down in even lanes and up in odd ones.
// launch: --block 32
.kernel round64
        S2R R2, SR_LANEID ;                     // 0x00
        MOV R3, 0x3ff00000 ;                    // 0x10
        DADD R4, R2, 0x3ca00000 ;               // 0x20
        EXIT ;                                  // 0x30
.end
