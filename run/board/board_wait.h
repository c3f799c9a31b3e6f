/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting for a grid on a board: no longer than somebody is willing to, and not after the verdict stands. */
#ifndef HEDDLE_BOARD_WAIT_H
#define HEDDLE_BOARD_WAIT_H

#include "run/board/board_judge.h"
#include <heddle/driver.h>

struct board_patience {
  const char *name; /* of what runs, for people */
  struct board_link *link;
  uint64_t seconds;          /* of a launch */
  struct board_judge *judge; /* NULL: nobody judges */
  bool given_up, stalled;    /* so it ended: after that time, or (stalled) since nothing came any more */
};

/* How long it takes; all zero at first. */
struct board_progress {
  bool begun;
  uint64_t since, told;
};
/* Seconds since the first call. Now and then they are told on stderr, with what has been judged; most 0: no limit. */
uint64_t board_progress(struct board_progress *p, const char *name, uint64_t most, const struct board_judge *judge);

/* As heddle_synchronize. Where it is not waited for any longer the grid is stopped: HEDDLE_ERROR_TIMEOUT, or, where the
 * verdict stands, HEDDLE_ERROR_TRAPPED without a trap. What takes long is told on stderr, now and then. */
enum heddle_error board_wait(struct heddle_context *c, struct board_patience *p);

#endif
