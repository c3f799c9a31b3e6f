/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction words by field names; those of special functions and matrices.
 */
#include "words.h"

#include <string.h>

#include <heddle/isa_tables.h>

static struct heddle_isa_word defaults(enum heddle_isa_enc enc) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info(enc);
  struct heddle_isa_word w = e->match;
  for (unsigned i = 0; i < e->n_fields; i++) {
    const enum heddle_isa_field f = (enum heddle_isa_field)e->fields[i];
    switch (heddle_isa_field_info(f)->kind) {
    case ISA_K_GPR_READ:
    case ISA_K_GPR_WRITE:
    case ISA_K_UGPR_READ:
    case ISA_K_UGPR_WRITE:
      w = heddle_isa_put(w, f, ~UINT64_C(0));
      break;
    case ISA_K_GUARD:
    case ISA_K_UGUARD:
    case ISA_K_UPRED_READ:
    case ISA_K_UPRED_WRITE:
    case ISA_K_PRED_READ:
    case ISA_K_PRED_WRITE:
    case ISA_K_SBSET:
      w = heddle_isa_put(w, f, 7);
      break;
    default:
      break;
    }
  }
  return w;
}

struct heddle_isa_word word_make(enum heddle_isa_enc enc, unsigned n, const uint64_t *pairs) {
  struct heddle_isa_word w = defaults(enc);
  for (unsigned i = 0; i < n; i++) w = heddle_isa_put(w, (enum heddle_isa_field)pairs[2 * i], pairs[2 * i + 1]);
  return w;
}

struct heddle_isa_word word_guard(struct heddle_isa_word w, unsigned p, bool neg) {
  return heddle_isa_put(w, ISA_F_PG, p | (neg ? 8u : 0));
}

const struct mufu_form mufu_forms[MUFU_FORMS] = {
    {"rcp.approx.ftz.f32", ISA_MUFU_RCP, false, ALWAYS_PLAIN, 1, 1, 0},
    {"rsqrt.approx.ftz.f32", ISA_MUFU_RSQ, false, ALWAYS_PLAIN, 1, 1, 0},
    {"sqrt.approx.ftz.f32", ISA_MUFU_SQRT, false, ALWAYS_PLAIN, 1, 1, 0},
    {"ex2.approx.ftz.f32", ISA_MUFU_EX2, false, ALWAYS_PLAIN, 1, 1, 0},
    {"lg2.approx.ftz.f32", ISA_MUFU_LG2, false, ALWAYS_PLAIN, 1, 1, 0},
    {"sin.approx.ftz.f32", ISA_MUFU_SIN, true, ALWAYS_PLAIN, 1, 1, 0},
    {"cos.approx.ftz.f32", ISA_MUFU_COS, true, ALWAYS_PLAIN, 1, 1, 0},
    {"tanh.approx.f32", ISA_MUFU_TANH, false, ALWAYS_PLAIN, 1, 1, 0},
    {"rcp.approx.f32", ISA_MUFU_RCP, false, TINY_OR_HUGE, 0x1p24f, 0x1p24f, 0},
    {"rsqrt.approx.f32", ISA_MUFU_RSQ, false, TINY, 0x1p24f, 0x1p12f, 0},
    {"sqrt.approx.f32", ISA_MUFU_SQRT, false, TINY, 0x1p24f, 0x1p-12f, 0},
    {"lg2.approx.f32", ISA_MUFU_LG2, false, TINY, 0x1p24f, 1, -24},
    {"ex2.approx.f32", ISA_MUFU_EX2, false, BELOW_126, 0.5f, 0, 0},
};

#define INVERSE_2PI 0x3e22f983u
#define HUGE_SCALE 0x1p-2f /* of arguments above 2^126, before and after */

bool mufu_ops_get(struct mufu_ops *ops, uint64_t function, unsigned build) {
  return row_op_get(&ops->mufu, WORD(ISA_ENC_MUFU_R, ISA_F_MUFU, function), build) &&
         row_op_get(&ops->fmul, WORD(ISA_ENC_FMUL_RR), build) &&
         row_op_get(&ops->fmul_rz, WORD(ISA_ENC_FMUL_RR, ISA_F_RND, ISA_RND_RZ), build) &&
         row_op_get(&ops->fadd, WORD(ISA_ENC_FADD_RR), build);
}

