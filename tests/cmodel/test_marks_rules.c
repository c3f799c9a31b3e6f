/* SPDX-License-Identifier: Apache-2.0
 *
 * How precise the rules of isa/doc/17-undefined.md are: one instruction each, and which bits of its result are
 * undefined.
 */
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/machine.h"
#include "tests/cmodel/step.h"

/* R0 = lane. R4: bits 7:0 undefined; R5: bits 31:16; R6: all; R7 = 0x12345678; R8:R9: bits 7:0 of R9; R10: bits 4:0 of
 * lanes from 8 on. P0 is undefined, P1 false, P2 true; P3 is true in lane 0 and undefined in the others, P4 false
 * likewise. UR4: bits 7:0 undefined; UP0 likewise. */
static const char prelude[] =
    "S2R R0, SR_LANEID ;\nLOP3.LUT R4, R60, 0xff, RZ, 0xc0 ;\nLOP3.LUT R5, R60, 0xffff0000, RZ, 0xc0 ;\n"
    "MOV R7, 0x12345678 ;\nMOV R8, RZ ;\nLOP3.LUT R9, R60, 0xff, RZ, 0xc0 ;\nISETP.NE.AND P0, PT, R60, RZ, PT ;\n"
    "ISETP.NE.AND P1, P2, RZ, RZ, PT ;\nISETP.GE.AND P5, PT, R0, 0x8, PT ;\nMOV R10, R0 ;\n"
    "@P5 LOP3.LUT R10, R60, 0x1f, RZ, 0xc0 ;\nISETP.EQ.AND P6, PT, R0, RZ, PT ;\nSEL R11, R0, R60, P6 ;\n"
    "ISETP.EQ.AND P3, P4, R11, RZ, PT ;\nULOP3.LUT UR4, UR60, 0xff, URZ, 0xc0 ;\n"
    "UISETP.NE.AND UP0, UPT, UR4, URZ, UPT ;\n";
enum { PRELUDE = 16, LANE = 5 };

struct rule {
  const char *text;
  uint32_t bits[2];   /* of rd, in lane 5 */
  uint32_t pd[2];     /* undefined lanes of the predicates */
  uint32_t bits_of_0; /* of rd in lane 0, where it is not the same */
};

#define ALL MARKED_ALL
#define SAME 0x5a5a5a5au

static void check(const struct rule *r) {
  char text[2048];
  struct machine x;
  snprintf(text, sizeof text, "%s%s ;\nEXIT ;\n", prelude, r->text);
  marked_begin(&x, text);
  machine_lockstep(&x);
  steps(&x, PRELUDE + 1);
  for (unsigned n = 0; n < 2; n++) {
    const uint32_t got = n < e.rd_words && (e.rd_unknown[n] >> LANE & 1) != 0 ? e.rd_bits[n][LANE] : 0;
    if (got != r->bits[n]) fail_msg("%s: word %u: 0x%08x are undefined, want 0x%08x", r->text, n, got, r->bits[n]);
    const uint32_t pd = (e.pd_written >> n & 1) != 0 ? e.pd_unknown[n] : 0;
    if (pd != r->pd[n]) fail_msg("%s: pd%u: lanes 0x%08x are undefined, want 0x%08x", r->text, n, pd, r->pd[n]);
  }
  const uint32_t first = (e.rd_unknown[0] & 1) != 0 ? e.rd_bits[0][0] : 0;
  const uint32_t want = r->bits_of_0 == SAME ? r->bits[0] : r->bits_of_0;
  if (first != want) fail_msg("%s: lane 0: 0x%08x are undefined, want 0x%08x", r->text, first, want);
  machine_free(&x);
}

static void check_all(const struct rule *r, size_t n) {
  for (size_t i = 0; i < n; i++) check(&r[i]);
}
#define CHECK(table) check_all(table, sizeof(table) / sizeof *(table))
#define BITS(low) {(low), 0}, {0, 0}, SAME
#define BITS2(low, high) {(low), (high)}, {0, 0}, SAME
#define BITS_PD(low, lanes) {(low), 0}, {(lanes), 0}, SAME
#define PREDICATES(first, second) {0, 0}, {(first), (second)}, SAME

