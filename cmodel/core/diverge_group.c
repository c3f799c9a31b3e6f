/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups of the `its` unit: all runnable lanes that have one PC. The
 * current one is `active` at `pc`, as a path of the stack unit would be, so
 * that convergent code runs alike under both; the others are path[0 .. depth).
 * Straight-line code meets another group only at the next higher PC of one:
 * the fence of the warp stands there.
 */
#include <assert.h>

#include "state.h"

/* Alone: a diverged warp looks this often, in issues, whether a group has waited too long. */
#define LOOK_EVERY 64u
/* Then even the last of 31 groups that have waited so long issues in time. (A warp that was convergent at the start of
 * its turn looks only after a quantum.) */
#define WAIT_ENOUGH 1536u

static uint32_t earlier(uint32_t a, uint32_t b) {
  return (int32_t)(a - b) < 0 ? a : b;
}

static void fence_set(const struct heddle_model *m, struct warp *w) {
  uint32_t nearest = m->ops;
  for (unsigned d = 0; d < w->depth; d++) {
    const uint32_t i = op_index(w->path[d].pc);
    if (w->path[d].pc > w->pc && i < nearest) nearest = i;
  }
  w->fence = nearest;
}

void group_join(struct warp *w, uint32_t lanes, uint32_t pc, uint32_t since) {
  if (lanes == 0) return;
  unsigned d = 0;
  while (d < w->depth && w->path[d].pc != pc) d++;
  if (d == w->depth) {
    assert(d < PATHS_MAX);
    w->path[w->depth++] = (struct path){lanes, pc, since};
    return;
  }
  w->path[d].mask |= lanes;
  w->path[d].since = earlier(since, w->path[d].since);
}

/* As of path[]: it has waited only when it has not issued since it was taken. */
static uint32_t group_since(const struct warp *w, uint32_t next) {
  return w->taken == next ? w->since : next;
}

void group_put_back(struct warp *w, uint32_t next) {
  group_join(w, w->active, w->pc, group_since(w, next));
  w->active = 0;
}

void group_take(const struct heddle_model *m, struct warp *w, unsigned d, uint32_t next) {
  const struct path p = w->path[d];
  w->path[d] = w->path[--w->depth];
  w->active = p.mask;
  w->pc = p.pc;
  w->since = p.since;
  w->taken = next;
  fence_set(m, w);
}

/* The group with the next higher PC, cyclically. */
static unsigned next_higher(const struct warp *w, uint32_t pc) {
  unsigned best = 0;
  for (unsigned d = 1; d < w->depth; d++)
    if (w->path[d].pc - pc - 1 < w->path[best].pc - pc - 1) best = d;
  return best;
}

void group_follow(const struct heddle_model *m, struct warp *w, uint32_t lanes, bool turn, uint32_t next) {
  uint32_t from = w->pc, first = 0; /* the lowest of the lanes that is runnable */
  unsigned mine = 0;
  w->active = 0;
  if (w->depth == 0) return;
  for (unsigned d = 0; d < w->depth; d++) {
    const uint32_t here = w->path[d].mask & lanes, low = here & (0u - here);
    if (low == 0 || (first != 0 && low > first)) continue;
    first = low;
    mine = d;
    from = w->path[d].pc;
  }
  if (turn || first == 0) {
    mine = next_higher(w, from);
    w->back = 0;
  }
  group_take(m, w, mine, next);
}

struct path group_starved(const struct warp *w, uint32_t pc) {
  const struct path current = {w->active, w->pc, group_since(w, w->seq)};
  if (current.pc != pc && w->seq - current.since >= GROUP_WAIT_MAX) return current;
  for (unsigned d = 0; d < w->depth; d++)
    if (w->path[d].pc != pc && w->seq - w->path[d].since >= GROUP_WAIT_MAX) return w->path[d];
  return (struct path){0, 0, 0};
}

bool warp_meet(const struct heddle_model *m, struct warp *w) {
  for (unsigned d = 0; d < w->depth && w->its && w->active != 0; d++) {
    if (w->path[d].pc != w->pc) continue;
    w->since = earlier(group_since(w, w->seq), w->path[d].since);
    w->taken = w->seq;
    w->active |= w->path[d].mask;
    w->path[d] = w->path[--w->depth];
    break; /* groups have different PCs */
  }
  if (w->its) fence_set(m, w);
  return op_index(w->pc) < m->ops;
}

unsigned warp_turn(const struct heddle_model *m, struct warp *w, unsigned quantum) {
  if (!w->its || w->depth == 0) return quantum;
  unsigned oldest = 0;
  for (unsigned d = 1; d < w->depth; d++)
    if (w->seq - w->path[d].since > w->seq - w->path[oldest].since) oldest = d;
  if (w->seq - w->path[oldest].since >= WAIT_ENOUGH) {
    group_put_back(w, w->seq);
    group_take(m, w, oldest, w->seq);
  }
  return quantum < LOOK_EVERY ? quantum : LOOK_EVERY;
}
