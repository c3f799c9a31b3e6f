/* SPDX-License-Identifier: Apache-2.0
 *
 * What selection refuses, by name and at its place; and that a guarded result which is read elsewhere is no read of an
 * unwritten register.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/ptx.h>
#include "tests/compiler/select_run.h"
#include "tests/test.h"

#define HEAD                                                                                                           \
  ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base) {\n"                             \
  ".reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .pred %p<4>; .reg .f32 %f<4>;\n"
#define TAIL "\nret; }\n"

struct first {
  struct heddle_message m;
  unsigned count;
};

static void keep(void *ctx, const struct heddle_message *m) {
  struct first *f = ctx;
  if (m->warning) return;
  if (f->count++ == 0) f->m = *m;
}

/* The body is line 6. */
static void refused(const char *body, unsigned column, const char *part) {
  char text[2000];
  struct first f = {.count = 0};
  const struct heddle_ptx_options o = {
      .size = sizeof o, .level = 1, .stall = {4, 12, 4, 6, 6, 12}, .message = keep, .ctx = &f, .check = true};
  (void)snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
  struct heddle_program *p = heddle_ptx_compile(text, strlen(text), "k", &o, NULL, NULL);
  if (p) fail_msg("not refused: %s", body);
  if (f.count == 0 || f.m.line != 6 || f.m.column != column || !strstr(f.m.text, part))
    fail_msg("%s\n%u messages; %u:%u: %s", body, f.count, f.m.line, f.m.column, f.m.text);
}

static void by_name(void **state) {
  (void)state;
  refused("mov.u64 %d1, %gridid; st.shared.u64 [0], %d1;", 1, "%gridid");
  refused("mov.u32 %r1, %tid.x; bar.sync %r1, %r1;", 22, "must be constant");
  refused("bar.sync 0, 40;", 1, "32");
}

#define BASE UINT64_C(0x7f00000000)

static void guarded_results(void **state) {
  static const char *const bodies[] = {
      "@%p1 ld.global.u32 %r6, [%d0+4]; add.u32 %r5, %r5, %r6; @%p1 st.global.u32 [%d0+12], %r5;",
      "@%p1 setp.gt.u32 %p2, %r5, 3; selp.b32 %r6, %r5, 9, %p2; @%p1 st.global.u32 [%d0+12], %r6;",
      "@%p1 ld.global.u64 %d3, [%d0]; shr.u64 %d3, %d3, 7; cvt.u32.u64 %r5, %d3; @%p1 st.global.u32 [%d0+12], %r5;",
      ("@!%p1 bra L; ld.global.u32 %r6, [%d0+4]; add.u32 %r5, %r5, %r6; st.global.u32 [%d0+12], %r5; L: st.global.u32 "
       "[%d0+8], %r5;")};
  (void)state;
  for (unsigned k = 0; k < sizeof bodies / sizeof *bodies; k++)
    for (unsigned level = 0; level < 2; level++) {
      char text[2000];
      uint32_t memory[32][4];
      uint8_t param[8];
      for (unsigned b = 0; b < 8; b++) param[b] = (uint8_t)(BASE >> (8 * b));
      for (unsigned n = 0; n < 32; n++) memory[n][0] = memory[n][1] = n;
      (void)snprintf(text, sizeof text,
                     "%smov.u32 %%r0, %%tid.x; ld.param.u64 %%d0, [base]; mad.wide.u32 %%d0, %%r0, 16, %%d0; "
                     "ld.global.u32 %%r5, [%%d0];\n"
                     "setp.lt.u32 %%p1, %%r5, 5; %s%s",
                     HEAD, bodies[k], TAIL);
      struct heddle_program *p = select_compile(text, level, bodies[k]);
      const struct select_job job = {.base = BASE,
                                     .global = (uint8_t *)memory,
                                     .bytes = sizeof memory,
                                     .blocks = 1,
                                     .threads = 32,
                                     .param = param,
                                     .param_bytes = 8};
      const char *wrong = select_launch(p, &job);
      if (wrong) fail_msg("%s\n%s", wrong, bodies[k]);
      heddle_program_free(p);
    }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_name), cmocka_unit_test(guarded_results)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
