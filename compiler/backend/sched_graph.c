/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph of a region: what must stay behind what.
 */
#include <heddle/hazard.h>
#include "compiler/backend/sched.h"

/* Order of memory accesses. Loads of a space pass each other; a store keeps its place among the accesses of its space
 * unless both have the same base and do not overlap; volatile and strong ones and atomics keep their place among all
 * accesses that could see them, barriers and fences among all. So do asynchronous copies. */

enum { GLOBAL = 1, SHARED = 2, LOCAL = 4, ANY = 7 };

static unsigned spaces_of(enum heddle_isa_mem m) {
  switch (m) {
  case ISA_MEM_GLOBAL_LOAD:
  case ISA_MEM_GLOBAL_STORE:
  case ISA_MEM_GLOBAL_ATOM:
  case ISA_MEM_GLOBAL_RED:
    return GLOBAL;
  case ISA_MEM_SHARED_LOAD:
  case ISA_MEM_SHARED_STORE:
  case ISA_MEM_SHARED_ATOM:
    return SHARED;
  case ISA_MEM_LOCAL_LOAD:
  case ISA_MEM_LOCAL_STORE:
    return LOCAL;
  case ISA_MEM_GLOBAL_COPY:
    return GLOBAL | SHARED;
  case ISA_MEM_GENERIC_LOAD:
  case ISA_MEM_GENERIC_STORE:
  case ISA_MEM_GENERIC_ATOM:
    return ANY;
  default:
    return 0;
  }
}

static bool is_load(enum heddle_isa_mem m) {
  return m == ISA_MEM_GLOBAL_LOAD || m == ISA_MEM_SHARED_LOAD || m == ISA_MEM_LOCAL_LOAD || m == ISA_MEM_GENERIC_LOAD;
}

static bool is_atomic(enum heddle_isa_mem m) {
  return m == ISA_MEM_GLOBAL_ATOM || m == ISA_MEM_SHARED_ATOM || m == ISA_MEM_GENERIC_ATOM || m == ISA_MEM_GLOBAL_RED;
}

struct sched_access sched_access_of(const struct mir_insn *i) {
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)i->op);
  const enum heddle_isa_mem m = (enum heddle_isa_mem)info->mem;
  const struct mir_operand *data = i->rd.kind != MIR_NONE ? &i->rd : &i->src[1];
  struct sched_access a = {.spaces = (uint8_t)spaces_of(m), .base = UINT32_MAX};
  a.writes = a.spaces && !is_load(m);
  a.strong = is_atomic(m) || m == ISA_MEM_GLOBAL_COPY ||
             (a.spaces && (i->ordered || mir_get(i, ISA_F_STRONG) != ISA_STRONG_WEAK));
  a.across = info->unit == ISA_UNIT_WARP || info->unit == ISA_UNIT_TENSOR || i->op == ISA_OP_LDSM_16;
  a.offset = (int64_t)mir_get(i, ISA_F_OFF24);
  a.bytes = 4u * (data->words ? data->words : 4u);
  /* The control unit's: barriers and fences, for the others are walls. CCTL too. */
  a.fence = info->unit == ISA_UNIT_BR || (info->unit == ISA_UNIT_MEM && m == ISA_MEM_NONE);
  if (a.fence) a.across = true;
  return a;
}

static bool accesses_apart(const struct sched_access *a, const struct sched_access *b) {
  return a->base == b->base && (a->offset + a->bytes <= b->offset || b->offset + b->bytes <= a->offset);
}

bool sched_conflict(const struct sched_access *first, const struct sched_access *second) {
  if (first->across && second->across) return true;
  if ((first->fence && second->spaces) || (second->fence && first->spaces)) return true;
  if (first->strong && second->strong) return true;
  if (!(first->spaces & second->spaces)) return false;
  if (first->strong || second->strong) return true;
  if (!first->writes && !second->writes) return false;
  return !accesses_apart(first, second);
}

#define FP64_LATENCY 24u /* of a machine that nobody named */

static uint32_t sched_guess(const struct mir_function *f, const struct mir_insn *i) {
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)i->op);
  switch (mir_unit(i)) {
  case ISA_UNIT_MEM:
    return spaces_of((enum heddle_isa_mem)info->mem) & (GLOBAL | LOCAL) ? 80 : 28;
  case ISA_UNIT_FP64:
    return f->fp64_latency > 0 ? f->fp64_latency : FP64_LATENCY;
  case ISA_UNIT_TENSOR:
    return 24;
  default:
    return 18;
  }
}

/* The graph of a region: readers behind writers, writers behind the readers and writers of what they replace, memory in
 * the order that it needs. */

bool sched_is_wall(const struct mir_insn *i) {
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)i->op);
  if (info->unit != ISA_UNIT_BR) return i->ordered && info->mem == ISA_MEM_NONE;
  return !info->drains; /* what drains is in order with memory, no more */
}

struct graph {
  struct sched_region *r;
  struct sched_access *access;
  struct reader { /* nodes that read a value */
    uint32_t node;
    struct reader *next;
  } * *readers; /* by value */
};

static void edge(struct graph *g, uint32_t from, uint32_t to, uint32_t latency) {
  struct sched_node *n = &g->r->node[from];
  if (from == to) return;
  if (n->out && n->out->to == to) { /* edges to one node come together */
    if (latency > n->out->latency) n->out->latency = latency;
    return;
  }
  struct sched_edge *e = live_alloc(g->r->l->f, sizeof *e);
  *e = (struct sched_edge){.to = to, .latency = latency, .next = n->out};
  n->out = e;
  g->r->node[to].waits_for++;
}

