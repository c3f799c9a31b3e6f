/* SPDX-License-Identifier: Apache-2.0
 *
 * DADD, DMUL: to nearest as the host does them; DADD otherwise by the error of
 * the host's sum, DMUL in integers.
 */
#include "cmodel/sem/fp64_exact.h"
#include "cmodel/sem/fp32_pick.h"

/* ---- DADD ---- */

static inline void dadd_row(SEM_ARGS, enum sem_round rnd) {
  const struct f64_sign sa = f64_sign(p, 0), sb = f64_sign(p, 1);
  SEM_EACH_LANE(i) {
    const uint64_t x = pair_get(a, i), y = pair_get(b, i);
    const uint64_t mx = f64_modify(x, sa), my = f64_modify(y, sb);
    const uint64_t r = rnd == SEM_RN ? bits64_of(f64_of(mx) + f64_of(my)) : f64_sum(mx, my, rnd);
    pair_put(d, i, SEM_ON(i), f64_choose_nan(r, y, x, x));
  }
}

SEM_FN_WHOLE(dadd_nearest) {
  dadd_row(SEM_PASS, SEM_RN);
}

SEM_FN(dadd_directed) {
  dadd_row(SEM_PASS, (enum sem_round)p->rnd);
}

static sem_fn *dadd_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  own_signs(dec, p);
  p->rnd = (uint8_t)round_of(heddle_isa_get(dec->word, ISA_F_RND));
  return p->rnd == SEM_RN ? dadd_nearest : dadd_directed;
}

/* ---- DMUL ---- */

SEM_FN_WHOLE(dmul_nearest) {
  const struct f64_sign sa = f64_sign(p, 0), sb = f64_sign(p, 1);
  SEM_EACH_LANE(i) {
    const uint64_t x = pair_get(a, i), y = pair_get(b, i);
    const double r = f64_of(f64_modify(x, sa)) * f64_of(f64_modify(y, sb));
    pair_put(d, i, SEM_ON(i), f64_choose_nan(bits64_of(r), y, x, x));
  }
}

SEM_FN(dmul_directed) {
  const struct f64_sign sa = f64_sign(p, 0), sb = f64_sign(p, 1);
  for (unsigned i = 0; i < SEM_LANES; i++) {
    const uint64_t x = pair_get(a, i), y = pair_get(b, i);
    const uint64_t mx = f64_modify(x, sa), my = f64_modify(y, sb);
    const uint64_t zero = (mx ^ my) & F64_SIGN; /* adds nothing, not even a sign */
    pair_put(d, i, SEM_ON(i), f64_choose_nan(f64_fma_exact(mx, my, zero, (enum sem_round)p->rnd), y, x, x));
  }
}

static sem_fn *dmul_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  own_signs(dec, p);
  p->rnd = (uint8_t)round_of(heddle_isa_get(dec->word, ISA_F_RND));
  return p->rnd == SEM_RN ? dmul_nearest : dmul_directed;
}

const struct sem_def SEM_DEF(dadd) = {.kind = SEM_ROW, .pick = dadd_pick};
const struct sem_def SEM_DEF(dmul) = {.kind = SEM_ROW, .pick = dmul_pick};
