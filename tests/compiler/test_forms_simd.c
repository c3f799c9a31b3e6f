/* SPDX-License-Identifier: Apache-2.0
 *
 * SIMD instructions, and forms of 8 and 16 bits.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/compiler/ptx_run.h"
#include "tests/compiler/lower/lowered.h"
#include "tests/compiler/select/select_run.h"
#include "tests/silicon/form_file.h"
#include "tests/test.h"

/* SIMD video instructions, lop3 with a predicate, comparisons of bf16, atomics of 16 bits: against plain C of what the
 * PTX manual says. */

/* ---- SIMD video: elements of {b, a} */

static int32_t element(uint32_t a, uint32_t b, unsigned which, unsigned bits, bool is_signed) {
  uint64_t both = (uint64_t)b << 32 | a;
  uint32_t v = (uint32_t)(both >> (which * bits)) & ((1u << bits) - 1);
  return (int32_t)(is_signed && v >> (bits - 1) ? v - (1u << bits) : v);
}
static int32_t between(int32_t v, int32_t least, int32_t most) {
  return v < least ? least : v > most ? most : v;
}
static uint32_t put(uint32_t c, int32_t v, unsigned lane, unsigned bits) {
  uint32_t mask = ((1u << bits) - 1) << (lane * bits);
  return (c & ~mask) | ((uint32_t)v << (lane * bits) & mask);
}
static uint32_t add2(uint32_t a, uint32_t b, uint32_t c) { /* s32.s32.u32.sat */
  for (unsigned k = 0; k < 2; k++)
    c = put(c, between(element(a, b, k, 16, true) + element(a, b, 2 + k, 16, false), -32768, 32767), k, 16);
  return c;
}
static uint32_t add4(uint32_t a, uint32_t b, uint32_t c) { /* without .sat, bytes 3 and 1 alone */
  for (unsigned k = 1; k < 4; k += 2) c = put(c, element(a, b, k, 8, false) + element(a, b, 4 + k, 8, false), k, 8);
  return c;
}
static uint32_t sub2(uint32_t a, uint32_t b, uint32_t c) { /* .h12 and .h30, added up */
  c += (uint32_t)(element(a, b, 2, 16, false) - element(a, b, 0, 16, true));
  return c + (uint32_t)(element(a, b, 1, 16, false) - element(a, b, 3, 16, true));
}
static uint32_t sub4(uint32_t a, uint32_t b, uint32_t c) { /* u32.s32.s32.sat */
  for (unsigned k = 0; k < 4; k++)
    c = put(c, between(element(a, b, k, 8, true) - element(a, b, 4 + k, 8, true), 0, 255), k, 8);
  return c;
}
static int32_t average(int32_t sum) {
  return sum >= 0 ? (sum + 1) / 2 : -((1 - sum) / 2);
}
static uint32_t avrg2(uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned k = 0; k < 2; k++)
    c = put(c, average(element(a, b, k, 16, true) + element(a, b, 2 + k, 16, true)), k, 16);
  return c;
}
static uint32_t avrg4(uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned k = 0; k < 4; k++)
    c = put(c, average(element(a, b, k, 8, false) + element(a, b, 4 + k, 8, false)), k, 8);
  return c;
}
static uint32_t distance4(uint32_t a, uint32_t b, uint32_t c) { /* added up: a sum of absolute differences */
  for (unsigned k = 0; k < 4; k++) c += (uint32_t)abs(element(a, b, k, 8, false) - element(a, b, 4 + k, 8, false));
  return c;
}
static uint32_t distance2(uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned k = 0; k < 2; k++) c = put(c, abs(element(a, b, k, 16, true) - element(a, b, 2 + k, 16, false)), k, 16);
  return c;
}
static uint32_t least2(uint32_t a, uint32_t b, uint32_t c) { /* .h01 of a */
  for (unsigned k = 0; k < 2; k++) {
    int32_t x = element(a, b, 1 - k, 16, true), y = element(a, b, 2 + k, 16, true);
    c = put(c, x < y ? x : y, k, 16);
  }
  return c;
}
static uint32_t most4(uint32_t a, uint32_t b, uint32_t c) { /* .b7204 of a, byte 0 alone of all */
  int32_t x = element(a, b, 4, 8, true), y = element(a, b, 4, 8, true);
  return put(c, x > y ? x : y, 0, 8);
}
static uint32_t set4(uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned k = 0; k < 4; k++) c = put(c, element(a, b, k, 8, true) < element(a, b, 4 + k, 8, false), k, 8);
  return c;
}
static uint32_t set2(uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned k = 0; k < 2; k++) c += element(a, b, k, 16, false) != element(a, b, 2 + k, 16, false);
  return c;
}

