/* SPDX-License-Identifier: Apache-2.0
 *
 * I2F and F2I of all types against MPFR; every half, and every small integer.
 * (test_convert.c has those of 32 bits alone, at length.)
 */
#include <stdio.h>

#include "tests/test.h"
#include "tests/cmodel/convert_cases.h"
#include "tests/cmodel/words.h"
#include "base/splitmix64.h"

static unsigned long random_cases;
static mpfr_t wide, result[3]; /* wide holds every source exactly; result by format */

static const struct {
  const char *name;
  uint64_t code;
  unsigned bits;
  bool is_unsigned;
} integer[8] = {{"S8", ISA_ITYPE_S8, 8, false},    {"U8", ISA_ITYPE_U8, 8, true},     {"S16", ISA_ITYPE_S16, 16, false},
                {"U16", ISA_ITYPE_U16, 16, true},  {"S32", ISA_ITYPE_S32, 32, false}, {"U32", ISA_ITYPE_U32, 32, true},
                {"S64", ISA_ITYPE_S64, 64, false}, {"U64", ISA_ITYPE_U64, 64, true}};

/* Integers of all magnitudes, with neighbours of powers of two and of their halves. */
static uint64_t int_case(unsigned long n, unsigned bits, uint64_t *seed) {
  const unsigned k = rnd32(seed) % bits, l = rnd32(seed) % bits;
  const uint64_t mask = ~UINT64_C(0) >> (64 - bits), top = UINT64_C(1) << (bits - 1);
  const uint64_t edge[] = {0, 1, 2, mask, mask - 1, top, top - 1, top + 1};
  if (n < sizeof edge / sizeof edge[0]) return edge[n] & mask;
  switch (rnd32(seed) % 5) {
  case 0:
    return splitmix64(seed) & mask;
  case 1:
    return (splitmix64(seed) & mask) >> k;
  case 2:
    return ((UINT64_C(1) << k) + rnd32(seed) % 5 - 2) & mask;
  case 3:
    return ((UINT64_C(1) << k) + (UINT64_C(1) << l) + rnd32(seed) % 3 - 1) & mask; /* ties, and beside them */
  default:
    return (0 - ((splitmix64(seed) & mask) >> k)) & mask;
  }
}

