/* SPDX-License-Identifier: Apache-2.0
 *
 * POPC, FLO, BREV, PRMT, SGXT, BMSK: counting, finding, moving bits.
 *
 * Counts and positions are made of shifts, masks and sums, which every vector
 * extension has (Warren, "Hacker's Delight", chapters 5 and 7).
 */
#include "base/minmax.h"
#include "cmodel/sem/lane.h"

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
