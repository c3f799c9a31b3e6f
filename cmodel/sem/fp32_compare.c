/* SPDX-License-Identifier: Apache-2.0
 *
 * FMNMX, FSETP: comparisons of binary32 values by their bits.
 */
#include "compare.h"
#include "fp32.h"

/* A signed integer that orders as the values do; the zeros are told apart (-0 < +0). */
static inline int32_t f32_order(uint32_t u) {
  return (int32_t)(u ^ (mask_if(u >> 31) & ~F32_SIGN));
}

/* Both zeros alike: +0. */
static inline uint32_t f32_one_zero(uint32_t u) {
  const uint32_t some = (u << 1) != 0;
  return u & mask_if(some);
}

static void fmnmx(struct sem_io *io, const struct sem_par *p) {
  SEM_ROWS(io);
  const uint32_t ftz = p->ftz ? ~0u : 0, minimum = io->ps[0];
  SEM_EACH_LANE(i) {
    const uint32_t x = f32_flush(a[i], ftz), y = f32_flush(b[i], ftz);
    const uint32_t x_less = f32_order(x) < f32_order(y);
    const uint32_t take_y = (x_less ^ lane_bit(minimum, i)) & (f32_is_nan(y) ^ 1);
    const uint32_t r = blend(mask_if(take_y | f32_is_nan(x)), y, x);
    d[i] = blend(on[i], f32_canonical(r), d[i]);
  }
}

static sem_fn *fmnmx_pick(const struct isa_dec *dec, struct sem_par *p) {
  p->ftz = isa_get(dec->word, ISA_F_FTZ) != 0;
  return fmnmx;
}

static void fsetp(struct sem_io *io, const struct sem_par *p) {
  SEM_ROWS(io);
  const uint32_t ftz = p->ftz ? ~0u : 0, rel = p->rel, unordered = (p->rel & SEM_UN) != 0;
  uint32_t r = 0;
  SEM_EACH_LANE(i) {
    const uint32_t x = f32_one_zero(f32_flush(a[i], ftz)), y = f32_one_zero(f32_flush(b[i], ftz));
    const int32_t kx = f32_order(x), ky = f32_order(y);
    const uint32_t less = kx < ky, equal = kx == ky, nan = f32_is_nan(x) | f32_is_nan(y);
    const uint32_t number = compare_hit(rel, less, equal);
    r |= blend(mask_if(nan), unordered, number) << i;
  }
  compare_finish(io, p, r);
}

static uint8_t fcmp_rel(uint64_t v) {
  switch (v) {
  case ISA_FCMP_LT:
    return SEM_LT;
  case ISA_FCMP_EQ:
    return SEM_EQ;
  case ISA_FCMP_LE:
    return SEM_LT | SEM_EQ;
  case ISA_FCMP_GT:
    return SEM_GT;
  case ISA_FCMP_NE:
    return SEM_LT | SEM_GT;
  case ISA_FCMP_GE:
    return SEM_GT | SEM_EQ;
  case ISA_FCMP_NUM:
    return SEM_LT | SEM_EQ | SEM_GT;
  case ISA_FCMP_NAN:
    return SEM_UN;
  case ISA_FCMP_LTU:
    return SEM_LT | SEM_UN;
  case ISA_FCMP_EQU:
    return SEM_EQ | SEM_UN;
  case ISA_FCMP_LEU:
    return SEM_LT | SEM_EQ | SEM_UN;
  case ISA_FCMP_GTU:
    return SEM_GT | SEM_UN;
  case ISA_FCMP_NEU:
    return SEM_LT | SEM_GT | SEM_UN;
  case ISA_FCMP_GEU:
    return SEM_GT | SEM_EQ | SEM_UN;
  case ISA_FCMP_T:
    return SEM_LT | SEM_EQ | SEM_GT | SEM_UN;
  default:
    return 0;
  }
}

static sem_fn *fsetp_pick(const struct isa_dec *dec, struct sem_par *p) {
  p->ftz = isa_get(dec->word, ISA_F_FTZ) != 0;
  p->rel = fcmp_rel(isa_get(dec->word, ISA_F_FCMP));
  compare_pick(dec, p);
  return fsetp;
}

const struct sem_def SEM_DEF(fmnmx) = {.kind = SEM_ROW, .reads_ps = true, .neg = SEM_NEG_FLOAT, .pick = fmnmx_pick};
const struct sem_def SEM_DEF(fsetp) = {.kind = SEM_ROW, .reads_ps = true, .neg = SEM_NEG_FLOAT, .pick = fsetp_pick};
