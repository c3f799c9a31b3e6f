/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs whose records depend on no order between warps, so that another right machine shows the same: each thread
 * has bytes of its own, warps share none.
 */
#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/set.h"

/* R2: thread of the grid; R6: 32 bytes of its own in the upper half. */
#define HEAD(name)                                                                                                     \
  ".kernel " name "\n.param u64 in\n.param u64 out\n.shared buf 1024\n"                                                \
  "        S2R R0, SR_TID.X ;\n"                                                                                       \
  "        S2R R1, SR_CTAID.X ;\n"                                                                                     \
  "        IMAD R2, R1, c[0x0][0x0], R0 ;\n"                                                                           \
  "        MOV R4, c[0x0][in] ;\n"                                                                                     \
  "        MOV R5, c[0x0][in+4] ;\n"                                                                                   \
  "        IMAD.WIDE R4, R2, 0x20, R4 ;\n"                                                                             \
  "        MOV R6, c[0x0][out] ;\n"                                                                                    \
  "        MOV R7, c[0x0][out+4] ;\n"                                                                                  \
  "        IMAD.WIDE R6, R2, 0x20, R6 ;\n"
#define TAIL "        EXIT ;\n.end\n"

static const char integer[] = HEAD("integer") "        LDG.E.128 R8, [R4] ;\n"
                                              "        IADD3 R12, R8, -R9, R10 ;\n"
                                              "        LOP3.LUT R13, R8, R9, R11, 0x96 ;\n"
                                              "        SHF.L.U32 R14, R12, 0x3, RZ ;\n"
                                              "        IMNMX R15, R13, R14, PT ;\n"
                                              "        IMAD R16, R8, R9, R10 ;\n"
                                              "        IMAD.WIDE R18, R8, R9, R10 ;\n"
                                              "        FADD R20, R8, R9 ;\n"
                                              "        STG.E.128 [R6], R12 ;\n"
                                              "        STG.E.64 [R6+0x10], R18 ;\n" TAIL;

static const char divergence[] = HEAD("divergence") "        ISETP.LT.U32.AND P0, PT, R0, 0xc, PT ;\n"
                                                    "        ISETP.LT.U32.AND P1, PT, R0, 0x6, PT ;\n"
                                                    "        MOV R8, RZ ;\n"
                                                    "        BSSY B0, join ;\n"
                                                    "@P0     BRA low ;\n"
                                                    "        IADD3 R8, R8, 0x64, R0 ;\n"
                                                    "        BRA join ;\n"
                                                    "low:    BSSY B1, inner ;\n"
                                                    "@P1     BRA lowest ;\n"
                                                    "        IADD3 R8, R8, 0x2, R0 ;\n"
                                                    "        BRA inner ;\n"
                                                    "lowest: IADD3 R8, R8, 0x1, R0 ;\n"
                                                    "inner:  BSYNC B1 ;\n"
                                                    "join:   BSYNC B0 ;\n"
                                                    "        STG.E [R6], R8 ;\n"
                                                    "@P1     EXIT ;\n"
                                                    "        STG.E [R6+4], R8 ;\n" TAIL;

static const char predicates[] = HEAD("predicates") "        ISETP.LT.U32.AND P0, P1, R0, 0xc, PT ;\n"
                                                    "        ISETP.GT.AND P2, PT, R0, 0x4, !P0 ;\n"
                                                    "        IADD3 R8, P3, PT, R0, -0x5, RZ ;\n"
                                                    "@!P2    MOV R8, 0x7 ;\n"
                                                    "        SEL R9, R8, R0, !P1 ;\n"
                                                    "        R2P PR, R0, 0x7d ;\n"
                                                    "        P2R R10, PR, RZ, 0x7f ;\n"
                                                    "        STG.E [R6], R9 ;\n"
                                                    "        STG.E [R6+4], R10 ;\n" TAIL;

static const char shared[] = HEAD("shared") "        SHF.L.U32 R3, R0, 0x3, RZ ;\n"
                                            "        LOP3.LUT R9, R3, 0x8, RZ, 0x3c ;\n"
                                            "        LOP3.LUT R10, R3, 0x38, RZ, 0xc0 ;\n"
                                            "        STS.64 [R3+buf], R2 ;\n"
                                            "        BAR.SYNC 0x0 ;\n"
                                            "        LDS R8, [R9+buf] ;\n"
                                            "        BAR.SYNC 0x0 ;\n"
                                            "        STS.U8 [R3+buf+0x1], R0 ;\n"
                                            "        LDS.U16 R11, [R3+buf] ;\n"
                                            "        IADD3 R12, R8, R11, RZ ;\n"
                                            "        STG.E [R6], R12 ;\n" TAIL;

