/* SPDX-License-Identifier: Apache-2.0
 *
 * Forms of 8 and 16 bits over whole tables of what an NVIDIA H200 returned (tests/silicon): special functions of
 * halves, conversions of eight-bit floats.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compiler/select_run.h"
#include "tests/test.h"
#include "tests/silicon/form_file.h"

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
  const struct CMUnitTest tests[] = {cmocka_unit_test(special_halves), cmocka_unit_test(eights_from_halves),
                                     cmocka_unit_test(halves_from_eights), cmocka_unit_test(eights_from_singles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
