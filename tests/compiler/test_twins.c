/* SPDX-License-Identifier: Apache-2.0
 *
 * The smallest kernels of what was found: registers never written, and what random programs against C twins met.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/compiler/select/select_run.h"
#include "tests/test.h"

/* Registers that some threads never wrote and all of them read: what comes of it may be dropped, so it must not stop
 * the program. The model tells when an instruction reads a register that was never written. */

#define UNDEFINED_BASE UINT64_C(0x7f00000000)
enum { UNDEFINED_THREADS = 64, FEW = 20 };

#define UNDEFINED_HEAD                                                                                                 \
  ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base) {\n"                             \
  ".reg .b32 %r<16>; .reg .b64 %d<4>; .reg .f32 %f<8>; .reg .pred %p<4>;\n"                                            \
  "mov.u32 %r0, %tid.x; ld.param.u64 %d0, [base]; mad.wide.u32 %d0, %r0, 4, %d0; setp.ge.u32 %p1, %r0, 20;\n"

/* The first 20 threads get 3 x (their number + 1); the others stay as they were. */
static void check(const char *text) {
  uint8_t param[8];
  for (unsigned k = 0; k < 8; k++) param[k] = (uint8_t)(UNDEFINED_BASE >> (8 * k));
  for (unsigned run = 0; run < 4; run++) { /* level, unit */
    uint32_t memory[UNDEFINED_THREADS];
    struct heddle_program *p = select_compile(text, run >> 1, text);
    for (unsigned n = 0; n < UNDEFINED_THREADS; n++) memory[n] = n + 1;
    const struct select_job job = {.base = UNDEFINED_BASE,
                                   .global = (uint8_t *)memory,
                                   .bytes = sizeof memory,
                                   .blocks = 1,
                                   .threads = UNDEFINED_THREADS,
                                   .param = param,
                                   .param_bytes = sizeof param,
                                   .unit = run & 1 ? HEDDLE_ITS : HEDDLE_STACK};
    const char *wrong = select_launch(p, &job);
    if (wrong) fail_msg("run %u: %s\n%s", run, wrong, text);
    for (unsigned n = 0; n < UNDEFINED_THREADS; n++) assert_int_equal(memory[n], n < FEW ? 3 * (n + 1) : n + 1);
    heddle_program_free(p);
  }
}

static void in_a_loop(void **state) {
  (void)state;
  check(UNDEFINED_HEAD
        "mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
        "AGAIN: @%p1 bra NONE; ld.global.b32 %r3, [%d0];\nNONE: bar.sync 0; mov.u32 %r4, 0;\n"
        "INNER: mad.lo.u32 %r2, %r3, %r4, %r2; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 2; @%p2 bra INNER;\n"
        "add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 3; @%p2 bra AGAIN;\n"
        "@%p1 bra END; st.global.b32 [%d0], %r2;\nEND: ret; }\n");
}

static void in_an_arm(void **state) {
  (void)state;
  check(UNDEFINED_HEAD
        "@%p1 bra NONE; ld.global.b32 %r3, [%d0];\nNONE: mul.lo.u32 %r4, %r3, 3; setp.lt.u32 %p2, %r0, 20;\n"
        "@!%p2 bra END; st.global.b32 [%d0], %r4;\nEND: ret; }\n");
}

static void under_a_guard(void **state) {
  (void)state;
  check(UNDEFINED_HEAD
        "@!%p1 ld.global.b32 %r3, [%d0]; mul.lo.u32 %r4, %r3, 3; @!%p1 st.global.b32 [%d0], %r4; ret; }\n");
}

static void never_written(void **state) {
  (void)state;
  check(UNDEFINED_HEAD "ld.global.b32 %r3, [%d0]; mul.lo.u32 %r4, %r3, 3; mul.lo.u32 %r5, %r6, %r4;\n"
                       "@!%p1 st.global.b32 [%d0], %r4; ret; }\n");
}

/* What random programs against C twins (tests/twin) have found: the smallest kernel of each, at both levels, on both
 * divergence units. Results are counted by hand. */

#define BASE UINT64_C(0x7f40000000)
enum { THREADS = 32, BYTES = 4096, OUT = 2048 };

#define HEAD                                                                                                           \
  ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"                                             \
  ".reg .b64 %d<8>; .reg .b32 %r<12>, %m, %n; .reg .b16 %h<4>; .reg .f64 %g<4>; .reg .pred %p<8>;\n"                   \
  "mov.u32 %r0, %tid.x; mov.u64 %d0, 0x7f40000000; mul.wide.u32 %d1, %r0, 8; add.s64 %d1, %d1, %d0;\n"

/* Thread t has the 8 bytes at 8 t, and stores 8 bytes at OUT + 8 t. */
static void run(const char *text, unsigned level, enum heddle_divergence unit, uint64_t memory[BYTES / 8]) {
  struct heddle_program *p = select_compile(text, level, "twin");
  const struct select_job job = {
      .base = BASE, .global = (uint8_t *)memory, .bytes = BYTES, .blocks = 1, .threads = THREADS, .unit = unit};
  const char *bad = select_launch(p, &job);
  heddle_program_free(p);
  if (bad) fail_msg("level %u, %s: %s", level, unit == HEDDLE_ITS ? "its" : "stack", bad);
}

typedef uint64_t (*by_hand)(unsigned thread);
static void expect(const char *text, uint64_t first, by_hand want) {
  for (unsigned k = 0; k < 4; k++) {
    uint64_t memory[BYTES / 8] = {0};
    for (unsigned t = 0; t < THREADS; t++) memory[t] = first;
    run(text, k & 1, k & 2 ? HEDDLE_ITS : HEDDLE_STACK, memory);
    for (unsigned t = 0; t < THREADS; t++)
      if (memory[OUT / 8 + t] != want(t))
        fail_msg("level %u, unit %u, thread %u: got %llx, want %llx", k & 1, k >> 1, t,
                 (unsigned long long)memory[OUT / 8 + t], (unsigned long long)want(t));
  }
}

/* The first verdict is written where the second still reads: p is 1.0 < 2.0 or p; q is not 1.0 < 2.0, or the old p. */
static uint64_t two_verdicts(unsigned t) {
  return t >= 16 ? 0x200000002 : t < 8 ? 0x100000001 : 1;
}
static void setp_f16(void **state) {
  (void)state;
  expect(HEAD "ld.global.v2.b16 {%h0, %h1}, [%d1]; setp.lt.u32 %p0, %r0, 8; setp.lt.u32 %p1, %r0, 16; mov.u32 %r3, 2; "
              "mov.u32 %r4, 2;\n"
              "setp.gt.u32 %p2, %r0, 99; @!%p1 bra E; setp.lt.or.f16 %p0|%p2, %h0, %h1, %p0;\n"
              "E: @%p1 selp.u32 %r3, 1, 0, %p0; @%p1 selp.u32 %r4, 1, 0, %p2; st.global.v2.u32 [%d1+2048], {%r3, %r4}; "
              "ret; }\n",
         0x40003c00, two_verdicts);
}

/* Only the low word of the last sum is wanted; the carry goes through its operands, of which one is a cut number. */
static uint64_t low_sum(unsigned t) {
  return t + 5 + 1; /* the carry of ~0 + 1 */
}
static void narrow_carry(void **state) {
  (void)state;
  expect(HEAD "ld.global.u64 %d2, [%d1]; cvt.u64.u32 %d3, %r0; mov.u64 %d4, 5; mov.u32 %r1, 0;\n"
              "L: cvt.u64.u32 %d5, %r0; add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, %r0; @%p0 bra L;\n"
              "add.cc.s64 %d6, %d2, 1; addc.s64 %d6, %d4, %d5; cvt.u32.u32 %d7, %d6; mov.b64 {%r2, %r3}, %d7;\n"
              "st.global.v2.u32 [%d1+2048], {%r2, %r3}; ret; }\n",
         UINT64_MAX, low_sum);
}

/* Of the NaNs b and c of a product and a sum b counts, also when a is a constant. */
static uint64_t first_nan(unsigned t) {
  (void)t;
  return 0x7ff8000000001234;
}
static void fma_constant(void **state) {
  (void)state;
  expect(HEAD "ld.global.f64 %g0, [%d1]; mov.b64 %g1, 0xfff800000000beef;\n"
              "add.f64 %g1, %g1, 0d0000000000000000; fma.rn.f64 %g2, 0d4000000000000000, %g0, %g1;\n"
              "st.global.f64 [%d1+2048], %g2; ret; }\n",
         0x7ff8000000001234, first_nan);
}

/* Lanes leave a loop one by one and wait behind it for all, while those inside wait for each other. */
#define LOOP_OF_LANES                                                                                                  \
  "and.b32 %r2, %r0, 3; mov.b32 %n, %m; mov.u32 %r3, 0;\n"                                                             \
  "L: setp.ne.u32 %p0, %r2, 0; vote.sync.ballot.b32 %n, %p0, %n; @!%p0 bra X;\n"                                       \
  "sub.u32 %r2, %r2, 1; bar.warp.sync %n; activemask.b32 %r4; popc.b32 %r4, %r4; add.u32 %r3, %r3, %r4; bra L;\n"      \
  "X: bar.warp.sync %m;\n"
static uint64_t lanes_in_turns(unsigned t) {
  static const uint64_t sum[] = {0, 24, 40,
                                 48}; /* 24 of 32 lanes in the first turn, 16 in the second, 8 in the third */
  return sum[t % 4];
}
static void masks_in_masks(void **state) {
  (void)state;
  expect(HEAD "ld.global.u32 %m, [%d1];\n" LOOP_OF_LANES
              "mov.u32 %r4, 0; st.global.v2.u32 [%d1+2048], {%r3, %r4}; ret; }\n",
         0xffffffff, lanes_in_turns);
}

/* Behind a loop that waits for memory lanes are apart until they meet; nobody may go on alone, or wait for who waits.
 */
#define ADD_BY_CAS                                                                                                     \
  "ld.volatile.global.u32 %r5, [%d0+1024];\n"                                                                          \
  "C: add.u32 %r6, %r5, 1; atom.global.cas.b32 %r7, [%d0+1024], %r5, %r6; setp.ne.u32 %p1, %r7, %r5;\n"                \
  "mov.u32 %r5, %r7; @%p1 bra C;\n"
#define LOOP_APART "and.b32 %r8, %r0, 1;\nA: sub.u32 %r8, %r8, 1; setp.eq.u32 %p2, %r8, 0; @%p2 bra A;\n"
static uint64_t all_lanes(unsigned t) {
  (void)t;
  return 32;
}
static void meet_behind_poll(void **state) {
  (void)state;
  expect(HEAD ADD_BY_CAS
         "setp.ne.u32 %p0, %r0, 99; vote.sync.ballot.b32 %r1, %p0, 0xffffffff; popc.b32 %r1, %r1; mov.u32 %r2, 0;\n"
         "st.global.v2.u32 [%d1+2048], {%r1, %r2}; ret; }\n",
         0, all_lanes);
}
static void loops_behind_poll(void **state) {
  (void)state;
  expect(HEAD "ld.global.u32 %m, [%d1];\n" ADD_BY_CAS LOOP_APART LOOP_OF_LANES
              "mov.u32 %r4, 0; st.global.v2.u32 [%d1+2048], {%r3, %r4}; ret; }\n",
         0xffffffff, lanes_in_turns);
  expect(HEAD "ld.global.u32 %m, [%d1];\n" ADD_BY_CAS LOOP_APART LOOP_OF_LANES
              "bar.sync 0; mov.u32 %r4, 0; st.global.v2.u32 [%d1+2048], {%r3, %r4}; ret; }\n",
         0xffffffff, lanes_in_turns);
}
static void poll_in_loop(void **state) {
  (void)state;
  expect(HEAD "ld.global.u32 %m, [%d1]; and.b32 %r2, %r0, 3; mov.b32 %n, %m; mov.u32 %r3, 0;\n"
              "L: setp.ne.u32 %p0, %r2, 0; vote.sync.ballot.b32 %n, %p0, %n; @!%p0 bra X;\n"
              "sub.u32 %r2, %r2, 1; popc.b32 %r4, %n; add.u32 %r3, %r3, %r4;\n" ADD_BY_CAS
              "bra L;\nX: bar.warp.sync %m;\n"
              "mov.u32 %r4, 0; st.global.v2.u32 [%d1+2048], {%r3, %r4}; ret; }\n",
         0xffffffff, lanes_in_turns);
}

/* A loop of two entries that holds one that waits for memory; all are together again at the barrier. */
static uint64_t five_lanes(unsigned t) {
  (void)t;
  return 5;
}
static void poll_in_two_entries(void **state) {
  (void)state;
  expect(HEAD "setp.lt.u32 %p0, %r0, 16; setp.lt.u32 %p3, %r0, 5; mov.u32 %r1, 0; mov.u32 %r9, 0; mov.u32 %r10, 0;\n"
              "@%p0 bra M;\nT: add.u32 %r9, %r9, 1;\nM: " ADD_BY_CAS
              "add.u32 %r1, %r1, 1; setp.lt.and.u32 %p4, %r1, 3, %p3; @%p4 bra T;\n" LOOP_APART
              "@%p0 bra E; st.global.u32 [%d1+3072], %r9;\n"
              "E: bar.red.popc.u32 %r2, 0, %p3; st.global.v2.u32 [%d1+2048], {%r2, %r10}; ret; }\n",
         0, five_lanes);
}

/* An element that nobody reads has no old value that a guarded load could keep. */
static uint64_t kept(unsigned t) {
  return 2 * UINT64_C(0x100000000) + (t < 8 ? 0 : 77);
}
static void guarded_vector(void **state) {
  (void)state;
  expect(HEAD
         "ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d1+4]; mov.u32 %r5, 0; setp.lt.u32 %p0, %r0, 16; setp.lt.u32 "
         "%p1, %r0, 8;\n"
         "@%p0 bra M;\nL: ld.global.v2.u32 {%r2, %r6}, [%d1+8];\n"
         "M: @%p1 ld.global.v2.u32 {%r1, %r2}, [%d0+1024]; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 2; @%p2 bra L;\n"
         "st.global.v2.u32 [%d1+2048], {%r1, %r5}; st.global.u32 [%d1+3072], %r6; ret; }\n",
         77, kept);
}

/* Both sides of a branch in a loop do nothing but copy into one variable: one copy may move in front of the branch. */
static uint64_t its_own(unsigned t) {
  return (t & 1) != 0 ? 177 : 277;
}
static void copies_of_both_sides(void **state) {
  (void)state;
  expect(HEAD "ld.global.u32 %m, [%d1]; and.b32 %r1, %r0, 1; setp.ne.u32 %p0, %r1, 0; add.u32 %r2, %m, 100;\n"
              "add.u32 %r3, %m, 200; mov.u32 %r4, 0; mov.u32 %r5, 0; bra.uni L;\n"
              "T: mov.u32 %r6, %r2;\nN: add.u32 %r4, %r7, 1; setp.lt.u32 %p1, %r4, 2; @%p1 bra L; bra.uni E;\n"
              "L: mov.u32 %r7, %r4; @%p0 bra T; mov.u32 %r6, %r3; bra.uni N;\n"
              "E: st.global.v2.u32 [%d1+2048], {%r6, %r5}; ret; }\n",
         77, its_own);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_a_loop),        cmocka_unit_test(in_an_arm),
                                     cmocka_unit_test(under_a_guard),    cmocka_unit_test(never_written),
                                     cmocka_unit_test(setp_f16),         cmocka_unit_test(narrow_carry),
                                     cmocka_unit_test(fma_constant),     cmocka_unit_test(masks_in_masks),
                                     cmocka_unit_test(meet_behind_poll), cmocka_unit_test(loops_behind_poll),
                                     cmocka_unit_test(poll_in_loop),     cmocka_unit_test(poll_in_two_entries),
                                     cmocka_unit_test(guarded_vector),   cmocka_unit_test(copies_of_both_sides)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
