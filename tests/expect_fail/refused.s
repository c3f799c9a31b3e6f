// SPDX-License-Identifier: Apache-2.0
// A load of a line that memory refuses.
// launch: --block 32 --arg out:128 --bus-errors 0x100000:128
// traps: bus_error
.kernel refused
.param u64 out
        MOV R2, c[0x0][out] ;                   // 0x00
        MOV R3, c[0x0][out+4] ;                 // 0x10
        LDG.E.STRONG.GPU R4, [R2] ;             // 0x20
        EXIT ;                                  // 0x30
.end
