/* SPDX-License-Identifier: Apache-2.0
 *
 * What lanes and warps say to each other, where lanes are together and where they are not, and branches by a number;
 * from PTX, with both divergence units, against what PTX says of each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compiler/select/select_run.h"
#include "tests/test.h"

#define BASE UINT64_C(0x7f00000000)
enum { THREADS = 64, WORDS = 4 };

/* A thread's record: 16 bytes at %d0. %r0 is tid, %r1 the lane. */
#define HEAD                                                                                                           \
  ".version 8.0\n.target sm_90\n.address_size 64\n"                                                                    \
  ".visible .entry k(.param .u64 base) {\n"                                                                            \
  ".reg .b32 %r<32>; .reg .b64 %d<8>; .reg .pred %p<8>; .shared .align 4 .b8 there[1024];\n"                           \
  "mov.u32 %r0, %tid.x; ld.param.u64 %d0, [base]; mad.wide.u32 %d0, %r0, 16, %d0; mov.u32 %r1, %laneid;\n"
#define TAIL "\nret; }\n"

static uint32_t memory[THREADS][WORDS];

static void run(const char *body) {
  char text[6000];
  (void)snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
  uint8_t param[8];
  for (unsigned k = 0; k < 8; k++) param[k] = (uint8_t)(BASE >> (8 * k));
  static uint32_t first[THREADS][WORDS];
  for (unsigned run = 0; run < 4; run++) { /* unit, level */
    struct heddle_program *p = select_compile(text, run >> 1, body);
    memset(memory, 0, sizeof memory);
    const struct select_job job = {.base = BASE,
                                   .global = (uint8_t *)memory,
                                   .bytes = sizeof memory,
                                   .blocks = 1,
                                   .threads = THREADS,
                                   .param = param,
                                   .param_bytes = sizeof param,
                                   .unit = run & 1 ? HEDDLE_ITS : HEDDLE_STACK};
    const char *wrong = select_launch(p, &job);
    if (wrong) fail_msg("%s\n%s", wrong, body);
    if (run == 0) memcpy(first, memory, sizeof first);
    if (memcmp(first, memory, sizeof first) != 0) fail_msg("run %u gives something else\n%s", run, body);
    heddle_program_free(p);
  }
}

#define STORE "st.global.b32 [%d0], %r2;"

static void shuffles(void **state) {
  (void)state;
  run("shfl.sync.idx.b32 %r2, %r0, 5, 31, 0xffffffff;" STORE);
  for (uint32_t n = 0; n < THREADS; n++) assert_int_equal(memory[n][0], (n & ~31u) + 5);
  run("shfl.sync.up.b32 %r2|%p1, %r0, 3, 0, -1; selp.b32 %r3, 1, 0, %p1; st.global.b32 [%d0+4], %r3;" STORE);
  for (uint32_t n = 0; n < THREADS; n++) {
    assert_int_equal(memory[n][0], n % 32 >= 3 ? n - 3 : n);
    assert_int_equal(memory[n][1], n % 32 >= 3);
  }
  run("mov.u32 %r5, 0x1807; add.u32 %r6, %r1, 3; xor.b32 %r6, %r6, %r1; shfl.sync.bfly.b32 %r2, %r0, %r6, %r5, -1;\n"
      "shfl.sync.up.b32 %r3, %r0, 3, 0x1800, -1; st.global.b32 [%d0+4], %r3;" STORE); /* groups of eight */
  for (uint32_t n = 0; n < THREADS; n++) {
    uint32_t lane = n % 32, to = (lane + 3) % 32;
    assert_int_equal(memory[n][0], to <= (lane | 7) ? n - lane + to : n);
    assert_int_equal(memory[n][1], lane % 8 >= 3 ? n - 3 : n);
  }
}

