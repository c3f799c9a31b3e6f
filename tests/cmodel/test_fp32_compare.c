/* SPDX-License-Identifier: Apache-2.0
 *
 * FMNMX, FSETP, FSET and FCHK against MPFR's comparison and exponents; FSEL.
 */
#include <mpfr.h>
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/rows.h"
#include "tests/cmodel/words.h"

static unsigned long random_cases;
static mpfr_t x, y;

static uint32_t flushed(uint32_t u, bool ftz) {
  return ftz && ((u >> 23) & 255u) == 0 ? u & 0x80000000u : u;
}

static void load(mpfr_t v, uint32_t u) {
  float f;
  memcpy(&f, &u, sizeof f);
  mpfr_set_flt(v, f, MPFR_RNDN);
}

static uint32_t minmax_reference(uint32_t a, uint32_t b, bool minimum, bool ftz, bool keep_nan) {
  a = flushed(a, ftz);
  b = flushed(b, ftz);
  load(x, a);
  load(y, b);
  if (keep_nan && mpfr_unordered_p(x, y)) return 0x7fffffffu;
  if (mpfr_nan_p(x) && mpfr_nan_p(y)) return 0x7fffffffu;
  if (mpfr_nan_p(x)) return b;
  if (mpfr_nan_p(y)) return a;
  const int order = mpfr_cmp(x, y);
  const bool a_first = order < 0 || (order == 0 && mpfr_signbit(x) != 0); /* -0 before +0 */
  if (minimum) return a_first ? a : b;
  return a_first ? b : a;
}

/* The names of the comparisons, as words: <, =, >, and whether NaN counts. */
static const struct {
  uint64_t code;
  bool lt, eq, gt, nan;
} comparison[] = {
    {ISA_FCMP_F, 0, 0, 0, 0},   {ISA_FCMP_LT, 1, 0, 0, 0},  {ISA_FCMP_EQ, 0, 1, 0, 0},  {ISA_FCMP_LE, 1, 1, 0, 0},
    {ISA_FCMP_GT, 0, 0, 1, 0},  {ISA_FCMP_NE, 1, 0, 1, 0},  {ISA_FCMP_GE, 0, 1, 1, 0},  {ISA_FCMP_NUM, 1, 1, 1, 0},
    {ISA_FCMP_NAN, 0, 0, 0, 1}, {ISA_FCMP_LTU, 1, 0, 0, 1}, {ISA_FCMP_EQU, 0, 1, 0, 1}, {ISA_FCMP_LEU, 1, 1, 0, 1},
    {ISA_FCMP_GTU, 0, 0, 1, 1}, {ISA_FCMP_NEU, 1, 0, 1, 1}, {ISA_FCMP_GEU, 0, 1, 1, 1}, {ISA_FCMP_T, 1, 1, 1, 1}};

static bool compare_reference(unsigned n, uint32_t a, uint32_t b, bool ftz) {
  load(x, flushed(a, ftz));
  load(y, flushed(b, ftz));
  if (mpfr_unordered_p(x, y)) return comparison[n].nan;
  const int order = mpfr_cmp(x, y);
  return order < 0 ? comparison[n].lt : (order == 0 ? comparison[n].eq : comparison[n].gt);
}

/* All pairs of edges, then random ones, half of which differ by little. */
static bool next_pair(unsigned long n, uint64_t *seed, uint32_t *a, uint32_t *b) {
  const unsigned long pairs = (unsigned long)f32_edge_count * f32_edge_count;
  if (n < pairs) {
    *a = f32_edges[n / f32_edge_count];
    *b = f32_edges[n % f32_edge_count];
  } else {
    *a = rnd32(seed);
    *b = rnd32(seed) % 2 != 0 ? rnd32(seed) : *a + rnd32(seed) % 3 - 1;
  }
  return n < pairs + random_cases;
}

