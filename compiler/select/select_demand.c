/* SPDX-License-Identifier: Apache-2.0
 *
 * What selection knows of values beforehand: written once, where lanes are together, which words are wanted.
 */
#include "compiler/calls/call.h"
#include "compiler/graph/pass.h"
#include "compiler/select/select.h"

/* Which values are written once, by an instruction that stands above all their readers: for those, what they are made
 * of may stand in their place. A value of a loop that is read before it is written (the one of the last round) is not
 * one of them. */

struct single {
  struct select *s;
  struct pass_tree *tree;
  uint32_t *here; /* by value id: the block (and one) in which it has been written so far in the walk */
};

static void count_writes(struct single *x, struct ir_insn *i) {
  for (unsigned k = 0; k < i->dsts; k++) {
    struct sel_value *v = sel_value(x->s, i->dst[k]);
    v->written++; /* here: how often */
    v->def = v->written == 1 && i->dst[k]->def == i && i->old[k].kind == IR_NONE ? i : NULL;
    x->s->ssa = x->s->ssa || i->dst[k]->def;
  }
}

static void read_value(struct single *x, const struct ir_insn *i, const struct ir_value *value) {
  struct sel_value *v = sel_value(x->s, value);
  v->uses++;
  if (!v->def) return;
  bool above = v->def->block == i->block ? x->here[value->id] == i->block->id + 1
                                         : pass_above(x->tree, v->def->block->id, i->block->id);
  if (!above) v->def = NULL;
}

static void check_reads(struct single *x, const struct ir_insn *i) {
  for (unsigned k = 0; k < i->sources; k++)
    if (i->src[k].kind == IR_VALUE) read_value(x, i, i->src[k].value);
  if (i->guard) read_value(x, i, i->guard);
  for (unsigned k = 0; k < i->dsts; k++) x->here[i->dst[k]->id] = i->block->id + 1;
}

/* Does the instruction run only where the one that writes v does? */
static bool is_covered(const struct single *x, const struct sel_value *v, const struct ir_insn *i) {
  const struct ir_insn *d = v->def;
  return i->guard == d->guard && i->guard_invert == d->guard_invert && sel_value(x->s, d->guard)->def;
}

/* Reading a register that was never written is no error in PTX where nothing comes of it; the model of the machine
 * tells on it all the same. */
static void expose(const struct single *x, const struct ir_insn *i, const struct ir_value *value) {
  struct sel_value *v = sel_value(x->s, value);
  if (v->def && v->def->guard && !is_covered(x, v, i)) v->exposed = true;
}

static void find_exposed(const struct single *x, const struct ir_insn *i) {
  for (unsigned k = 0; k < i->sources; k++)
    if (i->src[k].kind == IR_VALUE) expose(x, i, i->src[k].value);
  if (i->guard) expose(x, i, i->guard);
}

void sel_single(struct select *s) {
  struct single x = {.s = s};
  x.tree = pass_dominators(s->ir, pass_order(s->ir));
  x.here = ptx_alloc(s->ir->arena, (s->ir->values + 1) * sizeof *x.here);
  for (struct ir_block *b = s->ir->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) count_writes(&x, i);
  for (struct ir_block *b = s->ir->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) check_reads(&x, i);
  for (struct ir_block *b = s->ir->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) find_exposed(&x, i);
  for (uint32_t v = 0; v < s->ir->values; v++) s->value[v].written = 0;
}

/* Where are all lanes of a warp together (but those that have ended)? A branch that parts them stands between the BSSY
 * and the BSYNC of a barrier, or of one further out (converge.c): once none is open any more, they have all come
 * together. A branch that parts them where none is open, or a YIELD, which may let lanes go on before the others, has
 * lost them for good; but not a branch that only leads some to their end. */

#define LOST (UINT32_C(1) << 16)

static uint32_t open_behind(const struct ir_insn *i, uint32_t open) {
  if (i->op == IR_BSSY) return open | UINT32_C(1) << (i->converging.barrier & 15);
  if (i->op == IR_BSYNC) return open & ~(UINT32_C(1) << (i->converging.barrier & 15));
  if (i->op == IR_CALL && (i->calling.spins || open == 0)) return open | LOST; /* they come back one by one */
  return i->op == IR_YIELD ? open | LOST : open;
}

static bool only_ends(const struct ir_block *b) {
  return b->first && b->first->op == IR_EXIT && !b->first->guard;
}

static bool parts_lanes(const struct ir_block *b) {
  const struct ir_insn *i = b->last;
  if ((i->op != IR_CBR && i->op != IR_BRX) || i->src[0].kind != IR_VALUE || i->src[0].value->uniform) return false;
  unsigned ways = 0;
  for (unsigned k = 0; k < b->succs; k++) ways += !only_ends(b->succ[k]);
  return ways > 1;
}