/* Two arms at once, each with its own members. */
static void parted(void **state) {
  (void)state;
  run("setp.lt.u32 %p1, %r1, 12; @%p1 bra A;\n"
      "shfl.sync.down.b32 %r2, %r0, 1, 31, 0xfffff000; add.u32 %r2, %r2, 1000; bra B;\n"
      "A: shfl.sync.down.b32 %r2, %r0, 1, 31, 0x00000fff;\nB:" STORE);
  for (uint32_t n = 0; n < THREADS; n++) {
    uint32_t lane = n % 32;
    if (lane != 11 && lane != 31) assert_int_equal(memory[n][0], lane < 12 ? n + 1 : n + 1001);
  }
  run("setp.lt.u32 %p1, %r1, 7; mov.u32 %r2, 0; @%p1 bra A;\n"
      "activemask.b32 %r2; bra B; A: activemask.b32 %r2; B:" STORE);
  for (uint32_t n = 0; n < THREADS; n++) assert_int_equal(memory[n][0], n % 32 < 7 ? 0x7f : 0xffffff80);
  run("setp.lt.u32 %p1, %r1, 7; setp.eq.u32 %p2, %r1, 9; @%p1 bra A;\n"
      "vote.sync.ballot.b32 %r2, %p2, 0xffffff80; bra B; A: vote.sync.ballot.b32 %r2, !%p2, 0x7f; B:" STORE);
  for (uint32_t n = 0; n < THREADS; n++) assert_int_equal(memory[n][0], n % 32 < 7 ? 0x7f : 0x200);
}

/* Lanes go round a loop more or less often, then speak to each other. */
static void after_a_loop(void **state) {
  (void)state;
  run("mov.u32 %r3, 0; and.b32 %r4, %r1, 7;\nL: add.u32 %r3, %r3, 1; setp.le.u32 %p1, %r3, %r4; @%p1 bra L;\n"
      "redux.sync.add.u32 %r2, %r3, -1; shfl.sync.idx.b32 %r5, %r3, 6, 31, -1; st.global.b32 [%d0+4], %r5;" STORE);
  for (uint32_t n = 0; n < THREADS; n++) {
    assert_int_equal(memory[n][0], 4 * 36); /* 1 + 2 + .. + 8, four times */
    assert_int_equal(memory[n][1], 7);
  }
  run("setp.ge.u32 %p1, %r0, 50; @%p1 ret; redux.sync.max.s32 %r2, %r0, -1;" STORE); /* the others have ended */
  for (uint32_t n = 0; n < THREADS; n++) assert_int_equal(memory[n][0], n >= 50 ? 0 : n < 32 ? 31 : 49);
}

static void votes(void **state) {
  (void)state;
  run("setp.lt.u32 %p1, %r0, 40; vote.sync.all.pred %p2, %p1, -1; vote.sync.any.pred %p3, %p1, -1; vote.sync.uni.pred "
      "%p4, %p1, -1;\n"
      "selp.b32 %r2, 1, 0, %p2; selp.b32 %r3, 2, 0, %p3; selp.b32 %r4, 4, 0, %p4; or.b32 %r2, %r2, %r3; or.b32 %r2, "
      "%r2, %r4;" STORE);
  for (uint32_t n = 0; n < THREADS; n++) assert_int_equal(memory[n][0], n < 32 ? 7 : 2);
  run("mul.wide.u32 %d1, %r1, 1; and.b64 %d1, %d1, 3; shl.b64 %d1, %d1, 40; match.any.sync.b64 %r2, %d1, -1;\n"
      "and.b64 %d1, %d1, 0; match.all.sync.b64 %r3|%p1, %d1, -1; st.global.b32 [%d0+4], %r3;" STORE);
  for (uint32_t n = 0; n < THREADS; n++) {
    assert_int_equal(memory[n][0], 0x11111111u << (n & 3));
    assert_int_equal(memory[n][1], 0xffffffff);
  }
}

