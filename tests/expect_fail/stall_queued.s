// SPDX-License-Identifier: Apache-2.0
// A guard that is read as early as it may be, where rows of operands wait in queues (tiny, cached). The last row of a comparison
// leaves in cycle d, its first lane is with the pipe in d+1, four lanes and two ranks later its predicates are written, in d+6, and
// a guard that is read one cycle after that sees them: stall 7.
// launch: --block 32
.kernel stall_queued
        MOV R1, 0x0 ;                           // 0x00
        ISETP.NE.U32.AND P0, PT, RZ, RZ, PT ;   // 0x10  false
[B------:R-:W-:-:S07] ISETP.EQ.U32.AND P0, PT, RZ, RZ, PT ; // 0x20  true
@P0     MOV R1, 0x7 ;                           // 0x30
        EXIT ;                                  // 0x40
.end
