/* SPDX-License-Identifier: Apache-2.0
 * MRG32k3a: L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number
 * generators", Operations Research 47 (1), 1999. Streams and substreams: L'Ecuyer, Simard, Chen, Kelton, "An
 * object-oriented random-number package", Operations Research 50 (6), 2002. The mixing of the seed was found from an
 * H100's states for chosen seeds: each word begins as 12345, times one half of the seed after an exclusive or. */
#ifndef HEDDLE_CURAND_MRG32K3A_H
#define HEDDLE_CURAND_MRG32K3A_H

#include "jumps.h"
#include "state.h"

struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  __HEDDLE_CURAND_PAIR
};

/* The moduli are 2^32 less this. */
#define __HEDDLE_MRG_LESS1 209u
#define __HEDDLE_MRG_LESS2 22853u

/* Congruent, and below 2^48. */
__heddle_fn unsigned long long __heddle_mrg_fold(unsigned long long x, unsigned less) {
  return (x >> 32) * less + (unsigned)x;
}
__heddle_fn unsigned __heddle_mrg_rest(unsigned long long x, unsigned less) {
  const unsigned long long r = __heddle_mrg_fold(__heddle_mrg_fold(x, less), less), m = 0x100000000ULL - less;
  return (unsigned)(r < m ? r : r - m);
}
__heddle_fn unsigned __heddle_mrg_dot(const unsigned *a, const unsigned *b, int stride, unsigned less) {
  unsigned long long sum = 0;
#pragma unroll
  for (int k = 0; k < 3; k++) sum += __heddle_mrg_fold((unsigned long long)a[k] * b[k * stride], less);
  return __heddle_mrg_rest(sum, less);
}
/* v after the N-th power of a matrix. */
__heddle_fn void __heddle_mrg_power(unsigned *v, const unsigned (&matrix)[9], unsigned long long n, unsigned less) {
  unsigned m[9], product[9], x[3];
#pragma unroll
  for (int k = 0; k < 9; k++) m[k] = matrix[k];
  for (; n; n >>= 1) {
#pragma unroll
    for (int k = 0; k < 3; k++) x[k] = __heddle_mrg_dot(m + 3 * k, v, 1, less);
#pragma unroll
    for (int k = 0; k < 3; k++) v[k] = n & 1 ? x[k] : v[k];
#pragma unroll
    for (int k = 0; k < 9; k++) product[k] = __heddle_mrg_dot(m + k / 3 * 3, m + k % 3, 3, less);
#pragma unroll
    for (int k = 0; k < 9; k++) m[k] = product[k];
  }
}
__heddle_fn void __heddle_mrg_jump(curandStateMRG32k3a *s, unsigned long long n, const unsigned (&m1)[9],
                                   const unsigned (&m2)[9]) {
  __heddle_mrg_power(s->s1, m1, n, __HEDDLE_MRG_LESS1);
  __heddle_mrg_power(s->s2, m2, n, __HEDDLE_MRG_LESS2);
}
/* N numbers further. */
__heddle_fn void skipahead(unsigned long long n, curandStateMRG32k3a *s) {
  const unsigned one[9] = __HEDDLE_MRG_0_1;
  const unsigned two[9] = __HEDDLE_MRG_0_2;
  __heddle_mrg_jump(s, n, one, two);
}
/* N times 2^76 numbers further: the substreams of the package, and the sequences of curand_init. */
__heddle_fn void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a *s) {
  const unsigned one[9] = __HEDDLE_MRG_76_1;
  const unsigned two[9] = __HEDDLE_MRG_76_2;
  __heddle_mrg_jump(s, n, one, two);
}
/* N times 2^127 numbers further: its streams. */
__heddle_fn void skipahead_sequence(unsigned long long n, curandStateMRG32k3a *s) {
  const unsigned one[9] = __HEDDLE_MRG_127_1;
  const unsigned two[9] = __HEDDLE_MRG_127_2;
  __heddle_mrg_jump(s, n, one, two);
}
__heddle_fn void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                             curandStateMRG32k3a *s) {
  const unsigned low = seed ? (unsigned)seed ^ 0x55555555u : 1;
  const unsigned high = seed ? (unsigned)(seed >> 32) ^ 0xaaaaaaaau : 1;
#pragma unroll
  for (int k = 0; k < 3; k++) {
    s->s1[k] = __heddle_mrg_rest(12345ULL * (k == 1 ? high : low), __HEDDLE_MRG_LESS1);
    s->s2[k] = __heddle_mrg_rest(12345ULL * (k == 1 ? low : high), __HEDDLE_MRG_LESS2);
  }
  __heddle_no_pair(s);
  skipahead_subsequence(sequence, s);
  skipahead(offset, s);
}
/* 1 .. m1 */
__heddle_fn unsigned __heddle_mrg_next(curandStateMRG32k3a *s) {
  const unsigned m1 = 0u - __HEDDLE_MRG_LESS1, m2 = 0u - __HEDDLE_MRG_LESS2;
  const unsigned x = __heddle_mrg_rest(1403580ULL * s->s1[1] + 810728ULL * (m1 - s->s1[0]), __HEDDLE_MRG_LESS1);
  const unsigned y = __heddle_mrg_rest(527612ULL * s->s2[2] + 1370589ULL * (m2 - s->s2[0]), __HEDDLE_MRG_LESS2);
#pragma unroll
  for (int k = 0; k < 2; k++) {
    s->s1[k] = s->s1[k + 1];
    s->s2[k] = s->s2[k + 1];
  }
  s->s1[2] = x;
  s->s2[2] = y;
  return x > y ? x - y : x - y + m1;
}
/* By as much that the greatest is 2^32 - 1. */
__heddle_fn unsigned curand(curandStateMRG32k3a *s) {
  return __double2uint_rz(__heddle_mrg_next(s) * (4294967296.0 / 4294967087.0));
}

#endif
