/* SPDX-License-Identifier: Apache-2.0
 *
 * Who calls whom, which functions stay out of line, and in which order those are compiled.
 */
#include <string.h>
#include "compiler/calls/call.h"

/* Who calls whom: one walk over the statements of a module. A name counts as what the module says it is unless the
 * function declares it itself. Addresses of functions may be taken by any operand that is not the callee of a call, by
 * lists of targets, and by initialisers. */

struct walk {
  struct call_graph *g;
  struct call_node *at;
  struct map own;              /* names that the function declares */
  struct map shared;           /* names of dynamic shared variables of the module */
  const struct map *functions; /* name -> node */
  bool strong, back; /* waits for memory, perhaps: strong accesses, and branches to labels that have been seen */
  struct map labels;
};

struct call_node *call_node_named(const struct call_graph *g, const char *name) {
  return ptx_map_get(&g->by_name, name);
}

struct call_node *call_node_of(const struct call_graph *g, const struct ptx_function *f) {
  struct call_node *n = f ? call_node_named(g, f->name) : g->indirect;
  return n && n->function == f ? n : NULL;
}

static void add_edge(struct call_graph *g, struct call_node *from, struct call_node *to) {
  struct call_edge *e = ptx_alloc(g->arena, sizeof *e);
  *e = (struct call_edge){.to = to, .next = from->calls};
  from->calls = e;
  to->sites++;
}

static struct call_node *function_named(const struct walk *w, const char *name) {
  return name && !ptx_map_has(&w->own, name) ? call_node_named(w->g, name) : NULL;
}

/* By a function, or by an initialiser. */
static void take_address(struct call_graph *g, struct call_node *by, struct call_node *n) {
  if (n->function->entry) return;
  if (by)
    add_edge(g, by, n);
  else
    n->reached = true;
  if (!n->address_taken) add_edge(g, g->indirect, n);
  n->address_taken = true;
}

static void note_operand(struct walk *w, const struct ptx_operand *o) {
  if (o->kind == PTX_OP_NAME || o->kind == PTX_OP_SYMBOL) {
    struct call_node *n = function_named(w, o->name);
    if (n) take_address(w->g, w->at, n);
    if (ptx_map_has(&w->shared, o->name) && !ptx_map_has(&w->own, o->name)) w->at->dynamic_shared = true;
    if (ptx_map_has(&w->labels, o->name)) w->back = true;
  }
  if (o->kind == PTX_OP_SREG && strcmp(o->name, "%dynamic_smem_size") == 0) w->at->dynamic_shared = true;
  for (unsigned k = 0; k < o->elements; k++) note_operand(w, &o->element[k]);
}

static void note_call(struct walk *w, const struct ptx_statement *s) {
  unsigned k = s->operands && s->operand[0].kind == PTX_OP_LIST ? 1 : 0;
  struct call_node *n =
      k < s->operands && s->operand[k].kind == PTX_OP_NAME ? function_named(w, s->operand[k].name) : NULL;
  bool direct = k < s->operands && s->operand[k].kind == PTX_OP_NAME && s->operand[k].name[0] != '%';
  if (n)
    add_edge(w->g, w->at, n);
  else if (!direct || ptx_map_has(&w->own, s->operand[k].name))
    add_edge(w->g, w->at, w->g->indirect);
  for (unsigned j = 0; j < s->operands; j++)
    if (j != k || !n) note_operand(w, &s->operand[j]);
}

static bool is_strong(const struct ptx_statement *s) {
  static const char *const words[] = {"atom", "volatile", "relaxed", "acquire", "mmio", "acq_rel", "mbarrier"};
  for (unsigned k = 0; k < s->words; k++)
    for (size_t n = 0; n < sizeof words / sizeof *words; n++)
      if (strcmp(s->word[k], words[n]) == 0) return true;
  return false;
}

static void note_instruction(struct walk *w, const struct ptx_statement *s) {
  if (strcmp(s->word[0], "bar") == 0 || strcmp(s->word[0], "barrier") == 0) w->at->has_bar = true;
  if (strcmp(s->word[0], "alloca") == 0) w->at->allocates = true;
  w->strong = w->strong || is_strong(s);
  if (strcmp(s->word[0], "call") == 0) {
    note_call(w, s);
    return;
  }
  for (unsigned k = 0; k < s->operands; k++) note_operand(w, &s->operand[k]);
}

