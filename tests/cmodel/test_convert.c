/* SPDX-License-Identifier: Apache-2.0
 *
 * I2F, F2I, F2F, FRND and F2FP against MPFR: first those of 32 bits alone, at length.
 */
#include <mpfr.h>
#include <stdio.h>
#include <string.h>
#include "base/splitmix64.h"
#include "tests/cmodel/float_ref.h"
#include "tests/cmodel/rows.h"
#include "tests/cmodel/words.h"
#include "tests/test.h"

static unsigned long random_cases;
static mpfr_t v;
static mpfr_t wide, result[3]; /* wide holds every source exactly; result by format */

static const mpfr_rnd_t rounding[4] = {MPFR_RNDN, MPFR_RNDD, MPFR_RNDU, MPFR_RNDZ};

static uint32_t i2f_reference_of_32(uint32_t u, bool is_unsigned, mpfr_rnd_t rnd) {
  if (is_unsigned)
    mpfr_set_ui(v, u, rnd);
  else
    mpfr_set_si(v, (int32_t)u, rnd);
  const float f = mpfr_get_flt(v, rnd);
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static uint32_t f2i_reference_of_32(uint32_t u, bool is_unsigned, bool ftz, mpfr_rnd_t rnd) {
  float f;
  if (ftz && ((u >> 23) & 255u) == 0) u = 0;
  memcpy(&f, &u, sizeof f);
  mpfr_set_flt(v, f, MPFR_RNDN);
  if (mpfr_nan_p(v)) return 0;
  mpfr_rint(v, v, rnd); /* MPFR_RNDN: ties to even */
  const int64_t low = is_unsigned ? 0 : INT32_MIN, high = is_unsigned ? UINT32_MAX : INT32_MAX;
  if (mpfr_cmp_si(v, low) < 0) return (uint32_t)low;
  if (mpfr_cmp_si(v, high) > 0) return (uint32_t)high;
  return (uint32_t)mpfr_get_si(v, MPFR_RNDN);
}

static uint32_t case_of_32(unsigned long n, uint64_t *seed) {
  const uint32_t r = rnd32(seed), k = rnd32(seed) % 32;
  static const uint32_t edge[] = {0,           1,           2,           0x7fffffffu, 0x80000000u, 0x80000001u,
                                  0xffffffffu, 0xfffffffeu, 0x01000000u, 0x01000001u, 0x01000002u, 0x01000003u,
                                  0x7fffffc0u, 0x7fffffbfu, 0xffffff80u, 0xffffff7fu, 0xffffff81u};
  if (n < sizeof edge / sizeof edge[0]) return edge[n];
  switch (r % 4) {
  case 0:
    return rnd32(seed);
  case 1:
    return rnd32(seed) >> k;
  case 2:
    return (1u << k) + rnd32(seed) % 5 - 2;
  default:
    return 0u - (rnd32(seed) >> k);
  }
}

static void i2f_equals_mpfr(void **state) {
  (void)state;
  static const uint64_t code[4] = {ISA_RND_RN, ISA_RND_RM, ISA_RND_RP, ISA_RND_RZ};
  for (unsigned n = 0; n < 8; n++) {
    const bool is_unsigned = n >= 4;
    struct rows rows = {.d_words = 1};
    rows.word = WORD(ISA_ENC_I2F_R, ISA_F_RND, code[n % 4], ISA_F_ISRC, is_unsigned ? ISA_ITYPE_U32 : ISA_ITYPE_S32);
    uint64_t seed = n + 1;
    for (unsigned long i = 0; i < random_cases; i += 32) {
      for (unsigned k = 0; k < 32; k++) {
        rows.b[k] = case_of_32(i + k, &seed);
        rows.d[0][k] = i2f_reference_of_32(rows.b[k], is_unsigned, rounding[n % 4]);
      }
      rows_check(&rows, "I2F");
    }
  }
}

/* Integers, halves, and their neighbours; edges; everything. */
static uint32_t f32_case(unsigned long n, uint64_t *seed) {
  if (n < f32_edge_count) return f32_edges[n];
  const float whole = (float)(int32_t)case_of_32(1000, seed), f = whole + (rnd32(seed) % 2 != 0 ? 0.5f : 0.0f);
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  switch (rnd32(seed) % 3) {
  case 0:
    return u + rnd32(seed) % 3 - 1;
  case 1:
    u = rnd32(seed) & 0x807fffffu;
    return u | (118 + rnd32(seed) % 44) << 23;
  default:
    return rnd32(seed);
  }
}

static void f2i_equals_mpfr(void **state) {
  (void)state;
  static const uint64_t code[4] = {ISA_IRND_ROUND, ISA_IRND_FLOOR, ISA_IRND_CEIL, ISA_IRND_TRUNC};
  for (unsigned n = 0; n < 16; n++) {
    const bool is_unsigned = (n & 4) != 0, ftz = (n & 8) != 0;
    struct rows rows = {.d_words = 1};
    rows.word = WORD(ISA_ENC_F2I_R, ISA_F_IRND, code[n % 4], ISA_F_DINT, is_unsigned ? ISA_ITYPE_U32 : ISA_ITYPE_S32,
                     ISA_F_FTZ, ftz ? ISA_FTZ_FTZ : ISA_FTZ_NONE);
    uint64_t seed = n + 1;
    for (unsigned long i = 0; i < random_cases; i += 32) {
      for (unsigned k = 0; k < 32; k++) {
        rows.b[k] = f32_case(i + k, &seed);
        rows.d[0][k] = f2i_reference_of_32(rows.b[k], is_unsigned, ftz, rounding[n % 4]);
      }
      rows_check(&rows, "F2I");
    }
  }
}

/* F2F, FRND and F2FP of all types against MPFR; every half where the source is one. */

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

/* I2F and F2I of all types against MPFR; every half, and every small integer. */

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
  mpfr_init2(v, 24);
  mpfr_init2(wide, 70);
  for (unsigned f = 0; f < 3; f++) ref_init(result[f], (enum ref_format)f);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(i2f_equals_mpfr),
      cmocka_unit_test(f2i_equals_mpfr),
      cmocka_unit_test(f2f),
      cmocka_unit_test(frnd),
      cmocka_unit_test(f2fp),
      cmocka_unit_test(i2f),
      cmocka_unit_test(f2i),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_clears(v, wide, result[0], result[1], result[2], (mpfr_ptr)0);
  mpfr_free_cache();
  return failed;
}
