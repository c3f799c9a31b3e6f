/* SPDX-License-Identifier: Apache-2.0
 * Loops whose test stands first and whose last block jumps back to it: the part behind the test moves in front of it.
 * The last block then runs on into the loop's head and the test branches back, so that a trip takes one branch and not
 * two. Whoever comes to the loop jumps to its head instead, once. */
#include "compiler/backend/emit.h"

/* Of a loop. In a longer one a branch is little, and the part that moves comes to be fetched by a jump. */
enum { LENGTH_MOST = 64, BLOCKS_MOST = 64 };

struct rotation {
  struct block_layout *l;
  uint32_t *place;           /* in the order, by block id */
  struct mir_block **behind; /* scratch */
};

static bool is_within(const struct rotation *r, const struct mir_block *b, uint32_t from, uint32_t to) {
  return b && r->l->exit[b->id].placed && r->place[b->id] >= from && r->place[b->id] <= to;
}

/* Where the loop is left from block `at` that otherwise runs on to the next; NULL: it is not. */
static const struct mir_block *way_out(const struct rotation *r, uint32_t at, uint32_t from, uint32_t to) {
  const struct mir_block *b = r->l->order[at], *next = r->l->order[at + 1];
  const struct block_exit *e = &r->l->exit[b->id];
  if (!e->taken || e->verbatim || b->loop_depth != r->l->order[from]->loop_depth) return NULL;
  if (e->taken != next && e->next != next) return NULL;
  const struct mir_block *out = e->taken == next ? e->next : e->taken;
  return out && !is_within(r, out, from, to) ? out : NULL;
}

/* The first block that the loop may end with, or better the first whose way out is what stands behind the loop.
 * UINT32_MAX: none. */
static uint32_t find_end(const struct rotation *r, uint32_t from, uint32_t to) {
  const struct mir_block *after = to + 1 < r->l->blocks ? r->l->order[to + 1] : NULL;
  uint32_t end = UINT32_MAX;
  for (uint32_t at = from; at < to; at++) {
    const struct mir_block *out = way_out(r, at, from, to);
    if (out && out == after) return at;
    if (out && end == UINT32_MAX) end = at;
  }
  return end;
}

static bool is_long(const struct rotation *r, uint32_t from, uint32_t to) {
  uint32_t n = 0;
  if (to - from >= BLOCKS_MOST) return true;
  for (uint32_t k = from; k <= to; k++)
    for (const struct mir_insn *i = r->l->order[k]->first; i && n <= LENGTH_MOST; i = i->next) n++;
  return n > LENGTH_MOST;
}

/* A block that stands behind what it goes back to need not be a loop's last: a rare arm lies out of the way of its
 * join. Then it is entered from in front of that. */
static bool is_entered_at_first_only(const struct rotation *r, uint32_t from, uint32_t to) {
  for (uint32_t k = from + 1; k <= to; k++) {
    const struct mir_block *b = r->l->order[k];
    for (unsigned p = 0; p < b->preds; p++)
      if (r->l->exit[b->pred[p]->id].placed && r->place[b->pred[p]->id] < from) return false;
  }
  return true;
}

/* [from .. end] changes places with [end + 1 .. to]. */
static void turn(struct rotation *r, uint32_t from, uint32_t end, uint32_t to) {
  const uint32_t first = to - end, count = to - from + 1;
  for (uint32_t k = 0; k < count; k++) r->behind[k] = r->l->order[k < first ? end + 1 + k : from + k - first];
  for (uint32_t k = 0; k < count; k++) {
    r->l->order[from + k] = r->behind[k];
    r->place[r->behind[k]->id] = from + k;
  }
}

void block_layout_rotate(struct block_layout *l) {
  struct rotation r = {.l = l};
  r.place = ptx_alloc(l->f->arena, (l->f->blocks + 1) * sizeof *r.place);
  r.behind = ptx_alloc(l->f->arena, BLOCKS_MOST * sizeof(struct mir_block *));
  for (uint32_t k = 0; k < l->blocks; k++) r.place[l->order[k]->id] = k;
  for (uint32_t to = 0; to < l->blocks; to++) {
    const struct block_exit *e = &l->exit[l->order[to]->id];
    if (e->verbatim || e->taken || !e->next || !is_within(&r, e->next, 1, to)) continue;
    const uint32_t from = r.place[e->next->id];
    if (l->order[from]->loop_depth == 0 || is_long(&r, from, to) || !is_entered_at_first_only(&r, from, to)) continue;
    const uint32_t end = find_end(&r, from, to);
    if (end != UINT32_MAX) turn(&r, from, end, to);
  }
}
