// SPDX-License-Identifier: Apache-2.0
// Two blocks, on SM 0 and SM 1 of quad: each adds its number to a word of a line of bank 0.
// launch: --grid 2 --block 32 --arg out:2048
.kernel banked
.param u64 out
        S2R R1, SR_CTAID.X ;                    // 0x00
        MOV R2, c[0x0][out] ;                   // 0x10
        MOV R3, c[0x0][out+4] ;                 // 0x20
        RED.E.ADD.STRONG.GPU [R2+0x700], R1 ;   // 0x30
        EXIT ;                                  // 0x40
.end
