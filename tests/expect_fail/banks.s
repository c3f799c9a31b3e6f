// SPDX-License-Identifier: Apache-2.0
// Both rows of the shared memory are stored, bank by bank a lane; the first one is loaded again.
// launch: --block 32
.kernel banks
.shared rows 256
        S2R R0, SR_LANEID ;                     // 0x00
        SHF.L.U32 R1, R0, 0x2, RZ ;             // 0x10
        IADD3 R2, R0, 0x100, RZ ;               // 0x20
        STS [R1+rows], R0 ;                     // 0x30  row 0: lane
        STS [R1+rows+0x80], R2 ;                // 0x40  row 1: 256 + lane
        LDS R3, [R1+rows] ;                     // 0x50
        EXIT ;                                  // 0x60
.end
