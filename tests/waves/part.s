// SPDX-License-Identifier: Apache-2.0
// Lanes that part at a branch and meet again: docs/tutorial-read-a-difference.md reads its report under an injected fault.
// launch: --block 32
.kernel part
        S2R R0, SR_LANEID ;
        MOV R1, 0x0 ;
        ISETP.LT.U32.AND P0, PT, R0, 0x8, PT ;
        BSSY B0, meet ;
@P0     BRA low ;
        IADD3 R1, R0, 0x100, RZ ;
        BRA meet ;
low:
        IADD3 R1, R0, 0x200, RZ ;
meet:
        BSYNC B0 ;
        IADD3 R2, R1, R0, RZ ;
        EXIT ;
.end
