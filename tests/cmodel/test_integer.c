/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer sums, shifts, logic, selection, counting, moving of bits, products against formulas in 128-bit arithmetic or
 * bit by bit, and what an H200 returned.
 */
#include <string.h>
#include "base/minmax.h"
#include "tests/cmodel/rows.h"
#include "tests/cmodel/words.h"
#include "tests/test.h"

__extension__ typedef unsigned __int128 u128;

static unsigned long random_cases;

static void try_word(struct heddle_isa_word word, lane_reference *ref, unsigned variant, unsigned d_words,
                     unsigned n_pd, const char *what) {
  const struct lane_case t = {word, ref, variant, d_words, n_pd, what};
  lanes_try(&t, random_cases);
}

/* ---- sums ---- */

static void ref_iadd3(struct lane *l, unsigned x) {
  const uint64_t t = (uint64_t)l->a + l->b + l->c + (x != 0 ? (uint64_t)l->p0 + l->p1 : 0);
  l->d = t;
  l->pd0 = t >= UINT64_C(1) << 32;
  l->pd1 = t >= UINT64_C(2) << 32;
}

static void iadd3(void **state) {
  (void)state;
  try_word(WORD(ISA_ENC_IADD3_RRR, ISA_F_PD0, 7), ref_iadd3, 0, 1, 0, "IADD3");
  try_word(WORD(ISA_ENC_IADD3_RRR, ISA_F_PD0, 1, ISA_F_PD1, 2), ref_iadd3, 0, 1, 2, "IADD3 carries");
  try_word(WORD(ISA_ENC_IADD3_X_RRR, ISA_F_PD0, 1, ISA_F_PD1, 2), ref_iadd3, 1, 1, 2, "IADD3.X");
}

static void ref_lea(struct lane *l, unsigned sh) {
  const u128 t = (uint32_t)((u128)l->a << sh) + (u128)l->b;
  l->d = (uint32_t)t;
  l->pd0 = t >> 32 != 0;
}

/* variant: shift + 32 * SX32 + 64 * X */
static void ref_lea_hi(struct lane *l, unsigned v) {
  const uint32_t high = (v & 32) != 0 ? ((int32_t)l->a < 0 ? 0xffffffffu : 0) : l->c;
  const uint64_t shifted = (uint64_t)((u128)((uint64_t)high << 32 | l->a) << (v % 32));
  const u128 t = (u128)(shifted >> 32) + l->b + ((v & 64) != 0 && l->p0 ? 1 : 0);
  l->d = (uint32_t)t;
  l->pd0 = t >> 32 != 0;
}

static void lea(void **state) {
  (void)state;
  random_cases /= 8;
  for (unsigned sh = 0; sh < 32; sh++) {
    try_word(WORD(ISA_ENC_LEA_RR, ISA_F_SH5, sh, ISA_F_PD0, 7), ref_lea, sh, 1, 0, "LEA");
    try_word(WORD(ISA_ENC_LEA_RR, ISA_F_SH5, sh, ISA_F_PD0, 0), ref_lea, sh, 1, 1, "LEA with carry");
    for (unsigned sx = 0; sx < 2; sx++) {
      const uint64_t s = sx != 0 ? ISA_SX32_SX32 : ISA_SX32_NONE;
      try_word(WORD(ISA_ENC_LEA_HI_RRR, ISA_F_SH5, sh, ISA_F_PD0, 0, ISA_F_SX32, s), ref_lea_hi, sh + 32 * sx, 1, 1,
               "LEA.HI");
      try_word(WORD(ISA_ENC_LEA_HI_X_RRR, ISA_F_SH5, sh, ISA_F_PD0, 0, ISA_F_SX32, s), ref_lea_hi, sh + 32 * sx + 64, 1,
               1, "LEA.HI.X");
    }
  }
  random_cases *= 8;
}

static void ref_iabs(struct lane *l, unsigned v) {
  (void)v;
  const int64_t x = (int32_t)l->b;
  l->d = (uint32_t)(x < 0 ? -x : x);
}

