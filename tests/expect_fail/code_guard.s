// SPDX-License-Identifier: Apache-2.0
// A guard is read in the cycle after its comparison left for the pipe.
// launch: --block 32
.kernel code_guard
        S2R R0, SR_LANEID ;                     // 0x00
        MOV R1, 0x0 ;                           // 0x10
[B------:R-:W-:-:S01] ISETP.EQ.U32.AND P0, PT, R0, 0x5, PT ; // 0x20
[B------:R-:W-:-:S01] @P0 MOV R1, R0 ;          // 0x30
        EXIT ;                                  // 0x40
.end