static void bits_that_move(void **state) {
  (void)state;
  static const struct rule rules[] = {
      {"MOV R20, R4", BITS(0xff)},
      {"BREV R20, R4", BITS(0xff000000)},
      {"BREV R20, ~R4", BITS(0xff000000)},
      {"SHF.L.U32 R20, R4, 0x4, RZ", BITS(0xff0)},
      {"SHF.R.U32 R20, R5, 0x8, RZ", BITS(0x00ffff00)},
      {"SHF.R.S32.HI R20, RZ, 0x8, R5", BITS(0xffffff00)},
      {"SHF.L.U32.HI R20, R5, 0x8, R7", BITS(0xff)},
      {"SHF.L.U32 R20, R7, R4, RZ", BITS(ALL)},
      {"SHF.L.W.U32 R20, R7, R5, RZ", BITS(0)}, /* of the amount bits 4:0 count */
      {"SHF.L.U32 R20, R7, R5, RZ", BITS(ALL)},
      {"SGXT R20, R4, 0x8", BITS(ALL)},
      {"SGXT.U32 R20, R4, 0x8", BITS(0xff)},
      {"SGXT R20, R4, 0x4", BITS(ALL)},
      {"SGXT R20, R4, 0x10", BITS(0xff)},
      {"SGXT R20, R7, R4", BITS(ALL)},
      {"PRMT R20, R4, 0x3210, R7", BITS(0xff)},
      {"PRMT R20, R4, 0x0333, RZ", BITS(0xff000000)},
      {"PRMT R20, R4, 0x8321, R5", BITS(0xff000000)}, /* copies of a sign */
      {"PRMT R20, R4, 0x7632, R5", BITS(0xffff0000)},
      {"PRMT R20, R7, R4, R7", BITS(0xffff)}, /* two digits of the selector */
      {"PRMT.F4E R20, R7, R5, R7", BITS(0)},
      {"PRMT.F4E R20, R7, R4, R7", BITS(ALL)},
      {"R2UR UR20, R4", BITS(0xff)},
      {"UMOV UR20, UR4", BITS(0xff)},
      {"MOV R20, UR4", BITS(0xff)},
  };
  CHECK(rules);
}

static void bits_that_are_chosen(void **state) {
  (void)state;
  static const struct rule rules[] = {
      {"SEL R20, R4, R5, P2", BITS(0xff)},
      {"SEL R20, R4, R5, P1", BITS(0xffff0000)},
      {"SEL R20, R7, R7, P0", BITS(0)}, /* the same, whichever it is */
      {"SEL R20, R7, 0x12345677, P0", BITS(0xf)},
      {"SEL R20, R4, RZ, P0", BITS(0xff)},
      {"FSEL R20, R4, R5, P2", BITS(0xff)},
      {"FSEL R20, |R5|, R4, P2", BITS(0x7fff0000)},
      {"FSEL.FTZ R20, R4, R5, P2", BITS(ALL)},
      {"USEL UR20, UR4, URZ, UPT", BITS(0xff)},
      {"LOP3.LUT R20, R4, 0xf0, RZ, 0xc0", BITS(0xf0)},     /* and */
      {"LOP3.LUT R20, R4, 0xf0, RZ, 0xfc", BITS(0x0f)},     /* or */
      {"LOP3.LUT R20, R4, 0xf0, RZ, 0x3c", BITS(0xff)},     /* xor */
      {"LOP3.LUT R20, R4, R5, RZ, 0xc0", BITS(0)},          /* each is 0 where the other is not known */
      {"LOP3.LUT R20, R6, R6, RZ, 0x3c", BITS(0)},          /* a register with itself */
      {"LOP3.LUT R20, R6, R7, R6, 0x5a", BITS(0)},          /* a xor c, of one register */
      {"LOP3.LUT R20, R6, R7, R4, 0xca", BITS(0x123456ff)}, /* a ? b : c */
      {"LOP3.LUT R20, R6, RZ, RZ, 0x00", BITS(0)},
      {"LOP3.LUT P6, R20, R4, 0x100, RZ, 0xfc", BITS_PD(0xff, 0)}, /* a 1 that is known decides */
      {"LOP3.LUT P6, R20, R4, 0xf, RZ, 0xc0", BITS_PD(0xf, ALL)},
      {"LOP3.LUT P6, R20, R4, 0xf00, RZ, 0xc0", BITS_PD(0, 0)},
      {"PLOP3.LUT P6, PT, P0, P1, PT, 0x80, 0x0", PREDICATES(0, 0)},    /* and false */
      {"PLOP3.LUT P6, PT, P0, P2, PT, 0x80, 0x0", PREDICATES(ALL, 0)},  /* and true */
      {"PLOP3.LUT P6, P5, P0, P2, PT, 0xfc, 0x80", PREDICATES(0, ALL)}, /* or true, and true */
      {"UP2P P6, UP0", PREDICATES(ALL, 0)},
      {"P2R R20, PR, RZ, 0x3", BITS(0x1)},
      {"P2R R20, PR, R4, 0x6", BITS(0xf9)},
      /* Where the predicate is not what a has: P0, P2 and P3; in lane 5 P4, in lane 0 P6. */
      {"P2R R20, PR, RZ, R4", {0x1d, 0}, {0, 0}, 0x4d},
  };
  CHECK(rules);
}

