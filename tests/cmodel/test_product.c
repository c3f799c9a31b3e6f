/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer products against formulas in 128-bit arithmetic, IDP4A byte by byte,
 * and against what an H200 returned.
 */
#include "tests/test.h"
#include "tests/cmodel/lanes.h"
#include "tests/cmodel/silicon_rows.h"
#include "tests/cmodel/words.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

static unsigned long random_cases;

static void try_word(struct heddle_isa_word word, lane_reference *ref, unsigned variant, unsigned d_words,
                     unsigned n_pd, const char *what) {
  const struct lane_case t = {word, ref, variant, d_words, n_pd, what};
  lanes_try(&t, random_cases);
}

static void ref_imad(struct lane *l, unsigned v) {
  (void)v;
  l->d = (uint32_t)((u128)l->a * l->b + l->c);
}

static void ref_imad_wide(struct lane *l, unsigned is_unsigned) {
  const i128 product = is_unsigned != 0 ? (i128)((u128)l->a * l->b) : (i128)(int32_t)l->a * (int32_t)l->b;
  l->d = (uint64_t)(product + (i128)((uint64_t)l->c1 << 32 | l->c));
}

static void ref_imad_hi(struct lane *l, unsigned is_unsigned) {
  ref_imad_wide(l, is_unsigned);
  l->d >>= 32;
}

static void imad(void **state) {
  (void)state;
  try_word(WORD(ISA_ENC_IMAD_RRR, ISA_F_SIGN, ISA_SIGN_S32), ref_imad, 0, 1, 0, "IMAD");
  try_word(WORD(ISA_ENC_IMAD_RRR, ISA_F_SIGN, ISA_SIGN_U32), ref_imad, 1, 1, 0, "IMAD.U32");
  try_word(WORD(ISA_ENC_IMAD_WIDE_RRR, ISA_F_SIGN, ISA_SIGN_S32), ref_imad_wide, 0, 2, 0, "IMAD.WIDE");
  try_word(WORD(ISA_ENC_IMAD_WIDE_RRR, ISA_F_SIGN, ISA_SIGN_U32), ref_imad_wide, 1, 2, 0, "IMAD.WIDE.U32");
  try_word(WORD(ISA_ENC_IMAD_HI_RRR, ISA_F_SIGN, ISA_SIGN_S32), ref_imad_hi, 0, 1, 0, "IMAD.HI");
  try_word(WORD(ISA_ENC_IMAD_HI_RRR, ISA_F_SIGN, ISA_SIGN_U32), ref_imad_hi, 1, 1, 0, "IMAD.HI.U32");
}

/* variant: 1, signed bytes of a; 2, of b */
static void ref_idp4a(struct lane *l, unsigned v) {
  int64_t sum = l->c;
  for (unsigned k = 0; k < 4; k++) {
    int a = (int)(l->a >> 8 * k) & 255, b = (int)(l->b >> 8 * k) & 255;
    if ((v & 1) != 0 && a > 127) a -= 256;
    if ((v & 2) != 0 && b > 127) b -= 256;
    sum += a * b;
  }
  l->d = (uint32_t)sum;
}

static void idp4a(void **state) {
  (void)state;
  for (unsigned v = 0; v < 4; v++)
    try_word(WORD(ISA_ENC_IDP4A_RRR, ISA_F_BYTEA, (v & 1) != 0 ? ISA_BYTE8_S8 : ISA_BYTE8_U8, ISA_F_BYTEB,
                  (v & 2) != 0 ? ISA_BYTE8_S8 : ISA_BYTE8_U8),
             ref_idp4a, v, 1, 0, "IDP4A");
}

static void silicon(void **state) {
  (void)state;
  const uint64_t s = ISA_SIGN_S32, u = ISA_SIGN_U32, s8 = ISA_BYTE8_S8, u8 = ISA_BYTE8_U8;
  silicon_rows("mul.hi.s32", "i32", WORD(ISA_ENC_IMAD_HI_RRR, ISA_F_SIGN, s), "ab", true);
  silicon_rows("mul.hi.u32", "i32", WORD(ISA_ENC_IMAD_HI_RRR, ISA_F_SIGN, u), "ab", true);
  silicon_rows("mad.hi.s32", "i32", WORD(ISA_ENC_IMAD_HI_RRR, ISA_F_SIGN, s), "abC",
               true); /* c is added to the high word */
  silicon_rows("mad.hi.u32", "i32", WORD(ISA_ENC_IMAD_HI_RRR, ISA_F_SIGN, u), "abC", true);
  silicon_rows("dp4a.s32.s32", "i32", WORD(ISA_ENC_IDP4A_RRR, ISA_F_BYTEA, s8, ISA_F_BYTEB, s8), "abc", true);
  silicon_rows("dp4a.u32.u32", "i32", WORD(ISA_ENC_IDP4A_RRR, ISA_F_BYTEA, u8, ISA_F_BYTEB, u8), "abc", true);
}

int TEST_MAIN(int argc, char **argv) {
  random_cases = case_count(argc, argv, 20000);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(imad),
      cmocka_unit_test(idp4a),
      cmocka_unit_test(silicon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
