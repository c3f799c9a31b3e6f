/* SPDX-License-Identifier: Apache-2.0
 *
 * LOP3, PLOP3, SHF: bits.
 */
#include "cmodel/sem/lane.h"

static inline uint32_t choose_bits(uint32_t by, uint32_t one, uint32_t zero) {
  return (by & one) | (~by & zero);
}

/* Entry k of a truth table, on every bit. */
static inline uint32_t lut_row(uint8_t lut, unsigned k) {
  return ((lut >> k) & 1) != 0 ? ~0u : 0;
}

/* The table as a tree of multiplexers: c, then b, then a chooses. */
static inline uint32_t lut_apply(uint8_t lut, uint32_t x, uint32_t y, uint32_t z) {
  const uint32_t y0x0 = choose_bits(z, lut_row(lut, 1), lut_row(lut, 0));
  const uint32_t y1x0 = choose_bits(z, lut_row(lut, 3), lut_row(lut, 2));
  const uint32_t y0x1 = choose_bits(z, lut_row(lut, 5), lut_row(lut, 4));
  const uint32_t y1x1 = choose_bits(z, lut_row(lut, 7), lut_row(lut, 6));
  return choose_bits(x, choose_bits(y, y1x1, y0x1), choose_bits(y, y1x0, y0x0));
}

/* Once for all tables. */
static __attribute__((noinline)) void lop3_some(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                                                const uint32_t *on, uint8_t lut) {
  SEM_EACH_LANE(i) d[i] = blend(on[i], lut_apply(lut, a[i], b[i], c[i]), d[i]);
}

/* For all lanes a function for each table: constant, it folds into a few operations. The tables by their two digits. */
/* clang-format off */
#define SIXTEEN(x, h) \
  x(h, 0) x(h, 1) x(h, 2) x(h, 3) x(h, 4) x(h, 5) x(h, 6) x(h, 7) \
  x(h, 8) x(h, 9) x(h, a) x(h, b) x(h, c) x(h, d) x(h, e) x(h, f)
#define EACH_LUT(x) \
  SIXTEEN(x, 0) SIXTEEN(x, 1) SIXTEEN(x, 2) SIXTEEN(x, 3) SIXTEEN(x, 4) SIXTEEN(x, 5) SIXTEEN(x, 6) SIXTEEN(x, 7) \
  SIXTEEN(x, 8) SIXTEEN(x, 9) SIXTEEN(x, a) SIXTEEN(x, b) SIXTEEN(x, c) SIXTEEN(x, d) SIXTEEN(x, e) SIXTEEN(x, f)
/* clang-format on */
#define LOP3(h, l)                                                                                                     \
  SEM_FN(lop3_##h##l) {                                                                                                \
    if (__builtin_expect(io->exec != ~0u, 0)) {                                                                        \
      lop3_some(d, a, b, c, on, 0x##h##l);                                                                             \
    } else {                                                                                                           \
      SEM_EACH_LANE(i) d[i] = lut_apply(0x##h##l, a[i], b[i], c[i]);                                                   \
    }                                                                                                                  \
  }
#define LOP3_ENTRY(h, l) lop3_##h##l,

EACH_LUT(LOP3)
static sem_fn *const lop3_of[256] = {EACH_LUT(LOP3_ENTRY)};

SEM_FN(lop3_pred) {
  const uint8_t lut = p->lut0;
  uint32_t some = 0;
  SEM_EACH_LANE(i) {
    const uint32_t r = lut_apply(lut, a[i], b[i], c[i]);
    some |= (r != 0 ? 1u : 0u) << i;
    d[i] = blend(SEM_ON(i), r, d[i]);
  }
  io->pd[0] = some;
}

static sem_fn *lop3_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->lut0 = (uint8_t)heddle_isa_get(dec->word, ISA_F_LUT);
  return dec->pd0 == ISA_PT ? lop3_of[p->lut0] : lop3_pred;
}

/* The predicate masks are lanes already. */
SEM_FN(plop3) {
  io->pd[0] = lut_apply(p->lut0, io->ps[0], io->ps[1], io->ps[2]);
  io->pd[1] = lut_apply(p->lut1, io->ps[0], io->ps[1], io->ps[2]);
}

static sem_fn *plop3_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->lut0 = (uint8_t)heddle_isa_get(dec->word, ISA_F_PLUT0);
  p->lut1 = (uint8_t)heddle_isa_get(dec->word, ISA_F_PLUT1);
  return plop3;
}

