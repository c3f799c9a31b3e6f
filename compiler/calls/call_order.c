/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that are not inlined, callers before callees, each with what all its callers say: how many registers there
 * are, which convergence barriers are taken, whether a barrier between warps can follow, which arguments are the same
 * in all threads. Kernels have been compiled before.
 */
#include "compiler/calls/call.h"

static unsigned stricter(unsigned a, unsigned b) {
  return a == 0 || (b > 0 && b < a) ? b : a;
}

unsigned call_register_limit(const struct call_node *n, unsigned max_regs) {
  return n ? stricter(stricter(max_regs, n->max_regs), n->function ? n->function->maxnreg : 0) : max_regs;
}

/* In a component each may be called by any. */
static void share_callers(struct call_node *const *member, uint32_t n) {
  struct call_node all = {0};
  for (uint32_t k = 0; k < n; k++) {
    if (member[k]->first_rank > all.first_rank) all.first_rank = member[k]->first_rank;
    all.before_bar = all.before_bar || member[k]->before_bar;
    all.apart = all.apart || member[k]->apart || member[k]->recursive;
    all.varying |= member[k]->recursive ? UINT32_MAX : member[k]->varying;
    all.max_regs = stricter(all.max_regs, member[k]->max_regs);
  }
  for (uint32_t k = 0; k < n; k++) {
    member[k]->first_rank = all.first_rank;
    member[k]->before_bar = all.before_bar;
    member[k]->apart = all.apart;
    member[k]->varying = all.varying;
    member[k]->max_regs = all.max_regs;
  }
}

/* What is called through a register is called from where that is done, and each thread may have another target. */
static void limit_callees(const struct call_node *n, unsigned max_regs) {
  const unsigned limit = call_register_limit(n, max_regs);
  for (const struct call_edge *e = n->calls; e && n->reached; e = e->next) {
    e->to->max_regs = stricter(e->to->max_regs, limit);
    if (n->function) continue;
    if (n->first_rank > e->to->first_rank) e->to->first_rank = n->first_rank;
    e->to->before_bar = e->to->before_bar || n->before_bar;
    e->to->apart = true;
    e->to->varying = UINT32_MAX;
  }
}

void call_each(struct call_graph *g, unsigned max_regs, void (*compile)(void *ctx, const struct ptx_function *f),
               void *ctx) {
  for (uint32_t end = g->nodes, first; end > 0; end = first) {
    for (first = end - 1; first > 0 && g->order[first - 1]->component == g->order[end - 1]->component;) first--;
    share_callers(&g->order[first], end - first);
    for (uint32_t k = first; k < end; k++) {
      const struct call_node *n = g->order[k];
      if (n->function && !n->function->entry && n->out_of_line && n->reached) compile(ctx, n->function);
    }
    for (uint32_t k = first; k < end; k++) limit_callees(g->order[k], max_regs);
  }
}
