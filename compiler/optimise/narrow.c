/* SPDX-License-Identifier: Apache-2.0
 *
 * 64-bit numbers of which only the low word is ever read are computed as words. PTX has 64-bit addresses everywhere,
 * the machine's shared and local memory 32-bit ones: lowering cuts them where they are used, and this carries the cut
 * back through sums, products, shifts to the left and phis to where the number comes from.
 *
 * Needs SSA form; keeps the graph. The 64-bit instructions stay behind for ir_dead.
 */
#include "compiler/optimise/fold.h"

struct narrow {
  struct ir_function *f;
  const struct pass_order *order;
  bool *full;             /* by value id: somebody reads the upper word */
  struct ir_operand *low; /* by value id: its low word, once there */
  uint32_t values;
  struct ir_value **work;
  uint32_t depth, done;
};

/* A conversion of an integer to a word or less. */
static bool is_cut(const struct ir_insn *i) {
  return i->op == IR_CVT && !i->guard && !i->arithmetic.sat && i->sources == 1 && fold_integer(i->type) &&
         fold_integer(i->type2) && fold_bits(i->type) <= 32 && fold_bits(i->type2) == 64;
}

/* The low word of the result depends on the low words of the operands alone. */
static bool is_through(const struct ir_insn *i) {
  if (i->guard || !i->dsts || i->dst[0]->class != IR_64) return false;
  switch (i->op) {
  case IR_PHI:
  case IR_SELP:
    return true;
  case IR_MADWIDE:
    return fold_bits(i->type) == 32 && !i->arithmetic.sat;
  case IR_ADD:
  case IR_SUB:
  case IR_MUL:
  case IR_MAD:
  case IR_NEG:
    return fold_integer(i->type) && !i->arithmetic.sat;
  case IR_AND:
  case IR_OR:
  case IR_XOR:
  case IR_NOT:
  case IR_SHL:
    return fold_integer(i->type);
  default:
    return false;
  }
}

/* Where its low word can be had without the upper one. */
static bool is_source(const struct ir_insn *i) {
  if (i->guard || !i->dsts || i->dst[0]->class != IR_64) return false;
  if (i->op == IR_CVT)
    return !i->arithmetic.sat && i->sources == 1 && fold_integer(i->type) && fold_integer(i->type2) &&
           fold_bits(i->type2) < 64;
  return (i->op == IR_MULWIDE && fold_bits(i->type) == 32) || i->op == IR_ADDRESS ||
         (i->op == IR_PACK && i->sources == 2);
}

static void want_full(struct narrow *n, const struct ir_operand *o) {
  if (o->kind != IR_VALUE || o->value->class != IR_64 || n->full[o->value->id]) return;
  n->full[o->value->id] = true;
  n->work[n->depth++] = o->value;
}

static void want_sources(struct narrow *n, struct ir_insn *i) {
  for (unsigned k = 0; k < i->sources; k++) want_full(n, &pass_sources(i)[k]);
}

static void find_full(struct narrow *n) {
  for (uint32_t k = 0; k < n->order->count; k++)
    for (struct ir_insn *i = n->order->block[k]->first; i; i = i->next) {
      for (unsigned d = 0; i->guard && d < i->dsts; d++) want_full(n, &i->old[d]);
      if (!is_cut(i) && !is_through(i)) want_sources(n, i);
    }
  while (n->depth) {
    struct ir_insn *i = n->work[--n->depth]->def;
    if (is_through(i)) want_sources(n, i);
  }
}

static struct ir_insn *insert_word(struct narrow *n, struct ir_insn *before, const struct ir_value *of, enum ir_op op,
                                   enum ptx_type t) {
  struct ir_insn *w = ir_insn_new(n->f, op, t, before->pos);
  w->dsts = 1;
  w->dst[0] = ir_value_new(n->f, IR_32);
  w->dst[0]->def = w;
  w->dst[0]->name = of->name;
  ir_insert_before(before, w);
  return w;
}

/* The low word of an operand, in front of `before`. */
static struct ir_operand low_of(struct narrow *n, struct ir_insn *before, struct ir_operand o) {
  if (o.kind == IR_CONST) return ir_bits(o.bits & UINT32_MAX);
  if (o.value->class != IR_64) return o;
  if (n->low[o.value->id].kind != IR_NONE) return n->low[o.value->id];
  struct ir_insn *w = insert_word(n, before, o.value, IR_CVT, PTX_U32);
  w->type2 = PTX_U64;
  w->src[w->sources++] = o;
  return ir_use(w->dst[0]);
}

