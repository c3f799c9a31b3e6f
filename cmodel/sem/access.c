/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops over lanes of loads and stores. What may be accessed, and whether
 * it is defined, has been judged by core/memory*.c before.
 */
#include "cmodel/sem/lane.h"

/* Memory is little-endian, whatever the host is. */
static inline uint32_t little32(uint32_t v) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return __builtin_bswap32(v);
#else
  return v;
#endif
}

static inline uint32_t get32(const uint8_t *p) {
  uint32_t v;
  memcpy(&v, p, sizeof v);
  return little32(v);
}

static inline void put32(uint8_t *p, uint32_t v) {
  v = little32(v);
  memcpy(p, &v, sizeof v);
}

/* One or two bytes, extended. `sign`: the top bit of the number, or 0. */
static inline uint32_t get_narrow(const uint8_t *p, unsigned bytes, uint32_t sign) {
  const uint32_t v = bytes == 1 ? p[0] : p[0] | (uint32_t)p[1] << 8;
  return (v ^ sign) - sign;
}

static inline void put_narrow(uint8_t *p, unsigned bytes, uint32_t v) {
  p[0] = (uint8_t)v;
  if (bytes == 2) p[1] = (uint8_t)(v >> 8);
}

/* ---- addresses ---- */

static inline uint32_t locate(uint32_t *at, const uint32_t *on, const uint32_t *lo, const uint32_t *hi,
                              const struct sem_place *place) {
  const struct sem_place p = *place;
  const uint32_t delta_lo = (uint32_t)p.delta, delta_hi = (uint32_t)(p.delta >> 32);
  uint32_t found = 0;
  SEM_EACH_LANE(i) {
    const uint32_t s = lo[i] + delta_lo, carry = s < lo[i];
    const uint32_t high = hi != NULL ? hi[i] + delta_hi + carry : 0;
    const uint32_t fault = high | (s & p.align) | mask_if(s - p.from > p.room);
    const uint32_t off_line = s - (p.line + i * p.step);
    found |= ((mask_if(fault != 0) & SEM_FAULT) | (mask_if(off_line != 0) & SEM_OFF_LINE)) & on[i];
    at[i] = s & on[i];
  }
  return found;
}

static uint32_t locate64(uint32_t *at, const uint32_t *on, const uint32_t *lo, const uint32_t *hi,
                         const struct sem_place *p) {
  return locate(at, on, lo, hi, p);
}

static uint32_t locate32(uint32_t *at, const uint32_t *on, const uint32_t *lo, const struct sem_place *p) {
  return locate(at, on, lo, NULL, p);
}

static void addresses64(uint64_t *addr, const uint32_t *on, const uint32_t *lo, const uint32_t *hi, uint64_t offset) {
  SEM_EACH_LANE(i) {
    const uint64_t mask = on[i] | (uint64_t)on[i] << 32;
    addr[i] = ((lo[i] | (uint64_t)hi[i] << 32) + offset) & mask;
  }
}

static void addresses32(uint64_t *addr, const uint32_t *on, const uint32_t *lo, uint32_t offset) {
  SEM_EACH_LANE(i) addr[i] = (lo[i] + offset) & on[i];
}

static struct sem_span span(const uint64_t *addr, const uint32_t *on, uint64_t first) {
  uint64_t bits = 0, min = first, max = first;
  SEM_EACH_LANE(i) {
    const uint64_t v = on[i] != 0 ? addr[i] : first;
    bits |= v;
    min = v < min ? v : min;
    max = v > max ? v : max;
  }
  return (struct sem_span){bits, min, max};
}