/* Four groups of eight lanes, at one place at once. */
static void groups(void **state) {
  (void)state;
#define MEMBERS                                                                                                        \
  "and.b32 %r3, %r1, 24; mov.u32 %r4, 255; shl.b32 %r4, %r4, %r3; and.b32 %r5, %r1, 7; shr.u32 %r6, %r1, 3;\n"
  run(MEMBERS "setp.ge.u32 %p1, %r5, %r6; vote.sync.ballot.b32 %r2, %p1, %r4; vote.sync.all.pred %p2, %p1, %r4; "
              "vote.sync.any.pred %p3, !%p1, %r4;\n"
              "vote.sync.uni.pred %p4, %p1, %r4; selp.b32 %r7, 1, 0, %p2; selp.b32 %r8, 2, 0, %p3; selp.b32 %r9, 4, 0, "
              "%p4; or.b32 %r7, %r7, %r8;\n"
              "or.b32 %r7, %r7, %r9; st.global.b32 [%d0+4], %r7; redux.sync.add.u32 %r10, %r0, %r4; st.global.b32 "
              "[%d0+8], %r10;\n"
              "redux.sync.min.s32 %r11, %r0, %r4; st.global.b32 [%d0+12], %r11;" STORE);
  for (uint32_t n = 0; n < THREADS; n++) {
    uint32_t group = n % 32 / 8, first = n & ~7u;
    assert_int_equal(memory[n][0], (0xffu << group & 0xff) << 8 * group);
    assert_int_equal(memory[n][1], group == 0 ? 5 : 2);
    assert_int_equal(memory[n][2], 8 * first + 28);
    assert_int_equal(memory[n][3], first);
  }
  run(MEMBERS "and.b32 %r7, %r5, %r6; match.any.sync.b32 %r2, %r7, %r4; match.all.sync.b32 %r8|%p1, %r6, %r4; "
              "match.all.sync.b32 %r9|%p2, %r7, %r4;\n"
              "selp.b32 %r10, 1, 0, %p1; selp.b32 %r11, 2, 0, %p2; or.b32 %r10, %r10, %r11; st.global.b32 [%d0+4], "
              "%r8; st.global.b32 [%d0+8], %r9;\n"
              "st.global.b32 [%d0+12], %r10;" STORE);
  for (uint32_t n = 0; n < THREADS; n++) {
    uint32_t group = n % 32 / 8, equal = 0;
    for (uint32_t k = 0; k < 8; k++) equal |= (uint32_t)((k & group) == (n & 7 & group)) << k;
    assert_int_equal(memory[n][0], equal << 8 * group);
    assert_int_equal(memory[n][1], 0xffu << 8 * group);
    assert_int_equal(memory[n][2], group == 0 ? 0xff : 0);
    assert_int_equal(memory[n][3], group == 0 ? 3 : 1);
  }
}

static void barriers(void **state) {
  (void)state;
  run("setp.lt.u32 %p1, %r0, 40; bar.red.popc.u32 %r2, 0, %p1; bar.red.and.pred %p2, 1, %p1; bar.red.or.pred %p3, 2, "
      "64, %p1;\n"
      "selp.b32 %r3, 1, 0, %p2; selp.b32 %r4, 1, 0, %p3; st.global.b32 [%d0+4], %r3; st.global.b32 [%d0+8], "
      "%r4;" STORE);
  for (uint32_t n = 0; n < THREADS; n++) {
    assert_int_equal(memory[n][0], 40);
    assert_int_equal(memory[n][1], 0);
    assert_int_equal(memory[n][2], 1);
  }
  /* The first warp only says that it has been there; the second reads what it wrote. */
  run("mov.u32 %r4, there; mad.lo.u32 %r4, %r0, 4, %r4; setp.ge.u32 %p1, %r0, 32; @%p1 bra W;\n"
      "mul.lo.u32 %r5, %r0, 7; st.shared.u32 [%r4], %r5; bar.arrive 3, 64; bra E;\n"
      "W: bar.sync 3, 64; ld.shared.u32 %r2, [%r4-128]; st.global.b32 [%d0], %r2;\nE:");
  for (uint32_t n = 32; n < THREADS; n++) assert_int_equal(memory[n][0], 7 * (n - 32));
  /* A barrier's number that nobody knows. */
  run("ld.global.u32 %r5, [%d0]; add.u32 %r5, %r5, 4; mov.u32 %r4, there; mad.lo.u32 %r4, %r0, 4, %r4; st.shared.u32 "
      "[%r4], %r0;\n"
      "bar.sync %r5; xor.b32 %r4, %r4, 128; ld.shared.u32 %r2, [%r4];" STORE);
  for (uint32_t n = 0; n < THREADS; n++) assert_int_equal(memory[n][0], n ^ 32);
  /* A number of threads that nobody knows; and both kinds under a predicate that is true, or false. */
  run("ld.global.u32 %r5, [%d0]; add.u32 %r5, %r5, 64; mov.u32 %r4, there; mad.lo.u32 %r4, %r0, 4, %r4;\n"
      "st.shared.u32 [%r4], %r0; bar.sync 2, %r5; xor.b32 %r4, %r4, 128; ld.shared.u32 %r2, [%r4];" STORE);
  for (uint32_t n = 0; n < THREADS; n++) assert_int_equal(memory[n][0], n ^ 32);
  run("ld.global.u32 %r5, [%d0]; setp.eq.u32 %p1, %r5, 0; add.u32 %r6, %r5, 64; mov.u32 %r4, there;\n"
      "mad.lo.u32 %r4, %r0, 4, %r4; st.shared.u32 [%r4], %r0; @!%p1 bar.sync 9; @%p1 bar.sync %r5; @!%p1 bar.sync "
      "%r6;\n"
      "xor.b32 %r4, %r4, 128; ld.shared.u32 %r3, [%r4]; @%p1 bar.red.popc.u32 %r2, 5, %r6, %p1;\n"
      "mad.lo.u32 %r2, %r2, 1000, %r3;" STORE);
  for (uint32_t n = 0; n < THREADS; n++) assert_int_equal(memory[n][0], 64000 + (n ^ 32));
}