static void ref_vabsdiff(struct lane *l, unsigned is_unsigned) {
  const int64_t a = is_unsigned != 0 ? (int64_t)l->a : (int32_t)l->a;
  const int64_t b = is_unsigned != 0 ? (int64_t)l->b : (int32_t)l->b;
  l->d = (uint32_t)((a > b ? a - b : b - a) + l->c);
}

static void differences(void **state) {
  (void)state;
  try_word(WORD(ISA_ENC_IABS_R, ISA_F_RD, 1), ref_iabs, 0, 1, 0, "IABS");
  try_word(WORD(ISA_ENC_VABSDIFF_RRR, ISA_F_SIGN, ISA_SIGN_S32), ref_vabsdiff, 0, 1, 0, "VABSDIFF");
  try_word(WORD(ISA_ENC_VABSDIFF_RRR, ISA_F_SIGN, ISA_SIGN_U32), ref_vabsdiff, 1, 1, 0, "VABSDIFF.U32");
}

/* ---- bits ---- */

static void ref_lop3(struct lane *l, unsigned lut) {
  uint32_t d = 0;
  for (unsigned i = 0; i < 32; i++) {
    const unsigned index = (l->a >> i & 1) << 2 | (l->b >> i & 1) << 1 | (l->c >> i & 1);
    d |= (uint32_t)(lut >> index & 1) << i;
  }
  l->d = d;
  l->pd0 = d != 0;
}

static void lop3(void **state) {
  (void)state;
  const unsigned long all = random_cases;
  random_cases = all / 64;
  for (unsigned lut = 0; lut < 256; lut++) {
    try_word(WORD(ISA_ENC_LOP3_LUT_RRR, ISA_F_LUT, lut), ref_lop3, lut, 1, 0, "LOP3");
    try_word(WORD(ISA_ENC_LOP3_LUT_RRR, ISA_F_LUT, lut, ISA_F_PD0, 3), ref_lop3, lut, 1, 1, "LOP3 with predicate");
  }
  random_cases = all;
}

static void ref_plop3(struct lane *l, unsigned luts) {
  const unsigned index = 4u * l->p0 + 2u * l->p1 + l->p2;
  l->pd0 = (luts >> index & 1) != 0;
  l->pd1 = (luts >> 8 >> index & 1) != 0;
}

static void plop3(void **state) {
  (void)state;
  const unsigned long all = random_cases;
  random_cases = 64;
  for (unsigned lut = 0; lut < 256; lut++) {
    const unsigned other = lut * 167 % 256;
    try_word(WORD(ISA_ENC_PLOP3_LUT_P, ISA_F_PLUT0, lut, ISA_F_PLUT1, other), ref_plop3, lut | other << 8, 0, 2,
             "PLOP3");
  }
  random_cases = all;
}

static const uint64_t shift_types[4] = {ISA_SHTYPE_S64, ISA_SHTYPE_U64, ISA_SHTYPE_S32, ISA_SHTYPE_U32};

/* variant: type + 4 right + 8 wrap + 16 high; bit by bit */
static void ref_shf(struct lane *l, unsigned v) {
  const bool wide = v % 4 < 2, arith = v % 2 == 0, right = (v & 4) != 0, wrap = (v & 8) != 0;
  const unsigned most = wide ? 64 : 32;
  const unsigned s = wrap ? l->b % most : (l->b > most ? most : l->b);
  const uint64_t in = (uint64_t)l->c << 32 | l->a;
  uint64_t out = 0;
  for (unsigned i = 0; i < 64; i++) {
    const unsigned from = right ? i + s : i - s;
    const bool outside = right ? from > 63 : i < s;
    const bool bit = outside ? right && arith && (in >> 63) != 0 : (in >> from & 1) != 0;
    out |= (uint64_t)bit << i;
  }
  l->d = (v & 16) != 0 ? out >> 32 : out & 0xffffffffu;
}

