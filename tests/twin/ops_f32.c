/* SPDX-License-Identifier: Apache-2.0
 * The twin's single floats: the host's arithmetic in the direction that is asked for. Every NaN is 0x7fffffff. */
#include "tests/twin/ops_float.h"

#include <math.h>

uint32_t sat32(uint32_t a) {
  if (nan32(a) || a >> 31) return 0;
  return a > 0x3f800000 ? 0x3f800000 : a;
}

uint32_t made32(float r, uint64_t m) {
  uint32_t bits = bits32(r);
  if (nan32(bits)) bits = NAN32;
  return m & M_sat ? sat32(bits) : bits;
}

enum { ADD, FMA, DIV, SQRT };

/* Volatile: computed here and now. */
static float compute(int op, float a, float b, float c, uint64_t m) {
  volatile float x = a, y = b, z = c, r;
  direction_set(m);
  r = op == ADD ? x + y : op == FMA ? fmaf(x, y, z) : op == DIV ? x / y : sqrtf(x);
  direction_back();
  return r;
}

/* A result of at most 2^-126 under .ftz, from operands times 2^64: is it tiny as if there were no least exponent? */
static float flushed(int op, float a, float b, float c, float r, uint64_t m) {
  if (!(m & M_ftz) || r == 0 || !(fabsf(r) <= 0x1p-126f)) return r;
  if (op == ADD) return fabsf(r) < 0x1p-126f ? copysignf(0, r) : r; /* such sums are exact */
  bool first = fabsf(a) < fabsf(b) || op == DIV;
  float scaled = compute(op, first ? a * 0x1p64f : a, first ? b : b * 0x1p64f, c * 0x1p64f, m);
  if (op == DIV && fabsf(a) >= 0x1p60f) scaled = compute(op, a, b * 0x1p-64f, 0, m);
  return fabsf(scaled) < 0x1p-62f ? copysignf(0, r) : r;
}

static uint32_t arithmetic(int op, uint32_t a, uint32_t b, uint32_t c, uint64_t m) {
  float x = number32(flush32(a, m)), y = number32(flush32(b, m)), z = number32(flush32(c, m));
  return made32(flushed(op, x, y, z, compute(op, x, y, z, m), m), m);
}

uint32_t add_f32(uint32_t a, uint32_t b, uint64_t m) {
  return arithmetic(ADD, a, b, 0, m);
}
uint32_t sub_f32(uint32_t a, uint32_t b, uint64_t m) {
  return arithmetic(ADD, a, b ^ 0x80000000, 0, m);
}
/* A product's zero has its own sign: a zero of that sign changes nothing. */
uint32_t mul_f32(uint32_t a, uint32_t b, uint64_t m) {
  return arithmetic(FMA, a, b, (a ^ b) & 0x80000000, m);
}
uint32_t fma_f32(uint32_t a, uint32_t b, uint32_t c, uint64_t m) {
  return arithmetic(FMA, a, b, c, m);
}
uint32_t div_f32(uint32_t a, uint32_t b, uint64_t m) {
  return arithmetic(DIV, a, b, 0, m);
}
uint32_t rcp_f32(uint32_t a, uint64_t m) {
  return arithmetic(DIV, 0x3f800000, a, 0, m);
}
uint32_t sqrt_f32(uint32_t a, uint64_t m) {
  return arithmetic(SQRT, a, 0, 0, m);
}

/* A number's order: negatives downwards, -0 below +0. */
static int64_t order(uint32_t a) {
  int64_t magnitude = a & 0x7fffffff;
  return a >> 31 ? -magnitude - 1 : magnitude;
}
static uint32_t extreme(uint32_t a, uint32_t b, bool least, uint64_t m) {
  a = flush32(a, m);
  b = flush32(b, m);
  if ((nan32(a) && nan32(b)) || (m & M_NaN && (nan32(a) || nan32(b)))) return NAN32;
  if (nan32(a) || nan32(b)) return nan32(a) ? b : a;
  return (order(a) < order(b)) == least ? a : b;
}
uint32_t min_f32(uint32_t a, uint32_t b, uint64_t m) {
  return extreme(a, b, true, m);
}
uint32_t max_f32(uint32_t a, uint32_t b, uint64_t m) {
  return extreme(a, b, false, m);
}
uint32_t abs_f32(uint32_t a, uint64_t m) {
  return nan32(a) ? NAN32 : flush32(a, m) & 0x7fffffff;
}
uint32_t neg_f32(uint32_t a, uint64_t m) {
  return nan32(a) ? NAN32 : flush32(a, m) ^ 0x80000000;
}
uint32_t copysign_f32(uint32_t a, uint32_t b) {
  return (a & 0x80000000) | (b & 0x7fffffff);
}
bool testp_f32(uint32_t a, uint64_t m) {
  return testp(&single_format, a, m);
}
bool cmp_f32(uint32_t a, uint32_t b, uint64_t m) {
  float x = number32(flush32(a, m)), y = number32(flush32(b, m));
  return relation_float(x < y, x == y, nan32(a) || nan32(b), m);
}
