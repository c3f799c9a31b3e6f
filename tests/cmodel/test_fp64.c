/* SPDX-License-Identifier: Apache-2.0
 *
 * DADD, DMUL, DFMA, DMNMX, DSETP against MPFR; NaNs by the prose.
 */
#include <stdio.h>

#include "tests/test.h"
#include "tests/cmodel/float_ref.h"
#include "tests/cmodel/rows.h"
#include "tests/cmodel/words.h"

static unsigned long random_cases;
static mpfr_t x, y, z, r;

enum op { ADD, MUL, FMA };

/* How an operand stands in a word. */
struct sign {
  bool neg, abs;
};

static uint64_t apply(uint64_t u, struct sign s) {
  const uint64_t sign = UINT64_C(1) << 63;
  if (s.abs) u &= ~sign;
  return s.neg ? u ^ sign : u;
}

/* The first NaN of b, c, a, quiet, as it was; 0 when there is none. */
static uint64_t operand_nan(const uint64_t v[3], unsigned operands) {
  static const unsigned turn[3] = {1, 2, 0};
  for (unsigned k = 0; k < 3; k++)
    if (turn[k] < operands && ref_is_nan(REF_F64, v[turn[k]])) return v[turn[k]] | UINT64_C(0x0008000000000000);
  return 0;
}

static uint64_t reference(enum op op, const uint64_t v[3], const struct sign s[3], mpfr_rnd_t rnd) {
  const uint64_t nan = operand_nan(v, op == FMA ? 3 : 2);
  int t;
  if (nan != 0) return nan;
  ref_set(x, REF_F64, apply(v[0], s[0]));
  ref_set(y, REF_F64, apply(v[1], s[1]));
  if (op == ADD) {
    t = mpfr_add(r, x, y, rnd);
  } else if (op == MUL) {
    t = mpfr_mul(r, x, y, rnd);
  } else {
    ref_set(z, REF_F64, apply(v[2], s[2]));
    t = mpfr_fma(r, x, y, z, rnd);
  }
  return ref_bits(r, t, REF_F64, rnd, false);
}

static void put(uint32_t low[32], uint32_t high[32], unsigned k, uint64_t v) {
  low[k] = (uint32_t)v;
  high[k] = (uint32_t)(v >> 32);
}

static void put_operands(struct rows *rows, unsigned k, const uint64_t v[3]) {
  put(rows->a, rows->a_up[0], k, v[0]);
  put(rows->b, rows->b_up[0], k, v[1]);
  put(rows->c[0], rows->c[1], k, v[2]);
}

/* Bars, which DFMA lacks, and minus. */
static struct heddle_isa_word signed_word(struct heddle_isa_word w, bool bars, unsigned operands,
                                          const struct sign s[3]) {
  static const enum heddle_isa_field neg[3] = {ISA_F_NA, ISA_F_NB, ISA_F_NC}, abs[2] = {ISA_F_AA, ISA_F_AB};
  for (unsigned k = 0; k < operands; k++) {
    w = heddle_isa_put(w, neg[k], s[k].neg);
    if (bars) w = heddle_isa_put(w, abs[k], s[k].abs);
  }
  return w;
}

static void random_signs(struct sign s[3], bool bars, uint64_t *seed) {
  for (unsigned k = 0; k < 3; k++) {
    s[k].neg = rnd32(seed) >> 5 & 1;
    s[k].abs = bars && (rnd32(seed) >> 5 & 1) != 0;
  }
}

static void try_op(enum op op, const char *name) {
  static const enum heddle_isa_enc enc[3] = {ISA_ENC_DADD_RR, ISA_ENC_DMUL_RR, ISA_ENC_DFMA_RRR};
  static const uint64_t code[4] = {ISA_RND_RN, ISA_RND_RM, ISA_RND_RP, ISA_RND_RZ};
  const unsigned operands = op == FMA ? 3 : 2;
  for (unsigned n = 0; n < 4; n++) {
    struct rows rows = {.d_words = 2};
    uint64_t seed = 1 + op + 4 * n;
    char what[32];
    (void)snprintf(what, sizeof what, "%s, rounding %u", name, n);
    bool more = true;
    for (unsigned long i = 0; more; i += 32) {
      struct sign s[3];
      random_signs(s, op != FMA, &seed);
      rows.word = signed_word(WORD(enc[op], ISA_F_RND, code[n]), op != FMA, operands, s);
      for (unsigned k = 0; k < 32; k++) {
        uint64_t v[3] = {0};
        more = ref_case(REF_F64, operands, i + k, random_cases, &seed, v);
        put_operands(&rows, k, v);
        put(rows.d[0], rows.d[1], k, reference(op, v, s, ref_rounding[n]));
      }
      rows_check(&rows, what);
    }
  }
}