static void video(void **state) {
  (void)state;
  static const struct form list[] = {{"vadd2.s32.s32.u32.sat %r2, %r3, %r4, %r5;", add2},
                                     {"vadd4.u32.u32.u32 %r6.b31, %r3, %r4, %r5; mov.b32 %r2, %r6;", add4},
                                     {"vsub2.s32.u32.s32.add %r2, %r3.h12, %r4.h30, %r5;", sub2},
                                     {"vsub4.u32.s32.s32.sat %r2, %r3, %r4, %r5;", sub4},
                                     {"vavrg2.s32.s32.s32 %r2, %r3, %r4, %r5;", avrg2},
                                     {"vavrg4.u32.u32.u32 %r2, %r3, %r4, %r5;", avrg4},
                                     {"vabsdiff4.u32.u32.u32.add %r2, %r3, %r4, %r5;", distance4},
                                     {"vabsdiff2.u32.s32.u32 %r2, %r3, %r4, %r5;", distance2},
                                     {"vmin2.s32.s32.s32 %r2, %r3.h01, %r4, %r5;", least2},
                                     {"vmax4.s32.s32.s32 %r6.b0, %r3.b7204, %r4, %r5; mov.b32 %r2, %r6;", most4},
                                     {"vset4.s32.u32.lt %r2, %r3, %r4, %r5;", set4},
                                     {"vset2.u32.u32.ne.add %r2, %r3, %r4, %r5;", set2}};
  FORM_CHECK(list);
}

/* ---- lop3, comparisons */

static uint32_t tested(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t d = (a & b) ^ c; /* 0xc0 ^ 0xaa = 0x6a */
  return d + (d != 0 && a < b ? 1u : 0u) + (d != 0 || !(a < b) ? 2u : 0u);
}
static float bf16(uint32_t bits) {
  float f;
  bits <<= 16;
  memcpy(&f, &bits, sizeof f);
  return f;
}
static uint32_t bf16_less(uint32_t a, uint32_t b, uint32_t c) {
  bool less = bf16(a) < bf16(b);
  return c & 1 ? (less ? 1 : 2) : 0;
}
static bool unordered_or_more(float x, float y) {
  return !(x <= y);
}
static uint32_t bf16_pair(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  bool low = unordered_or_more(bf16(a & 0xffff), bf16(b & 0xffff)),
       high = unordered_or_more(bf16(a >> 16), bf16(b >> 16));
  return (low ? 1u : 0u) + (high ? 2u : 0u);
}
static uint32_t bf16_set(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return bf16(a & 0xffff) == bf16(b & 0xffff) ? UINT32_MAX : 0;
}
static uint32_t bf16_pair_set(uint32_t a, uint32_t b, uint32_t c) {
  (void)c;
  return (bf16(a & 0xffff) < bf16(b & 0xffff) ? 0xffff : 0) | (bf16(a >> 16) < bf16(b >> 16) ? 0xffff0000 : 0);
}

#define HALVES "cvt.u16.u32 %h1, %r3; cvt.u16.u32 %h2, %r4; "
#define BOTH "selp.u32 %r6, 1, 0, %p1; selp.u32 %r7, 2, 0, %p2; add.u32 %r2, %r6, %r7;"

