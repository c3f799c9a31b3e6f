/* SPDX-License-Identifier: Apache-2.0
 *
 * What the RTL lacks and the compiler writes with what it has.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <heddle/isa.h>
#include "tests/compiler/ptx_run.h"
#include "tests/compiler/select/select_run.h"
#include "tests/test.h"

/* What the RTL lacks and the compiler writes with what it has: values against plain C, and that nothing else is left.
 */

static uint64_t pair(uint32_t lo, uint32_t hi) {
  return (uint64_t)hi << 32 | lo;
}
/* ---- bytes */

static uint32_t permuted(uint32_t a, uint32_t b, uint32_t selector) {
  uint32_t r = 0;
  for (unsigned k = 0; k < 4; k++) {
    uint32_t digit = selector >> (4 * k) & 15, byte = (uint32_t)(pair(a, b) >> (8 * (digit & 7))) & 0xff;
    if (digit & 8) byte = byte & 0x80 ? 0xff : 0;
    r |= byte << (8 * k);
  }
  return r;
}
/* Byte k from the byte `k times step` (or what `clamp` leaves of it) after n. */
static uint32_t f4e(uint32_t a, uint32_t b, uint32_t c) {
  return (uint32_t)(pair(a, b) >> (8 * (c & 3)));
}
static uint32_t b4e(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t r = 0;
  for (unsigned k = 0; k < 4; k++) r |= ((uint32_t)(pair(a, b) >> (8 * (((c & 3) - k) & 7))) & 0xff) << (8 * k);
  return r;
}
static uint32_t rc8(uint32_t a, uint32_t b, uint32_t c) {
  (void)b;
  return (a >> (8 * (c & 3)) & 0xff) * 0x01010101;
}
static uint32_t rc16(uint32_t a, uint32_t b, uint32_t c) {
  (void)b;
  return (a >> (16 * (c & 1)) & 0xffff) * 0x00010001;
}
static uint32_t edge(uint32_t a, uint32_t c, bool left) { /* ecl, ecr */
  uint32_t r = 0, n = c & 3;
  for (uint32_t k = 0; k < 4; k++) {
    uint32_t from = left ? (k > n ? k : n) : (k < n ? k : n);
    r |= (a >> (8 * from) & 0xff) << (8 * k);
  }
  return r;
}
static uint32_t ecl(uint32_t a, uint32_t b, uint32_t c) {
  (void)b;
  return edge(a, c, true);
}
static uint32_t ecr(uint32_t a, uint32_t b, uint32_t c) {
  (void)b;
  return edge(a, c, false);
}
static uint32_t known(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return permuted(a, b, 0x5410) ^ permuted(a, b, 0x3210) ^ permuted(a, b, 0x0123) * 3 ^ permuted(a, b, 0x7654) * 5 ^
         permuted(a, b, 0xba98) * 7 ^ permuted(a, b, 0x4f07) * 9 ^ permuted(a, b, 0x8880) * 11;
}
static uint32_t dot(uint32_t a, uint32_t b, uint32_t c, bool sa, bool sb) {
  for (unsigned k = 0; k < 4; k++) {
    int64_t x = sa ? (int8_t)(a >> (8 * k)) : (uint8_t)(a >> (8 * k));
    int64_t y = sb ? (int8_t)(b >> (8 * k)) : (uint8_t)(b >> (8 * k));
    c += (uint32_t)(x * y);
  }
  return c;
}
static uint32_t dot_uu(uint32_t a, uint32_t b, uint32_t c) {
  return dot(a, b, c, false, false);
}
static uint32_t dot_su(uint32_t a, uint32_t b, uint32_t c) {
  return dot(a, b, c, true, false);
}
static uint32_t dot_ss(uint32_t a, uint32_t b, uint32_t c) {
  (void)b;
  return dot(a, 0x80ff017f, c, true, true);
}

