// SPDX-License-Identifier: Apache-2.0
// A word of shared memory is used without waiting for it. All lanes hit bank 0: the load takes 32 passes. (The last two
// instructions share a cache line, so that no fetch comes between them.)
// launch: --block 32
.kernel code_shared
.shared words 4096
        S2R R0, SR_LANEID ;                     // 0x00
        SHF.L.U32 R1, R0, 0x7, RZ ;             // 0x10
        STS [R1+words], R0 ;                    // 0x20
        NOP ;                                   // 0x30
[B------:R-:W0:-:S01] LDS R2, [R1+words] ;      // 0x40
[B------:R-:W-:-:S01] IADD3 R3, R2, 0x1, RZ ;   // 0x50
        EXIT ;                                  // 0x60
.end
