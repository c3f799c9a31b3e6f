/* SPDX-License-Identifier: Apache-2.0
 *
 * Which words of 64-bit values anybody wants. Sums, products, bits and shifts to the left want the upper words of their
 * operands only for their own: an index that is computed with 64 bits and cut to 32 costs no more than 32.
 */
#include "compiler/select/select.h"

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
    want_all(d, i, SEL_BOTH); /* select_carry.c makes both words, whatever is read of them */
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
