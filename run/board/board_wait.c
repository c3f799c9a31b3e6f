/* SPDX-License-Identifier: Apache-2.0
 * Waiting for a grid on a board. */
#include <inttypes.h>
#include <stdio.h>

#include "base/process.h"
#include "run/command/tool.h"
#include "run/board/board_judge.h"

enum {
  SLICE_MS = 2,
  STALLED = 256, /* looks at STATUS without a byte of the stream between: nothing more will come */
  TELL_SECONDS = 10
};

uint64_t board_progress(struct board_progress *p, const char *name, uint64_t most, const struct board_judge *judge) {
  if (!p->begun) *p = (struct board_progress){.begun = true, .since = (uint64_t)seconds_now()};
  const uint64_t seconds = (uint64_t)seconds_now() - p->since;
  char limit[32] = "", bytes[64] = "";
  if (seconds < p->told + TELL_SECONDS) return seconds;
  p->told = seconds;
  if (most > 0) snprintf(limit, sizeof limit, " of at most %" PRIu64, most);
  if (judge) snprintf(bytes, sizeof bytes, ", %" PRIu64 " bytes of its stream judged", board_judge_got(judge));
  tool_log("%s: %" PRIu64 " s%s%s", name, seconds, limit, bytes);
  return seconds;
}

static enum heddle_error abort_grid(struct heddle_context *c, struct board_patience *p, bool stalled) {
  if (stalled) board_judge_stalled(p->judge);
  p->given_up = true;
  p->stalled = stalled;
  (void)heddle_abort(c);
  return HEDDLE_ERROR_TIMEOUT;
}

enum heddle_error board_wait(struct heddle_context *c, struct board_patience *p) {
  struct board_progress progress = {.begun = false};
  uint64_t got = 0;
  for (unsigned quiet = 0;;) {
    if (p->judge && board_judge_wrong(p->judge)) {
      (void)heddle_abort(c);
      return HEDDLE_ERROR_TRAPPED;
    }
    const enum heddle_error e = heddle_query(c);
    if (e != HEDDLE_ERROR_NOT_READY) return e;
    if (board_link_poll(p->link, SLICE_MS) != BOARD_OK) return HEDDLE_ERROR_BUS;
    if (board_progress(&progress, p->name, p->seconds, p->judge) >= p->seconds) return abort_grid(c, p, false);
    if (!p->judge) continue;
    quiet = board_judge_got(p->judge) == got ? quiet + 1 : 0;
    got = board_judge_got(p->judge);
    if (quiet == STALLED) return abort_grid(c, p, true);
  }
}
