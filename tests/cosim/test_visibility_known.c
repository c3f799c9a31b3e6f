/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/visibility.md: who knows of which store since when. Who arrives at a barrier and does not wait tells, and learns
 * nothing; a fence waits for what the warp knows of, whenever that passed.
 */
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/bench.h"
#include "tests/cosim/visibility_programs.h"

static struct cached x;

/* Warp 1 arrives and goes on, warp 0 waits. `reader` reads a copy that lacks what the other one has stored before: it
 * was taken before that was performed. */
static void arrives(void **state) {
  (void)state;
#define ARRIVES(reads)                                                                                                 \
  PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n" STORE("0x0") reads           \
          "LDG.E R5, [R2] ;\n@P0     BAR.ARV 0x0, 0x40 ;\n@!P0    BAR.SYNC 0x0, 0x40 ;\n" LOAD("4", "0x0"))
  for (unsigned reader = 0; reader < 2; reader++) {
    const unsigned other = 1 - reader;
    begin(&x, reader == 0 ? ARRIVES("@!P0    ") : ARRIVES("@P0     "), 2, &plain);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 3);
    write_line(&x, reader, HEAD + 2, LINE);
    cached_drop(&x, other, HEAD + 2, LINE, 15);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
    bring(&x, reader, HEAD + 3, LINE, 1);
    cached_globals(&x, other, HEAD + 2, LINE);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 2);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue(&x, reader);
    cached_hit(&x, reader, HEAD + 6, LINE, 15, 1);
    if (reader == 1)
      done(&x, HEDDLE_CHECKER_NONE, NULL);
    else
      done(&x, HEDDLE_CHECKER_VISIBILITY_STALE, "is known since a barrier");
  }
#undef ARRIVES
}

/* What warp 1 stores when it has arrived is not told; what it has stored before is. */
static void arrives_and_stores(void **state) {
  (void)state;
  static const char body[] = PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n"
                                     "@P0     STG.E [R2+0x80], R0 ;\n@!P0    LDG.E R6, [R2+0x80] ;\n"
                                     "@P0     BAR.ARV 0x0, 0x40 ;\n"
                                     "@P0     STG.E [R2], R0 ;\n@P0     IADD3 R9, R0, 0x1, RZ ;\n"
                                     "@!P0    BAR.SYNC 0x0, 0x40 ;\n"
                                     "@!P0    LDG.E R4, [R2] ;\n@!P0    LDG.E R5, [R2+0x80] ;\n");
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, body, 2, &plain);
    (void)cached_issue_to(&x, 1, 3);
    cached_drop(&x, 1, HEAD + 2, LINE + 1, 15);
    (void)cached_issue_to(&x, 0, 4);
    bring(&x, 0, HEAD + 3, LINE + 1, 1);
    cached_globals(&x, 1, HEAD + 2, LINE + 1);
    (void)cached_issue_to(&x, 1, 4);
    cached_drop(&x, 1, HEAD + 5, LINE, 15);
    (void)cached_issue_to(&x, 0, 4);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue_to(&x, 0, 2);
    if (way == 0) bring(&x, 0, HEAD + 8, LINE, 2);
    if (way == 1) cached_hit(&x, 0, HEAD + 9, LINE + 1, 15, 1);
    done(&x, way == 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_STALE,
         way == 0 ? NULL : "is known since a barrier");
  }
}

/* Warp 0 waits at the barrier already when warp 1's store passes: the fence that follows waits for it all the same. */
static void fence_after_barrier(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, PROGRAM(STORE("0x0") BAR FENCE), 2, &promising);
    (void)cached_issue(&x, 0);
    write_line(&x, 0, HEAD, LINE);
    (void)cached_issue_to(&x, 0, 1);
    (void)cached_issue(&x, 1);
    cached_drop(&x, 1, HEAD, LINE, 15);
    cached_globals(&x, 1, HEAD, LINE);
    (void)cached_issue(&x, 1);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue(&x, 0);
    if (way == 0) cached_ack(&x, 1, HEAD, LINE);
    cached_fence(&x, 0, HEAD + 2, HEDDLE_RECORD_SCOPE_GPU);
    done(&x, way == 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_FENCE,
         way == 0 ? NULL : "has not been acknowledged in line");
  }
}

