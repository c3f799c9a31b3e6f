/* SPDX-License-Identifier: Apache-2.0
 *
 * Neighbouring accesses become one of 64 or 128 bits: in a block, from one base, elements of 32 or 64 bits that fill an
 * aligned place between them. Loads come to where the first was, stores to where the last was, if nothing between
 * could write, or see, what they pass. That the place is aligned must be known (alias.c): an unaligned access traps.
 * Needs SSA form; keeps the graph.
 *
 * Stores of constants stay apart where bringing these into registers would cost as much as is saved.
 */
#include "compiler/optimise/alias.h"

enum { WIDE = 16, SPAN = 96 }; /* bytes of the widest access; instructions between the first and the last of a group */

struct group {
  struct ir_insn *member[ALIAS_ELEMENTS]; /* in the order of execution */
  unsigned members;
  unsigned size;   /* bytes of the place that they are to fill */
  int64_t at;      /* where it begins */
  uint32_t filled; /* its bytes, a bit each */
  const struct alias *m;
};

/* Constants at a known place are operands of what reads them. */
static bool is_operand(const struct ir_insn *i) {
  return (i->memory.space == PTX_CONST || i->memory.space == PTX_PARAM) && i->src[0].kind == IR_CONST;
}

static bool is_candidate(const struct ir_insn *i) {
  if (!alias_is_plain(i) || alias_element_bytes(i) < 4 || is_operand(i)) return false;
  return alias_elements(i) * alias_element_bytes(i) < WIDE;
}

/* The largest power of two, WIDE at most, of which the base is known to be a multiple. */
static unsigned alignment(const struct alias *m, const struct alias_place *p) {
  if (p->base.kind != IR_VALUE) return WIDE;
  const unsigned power = p->base.value->id < m->values ? m->multiple[p->base.value->id] : 0;
  return power >= 4 ? WIDE : 1u << power;
}

/* ---- which ---- */

static bool is_like(const struct ir_insn *a, const struct ir_insn *b) {
  return a->op == b->op && a->memory.space == b->memory.space && alias_element_bytes(a) == alias_element_bytes(b);
}

static bool is_between_free(const struct group *g, const struct ir_insn *from, const struct ir_insn *to,
                            const struct ir_insn *moved) {
  const struct alias_place p = alias_place(g->m, moved);
  for (const struct ir_insn *i = from->next; i != to; i = i->next) {
    if (!moved->memory.invariant && alias_changes(g->m, i, &p)) return false;
    if (moved->op == IR_ST && alias_sees(g->m, i, &p)) return false;
  }
  return true;
}

/* i with all before it; of stores, those before it must come down to it. */
static bool may_join(const struct group *g, const struct ir_insn *i) {
  const struct ir_insn *first = g->member[0];
  if (i->op == IR_LD) return is_between_free(g, first, i, i);
  for (unsigned k = 0; k < g->members; k++)
    if (!is_between_free(g, g->member[k], i, g->member[k])) return false;
  return true;
}

/* True: it belongs into the place. */
static bool belongs(const struct group *g, const struct ir_insn *i, uint32_t *bytes) {
  const struct alias_place p = alias_place(g->m, i), first = alias_place(g->m, g->member[0]);
  const bool same = p.base.kind == first.base.kind && (p.base.kind == IR_NONE || p.base.value == first.base.value);
  if (!same || p.offset < g->at || p.offset + p.bytes > g->at + g->size) return false;
  *bytes = ((1u << p.bytes) - 1) << (p.offset - g->at);
  return (g->filled & *bytes) == 0;
}

static uint32_t all_of(unsigned size) {
  return (1u << size) - 1;
}