static void note_scope(struct walk *w, const struct ptx_scope *s) {
  struct ptx_arena *a = w->g->arena;
  for (const struct ptx_variable *v = s->variables; v; v = v->next) {
    bool local = v->space == PTX_LOCAL || v->space == PTX_PARAM;
    if (local && v->align > w->g->stack_align) w->g->stack_align = v->align;
    if (v->space == PTX_SHARED && v->is_extern) w->at->dynamic_shared = true;
    ptx_map_put(a, &w->own, v->name, NULL);
  }
  for (const struct ptx_statement *t = s->statements; t; t = t->next) {
    w->at->statements++;
    if (t->kind == PTX_INSTRUCTION) {
      note_instruction(w, t);
    } else if (t->kind == PTX_BLOCK) {
      note_scope(w, t->scope);
    } else if (t->kind == PTX_LABEL) {
      ptx_map_put(a, &w->labels, t->name, NULL);
    } else {
      for (unsigned k = 0; k < t->operands; k++) note_operand(w, &t->operand[k]);
    }
  }
}

static void note_function(struct call_graph *g, struct call_node *n, const struct map *shared) {
  struct walk w = {.g = g, .at = n, .shared = *shared};
  for (const struct ptx_variable *v = n->function->parameters; v; v = v->next)
    ptx_map_put(g->arena, &w.own, v->name, NULL);
  for (const struct ptx_variable *v = n->function->results; v; v = v->next)
    ptx_map_put(g->arena, &w.own, v->name, NULL);
  note_scope(&w, n->function->body);
  n->strong = w.strong;
  n->spins = w.strong && w.back;
}

/* Of names declared twice the first body counts; lowering tells of the others. */
static void add_nodes(struct call_graph *g) {
  uint32_t bodies = 0;
  for (const struct ptx_function *f = g->module->functions; f; f = f->next) bodies += f->body != NULL;
  g->node = ptx_alloc(g->arena, ((size_t)bodies + 1) * sizeof *g->node);
  for (const struct ptx_function *f = g->module->functions; f; f = f->next) {
    if (!f->body) continue;
    if (ptx_map_has(&g->by_name, f->name)) continue;
    struct call_node *n = &g->node[g->nodes];
    *n = (struct call_node){.function = f, .index = g->nodes++};
    ptx_map_put(g->arena, &g->by_name, f->name, n);
  }
  g->indirect = &g->node[g->nodes];
  *g->indirect = (struct call_node){.index = g->nodes++, .out_of_line = true};
}

struct call_graph *call_graph_new(struct ptx_module *m) {
  struct call_graph *g = ptx_alloc(m->arena, sizeof *g);
  struct map shared = {0};
  g->arena = m->arena;
  g->module = m;
  g->stack_align = 16;
  add_nodes(g);
  for (const struct ptx_variable *v = m->variables; v; v = v->next) {
    if (v->space == PTX_SHARED && v->is_extern) ptx_map_put(g->arena, &shared, v->name, NULL);
    for (unsigned k = 0; k < v->init_addresses; k++) {
      struct call_node *n = call_node_named(g, v->init_address[k].name);
      if (n) take_address(g, NULL, n);
    }
  }
  for (uint32_t k = 0; k + 1 < g->nodes; k++) note_function(g, &g->node[k], &shared);
  m->calls = g;
  return g;
}

/* Functions that are not inlined, callers before callees, each with what all its callers say: how many registers there
 * are, which convergence barriers are taken, whether a barrier between warps can follow, which arguments are the same
 * in all threads. Kernels have been compiled before. */

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

/* Which functions stay out of line.
 *
 *  - Always: those that can come to call themselves, and those whose address is taken.
 *  - Never: the others that are called once, or are small, or use dynamic shared memory (which lies elsewhere in each
 *    kernel), as far as that can be had.
 *  - Never, too: those others that are reached with fewer registers than the convention of calls names.
 *  - Else those for which size times number of call sites passes GROWTH_MOST: a chain of functions that each call the
 *    next one twice then stays as long as it was written, and not 2^n times so. The size counts what is inlined.
 *
 * Sizes go from callees to callers, in the order of strongly connected components (Tarjan's, without recursion). */

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