static void bytes(void **state) {
  (void)state;
  static const struct form list[] = {
      {"prmt.b32 %r2, %r3, %r4, %r5;", permuted},
      {"prmt.b32.f4e %r2, %r3, %r4, %r5;", f4e},
      {"prmt.b32.b4e %r2, %r3, %r4, %r5;", b4e},
      {"prmt.b32.rc8 %r2, %r3, %r4, %r5;", rc8},
      {"prmt.b32.rc16 %r2, %r3, %r4, %r5;", rc16},
      {"prmt.b32.ecl %r2, %r3, %r4, %r5;", ecl},
      {"prmt.b32.ecr %r2, %r3, %r4, %r5;", ecr},
      {"prmt.b32 %r2, %r3, %r4, 0x5410; prmt.b32 %r6, %r3, %r4, 0x3210; xor.b32 %r2, %r2, %r6;\n"
       "prmt.b32 %r6, %r3, %r4, 0x0123; mul.lo.u32 %r6, %r6, 3; xor.b32 %r2, %r2, %r6;\n"
       "prmt.b32 %r6, %r3, %r4, 0x7654; mul.lo.u32 %r6, %r6, 5; xor.b32 %r2, %r2, %r6;\n"
       "prmt.b32 %r6, %r3, %r4, 0xba98; mul.lo.u32 %r6, %r6, 7; xor.b32 %r2, %r2, %r6;\n"
       "prmt.b32 %r6, %r3, %r4, 0x4f07; mul.lo.u32 %r6, %r6, 9; xor.b32 %r2, %r2, %r6;\n"
       "prmt.b32 %r6, %r3, %r4, 0x8880; mul.lo.u32 %r6, %r6, 11; xor.b32 %r2, %r2, %r6;",
       known},
      {"dp4a.u32.u32 %r2, %r3, %r4, %r5;", dot_uu},
      {"dp4a.s32.u32 %r2, %r3, %r4, %r5;", dot_su},
      {"dp4a.s32.s32 %r2, %r3, 0x80ff017f, %r5;", dot_ss}};
  FORM_CHECK(list);
}

/* ---- words */

static uint32_t sad_u(uint32_t a, uint32_t b, uint32_t c) {
  return (a < b ? b - a : a - b) + c;
}
static uint32_t sad_s(uint32_t a, uint32_t b, uint32_t c) {
  return ((int32_t)a < (int32_t)b ? b - a : a - b) + c;
}
static uint32_t field(uint32_t a, uint32_t b, uint32_t c, bool is_signed) { /* bfe: low bytes of position, length */
  uint32_t at = b & 0xff, n = c & 0xff, r = 0, last = at + n - 1 < 31 ? at + n - 1 : 31;
  uint32_t sign = is_signed && n ? a >> last & 1 : 0;
  for (uint32_t k = 0; k < 32; k++) r |= (k < n && at + k < 32 ? a >> (at + k) & 1 : sign) << k;
  return r;
}
static uint32_t bfe_u(uint32_t a, uint32_t b, uint32_t c) {
  return field(a, b, c, false);
}
static uint32_t bfe_s(uint32_t a, uint32_t b, uint32_t c) {
  return field(a, b, c, true);
}
static uint32_t bfi(uint32_t a, uint32_t b, uint32_t c) { /* 9 bits at the low byte of c into b */
  for (uint32_t k = 0, at = c & 0xff; k < 9 && at + k < 32; k++) b = (b & ~(1u << (at + k))) | (a >> k & 1) << (at + k);
  return b;
}

static void words(void **state) {
  (void)state;
  static const struct form list[] = {{"sad.u32 %r2, %r3, %r4, %r5;", sad_u},
                                     {"sad.s32 %r2, %r3, %r4, %r5;", sad_s},
                                     {"bfe.u32 %r2, %r3, %r4, %r5;", bfe_u},
                                     {"bfe.s32 %r2, %r3, %r4, %r5;", bfe_s},
                                     {"bfi.b32 %r2, %r3, %r4, %r5, 9;", bfi}};
  FORM_CHECK(list);
}

/* ---- where the guard is false the old value stays */

static uint32_t guarded_permuted(uint32_t a, uint32_t b, uint32_t c) {
  return a < b ? permuted(a, b, c) : 7;
}
static uint32_t guarded_dot(uint32_t a, uint32_t b, uint32_t c) {
  return a < b ? dot_uu(a, b, c) : c;
}

