// SPDX-License-Identifier: Apache-2.0
// bins[d[i] & 63] += 1: a histogram of the block in shared memory, then one atomic a bin to global memory.
// total[0] counts the elements by an atomic that returns its old value, which goes to ticket[i].
.kernel histogram
.param u64 data
.param u64 bins
.param u64 total
.param u64 ticket
.param u32 n
.shared hist 256
        S2R R0, SR_CTAID.X ;
        S2R R1, SR_TID.X ;
        IMAD R2, R0, c[0x0][0x0], R1 ;
        ISETP.LT.U32.AND P0, PT, R2, c[0x0][n], PT ;
        ISETP.LT.U32.AND P1, PT, R1, 0x40, PT ;
        SHF.L.U32 R3, R1, 0x2, RZ ;
@P1     STS [R3+hist], RZ ;
        BAR.SYNC 0x0 ;
        MOV R4, c[0x0][data] ;
        MOV R5, c[0x0][data+4] ;
        MOV R14, 0x1 ;
        MOV R12, c[0x0][total] ;
        MOV R13, c[0x0][total+4] ;
        IADD3 R4, P2, PT, R4, R2, RZ ;
        IADD3.X R5, R5, RZ, RZ, P2, !PT ;
@P0     LDG.E.U8 R6, [R4] ;
@P0     LOP3.LUT R6, R6, 0x3f, RZ, 0xc0 ;
@P0     SHF.L.U32 R6, R6, 0x2, RZ ;
@P0     ATOMS.ADD R7, [R6+hist], R14 ;
@P0     ATOMG.E.ADD.STRONG.GPU R8, [R12], R14 ;
        MOV R10, c[0x0][ticket] ;
        MOV R11, c[0x0][ticket+4] ;
        IMAD.WIDE R10, R2, 0x4, R10 ;
@P0     STG.E [R10], R8 ;
        BAR.SYNC 0x0 ;
@!P1    EXIT ;
        LDS R7, [R3+hist] ;
        MOV R4, c[0x0][bins] ;
        MOV R5, c[0x0][bins+4] ;
        IMAD.WIDE R4, R1, 0x4, R4 ;
        RED.E.ADD.STRONG.GPU [R4], R7 ;
        EXIT ;
.end
