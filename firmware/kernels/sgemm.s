// SPDX-License-Identifier: Apache-2.0
// C = A * B, square, row-major, n a multiple of 16. A block of 16 x 8 threads makes a 16 x 16 tile of C: each thread the
// elements (ty, tx) and (ty + 8, tx), from 16 x 16 tiles of A and B in shared memory.
// Each element is one chain of fused multiply-adds, k ascending from +0. The three sources of each lie in different banks
// (register number mod 4): elements of A lie in a row, so the sums move aside (R36, R37) where they would meet.
.kernel sgemm
.param u64 a
.param u64 b
.param u64 c
.param u32 n
.shared tile_a 1024
.shared tile_b 1024
        S2R R0, SR_TID.X ;
        S2R R1, SR_TID.Y ;
        S2R R2, SR_CTAID.X ;
        S2R R3, SR_CTAID.Y ;
        LEA R4, R2, R0, 0x4 ;                   // column
        LEA R5, R3, R1, 0x4 ;                   // row (the other one is row + 8)
        MOV R8, c[0x0][a] ;
        MOV R9, c[0x0][a+4] ;
        MOV R10, c[0x0][b] ;
        MOV R11, c[0x0][b+4] ;
        IMAD R6, R5, c[0x0][n], R0 ;            // A index: row * n + tx
        IMAD R7, R1, c[0x0][n], R4 ;            // B index: ty * n + column
        IMAD.WIDE R8, R6, 0x4, R8 ;
        IMAD.WIDE R10, R7, 0x4, R10 ;
        MOV R12, c[0x0][n] ;
        SHF.L.U32 R13, R12, 0x5, RZ ;           // bytes of 8 rows
        IADD3 R20, P0, PT, R8, R13, RZ ;        // second row of A
        IADD3.X R21, R9, RZ, RZ, P0, !PT ;
        IADD3 R22, P0, PT, R10, R13, RZ ;       // second row of B
        IADD3.X R23, R11, RZ, RZ, P0, !PT ;
        SHF.L.U32 R13, R12, 0x6, RZ ;           // bytes of 16 rows
        LEA R14, R1, R0, 0x4 ;                  // ty * 16 + tx
        SHF.L.U32 R14, R14, 0x2, RZ ;
        SHF.L.U32 R15, R1, 0x6, RZ ;            // byte offset of this thread's row of tile_a
        SHF.L.U32 R16, R0, 0x2, RZ ;            // byte offset of this thread's column of tile_b
        MOV R17, RZ ;                           // sums
        MOV R19, RZ ;
        MOV R18, RZ ;                           // k0
tiles:
        LDG.E R24, [R8] ;
        LDG.E R25, [R20] ;
        LDG.E R26, [R10] ;
        LDG.E R27, [R22] ;
        STS [R14+tile_a], R24 ;
        STS [R14+tile_a+0x200], R25 ;
        STS [R14+tile_b], R26 ;
        STS [R14+tile_b+0x200], R27 ;
        BAR.SYNC 0x0 ;
        LDS.128 R24, [R15+tile_a+0x0] ;
        LDS.128 R28, [R15+tile_a+0x200] ;
        LDS R34, [R16+tile_b+0x0] ;
        LDS R38, [R16+tile_b+0x40] ;
        LDS R32, [R16+tile_b+0x80] ;
        LDS R40, [R16+tile_b+0xc0] ;
        FFMA R36, R24, R34, R17 ;
        FFMA R19, R28, R34, R19 ;
        FFMA R17, R25, R38, R36 ;
        FFMA R19, R29, R38, R19 ;
        FFMA R17, R26, R32, R17 ;
        FFMA R37, R30, R32, R19 ;
        FFMA R17, R27, R40, R17 ;
        FFMA R19, R31, R40, R37 ;
        LDS.128 R24, [R15+tile_a+0x10] ;
        LDS.128 R28, [R15+tile_a+0x210] ;
        LDS R34, [R16+tile_b+0x100] ;
        LDS R38, [R16+tile_b+0x140] ;
        LDS R32, [R16+tile_b+0x180] ;
        LDS R40, [R16+tile_b+0x1c0] ;
        FFMA R36, R24, R34, R17 ;
        FFMA R19, R28, R34, R19 ;
        FFMA R17, R25, R38, R36 ;
        FFMA R19, R29, R38, R19 ;
        FFMA R17, R26, R32, R17 ;
        FFMA R37, R30, R32, R19 ;
        FFMA R17, R27, R40, R17 ;
        FFMA R19, R31, R40, R37 ;
        LDS.128 R24, [R15+tile_a+0x20] ;
        LDS.128 R28, [R15+tile_a+0x220] ;
        LDS R34, [R16+tile_b+0x200] ;
        LDS R38, [R16+tile_b+0x240] ;
        LDS R32, [R16+tile_b+0x280] ;
        LDS R40, [R16+tile_b+0x2c0] ;
        FFMA R36, R24, R34, R17 ;
        FFMA R19, R28, R34, R19 ;
        FFMA R17, R25, R38, R36 ;
        FFMA R19, R29, R38, R19 ;
        FFMA R17, R26, R32, R17 ;
        FFMA R37, R30, R32, R19 ;
        FFMA R17, R27, R40, R17 ;
        FFMA R19, R31, R40, R37 ;
        LDS.128 R24, [R15+tile_a+0x30] ;
        LDS.128 R28, [R15+tile_a+0x230] ;
        LDS R34, [R16+tile_b+0x300] ;
        LDS R38, [R16+tile_b+0x340] ;
        LDS R32, [R16+tile_b+0x380] ;
        LDS R40, [R16+tile_b+0x3c0] ;
        FFMA R36, R24, R34, R17 ;
        FFMA R19, R28, R34, R19 ;
        FFMA R17, R25, R38, R36 ;
        FFMA R19, R29, R38, R19 ;
        FFMA R17, R26, R32, R17 ;
        FFMA R37, R30, R32, R19 ;
        FFMA R17, R27, R40, R17 ;
        FFMA R19, R31, R40, R37 ;
        BAR.SYNC 0x0 ;
        IADD3 R8, P0, PT, R8, 0x40, RZ ;
        IADD3.X R9, R9, RZ, RZ, P0, !PT ;
        IADD3 R20, P0, PT, R20, 0x40, RZ ;
        IADD3.X R21, R21, RZ, RZ, P0, !PT ;
        IADD3 R10, P0, PT, R10, R13, RZ ;
        IADD3.X R11, R11, RZ, RZ, P0, !PT ;
        IADD3 R22, P0, PT, R22, R13, RZ ;
        IADD3.X R23, R23, RZ, RZ, P0, !PT ;
        IADD3 R18, R18, 0x10, RZ ;
        ISETP.LT.U32.AND P1, PT, R18, R12, PT ;
@P1     BRA tiles ;
        MOV R8, c[0x0][c] ;
        MOV R9, c[0x0][c+4] ;
        IMAD R6, R5, c[0x0][n], R4 ;
        IMAD.WIDE R8, R6, 0x4, R8 ;
        SHF.L.U32 R13, R12, 0x5, RZ ;
        STG.E [R8], R17 ;
        IADD3 R8, P0, PT, R8, R13, RZ ;
        IADD3.X R9, R9, RZ, RZ, P0, !PT ;
        STG.E [R8], R19 ;
        EXIT ;
.end
