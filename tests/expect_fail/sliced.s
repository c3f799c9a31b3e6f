// SPDX-License-Identifier: Apache-2.0
// Two blocks, on SM 0 and SM 1 of quad: the second stores a word of local memory, and loads it again.
// launch: --grid 2 --block 32
.kernel sliced
.local 8
        S2R R1, SR_CTAID.X ;                    // 0x00
        ISETP.NE.U32.AND P0, PT, R1, RZ, PT ;   // 0x10
        MOV R2, 0x5a5a5a5a ;                    // 0x20
@P0     STL [RZ+0x4], R2 ;                      // 0x30
@P0     LDL R3, [RZ+0x4] ;                      // 0x40
        EXIT ;                                  // 0x50
.end
