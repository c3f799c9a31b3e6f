/* SPDX-License-Identifier: Apache-2.0
 *
 * HMMA: matrices of F16, BF16 and TF32 numbers, accumulated in F32 or F16.
 */
#include "cmodel/sem/mma_round.h"

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
