// SPDX-License-Identifier: Apache-2.0
// Each thread keeps its number in its local memory: warp 1 (8 threads) first, then warp 0; then all look.
// launch: --block 40
.kernel slices
.local 16
        S2R R0, SR_TID.X ;                      // 0x00
        ISETP.LT.AND P0, PT, R0, 0x20, PT ;     // 0x10
        @!P0 STL [RZ], R0 ;                     // 0x20
        BAR.SYNC 0x0 ;                          // 0x30
        @P0 STL [RZ], R0 ;                      // 0x40
        BAR.SYNC 0x0 ;                          // 0x50
        LDL R1, [RZ] ;                          // 0x60
        EXIT ;                                  // 0x70
.end
