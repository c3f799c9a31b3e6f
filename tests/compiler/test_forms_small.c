/* SPDX-License-Identifier: Apache-2.0
 *
 * Eight-bit floats and scalar video instructions: what lowering writes for them, against plain C of what the PTX manual
 * says.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compiler/form_check.h"
#include "tests/test.h"

/* ---- e4m3 and e5m2: by looking for the nearest of all 256 ---- */

static double eight(uint32_t byte, bool e5m2) {
  uint32_t power = e5m2 ? byte >> 2 & 31 : byte >> 3 & 15, part = e5m2 ? byte & 3 : byte & 7;
  int bias = e5m2 ? 15 : 7;
  double unit = e5m2 ? 0.25 : 0.125;
  if (e5m2 ? power == 31 : (byte & 0x7f) == 0x7f) return NAN;
  double size = power ? ldexp(1 + part * unit, (int)power - bias) : ldexp(part * unit, 1 - bias);
  return byte & 0x80 ? -size : size;
}

static uint32_t nearest(uint32_t bits, bool e5m2) {
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
  return nearest(a, false) << 8 | nearest(b, false);
}
static uint32_t to_e5m2_relu(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  uint32_t x = nearest(a, true), y = nearest(b, true);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(eights), cmocka_unit_test(video)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
