/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that need not be asked. A load of what the thread has loaded or stored before, with nothing on any way between
 * that could change it, becomes a copy; a store that is overwritten before anything could see it goes, and so does one
 * to local memory that nothing in the kernel reads. Needs SSA form; keeps the graph.
 *
 * Blocks are visited along the tree of dominators: what was accessed above is accessed on every way here. Whether it
 * still holds is found by walking all ways back, within a bound.
 */
#include "compiler/optimise/alias.h"

#include <string.h>

enum { WALK_MOST = 2000, SINK_MOST = 64, PAIRS_MOST = 1 << 20 }; /* instructions looked at; pairs compared */

struct known { /* an element of an access that was executed */
  struct ir_insn *i;
  unsigned element;
  struct alias_place place;
};

struct forward {
  struct ir_function *f;
  struct alias m;
  struct map_stack accessed;
  struct known *known;      /* by number in `accessed` */
  uint32_t *visited, visit; /* by block id: the last walk that came there */
  struct ir_block **stack;
  bool changed;
};

/* ---- does it still hold? ---- */

struct walk {
  struct forward *s;
  const struct ir_insn *from;
  const struct alias_place *place;
  unsigned budget;
};

enum outcome { REACHED, PASSED, CHANGED };

/* Back from i (and with it) to the access that is asked for, or to the block's beginning. */
static enum outcome walk_block(struct walk *w, const struct ir_insn *i) {
  for (; i; i = i->prev) {
    if (i == w->from) return REACHED;
    if (w->budget-- == 0 || alias_changes(&w->s->m, i, w->place)) return CHANGED;
  }
  return PASSED;
}

static bool still_holds(struct forward *s, const struct ir_insn *from, const struct ir_insn *to,
                        const struct alias_place *place) {
  struct walk w = {s, from, place, WALK_MOST};
  enum outcome o = walk_block(&w, to->prev);
  if (o != PASSED) return o == REACHED;
  uint32_t depth = 0;
  s->visit++;
  for (const struct ir_block *b = to->block;;) {
    for (unsigned k = 0; k < b->preds; k++) {
      if (s->visited[b->pred[k]->id] == s->visit) continue;
      s->visited[b->pred[k]->id] = s->visit;
      s->stack[depth++] = b->pred[k];
    }
    do {
      if (depth == 0) return true;
      b = s->stack[--depth];
      o = walk_block(&w, b->last);
      if (o == CHANGED) return false;
    } while (o == REACHED);
  }
}

/* ---- what is known ---- */

static uint64_t mix_hash(uint64_t h, uint64_t x) {
  h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 31;
}

static uint64_t hash_place(const struct alias_place *p) {
  uint64_t h = mix_hash(p->spaces, (uint64_t)p->offset);
  return mix_hash(h, (uint64_t)p->bytes << 32 | (p->base.kind == IR_VALUE ? p->base.value->id + 1 : 0));
}

static void remember_access(struct forward *s, struct ir_insn *i) {
  for (unsigned k = 0; k < alias_elements(i); k++) {
    const struct known x = {.i = i, .element = k, .place = alias_element(&s->m, i, k)};
    s->known[s->accessed.count] = x;
    map_stack_push(&s->accessed, hash_place(&x.place));
  }
}

/* The latest access that still gives this element; NULL: there is none. Where the latest does not give it any more, no
 * older one does: what has changed it lies behind that one, too. */
static const struct known *find_known(struct forward *s, const struct ir_insn *i, unsigned element) {
  const struct alias_place p = alias_element(&s->m, i, element);
  const struct map_stack *all = &s->accessed;
  for (uint32_t at = map_stack_last(all, hash_place(&p)); at != MAP_NONE; at = map_stack_before(all, at)) {
    const struct known *x = &s->known[at];
    if (x->place.bytes != p.bytes || !alias_covers(&x->place, &p)) continue;
    if ((i->memory.invariant && x->i->memory.invariant) || still_holds(s, x->i, i, &p)) return x;
    if (!i->memory.invariant) return NULL;
  }
  return NULL;
}

/* ---- loads ---- */

static struct ir_operand element_value(const struct known *x) {
  return x->i->op == IR_ST ? x->i->src[1 + x->element] : ir_use(x->i->dst[x->element]);
}

/* i, a load of one element, becomes its value. Of a narrow number only the low bits are known, unless it was loaded
 * the same way. */
static void become(struct ir_insn *i, const struct known *x) {
  const struct ir_operand value = element_value(x);
  const enum ptx_type type = (enum ptx_type)i->type;
  const bool extends = ptx_type_bytes(type) < 4 && (x->i->op == IR_ST || x->i->type != i->type);
  if (extends) {
    ir_change(i, IR_CVT, type == PTX_S8 || type == PTX_S16 ? PTX_S32 : PTX_U32);
    i->type2 = (uint8_t)type;
  } else {
    ir_change(i, IR_COPY, pass_copy_type(i->dst[0]->class));
  }
  i->src[0] = value;
  i->sources = 1;
}

