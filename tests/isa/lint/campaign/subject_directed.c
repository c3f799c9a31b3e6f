/* SPDX-License-Identifier: Apache-2.0
 * Programs for the classes of hazards that few kernels have: every kind of result is used in every way that there is.
 * Buffer: word i of `buf` is 4 * (i % 64), so that what is loaded is an offset, too. */
#include <stdlib.h>
#include <string.h>

#include "tests/isa/lint/campaign/subject.h"

enum { WORDS = 8192 };

#define HEAD(name)                                                                                                     \
  ".kernel " name "\n.param u64 buf\n.shared area 512\n S2R R0, SR_TID.X ;\n SHF.L.U32 R1, R0, 0x2, RZ ;\n"            \
  " LOP3.LUT R1, R1, 0xfc, RZ, 0xc0 ;\n MOV R2, c[0x0][buf] ;\n MOV R3, c[0x0][buf+4] ;\n"                             \
  " S2R R4, SR_CTAID.X ;\n SHF.L.U32 R4, R4, 0x6, RZ ;\n IADD3 R4, R4, R0, RZ ;\n IMAD.WIDE R4, R4, 0x4, R2 ;\n"       \
  " STS [R1+area], R1 ;\n STS [R1+area+0x100], R1 ;\n BAR.SYNC 0x0 ;\n"
#define TAIL " EXIT ;\n.end\n"

/* Loads: operand, address, stored data, overwritten; from global, shared and constant memory, and of atomics. The
 * products at the end have been fetched long before the loads that they wait for are there, so their stall counts
 * matter. */
static const char memory[] = HEAD(
    "memory") " LDG.E R6, [R4] ;\n IADD3 R7, R6, 0x1, RZ ;\n LDG.E R8, [R4+0x1000] ;\n LDS R9, [R8+area] ;\n"
              " LDS R10, [R9+area] ;\n STG.E [R4+0x2000], R10 ;\n LDG.E R11, [R4+0x2000] ;\n STS [R1+area], R11 ;\n"
              " ATOMS.ADD R12, [R1+area], R7 ;\n STG.E [R4+0x3000], R12 ;\n ATOMG.E.ADD.STRONG.GPU R13, [R4+0x3000], "
              "R12 ;\n"
              " IADD3 R14, R13, R12, RZ ;\n LDG.E R15, [R4] ;\n MOV R15, R14 ;\n LDS R16, [R1+area] ;\n LDG.E R16, "
              "[R4] ;\n"
              " STG.E [R4+0x4000], R16 ;\n LDC R17, c[0x0][R9] ;\n IADD3 R22, R17, R15, RZ ;\n"
              " STG.E [R4+0x5000], R22 ;\n LDG.E.64 R18, [R2] ;\n LDG.E R20, [R2+0x40] ;\n MOV R19, RZ ;\n"
              " IMAD R21, R18, R20, R19 ;\n IMAD R21, R21, R20, R21 ;\n STG.E [R4+0x6000], R21 ;\n" TAIL;

/* Predicates: guard of each kind of instruction, source, overwritten. */
static const char predicates[] = HEAD(
    "predicates") " ISETP.LT.AND P0, PT, R0, 0x10, PT ;\n@P0 IADD3 R6, R0, 0x1, RZ ;\n@!P0 MOV R6, R1 ;\n"
                  " ISETP.GT.AND P1, P2, R0, 0x7, P0 ;\n SEL R7, R6, R1, P1 ;\n FSETP.LT.AND P3, PT, R6, R7, P2 ;\n"
                  "@P3 LDG.E R6, [R4] ;\n IADD3 R8, P4, PT, R6, R7, RZ ;\n IADD3.X R9, R8, R6, RZ, P4, !PT ;\n"
                  " LOP3.LUT P5, R10, R9, 0x4, RZ, 0xc0 ;\n ISETP.EQ.AND P5, PT, R9, R8, PT ;\n@P5 BRA over ;\n"
                  " ISETP.NE.AND P5, PT, R9, 0x3, P5 ;\n@P5 STG.E [R4], R9 ;\nover:\n ISETP.LT.AND P6, PT, R9, R10, PT "
                  ";\n"
                  " ISETP.GE.AND P6, PT, R9, R7, PT ;\n PLOP3.LUT P0, PT, P6, P3, PT, 0x80, 0x0 ;\n SEL R11, R9, R10, "
                  "P0 ;\n"
                  " STG.E [R4+0x1000], R11 ;\n ISETP.LT.AND P1, PT, R0, 0x20, PT ;\n@!P1 EXIT ;\n STG.E [R4+0x2000], "
                  "R9 ;\n" TAIL;

