// SPDX-License-Identifier: Apache-2.0
// Each element: four times 0 * 65504 and four times 2^-14 * 2^-14, together 2^-26. Products that are zero have no exponent: if
// those counted (-14 + 15 = 1), what is below 2^(1 - 25) would be cut, and nothing left.
// launch: --block 32
.kernel mma_zero
        MOV R4, 0x04000000 ;                    // 0x00
        MOV R5, 0x04000000 ;                    // 0x10
        MOV R6, 0x04007bff ;                    // 0x20
        HMMA.1688.F32 R8, R4, R6, RZ ;          // 0x30
        EXIT ;                                  // 0x40
.end