static void sums(void **state) {
  (void)state;
  static const struct rule rules[] = {
      {"IADD3 R20, R5, R7, RZ", BITS(0xffff0000)},
      {"IADD3 R20, R4, R7, RZ", BITS(ALL)},
      {"IADD3 R20, -R5, R7, RZ", BITS(0xffff0000)},
      {"IADD3 R20, P6, PT, R5, R7, RZ", BITS_PD(0xffff0000, ALL)},
      {"IADD3.X R20, R7, R7, RZ, P0, !PT", BITS(ALL)},
      {"IADD3.X R20, ~R5, R7, RZ, P1, !PT", BITS(0xffff0000)},
      {"LEA R20, R4, R7, 0x10", BITS(0xffff0000)},
      {"LEA R20, R5, R7, 0x10", BITS(0)}, /* all that is undefined falls out */
      {"LEA.HI R20, R5, R7, RZ, 0x10", BITS(ALL)},
      {"LEA.HI R20, R4, R7, RZ, 0x10", BITS(0)},
      {"LEA.HI.X R20, R7, R7, RZ, 0x10, P0", BITS(ALL)},
      {"IMAD R20, R5, R7, RZ", BITS(0xfff80000)}, /* R7 is a multiple of 8 */
      {"IMAD R20, R5, RZ, R7", BITS(0)},
      {"IMAD R20, R7, R4, R5", BITS(0xfffffff8)},
      {"IMAD R20, R5, R5, RZ", BITS(0xffff0000)},
      {"IMAD.WIDE.U32 R20, R5, 0x10000, R8", BITS2(0, ALL)},
      {"IMAD.WIDE R20, R7, 0x4, R8", BITS2(0, ALL)},
      {"IMAD.HI R20, R7, 0x4, R8", BITS(ALL)},
      {"IMAD.HI R20, R7, 0x4, R4", BITS(ALL)},
      {"UIADD3 UR20, UR4, URZ, URZ", BITS(ALL)},
      {"VABSDIFF R20, R5, R7, RZ", BITS(ALL)}, /* no rule of its own */
      {"IABS R20, R4", BITS(ALL)},
      {"POPC R20, R4", BITS(ALL)},
  };
  CHECK(rules);
}

static void predicates(void **state) {
  (void)state;
  static const struct rule rules[] = {
      {"ISETP.EQ.AND P6, P5, R4, RZ, PT", PREDICATES(ALL, ALL)},
      {"ISETP.NE.AND P6, P5, R4, 0x55, PT", PREDICATES(ALL, ALL)},
      {"ISETP.NE.AND P6, P5, R4, R7, PT", PREDICATES(0, 0)}, /* they differ in bits that are defined */
      {"ISETP.EQ.AND P6, P5, R7, R4, PT", PREDICATES(0, 0)},
      {"ISETP.LT.AND P6, P5, R4, R7, PT", PREDICATES(ALL, ALL)},
      {"ISETP.EQ.AND P6, P5, R4, RZ, P1", PREDICATES(0, 0)}, /* and false */
      {"ISETP.EQ.OR P6, P5, R4, RZ, P2", PREDICATES(0, 0)},  /* or true */
      {"ISETP.EQ.XOR P6, P5, R4, RZ, P2", PREDICATES(ALL, ALL)},
      {"ISETP.EQ.AND P6, P5, R7, RZ, P0", PREDICATES(ALL, ALL)},
      {"FSETP.LT.AND P6, P5, R4, RZ, P2", PREDICATES(ALL, ALL)},
      {"FSETP.LT.AND P6, P5, |R7|, RZ, P2", PREDICATES(0, 0)},
      {"DSETP.LT.AND P6, P5, R8, RZ, P2", PREDICATES(ALL, ALL)},
      {"HSETP2.LT.AND P6, P5, R5, R7, P2", PREDICATES(0, ALL)}, /* by half */
      {"HSETP2.LT.AND P6, P5, R4.H1_H1, R7, P2", PREDICATES(0, 0)},
  };
  CHECK(rules);
}

