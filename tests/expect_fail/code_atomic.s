// SPDX-License-Identifier: Apache-2.0
// The old value of an atomic is stored without waiting for it. (Both share a cache line, so that no fetch comes between them.)
// launch: --block 32 --arg out:4
.kernel code_atomic
.param u64 sum
        MOV R2, c[0x0][sum] ;                   // 0x00
        MOV R3, c[0x0][sum+4] ;                 // 0x10
        MOV R5, 0x1 ;                           // 0x20
        NOP ;                                   // 0x30
[B------:R-:W3:-:S01] ATOMG.E.ADD.STRONG.GPU R4, [R2], R5 ; // 0x40
[B------:R-:W-:-:S01] STG.E [R2], R4 ;          // 0x50
        EXIT ;                                  // 0x60
.end
