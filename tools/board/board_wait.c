/* SPDX-License-Identifier: Apache-2.0
 * Waiting for a grid on a board. */
#include "board_wait.h"

#include <inttypes.h>
#include <time.h>

#include "tool.h"

enum {
  SLICE_MS = 2,
  STALLED = 256, /* looks at STATUS without a byte of the stream between: nothing more will come */
  TELL_SECONDS = 10
};

static uint64_t seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec;
}

static void tell(const struct board_patience *p, uint64_t seconds) {
  if (p->judge)
    tool_log("%s: %" PRIu64 " s of at most %" PRIu64 ", %" PRIu64 " bytes of its stream judged", p->name, seconds,
             p->seconds, board_judge_got(p->judge));
  else
    tool_log("%s: %" PRIu64 " s of at most %" PRIu64, p->name, seconds, p->seconds);
}

static enum heddle_error give_up(struct heddle_context *c, struct board_patience *p, bool stalled) {
  if (stalled) board_judge_stalled(p->judge);
  p->given_up = true;
  (void)heddle_abort(c);
  return HEDDLE_ERROR_TIMEOUT;
}

enum heddle_error board_wait(struct heddle_context *c, struct board_patience *p) {
  const uint64_t since = seconds_now();
  uint64_t told = 0, got = 0;
  for (unsigned quiet = 0;;) {
    if (p->judge && board_judge_wrong(p->judge)) {
      (void)heddle_abort(c);
      return HEDDLE_ERROR_TRAPPED;
    }
    const enum heddle_error e = heddle_query(c);
    if (e != HEDDLE_ERROR_NOT_READY) return e;
    if (board_link_poll(p->link, SLICE_MS) != BOARD_OK) return HEDDLE_ERROR_BUS;
    const uint64_t seconds = seconds_now() - since;
    if (seconds >= p->seconds) return give_up(c, p, false);
    if (seconds >= told + TELL_SECONDS) tell(p, told = seconds);
    if (!p->judge) continue;
    quiet = board_judge_got(p->judge) == got ? quiet + 1 : 0;
    got = board_judge_got(p->judge);
    if (quiet == STALLED) return give_up(c, p, true);
  }
}
