/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: what ISETP, FSETP and their kin share.
 */
#ifndef HEDDLE_SEM_COMPARE_H
#define HEDDLE_SEM_COMPARE_H

#include "cmodel/sem/lane.h"

static inline void compare_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  switch (heddle_isa_get(dec->word, ISA_F_BOOL)) {
  case ISA_BOOL_OR:
    p->combine = SEM_OR;
    break;
  case ISA_BOOL_XOR:
    p->combine = SEM_XOR;
    break;
  default:
    p->combine = SEM_AND;
    break;
  }
}

/* Relation bits of a comparison of floating-point numbers. */
static inline uint8_t fcmp_rel(uint64_t v) {
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

/* Lanes by the relation of their two numbers, as masks. Where one is no number, `less` and `equal` do not count. */
struct relations {
  uint32_t less, equal, unordered;
};

/* The lanes with a relation among `rel`. */
static inline uint32_t compare_hit(uint32_t rel, struct relations r) {
  const uint32_t lt = mask_if((rel & SEM_LT) != 0), eq = mask_if((rel & SEM_EQ) != 0);
  const uint32_t gt = mask_if((rel & SEM_GT) != 0), un = mask_if((rel & SEM_UN) != 0);
  return blend(r.unordered, un, (lt & r.less) | (eq & r.equal) | (gt & ~(r.less | r.equal)));
}

static inline uint32_t combine(uint8_t how, uint32_t x, uint32_t y) {
  if (how == SEM_OR) return x | y;
  if (how == SEM_XOR) return x ^ y;
  return x & y;
}

/* r: the comparison in each lane. pd1 takes its complement. */
static inline void compare_finish(struct sem_io *io, const struct sem_par *p, uint32_t r) {
  io->pd[0] = combine(p->combine, r, io->ps[0]);
  io->pd[1] = combine(p->combine, ~r, io->ps[0]);
}

#endif
