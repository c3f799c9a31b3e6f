/* SPDX-License-Identifier: Apache-2.0
 *
 * What a machine with a cache shows, in a trace: judged later as it was at once; a trace that does not say that there
 * is a cache is refused as such.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <heddle/session.h>
#include <heddle/trace.h>
#include "tests/test.h"
#include "tests/cosim/visibility_programs.h"

static const char path[] = "visibility.trace";
static struct cached x;
static struct stream shown;
static uint8_t first[FAKE_BYTES];

/* Two warps: loads, a join, a store, a fence, a load that reads what was stored. */
static void run(void) {
  fake_fill(first);
  shown.n = 0;
  x.shown = &shown;
  begin(&x, PROGRAM(LOAD("4", "0x0") STORE("0x0") FENCE LOAD("5", "0x0")), 2, &promising);
  for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
  cached_merge(&x, 0, HEAD, LINE, 15, 1);
  cached_merge(&x, 1, HEAD, LINE, 15, 1);
  fill_line(&x, 1, LINE);
  for (unsigned w = 0; w < 2; w++) cached_hit(&x, w, HEAD, LINE, 15, 1);
  for (unsigned w = 0; w < 2; w++) write_line(&x, w, cached_issue_to(&x, w, 1), LINE);
  for (unsigned w = 0; w < 2; w++) cached_fence(&x, w, cached_issue_to(&x, w, 1), HEDDLE_RECORD_SCOPE_GPU);
  bring(&x, 0, cached_issue_to(&x, 0, 1), LINE, 2);
  cached_hit(&x, 1, cached_issue_to(&x, 1, 1), LINE, 15, 2);
  for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
  cached_block_end(&x, 0);
  cached_end(&x);
  cached_expect(&x, HEDDLE_CHECKER_NONE, NULL);
}

static struct heddle_session_result check(uint32_t sectors) {
  const struct heddle_checker_config cfg = cached_config(&promising);
  struct heddle_trace_header h = {.size = sizeof h,
                                  .isa_hash = heddle_isa_hash(),
                                  .sms = 1,
                                  .lanes = cfg.lanes,
                                  .warp_slots = cfg.warp_slots,
                                  .block_slots = cfg.block_slots,
                                  .partitions = 1,
                                  .hidden = cfg.hidden,
                                  .cache_sectors = sectors,
                                  .cache_promises = sectors != 0 ? cfg.cache_promises : 0};
  struct heddle_session_result r = {.size = sizeof r};
  char err[256];
  struct heddle_trace_writer *w = heddle_trace_create(path, &h, err, sizeof err);
  assert_non_null(w);
  assert_true(heddle_trace_launch(w, &x.p.launch, FAKE_BASE, first, FAKE_BYTES));
  for (size_t i = 0; i < shown.n; i++) assert_true(heddle_trace_record(w, &shown.r[i]));
  assert_true(heddle_trace_launch_end(w, heddle_model_memory(x.m), x.cycle));
  assert_true(heddle_trace_close(w));
  (void)heddle_session_check_trace(path, NULL, 0, NULL, NULL, &r, NULL);
  (void)unlink(path);
  return r;
}

static void judged_later(void **state) {
  (void)state;
  run();
  struct heddle_session_result r = check(64);
  if (r.outcome != HEDDLE_SESSION_OK) fail_msg("%s", r.message);
  r = check(0);
  assert_int_equal(r.outcome, HEDDLE_SESSION_DIFFERENCE);
  assert_int_equal(r.difference.kind, HEDDLE_CHECKER_RECORD_FORM);
  for (size_t i = shown.n; i-- > 0;) {
    if (shown.r[i].kind != HEDDLE_RECORD_HIT) continue;
    for (unsigned s = 0; s < 4; s++) shown.r[i].u.merge.number[s] = 1; /* the fence has closed it */
    break;
  }
  r = check(64);
  assert_int_equal(r.outcome, HEDDLE_SESSION_DIFFERENCE);
  assert_int_equal(r.difference.kind, HEDDLE_CHECKER_VISIBILITY_DROPPED);
  cached_free(&x);
  stream_free(&shown);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(judged_later)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
