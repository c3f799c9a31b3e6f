/* SPDX-License-Identifier: Apache-2.0
 *
 * P2R, R2P: all seven predicates at once; UP2P: a uniform predicate into the lanes.
 */
#include "cmodel/sem/lane.h"

#define PREDS 7u

SEM_FN(p2r) {
  uint32_t pred[PREDS];
  memcpy(pred, io->p, sizeof pred);
  SEM_EACH_LANE(i) {
    uint32_t bits = 0;
    for (unsigned k = 0; k < PREDS; k++) bits |= lane_bit(pred[k], i) << k;
    d[i] = blend(SEM_ON(i), (a[i] & ~b[i]) | (bits & b[i]), d[i]);
  }
}

static sem_fn *p2r_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return p2r;
}

/* Columns become rows: bit k of every lane's word is the mask of predicate k. */
SEM_FN(r2p) {
  for (unsigned k = 0; k < PREDS; k++) {
    uint32_t value = 0, written = 0;
    SEM_EACH_LANE(i) {
      value |= (a[i] >> k & 1u) << i;
      written |= (b[i] >> k & 1u) << i;
    }
    io->p_written[k] = written & io->exec;
    io->p[k] = blend(io->p_written[k], value, io->p[k]);
  }
}

static sem_fn *r2p_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return r2p;
}

SEM_FN(up2p) {
  io->pd[0] = io->ps[0];
}

static sem_fn *up2p_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return up2p;
}

const struct sem_def SEM_DEF(p2r) = {
    .kind = SEM_ROW, .marks = SEM_MARKS_PACK_PREDICATES, .all_preds = true, .pick = p2r_pick};
const struct sem_def SEM_DEF(r2p) = {
    .kind = SEM_ROW, .marks = SEM_MARKS_UNPACK_PREDICATES, .all_preds = true, .pick = r2p_pick};
const struct sem_def SEM_DEF(up2p) = {.kind = SEM_ROW, .marks = SEM_MARKS_PREDICATE, .pick = up2p_pick};