static void copy_before(struct ir_function *f, struct ir_insn *i, struct ir_value *to, struct ir_operand from) {
  struct ir_insn *c = ir_insn_new(f, IR_COPY, pass_copy_type(to->class), i->pos);
  c->src[c->sources++] = from;
  c->dst[c->dsts++] = to;
  to->def = c;
  ir_insert_before(i, c);
}

/* True: the load is gone. */
static bool answer_load(struct forward *s, struct ir_insn *i) {
  const struct known *x[ALIAS_ELEMENTS];
  const unsigned n = alias_elements(i);
  for (unsigned k = 0; k < n; k++)
    if (!(x[k] = find_known(s, i, k))) return false;
  s->changed = true;
  if (n == 1) {
    become(i, x[0]);
    return true;
  }
  for (unsigned k = 0; k < n; k++) copy_before(s->f, i, i->dst[k], element_value(x[k]));
  ir_remove(i);
  return true;
}

static void visit_block(struct forward *s, struct ir_block *b) {
  for (struct ir_insn *i = b->first, *next; i; i = next) {
    next = i->next;
    if (!alias_is_plain(i) || (i->op == IR_LD && answer_load(s, i))) continue;
    remember_access(s, i);
  }
}

static struct forward forward_new(struct ir_function *f, const struct pass_order *o) {
  struct forward s = {.f = f, .m = alias_of(f)};
  uint32_t room = 0;
  for (uint32_t k = 0; k < o->count; k++)
    for (const struct ir_insn *i = o->block[k]->first; i; i = i->next)
      if (alias_is_plain(i)) room += alias_elements(i);
  s.known = ptx_alloc(f->arena, ((size_t)room + 1) * sizeof *s.known);
  map_stack_begin(&s.accessed, room, ptx_alloc(f->arena, map_stack_bytes(room)));
  s.visited = ptx_alloc(f->arena, ((size_t)f->blocks + 1) * sizeof *s.visited);
  s.stack = ptx_alloc(f->arena, ((size_t)f->blocks + 1) * sizeof(struct ir_block *));
  return s;
}

static void answer_loads(struct forward *s, const struct pass_order *o) {
  const struct pass_tree *dom = pass_dominators(s->f, o);
  struct ir_block **by_id = ptx_alloc(s->f->arena, s->f->blocks * sizeof(struct ir_block *));
  uint32_t *floor = ptx_alloc(s->f->arena, ((size_t)s->f->blocks + 1) * sizeof *floor); /* known by tree level */
  for (uint32_t k = 0; k < o->count; k++) by_id[o->block[k]->id] = o->block[k];
  for (uint32_t k = 0; k < dom->count; k++) {
    uint32_t level = dom->level[dom->preorder[k]];
    if (k && dom->level[dom->preorder[k - 1]] >= level) map_stack_cut(&s->accessed, floor[level]);
    floor[level] = s->accessed.count;
    visit_block(s, by_id[dom->preorder[k]]);
  }
}

/* ---- stores ---- */

static bool is_overwritten(const struct alias *m, const struct ir_insn *store) {
  const struct alias_place p = alias_place(m, store);
  unsigned left = SINK_MOST;
  for (const struct ir_insn *i = store->next; i && left > 0; i = i->next, left--) {
    if (alias_sees(m, i, &p)) return false;
    if (i->op != IR_ST || !alias_is_plain(i)) continue;
    const struct alias_place q = alias_place(m, i);
    if (alias_covers(&q, &p)) return true;
  }
  return false;
}

static bool is_read(const struct forward *s, const struct pass_order *o, const struct ir_insn *store) {
  const struct alias_place p = alias_place(&s->m, store);
  for (uint32_t k = 0; k < o->count; k++)
    for (const struct ir_insn *i = o->block[k]->first; i; i = i->next)
      if (alias_sees(&s->m, i, &p)) return true;
  return false;
}

static void drop_stores(struct forward *s, const struct pass_order *o) {
  uint32_t room = 0, left = PAIRS_MOST;
  for (uint32_t k = 0; k < o->count; k++)
    for (const struct ir_insn *i = o->block[k]->first; i; i = i->next) room++;
  for (uint32_t k = 0; k < o->count; k++)
    for (struct ir_insn *i = o->block[k]->first, *next; i; i = next) {
      next = i->next;
      if (i->op != IR_ST || i->memory.is_volatile || i->memory.strength != IR_WEAK) continue;
      bool gone = is_overwritten(&s->m, i);
      if (!gone && i->memory.space == PTX_LOCAL && !s->m.local_escapes && left >= room) {
        left -= room;
        gone = !is_read(s, o, i);
      }
      if (gone) ir_remove(i);
      s->changed = s->changed || gone;
    }
}

bool ir_forward(struct ir_function *f) {
  const struct pass_order *o = pass_order(f);
  struct forward s = forward_new(f, o);
  answer_loads(&s, o);
  drop_stores(&s, o);
  return s.changed;
}
