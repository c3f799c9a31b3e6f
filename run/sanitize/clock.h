/* SPDX-License-Identifier: Apache-2.0
 *
 * What a thread knows to have happened: of each warp's lanes the accesses up to a time. A warp's time goes up at its
 * barriers and fences, so that one number stands for all that its lanes did between two of them (FastTrack's epochs,
 * for warps). Clocks do not change once they are made, and are shared by whoever knows the same. */
#ifndef HEDDLE_SANITIZE_CLOCK_H
#define HEDDLE_SANITIZE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLOCK_ALL 0xffffffffu

/* Accesses of these lanes of warp `warp` (a number in the whole launch, from 1) up to `time`. */
struct clock_item {
  uint32_t warp, lanes, time;
};

struct clock {
  uint32_t refs, items;
  struct clock_item item[]; /* by warp, of one warp the latest time first */
};

/* NULL is the clock that knows nothing, here and below. */
struct clock *clock_share(struct clock *c);
void clock_drop(struct clock *c);
/* All that `a`, `b` and `more` (lanes 0: nothing) know; the caller's. NULL: nothing, or no memory (*lost is set). */
struct clock *clock_join(const struct clock *a, const struct clock *b, struct clock_item more, bool *lost);
/* *to becomes all that it and these know. */
void clock_learn(struct clock **to, struct clock *other, struct clock_item more, bool *lost);
/* Those of the lanes whose accesses at `time` it does not know. */
uint32_t clock_unknown(const struct clock *c, uint32_t warp, uint32_t lanes, uint32_t time);

#endif