static void comparisons(void **state) {
  (void)state;
  static const struct form list[] = {
      {"setp.lt.u32 %p1, %r3, %r4; lop3.and.b32 %r6|%p2, %r3, %r4, %r5, 0x6a, %p1; selp.u32 %r7, 1, 0, %p2;\n"
       "add.u32 %r6, %r6, %r7; lop3.or.b32 _|%p1, %r3, %r4, %r5, 0x6a, !%p1; selp.u32 %r7, 2, 0, %p1;\n"
       "add.u32 %r2, %r6, %r7;",
       tested},
      {HALVES "and.b32 %r6, %r5, 1; setp.ne.u32 %p3, %r6, 0; setp.lt.and.bf16 %p1|%p2, %h1, %h2, %p3;\n" BOTH,
       bf16_less},
      {"setp.gtu.bf16x2 %p1|%p2, %r3, %r4;" BOTH, bf16_pair},
      {HALVES "set.eq.u32.bf16 %r2, %h1, %h2;", bf16_set},
      {"set.lt.s32.bf16x2 %r2, %r3, %r4;", bf16_pair_set}};
  FORM_CHECK(list);
}

/* ---- atomics, each thread on a word of its own: small integers, so that sums are exact */

static uint32_t kept(uint32_t a, uint32_t b, uint32_t c) { /* the sum above, a below it, and what was there */
  (void)c;
  return ((a & 127) + (b & 127)) << 16 | (a & 127);
}
static uint32_t swapped(uint32_t a, uint32_t b, uint32_t c) {
  return (c & 1 ? b & 0xffff : a >> 16) << 16 | (a & 0xffff);
}
/* Of %r3 & 127 and %r4 & 127 as the type: %h1, %h2; word [%d0] holds the first in both halves. */
#define NUMBERS(type)                                                                                                  \
  "and.b32 %r6, %r3, 127; cvt.rn.f32.u32 %f5, %r6; cvt.rn." type ".f32 %h1, %f5;\n"                                    \
  "and.b32 %r6, %r4, 127; cvt.rn.f32.u32 %f5, %r6; cvt.rn." type ".f32 %h2, %f5;\n"                                    \
  "mov.b32 %r6, {%h1, %h1}; st.global.u32 [%d0], %r6;\n"
#define NUMBER_F16 "cvt.f32.f16 %f5, %h3; cvt.rzi.u32.f32 %r6, %f5; cvt.f32.f16 %f5, %h4; cvt.rzi.u32.f32 %r7, %f5;\n"
#define NUMBER_BF16                                                                                                    \
  "mov.b32 %r6, {0, %h3}; mov.b32 %f5, %r6; cvt.rzi.u32.f32 %r6, %f5;\n"                                               \
  "mov.b32 %r7, {0, %h4}; mov.b32 %f5, %r7; cvt.rzi.u32.f32 %r7, %f5;\n"
#define JOIN "shl.b32 %r6, %r6, 16; or.b32 %r2, %r6, %r7;"

static void atomics(void **state) {
  (void)state;
  static const struct form list[] = {
      {NUMBERS("f16") "atom.global.add.noftz.f16 %h4, [%d0+2], %h2; ld.global.u16 %h3, [%d0+2];\n" NUMBER_F16 JOIN,
       kept},
      {NUMBERS("bf16") "atom.global.add.noftz.bf16 %h4, [%d0], %h2; ld.global.u16 %h3, [%d0];\n" NUMBER_BF16 JOIN,
       kept},
      {NUMBERS("bf16") "red.add.noftz.bf16 [%d0+2], %h2; ld.global.u16 %h3, [%d0+2]; ld.global.u16 %h4, "
                       "[%d0];\n" NUMBER_BF16 JOIN,
       kept},
      {NUMBERS("bf16") "mov.b32 %r6, {0, %h2}; atom.relaxed.gpu.global.add.noftz.bf16x2 %r7, [%d0], %r6;\n"
                       "ld.global.v2.u16 {%h4, %h3}, [%d0];\n" NUMBER_BF16 JOIN,
       kept},
      {"mov.b32 {%h1, %h2}, %r3; cvt.u16.u32 %h3, %r4; st.global.u32 [%d0], %r3; and.b32 %r6, %r5, 1;\n"
       "xor.b32 %r6, %r6, 1; cvt.u16.u32 %h4, %r6; xor.b16 %h4, %h4, %h2;\n" /* compared: itself, or not */
       "atom.global.acq_rel.gpu.cas.b16 %h5, [%d0+2], %h4, %h3; ld.global.u32 %r2, [%d0]; setp.ne.s16 %p1, %h5, %h2;\n"
       "@%p1 mov.u32 %r2, 12345;",
       swapped}};
  FORM_CHECK(list);
}

