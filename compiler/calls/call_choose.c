/* SPDX-License-Identifier: Apache-2.0
 *
 * Which functions stay out of line.
 *
 *  - Always: those that can come to call themselves, and those whose address is taken.
 *  - Never: the others that are called once, or are small, or use dynamic shared memory (which lies elsewhere in each
 *    kernel), as far as that can be had.
 *  - Never, too: those others that are reached with fewer registers than the convention of calls names.
 *  - Else those for which size times number of call sites passes GROWTH_MOST: a chain of functions that each call the
 *    next one twice then stays as long as it was written, and not 2^n times so. The size counts what is inlined.
 *
 * Sizes go from callees to callers, in the order of strongly connected components (Tarjan's, without recursion).
 */
#include "compiler/calls/call.h"

enum { SMALL = 64, GROWTH_MOST = 1 << 12 };

struct frame {
  struct call_node *node;
  struct call_edge *next;
};

struct search {
  struct call_graph *g;
  uint32_t *number, *low; /* by index; number 0: not seen */
  bool *open;
  struct call_node **path; /* seen, and of no component yet */
  struct frame *stack;
  uint32_t depth, paths, count, ordered;
};

static void enter(struct search *s, struct call_node *n) {
  s->number[n->index] = s->low[n->index] = ++s->count;
  s->path[s->paths++] = n;
  s->open[n->index] = true;
  s->stack[s->depth++] = (struct frame){n, n->calls};
}

static bool calls_itself(const struct call_node *n) {
  for (const struct call_edge *e = n->calls; e; e = e->next)
    if (e->to == n) return true;
  return false;
}

/* All that is on the path from n on is one component. */
static void close_component(struct search *s, struct call_node *n) {
  struct call_node *m, *mates = NULL;
  bool recursive = s->path[s->paths - 1] != n || calls_itself(n);
  do {
    m = s->path[--s->paths];
    s->open[m->index] = false;
    m->component = s->g->components;
    m->recursive = recursive;
    m->mate = mates;
    mates = m;
    s->g->order[s->ordered++] = m;
  } while (m != n);
  s->g->components++;
}

static void leave_node(struct search *s) {
  struct call_node *n = s->stack[--s->depth].node;
  if (s->low[n->index] == s->number[n->index]) close_component(s, n);
  if (!s->depth) return;
  struct call_node *from = s->stack[s->depth - 1].node;
  if (s->low[n->index] < s->low[from->index]) s->low[from->index] = s->low[n->index];
}

static void visit_node(struct search *s, struct call_node *n) {
  if (s->number[n->index]) return;
  enter(s, n);
  while (s->depth) {
    struct frame *f = &s->stack[s->depth - 1];
    struct call_edge *e = f->next;
    if (!e) {
      leave_node(s);
      continue;
    }
    f->next = e->next;
    if (!s->number[e->to->index])
      enter(s, e->to);
    else if (s->open[e->to->index] && s->number[e->to->index] < s->low[f->node->index])
      s->low[f->node->index] = s->number[e->to->index];
  }
}

static void find_components(struct call_graph *g) {
  struct search s = {.g = g};
  const size_t n = (size_t)g->nodes + 1;
  s.number = ptx_alloc(g->arena, n * sizeof *s.number);
  s.low = ptx_alloc(g->arena, n * sizeof *s.low);
  s.open = ptx_alloc(g->arena, n);
  s.path = ptx_alloc(g->arena, n * sizeof(struct call_node *));
  s.stack = ptx_alloc(g->arena, n * sizeof *s.stack);
  g->order = ptx_alloc(g->arena, n * sizeof(struct call_node *));
  for (uint32_t k = 0; k < g->nodes; k++) visit_node(&s, &g->node[k]);
}

static bool stays_out(const struct call_node *n, bool all) {
  if (!n->function) return true;
  if (n->function->entry) return false;
  if (n->recursive || n->address_taken) return true;
  if (n->dynamic_shared || n->tight) return false;
  return all || (n->sites > 1 && n->size > SMALL && n->size > GROWTH_MOST / n->sites);
}

/* What an inlined callee does its caller does; calls that stay say so through their graph (call_spread). */
static void decide(struct call_node *n, bool all) {
  n->size = n->statements;
  for (const struct call_edge *e = n->calls; e; e = e->next) {
    const struct call_node *to = e->to;
    n->makes_calls = n->makes_calls || to->out_of_line || to->component == n->component || to->makes_calls;
    n->has_bar = n->has_bar || to->has_bar;
    n->spins = n->spins || to->spins;
    n->allocates = n->allocates || to->allocates;
    n->strong = n->strong || to->strong;
    if (to->component == n->component || to->out_of_line) continue;
    n->size = n->size + to->size < n->size ? UINT64_MAX : n->size + to->size;
    n->dynamic_shared = n->dynamic_shared || to->dynamic_shared;
  }
  n->makes_calls = n->makes_calls || n->allocates;
  n->out_of_line = stays_out(n, all);
}

/* In a component each does what any does. */
static void share_traits(struct call_graph *g, uint32_t first, uint32_t end) {
  bool bar = false, spins = false, strong = false, allocates = false;
  for (uint32_t k = first; k < end; k++) {
    bar = bar || g->order[k]->has_bar;
    spins = spins || g->order[k]->spins;
    strong = strong || g->order[k]->strong;
    allocates = allocates || g->order[k]->allocates;
  }
  for (uint32_t k = first; k < end; k++) {
    g->order[k]->has_bar = bar;
    g->order[k]->spins = spins;
    g->order[k]->allocates = allocates;
    g->order[k]->makes_calls = g->order[k]->makes_calls || allocates;
    g->order[k]->strong = strong;
  }
}

/* From kernels on; callers stand behind callees in the order, and of a component the one that has all mates last. */
static void reach_callees(struct call_graph *g) {
  for (uint32_t k = g->nodes; k-- > 0;) {
    struct call_node *n = g->order[k];
    bool alive = n->reached || (n->function && n->function->entry);
    for (const struct call_node *m = n; m && !alive; m = m->mate) alive = m->reached;
    for (struct call_node *m = n; m && alive; m = m->mate) m->reached = true;
    for (const struct call_edge *e = n->calls; e && alive; e = e->next) e->to->reached = true;
  }
}

static bool is_tight(const struct call_node *n, unsigned max_regs) {
  const unsigned limit = call_register_limit(n, max_regs);
  return limit > 0 && limit < CALL_REGISTERS;
}

/* From callers to callees, as call_each does it with limits; a component shares. What no kernel gets to counts too: it
 * is not compiled. */
static void spread_tight(struct call_graph *g, unsigned max_regs) {
  for (uint32_t end = g->nodes, first; end > 0; end = first) {
    bool tight = false;
    for (first = end; first > 0 && g->order[first - 1]->component == g->order[end - 1]->component; first--)
      tight = tight || g->order[first - 1]->tight || is_tight(g->order[first - 1], max_regs);
    for (uint32_t k = first; k < end && tight; k++) {
      g->order[k]->tight = true;
      for (struct call_edge *e = g->order[k]->calls; e; e = e->next) e->to->tight = true;
    }
  }
}

void call_choose(struct call_graph *g, bool all, unsigned max_regs) {
  find_components(g);
  spread_tight(g, max_regs);
  for (uint32_t k = 0, first = 0; k < g->nodes; k++) {
    decide(g->order[k], all);
    if (k + 1 < g->nodes && g->order[k + 1]->component == g->order[k]->component) continue;
    share_traits(g, first, k + 1);
    first = k + 1;
  }
  reach_callees(g);
}
