/* SPDX-License-Identifier: Apache-2.0
 *
 * What the RTL lacks and the compiler writes with what it has: values against plain C, and that nothing else is left
 * (conversions: test_substitute_convert.c). */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/compiler/form_check.h"
#include <heddle/isa.h>
#include "tests/compiler/select_run.h"
#include "tests/test.h"

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

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bytes), cmocka_unit_test(words), cmocka_unit_test(guards),
                                     cmocka_unit_test(only_rtl)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
