/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting, finding, moving bits: references that walk through the bits or
 * bytes one by one, and what an H200 returned.
 */
#include "base/minmax.h"
#include "tests/test.h"
#include "tests/cmodel/lanes.h"
#include "tests/cmodel/silicon_rows.h"
#include "tests/cmodel/words.h"

static unsigned long random_cases;

static void try_word(struct heddle_isa_word word, lane_reference *ref, unsigned variant, const char *what) {
  const struct lane_case t = {word, ref, variant, 1, 0, what};
  lanes_try(&t, random_cases);
}

/* ---- POPC, FLO, BREV ---- */

static void ref_popc(struct lane *l, unsigned v) {
  (void)v;
  for (unsigned i = 0; i < 32; i++) l->d += l->b >> i & 1;
}

static void ref_brev(struct lane *l, unsigned v) {
  (void)v;
  for (unsigned i = 0; i < 32; i++)
    if ((l->b >> i & 1) != 0) l->d |= UINT64_C(1) << (31 - i);
}

/* variant: 1, unsigned; 2, .SH */
static void ref_flo(struct lane *l, unsigned v) {
  const bool sign = (v & 1) == 0 && l->b >> 31 != 0;
  l->d = 0xffffffffu;
  for (unsigned i = 0; i < 32; i++)
    if ((l->b >> i & 1) != sign) l->d = (v & 2) != 0 ? 31 - i : i;
}

static void counting(void **state) {
  (void)state;
  try_word(WORD(ISA_ENC_POPC_R, ISA_F_RD, 1), ref_popc, 0, "POPC");
  try_word(WORD(ISA_ENC_BREV_R, ISA_F_RD, 1), ref_brev, 0, "BREV");
}

static struct heddle_isa_word flo_word(unsigned v) {
  return WORD(ISA_ENC_FLO_R, ISA_F_SIGN, (v & 1) != 0 ? ISA_SIGN_U32 : ISA_SIGN_S32, ISA_F_SH,
              (v & 2) != 0 ? ISA_SH_SH : ISA_SH_NONE);
}

static void finding(void **state) {
  (void)state;
  for (unsigned v = 0; v < 4; v++) try_word(flo_word(v), ref_flo, v, "FLO");
}

/* Every single bit, every run of ones from bit 0, their complements, and each with the top bit flipped. */
static void ref_pattern(struct lane *l, unsigned v) {
  const unsigned at = l->b % 32;
  const uint32_t one = 1u << at, run = one | (one - 1);
  const uint32_t pattern[8] = {one, run, ~one, ~run, one ^ 1u << 31, run ^ 1u << 31, ~one ^ 1u << 31, ~run ^ 1u << 31};
  l->b = pattern[l->c % 8];
  if (v < 4) ref_flo(l, v);
  if (v == 4) ref_popc(l, v);
  if (v == 5) ref_brev(l, v);
}

static void patterns(void **state) {
  (void)state;
  for (unsigned v = 0; v < 4; v++) try_word(flo_word(v), ref_pattern, v, "FLO");
  try_word(WORD(ISA_ENC_POPC_R, ISA_F_RD, 1), ref_pattern, 4, "POPC");
  try_word(WORD(ISA_ENC_BREV_R, ISA_F_RD, 1), ref_pattern, 5, "BREV");
}

/* ---- PRMT ---- */

static const uint64_t prmt_modes[7] = {ISA_PRMT_IDX, ISA_PRMT_F4E, ISA_PRMT_B4E, ISA_PRMT_RC8,
                                       ISA_PRMT_ECL, ISA_PRMT_ECR, ISA_PRMT_RC16};

/* Which byte of V a mode takes for byte k of the result. */
static unsigned prmt_source(unsigned mode, unsigned n, unsigned k) {
  const unsigned source[7] = {0, n + k, (n + 8 - k) % 8, n, max_u32(n, k), min_u32(n, k), 2 * (n & 1) + k % 2};
  return source[mode];
}

