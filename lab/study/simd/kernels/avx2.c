/* SPDX-License-Identifier: Apache-2.0
 * What the compiler does not vectorise as it should be, by hand for AVX2. Ends of rows: masked loads and stores. */
#include <immintrin.h>

#include "kernels.h"

/* All ones in the first n of eight lanes. */
static inline __m256i first(long n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* One strip of four rows. `whole` is a constant of each call. */
static inline __attribute__((always_inline)) void strip(long n, long k, const float *a, const float *b, float *c,
                                                        __m256i lanes, int whole) {
  __m256 c0 = _mm256_setzero_ps(), c1 = c0, c2 = c0, c3 = c0;
  for (long p = 0; p < k; p++) {
    const __m256 v = whole ? _mm256_loadu_ps(b + p * n) : _mm256_maskload_ps(b + p * n, lanes);
    c0 = _mm256_fmadd_ps(_mm256_broadcast_ss(a + p), v, c0);
    c1 = _mm256_fmadd_ps(_mm256_broadcast_ss(a + p + k), v, c1);
    c2 = _mm256_fmadd_ps(_mm256_broadcast_ss(a + p + 2 * k), v, c2);
    c3 = _mm256_fmadd_ps(_mm256_broadcast_ss(a + p + 3 * k), v, c3);
  }
  const __m256 rows[4] = {c0, c1, c2, c3};
  for (int r = 0; r < 4; r++) {
    if (whole)
      _mm256_storeu_ps(c + r * n, rows[r]);
    else
      _mm256_maskstore_ps(c + r * n, lanes, rows[r]);
  }
}

void sgemm4(long m, long n, long k, const float *restrict a, const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i += 4) {
    long j = 0;
    for (; j + 8 <= n; j += 8) strip(n, k, a + i * k, b + j, c + i * n + j, _mm256_setzero_si256(), 1);
    if (j < n) strip(n, k, a + i * k, b + j, c + i * n + j, first(n - j), 0);
  }
}

/* Lanes that have left compute on; the mask keeps them from counting. */
void mandel(long h, long w, int limit, const float *restrict cx, const float *restrict cy, int *restrict count) {
  for (long r = 0; r < h; r++) {
    const __m256 ci = _mm256_broadcast_ss(cy + r);
    for (long i = 0; i < w; i += 8) {
      const __m256i lanes = first(w - i);
      const __m256 cr = _mm256_maskload_ps(cx + i, lanes);
      __m256 x = _mm256_setzero_ps(), y = x, alive = _mm256_castsi256_ps(lanes);
      __m256i steps = _mm256_setzero_si256();
      for (int s = 0; s < limit; s++) {
        const __m256 xx = _mm256_mul_ps(x, x), yy = _mm256_mul_ps(y, y);
        const __m256 inside = _mm256_cmp_ps(_mm256_add_ps(xx, yy), _mm256_set1_ps(4), _CMP_LE_OQ);
        alive = _mm256_and_ps(alive, inside);
        if (_mm256_movemask_ps(alive) == 0) break;
        steps = _mm256_sub_epi32(steps, _mm256_castps_si256(alive));
        y = _mm256_fmadd_ps(_mm256_set1_ps(2), _mm256_mul_ps(x, y), ci);
        x = _mm256_add_ps(_mm256_sub_ps(xx, yy), cr);
      }
      _mm256_maskstore_epi32(count + r * w + i, lanes, steps);
    }
  }
}