static uint32_t bits(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

static bool is_subnormal(uint32_t u) {
  return (u & 0x7f800000u) == 0 && (u & 0x7fffffffu) != 0;
}

/* A lane's factors and addend; plain: 1, 1 and -0. */
static void lane_scales(const struct mufu_form *f, uint32_t x, uint32_t *in, uint32_t *out, uint32_t *plus) {
  const uint32_t magnitude = x & 0x7fffffffu;
  const bool below = f->when == BELOW_126 && x > 0xc2fc0000u && x <= 0xff800000u;
  const bool huge = f->when == TINY_OR_HUGE && magnitude > 0x7e800000u;
  const bool tiny = (f->when == TINY || f->when == TINY_OR_HUGE) && is_subnormal(x);
  *in = bits(below || tiny ? f->in : (huge ? HUGE_SCALE : 1));
  *out = bits(tiny ? f->out : (huge ? HUGE_SCALE : 1));
  *plus = bits(tiny && f->plus != 0 ? f->plus : -0.0f);
}

/* Multiplying by 1 and adding -0 changes nothing but a NaN, and MUFU has only one of these. */
static void scaled(const struct mufu_form *f, const struct mufu_ops *ops, uint32_t result[32], const uint32_t x[32]) {
  _Alignas(64) uint32_t in[32], out[32], plus[32], y[32];
  for (unsigned i = 0; i < 32; i++) lane_scales(f, x[i], &in[i], &out[i], &plus[i]);
  row_op_run(&ops->fmul, y, x, in, NULL);
  row_op_run(&ops->mufu, y, NULL, y, NULL);
  if (f->when == BELOW_126)
    for (unsigned i = 0; i < 32; i++) out[i] = in[i] == bits(0.5f) ? y[i] : bits(1);
  row_op_run(&ops->fmul, y, y, out, NULL);
  row_op_run(&ops->fadd, result, y, plus, NULL);
}

void mufu_form_run(const struct mufu_form *f, const struct mufu_ops *ops, uint32_t result[32], const uint32_t x[32]) {
  _Alignas(64) uint32_t y[32];
  if (f->when != ALWAYS_PLAIN) {
    scaled(f, ops, result, x);
  } else if (f->turns) {
    for (unsigned i = 0; i < 32; i++) y[i] = INVERSE_2PI;
    row_op_run(&ops->fmul_rz, y, x, y, NULL);
    row_op_run(&ops->mufu, result, NULL, y, NULL);
  } else {
    row_op_run(&ops->mufu, result, NULL, x, NULL);
  }
}

/* Where an element lies: register, lane, lowest bit. */
struct place {
  unsigned reg, lane, bit;
};

/* Row and column of A that register r holds in lane 4g + t: row g + 8(r mod 2), columns wt + 4w(r/2) ... + w - 1. */
static struct place place_a(struct shape s, unsigned row, unsigned column) {
  if (s.bits_ab == 64) return (struct place){0, 4 * row + column, 0};
  const unsigned w = 32 / s.bits_ab, g = row % 8, t = column / w % 4;
  return (struct place){row / 8 + column / (4 * w) * 2, 4 * g + t, column % w * s.bits_ab};
}

/* B: rows wt + 4wr ... + w - 1, column g. */
static struct place place_b(struct shape s, unsigned row, unsigned column) {
  if (s.bits_ab == 64) return (struct place){0, 4 * column + row, 0};
  const unsigned w = 32 / s.bits_ab, t = row / w % 4;
  return (struct place){row / (4 * w), 4 * column + t, row % w * s.bits_ab};
}

/* C and D. 32 bits: s: row g + 8(s/2), column 2t + s mod 2. 16 bits: row g + 8s, columns 2t and 2t + 1. 64 bits: a pair
 * s: row g, column 2t + s. */
static struct place place_d(struct shape s, unsigned row, unsigned column) {
  const unsigned lane = row % 8 * 4 + column / 2;
  if (s.bits_cd == 64) return (struct place){column % 2 * 2, lane, 0};
  if (s.bits_cd == 16) return (struct place){row / 8, lane, column % 2 * 16};
  return (struct place){row / 8 * 2 + column % 2, lane, 0};
}

/* An element of 64 bits goes on in the next register. */
static void put(uint32_t *row[4], struct place p, uint64_t v, unsigned bits) {
  row[p.reg][p.lane] |= (uint32_t)v << p.bit;
  if (bits == 64) row[p.reg + 1][p.lane] |= (uint32_t)(v >> 32);
}

void fragments_put(struct rows *r, const struct matrices *m) {
  const struct shape s = m->shape;
  uint32_t *a[4] = {r->a, r->a_up[0], r->a_up[1], r->a_up[2]}, *b[4] = {r->b, r->b_up[0], r->b_up[1], r->b_up[2]};
  uint32_t *c[4] = {r->c[0], r->c[1], r->c[2], r->c[3]}, *d[4] = {r->d[0], r->d[1], r->d[2], r->d[3]};
  memset(r->a, 0, sizeof r->a);
  memset(r->a_up, 0, sizeof r->a_up);
  memset(r->b, 0, sizeof r->b);
  memset(r->b_up, 0, sizeof r->b_up);
  memset(r->c, 0, sizeof r->c);
  memset(r->d, 0, sizeof r->d);
  for (unsigned k = 0; k < s.k; k++) {
    for (unsigned i = 0; i < s.m; i++) put(a, place_a(s, i, k), m->a[i][k], s.bits_ab);
    for (unsigned j = 0; j < s.n; j++) put(b, place_b(s, k, j), m->b[k][j], s.bits_ab);
  }
  for (unsigned i = 0; i < s.m; i++)
    for (unsigned j = 0; j < s.n; j++) {
      put(c, place_d(s, i, j), m->c[i][j], s.bits_cd);
      put(d, place_d(s, i, j), m->d[i][j], s.bits_cd);
    }
}

uint64_t fragments_get(const uint32_t d[4][32], struct shape s, unsigned i, unsigned j) {
  const struct place p = place_d(s, i, j);
  if (s.bits_cd == 64) return d[p.reg][p.lane] | (uint64_t)d[p.reg + 1][p.lane] << 32;
  return s.bits_cd == 32 ? d[p.reg][p.lane] : (d[p.reg][p.lane] >> p.bit) & 0xffffu;
}

static bool hmma_word(const char *name, struct heddle_isa_word *w) {
  static const struct {
    const char *name;
    enum heddle_isa_enc enc;
  } hmma[] = {{"f16k16_f32", ISA_ENC_HMMA_16816_F32_RRR},
              {"f16k8_f32", ISA_ENC_HMMA_1688_F32_RRR},
              {"bf16k16_f32", ISA_ENC_HMMA_16816_F32_RRR},
              {"bf16k8_f32", ISA_ENC_HMMA_1688_F32_RRR},
              {"f16k16_f16", ISA_ENC_HMMA_16816_F16_RRR},
              {"f16k8_f16", ISA_ENC_HMMA_1688_F16_RRR},
              {"tf32k8_f32", ISA_ENC_HMMA_1688_F32_TF32_RRR},
              {"tf32k4_f32", ISA_ENC_HMMA_1684_F32_TF32_RRR},
              {"f64", ISA_ENC_DMMA_884_RRR}};
  for (unsigned i = 0; i < sizeof hmma / sizeof hmma[0]; i++)
    if (strcmp(name, hmma[i].name) == 0) {
      *w = WORD(hmma[i].enc);
      if (name[0] == 'b') *w = heddle_isa_put(*w, ISA_F_HMMA, ISA_HMMA_BF16);
      return true;
    }
  return false;
}

/* i16_ or i32_, then s8 or u8 for A and for B, then perhaps _sat. */
static bool imma_word(const char *name, struct heddle_isa_word *w) {
  if (strlen(name) < 8 || (strncmp(name, "i16_", 4) != 0 && strncmp(name, "i32_", 4) != 0)) return false;
  *w = WORD(name[1] == '3' ? ISA_ENC_IMMA_16832_RRR : ISA_ENC_IMMA_16816_RRR, ISA_F_I8A,
            name[4] == 's' ? ISA_BYTE8_S8 : ISA_BYTE8_U8, ISA_F_I8B, name[6] == 's' ? ISA_BYTE8_S8 : ISA_BYTE8_U8,
            ISA_F_SAT, strcmp(name + 8, "_sat") == 0 ? ISA_SAT_SAT : ISA_SAT_NONE);
  return true;
}

/* The format of A, then that of B when it is another one. */
static bool qmma_word(const char *name, struct heddle_isa_word *w) {
  static const char *const names[4] = {"e4m3_f32", "e4m3e5m2_f32", "e5m2e4m3_f32", "e5m2_f32"};
  for (unsigned i = 0; i < 4; i++)
    if (strcmp(name, names[i]) == 0) {
      *w = WORD(ISA_ENC_QMMA_16832_F32_RRR, ISA_F_FP8A, i / 2 != 0 ? ISA_FP8_E5M2 : ISA_FP8_E4M3, ISA_F_FP8B,
                i % 2 != 0 ? ISA_FP8_E5M2 : ISA_FP8_E4M3);
      return true;
    }
  return false;
}

bool matrix_word(const char *name, struct heddle_isa_word *w) {
  return hmma_word(name, w) || imma_word(name, w) || qmma_word(name, w);
}

/* n (0 or up to 53 bits) as a binary floating-point number with that many fraction bits; exact if they suffice. */
static uint64_t matrix_float(uint64_t n, unsigned fraction_bits, unsigned bias) {
  if (n == 0) return 0;
  unsigned top = 0;
  while (n >> (top + 1) != 0) top++;
  const uint64_t below = n - (UINT64_C(1) << top);
  const uint64_t fraction = top <= fraction_bits ? below << (fraction_bits - top) : below >> (top - fraction_bits);
  return (uint64_t)(bias + top) << fraction_bits | fraction;
}

static uint64_t as_f16(uint64_t n) {
  return matrix_float(n, 10, 15);
}

static uint64_t as_bf16(uint64_t n) {
  return matrix_float(n, 7, 127);
}

static uint64_t as_f32(uint64_t n) {
  return matrix_float(n, 23, 127);
}

static uint64_t as_f64(uint64_t n) {
  return matrix_float(n, 52, 1023);
}

static uint64_t as_e4m3(uint64_t n) {
  return matrix_float(n, 3, 7);
}

static uint64_t as_e5m2(uint64_t n) {
  return matrix_float(n, 2, 15);
}

static uint64_t as_integer(uint64_t n) {
  return n;
}

/* Sums of up to 32 products stay below 2^24, those of F16 accumulators below 2^11. */
const struct matrix_kind matrix_kinds[] = {
    {"f16k16_f32", {16, 8, 16, 16, 32}, 512, as_f16, as_f32},
    {"f16k8_f32", {16, 8, 8, 16, 32}, 512, as_f16, as_f32},
    {"f16k16_f16", {16, 8, 16, 16, 16}, 11, as_f16, as_f16},
    {"f16k8_f16", {16, 8, 8, 16, 16}, 15, as_f16, as_f16},
    {"bf16k16_f32", {16, 8, 16, 16, 32}, 255, as_bf16, as_f32},
    {"bf16k8_f32", {16, 8, 8, 16, 32}, 255, as_bf16, as_f32},
    {"tf32k8_f32", {16, 8, 8, 32, 32}, 512, as_f32, as_f32},
    {"tf32k4_f32", {16, 8, 4, 32, 32}, 512, as_f32, as_f32},
    {"i16_u8u8", {16, 8, 16, 8, 32}, 255, as_integer, as_integer},
    {"i32_u8u8", {16, 8, 32, 8, 32}, 255, as_integer, as_integer},
    {"i32_s8s8_sat", {16, 8, 32, 8, 32}, 127, as_integer, as_integer},
    {"e4m3_f32", {16, 8, 32, 8, 32}, 15, as_e4m3, as_f32},
    {"e5m2_f32", {16, 8, 32, 8, 32}, 7, as_e5m2, as_f32},
    {"f64", {8, 8, 4, 64, 64}, 1000, as_f64, as_f64},
};
const unsigned matrix_kinds_count = sizeof matrix_kinds / sizeof matrix_kinds[0];
