/* SPDX-License-Identifier: Apache-2.0
 * The twin's double floats. A NaN operand comes back quieted, of several one in an order that each operation has (the
 * machine's is b, c, a); a new NaN is 0xfff8000000000000. isa/doc/08 and tests/silicon/nan.txt say so. */
#include "tests/twin/ops_float.h"

#include <math.h>

/* The first NaN of three, quieted; the last one otherwise. */
static bool first_nan(uint64_t x, uint64_t y, uint64_t z, uint64_t *d) {
  *d = quiet64(nan64(x) ? x : nan64(y) ? y : z);
  if ((nan64(x) && *d != quiet64(x)) || (nan64(y) && *d != quiet64(y)) || (nan64(z) && *d != quiet64(z)))
    ops_open |= OPEN_NANS;
  return nan64(x) || nan64(y) || nan64(z);
}
static uint64_t made64(double r) {
  return nan64(bits64(r)) ? NAN64 : bits64(r);
}

static double sum(double a, double b, uint64_t m) {
  volatile double x = a, y = b, r;
  direction_set(m);
  r = x + y;
  direction_back();
  return r;
}
static double product(double a, double b, uint64_t m) {
  volatile double x = a, y = b, r;
  direction_set(m);
  r = x * y;
  direction_back();
  return r;
}
static double quotient(double a, double b, uint64_t m) {
  volatile double x = a, y = b, r;
  direction_set(m);
  r = x / y;
  direction_back();
  return r;
}

uint64_t add_f64(uint64_t a, uint64_t b, uint64_t m) {
  uint64_t d;
  return first_nan(b, a, 0, &d) ? d : made64(sum(number64(a), number64(b), m));
}
uint64_t sub_f64(uint64_t a, uint64_t b, uint64_t m) {
  uint64_t d;
  return first_nan(b, a, 0, &d) ? d : made64(sum(number64(a), -number64(b), m));
}
uint64_t mul_f64(uint64_t a, uint64_t b, uint64_t m) {
  uint64_t d;
  return first_nan(b, a, 0, &d) ? d : made64(product(number64(a), number64(b), m));
}
uint64_t fma_f64(uint64_t a, uint64_t b, uint64_t c, uint64_t m) {
  uint64_t d;
  if (first_nan(b, c, a, &d)) return d;
  volatile double x = number64(a), y = number64(b), z = number64(c), r;
  direction_set(m);
  r = fma(x, y, z);
  direction_back();
  return made64(r);
}
uint64_t div_f64(uint64_t a, uint64_t b, uint64_t m) {
  uint64_t d;
  return first_nan(a, b, 0, &d) ? d : made64(quotient(number64(a), number64(b), m));
}
uint64_t rcp_f64(uint64_t a, uint64_t m) {
  return nan64(a) ? quiet64(a) : made64(quotient(1, number64(a), m));
}
uint64_t sqrt_f64(uint64_t a, uint64_t m) {
  if (nan64(a)) return quiet64(a);
  volatile double x = number64(a), r;
  direction_set(m);
  r = sqrt(x);
  direction_back();
  return made64(r);
}

static uint64_t extreme(uint64_t a, uint64_t b, bool least) {
  if (nan64(a) && nan64(b)) {
    if (quiet64(a) != quiet64(b) || a != quiet64(a)) ops_open |= OPEN_NANS;
    return quiet64(b);
  }
  if (nan64(a) || nan64(b)) return nan64(a) ? b : a;
  double x = number64(a), y = number64(b);
  bool less = x < y || (x == y && a >> 63 > b >> 63);
  return less == least ? a : b;
}
uint64_t min_f64(uint64_t a, uint64_t b) {
  return extreme(a, b, true);
}
uint64_t max_f64(uint64_t a, uint64_t b) {
  return extreme(a, b, false);
}
uint64_t abs_f64(uint64_t a) {
  return nan64(a) ? quiet64(a) : a & ~(UINT64_C(1) << 63);
}
uint64_t neg_f64(uint64_t a) {
  return nan64(a) ? quiet64(a) : a ^ UINT64_C(1) << 63;
}
uint64_t copysign_f64(uint64_t a, uint64_t b) {
  return (a & UINT64_C(1) << 63) | (b & ~(UINT64_C(1) << 63));
}
bool testp_f64(uint64_t a, uint64_t m) {
  return testp(&double_format, a, m);
}
bool cmp_f64(uint64_t a, uint64_t b, uint64_t m) {
  double x = number64(a), y = number64(b);
  return relation_float(x < y, x == y, nan64(a) || nan64(b), m);
}
