/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers that some threads never wrote and all of them read: what comes of it may be dropped, so it must not stop
 * the program. The model tells when an instruction reads a register that was never written.
 */
#include <string.h>

#include "tests/compiler/select_run.h"
#include "tests/test.h"

#include <stdlib.h>

#define BASE UINT64_C(0x7f00000000)
enum { THREADS = 64, FEW = 20 };

#define HEAD                                                                                                           \
  ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base) {\n"                             \
  ".reg .b32 %r<16>; .reg .b64 %d<4>; .reg .f32 %f<8>; .reg .pred %p<4>;\n"                                            \
  "mov.u32 %r0, %tid.x; ld.param.u64 %d0, [base]; mad.wide.u32 %d0, %r0, 4, %d0; setp.ge.u32 %p1, %r0, 20;\n"

/* The first 20 threads get 3 x (their number + 1); the others stay as they were. */
static void check(const char *text) {
  uint8_t param[8];
  for (unsigned k = 0; k < 8; k++) param[k] = (uint8_t)(BASE >> (8 * k));
  for (unsigned run = 0; run < 4; run++) { /* level, unit */
    uint32_t memory[THREADS];
    struct heddle_program *p = select_compile(text, run >> 1, text);
    for (unsigned n = 0; n < THREADS; n++) memory[n] = n + 1;
    const struct select_job job = {.base = BASE,
                                   .global = (uint8_t *)memory,
                                   .bytes = sizeof memory,
                                   .blocks = 1,
                                   .threads = THREADS,
                                   .param = param,
                                   .param_bytes = sizeof param,
                                   .unit = run & 1 ? HEDDLE_ITS : HEDDLE_STACK};
    const char *wrong = select_launch(p, &job);
    if (wrong) fail_msg("run %u: %s\n%s", run, wrong, text);
    for (unsigned n = 0; n < THREADS; n++) assert_int_equal(memory[n], n < FEW ? 3 * (n + 1) : n + 1);
    heddle_program_free(p);
  }
}

static void in_a_loop(void **state) {
  (void)state;
  check(HEAD "mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
             "AGAIN: @%p1 bra NONE; ld.global.b32 %r3, [%d0];\nNONE: bar.sync 0; mov.u32 %r4, 0;\n"
             "INNER: mad.lo.u32 %r2, %r3, %r4, %r2; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 2; @%p2 bra INNER;\n"
             "add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 3; @%p2 bra AGAIN;\n"
             "@%p1 bra END; st.global.b32 [%d0], %r2;\nEND: ret; }\n");
}

static void in_an_arm(void **state) {
  (void)state;
  check(HEAD "@%p1 bra NONE; ld.global.b32 %r3, [%d0];\nNONE: mul.lo.u32 %r4, %r3, 3; setp.lt.u32 %p2, %r0, 20;\n"
             "@!%p2 bra END; st.global.b32 [%d0], %r4;\nEND: ret; }\n");
}

static void under_a_guard(void **state) {
  (void)state;
  check(HEAD "@!%p1 ld.global.b32 %r3, [%d0]; mul.lo.u32 %r4, %r3, 3; @!%p1 st.global.b32 [%d0], %r4; ret; }\n");
}

static void never_written(void **state) {
  (void)state;
  check(HEAD "ld.global.b32 %r3, [%d0]; mul.lo.u32 %r4, %r3, 3; mul.lo.u32 %r5, %r6, %r4;\n"
             "@!%p1 st.global.b32 [%d0], %r4; ret; }\n");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_a_loop), cmocka_unit_test(in_an_arm),
                                     cmocka_unit_test(under_a_guard), cmocka_unit_test(never_written)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