/* Lanes side by side, `bytes` each: where the first one lies in the window. False: they do not lie so, or not in it. */
static inline bool row_place(const uint32_t *lo, const uint32_t *hi, uint64_t offset, uint32_t bytes,
                             const struct sem_window *v, size_t *at) {
  const uint32_t first = lo[0], top = hi != NULL ? hi[0] : 0, row = SEM_LANES * bytes;
  uint32_t off = 0;
  if (hi == NULL) {
    SEM_EACH_LANE(i) off |= lo[i] ^ (first + i * bytes);
  } else {
    SEM_EACH_LANE(i) off |= (lo[i] ^ (first + i * bytes)) | (hi[i] ^ top);
  }
  const uint64_t addr = hi != NULL ? (first | (uint64_t)top << 32) + offset : first + (uint32_t)offset;
  const bool wraps = hi != NULL && first > UINT32_MAX - row; /* the upper words would differ */
  *at = (size_t)(addr - v->first);
  return off == 0 && !wraps && (addr & (bytes - 1)) == 0 && v->bytes >= row && addr - v->first <= v->bytes - row;
}

static void places(uint32_t *at, const uint32_t *on, const uint64_t *addr, uint64_t base) {
  SEM_EACH_LANE(i) at[i] = (uint32_t)(addr[i] - base) & on[i];
}

static void interleave(uint32_t *at, const uint32_t *on) {
  SEM_EACH_LANE(i) at[i] = ((at[i] / 4 * SEM_LANES + i) * 4 + at[i] % 4) & on[i];
}

/* ---- rows ---- */

static void fill_row(uint32_t *d, const uint32_t *on, uint32_t v) {
  SEM_EACH_LANE(i) d[i] = blend(on[i], v, d[i]);
}

/* `on` NULL: all lanes. */
static inline uint32_t on_at(const uint32_t *on, unsigned i) {
  return on != NULL ? on[i] : ~0u;
}

static inline void narrow_line(uint32_t *d, const uint32_t *on, const uint8_t *p, unsigned bytes, uint32_t sign) {
  SEM_EACH_LANE(i) d[i] = blend(on_at(on, i), get_narrow(p + (size_t)bytes * i, bytes, sign), d[i]);
}

static inline void words_line(uint32_t *d, const uint32_t *on, const uint8_t *p, unsigned words) {
  SEM_EACH_LANE(i) {
    for (unsigned k = 0; k < words; k++)
      d[SEM_LANES * k + i] = blend(on_at(on, i), get32(p + (size_t)4 * (words * i + k)), d[SEM_LANES * k + i]);
  }
}

static inline void put_narrow_line(uint8_t *p, const uint32_t *b, unsigned bytes) {
  SEM_EACH_LANE(i) put_narrow(p + (size_t)bytes * i, bytes, b[i]);
}

static inline void put_words_line(uint8_t *p, const uint32_t *b, unsigned words) {
  SEM_EACH_LANE(i) {
    for (unsigned k = 0; k < words; k++) put32(p + (size_t)4 * (words * i + k), b[SEM_LANES * k + i]);
  }
}

static inline void narrow_at(uint32_t *d, const uint32_t *on, const uint8_t *p, const uint32_t *at, unsigned bytes,
                             uint32_t sign) {
  SEM_EACH_LANE(i) d[i] = blend(on[i], get_narrow(p + at[i], bytes, sign), d[i]);
}

static inline void words_at(uint32_t *d, const uint32_t *on, const uint8_t *p, const uint32_t *at, uint32_t stride,
                            unsigned words) {
  for (unsigned k = 0; k < words; k++) {
    const uint8_t *q = p + (size_t)stride * k;
    SEM_EACH_LANE(i) d[SEM_LANES * k + i] = blend(on[i], get32(q + at[i]), d[SEM_LANES * k + i]);
  }
}

static inline void put_lane(uint8_t *p, const uint32_t *b, unsigned lane, uint32_t stride, unsigned bytes) {
  if (bytes < 4) put_narrow(p, bytes, b[lane]);
  for (unsigned k = 0; k < bytes / 4; k++) put32(p + (size_t)stride * k, b[SEM_LANES * k + lane]);
}

/* Not SEM_EACH_LANE: lanes may write the same bytes. */
static inline void put_at(uint8_t *p, const uint32_t *at, const uint32_t *b, uint32_t lanes, uint32_t stride,
                          unsigned bytes) {
  if (lanes == ~0u) {
    for (unsigned i = 0; i < SEM_LANES; i++) put_lane(p + at[i], b, i, stride, bytes);
    return;
  }
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctz(rest);
    put_lane(p + at[i], b, i, stride, bytes);
  }
}

