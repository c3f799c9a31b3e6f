/* SPDX-License-Identifier: Apache-2.0
 * ld.const through pointers of the host, of .const variables, of both. */
#include "tests/test.h"
#include "tests/compiler/lowered.h"
#include <heddle/ptx.h>
#include "tests/compiler/select_run.h"

#define BASE UINT64_C(0x7f40000000)

#define TABLE HEAD ".const .align 4 .b32 table[4] = {5, 6, 7, 8}; "
#define ENTRY                                                                                                          \
  ".entry k(.param .u64 out, .param .u64 in, .param .u64 at) {\n"                                                      \
  ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<12>; mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out];"                 \
  "ld.param.u64 %d2, [in]; ld.param.u64 %d3, [at]; mul.wide.u32 %d4, %r1, 4; add.s64 %d5, %d1, %d4;"
#define LEAVE " st.global.b32 [%d5], %r2; ret; }"

static void check_with(const char *text, const uint32_t want[4], bool no_inline) {
  for (unsigned level = 0; level < 2; level++) {
    const struct heddle_ptx_options o = {
        .size = sizeof o, .level = level, .stall = {4, 12, 4, 6, 6, 12}, .check = true, .no_inline = no_inline};
    struct heddle_program *p = heddle_ptx_compile(text, strlen(text), "test.ptx", &o, NULL, NULL);
    if (!p) fail_msg("refused: %s", text);
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

static void check(const char *text, const uint32_t want[4]) {
  check_with(text, want, false);
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
  /* not inlined */
  static const uint32_t host[4] = {100, 101, 102, 103}, own[4] = {5, 6, 7, 8};
  check_with(HEAD GET ENTRY "add.s64 %d6, %d2, %d4;" CALL("%r2", "%d6") LEAVE, host, true);
  check_with(TABLE GET ENTRY "mov.u64 %d7, table; add.s64 %d7, %d7, %d4;" CALL("%r2", "%d7") LEAVE, own, true);
}

/* Only the address itself tells; threads may differ. */
static void asked_at_run_time(void **state) {
  (void)state;
  static const uint32_t host[4] = {100, 101, 102, 103}, own[4] = {5, 6, 7, 8}, mixed[4] = {5, 6, 102, 103};
  static const uint32_t half[4] = {0, 0, 102, 103};
  check(TABLE ENTRY "setp.gt.u64 %p1, %d3, 0; mov.u64 %d6, table; selp.b64 %d6, %d2, %d6, %p1;"
                    "add.s64 %d6, %d6, %d4; ld.const.u32 %r2, [%d6];" LEAVE,
        host);
  check(TABLE ENTRY "setp.gt.u32 %p1, %r1, 1; mov.u64 %d6, table; selp.b64 %d6, %d2, %d6, %p1;"
                    "add.s64 %d6, %d6, %d4; ld.const.u32 %r2, [%d6];" LEAVE,
        mixed);
  check(TABLE ENTRY "setp.gt.u32 %p1, %r1, 1; mov.u64 %d6, table; selp.b64 %d6, %d2, %d6, %p1; mov.u32 %r2, 0;"
                    "add.s64 %d6, %d6, %d4; setp.lt.u32 %p2, %r1, 2; @!%p2 ld.const.u32 %r2, [%d6];" LEAVE,
        half);
  /* kept in memory, as clang -O0 does */
#define KEEP(pointer)                                                                                                  \
  ".local .align 8 .b64 kept; st.local.u64 [kept], " pointer "; ld.local.u64 %d6, [kept]; add.s64 %d6, %d6, %d4;"      \
  "ld.const.u32 %r2, [%d6];"
  check(TABLE ENTRY KEEP("%d2") LEAVE, host);
  check(TABLE ENTRY "mov.u64 %d7, table;" KEEP("%d7") LEAVE, own);
  check(HEAD ENTRY KEEP("%d2") LEAVE, host);
  check_with(TABLE GET ENTRY "add.s64 %d6, %d2, %d4;" CALL("%r2", "%d6") LEAVE, host, true);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pointer_of_the_host), cmocka_unit_test(variables),
                                     cmocka_unit_test(handed_on), cmocka_unit_test(asked_at_run_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