static void fmnmx_one(bool ftz, bool keep_nan) {
  struct rows rows = {.d_words = 1};
  rows.word = WORD(ISA_ENC_FMNMX_RR, ISA_F_FTZ, ftz ? ISA_FTZ_FTZ : ISA_FTZ_NONE, ISA_F_KEEPN,
                   keep_nan ? ISA_KEEPN_NAN : ISA_KEEPN_NONE);
  char name[40];
  (void)snprintf(name, sizeof name, "FMNMX%s%s", ftz ? ".FTZ" : "", keep_nan ? ".NAN" : "");
  uint64_t seed = 5;
  bool more = true;
  for (unsigned long n = 0; more; n += 32) {
    rows.ps[0] = rnd32(&seed);
    for (unsigned k = 0; k < 32; k++) {
      more = next_pair(n + k, &seed, &rows.a[k], &rows.b[k]);
      rows.d[0][k] = minmax_reference(rows.a[k], rows.b[k], (rows.ps[0] >> k & 1) != 0, ftz, keep_nan);
    }
    rows_check(&rows, name);
  }
}

static void fmnmx_equals_mpfr(void **state) {
  (void)state;
  for (unsigned v = 0; v < 4; v++) fmnmx_one(v % 2 != 0, v / 2 != 0);
  const struct heddle_isa_word keep = WORD(ISA_ENC_FMNMX_RR, ISA_F_KEEPN, ISA_KEEPN_NAN);
  silicon_rows("min.NaN.f32", "f32", keep, "ab", true);
  silicon_rows("max.NaN.f32", "f32", keep, "ab", false);
}

static const uint64_t bool_codes[3] = {ISA_BOOL_AND, ISA_BOOL_OR, ISA_BOOL_XOR};

static void fsetp_one(unsigned n, bool ftz, unsigned combine) {
  struct rows rows = {.n_pd = 2};
  rows.word = WORD(ISA_ENC_FSETP_PRR, ISA_F_FCMP, comparison[n].code, ISA_F_BOOL, bool_codes[combine], ISA_F_FTZ,
                   ftz ? ISA_FTZ_FTZ : ISA_FTZ_NONE);
  uint64_t seed = 7 + n;
  bool more = true;
  char name[40];
  (void)snprintf(name, sizeof name, "FSETP relation %u bool %u%s", n, combine, ftz ? ".FTZ" : "");
  for (unsigned long i = 0; more; i += 32) {
    rows.ps[0] = rnd32(&seed);
    rows.pd[0] = rows.pd[1] = 0;
    for (unsigned k = 0; k < 32; k++) {
      more = next_pair(i + k, &seed, &rows.a[k], &rows.b[k]);
      const bool r = compare_reference(n, rows.a[k], rows.b[k], ftz), s = (rows.ps[0] >> k & 1) != 0;
      const bool p = combine == 0 ? r && s : (combine == 1 ? r || s : r != s);
      const bool q = combine == 0 ? !r && s : (combine == 1 ? !r || s : !r != s);
      rows.pd[0] |= (uint32_t)p << k;
      rows.pd[1] |= (uint32_t)q << k;
    }
    rows_check(&rows, name);
  }
}

static void fsetp_equals_mpfr(void **state) {
  (void)state;
  for (unsigned n = 0; n < 16; n++)
    for (unsigned m = 0; m < 6; m++) fsetp_one(n, m % 2 != 0, m / 2);
}

/* FSET: FSETP's first predicate as a word. */
static void fset_one(unsigned n, bool ftz, unsigned combine, bool one_point) {
  struct rows rows = {.d_words = 1};
  rows.word = WORD(ISA_ENC_FSET_RR, ISA_F_FCMP, comparison[n].code, ISA_F_BOOL, bool_codes[combine], ISA_F_FTZ,
                   ftz ? ISA_FTZ_FTZ : ISA_FTZ_NONE, ISA_F_BF, one_point ? ISA_BF_BF : ISA_BF_NONE);
  uint64_t seed = 9 + n;
  bool more = true;
  char name[40];
  (void)snprintf(name, sizeof name, "FSET relation %u bool %u%s%s", n, combine, ftz ? ".FTZ" : "",
                 one_point ? ".BF" : "");
  for (unsigned long i = 0; more; i += 32) {
    rows.ps[0] = rnd32(&seed);
    for (unsigned k = 0; k < 32; k++) {
      more = next_pair(i + k, &seed, &rows.a[k], &rows.b[k]);
      const bool r = compare_reference(n, rows.a[k], rows.b[k], ftz), s = (rows.ps[0] >> k & 1) != 0;
      const bool yes = combine == 0 ? r && s : (combine == 1 ? r || s : r != s);
      rows.d[0][k] = yes ? (one_point ? 0x3f800000u : 0xffffffffu) : 0;
    }
    rows_check(&rows, name);
  }
}