/* R8: a sector of the warp's own, into which all its lanes store. */
static const char global_[] = HEAD("global") "        LOP3.LUT R8, R2, 0x1f, RZ, 0xc0 ;\n"
                                             "        IADD3 R9, R2, -R8, RZ ;\n"
                                             "        MOV R10, c[0x0][out] ;\n"
                                             "        MOV R11, c[0x0][out+4] ;\n"
                                             "        IMAD.WIDE R10, R9, 0x20, R10 ;\n"
                                             "        STG.E [R10], R0 ;\n"
                                             "        STG.E.U8 [R10+0x5], R0 ;\n"
                                             "        LDG.E R12, [R10] ;\n"
                                             "        LDG.E.U8 R13, [R4+0x3] ;\n"
                                             "        LDG.E.64 R14, [R4+0x8] ;\n"
                                             "        IADD3 R16, R12, R13, R14 ;\n"
                                             "        MEMBAR.GPU ;\n"
                                             "        STG.E [R6+0x8], R16 ;\n"
                                             "        STG.E.U16 [R6+0xe], R16 ;\n" TAIL;

static const char atomics[] = HEAD("atomics") "        LOP3.LUT R8, R2, 0x1f, RZ, 0xc0 ;\n"
                                              "        IADD3 R9, R2, -R8, RZ ;\n"
                                              "        MOV R10, c[0x0][out] ;\n"
                                              "        MOV R11, c[0x0][out+4] ;\n"
                                              "        IMAD.WIDE R10, R9, 0x20, R10 ;\n"
                                              "        RED.E.ADD [R10], R0 ;\n"
                                              "        ATOMG.E.ADD R12, [R10+0x4], R0 ;\n"
                                              "        SHF.L.U32 R3, R0, 0x2, RZ ;\n"
                                              "        STS [R3+buf], R2 ;\n"
                                              "        ATOMS.ADD R13, [R3+buf], R12 ;\n"
                                              "        STG.E [R6+0x8], R13 ;\n" TAIL;

static const char barriers[] = HEAD("barriers") "        SHF.L.U32 R3, R0, 0x2, RZ ;\n"
                                                "        STS [R3+buf], R0 ;\n"
                                                "        BAR.SYNC 0x0 ;\n"
                                                "        LDS R8, [RZ+buf+0x80] ;\n"
                                                "        BAR.SYNC 0x1 ;\n"
                                                "        LDS R9, [RZ+buf+0x4] ;\n"
                                                "        BAR.SYNC 0x0 ;\n"
                                                "        IADD3 R8, R8, R9, R0 ;\n"
                                                "        STG.E [R6], R8 ;\n" TAIL;

static const char blocks[] = HEAD("blocks") "        STG.E [R6], R2 ;\n"
                                            "        BAR.SYNC 0x0 ;\n"
                                            "        LDG.E R8, [R6] ;\n"
                                            "        IADD3 R8, R8, R1, RZ ;\n"
                                            "        STG.E [R6], R8 ;\n" TAIL;

static const char few[] = HEAD("few") "        IADD3 R8, R0, 0x5, RZ ;\n"
                                      "        STG.E [R6], R8 ;\n" TAIL;

const struct conform_program conform_programs[] = {
    {"integer", "integer and float results, pairs and quads of registers", integer, 2, 64, 1},
    {"divergence", "nested branches, lanes that end early", divergence, 2, 64, 1},
    {"predicates", "predicates written in pairs, negated, all at once", predicates, 2, 64, 1},
    {"shared", "shared memory in several sizes, conflicts of banks", shared, 2, 64, 1},
    {"global", "global memory in several sizes, lanes that collide", global_, 2, 64, 1},
    {"atomics", "atomics of global and shared memory, lanes that collide", atomics, 2, 64, 1},
    {"barriers", "two named barriers, three warps", barriers, 2, 96, 1},
    {"local", "local memory, lanes of one access in all three memories", program_local, 1, 50, 1},
    {"uniform", "the uniform datapath", program_uniform, 2, 64, 1},
    {"few", "a last warp of one thread", few, 2, 33, 1},
    {"blocks", "more blocks than slots", blocks, 7, 40, 1},
    {"launches", "two launches, one after the other", few, 2, 64, 2},
    {"trap_address", "a store that is not aligned", program_address, 1, 32, 1},
    {"trap_constant", "a constant out of range: precise", program_illegal, 1, 32, 1},
    {"trap_target", "a branch to where no code is", program_target, 1, 32, 1},
    {0},
};