static void shf(void **state) {
  (void)state;
  for (unsigned v = 0; v < 32; v++)
    try_word(WORD(ISA_ENC_SHF_RRR, ISA_F_SHTYPE, shift_types[v % 4], ISA_F_SHDIR,
                  (v & 4) != 0 ? ISA_SHDIR_R : ISA_SHDIR_L, ISA_F_WRAP, (v & 8) != 0 ? ISA_WRAP_W : ISA_WRAP_NONE,
                  ISA_F_SHHI, (v & 16) != 0 ? ISA_HI_HI : ISA_HI_NONE),
             ref_shf, v, 1, 0, "SHF");
}

/* ---- selection ---- */

static int64_t value(uint32_t x, bool is_unsigned) {
  return is_unsigned ? (int64_t)x : (int64_t)(int32_t)x;
}

static void ref_imnmx(struct lane *l, unsigned u) {
  const int64_t a = value(l->a, u != 0), b = value(l->b, u != 0);
  const int64_t small = a < b ? a : b, large = a < b ? b : a;
  l->d = (uint32_t)(l->p0 ? small : large);
}

static void ref_sel(struct lane *l, unsigned v) {
  (void)v;
  l->d = l->p0 ? l->a : l->b;
}

static void ref_mov(struct lane *l, unsigned v) {
  (void)v;
  l->d = l->b;
}

static void selection(void **state) {
  (void)state;
  try_word(WORD(ISA_ENC_IMNMX_RR, ISA_F_SIGN, ISA_SIGN_S32), ref_imnmx, 0, 1, 0, "IMNMX");
  try_word(WORD(ISA_ENC_IMNMX_RR, ISA_F_SIGN, ISA_SIGN_U32), ref_imnmx, 1, 1, 0, "IMNMX.U32");
  try_word(WORD(ISA_ENC_SEL_RR, ISA_F_RD, 1), ref_sel, 0, 1, 0, "SEL");
  try_word(WORD(ISA_ENC_MOV_R, ISA_F_RD, 1), ref_mov, 0, 1, 0, "MOV");
}

/* CS2R has no operand of its own: the machine supplies a pair as b. The result lies over it, too. */
static void pair_move(void **state) {
  (void)state;
  uint64_t seed = 3;
  struct heddle_isa_dec dec;
  assert_true(heddle_isa_decode(WORD(ISA_ENC_CS2R_D, ISA_F_RD, 2, ISA_F_SREG2, ISA_SREG2_SR_CLOCKLO), &dec));
  for (unsigned n = 0; n < 64; n++) {
    const struct sem_build *build = sem_build(n / 2 % 4);
    if (build == NULL) continue;
    _Alignas(64) uint32_t b[64], other[64], on[32], want[64];
    const uint32_t exec = n < 8 ? ~0u : rnd32(&seed) | 1u;
    uint32_t *const d = n % 2 != 0 ? b : other;
    for (unsigned i = 0; i < 64; i++) {
      b[i] = rnd32(&seed);
      other[i] = rnd32(&seed);
      on[i % 32] = (exec >> i % 32 & 1) != 0 ? ~0u : 0;
      want[i] = on[i % 32] != 0 ? b[i] : d[i];
    }
    struct sem_io io = {.on = on, .exec = exec};
    struct sem_par par = {0};
    build->op[dec.op]->pick(&dec, &par)(d, NULL, b, NULL, &io, &par);
    assert_memory_equal(d, want, sizeof want);
  }
}

static const uint64_t compare_codes[8] = {ISA_ICMP_F,  ISA_ICMP_LT, ISA_ICMP_EQ, ISA_ICMP_LE,
                                          ISA_ICMP_GT, ISA_ICMP_NE, ISA_ICMP_GE, ISA_ICMP_T};

/* variant: comparison + 8 * bool + 32 * unsigned */
static void ref_isetp(struct lane *l, unsigned v) {
  const int64_t a = value(l->a, (v & 32) != 0), b = value(l->b, (v & 32) != 0);
  const bool results[8] = {false, a<b, a == b, a <= b, a> b, a != b, a >= b, true};
  const bool r = results[v % 8], s = l->p0;
  const unsigned how = v / 8 % 4;
  l->pd0 = how == 0 ? r && s : (how == 1 ? r || s : r != s);
  l->pd1 = how == 0 ? !r && s : (how == 1 ? !r || s : !r != s);
}

