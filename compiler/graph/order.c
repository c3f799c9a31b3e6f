/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks in reverse postorder of a depth-first walk from the entry.
 */
#include "compiler/graph/pass.h"

#include <string.h>

struct step {
  struct ir_block *b;
  unsigned
      left; /* successors not yet looked at: from the last to the first, so that the first comes first in the order */
};

static uint32_t walk(struct ir_function *f, struct ir_block **by_post, bool *seen) {
  struct step *stack = ptx_alloc(f->arena, ((size_t)f->blocks + 1) * sizeof *stack);
  uint32_t depth = 0, done = 0;
  stack[depth++] = (struct step){f->first, f->first->succs};
  seen[f->first->id] = true;
  while (depth) {
    struct step *s = &stack[depth - 1];
    if (!s->left) {
      by_post[done++] = s->b;
      depth--;
      continue;
    }
    struct ir_block *to = s->b->succ[--s->left];
    if (seen[to->id]) continue;
    seen[to->id] = true;
    stack[depth++] = (struct step){to, to->succs};
  }
  return done;
}

struct pass_order *pass_order(struct ir_function *f) {
  struct pass_order *o = ptx_alloc(f->arena, sizeof *o);
  bool *seen = ptx_alloc(f->arena, f->blocks);
  o->block = ptx_alloc(f->arena, f->blocks * sizeof *o->block);
  o->rank = ptx_alloc(f->arena, f->blocks * sizeof *o->rank);
  o->count = walk(f, o->block, seen);
  for (uint32_t i = 0, j = o->count; i + 1 < j--; i++) {
    struct ir_block *t = o->block[i];
    o->block[i] = o->block[j];
    o->block[j] = t;
  }
  memset(o->rank, 0xff, f->blocks * sizeof *o->rank);
  for (uint32_t k = 0; k < o->count; k++) o->rank[o->block[k]->id] = k;
  return o;
}
