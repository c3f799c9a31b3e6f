/* SPDX-License-Identifier: Apache-2.0
 * ld.const through pointers of the host, of .const variables, of both. */
#include "lowered.h"
#include "ptx.h"
#include "select_run.h"

#define BASE UINT64_C(0x7f40000000)

#define TABLE HEAD ".const .align 4 .b32 table[4] = {5, 6, 7, 8}; "
#define ENTRY                                                                                                          \
  ".entry k(.param .u64 out, .param .u64 in, .param .u64 at) {\n"                                                      \
  ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<12>; mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out];"                 \
  "ld.param.u64 %d2, [in]; ld.param.u64 %d3, [at]; mul.wide.u32 %d4, %r1, 4; add.s64 %d5, %d1, %d4;"
#define LEAVE " st.global.b32 [%d5], %r2; ret; }"

static void check(const char *text, const uint32_t want[4]) {
  for (unsigned level = 0; level < 2; level++) {
    struct heddle_program *p = select_compile(text, level, text);
    uint32_t memory[8] = {0, 0, 0, 0, 100, 101, 102, 103};
    const uint64_t param[3] = {BASE, BASE + 16, 1};
    const struct select_job job = {.base = BASE,
                                   .global = (uint8_t *)memory,
                                   .bytes = sizeof memory,
                                   .blocks = 1,
                                   .threads = 4,
                                   .param = (const uint8_t *)param,
                                   .param_bytes = sizeof param};
    const char *bad = select_launch(p, &job);
    if (bad) fail_msg("%s: %s", text, bad);
    for (unsigned k = 0; k < 4; k++)
      if (memory[k] != want[k]) fail_msg("%s: thread %u: %u instead of %u", text, k, memory[k], want[k]);
    heddle_program_free(p);
  }
}

static void pointer_of_the_host(void **state) {
  (void)state;
  static const uint32_t want[4] = {100, 101, 102, 103}, loop[4] = {103, 103, 103, 103};
  check(HEAD ENTRY "add.s64 %d6, %d2, %d4; ld.const.u32 %r2, [%d6];" LEAVE, want);
  check(TABLE ENTRY "add.s64 %d6, %d2, %d4; ld.const.u32 %r2, [%d6];" LEAVE, want);
  check(HEAD ENTRY "mov.u64 %d6, %d2; add.s64 %d7, %d2, 12; go: ld.const.u32 %r2, [%d6]; setp.lt.u64 %p1, %d6, %d7;"
                   "add.s64 %d6, %d6, 4; @%p1 bra go;" LEAVE,
        loop);
}

static void variables(void **state) {
  (void)state;
  static const uint32_t want[4] = {5, 6, 7, 8}, second[4] = {6, 6, 6, 6};
  check(TABLE ENTRY "mov.u64 %d6, table; add.s64 %d6, %d6, %d4; ld.const.u32 %r2, [%d6];" LEAVE, want);
  /* an index that the host gave */
  check(TABLE ENTRY "mov.u64 %d6, table; shl.b64 %d7, %d3, 2; add.s64 %d6, %d7, %d6; ld.const.u32 %r2, [%d6];" LEAVE,
        second);
  /* chosen by what the host gave */
  check(TABLE ENTRY "setp.gt.u64 %p1, %d3, 0; mov.u64 %d6, table; add.s64 %d7, %d6, 4; selp.b64 %d6, %d7, %d6, %p1;"
                    "ld.const.u32 %r2, [%d6];" LEAVE,
        second);
}

/* A pointer that a function gets is what its caller hands over. */
static void handed_on(void **state) {
  (void)state;
  static const uint32_t want[4] = {105, 107, 109, 111};
#define GET                                                                                                            \
  ".func (.param .b32 v) get(.param .b64 p) { .reg .b64 %d<2>; .reg .b32 %r<2>; ld.param.u64 %d1, [p];"                \
  "ld.const.u32 %r1, [%d1]; st.param.b32 [v], %r1; ret; } "
#define CALL(result, pointer)                                                                                          \
  "{ .param .b64 a; .param .b32 b; st.param.b64 [a], " pointer "; call.uni (b), get, (a); ld.param.b32 " result ", "   \
  "[b]; } "
  check(TABLE GET ENTRY "add.s64 %d6, %d2, %d4; mov.u64 %d7, table; add.s64 %d7, %d7, %d4;" CALL("%r3", "%d6")
            CALL("%r4", "%d7") "add.s32 %r2, %r3, %r4;" LEAVE,
        want);
}

static void take(void *ctx, const struct heddle_message *m) {
  char *text = ctx;
  snprintf(text, 300, "%u:%u: %s", m->line, m->column, m->text);
}

static void both_are_refused(void **state) {
  (void)state;
  static const char text[] = TABLE ENTRY
      "setp.gt.u64 %p1, %d3, 0; mov.u64 %d6, table; selp.b64 %d6, %d2, %d6, %p1;\n ld.const.u32 %r2, [%d6];" LEAVE;
  char message[300] = "";
  const struct ptx_options options = {.level = 1, .message = take, .ctx = message};
  assert_null(ptx_compile(text, strlen(text), "test.ptx", &options, NULL, NULL));
  assert_string_equal(message, "3:2: ld.const of an address that may be a .const variable's or one that the host gave");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pointer_of_the_host), cmocka_unit_test(variables),
                                     cmocka_unit_test(handed_on), cmocka_unit_test(both_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