/* All threads on one word: 256 add one to the half of 1.0 each, the others do nothing under their guard. */
static uint32_t all(uint32_t a, uint32_t b, uint32_t c) {
  (void)a, (void)b, (void)c;
  return 0x58005800; /* 128 and 128 */
}
static void crowd(void **state) {
  (void)state;
  static const struct form list[] = {
      {".shared .align 4 .b32 sum; setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [sum], 0; bar.sync 0;\n"
       "mov.u32 %r6, sum; and.b32 %r7, %r0, 2; add.u32 %r6, %r6, %r7; and.b32 %r7, %r0, 1; setp.eq.u32 %p2, %r7, 1;\n"
       "mov.b16 %h1, 0x3c00; @%p2 red.shared.add.noftz.f16 [%r6], %h1; bar.sync 0; ld.shared.u32 %r2, [sum];",
       all}};
  FORM_CHECK(list);
}

static void refusals(void **state) {
  (void)state;
  static const struct refusal table[] = {{BODY("`vadd2.s32.s32.s32.sat.add %r1, %r2, %r3, %r4;"), "this combination"},
                                         {BODY("`vset4.u32.u32.equ %r1, %r2, %r3, %r4;"), "this combination"},
                                         {BODY("vadd2.s32.s32.s32 %r1, `%r2.h04, %r3, %r4;"), "this part"},
                                         {BODY("vadd4.s32.s32.s32 `%r1.b13, %r2, %r3, %r4;"), "this part"},
                                         {BODY("vmin4.s32.s32.s32 %r1, %r2, `%r3.h10, %r4;"), "this part"},
                                         {BODY("`lop3.xor.b32 %r1|%p1, %r2, %r3, %r4, 1, %p2;"), "this combination"},
                                         {BODY("`lop3.and.b32 %r1, %r2, %r3, %r4, 1, %p2;"), "this combination"},
                                         {BODY("`set.lt.bf16.u32 %r1, %r2, %r3;"), "do not go together"},
                                         {BODY("`setp.lo.bf16 %p1, %h1, %h2;"), "this comparison"},
                                         {BODY("`atom.global.exch.b16 %h1, [%d1], %h2;"), "operands"},
                                         {BODY("`atom.global.min.noftz.f16 %h1, [%d1], %h2;"), "for this type"},
                                         {BODY("mov.u32 %r1, `%envreg32;"), "%envreg32 is not supported"},
                                         {BODY("mov.u32 %r1, `%pm0;"), "%pm0 is not supported"}};
  CHECK_REFUSALS(table);
}

static void registers(void **state) {
  (void)state;
  static const struct lowering table[] = {{"mov.u32 %r1, %envreg31;", "r1 = copy.b32 0x0"},
                                          {"mov.u32 %r1, %cluster_nctarank;", "r1 = copy.b32 0x1"},
                                          {"mov.u32 %r1, %tid.w;", "r1 = copy.b32 0x0"}};
  CHECK_BODIES(table);
}

/* Forms of 8 and 16 bits over whole tables of what an NVIDIA H200 returned (tests/silicon): special functions of
 * halves, conversions of eight-bit floats. */

