/* SPDX-License-Identifier: Apache-2.0
 *
 * I2F and F2I against MPFR.
 */
#include <mpfr.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/f32_cases.h"
#include "tests/cmodel/rows.h"
#include "tests/cmodel/words.h"

static unsigned long random_cases;
static mpfr_t v;

static const mpfr_rnd_t rounding[4] = {MPFR_RNDN, MPFR_RNDD, MPFR_RNDU, MPFR_RNDZ};

static uint32_t i2f_reference(uint32_t u, bool is_unsigned, mpfr_rnd_t rnd) {
  if (is_unsigned)
    mpfr_set_ui(v, u, rnd);
  else
    mpfr_set_si(v, (int32_t)u, rnd);
  const float f = mpfr_get_flt(v, rnd);
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static uint32_t f2i_reference(uint32_t u, bool is_unsigned, bool ftz, mpfr_rnd_t rnd) {
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

static uint32_t int_case(unsigned long n, uint64_t *seed) {
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
        rows.b[k] = int_case(i + k, &seed);
        rows.d[0][k] = i2f_reference(rows.b[k], is_unsigned, rounding[n % 4]);
      }
      rows_check(&rows, "I2F");
    }
  }
}

/* Integers, halves, and their neighbours; edges; everything. */
static uint32_t float_case(unsigned long n, uint64_t *seed) {
  if (n < f32_edge_count) return f32_edges[n];
  const float whole = (float)(int32_t)int_case(1000, seed), f = whole + (rnd32(seed) % 2 != 0 ? 0.5f : 0.0f);
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
        rows.b[k] = float_case(i + k, &seed);
        rows.d[0][k] = f2i_reference(rows.b[k], is_unsigned, ftz, rounding[n % 4]);
      }
      rows_check(&rows, "F2I");
    }
  }
}

int TEST_MAIN(int argc, char **argv) {
  random_cases = case_count(argc, argv, 100000);
  mpfr_init2(v, 24);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(i2f_equals_mpfr),
      cmocka_unit_test(f2i_equals_mpfr),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_clear(v);
  mpfr_free_cache();
  return failed;
}
