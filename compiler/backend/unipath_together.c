/* SPDX-License-Identifier: Apache-2.0
 * Where the threads of a warp that have not ended are together, by the rules of select_together.c, over machine
 * instructions: no convergence barrier is open, and since no branch parted them outside of one. Here the branches and
 * barriers of expansions count too. */
#include "compiler/backend/unipath.h"

#define LOST (UINT32_C(1) << 16)

static uint32_t open_behind(const struct mir_insn *i, uint32_t open) {
  const bool guarded = i->guard.kind != MIR_NONE;
  switch (i->op) {
  case ISA_OP_BSSY:
    return guarded ? LOST : open | UINT32_C(1) << (i->breg & 15);
  case ISA_OP_BSYNC:
    return guarded ? LOST : open & ~(UINT32_C(1) << (i->breg & 15));
  case ISA_OP_BREAK:
  case ISA_OP_YIELD:
    return open | LOST;
  default:
    return open;
  }
}

static bool only_ends(const struct mir_block *b) {
  return b->first && b->first->op == ISA_OP_EXIT && b->first->guard.kind == MIR_NONE;
}

/* A branch that only leads some to their end leaves the others together. */
static bool parts_warp(const struct mir_block *b) {
  bool guarded = false;
  unsigned ways = 0;
  for (const struct mir_insn *i = b->first; i; i = i->next) {
    if (i->uniform) continue;
    if (i->op == ISA_OP_BRX) return true;
    guarded = guarded || (i->op == ISA_OP_BRA && i->guard.kind != MIR_NONE);
  }
  for (unsigned k = 0; k < b->succs; k++) ways += !only_ends(b->succ[k]);
  return guarded && ways > 1;
}

static uint32_t through(const struct mir_block *b, uint32_t open) {
  for (const struct mir_insn *i = b->first; i; i = i->next) open = open_behind(i, open);
  return open == 0 && parts_warp(b) ? LOST : open;
}

static void mark_block(struct unipath *u, const struct mir_block *b, uint32_t open) {
  for (const struct mir_insn *i = b->first; i; i = i->next) {
    open = open_behind(i, open);
    u->site[i->mark].together = open == 0;
  }
}

void unipath_together(struct unipath *u) {
  const struct mir_function *f = u->f;
  const struct mir_block **queue = live_alloc(f, (f->blocks + 1) * sizeof(struct mir_block *));
  bool *queued = live_alloc(f, f->blocks + 1), *reached = live_alloc(f, f->blocks + 1);
  uint32_t *open = live_alloc(f, (f->blocks + 1) * sizeof *open), count = 0;
  queue[count++] = f->first; /* not all at once: in front of its BSSY a branch would seem to stand outside of it */
  while (count) {
    const struct mir_block *b = queue[--count];
    const uint32_t out = through(b, open[b->id]);
    queued[b->id] = false;
    reached[b->id] = true;
    for (unsigned k = 0; k < b->succs; k++) {
      const struct mir_block *to = b->succ[k];
      if (reached[to->id] && (open[to->id] | out) == open[to->id]) continue;
      open[to->id] |= out;
      if (queued[to->id]) continue;
      queued[to->id] = true;
      queue[count++] = to;
    }
  }
  for (const struct mir_block *b = f->first; b; b = b->next) mark_block(u, b, reached[b->id] ? open[b->id] : LOST);
}
