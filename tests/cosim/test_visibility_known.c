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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arrives), cmocka_unit_test(fence_after_barrier),
                                     cmocka_unit_test(fence_before_pass)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