static void guards(void **state) {
  (void)state;
  static const struct form list[] = {
      {"setp.lt.u32 %p1, %r3, %r4; mov.u32 %r2, 7; @%p1 prmt.b32 %r2, %r3, %r4, %r5;", guarded_permuted},
      {"setp.lt.u32 %p1, %r3, %r4; mov.u32 %r2, %r5; @%p1 dp4a.u32.u32 %r2, %r3, %r4, %r2;", guarded_dot}};
  FORM_CHECK(list);
}

/* ---- nothing that the RTL lacks is left */

static void only_rtl(void **state) {
  (void)state;
  static const char text[] =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base) {\n"
      ".reg .b32 %r<8>; .reg .b64 %d<4>; .reg .b16 %h<8>; .reg .f32 %f<8>; .reg .pred %p<4>;\n"
      "ld.param.u64 %d0, [base]; ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%d0]; ld.global.u64 %d1, [%d0];\n"
      "mov.b32 %f3, %r3; mov.b32 %f4, %r4;\n"
      "prmt.b32 %r2, %r3, %r4, %r5; st.volatile.global.u32 [%d0], %r2;\n"
      "prmt.b32.ecl %r2, %r3, %r4, %r5; st.volatile.global.u32 [%d0], %r2;\n"
      "dp4a.u32.s32 %r2, %r3, %r4, %r5; st.volatile.global.u32 [%d0], %r2;\n"
      "sad.s32 %r2, %r3, %r4, %r5; st.volatile.global.u32 [%d0], %r2;\n"
      "bfe.s32 %r2, %r3, %r4, %r5; st.volatile.global.u32 [%d0], %r2;\n"
      "bfi.b32 %r2, %r3, %r4, %r5, %r2; st.volatile.global.u32 [%d0], %r2;\n"
      "cvt.rn.f32.u64 %f5, %d1; st.volatile.global.f32 [%d0], %f5;\n"
      "cvt.rm.f32.s64 %f5, %d1; st.volatile.global.f32 [%d0], %f5;\n"
      "cvt.rzi.s64.f32 %d2, %f3; st.volatile.global.u64 [%d0], %d2;\n"
      "cvt.rzi.u64.f32 %d2, %f3; st.volatile.global.u64 [%d0], %d2;\n"
      "cvt.rzi.s16.f32 %h1, %f3; st.volatile.global.u16 [%d0], %h1;\n"
      "cvt.f32.f16 %f5, %h1; st.volatile.global.f32 [%d0], %f5;\n"
      "cvt.rn.f16.f32 %h2, %f3; st.volatile.global.u16 [%d0], %h2;\n"
      "cvt.rz.f16x2.f32 %r2, %f3, %f4; st.volatile.global.u32 [%d0], %r2;\n"
      "max.NaN.f32 %f5, %f3, %f4; st.volatile.global.f32 [%d0], %f5; ret; }\n";
  for (unsigned way = 0; way < 4; way++) {
    const unsigned level = way & 1;
    const uint32_t units = way & 2 ? SELECT_LEAST : UINT32_MAX;
    struct heddle_program *p = select_compile_for(text, level, units, "only_rtl");
    unsigned wide = 0;
    for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
      struct heddle_isa_dec d;
      assert_true(heddle_isa_decode(heddle_program_word(p, pc), &d));
      if (!heddle_isa_in_machine(&d, units)) fail_msg("level %u, units 0x%x: instruction at 0x%x", level, units, pc);
      wide += d.unit == ISA_UNIT_FP64;
    }
    assert_true((wide > 0) == (units != SELECT_LEAST)); /* I2F of 64 bits, where there is such a unit */
    heddle_program_free(p);
  }
}

/* Conversions that the RTL lacks and the compiler writes with what it has, for that target, against plain C. */

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

static void conversion_guards(void **state) {
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(bytes),
                                     cmocka_unit_test(words),
                                     cmocka_unit_test(guards),
                                     cmocka_unit_test(only_rtl),
                                     cmocka_unit_test(conversions),
                                     cmocka_unit_test(without_cvt),
                                     cmocka_unit_test(conversion_guards)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
