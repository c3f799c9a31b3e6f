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

/* Names in the body of a row operation and its helpers: the operands of a sem_fn, its row `on`, and whether all
 * lanes execute. SEM_PASS hands them on. */
#define SEM_UNUSED __attribute__((unused))
#define SEM_ARGS                                                                                                       \
  SEM_UNUSED const bool whole, SEM_UNUSED uint32_t *d, SEM_UNUSED const uint32_t *a, SEM_UNUSED const uint32_t *b,     \
      SEM_UNUSED const uint32_t *c, SEM_UNUSED const uint32_t *on, SEM_UNUSED struct sem_io *io,                       \
      SEM_UNUSED const struct sem_par *p
#define SEM_PASS whole, d, a, b, c, on, io, p

/* The head of a row operation; its body follows. */
#define SEM_FN(name)                                                                                                   \
  static inline void name##_body(SEM_ARGS);                                                                            \
  static void name(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, struct sem_io *io,            \
                   const struct sem_par *p) {                                                                          \
    name##_body(false, d, a, b, c, io->on, io, p);                                                                     \
  }                                                                                                                    \
  static inline void name##_body(SEM_ARGS)

/* As SEM_FN, with a second body for all lanes, which most instructions are executed by: it blends nothing. For short
 * operations, of which that is a good part. */
#define SEM_FN_WHOLE(name)                                                                                             \
  static inline __attribute__((always_inline)) void name##_body(SEM_ARGS);                                             \
  static void name(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, struct sem_io *io,            \
                   const struct sem_par *p) {                                                                          \
    if (__builtin_expect(io->exec == ~0u, 1))                                                                          \
      name##_body(true, d, a, b, c, NULL, io, p);                                                                      \
    else                                                                                                               \
      name##_body(false, d, a, b, c, io->on, io, p);                                                                   \
  }                                                                                                                    \
  static inline void name##_body(SEM_ARGS)

/* In a body: all ones if lane i gets the result. */
#define SEM_ON(i) (whole ? ~0u : on[i])

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