static void fset_equals_mpfr(void **state) {
  (void)state;
  for (unsigned n = 0; n < 16; n++)
    for (unsigned m = 0; m < 12; m++) fset_one(n, m % 2 != 0, m / 4, m / 2 % 2 != 0);
}

static void fsel_chooses(void **state) {
  (void)state;
  for (unsigned ftz = 0; ftz < 2; ftz++) {
    struct rows rows = {.d_words = 1};
    rows.word = WORD(ISA_ENC_FSEL_RR, ISA_F_FTZ, ftz != 0 ? ISA_FTZ_FTZ : ISA_FTZ_NONE);
    uint64_t seed = 6;
    bool more = true;
    for (unsigned long n = 0; more; n += 32) {
      rows.ps[0] = rnd32(&seed);
      for (unsigned k = 0; k < 32; k++) {
        more = next_pair(n + k, &seed, &rows.a[k], &rows.b[k]);
        rows.d[0][k] = flushed((rows.ps[0] >> k & 1) != 0 ? rows.a[k] : rows.b[k], ftz != 0);
      }
      rows_check(&rows, "FSEL");
    }
  }
}

/* The exponent field, from MPFR's view of the value: 0 below 2^-126, 255 for infinities and NaN. */
static int exponent_field(uint32_t u) {
  load(x, u);
  if (!mpfr_number_p(x)) return 255;
  if (mpfr_zero_p(x)) return 0;
  const int e = (int)mpfr_get_exp(x) + 126; /* MPFR: the significand lies in [1/2, 1) */
  return e < 0 ? 0 : e;
}

static bool fchk_reference(uint32_t a, uint32_t b) {
  const int ea = exponent_field(a), eb = exponent_field(b);
  const bool easy = 24 < ea && ea < 255 && 2 <= eb && eb <= 252 && -100 <= ea - eb && ea - eb <= 125;
  return !easy;
}

/* All pairs of exponents with any signs and significands, then the usual edges. */
static void fchk_looks_at_exponents(void **state) {
  (void)state;
  struct rows rows = {.n_pd = 1, .word = WORD(ISA_ENC_FCHK_DIVIDE_PRR, ISA_F_PD0, 1)};
  uint64_t seed = 8;
  bool more = true;
  for (unsigned long n = 0; more; n += 32) {
    rows.pd[0] = 0;
    for (unsigned k = 0; k < 32; k++) {
      const uint32_t ea = (uint32_t)(n + k) / 256, eb = (uint32_t)(n + k) % 256;
      rows.a[k] = (rnd32(&seed) & 0x807fffffu) | ea << 23;
      rows.b[k] = (rnd32(&seed) & 0x807fffffu) | eb << 23;
      if (ea >= 256) more = next_pair(n + k - 65536, &seed, &rows.a[k], &rows.b[k]);
      rows.pd[0] |= (uint32_t)fchk_reference(rows.a[k], rows.b[k]) << k;
    }
    rows_check(&rows, "FCHK.DIVIDE");
  }
}

int TEST_MAIN(int argc, char **argv) {
  random_cases = case_count(argc, argv, 5000);
  mpfr_inits2(24, x, y, (mpfr_ptr)0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fmnmx_equals_mpfr),       cmocka_unit_test(fsetp_equals_mpfr),
      cmocka_unit_test(fset_equals_mpfr),        cmocka_unit_test(fsel_chooses),
      cmocka_unit_test(fchk_looks_at_exponents),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_clears(x, y, (mpfr_ptr)0);
  mpfr_free_cache();
  return failed;
}