#define BASE UINT64_C(0x7f00000000)
enum { THREADS = 512, MOST = 65536, WORDS = 4 };

/* A thread has a, b in words 1, 2 and leaves its result in word 0. */
static uint32_t memory[MOST][WORDS];

static void *table(const char *name, size_t bytes) {
  char path[512];
  (void)snprintf(path, sizeof path, SILICON_DIR "/%s", name);
  return form_file_bytes(path, bytes);
}

/* `form` makes %r2 of %r3 and %r4, for n threads of memory and those that fill the last block. */
static void run(const char *form, unsigned n) {
  const unsigned blocks = (n + THREADS - 1) / THREADS;
  char text[2000];
  uint8_t param[8];
  for (unsigned k = 0; k < 8; k++) param[k] = (uint8_t)(BASE >> (8 * k));
  (void)snprintf(text, sizeof text,
                 ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base) {\n"
                 ".reg .b32 %%r<8>; .reg .b64 %%d<4>; .reg .b16 %%h<8>; .reg .f32 %%f<8>;\n"
                 "mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%ctaid.x; mad.lo.u32 %%r0, %%r1, %u, %%r0;\n"
                 "ld.param.u64 %%d0, [base]; mad.wide.u32 %%d0, %%r0, 16, %%d0;\n"
                 "ld.global.v4.b32 {%%r2, %%r3, %%r4, %%r5}, [%%d0];\n"
                 "cvt.u16.u32 %%h1, %%r3; mov.b32 %%f3, %%r3; mov.b32 %%f4, %%r4;\n"
                 "%s\nst.global.b32 [%%d0], %%r2; ret; }\n",
                 THREADS, form);
  struct heddle_program *p = select_compile(text, 1, form);
  const struct select_job job = {.base = BASE,
                                 .global = (uint8_t *)memory,
                                 .bytes = blocks * THREADS * (uint32_t)sizeof *memory,
                                 .blocks = blocks,
                                 .threads = THREADS,
                                 .param = param,
                                 .param_bytes = sizeof param};
  const char *wrong = select_launch(p, &job);
  if (wrong) fail_msg("%s\n%s", wrong, form);
  heddle_program_free(p);
}

static void expect(const char *form, unsigned thread, uint32_t want) {
  const uint32_t *m = memory[thread];
  if (m[0] != want) fail_msg("%s\nof %08x %08x: %08x, silicon %08x", form, m[1], m[2], m[0], want);
}

/* ---- special functions of halves ---- */

static void special_halves(void **state) {
  (void)state;
  static const char *const one[4] = {
      "ex2.approx.f16 %h2, %h1; cvt.u32.u16 %r2, %h2;", "tanh.approx.f16 %h2, %h1; cvt.u32.u16 %r2, %h2;",
      "ex2.approx.ftz.bf16 %h2, %h1; cvt.u32.u16 %r2, %h2;", "tanh.approx.bf16 %h2, %h1; cvt.u32.u16 %r2, %h2;"};
  static const char *const two[4] = {"ex2.approx.f16x2 %r2, %r3;", "tanh.approx.f16x2 %r2, %r3;",
                                     "ex2.approx.ftz.bf16x2 %r2, %r3;", "tanh.approx.bf16x2 %r2, %r3;"};
  uint16_t(*want)[MOST] = table("mufu/half_unary.bin", 4 * MOST * sizeof(uint16_t));
  for (unsigned f = 0; f < 4; f++) {
    for (unsigned pair = 0; pair < 2; pair++) {
      const char *form = pair ? two[f] : one[f];
      for (uint32_t n = 0; n < MOST; n++) memory[n][1] = (n * 40503u + 77u) << 16 | n; /* upper: a permutation */
      run(form, MOST);
      for (uint32_t n = 0; n < MOST; n++)
        expect(form, n, (pair ? (uint32_t)want[f][memory[n][1] >> 16] << 16 : 0) | want[f][n]);
    }
  }
  free(want);
}

/* ---- eight-bit floats; .relu in forms 1 and 3 ---- */

