// SPDX-License-Identifier: Apache-2.0
// So is a uniform predicate.
// launch: --block 32
.kernel code_uguard
        UMOV UR4, 0x5 ;                         // 0x00
        UISETP.F.AND UP0, UPT, UR4, UR4, UPT ;  // 0x10
[B------:R-:W-:-:S01] UISETP.EQ.AND UP0, UPT, UR4, 0x5, UPT ; // 0x20
[B------:R-:W-:-:S01] @UP0 UMOV UR5, 0x7 ;      // 0x30
        EXIT ;                                  // 0x40
.end
