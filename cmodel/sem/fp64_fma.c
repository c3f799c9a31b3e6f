/* SPDX-License-Identifier: Apache-2.0
 *
 * DFMA: to nearest by the host's fused multiply-add where it has one, in
 * integers otherwise. Built without -frounding-math, as fp32_fma.c.
 */
#include <math.h>

#include "cmodel/sem/fp64_exact.h"
#include "cmodel/sem/fp32_pick.h"

SEM_FN(dfma_exact) {
  const struct f64_sign sa = f64_sign(p, 0), sb = f64_sign(p, 1), sc = f64_sign(p, 2);
  const enum sem_round rnd = (enum sem_round)p->rnd;
  for (unsigned i = 0; i < SEM_LANES; i++) {
    const uint64_t x = pair_get(a, i), y = pair_get(b, i), z = pair_get(c, i);
    const uint64_t r = f64_fma_exact(f64_modify(x, sa), f64_modify(y, sb), f64_modify(z, sc), rnd);
    pair_put(d, i, SEM_ON(i), f64_choose_nan(r, y, z, x));
  }
}

#ifdef __FMA__
SEM_FN_WHOLE(dfma_nearest) {
  const struct f64_sign sa = f64_sign(p, 0), sb = f64_sign(p, 1), sc = f64_sign(p, 2);
  SEM_EACH_LANE(i) {
    const uint64_t x = pair_get(a, i), y = pair_get(b, i), z = pair_get(c, i);
    const double r = fma(f64_of(f64_modify(x, sa)), f64_of(f64_modify(y, sb)), f64_of(f64_modify(z, sc)));
    pair_put(d, i, SEM_ON(i), f64_choose_nan(bits64_of(r), y, z, x));
  }
}

#else
#define dfma_nearest dfma_exact
#endif

static sem_fn *dfma_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  own_signs(dec, p);
  p->rnd = (uint8_t)round_of(heddle_isa_get(dec->word, ISA_F_RND));
  return p->rnd == SEM_RN ? dfma_nearest : dfma_exact;
}

const struct sem_def SEM_DEF(dfma) = {.kind = SEM_ROW, .pick = dfma_pick};