static void ref_prmt(struct lane *l, unsigned mode) {
  const uint8_t v[8] = {(uint8_t)l->a, (uint8_t)(l->a >> 8), (uint8_t)(l->a >> 16), (uint8_t)(l->a >> 24),
                        (uint8_t)l->c, (uint8_t)(l->c >> 8), (uint8_t)(l->c >> 16), (uint8_t)(l->c >> 24)};
  uint32_t d = 0;
  for (unsigned k = 0; k < 4; k++) {
    const unsigned digit = l->b >> 4 * k & 15;
    uint32_t byte = v[mode == 0 ? digit % 8 : prmt_source(mode, l->b % 4, k)];
    if (mode == 0 && digit >= 8) byte = byte >= 128 ? 255 : 0;
    d |= byte << 8 * k;
  }
  l->d = d;
}

static void permute(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < 7; mode++)
    try_word(WORD(ISA_ENC_PRMT_RRR, ISA_F_PRMT, prmt_modes[mode]), ref_prmt, mode, "PRMT");
}

/* ---- SGXT, BMSK ---- */

static unsigned amount(uint32_t x, bool wrap) {
  return wrap ? x % 32 : min_u32(x, 32);
}

/* variant: 1, unsigned; 2, .W */
static void ref_sgxt(struct lane *l, unsigned v) {
  const unsigned n = amount(l->b, (v & 2) != 0);
  for (unsigned i = 0; i < 32; i++) {
    const unsigned from = i < n ? i : n - 1; /* beyond the field: its top bit */
    const bool bit = n != 0 && (i < n || (v & 1) == 0) && (l->a >> from & 1) != 0;
    l->d |= (uint64_t)bit << i;
  }
}

/* variant: 2, .W */
static void ref_bmsk(struct lane *l, unsigned v) {
  const unsigned s = amount(l->a, (v & 2) != 0), n = amount(l->b, (v & 2) != 0);
  for (unsigned i = s; i < 32 && i < s + n; i++) l->d |= UINT64_C(1) << i;
}

static void fields(void **state) {
  (void)state;
  for (unsigned v = 0; v < 4; v++) {
    const uint64_t sign = (v & 1) != 0 ? ISA_SIGN_U32 : ISA_SIGN_S32, wrap = (v & 2) != 0 ? ISA_WRAP_W : ISA_WRAP_NONE;
    try_word(WORD(ISA_ENC_SGXT_RR, ISA_F_SIGN, sign, ISA_F_WRAP, wrap), ref_sgxt, v, "SGXT");
    if (v % 2 == 0) try_word(WORD(ISA_ENC_BMSK_RR, ISA_F_WRAP, wrap), ref_bmsk, v, "BMSK");
  }
}

/* ---- silicon ---- */

static void silicon(void **state) {
  (void)state;
  static const char *const prmt[7] = {"prmt.b32",     "prmt.b32.f4e", "prmt.b32.b4e", "prmt.b32.rc8",
                                      "prmt.b32.ecl", "prmt.b32.ecr", "prmt.b32.rc16"};
  static const char *const bfind[4] = {"bfind.s32", "bfind.u32", "bfind.shiftamt.s32", "bfind.shiftamt.u32"};
  for (unsigned m = 0; m < 7; m++) /* PTX: the selector is c */
    silicon_rows(prmt[m], "i32", WORD(ISA_ENC_PRMT_RRR, ISA_F_PRMT, prmt_modes[m]), "acb", true);
  for (unsigned v = 0; v < 4; v++) silicon_rows(bfind[v], "i32", flo_word(v), "b", true);
  silicon_rows("popc.b32", "i32", WORD(ISA_ENC_POPC_R, ISA_F_RD, 1), "b", true);
  silicon_rows("brev.b32", "i32", WORD(ISA_ENC_BREV_R, ISA_F_RD, 1), "b", true);
}

int TEST_MAIN(int argc, char **argv) {
  random_cases = case_count(argc, argv, 20000);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counting), cmocka_unit_test(finding), cmocka_unit_test(patterns),
      cmocka_unit_test(permute),  cmocka_unit_test(fields),  cmocka_unit_test(silicon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
