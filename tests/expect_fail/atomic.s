// SPDX-License-Identifier: Apache-2.0
// Every lane adds 1 to the same word, which was 0: lane n sees n.
// launch: --block 32 --arg out:4
.kernel atomic
.param u64 sum
        MOV R2, c[0x0][sum] ;                   // 0x00
        MOV R3, c[0x0][sum+4] ;                 // 0x10
        MOV R5, 0x1 ;                           // 0x20
        ATOMG.E.ADD.STRONG.GPU R4, [R2], R5 ;   // 0x30
        EXIT ;                                  // 0x40
.end
