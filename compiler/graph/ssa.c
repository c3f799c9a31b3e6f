/* SPDX-License-Identifier: Apache-2.0
 *
 * Into SSA form: R. Cytron and others, "Efficiently computing static single assignment form", 1991, with phis only
 * where the variable is read later (pruned). Needs nothing (it tidies the graph itself); keeps the graph.
 *
 * A guarded write reads the value before it: named in `old`. What is read before any write is IR_UNDEF, one for each
 * class, at the start of the entry. A variable that is written once and needs no phi keeps its value.
 */
#include "compiler/graph/pass.h"

#include <string.h>

struct link { /* of a list of blocks */
  struct ir_block *b;
  struct link *next;
};

struct variable {
  struct link *writes, *reads;  /* blocks that write it, that read it before they write it; each block once */
  struct ir_value *value, *now; /* as lowered; while renaming: the value here */
  uint32_t definitions;
};

struct undo {
  struct variable *v;
  struct ir_value *before;
};

struct ssa {
  struct ir_function *f;
  const struct pass_order *order;
  const struct pass_tree *dom;
  struct link **frontier; /* by block id */
  struct variable *variable;
  uint32_t variables;
  uint32_t *live, *written, *joined; /* by block id: variable last found to be so, plus 1 */
  struct ir_block **work;
  uint32_t **slot; /* by block id: which predecessor of succ[k] this edge is */
  struct ir_value *undef[IR_64 + 1];
  struct undo *undo;
  uint32_t undos, undo_room;
  uint32_t *phi_variable; /* by value id of a fresh phi, less `variables` */
};

static void link_add(struct ssa *s, struct link **list, struct ir_block *b) {
  struct link *l = ptx_alloc(s->f->arena, sizeof *l);
  *l = (struct link){b, *list};
  *list = l;
}

/* Blocks where dominance of b ends: those that b dominates a predecessor of, but not strictly themselves. */
static void find_frontiers(struct ssa *s) {
  for (uint32_t k = 0; k < s->order->count; k++) {
    struct ir_block *b = s->order->block[k];
    if (b->preds < 2) continue;
    for (unsigned p = 0; p < b->preds; p++)
      for (uint32_t up = b->pred[p]->id; up != s->dom->parent[b->id]; up = s->dom->parent[up]) {
        if (s->frontier[up] && s->frontier[up]->b == b) break; /* so are those above */
        link_add(s, &s->frontier[up], b);
      }
  }
}

static void note_read(struct ssa *s, struct ir_block *b, const struct ir_value *v) {
  struct variable *x = &s->variable[v->id];
  if (s->written[v->id] == b->id + 1 || (x->reads && x->reads->b == b)) return;
  link_add(s, &x->reads, b);
}

/* Here `written` goes by variable, not by block. */
static void note_block(struct ssa *s, struct ir_block *b) {
  for (struct ir_insn *i = b->first; i; i = i->next) {
    if (i->guard) note_read(s, b, i->guard);
    for (unsigned k = 0; k < i->sources; k++)
      if (i->src[k].kind == IR_VALUE) note_read(s, b, i->src[k].value);
    for (unsigned k = 0; k < i->dsts; k++) {
      struct variable *x = &s->variable[i->dst[k]->id];
      x->value = i->dst[k];
      x->definitions++;
      if (i->guard) note_read(s, b, i->dst[k]);
      if (s->written[i->dst[k]->id] == b->id + 1) continue;
      s->written[i->dst[k]->id] = b->id + 1;
      link_add(s, &x->writes, b);
    }
  }
}

/* Blocks at whose start the variable is wanted. */
static void find_live(struct ssa *s, uint32_t id) {
  struct variable *x = &s->variable[id];
  uint32_t depth = 0;
  for (struct link *l = x->writes; l; l = l->next) s->written[l->b->id] = id + 1;
  for (struct link *l = x->reads; l; l = l->next) {
    s->live[l->b->id] = id + 1;
    s->work[depth++] = l->b;
  }
  while (depth) {
    struct ir_block *b = s->work[--depth];
    for (unsigned k = 0; k < b->preds; k++) {
      struct ir_block *p = b->pred[k];
      if (s->written[p->id] == id + 1 || s->live[p->id] == id + 1) continue;
      s->live[p->id] = id + 1;
      s->work[depth++] = p;
    }
  }
}