void sel_find_open(struct select *s) {
  const uint32_t n = s->ir->blocks;
  struct ir_block **queue = ptx_alloc(s->ir->arena, (n + 1) * sizeof(struct ir_block *));
  bool *queued = ptx_alloc(s->ir->arena, n + 1), *reached = ptx_alloc(s->ir->arena, n + 1);
  uint32_t count = 0;
  s->open = ptx_alloc(s->ir->arena, (n + 1) * sizeof *s->open);
  queue[count++] = s->ir->first; /* not all at once: in front of its BSSY a branch would seem to stand outside of it */
  if (s->ir->node && s->ir->node->apart) s->open[s->ir->first->id] = LOST; /* as they were called */
  while (count) {
    const struct ir_block *b = queue[--count];
    uint32_t open = s->open[b->id];
    queued[b->id] = false;
    reached[b->id] = true;
    for (const struct ir_insn *i = b->first; i; i = i->next) open = open_behind(i, open);
    if (open == 0 && parts_lanes(b)) open = LOST;
    for (unsigned k = 0; k < b->succs; k++) {
      struct ir_block *to = b->succ[k];
      if (reached[to->id] && (s->open[to->id] | open) == s->open[to->id]) continue;
      s->open[to->id] |= open;
      if (queued[to->id]) continue;
      queued[to->id] = true;
      queue[count++] = to;
    }
  }
}

void sel_together(struct select *s) {
  s->open[s->at->id] = open_behind(s->insn, s->open[s->at->id]); /* from here on, that of this place */
  s->together = s->open[s->at->id] == 0;
}

/* Which words of 64-bit values anybody wants. Sums, products, bits and shifts to the left want the upper words of their
 * operands only for their own: an index that is computed with 64 bits and cut to 32 costs no more than 32. */

struct definition {
  struct ir_insn *insn;
  struct definition *next;
};

struct demand {
  struct select *s;
  struct definition **defs; /* by value id */
  uint32_t *queue;          /* values whose wants have grown */
  bool *queued;
  uint32_t queued_now;
};

static void want(struct demand *d, const struct ir_operand *o, unsigned wants) {
  if (o->kind != IR_VALUE || o->value->class != IR_64) return;
  struct sel_value *v = sel_value(d->s, o->value);
  if ((v->wants | wants) == v->wants) return;
  v->wants |= (uint8_t)wants;
  if (d->queued[o->value->id]) return;
  d->queued[o->value->id] = true;
  d->queue[d->queued_now++] = o->value->id;
}

static void want_all(struct demand *d, const struct ir_insn *i, unsigned wants) {
  for (unsigned k = 0; k < i->sources; k++) want(d, &i->src[k], wants);
}

/* A shift of 64 bits: by `amount`, or an unknown one (64 or more: any). */
static void want_shifted(struct demand *d, const struct ir_insn *i, unsigned wants) {
  bool left = i->op == IR_SHL, known = i->src[1].kind == IR_CONST;
  uint64_t n = known ? i->src[1].bits : 0;
  unsigned near = left ? SEL_LOW : SEL_HIGH, far = left ? SEL_HIGH : SEL_LOW; /* bits move from near to far */
  unsigned of = 0;
  if (!(wants & SEL_BOTH)) return;
  if (known && n >= 32) {
    of = left && !(wants & SEL_HIGH) ? 0 : near;
  } else {
    if (wants & far) of = SEL_BOTH;
    if (wants & near) of |= known ? near : SEL_BOTH;
    if (left && !(wants & SEL_HIGH)) of &= SEL_LOW; /* nothing comes down */
  }
  want(d, &i->src[0], of);
}

/* The wants of a result, handed on to the operands; false: this operation takes whole operands. */
static bool hand_on_wants(struct demand *d, const struct ir_insn *i, unsigned wants) {
  unsigned words = wants & SEL_BOTH, up_to = wants & SEL_HIGH ? SEL_BOTH : wants & SEL_LOW;
  if (i->type == PTX_F64) return i->op == IR_COPY || i->op == IR_SELP ? (want_all(d, i, words), true) : false;
  switch (i->op) {
  case IR_COPY:
  case IR_AND:
  case IR_OR:
  case IR_XOR:
  case IR_NOT:
  case IR_SELP:
    want_all(d, i, words);
    return true;
  case IR_ADDC:
  case IR_SUBC:
  case IR_MADC:
    want_all(d, i, SEL_BOTH); /* select_integer.c makes both words, whatever is read of them */
    return true;
  case IR_ADD:
  case IR_SUB:
  case IR_NEG:
  case IR_MUL:
    want_all(d, i, up_to);
    return true;
  case IR_MAD:
  case IR_MADWIDE:
    want_all(d, i, up_to | (up_to & SEL_HIGH ? SEL_PAIR : 0));
    return true;
  case IR_SHL:
  case IR_SHR:
    want_shifted(d, i, wants);
    return true;
  case IR_CVT: /* from 64 bits to 64 bits */
    if (!sel_is_64(i->type) || sel_is_float(i->type) || sel_is_float(i->type2)) return false;
    want_all(d, i, words);
    return true;
  default:
    return false;
  }
}

