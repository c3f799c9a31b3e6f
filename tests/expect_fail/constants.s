// SPDX-License-Identifier: Apache-2.0
// Constants 1,024 and 2,048 bytes apart: the sizes of the constant caches of tiny, and of fpga, mid and wide.
// launch: --block 32
.const first u64 0x11111111
.const zeroa0 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zeroa1 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zeroa2 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zeroa3 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zeroa4 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zeroa5 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zeroa6 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zeroa7 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const second u64 0x22222222
.const zerob0 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zerob1 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zerob2 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zerob3 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zerob4 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zerob5 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zerob6 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const zerob7 u64 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.const third u64 0x33333333
.kernel constants
        MOV R0, c[0x3][first] ;                 // 0x00
        MOV R1, c[0x3][second] ;                // 0x10  first + 1024
        MOV R2, c[0x3][third] ;                 // 0x20  first + 2048
        EXIT ;                                  // 0x30
.end
