/* SPDX-License-Identifier: Apache-2.0
 *
 * Who calls whom: one walk over the statements of a module. A name counts as what the module says it is unless the
 * function declares it itself. Addresses of functions may be taken by any operand that is not the callee of a call, by
 * lists of targets, and by initialisers.
 */
#include "compiler/calls/call.h"

#include <string.h>

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