/* What an operation that wants the same of its operands always wants. */
static unsigned fixed_wants(const struct ir_insn *i) {
  switch (i->op) {
  case IR_CVT: /* between integers: the lower word; else a pair for the conversion */
    return sel_is_float(i->type) || sel_is_float(i->type2) ? SEL_BOTH | SEL_PAIR : SEL_LOW;
  case IR_GENERIC:
    return i->memory.space == PTX_GLOBAL ? SEL_BOTH : SEL_LOW;
  case IR_ISSPACEP:
    return SEL_HIGH;
  case IR_MIN:
  case IR_MAX:
    return i->type == PTX_F64 ? SEL_BOTH | SEL_WIDE : SEL_BOTH;
  case IR_ADD:
  case IR_SUB:
  case IR_MUL:
  case IR_FMA:
  case IR_NEG:
  case IR_ABS:
  case IR_SETP:
  case IR_TESTP:
    return i->type == PTX_F64 ? SEL_BOTH | SEL_WIDE : SEL_BOTH;
  case IR_DIV:
  case IR_REM:
  case IR_LD:
  case IR_ST:
  case IR_ATOM:
  case IR_RED:
  case IR_PREFETCH:
  case IR_ASYNC_COPY:
  case IR_MATCH:
    return SEL_BOTH | SEL_PAIR;
  default:
    return SEL_BOTH;
  }
}

/* Operations whose 64-bit results are made word by word: the upper one may be left out. */
static bool by_words(const struct ir_insn *i) {
  switch (i->op) {
  case IR_COPY:
  case IR_UNDEF:
  case IR_ADDRESS:
  case IR_GENERIC:
  case IR_PARAM:
  case IR_PACK:
  case IR_MULWIDE:
  case IR_MADWIDE:
  case IR_AND:
  case IR_OR:
  case IR_XOR:
  case IR_NOT:
  case IR_SHL:
  case IR_SHR:
  case IR_SELP:
    return true;
  case IR_ADD:
  case IR_SUB:
  case IR_NEG:
  case IR_MUL:
  case IR_MAD:
    return i->type != PTX_F64;
  case IR_CVT:
    return !sel_is_float(i->type) && !sel_is_float(i->type2);
  default:
    return false;
  }
}

static void note_definitions(struct demand *d, struct ir_insn *i) {
  for (unsigned k = 0; k < i->dsts; k++) {
    struct definition *n = ptx_alloc(d->s->ir->arena, sizeof *n);
    uint32_t id = i->dst[k]->id;
    *n = (struct definition){i, d->defs[id]};
    d->defs[id] = n;
  }
}

static void seed(struct demand *d, const struct ir_insn *i) {
  if (i->op == IR_UNPACK) {
    unsigned of = 0;
    for (unsigned k = 0; k < i->dsts && k < 2; k++)
      if (d->s->value[i->dst[k]->id].uses) of |= (unsigned)SEL_LOW << k;
    want_all(d, i, of);
  } else if (!hand_on_wants(d, i, 0) || i->dsts == 0 || i->dst[0]->class != IR_64) {
    want_all(d, i, fixed_wants(i));
  }
}

static void decide(struct demand *d) {
  for (uint32_t v = 0; v < d->s->ir->values; v++) {
    struct sel_value *at = &d->s->value[v];
    at->low_only = at->narrow = !(at->wants & ~(unsigned)SEL_LOW);
    for (const struct definition *n = d->defs[v]; n; n = n->next) at->narrow = at->narrow && by_words(n->insn);
  }
}

void sel_demand(struct select *s) {
  struct ptx_arena *a = s->ir->arena;
  const uint32_t n = s->ir->values + 1;
  struct demand d = {.s = s};
  d.defs = ptx_alloc(a, n * sizeof *d.defs);
  d.queue = ptx_alloc(a, n * sizeof *d.queue);
  d.queued = ptx_alloc(a, n * sizeof *d.queued);
  for (struct ir_block *b = s->ir->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) note_definitions(&d, i);
  for (struct ir_block *b = s->ir->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) seed(&d, i);
  while (d.queued_now) {
    uint32_t v = d.queue[--d.queued_now];
    d.queued[v] = false;
    for (const struct definition *def = d.defs[v]; def; def = def->next)
      (void)hand_on_wants(&d, def->insn, s->value[v].wants);
  }
  decide(&d);
}
