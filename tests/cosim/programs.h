/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs for the checker's tests.
 */
#ifndef TESTS_COSIM_PROGRAMS_H
#define TESTS_COSIM_PROGRAMS_H

/* A bit of everything: divergence, barriers, collisions, atomics, wide accesses, predicates. Two parameters: in, out.
 */
static const char program_mix[] = ".kernel mix\n"
                                  ".param u64 in\n"
                                  ".param u64 out\n"
                                  ".shared buf 512\n"
                                  "        S2R R0, SR_TID.X ;\n"
                                  "        S2R R1, SR_CTAID.X ;\n"
                                  "        IMAD R2, R1, c[0x0][0x0], R0 ;\n"
                                  "        MOV R4, c[0x0][in] ;\n"
                                  "        MOV R5, c[0x0][in+4] ;\n"
                                  "        IMAD.WIDE R4, R2, 0x10, R4 ;\n"
                                  "        LDG.E.128 R8, [R4] ;\n"
                                  "        MOV R6, c[0x0][out] ;\n"
                                  "        MOV R7, c[0x0][out+4] ;\n"
                                  "        IMAD.WIDE R6, R2, 0x8, R6 ;\n"
                                  "        SHF.L.U32 R3, R0, 0x2, RZ ;\n"
                                  "        IADD3 R20, P5, PT, R8, R9, RZ ;\n"
                                  "        IMNMX R19, R0, R1, PT ;\n"
                                  "        MOV R21, 0x1 ;\n"
                                  "        MOV R21, 0x2 ;\n"
                                  "        STS [R3+buf], R20 ;\n"
                                  "        MOV R20, R10 ;\n"
                                  "        BAR.SYNC 0x0 ;\n"
                                  "        LOP3.LUT R22, R3, 0x4, RZ, 0x3c ;\n"
                                  "        LDS R23, [R22+buf] ;\n"
                                  "        ISETP.LT.U32.AND P0, P1, R0, 0xc, PT ;\n"
                                  "        ISETP.NE.AND P5, PT, R23, RZ, PT ;\n"
                                  "        ISETP.EQ.AND P5, PT, R23, R20, PT ;\n"
                                  "        BSSY B0, join ;\n"
                                  "@P0     BRA low ;\n"
                                  "        FADD R24, R9, R10 ;\n"
                                  "        BRA join ;\n"
                                  "low:    ISETP.GT.AND P2, PT, R0, 0x4, PT ;\n"
                                  "        IADD3 R24, R11, 0x5, RZ ;\n"
                                  "join:   BSYNC B0 ;\n"
                                  "        STG.E [R6], R24 ;\n"
                                  "        STG.E [R6], R23 ;\n"
                                  "        STG.E.U8 [R6+4], R20 ;\n"
                                  "        LOP3.LUT R25, R3, 0x1c, RZ, 0xc0 ;\n"
                                  "        ATOMS.ADD R26, [R25+buf], R21 ;\n"
                                  "        MEMBAR.GPU ;\n"
                                  "        MOV R28, c[0x0][out] ;\n"
                                  "        MOV R29, c[0x0][out+4] ;\n"
                                  "        RED.E.ADD [R28+0x4000], R21 ;\n"
                                  "        ATOMG.E.ADD R27, [R28+0x4004], R26 ;\n"
                                  "@!P0    STS [R25+buf], R27 ;\n"
                                  "        LDS R18, [R25+buf] ;\n"
                                  "        LDC R30, c[0x0][R25] ;\n"
                                  "        SEL R31, R30, R27, !P1 ;\n"
                                  "        STG.E [R6+4], R31 ;\n"
                                  "        EXIT ;\n"
                                  ".end\n";

static const char program_illegal[] = ".kernel bad\n"
                                      "        MOV R0, 0x1 ;\n"
                                      "        MOV R4, c[0x0][0x168] ;\n"
                                      "        MOV R5, c[0x0][0x16c] ;\n"
                                      "        STG.E [R4], R0 ;\n"
                                      "        FADD R1, R0, c[0x0][0xffc] ;\n"
                                      "        EXIT ;\n"
                                      ".end\n";

static const char program_address[] = ".kernel bad\n"
                                      "        S2R R0, SR_LANEID ;\n"
                                      "        MOV R4, c[0x0][0x168] ;\n"
                                      "        MOV R5, c[0x0][0x16c] ;\n"
                                      "        IADD3 R6, R4, R0, RZ ;\n"
                                      "        MOV R7, R5 ;\n"
                                      "        STG.E [R4], R0 ;\n"
                                      "        STG.E [R6], R0 ;\n"
                                      "        STG.E [R4+8], R0 ;\n"
                                      "        MOV R9, 0x3 ;\n"
                                      "        EXIT ;\n"
                                      ".end\n";

static const char program_target[] = ".kernel bad\n"
                                     "        MOV R4, 0x123450 ;\n"
                                     "        MOV R5, 0x0 ;\n"
                                     "        BRX R4 ;\n"
                                     "        EXIT ;\n"
                                     ".end\n";

static const char program_undefined[] = ".kernel bad\n"
                                        "        MOV R0, 0x1 ;\n"
                                        "        IADD3 R1, R0, R2, RZ ;\n"
                                        "        EXIT ;\n"
                                        ".end\n";

#endif
