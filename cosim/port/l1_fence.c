/* SPDX-License-Identifier: Apache-2.0
 *
 * Acknowledgements, and the fences that wait for them.
 */
#include <string.h>

#include "cosim/port/l1_internal.h"

/* Is this one of those that the fence waits for? */
static bool counts(const struct l1 *c, const struct fence *f, const struct access *e) {
  if (f->scope != L1_GPU || e->order > f->upto) return false;
  if (bug(c, BUG_FENCE_OWN_WARP) && e->r.slot != f->slot) return false;
  if (bug(c, BUG_FENCE_NO_ATOMICS) && e->r.kind == HEDDLE_LINE_PORT_ATOM) return false;
  return !bug(c, BUG_FENCE_UNSENT) || (e->sent && e->sent_at <= f->since);
}

/* Memory has performed a store or atomic; what it answered with an error it has not. Nobody is told of local memory. */
void l1_acknowledge(struct l1 *c, struct access *e) {
  if (e->acked) return;
  e->acked = true;
  if (!e->err && !e->r.is_local) l1_event(c, L1_ACK, e)->lanes = lanes_in(&e->r, e->r.sectors);
  for (unsigned i = 0; i < c->fences; i++) {
    struct fence *f = &c->fence[i];
    if (!counts(c, f, e) || f->left == 0) continue;
    f->left--;
    if (bug(c, BUG_ACK_TWICE) && e->r.kind == HEDDLE_LINE_PORT_ATOM && f->left != 0) f->left--;
  }
}

static void emptied(struct l1 *c, const struct fence *f) {
  const bool ivall = f->scope == L1_EMPTY;
  if (!bug(c, ivall ? BUG_IVALL_KEEPS : BUG_FENCE_KEEPS) && (ivall || !bug(c, BUG_FENCE_FIRST))) l1_empty(c);
  struct l1_event *e = l1_event(c, L1_DROP, NULL);
  e->slot = f->slot;
  e->gen = f->gen;
  e->seq = f->seq;
  e->all = true;
  e->cause = ivall ? L1_IVALL : L1_BY_FENCE;
}

/* The channel stops no warp: one that fences again while its fence waits is told of the last one, for both. */
static struct fence *fence_place(struct l1 *c, uint8_t slot) {
  for (unsigned i = 0; i < c->fences; i++)
    if (c->fence[i].slot == slot) return &c->fence[i];
  return c->fences < L1_FENCES ? &c->fence[c->fences++] : NULL;
}

bool heddle_l1_fence(struct l1 *c, uint8_t slot, uint8_t gen, uint32_t seq, enum l1_scope scope) {
  const unsigned before = c->fences;
  struct fence *f = fence_place(c, slot);
  if (f == NULL) return false;
  if (c->fences == before && f->scope == L1_GPU && scope != L1_GPU) {
    f->gen = gen;
    f->seq = seq;
    f->told = scope;
    return true;
  }
  *f = (struct fence){
      .slot = slot, .gen = gen, .seq = seq, .scope = scope, .told = scope, .upto = c->passed, .since = c->cycle};
  for (unsigned t = 0; t < c->o.tags; t++) {
    const struct access *e = &c->access[t];
    if (e->where == AWAY && writes(e) && !e->acked && counts(c, f, e)) f->left++;
  }
  if (scope == L1_GPU && bug(c, BUG_FENCE_FIRST)) l1_empty(c);
  return true;
}

bool heddle_l1_fenced(const struct l1 *c, uint8_t slot) {
  for (unsigned i = 0; i < c->fences; i++)
    if (c->fence[i].slot == slot) return false;
  return true;
}

/* A fence ends before its warp's next request passes. */
bool l1_held(const struct l1 *c, unsigned slot) {
  return !bug(c, BUG_FENCE_NO_HOLD) && !heddle_l1_fenced(c, (uint8_t)slot);
}

static void end_fence(struct l1 *c, unsigned i) {
  const struct fence f = c->fence[i];
  if (f.scope != L1_CTA) emptied(c, &f);
  struct l1_event *e = l1_event(c, L1_FENCE, NULL);
  e->slot = f.slot;
  e->gen = f.gen;
  e->seq = f.seq;
  e->scope = (uint8_t)f.told;
  c->ended = f.slot;
  c->stats.fences++;
  c->moved = c->cycle;
  memmove(&c->fence[i], &c->fence[i + 1], (--c->fences - i) * sizeof f);
  for (unsigned k = 0; k < c->fences && bug(c, BUG_FENCE_OTHERS); k++) c->fence[k].left = 0;
}

/* One a cycle. */
void l1_fences(struct l1 *c) {
  c->ended = -1;
  for (unsigned i = 0; i < c->fences; i++) {
    if (c->fence[i].left != 0) continue;
    end_fence(c, i);
    return;
  }
}
