/* SPDX-License-Identifier: Apache-2.0
 *
 * HADD2, HMUL2, HFMA2.
 *
 * A plain function an operation without modifiers, and a full one, which knows
 * them all.
 */
#include "half.h"

#if defined(__F16C__) && defined(__AVX2__)
#include "cmodel/sem/half_f16c.h"
#define HALF_PLAIN(op) halves_row(SEM_PASS, op)
#else
#define HALF_PLAIN(op) half_row(SEM_PASS, op, (struct half_mods){0})
#endif

struct half_mods {
  uint32_t ftz, sat, relu; /* 0 or ~0 */
};

/* One half; x, y, z in the low 16 bits. Rubbish above them does no harm. */
static inline uint32_t half_one(enum half_op op, uint32_t x, uint32_t y, uint32_t z, struct half_mods m) {
  const float fx = f32_of(f16_widen(f16_flush(x, m.ftz))), fy = f32_of(f16_widen(f16_flush(y, m.ftz)));
  uint32_t r;
  if (op == HALF_ADD)
    r = bits_of(fx + fy);
  else if (op == HALF_MUL)
    r = bits_of(fx * fy);
  else
    r = f32_sum_to_odd(fx * fy, f32_of(f16_widen(f16_flush(z, m.ftz))));
  return f16_finish(f16_nearest_flush(r, m.ftz), m.sat, m.relu);
}

static inline void half_row(SEM_ARGS, enum half_op op, struct half_mods m) {
  uint32_t low[3], high[3];
  for (unsigned k = 0; k < 3; k++) {
    low[k] = half_shift(p->part[k], 0);
    high[k] = half_shift(p->part[k], 1);
  }
  SEM_EACH_LANE(i) {
    const uint32_t r0 = half_one(op, a[i] >> low[0], b[i] >> low[1], c[i] >> low[2], m);
    const uint32_t r1 = half_one(op, a[i] >> high[0], b[i] >> high[1], c[i] >> high[2], m);
    d[i] = blend(SEM_ON(i), r0 | r1 << 16, d[i]);
  }
}

static inline struct half_mods half_mods(const struct sem_par *p) {
  return (struct half_mods){.ftz = p->ftz ? ~0u : 0, .sat = p->sat ? ~0u : 0, .relu = p->relu ? ~0u : 0};
}

SEM_FN(hadd2_plain) {
  HALF_PLAIN(HALF_ADD);
}

SEM_FN(hadd2_full) {
  half_row(SEM_PASS, HALF_ADD, half_mods(p));
}

SEM_FN(hmul2_plain) {
  HALF_PLAIN(HALF_MUL);
}

SEM_FN(hmul2_full) {
  half_row(SEM_PASS, HALF_MUL, half_mods(p));
}

SEM_FN(hfma2_plain) {
  HALF_PLAIN(HALF_FMA);
}

SEM_FN(hfma2_full) {
  half_row(SEM_PASS, HALF_FMA, half_mods(p));
}

static sem_fn *half_pick(const struct heddle_isa_dec *dec, struct sem_par *p, sem_fn *plain, sem_fn *full) {
  half_parts(dec, p);
  p->ftz = heddle_isa_get(dec->word, ISA_F_FTZ) != 0;
  p->sat = heddle_isa_get(dec->word, ISA_F_SAT) != 0;
  return p->ftz || p->sat || p->relu ? full : plain;
}

static sem_fn *hadd2_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  return half_pick(dec, p, hadd2_plain, hadd2_full);
}

static sem_fn *hmul2_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  return half_pick(dec, p, hmul2_plain, hmul2_full);
}

static sem_fn *hfma2_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->relu = heddle_isa_get(dec->word, ISA_F_RELU) != 0;
  return half_pick(dec, p, hfma2_plain, hfma2_full);
}

const struct sem_def SEM_DEF(hadd2) = {.kind = SEM_ROW, .marks = SEM_MARKS_HALVES, .pick = hadd2_pick};
const struct sem_def SEM_DEF(hmul2) = {.kind = SEM_ROW, .marks = SEM_MARKS_HALVES, .pick = hmul2_pick};
const struct sem_def SEM_DEF(hfma2) = {.kind = SEM_ROW, .marks = SEM_MARKS_HALVES, .pick = hfma2_pick};
