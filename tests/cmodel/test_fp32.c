/* SPDX-License-Identifier: Apache-2.0
 *
 * FADD, FMUL, FFMA against MPFR: four roundings, with and without FTZ and SAT.
 */
#include <mpfr.h>
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/rows.h"
#include "tests/cmodel/words.h"

static unsigned long random_cases;
static mpfr_t x, y, z, r, least; /* least: 2^-126 */

static uint32_t bits(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

static void set(mpfr_t v, uint32_t u) {
  float f;
  memcpy(&f, &u, sizeof f);
  mpfr_set_flt(v, f, MPFR_RNDN);
}

static uint32_t flush(uint32_t u) {
  return ((u >> 23) & 255u) == 0 ? u & 0x80000000u : u;
}

enum { ADD, MUL, FMA };

static int operate(int op, mpfr_rnd_t rnd) {
  if (op == ADD) return mpfr_add(r, x, y, rnd);
  return op == MUL ? mpfr_mul(r, x, y, rnd) : mpfr_fma(r, x, y, z, rnd);
}

/* Without FTZ: rounded to 24 bits, then into the range of binary32. With FTZ:
 * rounded to 24 bits without a least exponent, and flushed below 2^-126. */
static uint32_t reference(int op, mpfr_rnd_t rnd, bool ftz, bool sat, const uint32_t v[3]) {
  set(x, ftz ? flush(v[0]) : v[0]);
  set(y, ftz ? flush(v[1]) : v[1]);
  set(z, ftz ? flush(v[2]) : v[2]);
  mpfr_set_emin(ftz ? -1000 : -148); /* 2^-149 = 0.5 * 2^-148 */
  const int t = operate(op, rnd);
  if (!ftz) (void)mpfr_subnormalize(r, t, rnd);
  if (mpfr_nan_p(r)) return sat ? 0 : 0x7fffffffu;
  const bool tiny = ftz && mpfr_cmpabs(r, least) < 0;
  uint32_t u = bits(mpfr_get_flt(r, MPFR_RNDN));
  if (tiny) u = mpfr_signbit(r) != 0 ? 0x80000000u : 0;
  if (sat && mpfr_cmp_ui(r, 1) > 0) u = 0x3f800000u;
  if (sat && (u >> 31) != 0) u = 0;
  return u;
}

struct mode {
  int op;
  unsigned rnd;
  bool ftz, sat;
  struct rows rows;
  unsigned lanes;
  char name[40];
};

static void flush_row(struct mode *m) {
  if (m->lanes == 0) return;
  rows_check(&m->rows, m->name);
  m->lanes = 0;
}

static void add_case(struct mode *m, const uint32_t v[3]) {
  static const mpfr_rnd_t rounding[4] = {MPFR_RNDN, MPFR_RNDD, MPFR_RNDU, MPFR_RNDZ};
  const unsigned i = m->lanes++;
  m->rows.a[i] = v[0];
  m->rows.b[i] = v[1];
  m->rows.c[0][i] = v[2];
  m->rows.d[0][i] = reference(m->op, rounding[m->rnd], m->ftz, m->sat, v);
  if (m->lanes == 32) flush_row(m);
}

static void all_edges(struct mode *m) {
  const unsigned third = m->op == FMA ? f32_edge_count : 1;
  /* With three operands every other pair of modes sees every other value of c. */
  const unsigned step = m->op == FMA && (m->ftz || m->sat) ? 3 : 1;
  for (unsigned i = 0; i < f32_edge_count; i++)
    for (unsigned k = 0; k < f32_edge_count; k++)
      for (unsigned j = (i + k) % step; j < third; j += step) {
        const uint32_t v[3] = {f32_edges[i], f32_edges[k], f32_edges[j]};
        add_case(m, v);
      }
}

static void run_op(int op, enum heddle_isa_enc enc, const char *name) {
  static const uint64_t code[4] = {ISA_RND_RN, ISA_RND_RM, ISA_RND_RP, ISA_RND_RZ};
  static const char *const suffix[4] = {"RN", "RM", "RP", "RZ"};
  for (unsigned n = 0; n < 16; n++) {
    struct mode m = {.op = op, .rnd = n / 4, .ftz = (n & 1) != 0, .sat = (n & 2) != 0};
    m.rows.d_words = 1;
    m.rows.word = WORD(enc, ISA_F_RND, code[m.rnd], ISA_F_FTZ, m.ftz ? ISA_FTZ_FTZ : ISA_FTZ_NONE, ISA_F_SAT,
                       m.sat ? ISA_SAT_SAT : ISA_SAT_NONE);
    (void)snprintf(m.name, sizeof m.name, "%s.%s%s%s", name, suffix[m.rnd], m.ftz ? ".FTZ" : "", m.sat ? ".SAT" : "");
    all_edges(&m);
    uint64_t seed = 0x9e3779b97f4a7c15u + n;
    for (unsigned long i = 0; i < random_cases; i++) {
      uint32_t v[3];
      f32_random3(&seed, v);
      add_case(&m, v);
    }
    flush_row(&m);
  }
}

static void fadd_equals_mpfr(void **state) {
  (void)state;
  run_op(ADD, ISA_ENC_FADD_RR, "FADD");
}

static void fmul_equals_mpfr(void **state) {
  (void)state;
  run_op(MUL, ISA_ENC_FMUL_RR, "FMUL");
}

static void ffma_equals_mpfr(void **state) {
  (void)state;
  run_op(FMA, ISA_ENC_FFMA_RRR, "FFMA");
}

int TEST_MAIN(int argc, char **argv) {
  random_cases = case_count(argc, argv, 20000);
  mpfr_set_default_prec(24);
  mpfr_inits(x, y, z, r, least, (mpfr_ptr)0);
  (void)mpfr_set_ui_2exp(least, 1, -126, MPFR_RNDN);
  mpfr_set_emax(128);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fadd_equals_mpfr),
      cmocka_unit_test(fmul_equals_mpfr),
      cmocka_unit_test(ffma_equals_mpfr),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_clears(x, y, z, r, least, (mpfr_ptr)0);
  mpfr_free_cache();
  return failed;
}
