/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions that the RTL lacks and the compiler writes with what it has, for that target, against plain C. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/compiler/form_check.h"
#include <heddle/isa.h>
#include "tests/compiler/select_run.h"
#include "tests/test.h"

static uint64_t pair(uint32_t lo, uint32_t hi) {
  return (uint64_t)hi << 32 | lo;
}
static uint32_t fold(uint64_t x) { /* both words count */
  return (uint32_t)x ^ (uint32_t)(x >> 32) * 3;
}
static float number(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}
static uint32_t bits_of(float f) {
  uint32_t b;
  if (isnan(f)) return 0x7fffffff;
  memcpy(&b, &f, sizeof b);
  return b;
}

/* ---- conversions: the C library rounds in long double, which holds 64-bit integers */

static uint32_t rounded(long double x, int toward) { /* to FP32: 0 nearest, -1 down, 1 up */
  float f = (float)x;
  if (toward < 0 && (long double)f > x) f = nextafterf(f, -INFINITY);
  if (toward > 0 && (long double)f < x) f = nextafterf(f, INFINITY);
  return bits_of(f);
}
static uint32_t u64_near(uint32_t a, uint32_t b, uint32_t c) {
  return rounded((long double)(pair(a, b) >> (c & 63)), 0);
}
static uint32_t u64_up(uint32_t a, uint32_t b, uint32_t c) {
  return rounded((long double)(pair(a, b) >> (c & 63)), 1);
}
static uint32_t s64_near(uint32_t a, uint32_t b, uint32_t c) {
  return rounded((long double)((int64_t)pair(a, b) >> (c & 63)), 0);
}
static uint32_t s64_down(uint32_t a, uint32_t b, uint32_t c) {
  return rounded((long double)((int64_t)pair(a, b) >> (c & 63)), -1);
}
static uint32_t s64_zero(uint32_t a, uint32_t b, uint32_t c) {
  int64_t v = (int64_t)pair(a, b) >> (c & 63);
  return rounded((long double)v, v < 0 ? 1 : -1);
}
static uint32_t s64_of(uint32_t a, uint32_t b, uint32_t c) {
  (void)b;
  (void)c;
  float x = truncf(number(a));
  if (isnan(x)) return fold(UINT64_C(1) << 63);
  return fold(x >= 0x1p63f ? INT64_MAX : x < -0x1p63f ? (uint64_t)INT64_MIN : (uint64_t)(int64_t)x);
}
static uint32_t u64_of(uint32_t a, uint32_t b, uint32_t c) {
  (void)b;
  (void)c;
  float x = ceilf(number(a));
  if (isnan(x)) return fold(UINT64_C(1) << 63);
  return fold(x >= 0x1p64f ? UINT64_MAX : x < 0 ? 0 : (uint64_t)x);
}
/* Numbers that are near 2^0 to 2^70, of either sign. */
#define NEAR                                                                                                           \
  "and.b32 %r6, %r3, 0xa3ffffff; and.b32 %r7, %r4, 0x1f000000; add.u32 %r6, %r6, %r7;\n"                               \
  "add.u32 %r6, %r6, 0x30000000; mov.b32 %f5, %r6;\n"
