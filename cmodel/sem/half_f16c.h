/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: HADD2, HMUL2 and HFMA2 without modifiers on hosts that
 * convert halves by themselves (F16C and AVX2), four lanes at a time. The same
 * steps as in half.h, which compilers do not turn into these instructions.
 */
#ifndef HEDDLE_SEM_HALF_F16C_H
#define HEDDLE_SEM_HALF_F16C_H

#include <immintrin.h>

#include "cmodel/sem/half.h"

/* Four lanes of an operand as its part says, in binary32. */
static inline __m256 halves_load(const uint32_t *row, uint8_t part) {
  __m128i h = _mm_loadu_si128((const __m128i *)row);
  if (part == ISA_HALVES_H0_H0) h = _mm_or_si128(_mm_and_si128(h, _mm_set1_epi32(0xffff)), _mm_slli_epi32(h, 16));
  if (part == ISA_HALVES_H1_H1) h = _mm_or_si128(_mm_andnot_si128(_mm_set1_epi32(0xffff), h), _mm_srli_epi32(h, 16));
  return _mm256_cvtph_ps(h);
}

/* Rounded to nearest, NaNs canonical, into the executing ones of four lanes. */
static inline void halves_store(uint32_t *d, const uint32_t *on, __m256 v) {
  const __m128i h = _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT), canonical = _mm_set1_epi16(F16_NAN);
  const __m128i nan = _mm_cmpgt_epi16(_mm_and_si128(h, canonical), _mm_set1_epi16(F16_INF));
  const __m128i r = _mm_blendv_epi8(h, canonical, nan), old = _mm_loadu_si128((const __m128i *)d);
  _mm_storeu_si128((__m128i *)d, _mm_blendv_epi8(old, r, _mm_loadu_si128((const __m128i *)on)));
}

/* x + z rounded to odd: toward zero, then a one in the last place; e is NaN where the sum is not finite. */
static inline __m256 sum_to_odd8(__m256 x, __m256 z) {
  const __m256 s = _mm256_add_ps(x, z), zz = _mm256_sub_ps(s, x);
  const __m256 e = _mm256_add_ps(_mm256_sub_ps(x, _mm256_sub_ps(s, zz)), _mm256_sub_ps(z, zz));
  const __m256 inexact = _mm256_cmp_ps(e, _mm256_setzero_ps(), _CMP_NEQ_OQ);
  const __m256i u = _mm256_castps_si256(s), inward = _mm256_srai_epi32(_mm256_castps_si256(_mm256_xor_ps(s, e)), 31);
  const __m256i odd = _mm256_or_si256(_mm256_add_epi32(u, inward), _mm256_set1_epi32(1));
  return _mm256_blendv_ps(s, _mm256_castsi256_ps(odd), inexact);
}

static inline void halves_row(SEM_ARGS, enum half_op op) {
  const uint8_t pa = p->part[0], pb = p->part[1], pc = p->part[2];
  for (unsigned i = 0; i < SEM_LANES; i += 4) {
    const __m256 x = halves_load(a + i, pa), y = halves_load(b + i, pb);
    __m256 r;
    if (op == HALF_ADD)
      r = _mm256_add_ps(x, y);
    else if (op == HALF_MUL)
      r = _mm256_mul_ps(x, y);
    else
      r = sum_to_odd8(_mm256_mul_ps(x, y), halves_load(c + i, pc));
    halves_store(d + i, on + i, r);
  }
}

#endif
