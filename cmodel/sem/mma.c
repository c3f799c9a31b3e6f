/* SPDX-License-Identifier: Apache-2.0
 *
 * IMMA, HMMA, QMMA.
 */
#include "mma.h"

/* IMMA: matrices of bytes, accumulated in 32-bit integers. */

/* sem_par.mode: which operands are signed; else bytes count from 0 to 255. */
enum { A_SIGNED = 1, B_SIGNED = 2 };

/* A byte with its sign, if it has one, as a number modulo 2^32: flip the top bit and take it off again. */
static inline uint32_t byte_value(uint32_t raw, uint32_t top) {
  return (raw ^ top) - top;
}

/* c + sum modulo 2^32, or clamped. The sum itself is far from the ends. */
static inline uint32_t accumulate(uint32_t c, uint32_t sum, uint32_t clamp) {
  const uint32_t r = c + sum;
  const uint32_t over = ((r ^ c) & (r ^ sum)) >> 31;
  const uint32_t end = 0x7fffffffu + (c >> 31);
  return blend(clamp & mask_if(over), end, r);
}

static inline void imma(SEM_ARGS, unsigned k) {
  struct mma_a ma;
  struct mma_b mb;
  struct mma_c mc;
  const uint32_t clamp = p->sat ? ~0u : 0;
  const uint32_t top_a = (p->mode & A_SIGNED) != 0 ? 0x80u : 0, top_b = (p->mode & B_SIGNED) != 0 ? 0x80u : 0;
  mma_read_a(&ma, a, k, 4);
  mma_read_b(&mb, b, k, 4);
  mma_read_c(&mc, c);
  for (unsigned n = 0; n < k; n++)
    for (unsigned i = 0; i < MMA_M; i++) ma.at[n][i] = byte_value(ma.at[n][i], top_a);
  for (unsigned j = 0; j < MMA_N; j++)
    for (unsigned n = 0; n < k; n++) mb.at[j][n] = byte_value(mb.at[j][n], top_b);
  for (unsigned j = 0; j < MMA_N; j++)
    for (unsigned i = 0; i < MMA_M; i++) {
      uint32_t sum = 0;
      for (unsigned n = 0; n < k; n++) sum += ma.at[n][i] * mb.at[j][n];
      mc.at[j][i] = accumulate(mc.at[j][i], sum, clamp);
    }
  mma_write_d(d, &mc);
}

SEM_FN(imma_k16) {
  imma(SEM_PASS, 16);
}

SEM_FN(imma_k32) {
  imma(SEM_PASS, 32);
}

static void imma_fields(const struct heddle_isa_dec *dec, struct sem_par *p) {
  const bool a_signed = heddle_isa_get(dec->word, ISA_F_I8A) == ISA_BYTE8_S8;
  const bool b_signed = heddle_isa_get(dec->word, ISA_F_I8B) == ISA_BYTE8_S8;
  p->mode = (uint8_t)((a_signed ? A_SIGNED : 0) | (b_signed ? B_SIGNED : 0));
  p->sat = heddle_isa_get(dec->word, ISA_F_SAT) != 0;
}

static sem_fn *pick_16816(const struct heddle_isa_dec *dec, struct sem_par *p) {
  imma_fields(dec, p);
  return imma_k16;
}

static sem_fn *pick_16832(const struct heddle_isa_dec *dec, struct sem_par *p) {
  imma_fields(dec, p);
  return imma_k32;
}

const struct sem_def SEM_DEF(imma_16816) = {
    .kind = SEM_ROW, .marks = SEM_MARKS_MATRIX, .whole_warp = true, .pick = pick_16816};
const struct sem_def SEM_DEF(imma_16832) = {
    .kind = SEM_ROW, .marks = SEM_MARKS_MATRIX, .whole_warp = true, .pick = pick_16832};

/* HMMA: matrices of F16, BF16 and TF32 numbers, accumulated in F32 or F16. */

/* The whole warp executes: nothing is blended. `w`: elements a register. */
static inline void hmma(SEM_ARGS, struct mma_format f, unsigned k, unsigned w, bool half) {
  struct mma_operands o;
  struct mma_sums sums;
  struct mma_c result;
  const struct mma_format fc = half ? mma_f16 : mma_f32;
  o.special = 0;
  mma_read_a(&o.a, a, k, w);
  mma_read_b(&o.b, b, k, w);
  if (half)
    mma_read_c16(&o.c, c);
  else
    mma_read_c(&o.c, c);
  mma_split_a(&o, k, f);
  mma_split_b(&o, k, f);
  mma_split_c(&o, fc);
  mma_kinds(&o, k, f, f, fc);
  mma_sum(&sums, &o, 0, k);
  if (half) {
    mma_round_all_f16(&result, &sums);
    mma_write_d16(d, &result);
  } else {
    mma_round_all_f32(&result, &sums);
    mma_write_d(d, &result);
  }
}

#define HMMA_ROW(name, format, k, w, half)                                                                             \
  SEM_FN(name) {                                                                                                       \
    hmma(SEM_PASS, format, k, w, half);                                                                                \
  }

