// SPDX-License-Identifier: Apache-2.0
// Every lane adds 1 to the same word of a line; loads of another line of that bank, which the cache behind the SMs has as well, pass it.
// launch: --block 32 --arg out:2048 --calm
.kernel passes
.param u64 out
        MOV R2, c[0x0][out] ;                        // 0x00
        MOV R3, c[0x0][out+4] ;                      // 0x10
        LDG.E.STRONG.GPU R6, [R2+0x100] ;            // 0x20
        LDG.E.STRONG.GPU R7, [R2+0x200] ;            // 0x30
        IADD3 R5, R6, R7, RZ ;                       // 0x40
        IADD3 R5, R5, 0x1, RZ ;                      // 0x50
        ATOMG.E.ADD.STRONG.GPU R8, [R2+0x100], R5 ;  // 0x60
        LDG.E.STRONG.GPU R9, [R2+0x200] ;            // 0x70
        LDG.E.STRONG.GPU R10, [R2+0x200] ;           // 0x80
        EXIT ;                                       // 0x90
.end