/* Shifts of {c:a} by up to 64: two steps, since C leaves a shift by 64 open. */
static inline uint64_t shift64(uint64_t v, uint32_t s, const struct sem_par *p) {
  const uint32_t h = s >> 1, k = s - h;
  if (!p->right) return v << h << k;
  const uint64_t logical = v >> h >> k;
  const uint64_t sign = p->arith && (v >> 63) != 0 ? ~UINT64_C(0) : 0;
  const uint64_t kept = ~UINT64_C(0) >> h >> k;
  return logical | (sign & ~kept);
}

static inline uint32_t shift_amount(uint32_t b, const struct sem_par *p) {
  const uint32_t limit = p->sh_limit;
  return p->wrap ? b & limit : b < limit ? b : limit;
}

SEM_FN_WHOLE(shf) {
  const struct sem_par q = *p;
  const uint32_t half = q.high ? 32 : 0;
  SEM_EACH_LANE(i) {
    const uint64_t w = shift64(a[i] | (uint64_t)c[i] << 32, shift_amount(b[i], &q), &q);
    d[i] = blend(SEM_ON(i), (uint32_t)(w >> half), d[i]);
  }
}

/* The usual ones need one word: the lower one of a left shift, the upper one of a right shift. */
SEM_FN_WHOLE(shf_left) {
  const struct sem_par q = *p;
  SEM_EACH_LANE(i) {
    const uint32_t s = shift_amount(b[i], &q);
    d[i] = blend(SEM_ON(i), s < 32 ? a[i] << (s & 31) : 0, d[i]);
  }
}

SEM_FN_WHOLE(shf_right) {
  const struct sem_par q = *p;
  SEM_EACH_LANE(i) {
    const uint32_t s = shift_amount(b[i], &q);
    d[i] = blend(SEM_ON(i), s < 32 ? c[i] >> (s & 31) : 0, d[i]);
  }
}

SEM_FN_WHOLE(shf_right_signed) {
  const struct sem_par q = *p;
  SEM_EACH_LANE(i) {
    const uint32_t s = shift_amount(b[i], &q);
    d[i] = blend(SEM_ON(i), (uint32_t)((int32_t)c[i] >> (s < 32 ? s : 31)), d[i]);
  }
}

static sem_fn *shf_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  const uint64_t type = heddle_isa_get(dec->word, ISA_F_SHTYPE);
  const bool wide = type == ISA_SHTYPE_S64 || type == ISA_SHTYPE_U64;
  p->arith = type == ISA_SHTYPE_S64 || type == ISA_SHTYPE_S32;
  p->right = heddle_isa_get(dec->word, ISA_F_SHDIR) == ISA_SHDIR_R;
  p->wrap = heddle_isa_get(dec->word, ISA_F_WRAP) != 0;
  p->high = heddle_isa_get(dec->word, ISA_F_SHHI) != 0;
  p->sh_limit = p->wrap ? (wide ? 63 : 31) : (wide ? 64 : 32);
  if (p->right == p->high) return !p->right ? shf_left : p->arith ? shf_right_signed : shf_right;
  return shf;
}

const struct sem_def SEM_DEF(lop3) = {.kind = SEM_ROW, .marks = SEM_MARKS_TABLE, .pick = lop3_pick};
const struct sem_def SEM_DEF(plop3) = {.kind = SEM_ROW, .marks = SEM_MARKS_PREDICATES, .pick = plop3_pick};
const struct sem_def SEM_DEF(shf) = {.kind = SEM_ROW, .marks = SEM_MARKS_SHIFT, .pick = shf_pick};