static uint32_t latency(const struct sched_region *r, const struct mir_insn *i, bool pred) {
  const struct heddle_isa_dec d = {.unit = (uint8_t)mir_unit(i)};
  if (heddle_isa_unit_is_variable((enum heddle_isa_unit)d.unit)) return sched_guess(r->l->f, i);
  return (uint32_t)heddle_hazard_latency(r->stall, &d, pred);
}

static uint32_t current_value(struct sched_region *r, uint32_t word) {
  if (r->current[word] == 0) {
    r->value[r->values] = (struct sched_value){.word = word};
    r->writer[r->values] = 0;
    r->current[word] = ++r->values;
  }
  return r->current[word] - 1;
}

static bool is_predicate(const struct sched_region *r, uint32_t word) {
  unsigned class = r->l->f->vreg[r->l->reg[word]].class;
  return class == MIR_P || class == MIR_UP;
}

static void add_word_read(struct graph *g, uint32_t n, uint32_t word) {
  struct sched_region *r = g->r;
  struct sched_node *node = &r->node[n];
  uint32_t v = current_value(r, word);
  for (unsigned k = 0; k < node->reads; k++)
    if (node->read[k] == v) return;
  node->read[node->reads++] = v;
  r->value[v].readers++;
  struct reader *x = live_alloc(r->l->f, sizeof *x);
  *x = (struct reader){.node = n, .next = g->readers[v]};
  g->readers[v] = x;
  if (r->writer[v]) edge(g, r->writer[v] - 1, n, latency(r, r->node[r->writer[v] - 1].insn, is_predicate(r, word)));
}

static void write_word(struct graph *g, uint32_t n, uint32_t word) {
  struct sched_region *r = g->r;
  struct sched_node *node = &r->node[n];
  uint32_t old = r->current[word];
  for (unsigned k = 0; k < node->writes; k++)
    if (r->value[node->wrote[k]].word == word) return; /* named twice */
  if (old) {
    if (r->writer[old - 1]) edge(g, r->writer[old - 1] - 1, n, 1);
    for (struct reader *x = g->readers[old - 1]; x; x = x->next) edge(g, x->node, n, 0);
  }
  r->value[r->values] = (struct sched_value){.word = word};
  r->writer[r->values] = n + 1;
  node->wrote[node->writes++] = r->values;
  r->current[word] = ++r->values;
}

static void add_node(struct graph *g, uint32_t n) {
  struct sched_region *r = g->r;
  struct mir_operand *x[LIVE_USES_MAX];
  struct mir_insn *i = r->node[n].insn;
  unsigned count = live_uses(i, x);
  for (unsigned k = 0; k < count; k++)
    for (unsigned p = 0; p < x[k]->words; p++) add_word_read(g, n, live_word_of(r->l, x[k], p));
  g->access[n] = sched_access_of(i);
  if (g->access[n].spaces && i->src[0].kind == MIR_REG)
    g->access[n].base = current_value(r, live_word_of(r->l, &i->src[0], 0));
  count = live_defs(i, x);
  for (unsigned k = 0; k < count; k++)
    for (unsigned p = 0; p < x[k]->words; p++) write_word(g, n, live_word_of(r->l, x[k], p));
}

static bool orders(const struct sched_access *a) {
  return a->spaces || a->across || a->fence;
}

/* Barriers and fences wait until what was before is done. */
static void order_memory(struct graph *g) {
  uint32_t *seen = live_alloc(g->r->l->f, (g->r->nodes + 1) * sizeof *seen), count = 0;
  for (uint32_t n = 0; n < g->r->nodes; n++) {
    if (!orders(&g->access[n])) continue;
    for (uint32_t k = count; k-- > 0;)
      if (sched_conflict(&g->access[seen[k]], &g->access[n]))
        edge(g, seen[k], n, g->access[n].fence ? latency(g->r, g->r->node[seen[k]].insn, false) : 1);
    seen[count++] = n;
  }
}

static void find_heights(struct sched_region *r) {
  for (uint32_t n = r->nodes; n-- > 0;) {
    struct sched_node *node = &r->node[n];
    node->height = latency(r, node->insn, false);
    for (const struct sched_edge *e = node->out; e; e = e->next)
      if (e->latency + r->node[e->to].height > node->height) node->height = e->latency + r->node[e->to].height;
  }
}

/* Words named by all nodes: there are no more values. */
static size_t count_words(const struct sched_region *r) {
  struct mir_operand *x[LIVE_USES_MAX + LIVE_DEFS_MAX];
  size_t words = 1;
  for (uint32_t n = 0; n < r->nodes; n++) {
    unsigned count = live_uses(r->node[n].insn, x);
    count += live_defs(r->node[n].insn, x + count);
    for (unsigned k = 0; k < count; k++) words += x[k]->words;
  }
  return words;
}

void sched_build(struct sched_region *r) {
  const size_t most = count_words(r);
  struct graph g = {.r = r};
  r->value = live_alloc(r->l->f, most * sizeof *r->value);
  r->writer = live_alloc(r->l->f, most * sizeof *r->writer);
  g.readers = live_alloc(r->l->f, most * sizeof(struct reader *));
  g.access = live_alloc(r->l->f, (r->nodes + 1) * sizeof *g.access);
  for (uint32_t n = 0; n < r->nodes; n++) add_node(&g, n);
  order_memory(&g);
  find_heights(r);
  for (uint32_t v = 0; v < r->values; v++) {
    uint32_t word = r->value[v].word;
    r->value[v].stays = r->current[word] == v + 1 && r->alive[word];
  }
  for (uint32_t v = 0; v < r->values; v++) r->current[r->value[v].word] = 0;
}
