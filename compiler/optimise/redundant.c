/* SPDX-License-Identifier: Apache-2.0
 *
 * What has been computed already is not computed again, and what nobody needs goes.
 */
#include <string.h>
#include "compiler/graph/pass.h"

/* What has been computed on every way here is not computed again: value numbering scoped by dominators. Needs SSA form
 * (dominators it finds itself); keeps the graph and everything known about it.
 *
 * Merged are operations that depend on their operands alone; loads from constant memory and parameters (of other
 * memory: forward.c). Never: anything that depends on which lanes are there, clocks, guarded instructions. */

struct cse {
  struct ir_function *f;
  struct map_stack seen;
  struct ir_insn **insn;  /* by number in `seen` */
  struct ir_value **same; /* by value id: what it is replaced by */
};

static bool reads_memory(const struct ir_insn *i) {
  return i->op == IR_LD && i->memory.space != PTX_CONST && i->memory.space != PTX_PARAM;
}

static bool can_merge(const struct ir_insn *i) {
  if (i->guard || !i->dsts || ir_has_effect(i)) return false;
  switch (i->op) {
  case IR_PHI: /* of equal operands in one block: fold.c's business */
  case IR_UNDEF:
  case IR_SHFL:
  case IR_VOTE:
  case IR_MATCH:
  case IR_REDUX:
  case IR_ACTIVEMASK:
  case IR_MMA:
  case IR_LDSM:
    return false;
  case IR_LD:
    return !reads_memory(i);
  case IR_SREG:
    return i->sreg != IR_CLOCK && i->sreg != IR_CLOCK64;
  default:
    return true;
  }
}

static uint64_t mix_hash(uint64_t h, uint64_t x) {
  h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 31;
}

static uint64_t hash_insn(const struct ir_insn *i) {
  uint64_t h =
      mix_hash(i->op, (uint64_t)i->type << 32 | (uint64_t)i->type2 << 24 | (uint64_t)i->sources << 8 | i->dsts);
  for (unsigned k = 0; k < i->sources; k++)
    h = mix_hash(h, i->src[k].kind == IR_VALUE ? (uint64_t)i->src[k].value->id << 1 | 1 : i->src[k].bits << 1);
  uint64_t besides[IR_PAYLOAD / sizeof(uint64_t)];
  memcpy(besides, i->bytes, sizeof besides);
  for (size_t k = 0; k < sizeof besides / sizeof *besides; k++) h = mix_hash(h, besides[k]);
  return h;
}

static bool equal(const struct ir_insn *a, const struct ir_insn *b) {
  if (a->op != b->op || a->type != b->type || a->type2 != b->type2 || a->sources != b->sources || a->dsts != b->dsts)
    return false;
  if (memcmp(a->bytes, b->bytes, sizeof a->bytes) != 0) return false;
  for (unsigned k = 0; k < a->sources; k++)
    if (!pass_same(&a->src[k], &b->src[k])) return false;
  return true;
}

static void resolve(const struct cse *c, struct ir_operand *o) {
  if (o->kind == IR_VALUE && c->same[o->value->id]) o->value = c->same[o->value->id];
}

static void resolve_all(const struct cse *c, struct ir_insn *i) {
  struct ir_operand *src = pass_sources(i);
  for (unsigned k = 0; k < i->sources; k++) resolve(c, &src[k]);
  if (!i->guard) return;
  if (c->same[i->guard->id]) i->guard = c->same[i->guard->id];
  for (unsigned k = 0; k < i->dsts; k++) resolve(c, &i->old[k]);
}

static void number_insn(struct cse *c, struct ir_insn *i) {
  const uint64_t h = hash_insn(i);
  for (uint32_t at = map_stack_last(&c->seen, h); at != MAP_NONE; at = map_stack_before(&c->seen, at)) {
    const struct ir_insn *e = c->insn[at];
    if (!equal(e, i)) continue;
    for (unsigned k = 0; k < i->dsts; k++) c->same[i->dst[k]->id] = e->dst[k];
    ir_remove(i);
    return;
  }
  c->insn[c->seen.count] = i;
  map_stack_push(&c->seen, h);
}

static void number_block(struct cse *c, struct ir_block *b) {
  for (struct ir_insn *i = b->first, *next; i; i = next) {
    next = i->next;
    if (i->op != IR_PHI) resolve_all(c, i);
    if (can_merge(i)) number_insn(c, i);
  }
}

