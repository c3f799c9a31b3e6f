/* SPDX-License-Identifier: Apache-2.0
 *
 * Where accesses lie and whether two may meet: by space, by bytes from the same base, and by what remains of the
 * addresses when they are divided by a power of two of which both bases are multiples (elements of records, wherever
 * their arrays lie).
 */
#include "compiler/optimise/alias.h"

enum { MULTIPLE_MOST = 16 }; /* as a power of two: larger ones tell nothing that two bases in one space do not */

#define BIT(space) (1u << (space))

static bool points_at_local(const struct ir_insn *i) {
  return i->op == IR_GENERIC && !i->memory.inverse && i->memory.space == PTX_LOCAL;
}

struct alias alias_of(struct ir_function *f) {
  struct alias m = {.f = f, .local_escapes = f->framed, .values = f->values, .multiple = alias_multiples(f)};
  for (const struct ir_block *b = f->first; b; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next) m.local_escapes = m.local_escapes || points_at_local(i);
  return m;
}

static unsigned spaces_of(const struct alias *m, unsigned space) {
  if (space != PTX_GENERIC) return BIT(space);
  return BIT(PTX_GLOBAL) | BIT(PTX_SHARED) | (m->local_escapes ? BIT(PTX_LOCAL) : 0);
}

/* Copies looked through. */
static struct ir_operand source_of(struct ir_operand o) {
  while (o.kind == IR_VALUE && o.value->def && o.value->def->op == IR_COPY && !o.value->def->guard)
    o = o.value->def->src[0];
  return o;
}

struct alias_place alias_place(const struct alias *m, const struct ir_insn *i) {
  struct alias_place p = {.spaces = spaces_of(m, i->memory.space),
                          .base = source_of(i->src[0]),
                          .offset = i->memory.offset,
                          .bytes = alias_elements(i) * alias_element_bytes(i)};
  if (p.base.kind != IR_CONST) return p;
  p.offset = (int64_t)(p.base.bits + (uint64_t)p.offset);
  p.base.kind = IR_NONE;
  return p;
}

struct alias_place alias_element(const struct alias *m, const struct ir_insn *i, unsigned element) {
  struct alias_place p = alias_place(m, i);
  p.bytes = alias_element_bytes(i);
  p.offset += (int64_t)element * p.bytes;
  return p;
}

static bool same_base(const struct alias_place *a, const struct alias_place *b) {
  return a->base.kind == b->base.kind && (a->base.kind == IR_NONE || pass_same(&a->base, &b->base));
}

static bool disjoint(int64_t a, uint32_t a_bytes, int64_t b, uint32_t b_bytes) {
  return a + a_bytes <= b || b + b_bytes <= a;
}

static unsigned power_of(const struct alias *m, const struct alias_place *p) {
  if (p->base.kind != IR_VALUE) return MULTIPLE_MOST;
  return p->base.value->id < m->values ? m->multiple[p->base.value->id] : 0;
}

/* Both bases are multiples of one power of two, and the bytes lie apart between two multiples of it. */
static bool apart_by_rest(const struct alias *m, const struct alias_place *a, const struct alias_place *b) {
  unsigned power = MULTIPLE_MOST;
  if (power_of(m, a) < power) power = power_of(m, a);
  if (power_of(m, b) < power) power = power_of(m, b);
  const int64_t size = INT64_C(1) << power, x = a->offset & (size - 1), y = b->offset & (size - 1);
  return x + a->bytes <= size && y + b->bytes <= size && disjoint(x, a->bytes, y, b->bytes);
}

bool alias_apart(const struct alias *m, const struct alias_place *a, const struct alias_place *b) {
  if ((a->spaces & b->spaces) == 0) return true;
  if (same_base(a, b) && a->spaces == b->spaces) return disjoint(a->offset, a->bytes, b->offset, b->bytes);
  return apart_by_rest(m, a, b);
}

bool alias_covers(const struct alias_place *outer, const struct alias_place *inner) {
  return outer->spaces == inner->spaces && same_base(outer, inner) && outer->offset <= inner->offset &&
         inner->offset + inner->bytes <= outer->offset + outer->bytes;
}

bool alias_is_plain(const struct ir_insn *i) {
  return (i->op == IR_LD || i->op == IR_ST) && !i->guard && !i->memory.is_volatile && i->memory.strength == IR_WEAK;
}

static bool is_store(const struct ir_insn *i) {
  return i->op == IR_ST && !i->memory.is_volatile && i->memory.strength == IR_WEAK;
}

/* What orders other threads' accesses, or does what is not known. */
static bool orders(const struct ir_insn *i) {
  if (!ir_has_effect(i) || i->op == IR_PREFETCH || is_store(i)) return false;
  return i->op < IR_BR || i->op > IR_TRAP; /* branches and ends are the graph's business */
}

static bool is_own(const struct alias_place *p) {
  return p->spaces == BIT(PTX_LOCAL);
}

static bool is_constant(const struct alias_place *p) {
  return (p->spaces & ~(BIT(PTX_CONST) | BIT(PTX_PARAM))) == 0;
}

bool alias_changes(const struct alias *m, const struct ir_insn *i, const struct alias_place *p) {
  if (is_constant(p)) return false;
  if (i->op == IR_ST) { /* a strong one orders what others may see, too */
    const struct alias_place q = alias_place(m, i);
    return !alias_apart(m, p, &q) || (orders(i) && !is_own(p));
  }
  return orders(i) && (!is_own(p) || i->op == IR_CALL);
}

bool alias_sees(const struct alias *m, const struct ir_insn *i, const struct alias_place *p) {
  if (i->op == IR_LD && (!orders(i) || is_own(p))) {
    const struct alias_place q = alias_place(m, i);
    return !alias_apart(m, p, &q);
  }
  if (i->op == IR_LDSM) return (p->spaces & BIT(PTX_SHARED)) != 0;
  return orders(i) && (!is_own(p) || i->op == IR_CALL);
}
