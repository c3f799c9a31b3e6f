/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating-point operands by class. */
#include "lab/verify/coverage/collect.h"

/* By exponent and fraction; 5 more where the sign is set. */
static inline unsigned float_class(bool sign, bool low, bool high, bool fraction) {
  const unsigned c = low ? (fraction ? 1 : 0) : high ? (fraction ? 4 : 3) : 2;
  return c + (sign ? 5 : 0);
}

static inline unsigned class_f32(uint32_t v) {
  const uint32_t e = v >> 23 & 0xff;
  return float_class(v >> 31 != 0, e == 0, e == 0xff, (v & 0x7fffff) != 0);
}

static inline unsigned class_f16(uint32_t v) {
  const uint32_t e = v >> 10 & 0x1f;
  return float_class((v >> 15 & 1) != 0, e == 0, e == 0x1f, (v & 0x3ff) != 0);
}

static inline unsigned class_f64(uint32_t low, uint32_t high) {
  const uint32_t e = high >> 20 & 0x7ff;
  return float_class(high >> 31 != 0, e == 0, e == 0x7ff, (high & 0xfffff) != 0 || low != 0);
}

/* Which halves of a pair the part suffix names: bit 0 low, bit 1 high. */
static unsigned halves(const struct heddle_isa_dec *d, unsigned operand) {
  const struct heddle_isa_slot *s = &heddle_isa_encoding_info((enum heddle_isa_enc)d->enc)->src[operand];
  if (s->part == ISA_FIELD_NONE) return heddle_isa_instr_info((enum heddle_isa_op)d->op)->unit == ISA_UNIT_HALF ? 3 : 1;
  const bool one = heddle_isa_field_info((enum heddle_isa_field)s->part)->set == ISA_SET_HALF1;
  const unsigned part = d->src[operand].part;
  return one ? 1u << (part & 1) : part == 0 ? 3 : part == 1 ? 1 : 2;
}

/* Classes of an operand, a lane each: of FP16 the high half in bits 7:4, and 15 where a half is not read. */
static void classify(const struct word *d, const struct stash *s, unsigned o, unsigned format,
                     uint8_t cls[HEDDLE_LANES]) {
  const unsigned half = format == N_F16 ? halves(&d->d, o) : 1;
  for (uint32_t rest = s->exec; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint32_t v = s->data[2 * o][l];
    if (format == N_F32) cls[l] = (uint8_t)(0xf0 | class_f32(v));
    if (format == N_F64) cls[l] = (uint8_t)(0xf0 | class_f64(v, s->data[2 * o + 1][l]));
    if (format == N_F16)
      cls[l] = (uint8_t)((half & 2 ? class_f16(v >> 16) << 4 : 0xf0u) | (half & 1 ? class_f16(v & 0xffff) : 0xfu));
  }
}

static unsigned owned(const struct heddle_isa_dec *d, enum heddle_isa_field f) {
  return heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, f) ? (unsigned)heddle_isa_get(d->word, f) : 0;
}

static void count_classes(struct cov *c, const struct word *d, unsigned o, uint32_t exec,
                          const uint8_t cls[HEDDLE_LANES]) {
  struct group *g = &c->group[G_NUMBER];
  const unsigned rounding = owned(&d->d, ISA_F_RND) + owned(&d->d, ISA_F_IRND);
  const unsigned ftz = owned(&d->d, ISA_F_FTZ), sat = owned(&d->d, ISA_F_SAT);
  uint32_t hits[16] = {0};
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1) {
    const unsigned v = cls[__builtin_ctz(rest)];
    hits[v & 15]++;
    hits[v >> 4]++;
  }
  for (unsigned k = 0; k < CLASSES; k++)
    if (hits[k] != 0)
      bin_add(g, bin_of(g, (const unsigned[]){d->number[o], k, rounding & 3, ftz & 1, sat & 1}), hits[k]);
}

static void count_pairs(struct cov *c, const struct word *d, uint32_t exec, uint8_t cls[3][HEDDLE_LANES]) {
  static const uint8_t first[PAIRS] = {0, 0, 1}, second[PAIRS] = {1, 2, 2};
  struct group *g = &c->group[G_PAIR];
  for (unsigned p = 0; p < PAIRS; p++) {
    const unsigned a = first[p], b = second[p];
    if (d->number[a] == NOT_HERE || d->number[b] == NOT_HERE) continue;
    const uint32_t at = bin_of(g, (const unsigned[]){d->pair, p, 0, 0});
    for (uint32_t rest = exec; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest), low[2] = {cls[a][l] & 15u, cls[b][l] & 15u},
                     high[2] = {cls[a][l] >> 4, cls[b][l] >> 4};
      if (low[0] < CLASSES && low[1] < CLASSES) bin_add(g, at + low[0] * CLASSES + low[1], 1);
      if (high[0] < CLASSES && high[1] < CLASSES) bin_add(g, at + high[0] * CLASSES + high[1], 1);
    }
  }
}

void numbers_count(struct cov_collector *k, const struct word *d, const struct stash *s) {
  uint8_t cls[3][HEDDLE_LANES];
  bool any = false;
  for (unsigned o = 0; o < 3; o++) {
    if (d->number[o] == NOT_HERE) continue;
    classify(d, s, o, k->c->menu.number[d->number[o]].format, cls[o]);
    count_classes(k->c, d, o, s->exec, cls[o]);
    any = true;
  }
  if (any && d->pair != NOT_HERE) count_pairs(k->c, d, s->exec, cls);
}