static struct cse cse_new(struct ir_function *f, const struct pass_order *o) {
  struct cse c = {.f = f};
  uint32_t most = 0;
  for (uint32_t k = 0; k < o->count; k++)
    for (const struct ir_insn *i = o->block[k]->first; i; i = i->next) most++;
  c.insn = ptx_alloc(f->arena, ((size_t)most + 1) * sizeof(struct ir_insn *));
  map_stack_begin(&c.seen, most, ptx_alloc(f->arena, map_stack_bytes(most)));
  c.same = ptx_alloc(f->arena, ((size_t)f->values + 1) * sizeof(struct ir_value *));
  return c;
}

void ir_cse(struct ir_function *f) {
  const struct pass_order *o = pass_order(f);
  const struct pass_tree *dom = pass_dominators(f, o);
  struct cse c = cse_new(f, o);
  struct ir_block **by_id = ptx_alloc(f->arena, f->blocks * sizeof(struct ir_block *));
  uint32_t *floor = ptx_alloc(f->arena, ((size_t)f->blocks + 1) * sizeof *floor); /* of `seen`, by tree level */
  for (uint32_t k = 0; k < o->count; k++) by_id[o->block[k]->id] = o->block[k];
  for (uint32_t k = 0; k < dom->count; k++) {
    uint32_t level = dom->level[dom->preorder[k]];
    if (k && dom->level[dom->preorder[k - 1]] >= level) map_stack_cut(&c.seen, floor[level]);
    floor[level] = c.seen.count;
    number_block(&c, by_id[dom->preorder[k]]);
  }
  for (uint32_t k = 0; k < o->count; k++) /* phis see later blocks */
    for (struct ir_insn *i = o->block[k]->first; i && i->op == IR_PHI; i = i->next) resolve_all(&c, i);
}

/* What nobody needs goes: everything from which no effect follows, phis in circles included; second results that are
 * not read; the result of an atomic (it becomes a reduction). Needs SSA form; keeps the graph and everything known
 * about it. */

struct sweep {
  struct ir_insn **stack;
  uint32_t depth, room;
};

static void want(struct sweep *s, struct ir_value *v) {
  if (v->mark) return;
  v->mark = 1;
  s->stack[s->depth++] = v->def;
}

static void want_operands(struct sweep *s, struct ir_insn *i) {
  const struct ir_operand *src = pass_sources(i);
  if (i->guard) want(s, i->guard);
  for (unsigned k = 0; k < i->sources; k++)
    if (src[k].kind == IR_VALUE) want(s, src[k].value);
  for (unsigned k = 0; i->guard && k < i->dsts; k++)
    if (i->old[k].kind == IR_VALUE) want(s, i->old[k].value);
}

/* Atomics that a reduction can do as well. */
static bool can_reduce(const struct ir_insn *i) {
  return i->op == IR_ATOM && i->memory.space == PTX_GLOBAL && i->memory.atom != IR_A_EXCH &&
         i->memory.atom != IR_A_CAS && i->sources == 2;
}

static bool second_optional(const struct ir_insn *i) {
  switch (i->op) {
  case IR_SETP:
  case IR_ADDC:
  case IR_SUBC:
  case IR_MADC:
  case IR_SHFL:
  case IR_MATCH:
    return i->dsts == 2;
  default:
    return false;
  }
}

static void trim(struct ir_insn *i) {
  if (can_reduce(i) && !i->dst[0]->mark) {
    i->op = IR_RED;
    i->dsts = 0;
  }
  if (second_optional(i) && !i->dst[1]->mark) i->dsts = 1;
}

static bool is_wanted(const struct ir_insn *i) {
  if (ir_has_effect(i)) return true;
  for (unsigned k = 0; k < i->dsts; k++)
    if (i->dst[k]->mark) return true;
  return false;
}

static uint32_t clear_marks(struct ir_function *f) {
  uint32_t values = 0;
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next)
      for (unsigned k = 0; k < i->dsts; k++, values++) i->dst[k]->mark = 0;
  return values;
}

void ir_dead(struct ir_function *f) {
  struct sweep s = {.room = clear_marks(f) + 1};
  s.stack = ptx_alloc(f->arena, s.room * sizeof(struct ir_insn *));
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) {
      if (ir_has_effect(i)) want_operands(&s, i);
      while (s.depth) want_operands(&s, s.stack[--s.depth]);
    }
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_insn *i = b->first, *next; i; i = next) {
      next = i->next;
      if (is_wanted(i))
        trim(i);
      else
        ir_remove(i);
    }
}