HMMA_ROW(f16_16816, mma_f16, 16, 2, false)
HMMA_ROW(f16_1688, mma_f16, 8, 2, false)
HMMA_ROW(bf16_16816, mma_bf16, 16, 2, false)
HMMA_ROW(bf16_1688, mma_bf16, 8, 2, false)
HMMA_ROW(tf32_1688, mma_tf32, 8, 1, false)
HMMA_ROW(tf32_1684, mma_tf32, 4, 1, false)
HMMA_ROW(f16_16816_half, mma_f16, 16, 2, true)
HMMA_ROW(f16_1688_half, mma_f16, 8, 2, true)

static bool is_bf16(const struct heddle_isa_dec *dec) {
  return heddle_isa_get(dec->word, ISA_F_HMMA) == ISA_HMMA_BF16;
}

static sem_fn *pick_16816_f32(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)p;
  return is_bf16(dec) ? bf16_16816 : f16_16816;
}

static sem_fn *pick_1688_f32(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)p;
  return is_bf16(dec) ? bf16_1688 : f16_1688;
}

static sem_fn *pick_16816_f16(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return f16_16816_half;
}

static sem_fn *pick_1688_f16(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return f16_1688_half;
}

static sem_fn *pick_1688_tf32(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return tf32_1688;
}

static sem_fn *pick_1684_tf32(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return tf32_1684;
}

#define HMMA_DEF(shape)                                                                                                \
  const struct sem_def SEM_DEF(hmma_##shape) = {                                                                       \
      .kind = SEM_ROW, .marks = SEM_MARKS_MATRIX, .whole_warp = true, .pick = pick_##shape}

HMMA_DEF(16816_f32);
HMMA_DEF(1688_f32);
HMMA_DEF(16816_f16);
HMMA_DEF(1688_f16);
HMMA_DEF(1688_tf32);
HMMA_DEF(1684_tf32);

/* QMMA: matrices of 8-bit floating-point numbers, accumulated in F32.
 *
 * Two fused sums of 16 products after each other; the addition of C is one of
 * its own. */

#define QMMA_K 32u

/* Where row k of B and column k of A go: the products of the first sum before those of the second. */
static inline unsigned term_place(unsigned k) {
  return (k % 4 < 2 ? 0 : MMA_TERMS) + k / 4 * 2 + k % 2;
}

static inline void read_a(struct mma_a *to, const uint32_t *a) {
  struct mma_a m;
  mma_read_a(&m, a, QMMA_K, 4);
  for (unsigned k = 0; k < QMMA_K; k++)
    for (unsigned i = 0; i < MMA_M; i++) to->at[term_place(k)][i] = m.at[k][i];
}

static inline void read_b(struct mma_b *to, const uint32_t *b) {
  struct mma_b m;
  mma_read_b(&m, b, QMMA_K, 4);
  for (unsigned j = 0; j < MMA_N; j++)
    for (unsigned k = 0; k < QMMA_K; k++) to->at[j][term_place(k)] = m.at[j][k];
}

static inline void qmma(SEM_ARGS, struct mma_format fa, struct mma_format fb) {
  struct mma_operands o;
  struct mma_sums sums;
  struct mma_c mc;
  o.special = 0;
  read_a(&o.a, a);
  read_b(&o.b, b);
  mma_read_c(&mc, c);
  mma_split_a(&o, QMMA_K, fa);
  mma_split_b(&o, QMMA_K, fb);
  memset(&o.c, 0, sizeof o.c);
  for (unsigned first = 0; first < QMMA_K; first += MMA_TERMS) {
    mma_split_c(&o, mma_f32);
    mma_kinds(&o, QMMA_K, fa, fb, mma_f32);
    mma_sum(&sums, &o, first, MMA_TERMS);
    mma_round_all_f32(&o.c, &sums);
  }
  for (unsigned j = 0; j < MMA_N; j++)
    for (unsigned i = 0; i < MMA_M; i++) mc.at[j][i] = f32_result(f32_of(mc.at[j][i]) + f32_of(o.c.at[j][i]));
  mma_write_d(d, &mc);
}

#define QMMA_ROW(name, fa, fb)                                                                                         \
  SEM_FN(name) {                                                                                                       \
    qmma(SEM_PASS, fa, fb);                                                                                            \
  }

QMMA_ROW(e4m3_e4m3, mma_e4m3, mma_e4m3)
QMMA_ROW(e4m3_e5m2, mma_e4m3, mma_e5m2)
QMMA_ROW(e5m2_e4m3, mma_e5m2, mma_e4m3)
QMMA_ROW(e5m2_e5m2, mma_e5m2, mma_e5m2)

static sem_fn *qmma_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)p;
  const bool b5 = heddle_isa_get(dec->word, ISA_F_FP8B) == ISA_FP8_E5M2;
  if (heddle_isa_get(dec->word, ISA_F_FP8A) == ISA_FP8_E5M2) return b5 ? e5m2_e5m2 : e5m2_e4m3;
  return b5 ? e4m3_e5m2 : e4m3_e4m3;
}

const struct sem_def SEM_DEF(qmma_16832) = {
    .kind = SEM_ROW, .marks = SEM_MARKS_MATRIX, .whole_warp = true, .pick = qmma_pick};
