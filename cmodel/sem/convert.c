/* SPDX-License-Identifier: Apache-2.0
 *
 * I2F, F2I.
 */
#include "fp32.h"

static void i2f(struct sem_io *io, const struct sem_par *p) {
  SEM_ROWS(io);
  const enum sem_round rnd = (enum sem_round)p->rnd;
  if (p->is_unsigned) {
    SEM_EACH_LANE(i) d[i] = blend(on[i], f32_round((double)b[i], rnd), d[i]);
  } else {
    SEM_EACH_LANE(i) d[i] = blend(on[i], f32_round((double)(int32_t)b[i], rnd), d[i]);
  }
}

static sem_fn *i2f_pick(const struct isa_dec *dec, struct sem_par *p) {
  switch (isa_get(dec->word, ISA_F_RND)) {
  case ISA_RND_RM:
    p->rnd = SEM_RM;
    break;
  case ISA_RND_RP:
    p->rnd = SEM_RP;
    break;
  case ISA_RND_RZ:
    p->rnd = SEM_RZ;
    break;
  default:
    p->rnd = SEM_RN;
    break;
  }
  p->is_unsigned = isa_get(dec->word, ISA_F_ISIGN) == ISA_SIGN_U32;
  return i2f;
}

/* |x| rounded to an integer, at most 2^32 (which stands for all above). */
static inline uint64_t f32_magnitude(uint32_t u, enum sem_round rnd) {
  const uint32_t exponent = (u >> 23) & 255u, fraction = u & 0x7fffffu;
  const uint64_t m = exponent == 0 ? fraction : fraction | 0x800000u;
  const uint32_t left = exponent > 150 ? exponent - 150 : 0; /* value = m * 2^(exponent-150) */
  const uint32_t right = exponent < 150 ? 150 - exponent : 0;
  const uint32_t l = left < 9 ? left : 9, r = right < 26 ? right : 26; /* 26: below a quarter */
  const uint64_t shifted = m << l << 2 >> r;                           /* two more bits, to see halves */
  const uint64_t whole = shifted >> 2;
  const uint64_t lost = (shifted << r) != m << l << 2;
  const uint64_t rest = (shifted & 3) << 1 | lost; /* in eighths, the last one standing for all below: 4 is a half */
  const uint64_t above_half = rest > 4, half = rest == 4, inexact = rest != 0;
  const uint64_t nearest_up = above_half | (half & whole);
  const uint64_t directed_up = f32_away(rnd, u >> 31) & inexact;
  const uint64_t v = whole + (rnd == SEM_RN ? nearest_up : directed_up);
  const uint64_t top = UINT64_C(1) << 32;
  return v < top ? v : top;
}

static void f2i(struct sem_io *io, const struct sem_par *p) {
  SEM_ROWS(io);
  const enum sem_round rnd = (enum sem_round)p->rnd;
  const uint32_t ftz = p->ftz ? ~0u : 0;
  const uint64_t max_pos = p->is_unsigned ? 0xffffffffu : 0x7fffffffu;
  const uint64_t max_neg = p->is_unsigned ? 0 : 0x80000000u;
  SEM_EACH_LANE(i) {
    const uint32_t x = f32_flush(b[i], ftz);
    const uint64_t m = f32_magnitude(x, rnd);
    const uint32_t negative = mask_if(x >> 31);
    const uint64_t max = (x >> 31) != 0 ? max_neg : max_pos;
    const uint32_t v = (uint32_t)(m < max ? m : max);
    const uint32_t r = (v ^ negative) - negative;
    d[i] = blend(on[i], r & ~mask_if(f32_is_nan(x)), d[i]);
  }
}

static sem_fn *f2i_pick(const struct isa_dec *dec, struct sem_par *p) {
  switch (isa_get(dec->word, ISA_F_IRND)) {
  case ISA_IRND_FLOOR:
    p->rnd = SEM_RM;
    break;
  case ISA_IRND_CEIL:
    p->rnd = SEM_RP;
    break;
  case ISA_IRND_TRUNC:
    p->rnd = SEM_RZ;
    break;
  default:
    p->rnd = SEM_RN;
    break;
  }
  p->is_unsigned = isa_get(dec->word, ISA_F_DSIGN) == ISA_SIGN_U32;
  p->ftz = isa_get(dec->word, ISA_F_FTZ) != 0;
  return f2i;
}

const struct sem_def SEM_DEF(i2f) = {.kind = SEM_ROW, .neg = SEM_NEG_INT, .pick = i2f_pick};
const struct sem_def SEM_DEF(f2i) = {.kind = SEM_ROW, .neg = SEM_NEG_FLOAT, .pick = f2i_pick};