static uint32_t near(uint32_t a, uint32_t b) {
  return (a & 0xa3ffffff) + (b & 0x1f000000) + 0x30000000;
}
static uint32_t s64_of_near(uint32_t a, uint32_t b, uint32_t c) {
  return s64_of(near(a, b), b, c);
}
static uint32_t u64_of_near(uint32_t a, uint32_t b, uint32_t c) {
  return u64_of(near(a, b), b, c);
}
static uint32_t narrow(uint32_t a, float least, float most) {
  float x = rintf(number(a));
  return isnan(x) ? 0 : (uint32_t)(int32_t)fminf(fmaxf(x, least), most);
}
static uint32_t s16_of(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return narrow(near(a, b & 0x1fffffff), -32768, 32767);
}
static uint32_t u8_of(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return narrow(near(a, b & 0x1fffffff), 0, 255);
}
static uint32_t half(uint32_t a, uint32_t b, uint32_t c) {
  (void)b;
  (void)c;
  uint32_t power = a >> 10 & 31, part = a & 1023;
  if (power == 31 && part) return 0x7fffffff;
  float size = power == 31 ? INFINITY : power ? ldexpf(1024 + (float)part, (int)power - 25) : ldexpf((float)part, -24);
  return bits_of(a & 0x8000 ? -size : size);
}
/* In multiples of what the last bit is worth, which the C library rounds. */
static uint32_t half_code(float x, bool to_zero) {
  uint32_t sign = signbit(x) ? 0x8000 : 0;
  int power;
  double size = fabs((double)x), unit;
  if (isnan(x)) return 0x7fff;
  if (isinf(x)) return sign | 0x7c00;
  frexp(size, &power);
  if (power < -13 || size == 0) power = -13;
  unit = ldexp(1, power - 11);
  double n = to_zero ? trunc(size / unit) : rint(size / unit);
  if (n * unit >= 65536) return sign | (to_zero ? 0x7bff : 0x7c00);
  return sign | ((uint32_t)(power + 13) * 1024 + (uint32_t)n); /* from 1024 on, one exponent more */
}
/* Near 2^-32 to 2^31 by the low bits of b; fractions with few bits behind the tenth. */
#define CLOSE                                                                                                          \
  "and.b32 %r6, %r3, 0x807ff000; and.b32 %r7, %r4, 0x1f800000; add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, 0x30000000;\n" \
  "mov.b32 %f5, %r6; "
static float close_to(uint32_t a, uint32_t b) {
  return number((a & 0x807ff000) + (b & 0x1f800000) + 0x30000000);
}
static uint32_t half_near(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return half_code(close_to(a, b), false);
}
static uint32_t half_zero(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return half_code(close_to(a, b), true);
}
static uint32_t half_any(uint32_t a, uint32_t b, uint32_t c) {
  (void)b;
  (void)c;
  return half_code(-number(a), false);
}
static uint32_t halves(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return half_code(number(a), false) << 16 | half_code(close_to(a, b), false);
}
static uint32_t double_of(uint32_t a, uint32_t b, uint32_t c) {
  (void)b;
  (void)c;
  const double d = (double)number(a);
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  if (isnan(d)) bits = pair(a << 29, (a & 0x80000000) | 0x7ff80000 | (a & 0x7fffff) >> 3);
  return fold(bits);
}
static uint32_t double_of_small(uint32_t a, uint32_t b, uint32_t c) {
  return double_of(a & 0x80ffffff, b, c);
}
static uint32_t least(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  float x = number(a), y = number(b);
  if (isnan(x) || isnan(y)) return 0x7fffffff;
  return bits_of(x < y || (x == y && signbit(x)) ? x : y);
}

#define FOLD "mov.b64 {%r6, %r7}, %d1; mul.lo.u32 %r7, %r7, 3; xor.b32 %r2, %r6, %r7;"
#define WIDE "mov.b64 %d1, {%r3, %r4}; and.b32 %r6, %r5, 63; "