static enum ptx_type word_type(const struct ir_insn *i) {
  switch (i->op) {
  case IR_NEG:
    return PTX_S32;
  case IR_AND:
  case IR_OR:
  case IR_XOR:
  case IR_NOT:
  case IR_SHL:
  case IR_SELP:
    return PTX_B32;
  default:
    return PTX_U32;
  }
}

static struct ir_operand compute_low(struct narrow *n, struct ir_insn *i) {
  struct ir_insn *w;
  if (i->op == IR_PACK || (i->op == IR_CVT && fold_bits(i->type2) == 32)) return i->src[0];
  if (i->op == IR_PHI) {
    w = pass_phi_new(n->f, i->block, IR_32);
    w->dst[0]->name = i->dst[0]->name;
    return ir_use(w->dst[0]); /* operands when all words are there */
  }
  enum ir_op op = i->op == IR_MULWIDE ? IR_MUL : i->op == IR_MADWIDE ? IR_MAD : (enum ir_op)i->op;
  w = ir_insn_new(n->f, op, i->op == IR_CVT ? (fold_signed(i->type2) ? PTX_S32 : PTX_U32) : word_type(i), i->pos);
  w->type2 = i->op == IR_CVT ? i->type2 : PTX_NO_TYPE;
  if (i->op == IR_ADDRESS) w->place = i->place;
  w->sources = i->sources;
  for (unsigned k = 0; k < i->sources; k++) w->src[k] = low_of(n, i, i->src[k]);
  w->dsts = 1;
  w->dst[0] = ir_value_new(n->f, IR_32);
  w->dst[0]->def = w;
  w->dst[0]->name = i->dst[0]->name;
  ir_insert_before(i, w);
  return ir_use(w->dst[0]);
}

/* Several edges from one block have the same operand: that of the first. */
static unsigned first_edge(const struct ir_block *b, unsigned k) {
  unsigned first = 0;
  if (b->pred[k]->succs == 1) return k;
  while (b->pred[first] != b->pred[k]) first++;
  return first;
}

static void fill_phi(struct narrow *n, struct ir_insn *i) {
  struct ir_insn *w = n->low[i->dst[0]->id].value->def;
  for (unsigned k = 0; k < i->sources; k++) {
    unsigned first = first_edge(i->block, k);
    pass_phi_push(n->f, w, first < k ? w->many[first] : low_of(n, i->block->pred[k]->last, i->many[k]));
  }
}

static bool is_ours(const struct narrow *n, const struct ir_insn *i) {
  return i->dsts && i->dst[0]->id < n->values && i->dst[0]->class == IR_64 && !n->full[i->dst[0]->id] &&
         (is_through(i) || is_source(i));
}

bool pass_narrow(struct ir_function *f) {
  struct narrow n = {.f = f};
  ir_dead(f);
  n.order = pass_order(f);
  n.values = f->values;
  n.full = ptx_alloc(f->arena, f->values + 1);
  n.low = ptx_alloc(f->arena, ((size_t)f->values + 1) * sizeof *n.low);
  n.work = ptx_alloc(f->arena, ((size_t)f->values + 1) * sizeof(struct ir_value *));
  find_full(&n);
  for (uint32_t k = 0; k < n.order->count; k++)
    for (struct ir_insn *i = n.order->block[k]->first; i; i = i->next) {
      if (is_cut(i) && i->src[0].kind == IR_VALUE && n.low[i->src[0].value->id].kind != IR_NONE) {
        ir_change(i, IR_COPY, PTX_B32);
        i->src[0] = n.low[i->src[0].value->id];
      } else if (is_ours(&n, i)) {
        n.low[i->dst[0]->id] = compute_low(&n, i);
        n.done++;
      }
    }
  for (uint32_t k = 0; n.done && k < n.order->count; k++)
    for (struct ir_insn *i = n.order->block[k]->first; i && i->op == IR_PHI; i = i->next)
      if (is_ours(&n, i)) fill_phi(&n, i);
  return n.done > 0;
}