/* Results of the multiply-add and conversion pipes: operand, address, stored data, overwritten. */
static const char pipes[] =
    HEAD("pipes") " IMAD R6, R0, 0x3, R1 ;\n IADD3 R7, R6, R0, RZ ;\n FFMA R8, R6, R7, R7 ;\n FMUL R9, R8, R8 ;\n"
                  " IMAD R10, R0, 0x4, RZ ;\n LOP3.LUT R10, R10, 0xfc, RZ, 0xc0 ;\n IMAD R11, R10, 0x1, RZ ;\n"
                  " STS [R11+area], R9 ;\n FADD R12, R9, R8 ;\n STS [R1+area], R12 ;\n I2F R13, R1 ;\n FADD R14, R13, "
                  "R12 ;\n"
                  " F2I R15, R13 ;\n LDS R16, [R15+area] ;\n I2F R17, R0 ;\n STG.E [R4+0x1000], R17 ;\n FMUL R18, R9, "
                  "R13 ;\n"
                  " MOV R18, R16 ;\n I2F R19, R18 ;\n MOV R19, R18 ;\n FFMA R20, R9, R9, R8 ;\n I2F R20, R19 ;\n"
                  " IMAD.WIDE R22, R0, 0x4, R2 ;\n LDG.E R21, [R22+0x2000] ;\n IADD3 R21, R21, R20, R19 ;\n"
                  " FMNMX R24, R8, R9, PT ;\n FADD R25, R24, R24 ;\n ISETP.LT.AND P0, PT, R25, R14, PT ;\n"
                  " FMUL R26, R25, R9 ;\n FSETP.GT.AND P1, PT, R26, R25, P0 ;\n SEL R27, R26, R21, P1 ;\n"
                  " STG.E [R4+0x3000], R27 ;\n" TAIL;

/* Branches through registers whose numbers come from everywhere. */
static const char targets[] = HEAD(
    "targets") " MOV R6, first ;\n STG.E [R4], R6 ;\n MOV R9, RZ ;\n LDG.E R8, [R4] ;\n BRX R8 ;\n EXIT ;\nfirst:\n"
               " MOV R11, second ;\n MOV R13, RZ ;\n IMAD R12, R11, 0x1, RZ ;\n BRX R12 ;\n EXIT ;\nsecond:\n"
               " STG.E [R4+0x2000], R13 ;\n MOV R15, third ;\n I2F R16, R15 ;\n MOV R17, RZ ;\n F2I R16, R16 ;\n "
               "CALL.ABS R16 ;\n"
               "back:\n EXIT ;\nthird:\n MOV R20, back ;\n STS [R1+area], R20 ;\n MOV R21, RZ ;\n LDS R20, [R1+area] "
               ";\n"
               " RET R20 ;\n" TAIL;

/* Results on their way when such a branch is taken. */
static const char leaving[] =
    HEAD("leaving") " MOV R8, first ;\n MOV R9, RZ ;\n LDG.E R10, [R4] ;\n BRX R8 ;\n EXIT ;\nfirst:\n STG.E "
                    "[R4+0x1000], R10 ;\n"
                    " MOV R8, second ;\n ISETP.LT.AND P0, PT, R0, 0x10, PT ;\n CALL.ABS R8 ;\nback:\n IADD3 R15, R14, "
                    "0x1, RZ ;\n"
                    " STG.E [R4+0x3000], R15 ;\n EXIT ;\nsecond:\n@P0 STG.E [R4+0x2000], R10 ;\n MOV R12, back ;\n MOV "
                    "R13, RZ ;\n"
                    " FADD R16, R10, R10 ;\n I2F R17, R10 ;\n LDS R14, [R1+area] ;\n RET R12 ;\n" TAIL;

/* What lint calls spare: barriers and fences that await loads, read counters, results that nobody wants. */
static const char awaited[] = HEAD("awaited") " LDG.E R6, [R4] ;\n LDS R7, [R1+area] ;\n BAR.SYNC 0x0 ;\n IADD3 R8, "
                                              "R6, R7, RZ ;\n LDG.E R9, [R4+0x1000] ;\n"
                                              " MEMBAR.GPU ;\n IADD3 R9, R9, R8, RZ ;\n LDG.E R10, [R4] ;\n LDS R11, "
                                              "[R1+area] ;\n STG.E [R4+0x2000], R9 ;\n"
                                              " ISETP.LT.AND P0, PT, R9, R8, PT ;\n FMUL R12, R9, R9 ;\n" TAIL;

