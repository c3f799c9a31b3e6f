/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: what FADD, FMUL and FFMA share: their fields, and the
 * choice between the plain and the exact function.
 */
#ifndef HEDDLE_SEM_FP32_PICK_H
#define HEDDLE_SEM_FP32_PICK_H

#include "cmodel/sem/fp32.h"

static inline uint32_t all_ones_if(bool b) {
  return b ? ~0u : 0;
}

static inline enum sem_round round_of(uint64_t v) {
  switch (v) {
  case ISA_RND_RM:
    return SEM_RM;
  case ISA_RND_RP:
    return SEM_RP;
  case ISA_RND_RZ:
    return SEM_RZ;
  default:
    return SEM_RN;
  }
}

static inline sem_fn *pick_variant(const struct heddle_isa_dec *dec, struct sem_par *p, sem_fn *plain, sem_fn *exact) {
  p->rnd = (uint8_t)round_of(heddle_isa_get(dec->word, ISA_F_RND));
  p->ftz = heddle_isa_get(dec->word, ISA_F_FTZ) != 0;
  p->sat = heddle_isa_get(dec->word, ISA_F_SAT) != 0;
  return p->rnd != SEM_RN || p->ftz || p->sat ? exact : plain;
}

#endif
