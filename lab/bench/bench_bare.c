/* SPDX-License-Identifier: Apache-2.0
 * The bare lane loops. Each function is compiled for several vector extensions, as the model's operations are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/bench.h"

#define LANES 32u
#define DATA 28u
#define FACTORS 4u
#define BODY 64u         /* operations before the loop begins again */
#define PASS (40 * BODY) /* operations of a thread */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define VECTOR_BUILDS __attribute__((aligned(64), target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define VECTOR_BUILDS __attribute__((aligned(64)))
#endif

typedef void row_fn(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c);

struct bare_op {
  row_fn *fn;
  uint8_t d, a, b, c;
};

static float as_float(uint32_t u) {
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}

static uint32_t as_bits(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

VECTOR_BUILDS static void multiply_add(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c) {
  _Pragma("GCC ivdep") for (unsigned i = 0; i < LANES; i++) d[i] =
      as_bits(fmaf(as_float(a[i]), as_float(b[i]), as_float(c[i])));
}

VECTOR_BUILDS static void add3(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c) {
  _Pragma("GCC ivdep") for (unsigned i = 0; i < LANES; i++) d[i] = a[i] + b[i] + c[i];
}

VECTOR_BUILDS static void logic(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c) {
  _Pragma("GCC ivdep") for (unsigned i = 0; i < LANES; i++) d[i] = (a[i] & b[i]) ^ c[i];
}

VECTOR_BUILDS static void integer_multiply_add(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c) {
  _Pragma("GCC ivdep") for (unsigned i = 0; i < LANES; i++) d[i] = a[i] * b[i] + c[i];
}

static row_fn *choose_row_fn(enum bare_kind kind, unsigned i) {
  static row_fn *const integer[] = {add3, logic, integer_multiply_add, add3};
  if (kind == BARE_FFMA) return multiply_add;
  if (kind == BARE_INTEGER) return integer[i % 4];
  return i % 2 == 0 ? multiply_add : add3;
}

/* As a kernel finds its registers: the thread's number in each, and factors near 1.0. */
static void fill_rows(uint32_t row[DATA + FACTORS][LANES], unsigned warp) {
  for (unsigned r = 0; r < DATA; r++)
    for (unsigned i = 0; i < LANES; i++) row[r][i] = as_bits((float)(LANES * warp + i));
  for (unsigned r = 0; r < FACTORS; r++)
    for (unsigned i = 0; i < LANES; i++) row[DATA + r][i] = 0x3f800000u - r;
}

uint64_t bare_run(enum bare_kind kind, uint64_t operations) {
  static _Thread_local _Alignas(64) uint32_t row[DATA + FACTORS][LANES];
  struct bare_op op[BODY];
  for (unsigned i = 0; i < BODY; i++)
    op[i] = (struct bare_op){choose_row_fn(kind, i), (uint8_t)(i % DATA), (uint8_t)((i + 4) % DATA),
                             (uint8_t)(DATA + i % FACTORS), (uint8_t)(i % DATA)};
  uint64_t done = 0;
  for (; done < operations; done += BODY) {
    if (done % PASS == 0) fill_rows(row, (unsigned)(done / PASS % 8));
    for (unsigned i = 0; i < BODY; i++) op[i].fn(row[op[i].d], row[op[i].a], row[op[i].b], row[op[i].c]);
  }
  return done;
}
