/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: the lane loop, bit casts, and names that differ by build.
 */
#ifndef HEDDLE_SEM_LANE_H
#define HEDDLE_SEM_LANE_H

#include <string.h>

#include "cmodel/sem/sem.h"

/* SEM_BUILD is set by the build system: base, v3, v4. */
#ifndef SEM_BUILD
#define SEM_BUILD base
#endif
#define SEM_CAT2(a, b) a##_##b
#define SEM_CAT(a, b) SEM_CAT2(a, b)
#define SEM_DEF(name) SEM_CAT(sem_def_##name, SEM_BUILD)

/* Lanes are independent of each other even when the destination row is also a
 * source row: lane i only ever touches lane i. */
// NOLINTNEXTLINE(bugprone-macro-parentheses): `i` is declared here
#define SEM_EACH_LANE(i) _Pragma("GCC ivdep") for (unsigned i = 0; i < SEM_LANES; i++)

/* The rows of one execution, as locals that the vectoriser can see through. */
#define SEM_ROWS(io)                                                                                                   \
  const uint32_t *const a = (io)->a, *const b = (io)->b, *const c = (io)->c;                                           \
  const uint32_t *const on = (io)->on;                                                                                 \
  uint32_t *const d = (io)->d;                                                                                         \
  (void)a, (void)b, (void)c, (void)on, (void)d

/* Conditions are kept as 0 or 1 in integers and joined with & and |: short
 * circuits would be control flow, which keeps a loop from being vectorised. */
static inline uint32_t mask_if(uint32_t cond) {
  return 0u - cond;
}

static inline uint32_t blend(uint32_t on, uint32_t yes, uint32_t no) {
  return (yes & on) | (no & ~on);
}

static inline float f32_of(uint32_t u) {
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}

static inline uint32_t bits_of(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

static inline double f64_of(uint64_t u) {
  double f;
  memcpy(&f, &u, sizeof f);
  return f;
}

static inline uint64_t bits64_of(double f) {
  uint64_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

/* Bit `lane` of a predicate mask, as 0 or 1. */
static inline uint32_t lane_bit(uint32_t mask, unsigned lane) {
  return (mask >> lane) & 1u;
}

#endif
