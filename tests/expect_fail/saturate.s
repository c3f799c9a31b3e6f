// SPDX-License-Identifier: Apache-2.0
// Lane n converts 2^(29+n) to a signed integer: from lane 2 on that is too large.
// launch: --block 32
.kernel saturate
        S2R R0, SR_LANEID ;                     // 0x00
        LEA R0, R0, 0x4e000000, 0x17 ;          // 0x10  (lane << 23) + bits of 2^29
        F2I R1, R0 ;                            // 0x20
        EXIT ;                                  // 0x30
.end
