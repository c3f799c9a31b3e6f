// SPDX-License-Identifier: Apache-2.0
// A guard that is read as early as it may be. Of a comparison that leaves its collector in cycle d the last beat of predicates is
// written in d+2; a guard that is read in d+3 sees it: stall 3. (The configurations' table asks for more.)
// launch: --block 32
.kernel stall_guard
        MOV R1, 0x0 ;                           // 0x00
        ISETP.NE.U32.AND P0, PT, RZ, RZ, PT ;   // 0x10  false
[B------:R-:W-:-:S03] ISETP.EQ.U32.AND P0, PT, RZ, RZ, PT ; // 0x20  true
@P0     MOV R1, 0x7 ;                           // 0x30
        EXIT ;                                  // 0x40
.end