/* Operands that the very next instruction overwrites: stores, atomics, long-latency readers. */
static const char operands[] =
    HEAD("operands") "[B------:R-:W-:-:S15] MOV R6, R1 ;\n"
                     "[B------:R0:W-:-:S01] STG.E [R4], R6 ;\n[B------:R-:W-:-:S01] MOV R6, R0 ;\n"
                     "[B------:R1:W-:-:S01] STS [R1+area], R0 ;\n[B------:R-:W-:-:S15] SHF.L.U32 R1, R0, 0x2, RZ ;\n"
                     "[B------:R-:W-:-:S15] LOP3.LUT R1, R1, 0xfc, RZ, 0xc0 ;\n[B------:R-:W-:-:S15] IMAD.WIDE R12, "
                     "R0, 0x10, R2 ;\n"
                     "[B------:R2:W3:-:S01] LDG.E.128 R8, [R12+0x1000] ;\n[B------:R-:W-:-:S15] IADD3 R12, R4, 0x4000, "
                     "RZ ;\n"
                     "[B------:R-:W-:-:S15] MOV R13, R5 ;\n[B---3--:R3:W-:-:S01] STG.E [R12], R8 ;\n"
                     "[B------:R-:W-:-:S01] MOV R9, R0 ;\n[B------:R-:W-:-:S15] MOV R8, R1 ;\n"
                     "[B------:R4:W-:-:S01] RED.E.ADD.STRONG.GPU [R4], R8 ;\n[B------:R-:W-:-:S15] MOV R8, R11 ;\n"
                     "[B------:R5:W4:-:S01] ATOMG.E.ADD.STRONG.GPU R10, [R4+0x3000], R8 ;\n[B------:R-:W-:-:S01] MOV "
                     "R8, RZ ;\n"
                     "[B------:R-:W-:-:S15] MOV R4, R12 ;\n[B----4-:R-:W-:-:S15] IADD3 R9, R10, R11, RZ ;\n"
                     "[B-----5:R-:W-:-:S01] STG.E [R4+0x1000], R9 ;\n" TAIL;

/* A loop over loads that nothing awaits inside: a counter as full as it gets. */
static const char counters[] = HEAD(
    "counters") " MOV R6, 0x50 ;\nloop:\n[B------:R-:W-:-:S15] IADD3 R6, R6, -0x1, RZ ;\n[B0-----:R-:W0:-:S01] LDG.E "
                "R7, [R4] ;\n"
                "[B-1----:R-:W1:-:S01] STS [R1+area], R6 ;\n[B------:R-:W-:-:S15] ISETP.NE.AND P0, PT, R6, RZ, PT ;\n"
                "[B------:R-:W-:-:S01] @P0 BRA loop ;\n[B0-----:R-:W-:-:S01] STG.E [R4+0x1000], R7 ;\n" TAIL;

static const struct {
  const char *name, *text;
} table[] = {{"memory", memory},   {"predicates", predicates}, {"pipes", pipes},       {"targets", targets},
             {"leaving", leaving}, {"awaited", awaited},       {"operands", operands}, {"counters", counters}};

static bool fill(struct kernel_case *c) {
  struct kernel_buffer *b = &c->buffer[c->buffers++];
  b->bytes = WORDS * sizeof(uint32_t);
  b->init = malloc(b->bytes);
  b->expect = calloc(1, b->bytes); /* the model says what must be there (shrink.h) */
  if (!b->init || !b->expect) return false;
  for (uint32_t i = 0; i < WORDS; i++) {
    const uint32_t v = 4 * (i % 64);
    memcpy(b->init + i * sizeof v, &v, sizeof v);
  }
  return true;
}

void subjects_directed(struct subjects *s) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct kernel_case c;
    if (!subject_wanted(s, table[i].name)) continue;
    memset(&c, 0, sizeof c);
    if (fill(&c))
      c.launch[c.launches++] = (struct kernel_launch){.entry = table[i].name,
                                                      .grid = {2, 1, 1},
                                                      .block = {64, 1, 1},
                                                      .arg = {{.kind = KERNEL_ARG_BUFFER}},
                                                      .args = 1};
    subject_add(s, table[i].name, "directed", subject_assemble(s, table[i].text, table[i].name), &c);
    if (s->count > 0) s->at[s->count - 1].model_expects = true;
  }
}