static int64_t extend(uint64_t v, unsigned bits) {
  return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static void try_i2f(unsigned from, enum ref_format g, unsigned n) {
  struct rows rows = {.d_words = g == REF_F64 ? 2 : 1};
  const unsigned bits = integer[from].bits;
  uint64_t seed = 301 + n + 4 * g + 16 * from;
  char what[32];
  (void)snprintf(what, sizeof what, "I2F.%s.%s, rounding %u", format_name[g], integer[from].name, n);
  rows.word = WORD(ISA_ENC_I2F_R, ISA_F_FLT, ftype_code[g], ISA_F_ISRC, integer[from].code, ISA_F_RND, rnd_code[n]);
  const unsigned long cases = bits <= 16 ? 0x10000u : random_cases; /* small ones all */
  for (unsigned long i = 0; i < cases; i += 32) {
    for (unsigned k = 0; k < 32; k++) {
      const uint64_t v = bits == 8 ? (i + k) & 0xffu : (bits == 16 ? i + k : int_case(i + k, bits, &seed));
      put_source(&rows, k, bits, v, false, &seed);
      const int t = integer[from].is_unsigned ? mpfr_set_ui(result[g], v, ref_rounding[n])
                                              : mpfr_set_si(result[g], extend(v, bits), ref_rounding[n]);
      put_result(&rows, k, ref_bits(result[g], t, g, ref_rounding[n], false));
    }
    rows_check(&rows, what);
  }
}

static void i2f(void **state) {
  (void)state;
  for (unsigned n = 0; n < 96; n++) try_i2f(n / 12, (enum ref_format)(n / 4 % 3), n % 4);
}

static uint64_t f2i_nan(enum ref_format f, unsigned to) {
  const unsigned bits = integer[to].bits;
  const uint64_t top = UINT64_C(1) << (bits - 1);
  if (f != REF_F64 && bits < 64) return 0;
  return integer[to].is_unsigned ? top : (uint64_t)extend(top, bits);
}

static uint64_t f2i_reference(enum ref_format f, unsigned to, uint64_t u, const struct mods *m, mpfr_rnd_t rnd) {
  const unsigned bits = integer[to].bits;
  if (ref_is_nan(f, u)) return f2i_nan(f, to);
  ref_set(wide, f, with_signs_applied(f, ref_flush(f, u, m->ftz && f == REF_F32), m));
  (void)mpfr_rint(wide, wide, rnd);
  if (integer[to].is_unsigned) {
    const uint64_t most = ~UINT64_C(0) >> (64 - bits);
    if (mpfr_sgn(wide) <= 0) return 0;
    return mpfr_cmp_ui(wide, most) > 0 ? most : mpfr_get_ui(wide, MPFR_RNDN);
  }
  const int64_t most = (int64_t)(~UINT64_C(0) >> (65 - bits)), least = -most - 1;
  if (mpfr_cmp_si(wide, most) > 0) return (uint64_t)most;
  return (uint64_t)(mpfr_cmp_si(wide, least) < 0 ? least : mpfr_get_si(wide, MPFR_RNDN));
}

/* About the integers of the destination, and halves between them. */
static uint64_t f2i_source(enum ref_format f, unsigned to, uint64_t *seed, uint64_t u) {
  if (f == REF_F16 || rnd32(seed) % 2 != 0) return u;
  const unsigned bits = integer[to].bits;
  const uint64_t v = int_case(rnd32(seed) % 16, bits, seed);
  (void)(integer[to].is_unsigned ? mpfr_set_ui(wide, v, MPFR_RNDN) : mpfr_set_si(wide, extend(v, bits), MPFR_RNDN));
  (void)mpfr_mul_2ui(wide, wide, 1, MPFR_RNDN);
  (void)mpfr_add_si(wide, wide, (long)(rnd32(seed) % 5) - 2, MPFR_RNDN);
  (void)mpfr_div_2ui(wide, wide, 1, MPFR_RNDN);
  const int t = mpfr_set(result[f], wide, MPFR_RNDN);
  return ref_bits(result[f], t, f, MPFR_RNDN, false) + rnd32(seed) % 3 / 2;
}

static void try_f2i(unsigned to, enum ref_format f, unsigned n) {
  struct rows rows = {.d_words = integer[to].bits == 64 ? 2 : 1};
  uint64_t seed = 501 + n + 4 * f + 16 * to;
  char what[32];
  (void)snprintf(what, sizeof what, "F2I.%s.%s, rounding %u", integer[to].name, format_name[f], n);
  for (unsigned turn = 0; turn < float_turns(f, random_cases); turn++) {
    bool more = true;
    for (unsigned long i = 0; more; i += 32) {
      const struct mods m = random_mods(&seed);
      rows.word = with_signs(WORD(ISA_ENC_F2I_R, ISA_F_FLT, ftype_code[f], ISA_F_DINT, integer[to].code, ISA_F_IRND,
                                  irnd_code[n], ISA_F_FTZ, m.ftz ? ISA_FTZ_FTZ : ISA_FTZ_NONE),
                             &m);
      for (unsigned k = 0; k < 32; k++) {
        uint64_t u;
        more = float_case(f, f, i + k, random_cases, &seed, &u);
        if (i >= 200) u = f2i_source(f, to, &seed, u);
        put_source(&rows, k, ref_info[f].bits, u, false, &seed);
        put_result(&rows, k, f2i_reference(f, to, u, &m, ref_rounding[n]));
      }
      rows_check(&rows, what);
    }
  }
}

static void f2i(void **state) {
  (void)state;
  for (unsigned n = 0; n < 96; n++) try_f2i(n / 12, (enum ref_format)(n / 4 % 3), n % 4);
}

int TEST_MAIN(int argc, char **argv) {
  random_cases = case_count(argc, argv, 20000);
  mpfr_init2(wide, 70);
  for (unsigned f = 0; f < 3; f++) ref_init(result[f], (enum ref_format)f);
  const struct CMUnitTest tests[] = {cmocka_unit_test(i2f), cmocka_unit_test(f2i)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_clears(wide, result[0], result[1], result[2], (mpfr_ptr)0);
  mpfr_free_cache();
  return failed;
}