/* ---- marks: bits of 1 for those that are defined ---- */

static inline uint32_t narrow_unset(const uint8_t *p, unsigned bytes) {
  return get_narrow(p, bytes, 0) ^ (~0u >> (32 - 8 * bytes));
}

static inline uint32_t line_unset(const uint32_t *on, const uint8_t *p, unsigned bytes) {
  uint32_t unset = 0;
  SEM_EACH_LANE(i) {
    const uint8_t *q = p + (size_t)bytes * i;
    if (bytes < 4) unset |= narrow_unset(q, bytes) & on[i];
    for (unsigned k = 0; k < bytes / 4; k++) unset |= ~get32(q + (size_t)4 * k) & on[i];
  }
  return unset;
}

static inline uint32_t at_unset(const uint32_t *on, const uint8_t *p, const uint32_t *at, uint32_t stride,
                                unsigned bytes) {
  uint32_t unset = 0;
  SEM_EACH_LANE(i) {
    const uint8_t *q = p + at[i];
    if (bytes < 4) unset |= narrow_unset(q, bytes) & on[i];
    for (unsigned k = 0; k < bytes / 4; k++) unset |= ~get32(q + (size_t)stride * k) & on[i];
  }
  return unset;
}

/* ---- rows of all lanes, from the address on ---- */

static inline bool row_defined(const uint8_t *p, unsigned bytes) {
  uint32_t unset = 0;
  for (unsigned k = 0; k < SEM_LANES * bytes / 4; k++) unset |= ~get32(p + (size_t)4 * k);
  return unset == 0;
}

static inline bool row_readable(const uint32_t *lo, const uint32_t *hi, uint64_t offset, uint32_t bytes,
                                const struct sem_window *v, size_t *at) {
  return row_place(lo, hi, offset, bytes, v, at) && (v->defined == NULL || row_defined(v->defined + *at, bytes));
}

static inline void row_stored(const struct sem_window *v, size_t at, uint32_t bytes) {
  if (v->defined != NULL) memset(v->defined + at, 0xff, SEM_LANES * bytes);
}

/* ---- one function a size ---- */

#define LOAD_ROW(name, bytes)                                                                                          \
  static bool load_row_##name(uint32_t *d, const uint32_t *lo, const uint32_t *hi, uint64_t offset,                    \
                              const struct sem_window *v) {                                                            \
    size_t at;                                                                                                         \
    if (!row_readable(lo, hi, offset, bytes, v, &at)) return false;                                                    \
    load_line_##name(d, NULL, v->byte + at);                                                                           \
    return true;                                                                                                       \
  }

#define STORE_ROW(name, bytes)                                                                                         \
  static bool store_row_##name(const uint32_t *b, const uint32_t *lo, const uint32_t *hi, uint64_t offset,             \
                               const struct sem_window *v) {                                                           \
    size_t at;                                                                                                         \
    if (!row_place(lo, hi, offset, bytes, v, &at)) return false;                                                       \
    store_line_##name(v->byte + at, b);                                                                                \
    row_stored(v, at, bytes);                                                                                          \
    return true;                                                                                                       \
  }

#define NARROW(name, bytes, sign)                                                                                      \
  static void load_line_##name(uint32_t *d, const uint32_t *on, const uint8_t *p) {                                    \
    narrow_line(d, on, p, bytes, sign);                                                                                \
  }                                                                                                                    \
  static void load_at_##name(uint32_t *d, const uint32_t *on, const uint8_t *p, const uint32_t *at, uint32_t stride) { \
    (void)stride;                                                                                                      \
    narrow_at(d, on, p, at, bytes, sign);                                                                              \
  }

