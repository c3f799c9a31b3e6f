/* SPDX-License-Identifier: Apache-2.0
 *
 * FFMA: the host's fused multiply-add where it has one (see fp32.c for the two
 * functions), the exact one otherwise.
 *
 * This file is built without -frounding-math, under which GCC does not
 * vectorise fmaf. Nothing in sem/ changes the host's rounding direction.
 */
#include <math.h>

#include "cmodel/sem/fp32_pick.h"

SEM_FN(ffma_exact) {
  const uint32_t ftz = all_ones_if(p->ftz), sat = all_ones_if(p->sat);
  const enum sem_round rnd = (enum sem_round)p->rnd;
  SEM_EACH_LANE(i) {
    const double x = f32_of(f32_flush(a[i], ftz)), y = f32_of(f32_flush(b[i], ftz));
    const double z = f32_of(f32_flush(c[i], ftz));
    const uint32_t r = f32_round_flush(sum_to_odd(x * y, z, rnd == SEM_RM), rnd, ftz);
    d[i] = blend(SEM_ON(i), f32_finish(r, sat), d[i]);
  }
}

#ifdef __FMA__
SEM_FN_WHOLE(ffma_plain) {
  SEM_EACH_LANE(i)
  d[i] = blend(SEM_ON(i), f32_result(fmaf(f32_of(a[i]), f32_of(b[i]), f32_of(c[i]))), d[i]);
}

#else
#define ffma_plain ffma_exact
#endif

static sem_fn *ffma_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  return pick_variant(dec, p, ffma_plain, ffma_exact);
}

const struct sem_def SEM_DEF(ffma) = {.kind = SEM_ROW, .pick = ffma_pick};