/* The warp's own store passes when its fence has issued already; another warp's does, of which it knows nothing. */
static void fence_before_pass(void **state) {
  (void)state;
  for (unsigned way = 0; way < 4; way++) {
    const unsigned late = way < 3 ? 0 : 1;
    begin(&x, PROGRAM(STORE("0x0") FENCE), 2, &promising);
    (void)cached_issue(&x, 1);
    if (late == 0) write_line(&x, 1, HEAD, LINE);
    (void)cached_issue(&x, 0);
    if (late == 1) write_line(&x, 0, HEAD, LINE);
    (void)cached_issue(&x, 0);
    cached_drop(&x, late, HEAD, LINE, 15);
    if (way < 2) cached_globals(&x, late, HEAD, LINE);
    if (way == 0) cached_ack(&x, late, HEAD, LINE);
    cached_fence(&x, 0, HEAD + 1, HEDDLE_RECORD_SCOPE_GPU);
    done(&x, way == 0 || way == 3 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_FENCE,
         way == 1   ? "the warp knows of it"
         : way == 2 ? "is not wholly performed"
                    : NULL);
  }
}

/* Warp 1 stores before each of two barriers, to a line of its own each time; warp 0 has both lines copied to shared
 * memory before the first barrier, between them, and behind the second one, from copies that lack both stores. No
 * barrier waits for that. What the warp knew when a load issued binds that load. */
static void older_than_barriers(void **state) {
  (void)state;
#define COPIES "@!P0    LDGSTS.E [R6], [R2] ;\n@!P0    LDGSTS.E [R6], [R2+0x80] ;\n"
  static const char body[] = PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n"
                                     "        IMAD R6, R0, 0x4, RZ ;\n" COPIES "@P0     STG.E [R2], R0 ;\n" BAR COPIES
                                     "@P0     STG.E [R2+0x80], R0 ;\n" BAR COPIES);
#undef COPIES
  enum { FIRST_COPY = HEAD + 3, ROUND = 4, STORED = HEAD + 5 };
  static const struct {
    unsigned round, line;
    bool misses; /* it may */
  } ways[] = {{0, 0, true}, {0, 1, true}, {1, 0, false}, {1, 1, true}, {2, 0, false}, {2, 1, false}};
  for (unsigned way = 0; way < sizeof ways / sizeof *ways; way++) {
    uint32_t number[3][2] = {{1, 2}, {1, 3}, {1, 3}}; /* what was asked for before a store has passed is given up */
    begin(&x, body, 2, &plain);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 3);
    for (unsigned round = 0; round < 3; round++) {
      const uint32_t copies = FIRST_COPY + ROUND * round, store = STORED + ROUND * round;
      if (round < 2) (void)cached_issue_to(&x, 1, 3);
      if (round < 2) cached_drop(&x, 1, store, LINE + round, 15);
      (void)cached_issue_to(&x, 0, round < 2 ? 3 : 2);
      for (unsigned i = 0; i < 2; i++) cached_merge(&x, 0, copies + i, LINE + i, 15, number[round][i]);
      if (round == 0) fill_line(&x, 1, LINE);
      if (round < 2) fill_line(&x, number[round][1], LINE + 1);
      if (round == 2) break;
      cached_globals(&x, 1, store, LINE + round);
      for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
      assert_true(cached_barrier(&x, 0, 0));
    }
    const unsigned round = ways[way].round, line = ways[way].line;
    cached_hit(&x, 0, FIRST_COPY + ROUND * round + line, LINE + line, 15, number[round][line]);
    done(&x, ways[way].misses ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_STALE,
         ways[way].misses ? NULL : "is known since a barrier");
  }
}

