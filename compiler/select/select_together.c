/* SPDX-License-Identifier: Apache-2.0
 *
 * Where are all lanes of a warp together (but those that have ended)? A branch that parts them stands between the BSSY
 * and the BSYNC of a barrier, or of one further out (converge.c): once none is open any more, they have all come
 * together. A branch that parts them where none is open, or a YIELD, which may let lanes go on before the others, has
 * lost them for good; but not a branch that only leads some to their end.
 */
#include "compiler/calls/call.h"
#include "compiler/select/select.h"

#define LOST (UINT32_C(1) << 16)

static uint32_t open_behind(const struct ir_insn *i, uint32_t open) {
  if (i->op == IR_BSSY) return open | UINT32_C(1) << (i->converging.barrier & 15);
  if (i->op == IR_BSYNC) return open & ~(UINT32_C(1) << (i->converging.barrier & 15));
  if (i->op == IR_CALL && (i->calling.spins || open == 0)) return open | LOST; /* they come back one by one */
  return i->op == IR_YIELD ? open | LOST : open;
}

static bool only_ends(const struct ir_block *b) {
  return b->first && b->first->op == IR_EXIT && !b->first->guard;
}

static bool parts_lanes(const struct ir_block *b) {
  const struct ir_insn *i = b->last;
  if ((i->op != IR_CBR && i->op != IR_BRX) || i->src[0].kind != IR_VALUE || i->src[0].value->uniform) return false;
  unsigned ways = 0;
  for (unsigned k = 0; k < b->succs; k++) ways += !only_ends(b->succ[k]);
  return ways > 1;
}

void sel_find_open(struct select *s) {
  const uint32_t n = s->ir->blocks;
  struct ir_block **queue = ptx_alloc(s->ir->arena, (n + 1) * sizeof(struct ir_block *));
  bool *queued = ptx_alloc(s->ir->arena, n + 1), *reached = ptx_alloc(s->ir->arena, n + 1);
  uint32_t count = 0;
  s->open = ptx_alloc(s->ir->arena, (n + 1) * sizeof *s->open);
  queue[count++] = s->ir->first; /* not all at once: in front of its BSSY a branch would seem to stand outside of it */
  if (s->ir->node && s->ir->node->apart) s->open[s->ir->first->id] = LOST; /* as they were called */
  while (count) {
    const struct ir_block *b = queue[--count];
    uint32_t open = s->open[b->id];
    queued[b->id] = false;
    reached[b->id] = true;
    for (const struct ir_insn *i = b->first; i; i = i->next) open = open_behind(i, open);
    if (open == 0 && parts_lanes(b)) open = LOST;
    for (unsigned k = 0; k < b->succs; k++) {
      struct ir_block *to = b->succ[k];
      if (reached[to->id] && (s->open[to->id] | open) == s->open[to->id]) continue;
      s->open[to->id] |= open;
      if (queued[to->id]) continue;
      queued[to->id] = true;
      queue[count++] = to;
    }
  }
}

void sel_together(struct select *s) {
  s->open[s->at->id] = open_behind(s->insn, s->open[s->at->id]); /* from here on, that of this place */
  s->together = s->open[s->at->id] == 0;
}
