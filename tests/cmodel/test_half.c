/* SPDX-License-Identifier: Apache-2.0
 *
 * HADD2, HMUL2, HFMA2, HMNMX2, HSET2, HSETP2 against MPFR, all parts.
 */
#include <stdio.h>

#include "tests/test.h"
#include "tests/cmodel/float_ref.h"
#include "tests/cmodel/rows.h"
#include "tests/cmodel/words.h"

static unsigned long random_cases;
static mpfr_t x, y, z, r;

enum op { ADD, MUL, FMA };
enum { FTZ = 1, SAT = 2, RELU = 4 };

static uint64_t reference(enum op op, const uint64_t v[3], unsigned mods) {
  const bool ftz = (mods & FTZ) != 0;
  int t;
  ref_set(x, REF_F16, ref_flush(REF_F16, v[0], ftz));
  ref_set(y, REF_F16, ref_flush(REF_F16, v[1], ftz));
  if (op == ADD) {
    t = mpfr_add(r, x, y, MPFR_RNDN);
  } else if (op == MUL) {
    t = mpfr_mul(r, x, y, MPFR_RNDN);
  } else {
    ref_set(z, REF_F16, ref_flush(REF_F16, v[2], ftz));
    t = mpfr_fma(r, x, y, z, MPFR_RNDN);
  }
  uint64_t u = ref_bits(r, t, REF_F16, MPFR_RNDN, ftz);
  if ((mods & RELU) != 0 && (u & 0x8000u) != 0) u = 0;
  return (mods & SAT) != 0 ? ref_saturate(REF_F16, u) : u;
}

/* ---- operands: what half k of the result sees of part p is at half pick[p][k] ---- */

static const uint64_t part_code[3] = {ISA_HALVES_H1_H0, ISA_HALVES_H0_H0, ISA_HALVES_H1_H1};
static const unsigned pick[3][2] = {{0, 1}, {0, 0}, {1, 1}};

static uint64_t seen(uint32_t word, unsigned part, unsigned k) {
  return word >> (16 * pick[part][k]) & 0xffffu;
}

/* Two cases in each lane of the operands' rows; what the parts make of them is another matter. */
static bool fill(struct rows *rows, unsigned operands, unsigned long *n, unsigned long random, uint64_t *seed) {
  bool more = true;
  for (unsigned k = 0; k < 32; k++) {
    uint64_t v[2][3] = {{0}};
    for (unsigned h = 0; h < 2; h++) more = ref_case(REF_F16, operands, (*n)++, random, seed, v[h]);
    rows->a[k] = (uint32_t)(v[0][0] | v[1][0] << 16);
    rows->b[k] = (uint32_t)(v[0][1] | v[1][1] << 16);
    rows->c[0][k] = (uint32_t)(v[0][2] | v[1][2] << 16);
  }
  return more;
}

static void expect_arithmetic(struct rows *rows, enum op op, unsigned mods, const unsigned part[3]) {
  for (unsigned k = 0; k < 32; k++) {
    rows->d[0][k] = 0;
    for (unsigned h = 0; h < 2; h++) {
      const uint64_t v[3] = {seen(rows->a[k], part[0], h), seen(rows->b[k], part[1], h),
                             seen(rows->c[0][k], part[2], h)};
      rows->d[0][k] |= (uint32_t)reference(op, v, mods) << (16 * h);
    }
  }
}

static struct heddle_isa_word arithmetic_word(enum op op, unsigned mods, const unsigned part[3]) {
  static const enum heddle_isa_enc enc[3] = {ISA_ENC_HADD2_RR, ISA_ENC_HMUL2_RR, ISA_ENC_HFMA2_RRR};
  struct heddle_isa_word w =
      WORD(enc[op], ISA_F_FTZ, (mods & FTZ) != 0 ? ISA_FTZ_FTZ : ISA_FTZ_NONE, ISA_F_SAT,
           (mods & SAT) != 0 ? ISA_SAT_SAT : ISA_SAT_NONE, ISA_F_HA, part_code[part[0]], ISA_F_HB, part_code[part[1]]);
  if (op != FMA) return w;
  w = heddle_isa_put(w, ISA_F_HC, part_code[part[2]]);
  return heddle_isa_put(w, ISA_F_RELU, (mods & RELU) != 0 ? ISA_RELU_RELU : ISA_RELU_NONE);
}

