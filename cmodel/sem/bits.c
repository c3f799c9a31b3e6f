/* SPDX-License-Identifier: Apache-2.0
 *
 * Logic, bits and bytes, predicates as bits.
 */
#include "base/minmax.h"
#include "cmodel/sem/lane.h"

/* LOP3, PLOP3, SHF: bits. */

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

/* POPC, FLO, BREV, PRMT, SGXT, BMSK: counting, finding, moving bits.
 *
 * Counts and positions are made of shifts, masks and sums, which every vector
 * extension has (Warren, "Hacker's Delight", chapters 5 and 7). */

/* ---- POPC, FLO, BREV ---- */

/* Number of ones: sums of 2, 4, 8, 16, 32 neighbours. */
static inline uint32_t count_ones(uint32_t x) {
  const uint32_t x2 = x - (x >> 1 & 0x55555555u);
  const uint32_t x4 = (x2 & 0x33333333u) + (x2 >> 2 & 0x33333333u);
  const uint32_t x8 = (x4 + (x4 >> 4)) & 0x0f0f0f0fu;
  const uint32_t x16 = x8 + (x8 >> 8);
  return (x16 + (x16 >> 16)) & 63u;
}

SEM_FN_WHOLE(popc) {
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), count_ones(b[i]), d[i]);
}

static sem_fn *popc_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return popc;
}

/* All bits below the highest one become ones; their number is its position + 1. */
static inline uint32_t bit_length(uint32_t x) {
  x |= x >> 1;
  x |= x >> 2;
  x |= x >> 4;
  x |= x >> 8;
  x |= x >> 16;
  return count_ones(x);
}

SEM_FN(flo) {
  const uint32_t is_signed = p->is_unsigned ? 0 : ~0u, from_top = p->mode == ISA_SH_SH ? ~0u : 0;
  SEM_EACH_LANE(i) {
    const uint32_t sign = mask_if(b[i] >> 31) & is_signed;
    const uint32_t length = bit_length(b[i] ^ sign);
    const uint32_t none = length == 0;
    const uint32_t r = blend(from_top, 32 - length, length - 1) | mask_if(none);
    d[i] = blend(SEM_ON(i), r, d[i]);
  }
}

static sem_fn *flo_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->is_unsigned = heddle_isa_get(dec->word, ISA_F_SIGN) == ISA_SIGN_U32;
  p->mode = (uint8_t)heddle_isa_get(dec->word, ISA_F_SH);
  return flo;
}

static inline uint32_t swap_groups(uint32_t x, unsigned width, uint32_t low) {
  return (x & low) << width | (x >> width & low);
}

SEM_FN_WHOLE(brev) {
  SEM_EACH_LANE(i) {
    const uint32_t x1 = swap_groups(b[i], 1, 0x55555555u);
    const uint32_t x2 = swap_groups(x1, 2, 0x33333333u);
    const uint32_t x4 = swap_groups(x2, 4, 0x0f0f0f0fu);
    const uint32_t x8 = swap_groups(x4, 8, 0x00ff00ffu);
    d[i] = blend(SEM_ON(i), x8 << 16 | x8 >> 16, d[i]);
  }
}

static sem_fn *brev_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return brev;
}

/* ---- PRMT ---- */

/* Selectors of a mode for n = 0 ... 3, 16 bits each: a digit a byte of the result. */
static uint64_t prmt_selectors(uint8_t mode) {
  switch (mode) {
  case ISA_PRMT_F4E:
    return UINT64_C(0x6543543243213210);
  case ISA_PRMT_B4E:
    return UINT64_C(0x0123701267015670);
  case ISA_PRMT_RC8:
    return UINT64_C(0x3333222211110000);
  case ISA_PRMT_ECL:
    return UINT64_C(0x3333322232113210);
  case ISA_PRMT_ECR:
    return UINT64_C(0x3210221011100000);
  default: /* RC16: bit 0 of n alone counts */
    return UINT64_C(0x3232101032321010);
  }
}

/* Byte k of the result, in its place: the byte of v that digit k names, or its top bit eight times. */
static inline uint32_t prmt_byte(uint64_t v, uint32_t selector, unsigned k) {
  const uint32_t digit = selector >> (4 * k);
  const uint32_t byte = (uint32_t)(v >> (8 * (digit & 7u))) & 0xffu;
  const uint32_t copies = mask_if(byte >> 7) & 0xffu;
  return blend(mask_if(digit >> 3 & 1u), copies, byte) << (8 * k);
}

