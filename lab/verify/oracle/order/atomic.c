/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomics as isa/doc/04-memory.md words them, by the host's own arithmetic: IEEE 754 in round to nearest, and where
 * that leaves a choice (NaN) the words of isa/doc/02-instructions.md and 08-half-double-conversions.md.
 */
#include <math.h>
#include <string.h>

#include "lab/verify/oracle/order/internal.h"

static uint32_t add_f32(uint32_t v, uint32_t b) {
  float x, y;
  memcpy(&x, &v, 4);
  memcpy(&y, &b, 4);
  const volatile float sum = x + y;
  const float s = sum;
  uint32_t bits;
  memcpy(&bits, &s, 4);
  return isnan(s) ? 0x7fffffffu : bits;
}

static bool nan64(uint64_t v) {
  return (v << 1) > UINT64_C(0x7ff0000000000000) << 1;
}

static uint64_t add_f64(uint64_t v, uint64_t b) {
  const uint64_t quiet = UINT64_C(1) << 51;
  if (nan64(b)) return b | quiet;
  if (nan64(v)) return v | quiet;
  double x, y;
  memcpy(&x, &v, 8);
  memcpy(&y, &b, 8);
  const volatile double sum = x + y;
  const double s = sum;
  uint64_t bits;
  memcpy(&bits, &s, 8);
  return isnan(s) ? UINT64_C(0xfff8000000000000) : bits;
}

static double half_value(uint32_t h) {
  const int e = (int)(h >> 10 & 31), m = (int)(h & 1023);
  const double x =
      e == 31 ? (m != 0 ? (double)NAN : (double)INFINITY) : ldexp(e == 0 ? m : m + 1024, e == 0 ? -24 : e - 25);
  return (h >> 15 & 1) != 0 ? -x : x;
}

/* Nearest even of a sum of two halves, which a double holds exactly: whole steps of 2^-24 at least. */
static uint32_t half_of(double x) {
  const uint32_t sign = signbit(x) != 0 ? 0x8000u : 0;
  const double m = fabs(x);
  if (isnan(x)) return 0x7fffu;
  if (m == 0) return sign;
  if (m >= 65520.0) return sign | 0x7c00u;
  int e;
  (void)frexp(m, &e);
  const int step = e - 11 < -24 ? -24 : e - 11;
  const double n = nearbyint(ldexp(m, -step)); /* below 2048, or 2048 itself, which is the next exponent's 1024 */
  return sign | (uint32_t)(n + (double)(step + 24) * 1024.0);
}

static uint32_t add_f16x2(uint32_t v, uint32_t b) {
  const uint32_t lo = half_of(half_value(v & 0xffff) + half_value(b & 0xffff));
  return lo | half_of(half_value(v >> 16) + half_value(b >> 16)) << 16;
}

static uint64_t lesser(bool first, uint64_t v, uint64_t b) {
  return first ? v : b;
}

static uint64_t narrow(unsigned aop, uint32_t v, uint32_t b) {
  switch (aop) {
  case ISA_AOP_ADD:
    return v + b;
  case ISA_AOP_ADD_F32:
    return add_f32(v, b);
  case ISA_AOP_ADD_F16X2:
    return add_f16x2(v, b);
  case ISA_AOP_MIN:
    return lesser(v < b, v, b);
  case ISA_AOP_MIN_S32:
    return lesser((int32_t)v < (int32_t)b, v, b);
  case ISA_AOP_MAX:
    return lesser(v > b, v, b);
  case ISA_AOP_MAX_S32:
    return lesser((int32_t)v > (int32_t)b, v, b);
  case ISA_AOP_INC:
    return v >= b ? 0 : v + 1;
  case ISA_AOP_DEC:
    return v == 0 || v > b ? b : v - 1;
  case ISA_AOP_AND:
    return v & b;
  case ISA_AOP_OR:
    return v | b;
  case ISA_AOP_XOR:
    return v ^ b;
  default: /* .EXCH */
    return b;
  }
}

static uint64_t wide_result(unsigned aop, uint64_t v, uint64_t b) {
  switch (aop) {
  case ISA_AOP_ADD_64:
    return v + b;
  case ISA_AOP_ADD_F64:
    return add_f64(v, b);
  case ISA_AOP_MIN_U64:
    return lesser(v < b, v, b);
  case ISA_AOP_MIN_S64:
    return lesser((int64_t)v < (int64_t)b, v, b);
  case ISA_AOP_MAX_U64:
    return lesser(v > b, v, b);
  case ISA_AOP_MAX_S64:
    return lesser((int64_t)v > (int64_t)b, v, b);
  case ISA_AOP_AND_64:
    return v & b;
  case ISA_AOP_OR_64:
    return v | b;
  case ISA_AOP_XOR_64:
    return v ^ b;
  default: /* .EXCH.64 */
    return b;
  }
}

void order_atomic_apply(const struct action *a, uint8_t *p, const uint32_t b[2], const uint32_t c[2]) {
  uint64_t v = 0, x = b[0], y = c[0];
  memcpy(&v, p, a->bytes);
  if (a->bytes == 8) {
    x |= (uint64_t)b[1] << 32;
    y |= (uint64_t)c[1] << 32;
  }
  if (a->cas)
    v = v == x ? y : v;
  else
    v = a->bytes == 8 ? wide_result(a->aop, v, x) : narrow(a->aop, (uint32_t)v, (uint32_t)x);
  memcpy(p, &v, a->bytes);
}
