/* SPDX-License-Identifier: Apache-2.0
 * Division and root by the host's processor, which has the four rounding directions of IEEE 754. */
#include "tests/compiler/expand_float.h"
#include "tests/test.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static const int direction[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};

static float number32(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static uint32_t flushed(uint32_t x) {
  return (x & 0x7f800000) ? x : x & 0x80000000;
}

/* Volatile: computed here and now, in the direction that is set. */
static uint32_t result32(const struct expand_float *o, float a, float b) {
  volatile float x = a, y = b, z;
  z = o->i.op == IR_DIV ? x / y : o->i.op == IR_RCP ? 1.0f / x : sqrtf(x);
  uint32_t u;
  float f = z;
  memcpy(&u, &f, sizeof u);
  return isnan(f) ? 0x7fffffff : u;
}

/* .ftz: zero if the quotient, rounded to 24 bits as if there were no least exponent, is below 2^-126. Operands of
 * quotients near there can be scaled by 2^64 upwards. */
static uint32_t ieee32(const struct expand_float *o, uint32_t a, uint32_t b) {
  if (!o->i.arithmetic.ftz) return result32(o, number32(a), number32(b));
  const float x = number32(flushed(a)), y = number32(flushed(b));
  const uint32_t u = result32(o, x, y);
  if ((u & 0x7fffffff) > 0x00800000 || (u & 0x7fffffff) == 0 || o->i.op == IR_SQRT) return u;
  struct expand_float divide = *o;
  divide.i.op = IR_DIV;
  const float dividend = o->i.op == IR_DIV ? x : 1.0f, divisor = o->i.op == IR_DIV ? y : x;
  const uint32_t scaled = fabsf(dividend) < 0x1p60f ? result32(&divide, dividend * 0x1p64f, divisor)
                                                    : result32(&divide, dividend, divisor * 0x1p-64f);
  return fabsf(number32(scaled)) < 0x1p-62f ? u & 0x80000000 : (u & 0x80000000) | 0x00800000;
}

static uint64_t ieee64(const struct expand_float *o, uint64_t a, uint64_t b) {
  double x, y;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  volatile double p = x, q = y, z;
  z = o->i.op == IR_DIV ? p / q : o->i.op == IR_RCP ? 1.0 / p : sqrt(p);
  uint64_t u;
  double d = z;
  memcpy(&u, &d, sizeof u);
  return u;
}

void expand_judge32(const struct expand_float *o, struct expand_machine *x, const uint32_t *a, const uint32_t *b,
                    unsigned n) {
  static uint32_t got[EXPAND_MOST];
  char name[32];
  expand_apply(x, a, b, got, n);
  fesetround(direction[o->i.arithmetic.round]);
  for (unsigned k = 0; k < n; k++) {
    const uint32_t want = ieee32(o, a[k], b ? b[k] : 0);
    if (got[k] != want)
      fail_msg("%s %08x %08x: got %08x, want %08x", expand_float_name(o, name), a[k], b ? b[k] : 0, got[k], want);
  }
  fesetround(FE_TONEAREST);
}

static bool is_nan(uint64_t x) {
  return (x & ~(UINT64_C(1) << 63)) > UINT64_C(0x7ff) << 52;
}

void expand_judge64(const struct expand_float *o, struct expand_machine *x, const uint64_t *a, const uint64_t *b,
                    unsigned n) {
  static uint64_t got[EXPAND_MOST];
  char name[32];
  expand_apply(x, a, b, got, n);
  fesetround(direction[o->i.arithmetic.round]);
  for (unsigned k = 0; k < n; k++) {
    const uint64_t second = b ? b[k] : 0, want = ieee64(o, a[k], second);
    if (got[k] != want && !(is_nan(want) && is_nan(got[k])))
      fail_msg("%s %016llx %016llx: got %016llx, want %016llx", expand_float_name(o, name), (unsigned long long)a[k],
               (unsigned long long)second, (unsigned long long)got[k], (unsigned long long)want);
  }
  fesetround(FE_TONEAREST);
}