#define WORDS(name, words)                                                                                             \
  static void load_line_##name(uint32_t *d, const uint32_t *on, const uint8_t *p) {                                    \
    words_line(d, on, p, words);                                                                                       \
  }                                                                                                                    \
  static void load_at_##name(uint32_t *d, const uint32_t *on, const uint8_t *p, const uint32_t *at, uint32_t stride) { \
    words_at(d, on, p, at, stride, words);                                                                             \
  }                                                                                                                    \
  static void store_line_##name(uint8_t *p, const uint32_t *b) {                                                       \
    put_words_line(p, b, words);                                                                                       \
  }

#define STORE_LINE(name, bytes)                                                                                        \
  static void store_line_##name(uint8_t *p, const uint32_t *b) {                                                       \
    put_narrow_line(p, b, bytes);                                                                                      \
  }

#define STORE_AT(name, bytes)                                                                                          \
  static void store_at_##name(uint8_t *p, const uint32_t *at, const uint32_t *b, uint32_t lanes, uint32_t stride) {    \
    put_at(p, at, b, lanes, stride, bytes);                                                                            \
  }

#define UNSET(name, bytes)                                                                                             \
  static uint32_t unset_line_##name(const uint32_t *on, const uint8_t *p) {                                            \
    return line_unset(on, p, bytes);                                                                                   \
  }                                                                                                                    \
  static uint32_t unset_at_##name(const uint32_t *on, const uint8_t *p, const uint32_t *at, uint32_t stride) {         \
    return at_unset(on, p, at, stride, bytes);                                                                         \
  }

NARROW(u8, 1, 0)
NARROW(s8, 1, 0x80u)
NARROW(u16, 2, 0)
NARROW(s16, 2, 0x8000u)
WORDS(32, 1)
WORDS(64, 2)
WORDS(128, 4)
STORE_LINE(8, 1)
STORE_LINE(16, 2)
STORE_AT(8, 1)
STORE_AT(16, 2)
STORE_AT(32, 4)
STORE_AT(64, 8)
STORE_AT(128, 16)
UNSET(8, 1)
UNSET(16, 2)
UNSET(32, 4)
UNSET(64, 8)
UNSET(128, 16)

LOAD_ROW(u8, 1)
LOAD_ROW(s8, 1)
LOAD_ROW(u16, 2)
LOAD_ROW(s16, 2)
LOAD_ROW(32, 4)
LOAD_ROW(64, 8)
LOAD_ROW(128, 16)
STORE_ROW(8, 1)
STORE_ROW(16, 2)
STORE_ROW(32, 4)
STORE_ROW(64, 8)
STORE_ROW(128, 16)

extern const struct sem_access_rows SEM_CAT(sem_access_rows, SEM_BUILD);
const struct sem_access_rows SEM_CAT(sem_access_rows, SEM_BUILD) = {
    .load_row = {load_row_u8, load_row_s8, load_row_u16, load_row_s16, load_row_32, load_row_64, load_row_128},
    .store_row = {store_row_8, store_row_8, store_row_16, store_row_16, store_row_32, store_row_64, store_row_128},
    .locate64 = locate64,
    .locate32 = locate32,
    .addresses64 = addresses64,
    .addresses32 = addresses32,
    .span = span,
    .places = places,
    .interleave = interleave,
    .fill = fill_row,
    .load_line = {load_line_u8, load_line_s8, load_line_u16, load_line_s16, load_line_32, load_line_64, load_line_128},
    .store_line = {store_line_8, store_line_8, store_line_16, store_line_16, store_line_32, store_line_64,
                   store_line_128},
    .load_at = {load_at_u8, load_at_s8, load_at_u16, load_at_s16, load_at_32, load_at_64, load_at_128},
    .store_at = {store_at_8, store_at_8, store_at_16, store_at_16, store_at_32, store_at_64, store_at_128},
    .unset_line = {unset_line_8, unset_line_8, unset_line_16, unset_line_16, unset_line_32, unset_line_64,
                   unset_line_128},
    .unset_at = {unset_at_8, unset_at_8, unset_at_16, unset_at_16, unset_at_32, unset_at_64, unset_at_128},
};
