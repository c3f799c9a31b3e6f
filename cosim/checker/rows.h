/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside checker/ only: rows of lanes, compared as a whole.
 */
#ifndef HEDDLE_CHECKER_ROWS_H
#define HEDDLE_CHECKER_ROWS_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <heddle/record.h>

#ifdef __SSE2__
/* All ones in the lanes, of four, that are equal. */
static inline __m128i equal_four(const uint32_t *want, const uint32_t *got) {
  return _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)want), _mm_loadu_si128((const __m128i *)got));
}

static inline uint32_t equal_sixteen(const uint32_t *want, const uint32_t *got) {
  const __m128i low = _mm_packs_epi32(equal_four(want, got), equal_four(want + 4, got + 4));
  const __m128i high = _mm_packs_epi32(equal_four(want + 8, got + 8), equal_four(want + 12, got + 12));
  return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}

/* Bit i: entry i of two rows differs. `lanes` is 4, 8, 16 or 32. */
static inline uint32_t row_differs(const uint32_t *want, const uint32_t *got, unsigned lanes) {
  if (lanes == HEDDLE_RECORD_LANES) return ~(equal_sixteen(want, got) | equal_sixteen(want + 16, got + 16) << 16);
  uint32_t bad = 0;
  for (unsigned i = 0; i < lanes; i += 4)
    bad |= (uint32_t)(15 & ~_mm_movemask_ps(_mm_castsi128_ps(equal_four(want + i, got + i)))) << i;
  return bad;
}
#else
static inline uint32_t row_differs(const uint32_t *want, const uint32_t *got, unsigned lanes) {
  uint32_t bad = 0;
  for (unsigned i = 0; i < HEDDLE_RECORD_LANES && i < lanes; i++) bad |= (uint32_t)(want[i] != got[i]) << i;
  return bad;
}
#endif

/* Bit i: addr[i] lies in that sector. */
static inline uint32_t row_in_sector(const uint64_t *addr, uint64_t sector) {
  uint32_t in = 0;
  for (unsigned i = 0; i < HEDDLE_RECORD_LANES; i++) in |= (uint32_t)(addr[i] / HEDDLE_RECORD_SECTOR == sector) << i;
  return in;
}

#endif
