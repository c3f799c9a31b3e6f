/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies through a cache: they load as a weak load does, and nothing younger, no barrier and no fence of
 * a block waits for them (isa/doc/14-asynchronous-copies.md, docs/visibility.md).
 */
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/bench.h"
#include "tests/cosim/visibility_programs.h"

static struct cached x;

#define PLACE "        IMAD R6, R0, 0x4, RZ ;\n"
#define COPY(at) "        LDGSTS.E [R6], [R2+" at "] ;\n"

/* It asks, reads what comes, stores; or it passes the cache by. */
static void loads(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, PROGRAM(PLACE COPY("0x0")), 1, &promising);
    (void)cached_issue_to(&x, 0, 2);
    if (way == 0) {
      bring(&x, 0, HEAD + 1, LINE, 1);
    } else {
      cached_drop(&x, 0, HEAD + 1, LINE, 15);
      cached_globals(&x, 0, HEAD + 1, LINE);
    }
    cached_shared(&x, 0, HEAD + 1);
    well(&x);
  }
}

/* Of an older store of its warp it misses nothing. */
static void older_store(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, PROGRAM(PLACE STORE("0x0") COPY("0x0")), 1, &plain);
    (void)cached_issue_to(&x, 0, 3);
    cached_drop(&x, 0, HEAD + 1, LINE, 15);
    cached_merge(&x, 0, HEAD + 2, LINE, 15, 1);
    if (way == 0) cached_globals(&x, 0, HEAD + 1, LINE);
    fill_line(&x, 1, LINE);
    cached_hit(&x, 0, HEAD + 2, LINE, 15, 1);
    if (way == 1) {
      done(&x, HEDDLE_CHECKER_VISIBILITY_STALE, "is not performed");
      continue;
    }
    cached_shared(&x, 0, HEAD + 2);
    cached_ack(&x, 0, HEAD + 1, LINE);
    well(&x);
  }
}

/* A younger store of its warp is performed first, and it reads what that has left; a load would have been due. */
static void younger_store(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, way == 0 ? PROGRAM(PLACE COPY("0x0") STORE("0x0")) : PROGRAM(PLACE LOAD("7", "0x0") STORE("0x0")), 1,
          &plain);
    (void)cached_issue_to(&x, 0, 3);
    cached_merge(&x, 0, HEAD + 1, LINE, 15, 1);
    write_line(&x, 0, HEAD + 2, LINE);
    fill_line(&x, 1, LINE);
    if (way == 1) {
      done(&x, HEDDLE_CHECKER_PERFORM_ORDER, "has not performed its access to sector");
      continue;
    }
    cached_hit(&x, 0, HEAD + 1, LINE, 15, 1);
    cached_shared(&x, 0, HEAD + 1);
    well(&x);
  }
}

/* BAR and a fence of a block come before it has passed; a fence of the GPU waits for its load and its store. */
static void fences(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    begin(&x, PROGRAM(PLACE COPY("0x0") BAR FENCE_CTA FENCE), 1, &promising);
    (void)cached_issue_to(&x, 0, 3);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue(&x, 0);
    cached_fence(&x, 0, HEAD + 3, HEDDLE_RECORD_SCOPE_CTA);
    if (way != 1) bring(&x, 0, HEAD + 1, LINE, 1);
    (void)cached_issue(&x, 0);
    if (way == 0) cached_shared(&x, 0, HEAD + 1);
    cached_fence(&x, 0, HEAD + 4, HEDDLE_RECORD_SCOPE_GPU);
    if (way == 0)
      well(&x);
    else
      done(&x, HEDDLE_CHECKER_VISIBILITY_FENCE, "is not wholly performed");
  }
}

/* What it has read binds no younger load: that reads an older copy. A load in its place would bind it. */
static void backwards(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    begin(&x,
          way == 0 ? PROGRAM(PLACE COPY("0x0") LOAD("5", "0x0") STORE("0x0"))
                   : PROGRAM(PLACE LOAD("7", "0x0") LOAD("5", "0x0") STORE("0x0")),
          2, &plain);
    (void)cached_issue_to(&x, 1, 4);
    for (uint32_t seq = HEAD + 1; seq <= HEAD + 2; seq++) {
      cached_drop(&x, 1, seq, LINE, 15);
      cached_globals(&x, 1, seq, LINE);
    }
    (void)cached_issue_to(&x, 0, 3);
    cached_drop(&x, 0, HEAD + 1, LINE, 15);
    cached_merge(&x, 0, HEAD + 2, LINE, 15, 1);
    fill_line(&x, 1, LINE);
    write_line(&x, 1, HEAD + 3, LINE);
    cached_globals(&x, 0, HEAD + 1, LINE); /* what is new, past the cache */
    cached_hit(&x, 0, HEAD + 2, LINE, 15, 1);
    if (way == 1) {
      done(&x, HEDDLE_CHECKER_VISIBILITY_BACKWARDS, NULL);
      continue;
    }
    for (unsigned w = 0; w < 2; w++) cached_shared(&x, w, HEAD + 1);
    (void)cached_issue(&x, 0);
    write_line(&x, 0, HEAD + 3, LINE);
    well(&x);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loads), cmocka_unit_test(older_store),
                                     cmocka_unit_test(younger_store), cmocka_unit_test(fences),
                                     cmocka_unit_test(backwards)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