static void conversions(void **state) {
  (void)state;
  static const struct form list[] = {
      {WIDE "shr.u64 %d1, %d1, %r6; cvt.rn.f32.u64 %f5, %d1; mov.b32 %r2, %f5;", u64_near},
      {WIDE "shr.u64 %d1, %d1, %r6; cvt.rp.f32.u64 %f5, %d1; mov.b32 %r2, %f5;", u64_up},
      {WIDE "shr.s64 %d1, %d1, %r6; cvt.rn.f32.s64 %f5, %d1; mov.b32 %r2, %f5;", s64_near},
      {WIDE "shr.s64 %d1, %d1, %r6; cvt.rm.f32.s64 %f5, %d1; mov.b32 %r2, %f5;", s64_down},
      {WIDE "shr.s64 %d1, %d1, %r6; cvt.rz.f32.s64 %f5, %d1; mov.b32 %r2, %f5;", s64_zero},
      {"cvt.rzi.s64.f32 %d1, %f3; " FOLD, s64_of},
      {"cvt.rpi.u64.f32 %d1, %f3; " FOLD, u64_of},
      {NEAR "cvt.rzi.s64.f32 %d1, %f5; " FOLD, s64_of_near},
      {NEAR "cvt.rpi.u64.f32 %d1, %f5; " FOLD, u64_of_near},
      {"and.b32 %r4, %r4, 0x1fffffff; " NEAR "cvt.rni.s16.f32 %h1, %f5; cvt.s32.s16 %r2, %h1;", s16_of},
      {"and.b32 %r4, %r4, 0x1fffffff; " NEAR "cvt.rni.u8.f32 %h1, %f5; cvt.u32.u16 %r2, %h1;", u8_of},
      {"cvt.u16.u32 %h1, %r3; cvt.f32.f16 %f5, %h1; mov.b32 %r2, %f5;", half},
      {CLOSE "cvt.rn.f16.f32 %h1, %f5; cvt.u32.u16 %r2, %h1;", half_near},
      {CLOSE "cvt.rz.f16.f32 %h1, %f5; cvt.u32.u16 %r2, %h1;", half_zero},
      {"neg.f32 %f5, %f3; cvt.rn.f16.f32 %h1, %f5; cvt.u32.u16 %r2, %h1;", half_any},
      {CLOSE "cvt.rn.f16x2.f32 %r2, %f3, %f5;", halves},
      {"cvt.f64.f32 %d1, %f3; " FOLD, double_of},
      {"and.b32 %r6, %r3, 0x80ffffff; mov.b32 %f5, %r6; cvt.f64.f32 %d1, %f5; " FOLD, double_of_small},
      {"min.NaN.f32 %f5, %f3, %f4; mov.b32 %r2, %f5;", least}};
  FORM_CHECK(list);
}

/* A machine may lack the unit of conversions; those of FP16 do without. */
static void without_cvt(void **state) {
  (void)state;
  static const struct form list[] = {
      {"and.b32 %r2, %r3, 0xffff; mov.b32 {%h1, %h2}, %r2; cvt.f32.f16 %f5, %h1; mov.b32 %r2, %f5;", half},
      {CLOSE "cvt.rn.f16.f32 %h1, %f5; cvt.u32.u16 %r2, %h1;", half_near},
      {CLOSE "cvt.rz.f16.f32 %h1, %f5; cvt.u32.u16 %r2, %h1;", half_zero},
      {CLOSE "cvt.rn.f16x2.f32 %r2, %f3, %f5;", halves}};
  for (unsigned k = 0; k < sizeof list / sizeof *list; k++)
    form_check_for(&list[k], SELECT_LEAST & ~(1u << ISA_UNIT_CVT));
}

/* Where the guard is false the old value stays. */
static uint32_t guarded_to(uint32_t a, uint32_t b, uint32_t c) {
  return a < b ? s64_of(a, b, c) : fold(UINT64_C(0x700000009));
}
static uint32_t guarded_from(uint32_t a, uint32_t b, uint32_t c) {
  return a < c ? rounded((long double)pair(a, b), 0) : 7;
}
static uint32_t guarded_half(uint32_t a, uint32_t b, uint32_t c) {
  return a < c ? half_code(number(b), false) : 7;
}

static uint32_t guarded_double(uint32_t a, uint32_t b, uint32_t c) {
  return a < b ? double_of(a, b, c) : fold(UINT64_C(0x700000009));
}

static void guards(void **state) {
  (void)state;
  static const struct form list[] = {
      {"setp.lt.u32 %p1, %r3, %r4; mov.u64 %d1, 0x700000009; @%p1 cvt.rzi.s64.f32 %d1, %f3; " FOLD, guarded_to},
      {"setp.lt.u32 %p1, %r3, %r4; mov.u64 %d1, 0x700000009; @%p1 cvt.f64.f32 %d1, %f3; " FOLD, guarded_double},
      {WIDE "setp.lt.u32 %p1, %r3, %r5; mov.u32 %r2, 7; mov.b32 %f5, %r2; @%p1 cvt.rn.f32.u64 %f5, %d1;\n"
            "mov.b32 %r2, %f5;",
       guarded_from},
      {"setp.lt.u32 %p1, %r3, %r5; mov.u16 %h1, 7; @%p1 cvt.rn.f16.f32 %h1, %f4; cvt.u32.u16 %r2, %h1;", guarded_half}};
  FORM_CHECK(list);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(conversions), cmocka_unit_test(without_cvt),
                                     cmocka_unit_test(guards)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
