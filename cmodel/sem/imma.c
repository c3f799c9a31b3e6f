/* SPDX-License-Identifier: Apache-2.0
 *
 * IMMA: matrices of bytes, accumulated in 32-bit integers.
 */
#include "cmodel/sem/mma.h"

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
