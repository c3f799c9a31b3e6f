/* SPDX-License-Identifier: Apache-2.0
 *
 * A board asked step by step (docs/bring-up.md): each step stands on those before it, and the first one that fails says
 * which part of the board is broken, as far as the line can tell. */
#ifndef HEDDLE_BRING_UP_H
#define HEDDLE_BRING_UP_H

#include <jansson.h>

#include "firmware/board/open.h"

struct bring_up_options {
  const char *name;  /* of the board, as board_open takes it */
  uint64_t march;    /* words of the march test; 0: all, of a simulated board a few */
  uint64_t limit;    /* seconds of a launch */
  uint64_t campaign; /* seconds of random programs */
  uint64_t seed;     /* of kernels' data and of programs */
};

/* Tells each step on stdout. enum tool_exit: TOOL_OK, TOOL_DIFFERENCE, TOOL_MISSING where the line cannot be opened.
 * *report: all of it, the caller's. */
int board_bring_up(const struct bring_up_options *o, json_t **report);

#endif
