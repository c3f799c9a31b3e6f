/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers: sums, differences and products modulo 2^32 or 2^64.
 */
#include "cmodel/sem/lane.h"

/* IADD3, LEA, IABS, VABSDIFF: sums and differences modulo 2^32, with carries. */

/* ---- IADD3 ---- */

SEM_FN_WHOLE(iadd3_plain) {
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), a[i] + b[i] + c[i], d[i]);
}

/* The 34-bit sum a + b + c + in0 + in1; carries are counted as they fall out of bit 31. A minus makes 2^32 of zero,
 * which has become 0 by now: it counts as a carry. */
static inline void iadd3_carries(SEM_ARGS, uint32_t in0, uint32_t in1, unsigned minus) {
  const uint32_t ma = minus & 1, mb = minus >> 1 & 1, mc = minus >> 2 & 1;
  uint32_t once = 0, twice = 0;
  SEM_EACH_LANE(i) {
    const uint32_t s1 = a[i] + b[i];
    const uint32_t s2 = s1 + c[i];
    const uint32_t s3 = s2 + lane_bit(in0, i);
    const uint32_t s4 = s3 + lane_bit(in1, i);
    const uint32_t c1 = s1 < a[i], c2 = s2 < s1, c3 = s3 < s2, c4 = s4 < s3;
    const uint32_t zeros = (ma & (a[i] == 0)) + (mb & (b[i] == 0)) + (mc & (c[i] == 0));
    const uint32_t n = c1 + c2 + c3 + c4 + zeros; /* at most 3 */
    once |= ((n | n >> 1) & 1) << i;
    twice |= (n >> 1) << i;
    d[i] = blend(SEM_ON(i), s4, d[i]);
  }
  io->pd[0] = once;
  io->pd[1] = twice;
}

SEM_FN_WHOLE(iadd3_full) {
  iadd3_carries(SEM_PASS, 0, 0, p->minus);
}

SEM_FN_WHOLE(iadd3x) {
  iadd3_carries(SEM_PASS, io->ps[0], io->ps[1], 0);
}

static sem_fn *iadd3_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  for (unsigned o = 0; o < 3; o++) p->minus |= (uint8_t)(dec->src[o].neg << o);
  return dec->pd0 == ISA_PT && dec->pd1 == ISA_PT ? iadd3_plain : iadd3_full;
}

static sem_fn *iadd3x_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return iadd3x;
}

/* ---- LEA ---- */

static inline uint32_t add_carry(uint32_t x, uint32_t y, uint32_t in, uint32_t *carry) {
  const uint32_t s = x + y;
  const uint32_t t = s + in;
  *carry = (s < x ? 1u : 0u) | (t < s ? 1u : 0u);
  return t;
}

SEM_FN_WHOLE(lea) {
  const uint32_t shift = p->shift;
  uint32_t carries = 0;
  SEM_EACH_LANE(i) {
    uint32_t carry;
    const uint32_t r = add_carry(a[i] << shift, b[i], 0, &carry);
    carries |= carry << i;
    d[i] = blend(SEM_ON(i), r, d[i]);
  }
  io->pd[0] = carries;
}

SEM_FN_WHOLE(lea_plain) {
  const uint32_t shift = p->shift;
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), (a[i] << shift) + b[i], d[i]);
}

static inline void lea_high(SEM_ARGS, uint32_t in) {
  const uint32_t shift = p->shift, extend = p->sign_extend ? ~0u : 0;
  uint32_t carries = 0;
  SEM_EACH_LANE(i) {
    const uint32_t sign = (a[i] >> 31) != 0 ? ~0u : 0;
    const uint64_t v = a[i] | (uint64_t)blend(extend, sign, c[i]) << 32;
    uint32_t carry;
    const uint32_t r = add_carry((uint32_t)(v << shift >> 32), b[i], lane_bit(in, i), &carry);
    carries |= carry << i;
    d[i] = blend(SEM_ON(i), r, d[i]);
  }
  io->pd[0] = carries;
}

SEM_FN_WHOLE(lea_hi) {
  lea_high(SEM_PASS, 0);
}

SEM_FN_WHOLE(lea_hi_x) {
  lea_high(SEM_PASS, io->ps[0]);
}

static sem_fn *lea_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->shift = (uint8_t)heddle_isa_get(dec->word, ISA_F_SH5);
  return dec->pd0 == ISA_PT ? lea_plain : lea;
}

static sem_fn *lea_hi_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->shift = (uint8_t)heddle_isa_get(dec->word, ISA_F_SH5);
  p->sign_extend = heddle_isa_get(dec->word, ISA_F_SX32) != 0;
  return lea_hi;
}

static sem_fn *lea_hi_x_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)lea_hi_pick(dec, p);
  return lea_hi_x;
}

/* ---- IABS, VABSDIFF ---- */

SEM_FN_WHOLE(iabs) {
  SEM_EACH_LANE(i) {
    const uint32_t sign = mask_if(b[i] >> 31);
    d[i] = blend(SEM_ON(i), (b[i] ^ sign) - sign, d[i]);
  }
}

static sem_fn *iabs_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return iabs;
}

/* |a - b| is at most 2^32 - 1, so the larger less the smaller is exact. */
SEM_FN_WHOLE(vabsdiff) {
  const uint32_t flip = p->is_unsigned ? 0 : 0x80000000u; /* signed order as unsigned order */
  SEM_EACH_LANE(i) {
    const uint32_t a_less = (a[i] ^ flip) < (b[i] ^ flip);
    d[i] = blend(SEM_ON(i), blend(mask_if(a_less), b[i] - a[i], a[i] - b[i]) + c[i], d[i]);
  }
}

