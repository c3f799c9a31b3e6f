// SPDX-License-Identifier: Apache-2.0
// Nested divergence: a loop whose trip count depends on the data, an early way out of both levels by BREAK, and a
// function that only a part of the warp calls. Per thread:
//
//   v = in[i]; acc = 0; steps = 0;
//   if ((v & 3) == 0) acc = 7;
//   else while (steps < 40 && v > 1) {
//     acc += v & 0xff;
//     if (acc > 2000) { out[i] = ~acc; return; }
//     v = (v & 1) ? step(v) : v >> 1;
//     steps++;
//   }
//   out[i] = acc + (steps << 16);
//
//   step(v): v = 3 * v + 1; if (v & 4) v ^= 0x10; return v;
.kernel nested
.param u64 in
.param u64 out
.param u32 n
        S2R R0, SR_CTAID.X ;
        S2R R1, SR_TID.X ;
        IMAD R0, R0, c[0x0][0x0], R1 ;
        ISETP.GE.U32.AND P0, PT, R0, c[0x0][n], PT ;
@P0     EXIT ;
        MOV R2, c[0x0][in] ;
        MOV R3, c[0x0][in+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        LDG.E R4, [R2] ;                        // v
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        MOV R5, RZ ;                            // acc
        MOV R6, RZ ;                            // steps
        LOP3.LUT P0, R7, R4, 0x3, RZ, 0xc0 ;        // P0 = (v & 3) != 0
        BSSY B0, store ;
@P0     BRA enter ;
        MOV R5, 0x7 ;
        BRA store ;
enter:
        BSSY B1, left ;
loop:
        ISETP.GE.U32.AND P1, PT, R6, 0x28, PT ;
        ISETP.LE.U32.OR P1, PT, R4, 0x1, P1 ;
@P1     BRA left ;
        LOP3.LUT R7, R4, 0xff, RZ, 0xc0 ;
        IADD3 R5, R5, R7, RZ ;
        ISETP.GT.U32.AND P2, PT, R5, 0x7d0, PT ;
@P2     BREAK B1 ;
@P2     BREAK B0 ;
@P2     BRA early ;
        LOP3.LUT P3, R7, R4, 0x1, RZ, 0xc0 ;
        BSSY B2, joined ;
@!P3    BRA even ;
        MOV R20, returned ;
        MOV R21, RZ ;
        CALL.REL step ;
returned:
        BRA joined ;
even:
        SHF.R.U32.HI R4, RZ, 0x1, R4 ;
joined:
        BSYNC B2 ;
        IADD3 R6, R6, 0x1, RZ ;
        BRA loop ;
left:
        BSYNC B1 ;
store:
        BSYNC B0 ;
        SHF.L.U32 R6, R6, 0x10, RZ ;
        IADD3 R5, R5, R6, RZ ;
        STG.E [R2], R5 ;
        EXIT ;
early:
        LOP3.LUT R5, R5, RZ, RZ, 0x0f ;         // ~acc
        STG.E [R2], R5 ;
        EXIT ;
.end

.func step
        IMAD R4, R4, 0x3, RZ ;
        IADD3 R4, R4, 0x1, RZ ;
        LOP3.LUT P4, R7, R4, 0x4, RZ, 0xc0 ;
        BSSY B3, step_join ;
@!P4    BRA step_join ;
        LOP3.LUT R4, R4, 0x10, RZ, 0x3c ;       // v ^ 0x10
step_join:
        BSYNC B3 ;
        RET R20 ;
.end
