/* SPDX-License-Identifier: Apache-2.0
 *
 * FADD, FMUL.
 *
 * Two functions an operation: the plain round-to-nearest one without
 * modifiers, which most programs use and which is the host's own operation; and
 * the exact one for everything else. (The host's result does not tell whether
 * its rounding passed 2^-126, so flushing needs the exact one too.)
 */
#include "cmodel/sem/fp32_pick.h"

/* ---- FADD ---- */

SEM_FN_WHOLE(fadd_plain) {
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), f32_result(f32_of(a[i]) + f32_of(b[i])), d[i]);
}

SEM_FN(fadd_exact) {
  const uint32_t ftz = all_ones_if(p->ftz), sat = all_ones_if(p->sat);
  const enum sem_round rnd = (enum sem_round)p->rnd;
  SEM_EACH_LANE(i) {
    const double x = f32_of(f32_flush(a[i], ftz)), z = f32_of(f32_flush(b[i], ftz));
    const uint32_t r = f32_round_flush(sum_to_odd(x, z, rnd == SEM_RM), rnd, ftz);
    d[i] = blend(SEM_ON(i), f32_finish(r, sat), d[i]);
  }
}

static sem_fn *fadd_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  return pick_variant(dec, p, fadd_plain, fadd_exact);
}

/* ---- FMUL ---- */

SEM_FN_WHOLE(fmul_plain) {
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), f32_result(f32_of(a[i]) * f32_of(b[i])), d[i]);
}

SEM_FN(fmul_exact) {
  const uint32_t ftz = all_ones_if(p->ftz), sat = all_ones_if(p->sat);
  const enum sem_round rnd = (enum sem_round)p->rnd;
  SEM_EACH_LANE(i) {
    const double x = f32_of(f32_flush(a[i], ftz)), y = f32_of(f32_flush(b[i], ftz));
    d[i] = blend(SEM_ON(i), f32_finish(f32_round_flush(x * y, rnd, ftz), sat), d[i]);
  }
}

static sem_fn *fmul_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  return pick_variant(dec, p, fmul_plain, fmul_exact);
}

const struct sem_def SEM_DEF(fadd) = {.kind = SEM_ROW, .pick = fadd_pick};
const struct sem_def SEM_DEF(fmul) = {.kind = SEM_ROW, .pick = fmul_pick};
