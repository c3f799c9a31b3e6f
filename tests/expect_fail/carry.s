// SPDX-License-Identifier: Apache-2.0
// A sum whose carry passes from bit 15 into bit 16, in every lane but lane 0.
// launch: --block 32
.kernel carry
        S2R R0, SR_LANEID ;                     // 0x00
        IADD3 R1, R0, 0xffff, RZ ;              // 0x10
        EXIT ;                                  // 0x20
.end
