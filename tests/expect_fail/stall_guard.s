// SPDX-License-Identifier: Apache-2.0
// A guard that is read as early as it may be. A comparison issues in cycle d; with b beats the last of them is on the operand bus
// in d+b+2, its predicates are written two cycles later, and a guard that is read one after that sees them: stall b+5.
// stall: 13/9/7/6
// launch: --block 32
.kernel stall_guard
        MOV R1, 0x0 ;                           // 0x00
        ISETP.NE.U32.AND P0, PT, RZ, RZ, PT ;   // 0x10  false
[B------:R-:W-:-:S##] ISETP.EQ.U32.AND P0, PT, RZ, RZ, PT ; // 0x20  true
@P0     MOV R1, 0x7 ;                           // 0x30
        EXIT ;                                  // 0x40
.end
