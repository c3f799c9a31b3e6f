/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions that the machine does not have and lowering writes as several.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "tests/compiler/ptx_run.h"
#include "tests/test.h"

/* Instructions that the machine does not have and lowering writes as several: bf16 and tf32, .xorsign.abs, the least
 * of three, pairs of 16-bit integers, fields and masks; over edge values, against plain C of what the PTX manual says.
 */

enum { QUIET = 0x7fffffff };

/* ---- floats ---- */

static double single(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return (double)f;
}
static bool is_nan(uint32_t bits) {
  return (bits & 0x7fffffff) > 0x7f800000;
}

/* The bf16 nearest to a + b, of which the double sum may have lost something: then its last bit says so. */
static uint32_t nearest(double a, double b) {
  double sum = a + b, back = sum - a, lost = (a - (sum - back)) + (b - back);
  if (isnan(sum)) return 0x7fff;
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (isfinite(sum) && lost != 0 && (bits & 1) == 0) bits += (lost > 0) == (sum > 0) ? 1 : UINT64_MAX;
  memcpy(&sum, &bits, sizeof sum);
  uint32_t sign = (uint32_t)(bits >> 63) << 15;
  double size = fabs(sum), unit = 0x1p-133; /* the smallest bf16; from there on 128 of each power of two */
  if (size >= 0x1.ffp127) return sign | 0x7f80;
  while (size >= 256 * unit) unit *= 2;
  double steps = nearbyint(size / unit); /* exact but for this: to even */
  uint32_t power = 0;
  for (double u = unit; u > 0x1p-133; u /= 2) power++;
  return sign | ((power << 7) + (uint32_t)steps);
}

static uint32_t upper(uint32_t pair, unsigned half) {
  return half ? pair & 0xffff0000 : pair << 16;
}
static uint32_t fma_bf16(uint32_t a, uint32_t b, uint32_t c, unsigned half) {
  return nearest(single(upper(a, half)) * single(upper(b, half)), single(upper(c, half)));
}
static uint32_t fma_pair(uint32_t a, uint32_t b, uint32_t c) {
  return fma_bf16(a, b, c, 1) << 16 | fma_bf16(a, b, c, 0);
}
static uint32_t fma_relu(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t v = fma_bf16(a, b, c, 0);
  return v & 0x8000 ? 0 : v;
}
static uint32_t sub_bf16(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return nearest(single(a << 16), -single(b << 16));
}
static uint32_t cvt_pair(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return nearest(single(a), -0.0) << 16 | nearest(single(b), -0.0);
}
static uint32_t from_long(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  int64_t v = (int64_t)((uint64_t)b << 32 | a);
  return nearest((double)(v >> 32) * 0x1p32, (double)(v & 0xffffffff));
}
static uint32_t tensor(uint32_t a, uint32_t b, uint32_t c) {
  (void)b;
  (void)c;
  return (!is_nan(a) && a & 0x1000 ? a + 0x1000 : a) & 0xffffe000; /* a NaN is cut: an H200 does so */
}
static uint32_t max_bf16(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  int16_t x = (int16_t)a, y = (int16_t)b;
  if (is_nan(a << 16) || is_nan(b << 16)) return 0x7fff;
  int32_t i = x < 0 ? -(x & 0x7fff) - 1 : x, j = y < 0 ? -(y & 0x7fff) - 1 : y;
  return (i > j ? a : b) & 0xffff;
}
static uint32_t min_xorsign(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  uint32_t x = a & 0x7fffffff, y = b & 0x7fffffff;
  if (is_nan(a) && is_nan(b)) return QUIET;
  return (is_nan(b) || (!is_nan(a) && x < y) ? x : y) | ((a ^ b) & 0x80000000);
}
/* Of three: -0 is below +0, and a NaN counts only beside others, or with .NaN. */
static int64_t order(uint32_t a) {
  int64_t magnitude = a & 0x7fffffff;
  return a >> 31 ? -magnitude - 1 : magnitude;
}
static uint32_t flushed(uint32_t a) {
  return a & 0x7f800000 ? a : a & 0x80000000;
}
static uint32_t of_two(uint32_t a, uint32_t b, bool most, bool nan) {
  if ((is_nan(a) && is_nan(b)) || (nan && (is_nan(a) || is_nan(b)))) return QUIET;
  if (is_nan(a) || is_nan(b)) return is_nan(a) ? b : a;
  return (order(a) > order(b)) == most ? a : b;
}
static uint32_t min_three(uint32_t a, uint32_t b, uint32_t c) {
  return of_two(of_two(a, b, false, false), c, false, false);
}
static uint32_t max_nan_three(uint32_t a, uint32_t b, uint32_t c) {
  return of_two(of_two(a, b, true, true), c, true, true);
}
static uint32_t min_ftz_abs_three(uint32_t a, uint32_t b, uint32_t c) {
  return min_three(flushed(a & 0x7fffffff), flushed(b & 0x7fffffff), flushed(c & 0x7fffffff));
}
static uint32_t max_abs_nan_three(uint32_t a, uint32_t b, uint32_t c) {
  return max_nan_three(a & 0x7fffffff, b & 0x7fffffff, c & 0x7fffffff);
}

