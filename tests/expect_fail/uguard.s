// SPDX-License-Identifier: Apache-2.0
// UP0 is true: the second UMOV is not to write.
// launch: --block 32
.kernel uguard
        UMOV UR4, 0x5 ;                         // 0x00
        UISETP.EQ.AND UP0, UPT, UR4, 0x5, UPT ; // 0x10
@!UP0   UMOV UR4, 0x7 ;                         // 0x20
        EXIT ;                                  // 0x30
.end
