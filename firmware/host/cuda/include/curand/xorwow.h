/* SPDX-License-Identifier: Apache-2.0
 * XORWOW: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (14), 2003. The mixing of the seed was found
 * from an H100's states for chosen seeds: each half of the seed gives an odd multiple of itself after an exclusive
 * or. */
#ifndef HEDDLE_CURAND_XORWOW_H
#define HEDDLE_CURAND_XORWOW_H

#include "jumps.h"
#include "state.h"

struct curandStateXORWOW {
  unsigned d, v[5];
  __HEDDLE_CURAND_PAIR
};

/* The part of a step that is linear over single bits. */
__heddle_fn void __heddle_xorwow_step(unsigned *v) {
  const unsigned t = v[0] ^ v[0] >> 2;
#pragma unroll
  for (int k = 0; k < 4; k++) v[k] = v[k + 1];
  v[4] ^= v[4] << 4 ^ t ^ t << 1;
}
/* The steps of one row of the table: the exclusive or of v after those numbers of steps that its bits name. */
__heddle_fn void __heddle_xorwow_row(unsigned *v, const unsigned *row) {
  unsigned sum[5] = {0, 0, 0, 0, 0}, bits[5];
#pragma unroll
  for (int k = 0; k < 5; k++) bits[k] = row[k];
  for (int five = 0; five < 32; five++) { /* after five steps each word is back in its place */
#pragma unroll
    for (int bit = 0; bit < 5; bit++) {
      const unsigned taken = (unsigned)((int)(bits[0] << (31 - bit)) >> 31);
#pragma unroll
      for (int k = 0; k < 5; k++) sum[k] ^= v[k] & taken;
      __heddle_xorwow_step(v);
    }
#pragma unroll
    for (int k = 0; k < 5; k++) bits[k] = bits[k] >> 5 | (k < 4 ? bits[k + 1] << 27 : 0);
  }
#pragma unroll
  for (int k = 0; k < 5; k++) v[k] = sum[k];
}
/* N times the steps of the table's first row: a row for each digit of N to the base 16. */
__heddle_fn void __heddle_xorwow_jump(curandStateXORWOW *s, unsigned long long n, const unsigned (*table)[15][5]) {
  unsigned v[5];
#pragma unroll
  for (int k = 0; k < 5; k++) v[k] = s->v[k];
  for (; n; n >>= 4, table++)
    if (n & 15) __heddle_xorwow_row(v, (*table)[(n & 15) - 1]);
#pragma unroll
  for (int k = 0; k < 5; k++) s->v[k] = v[k];
}
/* N numbers further. */
__heddle_fn void skipahead(unsigned long long n, curandStateXORWOW *s) {
  __heddle_xorwow_jump(s, n, __heddle_xorwow_offsets);
  s->d += 362437 * (unsigned)n;
}
/* N sequences of 2^67 numbers further; d is then what it was. */
__heddle_fn void skipahead_sequence(unsigned long long n, curandStateXORWOW *s) {
  __heddle_xorwow_jump(s, n, __heddle_xorwow_sequences);
}
__heddle_fn void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                             curandStateXORWOW *s) {
  const unsigned low = 0x4182bed5u * ((unsigned)seed ^ 0xaad26b49u);
  const unsigned high = 0x9a7cab1bu * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
  s->d = 6615241 + low + high;
  s->v[0] = 123456789 + low;
  s->v[1] = 362436069 ^ low;
  s->v[2] = 521288629 + high;
  s->v[3] = 88675123 ^ high;
  s->v[4] = 5783321 + low;
  __heddle_no_pair(s);
  skipahead_sequence(sequence, s);
  skipahead(offset, s);
}
__heddle_fn unsigned curand(curandStateXORWOW *s) {
  __heddle_xorwow_step(s->v);
  s->d += 362437;
  return s->d + s->v[4];
}

#endif