static void floats(void **state) {
  (void)state;
  static const struct form list[] = {
      {"fma.rn.bf16x2 %r2, %r3, %r4, %r5;", fma_pair},
      {"cvt.u16.u32 %h1, %r3; cvt.u16.u32 %h2, %r4; cvt.u16.u32 %h3, %r5; fma.rn.relu.bf16 %h4, %h1, %h2, %h3;"
       "cvt.u32.u16 %r2, %h4;",
       fma_relu},
      {"cvt.u16.u32 %h1, %r3; cvt.u16.u32 %h2, %r4; sub.rn.bf16 %h4, %h1, %h2; cvt.u32.u16 %r2, %h4;", sub_bf16},
      {"cvt.u16.u32 %h1, %r3; cvt.u16.u32 %h2, %r4; max.NaN.bf16 %h4, %h1, %h2; cvt.u32.u16 %r2, %h4;", max_bf16},
      {"cvt.rn.bf16x2.f32 %r2, %f3, %f4;", cvt_pair},
      {"mov.b64 %d1, {%r3, %r4}; cvt.rn.bf16.s64 %h4, %d1; cvt.u32.u16 %r2, %h4;", from_long},
      {"cvt.rna.tf32.f32 %r2, %f3;", tensor},
      {"min.xorsign.abs.f32 %f5, %f3, %f4; mov.b32 %r2, %f5;", min_xorsign},
      {"mov.b32 %f5, %r5; min.f32 %f5, %f3, %f4, %f5; mov.b32 %r2, %f5;", min_three},
      {"mov.b32 %f5, %r5; max.NaN.f32 %f5, %f3, %f4, %f5; mov.b32 %r2, %f5;", max_nan_three},
      {"mov.b32 %f5, %r5; min.ftz.abs.f32 %f5, %f3, %f4, %f5; mov.b32 %r2, %f5;", min_ftz_abs_three},
      {"mov.b32 %f5, %r5; max.NaN.abs.f32 %f5, %f3, %f4, %f5; mov.b32 %r2, %f5;", max_abs_nan_three}};
  FORM_CHECK(list);
}

/* ---- integers ---- */

static uint32_t add_pair(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16;
}
static int32_t low(uint32_t a) {
  return (int16_t)a;
}
static uint32_t min_pair(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  int32_t l = low(a) < low(b) ? low(a) : low(b), h = low(a >> 16) < low(b >> 16) ? low(a >> 16) : low(b >> 16);
  return (l > 0 ? (uint32_t)l : 0) | (h > 0 ? (uint32_t)h : 0) << 16;
}
static uint32_t max_relu(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  int32_t m = (int32_t)a > (int32_t)b ? (int32_t)a : (int32_t)b;
  return m > 0 ? (uint32_t)m : 0;
}
/* The manual's own words. */
static uint32_t szext(uint32_t a, uint32_t b, bool is_signed, bool clamp) {
  bool large = b >= 32 && clamp;
  uint32_t n = b & 31, mask = large ? 0 : ~0u << n, sign = is_signed && n && !large ? a >> ((n - 1) & 31) & 1 : 0;
  return (a & ~mask) | (sign ? mask : 0);
}
static uint32_t szext_wrap(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return szext(a, b, true, false);
}
static uint32_t szext_clamp(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return szext(a, b, false, true);
}
static uint32_t bmsk(uint32_t a, uint32_t b, bool clamp) {
  uint32_t sum = (a & 31) + (b & 31), from = ~0u << (a & 31), to = sum >= 32 ? 0 : ~0u << sum;
  if (clamp && a >= 32) from = 0;
  if (clamp && b >= 32) to = 0;
  return from & ~to;
}
static uint32_t bmsk_wrap(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return bmsk(a, b, false);
}
static uint32_t bmsk_clamp(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return bmsk(a, b, true);
}
static uint32_t fns(uint32_t mask, uint32_t b, uint32_t c) {
  int32_t at = (int32_t)(b & 31), offset = (int32_t)(c % 33) - 16, left = abs(offset);
  if (offset == 0) return mask >> at & 1 ? (uint32_t)at : ~0u;
  for (; at >= 0 && at<32; at += offset> 0 ? 1 : -1)
    if ((mask >> at & 1) && --left == 0) return (uint32_t)at;
  return ~0u;
}
static uint32_t pack(uint32_t a, uint32_t b, uint32_t c) {
  int32_t v[2] = {(int32_t)b, (int32_t)a};
  for (unsigned k = 0; k < 2; k++) v[k] = v[k] < -128 ? -128 : v[k] > 127 ? 127 : v[k];
  return c << 16 | (uint32_t)(v[1] & 0xff) << 8 | (uint32_t)(v[0] & 0xff);
}

