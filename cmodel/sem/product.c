/* SPDX-License-Identifier: Apache-2.0
 *
 * IMAD, IMAD.WIDE, IMAD.HI, IDP4A: products modulo 2^32 or 2^64.
 */
#include "cmodel/sem/lane.h"

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