static sem_fn *vabsdiff_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->is_unsigned = heddle_isa_get(dec->word, ISA_F_SIGN) == ISA_SIGN_U32;
  return vabsdiff;
}

const struct sem_def SEM_DEF(iadd3) = {.kind = SEM_ROW, .marks = SEM_MARKS_SUM, .pick = iadd3_pick};
const struct sem_def SEM_DEF(iadd3x) = {.kind = SEM_ROW, .marks = SEM_MARKS_SUM, .pick = iadd3x_pick};
const struct sem_def SEM_DEF(lea) = {.kind = SEM_ROW, .marks = SEM_MARKS_SHIFTED_SUM, .pick = lea_pick};
const struct sem_def SEM_DEF(lea_hi) = {.kind = SEM_ROW, .marks = SEM_MARKS_SHIFTED_SUM_HIGH, .pick = lea_hi_pick};
const struct sem_def SEM_DEF(lea_hi_x) = {.kind = SEM_ROW, .marks = SEM_MARKS_SHIFTED_SUM_HIGH, .pick = lea_hi_x_pick};
const struct sem_def SEM_DEF(iabs) = {.kind = SEM_ROW, .pick = iabs_pick};
const struct sem_def SEM_DEF(vabsdiff) = {.kind = SEM_ROW, .pick = vabsdiff_pick};

/* IMAD, IMAD.WIDE, IMAD.HI, IDP4A: products modulo 2^32 or 2^64. */

/* ---- IMAD ---- */

SEM_FN_WHOLE(imad) {
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), a[i] * b[i] + c[i], d[i]);
}

static sem_fn *imad_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return imad;
}

/* ---- IMAD.WIDE, IMAD.HI ---- */

static inline uint64_t multiply_signed(uint32_t x, uint32_t y) {
  return (uint64_t)((int64_t)(int32_t)x * (int32_t)y);
}

static inline uint64_t multiply_unsigned(uint32_t x, uint32_t y) {
  return (uint64_t)x * y;
}

static inline uint64_t pair_of(const uint32_t *row, unsigned i) {
  return row[i] | (uint64_t)row[SEM_LANES + i] << 32;
}

static inline void put64(uint32_t *d, unsigned i, uint32_t on, uint64_t v) {
  d[i] = blend(on, (uint32_t)v, d[i]);
  d[SEM_LANES + i] = blend(on, (uint32_t)(v >> 32), d[SEM_LANES + i]);
}

SEM_FN_WHOLE(imad_wide_s) {
  SEM_EACH_LANE(i) put64(d, i, SEM_ON(i), multiply_signed(a[i], b[i]) + pair_of(c, i));
}

SEM_FN_WHOLE(imad_wide_u) {
  SEM_EACH_LANE(i) put64(d, i, SEM_ON(i), multiply_unsigned(a[i], b[i]) + pair_of(c, i));
}

static sem_fn *imad_wide_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)p;
  return heddle_isa_get(dec->word, ISA_F_SIGN) == ISA_SIGN_U32 ? imad_wide_u : imad_wide_s;
}

SEM_FN_WHOLE(imad_hi_s) {
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), (uint32_t)((multiply_signed(a[i], b[i]) + pair_of(c, i)) >> 32), d[i]);
}

SEM_FN_WHOLE(imad_hi_u) {
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), (uint32_t)((multiply_unsigned(a[i], b[i]) + pair_of(c, i)) >> 32), d[i]);
}

static sem_fn *imad_hi_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)p;
  return heddle_isa_get(dec->word, ISA_F_SIGN) == ISA_SIGN_U32 ? imad_hi_u : imad_hi_s;
}

/* ---- IDP4A ---- */

/* Byte k of x as a 32-bit number; `sign` is 0x80 for signed bytes, else 0. */
static inline uint32_t byte_of(uint32_t x, unsigned k, uint32_t sign) {
  const uint32_t byte = x >> (8 * k) & 0xffu;
  return (byte ^ sign) - sign;
}

/* Mode: 1, the bytes of a are signed; 2, those of b. */
SEM_FN_WHOLE(idp4a) {
  const uint32_t sa = (p->mode & 1) != 0 ? 0x80u : 0, sb = (p->mode & 2) != 0 ? 0x80u : 0;
  SEM_EACH_LANE(i) {
    uint32_t sum = c[i];
    for (unsigned k = 0; k < 4; k++) sum += byte_of(a[i], k, sa) * byte_of(b[i], k, sb);
    d[i] = blend(SEM_ON(i), sum, d[i]);
  }
}

static sem_fn *idp4a_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  if (heddle_isa_get(dec->word, ISA_F_BYTEA) == ISA_BYTE8_S8) p->mode |= 1;
  if (heddle_isa_get(dec->word, ISA_F_BYTEB) == ISA_BYTE8_S8) p->mode |= 2;
  return idp4a;
}

const struct sem_def SEM_DEF(imad) = {.kind = SEM_ROW, .marks = SEM_MARKS_PRODUCT, .pick = imad_pick};
const struct sem_def SEM_DEF(imad_wide) = {.kind = SEM_ROW, .marks = SEM_MARKS_PRODUCT, .pick = imad_wide_pick};
const struct sem_def SEM_DEF(imad_hi) = {.kind = SEM_ROW, .marks = SEM_MARKS_PRODUCT_HIGH, .pick = imad_hi_pick};
const struct sem_def SEM_DEF(idp4a) = {.kind = SEM_ROW, .pick = idp4a_pick};