static void integers(void **state) {
  (void)state;
  static const struct form list[] = {
      {"add.u16x2 %r2, %r3, %r4;", add_pair},
      {"min.relu.s16x2 %r2, %r3, %r4;", min_pair},
      {"max.relu.s32 %r2, %r3, %r4;", max_relu},
      {"szext.wrap.s32 %r2, %r3, %r4;", szext_wrap},
      {"szext.clamp.u32 %r2, %r3, %r4;", szext_clamp},
      {"bmsk.wrap.b32 %r2, %r3, %r4;", bmsk_wrap},
      {"bmsk.clamp.b32 %r2, %r3, %r4;", bmsk_clamp},
      {"and.b32 %r4, %r4, 31; rem.u32 %r5, %r5, 33; sub.s32 %r5, %r5, 16; fns.b32 %r2, %r3, %r4, %r5;", fns},
      {"cvt.pack.sat.s8.s32.b32 %r2, %r3, %r4, %r5;", pack}};
  FORM_CHECK(list);
}

/* ---- hints, and who is elected ---- */

static uint32_t first_of_seven(uint32_t a, uint32_t b, uint32_t c) {
  (void)a;
  (void)b;
  (void)c;
  return 0xfb;
}

static void hints(void **state) {
  (void)state;
  static const struct form list[] = {
      {"mov.u32 %r6, %laneid; shr.u32 %r6, %r6, 2; setp.ne.u32 %p1, %r6, 3; mov.u32 %r2, 0xf0; @%p1 bra DONE;\n"
       "elect.sync %r2|%p2, 0xf000; mov.u32 %r6, %laneid; set.eq.u32.u32 %r7, %r6, 12; selp.b32 %r6, -1, 0, %p2;\n"
       "xor.b32 %r7, %r7, %r6; add.u32 %r2, %r2, 0xe4; or.b32 %r2, %r2, %r7;\nDONE: or.b32 %r2, %r2, 0x0b;",
       first_of_seven},
      {"createpolicy.fractional.L2::evict_last.b64 %d1; applypriority.global.L2::evict_normal [%d0], 128;\n"
       "griddepcontrol.wait; griddepcontrol.launch_dependents; mov.u32 %r2, 0xfb;",
       first_of_seven}};
  FORM_CHECK(list);
}

/* Eight-bit floats and scalar video instructions: what lowering writes for them, against plain C of what the PTX manual
 * says. */

/* ---- e4m3 and e5m2: by looking for the nearest of all 256 ---- */

static double eight(uint32_t byte, bool e5m2) {
  uint32_t power = e5m2 ? byte >> 2 & 31 : byte >> 3 & 15, part = e5m2 ? byte & 3 : byte & 7;
  int bias = e5m2 ? 15 : 7;
  double unit = e5m2 ? 0.25 : 0.125;
  if (e5m2 ? power == 31 : (byte & 0x7f) == 0x7f) return NAN;
  double size = power ? ldexp(1 + part * unit, (int)power - bias) : ldexp(part * unit, 1 - bias);
  return byte & 0x80 ? -size : size;
}

static uint32_t nearest_eight(uint32_t bits, bool e5m2) {
  float f;
  memcpy(&f, &bits, sizeof f);
  double most = e5m2 ? 57344 : 448, size = fmin(fabs((double)f), most), best = INFINITY;
  uint32_t found = 0;
  if (isnan(f)) return 0x7f;
  for (uint32_t byte = 0; byte < 0x80; byte++) {
    double far = fabs(eight(byte, e5m2) - size);
    if (isnan(far)) continue;
    if (far < best || (far == best && (byte & 1) == 0)) {
      best = far;
      found = byte;
    }
  }
  return found | (bits >> 24 & 0x80);
}

