/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/visibility.md: who knows of which store since when. Who arrives at a barrier and does not wait tells, and learns
 * nothing; a fence waits for what the warp knows of, whenever that passed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "bench.h"
#include "visibility_programs.h"

static struct cached x;

/* Warp 1 arrives and goes on, warp 0 waits. `reader` reads a copy that lacks what the other one has stored before. */
static void arrives(void **state) {
  (void)state;
  static const char body[] = PROGRAM("        S2R R8, SR_TID.X ;\n"
                                     "        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n" STORE(
                                         "0x0") "@P0     BAR.ARV 0x0, 0x40 ;\n"
                                                "@!P0    BAR.SYNC 0x0, 0x40 ;\n" LOAD("4", "0x0"));
  for (unsigned way = 0; way < 4; way++) {
    const unsigned reader = way / 2, other = 1 - reader;
    begin(&x, body, 2, &plain);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 3);
    write_line(&x, reader, HEAD + 2, LINE);
    cached_drop(&x, other, HEAD + 2, LINE, 15);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 2);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue(&x, reader);
    cached_merge(&x, reader, HEAD + 5, LINE, 15, 1);
    fill_line(&x, 1, LINE);
    if (way % 2 == 1) cached_globals(&x, other, HEAD + 2, LINE);
    cached_hit(&x, reader, HEAD + 5, LINE, 15, 1);
    if (reader == 1)
      done(&x, CHECKER_NONE, NULL);
    else
      done(&x, CHECKER_VISIBILITY_STALE, way == 1 ? "is known since a barrier" : "is not performed");
  }
}

/* What warp 1 stores when it has arrived is not told; what it has stored before is. */
static void arrives_and_stores(void **state) {
  (void)state;
  static const char body[] = PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n"
                                     "@P0     STG.E [R2+0x80], R0 ;\n@P0     BAR.ARV 0x0, 0x40 ;\n"
                                     "@P0     STG.E [R2], R0 ;\n@P0     IADD3 R9, R0, 0x1, RZ ;\n"
                                     "@!P0    BAR.SYNC 0x0, 0x40 ;\n"
                                     "@!P0    LDG.E R4, [R2] ;\n@!P0    LDG.E R5, [R2+0x80] ;\n");
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, body, 2, &plain);
    (void)cached_issue_to(&x, 1, 3);
    cached_drop(&x, 1, HEAD + 2, LINE + 1, 15);
    (void)cached_issue_to(&x, 1, 3);
    cached_drop(&x, 1, HEAD + 4, LINE, 15);
    (void)cached_issue_to(&x, 0, 7);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue_to(&x, 0, 2);
    cached_merge(&x, 0, HEAD + 7 + way, LINE + way, 15, 1);
    fill_line(&x, 1, LINE + way);
    cached_hit(&x, 0, HEAD + 7 + way, LINE + way, 15, 1);
    done(&x, way == 0 ? CHECKER_NONE : CHECKER_VISIBILITY_STALE, way == 0 ? NULL : "is not performed");
  }
}

/* Warp 0 waits at the barrier already when warp 1's store passes: the fence that follows waits for it all the same. */
static void fence_after_barrier(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    begin(&x, PROGRAM(STORE("0x0") BAR FENCE), 2, &promising);
    (void)cached_issue(&x, 0);
    write_line(&x, 0, HEAD, LINE);
    (void)cached_issue_to(&x, 0, 1);
    (void)cached_issue(&x, 1);
    cached_drop(&x, 1, HEAD, LINE, 15);
    (void)cached_issue(&x, 1);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue(&x, 0);
    if (way != 2) cached_globals(&x, 1, HEAD, LINE);
    if (way == 0) cached_ack(&x, 1, HEAD, LINE);
    cached_fence(&x, 0, HEAD + 2, RECORD_SCOPE_GPU);
    done(&x, way == 0 ? CHECKER_NONE : CHECKER_VISIBILITY_FENCE,
         way == 0   ? NULL
         : way == 1 ? "has not been acknowledged in line"
                    : "has not been performed in line");
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
    cached_fence(&x, 0, HEAD + 1, RECORD_SCOPE_GPU);
    done(&x, way == 0 || way == 3 ? CHECKER_NONE : CHECKER_VISIBILITY_FENCE,
         way == 1   ? "the warp knows of it"
         : way == 2 ? "is not wholly performed"
                    : NULL);
  }
}

/* Warp 1 stores before each of two barriers, to a line of its own each time; warp 0 loads both lines before the first
 * barrier, between them, and behind the second one, from copies that lack both stores. What it knew when a load issued
 * binds that load. */