static void halves_and_narrow_numbers(void **state) {
  (void)state;
  static const struct rule rules[] = {
      {"HADD2 R20, R5, R7", BITS(0xffff0000)},
      {"HADD2 R20, R4, R7", BITS(0x0000ffff)},
      {"HADD2 R20, R4.H0_H0, R7", BITS(ALL)},
      {"HMUL2 R20, R4.H1_H1, R7", BITS(0)},
      {"HFMA2 R20, R7, R7, R5", BITS(0xffff0000)},
      {"HMNMX2 R20, R5, R7, P2", BITS(0xffff0000)},
      {"HMNMX2 R20, R7, R7, P0", BITS(ALL)},
      {"HSET2.BF.LT.AND R20, R4, R7, P2", BITS(0x0000ffff)},
      {"F2FP.F16.F32.PACK_AB R20, R4, R7", BITS(0xffff0000)},
      {"F2FP.F16.F32.PACK_AB R20, R7, R4", BITS(0x0000ffff)},
      {"I2F.U16 R20, R5", BITS(0)}, /* 16 bits of it are read */
      {"I2F.U8 R20, R4", BITS(ALL)},
      {"I2F R20, R5", BITS(ALL)},
      {"F2F.F32.F16 R20, R5", BITS(0)},
      {"F2F.F32.F16 R20, R5.H1", BITS(ALL)},
      {"F2I.S32.F16 R20, R5", BITS(0)},
      {"FRND.F16 R20, R5", BITS(0)},
      {"FADD R20, R4, R7", BITS(ALL)},
      {"MUFU.RCP R20, R4", BITS(ALL)},
      {"DADD R20, R8, R8", BITS2(ALL, ALL)},
  };
  CHECK(rules);
}

static void lanes(void **state) {
  (void)state;
  static const struct rule rules[] = {
      {"SHFL.IDX PT, R20, R11, RZ, 0x1f", BITS(0)},           /* lane 0 is heard by all, and knows */
      {"SHFL.IDX PT, R20, R11, 0x1, 0x1f", BITS(ALL)},        /* lane 1 does not */
      {"SHFL.UP PT, R20, R11, 0x5, RZ", BITS(0)},             /* lane 5 hears lane 0 */
      {"SHFL.UP PT, R20, R11, 0x4, RZ", {ALL, 0}, {0, 0}, 0}, /* lane 5 lane 1, lane 0 itself */
      {"SHFL.IDX P6, R20, R7, R10, 0x1f", {0, 0}, {0xffffff00, 0}, SAME},
      {"SHFL.IDX P6, R20, R7, R5, 0x1f", {0, 0}, {0, 0}, SAME}, /* of b bits 4:0 count */
      {"VOTE.ALL R20, P6, P3", {0xfffffffe, 0}, {ALL, 0}, SAME},
      {"VOTE.ANY R20, P6, P3", {0xfffffffe, 0}, {0, 0}, SAME}, /* lane 0 says yes */
      {"VOTE.ALL R20, P6, P4", {0xfffffffe, 0}, {0, 0}, SAME}, /* lane 0 says no */
      {"VOTE.ANY R20, P6, P4", {0xfffffffe, 0}, {ALL, 0}, SAME},
      {"VOTE.EQ R20, P6, P3", {0xfffffffe, 0}, {ALL, 0}, SAME},
      {"MATCH.ANY R20, R11", BITS(ALL)},
      {"REDUX.SUM UR20, R11", BITS(ALL)},
      {"ACTIVEMASK R20", BITS(0)},
      {"R2UR UR20, R11", BITS(0)}, /* of lane 0 */
  };
  CHECK(rules);
}

/* R10 differs by lane; of A a row of the result depends on it, of B a column. */
static void matrices(void **state) {
  (void)state;
  static const char text[] =
      "S2R R0, SR_LANEID ;\nISETP.NE.AND P0, PT, R0, 0x5, PT ;\nMOV R4, RZ ;\nMOV R5, RZ ;\n"
      "MOV R8, RZ ;\nMOV R9, RZ ;\nMOV R10, RZ ;\nMOV R11, RZ ;\n@P0 MOV R12, RZ ;\nMOV R13, RZ ;\n"
      "HMMA.1688.F32 R20, R12, R4, R8 ;\nHMMA.1688.F32 R20, R4, R12, R8 ;\nEXIT ;\n";
  struct machine x;
  marked_begin(&x, text);
  machine_lockstep(&x);
  steps(&x, 11);
  assert_int_equal(e.rd_unknown[0], 0xf0); /* lane 5 is in row 1 of A */
  steps(&x, 1);
  assert_int_equal(e.rd_unknown[0], 0x11111111); /* and in column 1 of B */
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bits_that_move), cmocka_unit_test(bits_that_are_chosen),
      cmocka_unit_test(sums),           cmocka_unit_test(predicates),
      cmocka_unit_test(lanes),          cmocka_unit_test(halves_and_narrow_numbers),
      cmocka_unit_test(matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
