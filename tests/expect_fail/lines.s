// SPDX-License-Identifier: Apache-2.0
// Two lines that the cache behind the SMs has, of one bank: lane 0 adds 1 to the second word of each. Both wait for an atomic
// of all lanes, to a third line of that bank, and then follow each other.
// launch: --block 32 --arg out:2048 --calm
.kernel lines
.param u64 out
        S2R R0, SR_LANEID ;                          // 0x00
        ISETP.EQ.U32.AND P0, PT, R0, 0x0, PT ;       // 0x10
        MOV R2, c[0x0][out] ;                        // 0x20
        MOV R3, c[0x0][out+4] ;                      // 0x30
        LDG.E.STRONG.GPU R6, [R2+0x100] ;            // 0x40
        LDG.E.STRONG.GPU R7, [R2+0x200] ;            // 0x50
        LDG.E.STRONG.GPU R8, [R2+0x300] ;            // 0x60
        IADD3 R5, R6, R7, R8 ;                       // 0x70
        IADD3 R5, R5, 0x1, RZ ;                      // 0x80
        ATOMG.E.ADD.STRONG.GPU R9, [R2+0x100], R5 ;  // 0x90
@P0     ATOMG.E.ADD.STRONG.GPU R10, [R2+0x204], R5 ; // 0xa0
@P0     ATOMG.E.ADD.STRONG.GPU R11, [R2+0x304], R5 ; // 0xb0
        EXIT ;                                       // 0xc0
.end
