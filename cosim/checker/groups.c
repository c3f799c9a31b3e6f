/* SPDX-License-Identifier: Apache-2.0
 *
 * Who waits for asynchronous copies (isa/doc/14-asynchronous-copies.md). A counter that LDGSTS raises falls when it has
 * been performed, one that LDGDEPBAR raises when all older LDGSTS of the warp have; no record shows a counter, but an
 * instruction that waits for one issues no sooner.
 */
#include "cosim/checker/internal.h"

void group_closes(struct heddle_checker *c) {
  const unsigned n = c->e->fx.dec.ctl.wbar;
  if (c->e->op != ISA_OP_LDGDEPBAR || n >= COUNTERS) return;
  c->w->group[n][c->w->groups[n]++ % GROUPS] = c->e->seq;
}

/* A copy that counters still tell of. Behind a trap, or where memory answers with an error, they may say anything. */
static bool is_under_way(const struct heddle_checker *c, const struct entry *o) {
  if (!entry_copies(o) || o->store_open == 0 || o->seq >= c->e->seq) return false;
  return !(c->w->trapped && o->seq >= c->w->trap_seq) && !entry_failed(c, c->w, o);
}

/* Groups of counter n with a copy that is not older than `seq`. */
static unsigned groups_behind(const struct warp *w, unsigned n, uint32_t seq) {
  unsigned found = 0;
  for (uint32_t i = 0; i < w->groups[n] && i < GROUPS; i++) found += w->group[n][i] > seq;
  return found;
}

/* No more than k of what raises counter n is under way. */
static bool has_fallen(struct heddle_checker *c, unsigned n, unsigned k) {
  const struct entry *o, *first = NULL;
  unsigned left = 0;
  for (struct walk it = walk_open(c->w); (o = walk_next(c->w, &it)) != NULL;) {
    if (!is_under_way(c, o)) continue;
    if (first == NULL || o->seq < first->seq) first = o;
    left += o->fx.dec.ctl.wbar == n;
  }
  if (first == NULL) return true;
  left += groups_behind(c->w, n, first->seq);
  if (left <= k) return true;
  return differ_mask(c, HEDDLE_CHECKER_ORDER_GROUP, "copy", first->store_open,
                     "seq %u waits until SB%u is at most %u; %u of what raised it are under way, for the copy seq %u "
                     "(pc 0x%x) has not stored these lanes",
                     c->e->seq, n, k, left, first->seq, first->pc);
}

bool groups_performed(struct heddle_checker *c) {
  const struct entry *e = c->e;
  if (c->w->open_copies == 0 || !checker_on(c, HEDDLE_CHECKER_ORDER_GROUP)) return true;
  for (unsigned n = 0; n < COUNTERS; n++)
    if (((unsigned)e->fx.dec.ctl.wait >> n & 1u) != 0 && !has_fallen(c, n, 0)) return false;
  if (e->op != ISA_OP_DEPBAR_LE || e->exec == 0) return true;
  return has_fallen(c, (unsigned)heddle_isa_get(e->word, ISA_F_SBN), (unsigned)heddle_isa_get(e->word, ISA_F_SBK));
}