/* Edges with their own halves, so that all crossings are met; then parts at random. */
static void try_arithmetic(enum op op, unsigned mods, const char *name) {
  const unsigned operands = op == FMA ? 3 : 2;
  struct rows rows = {.d_words = 1};
  uint64_t seed = 1 + op + 4 * mods;
  char what[32];
  (void)snprintf(what, sizeof what, "%s, modifiers %u", name, mods);
  bool more = true;
  for (unsigned long n = 0; more;) {
    unsigned part[3] = {0, 0, 0};
    const bool edges = ref_case(REF_F16, operands, n, 0, &seed, (uint64_t[3]){0});
    for (unsigned k = 0; k < operands && !edges; k++) part[k] = rnd32(&seed) % 3;
    more = fill(&rows, operands, &n, random_cases, &seed);
    rows.word = arithmetic_word(op, mods, part);
    expect_arithmetic(&rows, op, mods, part);
    rows_check(&rows, what);
  }
}

static void hadd2(void **state) {
  (void)state;
  for (unsigned mods = 0; mods < 4; mods++) try_arithmetic(ADD, mods, "HADD2");
}

static void hmul2(void **state) {
  (void)state;
  for (unsigned mods = 0; mods < 4; mods++) try_arithmetic(MUL, mods, "HMUL2");
}

static void hfma2(void **state) {
  (void)state;
  for (unsigned mods = 0; mods < 8; mods++) try_arithmetic(FMA, mods, "HFMA2");
}

/* Every half through an HADD2 with -0 (as abs and neg of halves are made), an HMUL2 with 1 and an HFMA2 of both. */
static void every_half(void **state) {
  (void)state;
  static const uint32_t second[3] = {0x80008000u, 0x3c003c00u, 0x3c003c00u};
  static const unsigned own[3] = {0, 0, 0};
  for (unsigned op = 0; op < 3; op++)
    for (unsigned mods = 0; mods < (op == FMA ? 8 : 4); mods++) {
      struct rows rows = {.word = arithmetic_word((enum op)op, mods, own), .d_words = 1};
      for (uint32_t u = 0; u < 0x10000u; u += 64) {
        for (uint32_t k = 0; k < 32; k++) {
          rows.a[k] = (u + 2 * k) | (u + 2 * k + 1) << 16;
          rows.b[k] = second[op];
          rows.c[0][k] = 0x80008000u;
        }
        expect_arithmetic(&rows, (enum op)op, mods, own);
        rows_check(&rows, "every half");
      }
    }
}

/* ---- comparisons ---- */

static uint64_t minmax_reference(uint64_t a, uint64_t b, bool minimum, bool ftz, bool keep_nan) {
  a = ref_flush(REF_F16, a, ftz);
  b = ref_flush(REF_F16, b, ftz);
  const bool na = ref_is_nan(REF_F16, a), nb = ref_is_nan(REF_F16, b);
  if ((na && nb) || (keep_nan && (na || nb))) return 0x7fff;
  if (na) return b;
  return nb ? a : ref_minmax(REF_F16, a, b, minimum);
}

static void hmnmx2(void **state) {
  (void)state;
  for (unsigned m = 0; m < 4; m++) {
    const bool ftz = (m & 1) != 0, keep_nan = (m & 2) != 0;
    struct rows rows = {.d_words = 1};
    uint64_t seed = 40 + m;
    bool more = true;
    for (unsigned long n = 0; more;) {
      const unsigned pa = rnd32(&seed) % 3, pb = rnd32(&seed) % 3;
      more = fill(&rows, 2, &n, random_cases, &seed);
      rows.ps[0] = rnd32(&seed);
      rows.word = WORD(ISA_ENC_HMNMX2_RR, ISA_F_FTZ, ftz ? ISA_FTZ_FTZ : ISA_FTZ_NONE, ISA_F_KEEPN,
                       keep_nan ? ISA_KEEPN_NAN : ISA_KEEPN_NONE, ISA_F_HA, part_code[pa], ISA_F_HB, part_code[pb]);
      for (unsigned k = 0; k < 32; k++) {
        rows.d[0][k] = 0;
        for (unsigned h = 0; h < 2; h++)
          rows.d[0][k] |= (uint32_t)minmax_reference(seen(rows.a[k], pa, h), seen(rows.b[k], pb, h),
                                                     (rows.ps[0] >> k & 1) != 0, ftz, keep_nan)
                          << (16 * h);
      }
      rows_check(&rows, "HMNMX2");
    }
  }
}