static void older_than_barriers(void **state) {
  (void)state;
  static const char body[] =
      PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n"
              "@!P0    LDG.E R10, [R2] ;\n@!P0    LDG.E R11, [R2+0x80] ;\n@P0     STG.E [R2], R0 ;\n" BAR
              "@!P0    LDG.E R12, [R2] ;\n@!P0    LDG.E R13, [R2+0x80] ;\n@P0     STG.E [R2+0x80], R0 ;\n" BAR
              "@!P0    LDG.E R14, [R2] ;\n@!P0    LDG.E R15, [R2+0x80] ;\n");
  static const struct {
    uint32_t load, store;
    bool misses; /* it may */
  } ways[] = {{HEAD + 2, HEAD + 4, true}, {HEAD + 3, HEAD + 8, true},   {HEAD + 6, HEAD + 4, false},
              {HEAD + 7, HEAD + 8, true}, {HEAD + 10, HEAD + 4, false}, {HEAD + 11, HEAD + 8, false}};
  for (unsigned way = 0; way < sizeof ways / sizeof *ways; way++) {
    begin(&x, body, 2, &plain);
    (void)cached_issue_to(&x, 1, 5);
    cached_drop(&x, 1, HEAD + 4, LINE, 15);
    (void)cached_issue_to(&x, 0, 5);
    for (unsigned i = 0; i < 2; i++) cached_merge(&x, 0, HEAD + 2 + i, LINE + i, 15, 1 + i);
    for (unsigned i = 0; i < 2; i++) fill_line(&x, 1 + i, LINE + i);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue_to(&x, 1, 3);
    cached_drop(&x, 1, HEAD + 8, LINE + 1, 15);
    (void)cached_issue_to(&x, 0, 3);
    for (unsigned i = 0; i < 2; i++) cached_merge(&x, 0, HEAD + 6 + i, LINE + i, 15, 3 + i);
    for (unsigned i = 0; i < 2; i++) fill_line(&x, 3 + i, LINE + i);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue_to(&x, 0, 2);
    for (unsigned i = 0; i < 2; i++) cached_merge(&x, 0, HEAD + 10 + i, LINE + i, 15, 5 + i);
    for (unsigned i = 0; i < 2; i++) fill_line(&x, 5 + i, LINE + i);
    const unsigned line = ways[way].store == HEAD + 4 ? 0 : 1, round = (ways[way].load - HEAD - 2) / 4;
    cached_globals(&x, 1, ways[way].store, LINE + line);
    cached_hit(&x, 0, ways[way].load, LINE + line, 15, 1 + 2 * round + line);
    done(&x, ways[way].misses ? CHECKER_NONE : CHECKER_VISIBILITY_STALE,
         ways[way].misses ? NULL : "is known since a barrier");
  }
}

/* A barrier lets go, and serves two other warps next: they learn of each other alone. */
static void barrier_used_again(void **state) {
  (void)state;
  static const char body[] = PROGRAM(STORE("0x0") "        BAR.SYNC 0xf, 0x40 ;\n" LOAD("4", "0x0"));
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, body, 4, &plain);
    for (unsigned w = 0; w < 4; w++) {
      (void)cached_issue(&x, w);
      if (w != 2 * way)
        write_line(&x, w, HEAD, LINE);
      else
        cached_drop(&x, w, HEAD, LINE, 15);
    }
    for (unsigned pair = 0; pair < 2; pair++) {
      for (unsigned w = 2 * pair; w < 2 * pair + 2; w++) (void)cached_issue(&x, w);
      assert_true(cached_barrier(&x, 0, 15));
    }
    (void)cached_issue(&x, 3);
    cached_merge(&x, 3, HEAD + 2, LINE, 15, 1);
    fill_line(&x, 1, LINE);
    cached_globals(&x, 2 * way, HEAD, LINE);
    cached_hit(&x, 3, HEAD + 2, LINE, 15, 1);
    done(&x, way == 0 ? CHECKER_NONE : CHECKER_VISIBILITY_STALE, way == 0 ? NULL : "is known since a barrier");
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
  cached_give_up(&x, RECORD_DROP_REPLACED, LINE, 15, false);
  cached_fence(&x, 1, HEAD + 2, RECORD_SCOPE_GPU);
  (void)cached_issue_to(&x, 1, 2);
  write_line(&x, 1, HEAD + 3, LINE + 1);
  cached_drop(&x, 1, HEAD + 4, LINE, 15);
  cached_globals(&x, 0, HEAD + 6, LINE + 1);
  (void)cached_issue(&x, 0);
  cached_fence(&x, 0, HEAD + 7, RECORD_SCOPE_GPU); /* all up to position 4 */
  cached_merge(&x, 0, cached_issue_to(&x, 0, 1), LINE, 15, 2);
  fill_line(&x, 2, LINE);
  cached_globals(&x, 1, HEAD + 4, LINE);
  cached_hit(&x, 0, HEAD + 8, LINE, 15, 2);
  done(&x, CHECKER_NONE, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arrives),
                                     cmocka_unit_test(arrives_and_stores),
                                     cmocka_unit_test(fence_after_barrier),
                                     cmocka_unit_test(fence_before_pass),
                                     cmocka_unit_test(older_than_barriers),
                                     cmocka_unit_test(barrier_used_again),
                                     cmocka_unit_test(written_after_release)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
