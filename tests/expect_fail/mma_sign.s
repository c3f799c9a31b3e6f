// SPDX-License-Identifier: Apache-2.0
// Each element: 16 times 1 * -1, bytes of A without a sign and of B with one: -16. With bytes of B like those of A it would be
// 16 * 255 = 4080.
// launch: --block 32
.kernel mma_sign
        MOV R4, 0x01010101 ;                    // 0x00
        MOV R5, 0x01010101 ;                    // 0x10
        MOV R6, 0xffffffff ;                    // 0x20
        IMMA.16816.U8.S8 R8, R4, R6, RZ ;       // 0x30
        EXIT ;                                  // 0x40
.end
