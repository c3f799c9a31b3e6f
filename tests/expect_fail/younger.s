// SPDX-License-Identifier: Apache-2.0
// Two loads of lines that memory refuses, which it does in their order.
// launch: --block 32 --arg out:256 --bus-errors 0x100000:256 --calm
// traps: bus_error
.kernel younger
.param u64 out
        MOV R2, c[0x0][out] ;                   // 0x00
        MOV R3, c[0x0][out+4] ;                 // 0x10
        LDG.E.STRONG.GPU R4, [R2] ;             // 0x20
        LDG.E.STRONG.GPU R5, [R2+0x80] ;        // 0x30
        EXIT ;                                  // 0x40
.end