static void dadd(void **state) {
  (void)state;
  try_op(ADD, "DADD");
}

static void dmul(void **state) {
  (void)state;
  try_op(MUL, "DMUL");
}

static void dfma(void **state) {
  (void)state;
  try_op(FMA, "DFMA");
}

/* ---- comparisons ---- */

static uint64_t minmax_reference(const uint64_t v[3], const struct sign s[3], bool minimum) {
  const uint64_t a = apply(v[0], s[0]), b = apply(v[1], s[1]);
  const bool na = ref_is_nan(REF_F64, a), nb = ref_is_nan(REF_F64, b);
  if (na && nb) return v[1] | UINT64_C(0x0008000000000000);
  if (na) return b;
  return nb ? a : ref_minmax(REF_F64, a, b, minimum);
}

static void dmnmx(void **state) {
  (void)state;
  struct rows rows = {.d_words = 2};
  uint64_t seed = 70;
  bool more = true;
  for (unsigned long i = 0; more; i += 32) {
    struct sign s[3];
    random_signs(s, true, &seed);
    rows.word = signed_word(WORD(ISA_ENC_DMNMX_RR, ISA_F_NA, 0), true, 2, s);
    rows.ps[0] = rnd32(&seed);
    for (unsigned k = 0; k < 32; k++) {
      uint64_t v[3] = {0};
      more = ref_case(REF_F64, 2, i + k, random_cases, &seed, v);
      put_operands(&rows, k, v);
      put(rows.d[0], rows.d[1], k, minmax_reference(v, s, (rows.ps[0] >> k & 1) != 0));
    }
    rows_check(&rows, "DMNMX");
  }
}

static void set_predicates(struct rows *rows, unsigned k, bool relation, enum ref_combine combine) {
  const bool p = (rows->ps[0] >> k & 1) != 0;
  rows->pd[0] |= (uint32_t)ref_bool(combine, relation, p) << k;
  rows->pd[1] |= (uint32_t)ref_bool(combine, !relation, p) << k;
}

static void dsetp(void **state) {
  (void)state;
  for (unsigned rel = 0; rel < REF_RELATIONS; rel++) {
    struct rows rows = {.n_pd = 2};
    uint64_t seed = 80 + rel;
    bool more = true;
    for (unsigned long i = 0; more; i += 32) {
      struct sign s[3];
      random_signs(s, true, &seed);
      const enum ref_combine combine = (enum ref_combine)(rnd32(&seed) % REF_COMBINES);
      rows.word = signed_word(
          WORD(ISA_ENC_DSETP_PRR, ISA_F_FCMP, ref_relation_code(rel), ISA_F_BOOL, ref_bool_code(combine)), true, 2, s);
      rows.ps[0] = rnd32(&seed);
      rows.pd[0] = rows.pd[1] = 0;
      for (unsigned k = 0; k < 32; k++) {
        uint64_t v[3] = {0};
        more = ref_case(REF_F64, 2, i + k, random_cases, &seed, v);
        put_operands(&rows, k, v);
        set_predicates(&rows, k, ref_relation(rel, REF_F64, apply(v[0], s[0]), apply(v[1], s[1])), combine);
      }
      rows_check(&rows, "DSETP");
    }
  }
}

int TEST_MAIN(int argc, char **argv) {
  random_cases = case_count(argc, argv, 20000);
  ref_init(x, REF_F64);
  ref_init(y, REF_F64);
  ref_init(z, REF_F64);
  ref_init(r, REF_F64);
  const struct CMUnitTest tests[] = {cmocka_unit_test(dadd), cmocka_unit_test(dmul), cmocka_unit_test(dfma),
                                     cmocka_unit_test(dmnmx), cmocka_unit_test(dsetp)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_clears(x, y, z, r, (mpfr_ptr)0);
  mpfr_free_cache();
  return failed;
}