static inline uint32_t prmt_lane(uint32_t low, uint32_t high, uint32_t selector) {
  const uint64_t v = low | (uint64_t)high << 32;
  return prmt_byte(v, selector, 0) | prmt_byte(v, selector, 1) | prmt_byte(v, selector, 2) | prmt_byte(v, selector, 3);
}

SEM_FN_WHOLE(prmt_plain) {
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), prmt_lane(a[i], c[i], b[i]), d[i]);
}

SEM_FN(prmt_mode) {
  const uint64_t selectors = prmt_selectors(p->mode);
  SEM_EACH_LANE(i) {
    const uint32_t selector = (uint32_t)(selectors >> (16 * (b[i] & 3u))) & 0xffffu;
    d[i] = blend(SEM_ON(i), prmt_lane(a[i], c[i], selector), d[i]);
  }
}

static sem_fn *prmt_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->mode = (uint8_t)heddle_isa_get(dec->word, ISA_F_PRMT);
  return p->mode == ISA_PRMT_IDX ? prmt_plain : prmt_mode;
}

/* ---- SGXT, BMSK ---- */

/* A position or a width: clamped to 32, or modulo 32 when `wrap` is ~0. */
static inline uint32_t amount(uint32_t x, uint32_t wrap) {
  return blend(wrap, x & 31u, min_u32(x, 32));
}

/* A shift by 0 to 32 in two steps, since C leaves a shift by 32 open. */
static inline uint32_t shift_left(uint32_t x, uint32_t s) {
  return x << (s >> 1) << (s - (s >> 1));
}

static inline uint32_t low_ones(uint32_t n) {
  return ~shift_left(~0u, n);
}

SEM_FN_WHOLE(sgxt) {
  const uint32_t wrap = p->wrap ? ~0u : 0;
  const uint32_t is_signed = p->is_unsigned ? 0 : ~0u;
  SEM_EACH_LANE(i) {
    const uint32_t n = amount(b[i], wrap);
    const uint32_t below = low_ones(n);
    const uint32_t top = below ^ below >> 1; /* bit n - 1; none when n is 0 */
    const uint32_t negative = (a[i] & top) != 0;
    d[i] = blend(SEM_ON(i), (a[i] & below) | (mask_if(negative) & is_signed & ~below), d[i]);
  }
}

static sem_fn *sgxt_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->wrap = heddle_isa_get(dec->word, ISA_F_WRAP) == ISA_WRAP_W;
  p->is_unsigned = heddle_isa_get(dec->word, ISA_F_SIGN) == ISA_SIGN_U32;
  return sgxt;
}

SEM_FN_WHOLE(bmsk) {
  const uint32_t wrap = p->wrap ? ~0u : 0;
  SEM_EACH_LANE(i) {
    const uint32_t s = amount(a[i], wrap), n = amount(b[i], wrap);
    d[i] = blend(SEM_ON(i), shift_left(low_ones(n), s), d[i]);
  }
}

static sem_fn *bmsk_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->wrap = heddle_isa_get(dec->word, ISA_F_WRAP) == ISA_WRAP_W;
  return bmsk;
}

const struct sem_def SEM_DEF(popc) = {.kind = SEM_ROW, .pick = popc_pick};
const struct sem_def SEM_DEF(flo) = {.kind = SEM_ROW, .pick = flo_pick};
const struct sem_def SEM_DEF(brev) = {.kind = SEM_ROW, .marks = SEM_MARKS_COPY, .pick = brev_pick};
const struct sem_def SEM_DEF(prmt) = {.kind = SEM_ROW, .marks = SEM_MARKS_BYTES, .pick = prmt_pick};
const struct sem_def SEM_DEF(sgxt) = {.kind = SEM_ROW, .marks = SEM_MARKS_EXTEND, .pick = sgxt_pick};
const struct sem_def SEM_DEF(bmsk) = {.kind = SEM_ROW, .pick = bmsk_pick};

/* P2R, R2P: all seven predicates at once; UP2P: a uniform predicate into the lanes. */

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