static unsigned power_of_two(unsigned n) {
  unsigned p = 1;
  while (p < n) p *= 2;
  return p;
}

static void place_phi(struct ssa *s, uint32_t id, struct ir_block *b) {
  struct ir_value *v = s->variable[id].value;
  struct ir_insn *phi = pass_phi_new(s->f, b, v->class);
  phi->dst[0]->name = v->name;
  phi->dst[0]->mark = id;
  phi->sources = b->preds;
  phi->many = ptx_alloc(s->f->arena, power_of_two(b->preds) * sizeof *phi->many);
  s->variable[id].definitions = 2;
}

static void place_phis(struct ssa *s, uint32_t id) {
  uint32_t depth = 0;
  find_live(s, id);
  for (struct link *l = s->variable[id].writes; l; l = l->next) s->work[depth++] = l->b;
  while (depth) {
    const struct ir_block *b = s->work[--depth];
    for (struct link *l = s->frontier[b->id]; l; l = l->next) {
      if (s->joined[l->b->id] == id + 1 || s->live[l->b->id] != id + 1) continue;
      s->joined[l->b->id] = id + 1;
      place_phi(s, id, l->b);
      if (s->written[l->b->id] != id + 1) s->work[depth++] = l->b;
    }
  }
}

/* ---- renaming ---- */

static struct ir_value *undefined(struct ssa *s, enum ir_class c) {
  if (s->undef[c]) return s->undef[c];
  struct ir_insn *first = s->f->first->first;
  struct ir_insn *i = ir_insn_new(s->f, IR_UNDEF, pass_copy_type(c), first->pos);
  i->dsts = 1;
  i->dst[0] = s->undef[c] = ir_value_new(s->f, c);
  i->dst[0]->def = i;
  ir_insert_before(first, i);
  return s->undef[c];
}

static struct ir_value *value_now(struct ssa *s, const struct ir_value *v) {
  struct variable *x = &s->variable[v->id];
  return x->now ? x->now : undefined(s, v->class);
}

static void set_now(struct ssa *s, struct variable *x, struct ir_value *v) {
  if (s->undos == s->undo_room) {
    uint32_t room = s->undo_room ? 2 * s->undo_room : 256;
    struct undo *fresh = ptx_alloc(s->f->arena, room * sizeof *fresh);
    if (s->undos) memcpy(fresh, s->undo, s->undos * sizeof *fresh);
    s->undo = fresh;
    s->undo_room = room;
  }
  s->undo[s->undos++] = (struct undo){x, x->now};
  x->now = v;
}

static void rename_definition(struct ssa *s, struct ir_insn *i, unsigned k) {
  struct variable *x = &s->variable[i->dst[k]->id];
  if (x->definitions > 1) {
    struct ir_value *v = ir_value_new(s->f, i->dst[k]->class);
    v->name = i->dst[k]->name;
    i->dst[k] = v;
  }
  i->dst[k]->def = i;
  set_now(s, x, i->dst[k]);
}

/* No way that leads here has written it. Whoever only passes it on may mean to. */
static void warn_undefined(const struct ssa *s, const struct ir_insn *i, const struct ir_value *v) {
  switch (i->op) {
  case IR_COPY:
  case IR_PACK:
  case IR_UNPACK:
  case IR_ST:
  case IR_CALL:
  case IR_RET:
    return;
  default:
    if (!s->variable[v->id].now && v->name && i->pos.line > 0)
      ptx_warning(s->f->diag, i->pos, "'%s' is read here, and nothing has written it before: it counts as 0", v->name);
  }
}

