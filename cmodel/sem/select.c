/* SPDX-License-Identifier: Apache-2.0
 *
 * MOV, S2R, CS2R, SEL, IMNMX, ISETP.
 */
#include "cmodel/sem/compare.h"

SEM_FN_WHOLE(mov) {
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), b[i], d[i]);
}

static sem_fn *mov_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return mov;
}

/* The machine supplies the pair as operand b; each lane needs its own words only. */
SEM_FN_WHOLE(mov_pair) {
  SEM_EACH_LANE(i) {
    const uint32_t low = b[i], high = b[SEM_LANES + i];
    d[i] = blend(SEM_ON(i), low, d[i]);
    d[SEM_LANES + i] = blend(SEM_ON(i), high, d[SEM_LANES + i]);
  }
}

static sem_fn *cs2r_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return mov_pair;
}

SEM_FN_WHOLE(sel) {
  const uint32_t first = io->ps[0];
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), lane_bit(first, i) != 0 ? a[i] : b[i], d[i]);
}

static sem_fn *sel_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return sel;
}

/* Unsigned order as signed order: the top bit flipped. */
static inline int32_t order_as_signed(uint32_t x, uint32_t flip) {
  return (int32_t)(x ^ flip);
}

SEM_FN_WHOLE(imnmx) {
  const uint32_t minimum = io->ps[0], flip = p->is_unsigned ? 0x80000000u : 0;
  SEM_EACH_LANE(i) {
    const uint32_t a_less = order_as_signed(a[i], flip) < order_as_signed(b[i], flip);
    d[i] = blend(SEM_ON(i), blend(mask_if(a_less ^ lane_bit(minimum, i)), b[i], a[i]), d[i]);
  }
}

static sem_fn *imnmx_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->is_unsigned = heddle_isa_get(dec->word, ISA_F_SIGN) == ISA_SIGN_U32;
  return imnmx;
}

static inline struct relations integer_relations(SEM_ARGS) {
  const uint32_t flip = p->is_unsigned ? 0x80000000u : 0;
  uint32_t less = 0, equal = 0;
  SEM_EACH_LANE(i) {
    less |= (uint32_t)(order_as_signed(a[i], flip) < order_as_signed(b[i], flip)) << i;
    equal |= (uint32_t)(a[i] == b[i]) << i;
  }
  return (struct relations){less, equal, 0};
}

SEM_FN(isetp) {
  compare_finish(io, p, compare_hit(p->rel, integer_relations(SEM_PASS)));
}

/* High words: where they are equal the verdict on the low ones decides, but for .F and .T. Where they differ, the
 * relation with or without SEM_EQ says the same. */
SEM_FN(isetp_ex) {
  const uint32_t low = p->mode == ISA_ICMP_F ? 0 : p->mode == ISA_ICMP_T ? ~0u : io->ps[2];
  const struct relations r = integer_relations(SEM_PASS);
  compare_finish(io, p, blend(r.equal, low, compare_hit(p->rel, r)));
}

static sem_fn *isetp_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  switch (heddle_isa_get(dec->word, ISA_F_ICMP)) {
  case ISA_ICMP_LT:
    p->rel = SEM_LT;
    break;
  case ISA_ICMP_EQ:
    p->rel = SEM_EQ;
    break;
  case ISA_ICMP_LE:
    p->rel = SEM_LT | SEM_EQ;
    break;
  case ISA_ICMP_GT:
    p->rel = SEM_GT;
    break;
  case ISA_ICMP_NE:
    p->rel = SEM_LT | SEM_GT;
    break;
  case ISA_ICMP_GE:
    p->rel = SEM_GT | SEM_EQ;
    break;
  case ISA_ICMP_T:
    p->rel = SEM_LT | SEM_EQ | SEM_GT;
    break;
  default:
    p->rel = 0;
    break;
  }
  p->is_unsigned = heddle_isa_get(dec->word, ISA_F_SIGN) == ISA_SIGN_U32;
  compare_pick(dec, p);
  return isetp;
}

static sem_fn *isetp_ex_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)isetp_pick(dec, p);
  p->mode = (uint8_t)heddle_isa_get(dec->word, ISA_F_ICMP);
  return isetp_ex;
}

const struct sem_def SEM_DEF(mov) = {.kind = SEM_ROW, .marks = SEM_MARKS_COPY, .pick = mov_pick};
/* The machine supplies the special register as operand b. */
const struct sem_def SEM_DEF(s2r) = {.kind = SEM_ROW, .marks = SEM_MARKS_COPY, .pick = mov_pick};
const struct sem_def SEM_DEF(cs2r) = {.kind = SEM_ROW, .pick = cs2r_pick};
const struct sem_def SEM_DEF(sel) = {.kind = SEM_ROW, .marks = SEM_MARKS_SELECT, .pick = sel_pick};
const struct sem_def SEM_DEF(imnmx) = {.kind = SEM_ROW, .pick = imnmx_pick};
const struct sem_def SEM_DEF(isetp) = {.kind = SEM_ROW, .marks = SEM_MARKS_COMPARE_WORDS, .pick = isetp_pick};
const struct sem_def SEM_DEF(isetp_ex) = {.kind = SEM_ROW, .marks = SEM_MARKS_COMPARE, .pick = isetp_ex_pick};
