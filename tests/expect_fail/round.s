// SPDX-License-Identifier: Apache-2.0
// (1 + lane * 2^-23) + 2^-24: exactly between two numbers. To even is down in even lanes and up in odd ones.
// launch: --block 32
.kernel round
        S2R R0, SR_LANEID ;                     // 0x00
        IADD3 R0, R0, 0x3f800000, RZ ;          // 0x10
        FADD R1, R0, 0x33800000 ;               // 0x20
        EXIT ;                                  // 0x30
.end
