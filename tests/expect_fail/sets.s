// SPDX-License-Identifier: Apache-2.0
// A barrier gets its members, and nobody ever waits at it.
// launch: --block 32
.kernel sets
        S2R R0, SR_LANEID ;        // 0x00
        BSSY B3, end ;             // 0x10
        IADD3 R1, R0, R0, RZ ;     // 0x20
end:
        EXIT ;                     // 0x30
.end
