// SPDX-License-Identifier: Apache-2.0
// A constant loaded by LDC is used without waiting for it. The model knows its value at once: only the order of the records
// tells.
// launch: --block 32
.const word u32 0x1234
.kernel code_constant
[B------:R-:W0:-:S01] LDC R2, c[0x3][RZ+word] ; // 0x00
[B------:R-:W-:-:S01] IADD3 R3, R2, 0x1, RZ ;   // 0x10
        EXIT ;                                  // 0x20
.end
