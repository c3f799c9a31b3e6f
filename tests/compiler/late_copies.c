/* SPDX-License-Identifier: Apache-2.0
 * The copies of each warp in the order of their issue, and its groups. */
#include "late_copies.h"

#include <string.h>

#include <heddle/hazard.h>
#include <heddle/isa_tables.h>

enum { WARPS = 32, MOST = 4096 };

struct late_warp {
  uint32_t copy[MOST], lanes[MOST], copies, done; /* the first `done` have been performed */
  uint32_t group[MOST], groups;                   /* copies before each */
  bool ended;
};

struct late {
  struct heddle_model *m;
  struct late_warp warp[WARPS];
  unsigned copies;
};

static enum heddle_status copies_until(struct late *l, unsigned w, uint32_t end) {
  static struct heddle_performed p;
  struct late_warp *x = &l->warp[w];
  enum heddle_status s = HEDDLE_OK;
  for (; s == HEDDLE_OK && x->done < end; x->done++) {
    s = heddle_perform(l->m, w, x->copy[x->done], x->lanes[x->done], &p);
    if (s == HEDDLE_OK) s = heddle_perform_store(l->m, w, x->copy[x->done], x->lanes[x->done], &p);
  }
  return s;
}

/* All groups but the last k. */
static enum heddle_status groups_but(struct late *l, unsigned w, unsigned k) {
  const struct late_warp *x = &l->warp[w];
  return x->groups > k ? copies_until(l, w, x->group[x->groups - 1 - k]) : HEDDLE_OK;
}

static enum heddle_status issued(struct late *l, unsigned w, const struct heddle_effect *e) {
  static struct heddle_performed p;
  struct late_warp *x = &l->warp[w];
  if (e->traps) return HEDDLE_TRAPPED;
  if (e->mem_kind == HEDDLE_ACCESS_COPY && e->mem_lanes != 0) {
    if (x->copies == MOST) return HEDDLE_LIMIT;
    x->copy[x->copies] = e->seq;
    x->lanes[x->copies++] = e->mem_lanes;
    l->copies++;
    return HEDDLE_OK;
  }
  if (e->dec.op == ISA_OP_LDGDEPBAR && e->dec.ctl.wbar == HEDDLE_HAZARD_GROUPS) {
    if (x->groups == MOST) return HEDDLE_LIMIT;
    x->group[x->groups++] = x->copies;
  }
  if (e->dec.op == ISA_OP_DEPBAR_LE && e->exec != 0 && heddle_isa_get(e->dec.word, ISA_F_SBN) == HEDDLE_HAZARD_GROUPS)
    return groups_but(l, w, (unsigned)heddle_isa_get(e->dec.word, ISA_F_SBK));
  return heddle_perform_whole(l->m, w, e, &p);
}

static enum heddle_status step(struct late *l, unsigned w, unsigned bslot) {
  static struct heddle_effect e;
  enum heddle_status s = heddle_warp_issue(l->m, w, &e);
  if (s == HEDDLE_STATE) { /* a fence that waits for copies */
    s = copies_until(l, w, l->warp[w].copies);
    if (s == HEDDLE_OK) s = heddle_warp_issue(l->m, w, &e);
  }
  if (s == HEDDLE_OK) s = issued(l, w, &e);
  l->warp[w].ended = s == HEDDLE_OK && e.warp_ended;
  for (unsigned id = 0; s == HEDDLE_OK && id < 16 && (e.bar_wait || e.warp_ended); id++)
    (void)heddle_barrier_release(l->m, bslot, id); /* refused where it is not complete */
  return s;
}

static enum heddle_status block(struct late *l, uint32_t n, unsigned warps) {
  uint8_t slot[WARPS];
  for (unsigned w = 0; w < warps; w++) slot[w] = (uint8_t)w;
  memset(l->warp, 0, sizeof l->warp);
  enum heddle_status s = heddle_block_start(l->m, 0, (const uint32_t[3]){n, 0, 0}, slot, warps);
  for (bool moves = true; s == HEDDLE_OK && moves;) {
    moves = false;
    for (unsigned w = 0; w < warps && s == HEDDLE_OK; w++) {
      if (l->warp[w].ended || heddle_warp_waiting(l->m, w)) continue;
      moves = true;
      s = step(l, w, 0);
    }
  }
  for (unsigned w = 0; w < warps && s == HEDDLE_OK; w++) s = copies_until(l, w, l->warp[w].copies);
  return s == HEDDLE_OK ? heddle_block_end(l->m, 0) : s;
}

enum heddle_status late_run(struct heddle_model *m, const struct heddle_launch *launch, unsigned *copies) {
  static struct late l;
  enum heddle_status s = HEDDLE_OK;
  l = (struct late){.m = m};
  for (uint32_t n = 0; s == HEDDLE_OK && n < launch->grid[0]; n++) s = block(&l, n, (launch->block[0] + 31) / 32);
  *copies = l.copies;
  return s == HEDDLE_OK ? heddle_model_end(m) : s;
}