static void eights_from_halves(void **state) {
  (void)state;
  static const char *const form[4] = {"cvt.rn.satfinite.e4m3x2.f16x2 %h2, %r3; cvt.u32.u16 %r2, %h2;",
                                      "cvt.rn.satfinite.relu.e4m3x2.f16x2 %h2, %r3; cvt.u32.u16 %r2, %h2;",
                                      "cvt.rn.satfinite.e5m2x2.f16x2 %h2, %r3; cvt.u32.u16 %r2, %h2;",
                                      "cvt.rn.satfinite.relu.e5m2x2.f16x2 %h2, %r3; cvt.u32.u16 %r2, %h2;"};
  uint8_t(*want)[MOST] = table("fp8/fp8_from_f16.bin", (size_t)4 * MOST);
  for (unsigned f = 0; f < 4; f++) {
    for (uint32_t n = 0; n < MOST; n++) memory[n][1] = (n * 40503u + 77u) << 16 | n;
    run(form[f], MOST);
    for (uint32_t n = 0; n < MOST; n++) expect(form[f], n, (uint32_t)want[f][memory[n][1] >> 16] << 8 | want[f][n]);
  }
  free(want);
}

static void halves_from_eights(void **state) {
  (void)state;
  static const char *const form[4] = {"cvt.rn.f16x2.e4m3x2 %r2, %h1;", "cvt.rn.relu.f16x2.e4m3x2 %r2, %h1;",
                                      "cvt.rn.f16x2.e5m2x2 %r2, %h1;", "cvt.rn.relu.f16x2.e5m2x2 %r2, %h1;"};
  uint16_t(*want)[256] = table("fp8/fp8_to_f16.bin", 4 * 256 * sizeof(uint16_t));
  for (unsigned f = 0; f < 4; f++) {
    for (uint32_t n = 0; n < MOST; n++) memory[n][1] = n;
    run(form[f], MOST);
    for (uint32_t n = 0; n < MOST; n++) expect(form[f], n, (uint32_t)want[f][n >> 8] << 16 | want[f][n & 255]);
  }
  free(want);
}

static void eights_from_singles(void **state) {
  (void)state;
  enum { BYTES = 262288, RECORD = 8, RECORDS = BYTES / RECORD };
  static const char *const form[4] = {"cvt.rn.satfinite.e4m3x2.f32 %h2, %f4, %f3; cvt.u32.u16 %r2, %h2;",
                                      "cvt.rn.satfinite.relu.e4m3x2.f32 %h2, %f4, %f3; cvt.u32.u16 %r2, %h2;",
                                      "cvt.rn.satfinite.e5m2x2.f32 %h2, %f4, %f3; cvt.u32.u16 %r2, %h2;",
                                      "cvt.rn.satfinite.relu.e5m2x2.f32 %h2, %f4, %f3; cvt.u32.u16 %r2, %h2;"};
  uint8_t(*record)[RECORD] = table("fp8/fp8_from_f32.bin", BYTES);
  for (unsigned f = 0; f < 4; f++) {
    for (uint32_t n = 0; n < RECORDS; n++) {
      memcpy(&memory[n][1], record[n], 4);
      memcpy(&memory[n][2], record[RECORDS - 1 - n], 4);
    }
    run(form[f], RECORDS);
    for (uint32_t n = 0; n < RECORDS; n++)
      expect(form[f], n, (uint32_t)record[RECORDS - 1 - n][4 + f] << 8 | record[n][4 + f]);
  }
  free(record);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(video),
                                     cmocka_unit_test(comparisons),
                                     cmocka_unit_test(atomics),
                                     cmocka_unit_test(crowd),
                                     cmocka_unit_test(refusals),
                                     cmocka_unit_test(registers),
                                     cmocka_unit_test(special_halves),
                                     cmocka_unit_test(eights_from_halves),
                                     cmocka_unit_test(halves_from_eights),
                                     cmocka_unit_test(eights_from_singles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