/* One relation of two rows: the predicate form and both register forms. */
static void set_row(struct rows *rows, unsigned rel, enum ref_combine combine, bool ftz, const unsigned part[2]) {
  rows->pd[0] = rows->pd[1] = 0;
  for (unsigned k = 0; k < 32; k++)
    for (unsigned h = 0; h < 2; h++) {
      const uint64_t u = ref_flush(REF_F16, seen(rows->a[k], part[0], h), ftz);
      const uint64_t v = ref_flush(REF_F16, seen(rows->b[k], part[1], h), ftz);
      const bool q = ref_bool(combine, ref_relation(rel, REF_F16, u, v), (rows->ps[0] >> k & 1) != 0);
      rows->pd[h] |= (uint32_t)q << k;
    }
  const uint64_t pairs[] = {ISA_F_FCMP, ref_relation_code(rel),
                            ISA_F_BOOL, ref_bool_code(combine),
                            ISA_F_FTZ,  ftz ? ISA_FTZ_FTZ : ISA_FTZ_NONE,
                            ISA_F_HA,   part_code[part[0]],
                            ISA_F_HB,   part_code[part[1]]};
  rows->d_words = 0;
  rows->n_pd = 2;
  rows->word = word_make(ISA_ENC_HSETP2_PRR, 5, pairs);
  rows_check(rows, "HSETP2");
  rows->d_words = 1;
  rows->n_pd = 0;
  for (unsigned bf = 0; bf < 2; bf++) {
    const uint32_t yes = bf != 0 ? 0x3c00u : 0xffffu;
    for (unsigned k = 0; k < 32; k++)
      rows->d[0][k] = ((rows->pd[0] >> k & 1) != 0 ? yes : 0) | ((rows->pd[1] >> k & 1) != 0 ? yes : 0) << 16;
    rows->word = heddle_isa_put(word_make(ISA_ENC_HSET2_RR, 5, pairs), ISA_F_BF, bf != 0 ? ISA_BF_BF : ISA_BF_NONE);
    rows_check(rows, "HSET2");
  }
}

static void hset2(void **state) {
  (void)state;
  for (unsigned rel = 0; rel < REF_RELATIONS; rel++) {
    struct rows rows = {0};
    uint64_t seed = 60 + rel;
    bool more = true;
    for (unsigned long n = 0; more;) {
      const unsigned first = rnd32(&seed) % 3, part[2] = {first, rnd32(&seed) % 3};
      more = fill(&rows, 2, &n, random_cases, &seed);
      rows.ps[0] = rnd32(&seed);
      const enum ref_combine combine = (enum ref_combine)(rnd32(&seed) % REF_COMBINES);
      set_row(&rows, rel, combine, rnd32(&seed) % 2 != 0, part);
    }
  }
}

int TEST_MAIN(int argc, char **argv) {
  random_cases = case_count(argc, argv, 20000);
  ref_init(x, REF_F16);
  ref_init(y, REF_F16);
  ref_init(z, REF_F16);
  ref_init(r, REF_F16);
  const struct CMUnitTest tests[] = {cmocka_unit_test(hadd2),      cmocka_unit_test(hmul2),  cmocka_unit_test(hfma2),
                                     cmocka_unit_test(every_half), cmocka_unit_test(hmnmx2), cmocka_unit_test(hset2)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_clears(x, y, z, r, (mpfr_ptr)0);
  mpfr_free_cache();
  return failed;
}