static void isetp(void **state) {
  (void)state;
  static const uint64_t combine[3] = {ISA_BOOL_AND, ISA_BOOL_OR, ISA_BOOL_XOR};
  for (unsigned c = 0; c < 8; c++)
    for (unsigned how = 0; how < 3; how++)
      for (unsigned u = 0; u < 2; u++)
        try_word(WORD(ISA_ENC_ISETP_PRR, ISA_F_ICMP, compare_codes[c], ISA_F_BOOL, combine[how], ISA_F_SIGN,
                      u != 0 ? ISA_SIGN_U32 : ISA_SIGN_S32),
                 ref_isetp, c + 8 * how + 32 * u, 0, 2, "ISETP");
}

/* The high words decide unless they are equal: then the low words' verdict, given as ps2, which for .F and .T is
 * ignored. Here it comes from low words c and c1, so that all is a comparison of 64-bit numbers. */
static void ref_isetp_ex(struct lane *l, unsigned v) {
  if (l->c % 3 == 0) l->b = l->a;
  const uint64_t a = (uint64_t)l->a << 32 | l->c, b = (uint64_t)l->b << 32 | l->c1;
  const bool less = (v & 32) != 0 ? a < b : (int64_t)a < (int64_t)b;
  const bool low[8] = {l->p2, l->c<l->c1, l->c == l->c1, l->c <= l->c1, l->c> l->c1, l->c != l->c1, l->c >= l->c1,
                       l->p2};
  const bool whole[8] = {false, less, a == b, less || a == b, !less && a != b, a != b, !less, true};
  l->p2 = low[v % 8];
  const bool r = whole[v % 8], s = l->p0;
  const unsigned how = v / 8 % 4;
  l->pd0 = how == 0 ? r && s : (how == 1 ? r || s : r != s);
  l->pd1 = how == 0 ? !r && s : (how == 1 ? !r || s : !r != s);
}

/* Any ps2, whether low words could give it or not. */
static void ref_isetp_ex_any(struct lane *l, unsigned v) {
  const bool given = l->p2;
  if (l->c % 3 == 0) l->b = l->a;
  const int64_t a = value(l->a, (v & 32) != 0), b = value(l->b, (v & 32) != 0);
  const bool differ[8] = {false, a<b, false, a<b, a> b, true, a> b, true};
  const bool r = a != b ? differ[v % 8] : (v % 8 == 0 ? false : v % 8 == 7 || given);
  l->pd0 = r && l->p0;
  l->pd1 = !r && l->p0;
}

static void isetp_ex(void **state) {
  (void)state;
  static const uint64_t combine[3] = {ISA_BOOL_AND, ISA_BOOL_OR, ISA_BOOL_XOR};
  for (unsigned v = 0; v < 48; v++) {
    const unsigned c = v % 8, how = v / 8 % 3, variant = c + 8 * how + 32 * (v / 24);
    const struct heddle_isa_word w = WORD(ISA_ENC_ISETP_EX_PRR, ISA_F_ICMP, compare_codes[c], ISA_F_BOOL, combine[how],
                                          ISA_F_SIGN, v / 24 != 0 ? ISA_SIGN_U32 : ISA_SIGN_S32);
    try_word(w, ref_isetp_ex, variant, 0, 2, "ISETP.EX on 64-bit numbers");
    if (how == 0) try_word(w, ref_isetp_ex_any, variant, 0, 2, "ISETP.EX");
  }
}

/* Counting, finding, moving bits. */

static void try_bits(struct heddle_isa_word word, lane_reference *ref, unsigned variant, const char *what) {
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
  try_bits(WORD(ISA_ENC_POPC_R, ISA_F_RD, 1), ref_popc, 0, "POPC");
  try_bits(WORD(ISA_ENC_BREV_R, ISA_F_RD, 1), ref_brev, 0, "BREV");
}

