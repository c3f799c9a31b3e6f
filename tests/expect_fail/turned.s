// SPDX-License-Identifier: Apache-2.0
// Row k of the matrix is the sixteen bytes of lane k: in each word 2k below, 2k + 1 above. Lane t < 4 gets column 0 of the rows
// 2t and 2t + 1.
// launch: --block 32
.kernel turned
.shared rows 512
        S2R R0, SR_LANEID ;                     // 0x00
        IMAD R1, R0, 0x10, RZ ;                 // 0x10
        IMAD R4, R0, 0x20002, RZ ;              // 0x20
        IADD3 R4, R4, 0x10000, RZ ;             // 0x30
        MOV R5, R4 ;                            // 0x40
        MOV R6, R4 ;                            // 0x50
        MOV R7, R4 ;                            // 0x60
        STS.128 [R1+rows], R4 ;                 // 0x70
        LDSM.16.MT88.1 R8, [R1+rows] ;          // 0x80
        EXIT ;                                  // 0x90
.end