static uint32_t to_e4m3(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return nearest_eight(a, false) << 8 | nearest_eight(b, false);
}
static uint32_t to_e5m2_relu(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  uint32_t x = nearest_eight(a, true), y = nearest_eight(b, true);
  return (x & 0x80 ? 0 : x) << 8 | (y & 0x80 ? 0 : y);
}
static uint32_t half(uint32_t byte, bool e5m2) {
  double v = eight(byte, e5m2);
  if (isnan(v)) return 0x7fff;
  if (e5m2) return byte << 8; /* the same but for its fraction; infinities too */
  uint32_t sign = (byte & 0x80) << 8;
  if (v == 0) return sign;
  int power;
  double part = frexp(fabs(v), &power);
  return sign | (uint32_t)(power + 14) << 10 | (uint32_t)((part * 2 - 1) * 1024);
}
static uint32_t from_e4m3(uint32_t a, uint32_t b, uint32_t c) {
  (void)b;
  (void)c;
  return half(a >> 8 & 0xff, false) << 16 | half(a & 0xff, false);
}
static uint32_t from_e5m2(uint32_t a, uint32_t b, uint32_t c) {
  (void)b;
  (void)c;
  uint32_t h[2];
  for (unsigned k = 0; k < 2; k++) {
    uint32_t byte = a >> (8 * k) & 0xff;
    h[k] = (byte & 0x7f) == 0x7c ? byte << 8 : half(byte, true);
  }
  return h[1] << 16 | h[0];
}

static void eights(void **state) {
  (void)state;
  static const struct form list[] = {
      {"cvt.rn.satfinite.e4m3x2.f32 %h1, %f3, %f4; cvt.u32.u16 %r2, %h1;", to_e4m3},
      {"cvt.rn.satfinite.relu.e5m2x2.f32 %h1, %f3, %f4; cvt.u32.u16 %r2, %h1;", to_e5m2_relu},
      {"cvt.u16.u32 %h1, %r3; cvt.rn.f16x2.e4m3x2 %r2, %h1;", from_e4m3},
      {"cvt.u16.u32 %h1, %r3; cvt.rn.f16x2.e5m2x2 %r2, %h1;", from_e5m2}};
  FORM_CHECK(list);
}

/* ---- video ---- */

static int64_t between(int64_t v, int64_t least, int64_t most) {
  return v < least ? least : v > most ? most : v;
}
static uint32_t add_parts(uint32_t a, uint32_t b, uint32_t c) { /* u32 <- s8 of b2, u16 of h1; clamped, then minimum */
  int64_t v = between((int64_t)(int8_t)(a >> 16) + (int64_t)(b >> 16), 0, UINT32_MAX);
  return (uint32_t)v < c ? (uint32_t)v : c;
}
static uint32_t sub_merged(uint32_t a, uint32_t b, uint32_t c) { /* to s8 of a byte: below zero is large on silicon */
  const int32_t v = (int16_t)a - (uint8_t)(b >> 8);
  return (c & 0xffff00ff) | (v < 0 || v > INT8_MAX ? INT8_MAX : (uint32_t)v) << 8;
}
static uint32_t add_upper(uint32_t a, uint32_t b, uint32_t c) { /* into .h1 goes the upper half, as on silicon */
  const int64_t sum = (int64_t)a + (int16_t)b;
  return ((uint32_t)sum & 0xffff0000) | (c & 0xffff);
}
static uint32_t distance(uint32_t a, uint32_t b, uint32_t c) {
  return (uint32_t)llabs((int64_t)(int32_t)a - (int64_t)(int32_t)b) + c;
}
static uint32_t shift_left(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  uint64_t v = (uint64_t)a << (b > 32 ? 32 : b);
  return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}
static uint32_t less(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return (int64_t)(int16_t)a < (int64_t)b;
}
static uint32_t product(uint32_t a, uint32_t b, uint32_t c) {
  int64_t v = ((int64_t)(int32_t)a * (int16_t)b - (int64_t)(int32_t)c) >> 7;
  return (uint32_t)between(v, INT32_MIN, INT32_MAX);
}

static void video(void **state) {
  (void)state;
  static const struct form list[] = {
      {"vadd.u32.s32.u32.sat.min %r2, %r3.b2, %r4.h1, %r5;", add_parts},
      {"vsub.s32.s32.u32.sat %r6.b1, %r3.h0, %r4.b1, %r5; mov.b32 %r2, %r6;", sub_merged},
      {"vadd.u32.u32.s32 %r6.h1, %r3, %r4.h0, %r5; mov.b32 %r2, %r6;", add_upper},
      {"vabsdiff.u32.s32.s32.add %r2, %r3, %r4, %r5;", distance},
      {"vshl.u32.u32.u32.sat.clamp %r2, %r3, %r4;", shift_left},
      {"vset.s32.u32.lt %r2, %r3.h0, %r4;", less},
      {"vmad.s32.s32.s32.sat.shr7 %r2, %r3, %r4.h0, -%r5;", product}};
  FORM_CHECK(list);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(floats), cmocka_unit_test(integers), cmocka_unit_test(hints),
                                     cmocka_unit_test(eights), cmocka_unit_test(video)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