/* brx.idx with few and with many targets. */
static void indexed(void **state) {
  (void)state;
  run("and.b32 %r3, %r1, 3; setp.gt.u32 %p1, %r3, 2; selp.b32 %r3, 0, %r3, %p1;\nts: .branchtargets L0, L1, "
      "L2;\nbrx.idx %r3, ts;\n"
      "L0: mov.u32 %r2, 100; bra E; L1: mov.u32 %r2, 101; bra E; L2: mov.u32 %r2, 102;\nE: add.u32 %r2, %r2, "
      "%r0;" STORE);
  for (uint32_t n = 0; n < THREADS; n++) assert_int_equal(memory[n][0], n + 100 + ((n & 3) == 3 ? 0 : n & 3));
  run("and.b32 %r3, %r1, 7;\nts: .branchtargets L0, L1, L2, L3, L1, L5, L6, L7;\nbrx.idx %r3, ts;\n"
      "L0: mov.u32 %r2, 100; bra E; L1: mov.u32 %r2, 101; bra E; L2: mov.u32 %r2, 102; bra E; L3: mov.u32 %r2, 103; "
      "bra E;\n"
      "L5: mov.u32 %r2, 105; bra E; L6: mov.u32 %r2, 106; bra E; L7: mov.u32 %r2, 107;\nE: add.u32 %r2, %r2, "
      "%r0;" STORE);
  for (uint32_t n = 0; n < THREADS; n++) assert_int_equal(memory[n][0], n + 100 + ((n & 7) == 4 ? 1 : n & 7));
}

static void specials(void **state) {
  (void)state;
  run("mov.u32 %r2, %lanemask_lt; mov.u32 %r3, %ntid.x; mov.u32 %r4, %nctaid.y; mov.u32 %r5, %lanemask_ge;\n"
      "st.global.b32 [%d0+4], %r3; st.global.b32 [%d0+8], %r4; st.global.b32 [%d0+12], %r5;" STORE);
  for (uint32_t n = 0; n < THREADS; n++) {
    assert_int_equal(memory[n][0], (1u << n % 32) - 1);
    assert_int_equal(memory[n][1], THREADS);
    assert_int_equal(memory[n][2], 1);
    assert_int_equal(memory[n][3], ~((1u << n % 32) - 1));
  }
  run("mov.u64 %d1, %clock64; mov.u32 %r3, %clock; nanosleep.u32 100; membar.gl; fence.acq_rel.cta; mov.u64 %d2, "
      "%clock64;\n"
      "setp.gt.u64 %p1, %d2, %d1; selp.b32 %r2, 1, 0, %p1;" STORE);
  for (uint32_t n = 0; n < THREADS; n++) assert_int_equal(memory[n][0], 1);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shuffles),     cmocka_unit_test(parted),
                                     cmocka_unit_test(after_a_loop), cmocka_unit_test(votes),
                                     cmocka_unit_test(groups),       cmocka_unit_test(barriers),
                                     cmocka_unit_test(indexed),      cmocka_unit_test(specials)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
