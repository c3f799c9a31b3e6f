/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers for tests and for made programs: splitmix64 (G. Steele, D. Lea, C. Flood, "Fast splittable
 * pseudorandom number generators", 2014). The state counts, and every count is mixed: any state will do, and
 * neighbouring seeds give independent numbers. The same state gives the same numbers everywhere.
 */
#ifndef HEDDLE_SPLITMIX64_H
#define HEDDLE_SPLITMIX64_H

#include <stdint.h>

/* A number as good as the state that it mixes; for hashing. */
static inline uint64_t splitmix64_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* The next of 2^64 numbers, each as likely. */
static inline uint64_t splitmix64(uint64_t *state) {
  *state += UINT64_C(0x9e3779b97f4a7c15);
  return splitmix64_mix(*state);
}

#endif