static void rename_block(struct ssa *s, struct ir_block *b) {
  struct ir_insn *i = b->first;
  for (; i && i->op == IR_PHI; i = i->next) set_now(s, &s->variable[i->dst[0]->mark], i->dst[0]);
  for (; i; i = i->next) {
    if (i->op == IR_UNDEF && i->dst[0]->id >= s->variables) continue; /* our own */
    if (i->guard) {
      warn_undefined(s, i, i->guard);
      i->guard = value_now(s, i->guard);
    }
    for (unsigned k = 0; k < i->sources; k++) {
      if (i->src[k].kind != IR_VALUE) continue;
      warn_undefined(s, i, i->src[k].value);
      i->src[k].value = value_now(s, i->src[k].value);
    }
    /* All old values first: a vector may name a register twice. */
    for (unsigned k = 0; i->guard && k < i->dsts; k++) i->old[k] = ir_use(value_now(s, i->dst[k]));
    for (unsigned k = 0; k < i->dsts; k++) rename_definition(s, i, k);
  }
  for (unsigned k = 0; k < b->succs; k++)
    for (struct ir_insn *phi = b->succ[k]->first; phi && phi->op == IR_PHI; phi = phi->next) {
      struct variable *x = &s->variable[phi->dst[0]->mark];
      phi->many[s->slot[b->id][k]] = ir_use(x->now ? x->now : undefined(s, phi->dst[0]->class));
    }
}

static void rename_all(struct ssa *s) {
  uint32_t *floor = ptx_alloc(s->f->arena, s->f->blocks * sizeof *floor); /* undos by tree level */
  struct ir_block **by_id = ptx_alloc(s->f->arena, s->f->blocks * sizeof(struct ir_block *));
  for (uint32_t k = 0; k < s->order->count; k++) by_id[s->order->block[k]->id] = s->order->block[k];
  for (uint32_t k = 0; k < s->dom->count; k++) {
    struct ir_block *b = by_id[s->dom->preorder[k]];
    uint32_t level = s->dom->level[b->id];
    /* Back up to the parent: what blocks at this level and below wrote is undone. */
    uint32_t keep = level == 0 || s->dom->level[s->dom->preorder[k - 1]] < level ? s->undos : floor[level];
    for (; s->undos > keep; s->undos--) s->undo[s->undos - 1].v->now = s->undo[s->undos - 1].before;
    floor[level] = s->undos;
    rename_block(s, b);
  }
}

static void find_slots(struct ssa *s) {
  for (uint32_t k = 0; k < s->order->count; k++) {
    const struct ir_block *b = s->order->block[k];
    s->slot[b->id] = ptx_alloc(s->f->arena, (b->succs + 1) * sizeof(uint32_t));
    memset(s->slot[b->id], 0xff, (b->succs + 1) * sizeof(uint32_t));
  }
  for (uint32_t k = 0; k < s->order->count; k++) {
    const struct ir_block *b = s->order->block[k];
    for (unsigned p = 0; p < b->preds; p++) {
      const struct ir_block *from = b->pred[p];
      unsigned e = 0;
      while (from->succ[e] != b || s->slot[from->id][e] != PASS_NONE) e++;
      s->slot[from->id][e] = p;
    }
  }
}

static void ssa_new(struct ssa *s, struct ir_function *f) {
  struct ptx_arena *a = f->arena;
  *s = (struct ssa){.f = f, .variables = f->values};
  s->order = pass_order(f);
  s->dom = pass_dominators(f, s->order);
  s->frontier = ptx_alloc(a, f->blocks * sizeof *s->frontier);
  s->variable = ptx_alloc(a, ((size_t)f->values + 1) * sizeof *s->variable);
  s->live = ptx_alloc(a, f->blocks * sizeof *s->live);
  s->joined = ptx_alloc(a, f->blocks * sizeof *s->joined);
  s->work = ptx_alloc(a, 2 * (size_t)f->blocks * sizeof(struct ir_block *));
  s->slot = ptx_alloc(a, f->blocks * sizeof *s->slot);
}

void ir_to_ssa(struct ir_function *f) {
  struct ssa s;
  ir_tidy(f);
  ssa_new(&s, f);
  find_slots(&s);
  find_frontiers(&s);
  s.written = ptx_alloc(f->arena, ((size_t)f->values + 1) * sizeof *s.written);
  for (uint32_t k = 0; k < s.order->count; k++) note_block(&s, s.order->block[k]);
  s.written = ptx_alloc(f->arena, f->blocks * sizeof *s.written);
  for (uint32_t id = 0; id < s.variables; id++)
    if (s.variable[id].reads && s.variable[id].writes) place_phis(&s, id);
  rename_all(&s);
}
