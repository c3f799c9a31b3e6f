/* SPDX-License-Identifier: Apache-2.0
 *
 * F2F, FRND and F2FP of all types against MPFR; every half where the source is one.
 */
#include <stdio.h>

#include "tests/test.h"
#include "tests/cmodel/convert_cases.h"
#include "tests/cmodel/words.h"

static unsigned long random_cases;
static mpfr_t wide, result[3]; /* wide holds every source exactly; result by format */

/* ---- F2F ---- */

/* A NaN of format f in format g, quiet, sign and as much of the payload as there is room for. */
static uint64_t move_nan(enum ref_format f, enum ref_format g, uint64_t u) {
  const unsigned have = ref_info[f].digits - 1, want = ref_info[g].digits - 1;
  const uint64_t payload = u & ((UINT64_C(1) << have) - 1), sign = (u & ref_info[f].sign) != 0 ? ref_info[g].sign : 0;
  return sign | ref_info[g].inf | UINT64_C(1) << (want - 1) |
         (want >= have ? payload << (want - have) : payload >> (have - want));
}

static uint64_t f2f_reference(enum ref_format f, enum ref_format g, uint64_t u, const struct mods *m, mpfr_rnd_t rnd) {
  uint64_t r;
  if (ref_is_nan(f, u)) {
    r = f == REF_F64 || g == REF_F64 ? move_nan(f, g, u) : ref_info[g].nan;
  } else {
    ref_set(wide, f, with_signs_applied(f, ref_flush(f, u, m->ftz && f == REF_F32), m));
    const int t = mpfr_set(result[g], wide, rnd);
    r = ref_bits(result[g], t, g, rnd, m->ftz && g == REF_F32);
  }
  return m->sat ? ref_saturate(g, r) : r;
}

static void try_f2f(enum ref_format f, enum ref_format g, unsigned n) {
  struct rows rows = {.d_words = g == REF_F64 ? 2 : 1};
  uint64_t seed = 1 + n + 4 * f + 16 * g;
  char what[32];
  (void)snprintf(what, sizeof what, "F2F.%s.%s, rounding %u", format_name[g], format_name[f], n);
  for (unsigned turn = 0; turn < float_turns(f, random_cases); turn++) {
    bool more = true;
    for (unsigned long i = 0; more; i += 32) {
      struct mods m = random_mods(&seed);
      if (f != REF_F16) m.high = false;
      rows.word = with_signs(WORD(ISA_ENC_F2F_R, ISA_F_FDST, fto_code[g], ISA_F_FSRC, fto_code[f], ISA_F_RND,
                                  rnd_code[n], ISA_F_FTZ, m.ftz ? ISA_FTZ_FTZ : ISA_FTZ_NONE, ISA_F_SAT,
                                  m.sat ? ISA_SAT_SAT : ISA_SAT_NONE, ISA_F_H1, m.high ? ISA_HALF1_H1 : ISA_HALF1_H0),
                             &m);
      for (unsigned k = 0; k < 32; k++) {
        uint64_t u;
        more = float_case(f, g, i + k, random_cases, &seed, &u);
        put_source(&rows, k, ref_info[f].bits, u, m.high, &seed);
        put_result(&rows, k, f2f_reference(f, g, u, &m, ref_rounding[n]));
      }
      rows_check(&rows, what);
    }
  }
}

static void f2f(void **state) {
  (void)state;
  for (unsigned n = 0; n < 36; n++) try_f2f((enum ref_format)(n / 4 % 3), (enum ref_format)(n / 12), n % 4);
}

/* ---- FRND ---- */

static uint64_t frnd_reference(enum ref_format f, uint64_t u, const struct mods *m, mpfr_rnd_t rnd) {
  if (ref_is_nan(f, u)) return f == REF_F64 ? move_nan(f, f, u) : ref_info[f].nan;
  ref_set(wide, f, with_signs_applied(f, ref_flush(f, u, m->ftz && f == REF_F32), m));
  (void)mpfr_rint(result[f], wide, rnd);
  return ref_bits(result[f], 0, f, rnd, false);
}

static void try_frnd(enum ref_format f, unsigned n) {
  struct rows rows = {.d_words = f == REF_F64 ? 2 : 1};
  uint64_t seed = 101 + n + 4 * f;
  char what[32];
  (void)snprintf(what, sizeof what, "FRND.%s, rounding %u", format_name[f], n);
  for (unsigned turn = 0; turn < float_turns(f, random_cases); turn++) {
    bool more = true;
    for (unsigned long i = 0; more; i += 32) {
      const struct mods m = random_mods(&seed);
      rows.word = with_signs(WORD(ISA_ENC_FRND_R, ISA_F_RINT, rint_code[f], ISA_F_IRND, irnd_code[n], ISA_F_FTZ,
                                  m.ftz ? ISA_FTZ_FTZ : ISA_FTZ_NONE),
                             &m);
      for (unsigned k = 0; k < 32; k++) {
        uint64_t u;
        more = float_case(f, f, i + k, random_cases, &seed, &u);
        put_source(&rows, k, ref_info[f].bits, u, false, &seed);
        put_result(&rows, k, frnd_reference(f, u, &m, ref_rounding[n]));
      }
      rows_check(&rows, what);
    }
  }
}

static void frnd(void **state) {
  (void)state;
  for (unsigned n = 0; n < 12; n++) try_frnd((enum ref_format)(n / 4), n % 4);
}

/* ---- F2FP ---- */

static uint64_t pack_reference(uint64_t u, const struct mods *m, mpfr_rnd_t rnd) {
  const struct mods plain = {.ftz = m->ftz};
  const uint64_t r = f2f_reference(REF_F32, REF_F16, u, &plain, rnd);
  return m->relu && (r & 0x8000u) != 0 ? 0 : r;
}

static void f2fp(void **state) {
  (void)state;
  for (unsigned n = 0; n < 4; n++) {
    struct rows rows = {.d_words = 1};
    uint64_t seed = 201 + n;
    bool more = true;
    for (unsigned long i = 0; more; i += 32) {
      const struct mods m = random_mods(&seed);
      rows.word = WORD(ISA_ENC_F2FP_F16_F32_PACK_AB_RR, ISA_F_RND, rnd_code[n], ISA_F_FTZ,
                       m.ftz ? ISA_FTZ_FTZ : ISA_FTZ_NONE, ISA_F_RELU, m.relu ? ISA_RELU_RELU : ISA_RELU_NONE);
      for (unsigned k = 0; k < 32; k++) {
        uint64_t u, v;
        more = float_case(REF_F32, REF_F16, i + k, random_cases, &seed, &u);
        (void)float_case(REF_F32, REF_F16, (i + k) * 7 % 200, random_cases, &seed, &v);
        rows.a[k] = (uint32_t)u;
        rows.b[k] = (uint32_t)v;
        put_result(&rows, k, pack_reference(u, &m, ref_rounding[n]) << 16 | pack_reference(v, &m, ref_rounding[n]));
      }
      rows_check(&rows, "F2FP");
    }
  }
}

int TEST_MAIN(int argc, char **argv) {
  random_cases = case_count(argc, argv, 20000);
  mpfr_init2(wide, 70);
  for (unsigned f = 0; f < 3; f++) ref_init(result[f], (enum ref_format)f);
  const struct CMUnitTest tests[] = {cmocka_unit_test(f2f), cmocka_unit_test(frnd), cmocka_unit_test(f2fp)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_clears(wide, result[0], result[1], result[2], (mpfr_ptr)0);
  mpfr_free_cache();
  return failed;
}