static bool collect_group(struct group *g, struct ir_insn *first) {
  uint32_t bytes;
  g->filled = 0;
  g->member[0] = first;
  g->members = 1;
  if (!belongs(g, first, &bytes)) return false;
  g->filled = bytes;
  unsigned left = SPAN;
  for (struct ir_insn *i = first->next; i && left > 0 && g->filled != all_of(g->size); i = i->next, left--) {
    if (!is_candidate(i) || !is_like(first, i) || !belongs(g, i, &bytes)) continue;
    if (!may_join(g, i)) return false;
    g->filled |= bytes;
    g->member[g->members++] = i;
  }
  return g->filled == all_of(g->size) && g->members > 1;
}

/* ---- whether it pays ---- */

static bool is_new(const struct ir_operand *all, unsigned n, const struct ir_operand *o) {
  for (unsigned k = 0; k < n; k++)
    if (pass_same(&all[k], o)) return false;
  return true;
}

/* What the words of a vector register must be filled with by an instruction each. */
static bool pays(const struct group *g) {
  struct ir_operand seen[ALIAS_ELEMENTS];
  unsigned n = 0, moves = 0;
  if (g->member[0]->op == IR_LD) return true;
  for (unsigned k = 0; k < g->members; k++)
    for (unsigned e = 0; e < alias_elements(g->member[k]); e++) {
      const struct ir_operand *o = &g->member[k]->src[1 + e];
      moves += o->kind == IR_CONST || !is_new(seen, n, o);
      seen[n++] = *o;
    }
  return moves < g->members - 1;
}

/* ---- making one ---- */

static struct ir_insn *wide_access(struct ir_function *f, const struct group *g) {
  struct ir_insn *first = g->member[0];
  const unsigned bytes = alias_element_bytes(first);
  struct ir_insn *i = ir_insn_new(f, (enum ir_op)first->op, bytes == 8 ? PTX_B64 : PTX_B32, first->pos);
  i->memory = first->memory;
  i->memory.offset += g->at - alias_place(g->m, first).offset;
  i->memory.vector = (uint8_t)(g->size / bytes);
  i->src[i->sources++] = first->src[0];
  for (unsigned k = 0; k < g->members; k++) i->memory.invariant = i->memory.invariant && g->member[k]->memory.invariant;
  return i;
}

static void replace(struct ir_function *f, const struct group *g) {
  struct ir_insn *wide = wide_access(f, g);
  const unsigned elements = wide->memory.vector;
  ir_insert_before(wide->op == IR_LD ? g->member[0] : g->member[g->members - 1], wide);
  for (unsigned k = 0; k < g->members; k++) {
    struct ir_insn *i = g->member[k];
    for (unsigned e = 0; e < alias_elements(i); e++) {
      const struct alias_place p = alias_element(g->m, i, e);
      const unsigned to = (unsigned)(p.offset - g->at) / p.bytes;
      if (i->op == IR_ST) {
        wide->src[1 + to] = i->src[1 + e];
        continue;
      }
      wide->dst[to] = i->dst[e];
      wide->dst[to]->def = wide;
    }
    ir_remove(i);
  }
  if (wide->op == IR_ST)
    wide->sources = 1 + elements;
  else
    wide->dsts = elements;
}

/* Makes one access of this one and others behind it; true: it is gone. */
static bool widen_access(struct ir_function *f, const struct alias *m, struct ir_insn *first) {
  const struct alias_place p = alias_place(m, first);
  struct group g = {.m = m};
  for (g.size = alignment(m, &p); g.size > p.bytes && g.size > 4; g.size /= 2) {
    g.at = p.offset & -(int64_t)g.size;
    if (!collect_group(&g, first) || !pays(&g)) continue;
    replace(f, &g);
    return true;
  }
  return false;
}

static void widen_block(struct ir_function *f, const struct alias *m, struct ir_block *b) {
  for (struct ir_insn *i = b->first, *before; i;) {
    before = i->prev;
    if (!is_candidate(i) || !widen_access(f, m, i))
      i = i->next;
    else
      i = before ? before->next : b->first;
  }
}

void ir_widen(struct ir_function *f) {
  const struct alias m = alias_of(f);
  for (struct ir_block *b = f->first; b; b = b->next) widen_block(f, &m, b);
}