/* A barrier lets go, and serves two other warps next: they learn of each other alone. Warp 3 reads a copy that lacks
 * what warp 0 or warp 2 has stored before. */
static void barrier_used_again(void **state) {
  (void)state;
  static const char body[] =
      PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x5f, PT ;\n" STORE(
          "0x0") "@P0     LDG.E R5, [R2] ;\n        BAR.SYNC 0xf, 0x40 ;\n" LOAD("4", "0x0"));
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, body, 4, &plain);
    for (unsigned w = 0; w < 4; w++) {
      (void)cached_issue_to(&x, w, 3);
      if (w != 2 * way)
        write_line(&x, w, HEAD + 2, LINE);
      else
        cached_drop(&x, w, HEAD + 2, LINE, 15);
    }
    for (unsigned w = 0; w < 4; w++) (void)cached_issue(&x, w);
    bring(&x, 3, HEAD + 3, LINE, 1);
    cached_globals(&x, 2 * way, HEAD + 2, LINE);
    for (unsigned pair = 0; pair < 2; pair++) {
      for (unsigned w = 2 * pair; w < 2 * pair + 2; w++) (void)cached_issue(&x, w);
      assert_true(cached_barrier(&x, 0, 15));
    }
    (void)cached_issue(&x, 3);
    cached_hit(&x, 3, HEAD + 5, LINE, 15, 1);
    done(&x, way == 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_STALE,
         way == 0 ? NULL : "is known since a barrier");
  }
}

/* What is written after the release is not acquired with it. */
static void written_after_release(void **state) {
  (void)state;
  static const char body[] = PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n"
                                     "@P0     MEMBAR.GPU ;\n@P0     STG.E [R2+0x80], R0 ;\n@P0     STG.E [R2], R0 ;\n"
                                     "@!P0    LDG.E R4, [R2] ;\n@!P0    LDG.E.STRONG.GPU R5, [R2+0x80] ;\n"
                                     "@!P0    MEMBAR.GPU ;\n@!P0    LDG.E R6, [R2] ;\n");
  begin(&x, body, 2, &plain);
  (void)cached_issue_to(&x, 0, 7);
  (void)cached_issue_to(&x, 1, 2);
  (void)cached_issue(&x, 1);
  cached_drop(&x, 0, HEAD + 6, LINE + 1, 15);
  bring(&x, 0, HEAD + 5, LINE, 1); /* positions 1 to 4 */
  cached_give_up(&x, HEDDLE_RECORD_DROP_REPLACED, LINE, 15, false);
  cached_fence(&x, 1, HEAD + 2, HEDDLE_RECORD_SCOPE_GPU);
  (void)cached_issue_to(&x, 1, 2);
  write_line(&x, 1, HEAD + 3, LINE + 1);
  cached_globals(&x, 0, HEAD + 6, LINE + 1);
  (void)cached_issue(&x, 0);
  cached_drop(&x, 1, HEAD + 4, LINE, 15);                 /* the fence has begun to wait: it is not held to this one */
  cached_fence(&x, 0, HEAD + 7, HEDDLE_RECORD_SCOPE_GPU); /* all up to position 4 */
  cached_merge(&x, 0, cached_issue_to(&x, 0, 1), LINE, 15, 2);
  fill_line(&x, 2, LINE);
  cached_globals(&x, 1, HEAD + 4, LINE);
  cached_hit(&x, 0, HEAD + 8, LINE, 15, 2);
  done(&x, HEDDLE_CHECKER_NONE, NULL);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arrives),
                                     cmocka_unit_test(arrives_and_stores),
                                     cmocka_unit_test(fence_after_barrier),
                                     cmocka_unit_test(fence_before_pass),
                                     cmocka_unit_test(older_than_barriers),
                                     cmocka_unit_test(barrier_used_again),
                                     cmocka_unit_test(written_after_release)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
