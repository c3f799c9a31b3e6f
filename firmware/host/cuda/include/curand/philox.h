/* SPDX-License-Identifier: Apache-2.0
 * Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. The seed is the
 * key; of the counter the lower half counts fours of numbers, the upper half is the sequence. */
#ifndef HEDDLE_CURAND_PHILOX_H
#define HEDDLE_CURAND_PHILOX_H

#include "state.h"

struct curandStatePhilox4_32_10 {
  uint4 ctr, output; /* the output is that of this counter */
  uint2 key;
  unsigned STATE; /* of the output, which is next: 0 .. 3 */
  __HEDDLE_CURAND_PAIR
};

__heddle_fn uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
#pragma unroll
  for (int round = 0; round < 10; round++) {
    const unsigned long long a = 0xd2511f53ULL * c.x, b = 0xcd9e8d57ULL * c.z;
    c = {(unsigned)(b >> 32) ^ c.y ^ k.x, (unsigned)b, (unsigned)(a >> 32) ^ c.w ^ k.y, (unsigned)a};
    k.x += 0x9e3779b9;
    k.y += 0xbb67ae85;
  }
  return c;
}
/* The counter, 128 bits, N and HIGH * 2^64 further. */
__heddle_fn void __heddle_count(curandStatePhilox4_32_10 *s, unsigned long long n, unsigned long long high) {
  const unsigned long long low = (unsigned long long)s->ctr.y << 32 | s->ctr.x, sum = low + n;
  const unsigned long long top = ((unsigned long long)s->ctr.w << 32 | s->ctr.z) + high + (sum < low);
  s->ctr = {(unsigned)sum, (unsigned)(sum >> 32), (unsigned)top, (unsigned)(top >> 32)};
  s->output = curand_Philox4x32_10(s->ctr, s->key);
}
/* N numbers further. */
__heddle_fn void skipahead(unsigned long long n, curandStatePhilox4_32_10 *s) {
  const unsigned at = s->STATE + (unsigned)(n & 3);
  s->STATE = at & 3;
  __heddle_count(s, (n >> 2) + (at >> 2), 0);
}
/* N sequences of 2^66 numbers further. */
__heddle_fn void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *s) {
  __heddle_count(s, 0, n);
}
__heddle_fn void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                             curandStatePhilox4_32_10 *s) {
  s->ctr = {0, 0, (unsigned)sequence, (unsigned)(sequence >> 32)};
  s->key = {(unsigned)seed, (unsigned)(seed >> 32)};
  s->STATE = 0;
  __heddle_no_pair(s);
  skipahead(offset, s);
}
__heddle_fn unsigned curand(curandStatePhilox4_32_10 *s) {
  const unsigned a = s->STATE & 1 ? s->output.y : s->output.x, b = s->STATE & 1 ? s->output.w : s->output.z;
  const unsigned r = s->STATE & 2 ? b : a;
  if (++s->STATE == 4) {
    s->STATE = 0;
    __heddle_count(s, 1, 0);
  }
  return r;
}
/* The next four. */
__heddle_fn uint4 curand4(curandStatePhilox4_32_10 *s) {
  const uint4 now = s->output;
  __heddle_count(s, 1, 0);
  const uint4 next = s->output;
  switch (s->STATE) {
  case 1:
    return {now.y, now.z, now.w, next.x};
  case 2:
    return {now.z, now.w, next.x, next.y};
  case 3:
    return {now.w, next.x, next.y, next.z};
  default:
    return now;
  }
}

#endif
