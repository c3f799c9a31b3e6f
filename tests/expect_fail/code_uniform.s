// SPDX-License-Identifier: Apache-2.0
// A uniform register is read in the cycle after its instruction issued.
// launch: --block 32
.kernel code_uniform
[B------:R-:W-:-:S01] UMOV UR4, 0x1 ;           // 0x00
[B------:R-:W-:-:S01] MOV R0, UR4 ;             // 0x10
        EXIT ;                                  // 0x20
.end