static struct heddle_isa_word flo_word(unsigned v) {
  return WORD(ISA_ENC_FLO_R, ISA_F_SIGN, (v & 1) != 0 ? ISA_SIGN_U32 : ISA_SIGN_S32, ISA_F_SH,
              (v & 2) != 0 ? ISA_SH_SH : ISA_SH_NONE);
}

static void finding(void **state) {
  (void)state;
  for (unsigned v = 0; v < 4; v++) try_bits(flo_word(v), ref_flo, v, "FLO");
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
  for (unsigned v = 0; v < 4; v++) try_bits(flo_word(v), ref_pattern, v, "FLO");
  try_bits(WORD(ISA_ENC_POPC_R, ISA_F_RD, 1), ref_pattern, 4, "POPC");
  try_bits(WORD(ISA_ENC_BREV_R, ISA_F_RD, 1), ref_pattern, 5, "BREV");
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
    try_bits(WORD(ISA_ENC_PRMT_RRR, ISA_F_PRMT, prmt_modes[mode]), ref_prmt, mode, "PRMT");
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
    try_bits(WORD(ISA_ENC_SGXT_RR, ISA_F_SIGN, sign, ISA_F_WRAP, wrap), ref_sgxt, v, "SGXT");
    if (v % 2 == 0) try_bits(WORD(ISA_ENC_BMSK_RR, ISA_F_WRAP, wrap), ref_bmsk, v, "BMSK");
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

/* Integer products against formulas in 128-bit arithmetic, IDP4A byte by byte,
 * and against what an H200 returned. */

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

static void try_product(struct heddle_isa_word word, lane_reference *ref, unsigned variant, unsigned d_words,
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
  try_product(WORD(ISA_ENC_IMAD_RRR, ISA_F_SIGN, ISA_SIGN_S32), ref_imad, 0, 1, 0, "IMAD");
  try_product(WORD(ISA_ENC_IMAD_RRR, ISA_F_SIGN, ISA_SIGN_U32), ref_imad, 1, 1, 0, "IMAD.U32");
  try_product(WORD(ISA_ENC_IMAD_WIDE_RRR, ISA_F_SIGN, ISA_SIGN_S32), ref_imad_wide, 0, 2, 0, "IMAD.WIDE");
  try_product(WORD(ISA_ENC_IMAD_WIDE_RRR, ISA_F_SIGN, ISA_SIGN_U32), ref_imad_wide, 1, 2, 0, "IMAD.WIDE.U32");
  try_product(WORD(ISA_ENC_IMAD_HI_RRR, ISA_F_SIGN, ISA_SIGN_S32), ref_imad_hi, 0, 1, 0, "IMAD.HI");
  try_product(WORD(ISA_ENC_IMAD_HI_RRR, ISA_F_SIGN, ISA_SIGN_U32), ref_imad_hi, 1, 1, 0, "IMAD.HI.U32");
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
    try_product(WORD(ISA_ENC_IDP4A_RRR, ISA_F_BYTEA, (v & 1) != 0 ? ISA_BYTE8_S8 : ISA_BYTE8_U8, ISA_F_BYTEB,
                     (v & 2) != 0 ? ISA_BYTE8_S8 : ISA_BYTE8_U8),
                ref_idp4a, v, 1, 0, "IDP4A");
}

static void silicon_products(void **state) {
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
      cmocka_unit_test(iadd3), cmocka_unit_test(differences), cmocka_unit_test(pair_move), cmocka_unit_test(lea),
      cmocka_unit_test(lop3),  cmocka_unit_test(plop3),       cmocka_unit_test(shf),       cmocka_unit_test(selection),
      cmocka_unit_test(isetp), cmocka_unit_test(isetp_ex),
  };
  const struct CMUnitTest bits[] = {
      cmocka_unit_test(counting), cmocka_unit_test(finding), cmocka_unit_test(patterns),
      cmocka_unit_test(permute),  cmocka_unit_test(fields),  cmocka_unit_test(silicon),
      cmocka_unit_test(imad),     cmocka_unit_test(idp4a),   cmocka_unit_test(silicon_products),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return failed + cmocka_run_group_tests(bits, NULL, NULL);
}
