/* SPDX-License-Identifier: Apache-2.0
 *
 * AND OR XOR NOT LOP3, of numbers and of predicates. LOP3 and PLOP3 do any function of three: what is only read here is
 * taken in as long as there are no more than three different operands.
 */
#include "compiler/select/select.h"

static const uint8_t column[3] = {0xf0, 0xcc, 0xaa}; /* the table of operand k by itself */

struct logic {
  struct ir_operand leaf[3];
  unsigned n;
};

static bool is_logic(const struct ir_insn *i) {
  return i->op == IR_AND || i->op == IR_OR || i->op == IR_XOR || i->op == IR_NOT || i->op == IR_LOP3;
}

static bool same_operand(const struct ir_operand *a, const struct ir_operand *b) {
  return a->kind == b->kind && (a->kind == IR_VALUE ? a->value == b->value : a->bits == b->bits);
}

/* The table of an operand by itself; false: a fourth one. */
static bool leaf(struct logic *l, const struct ir_operand *o, uint64_t ones, uint8_t *lut) {
  if (o->kind == IR_CONST && (o->bits == 0 || o->bits == ones)) {
    *lut = o->bits ? 0xff : 0;
    return true;
  }
  unsigned k = 0;
  while (k < l->n && !same_operand(&l->leaf[k], o)) k++;
  if (k == 3) return false;
  if (k == l->n) l->leaf[l->n++] = *o;
  *lut = column[k];
  return true;
}

static uint8_t apply(const struct ir_insn *i, const uint8_t x[3]) {
  uint8_t out = 0;
  switch (i->op) {
  case IR_AND:
    return x[0] & x[1];
  case IR_OR:
    return x[0] | x[1];
  case IR_XOR:
    return x[0] ^ x[1];
  case IR_NOT:
    return (uint8_t)~x[0];
  default:
    for (unsigned bit = 0; bit < 8; bit++) {
      unsigned index = (x[0] >> bit & 1u) << 2 | (x[1] >> bit & 1u) << 1 | (x[2] >> bit & 1u);
      out = (uint8_t)(out | (i->lut >> index & 1u) << bit);
    }
    return out;
  }
}

/* The table of the instruction over the leaves. `depth`: how far operands may be looked into. */
static bool logic_table(struct select *s, const struct ir_insn *i, unsigned depth, struct logic *l, uint8_t *lut) {
  const uint64_t ones = i->type == PTX_PRED ? 1 : sel_is_64(i->type) ? UINT64_MAX : UINT32_MAX;
  uint8_t x[3] = {0};
  for (unsigned k = 0; k < i->sources && k < 3; k++) {
    const struct ir_operand *o = &i->src[k];
    const struct ir_insn *inner = depth ? sel_from(s, o) : NULL;
    if (inner && is_logic(inner) && inner->block->loop_depth >= s->at->loop_depth &&
        (inner->type == PTX_PRED) == (i->type == PTX_PRED) &&
        (inner->op == IR_NOT || sel_value(s, o->value)->uses == 1)) {
      struct logic before = *l;
      if (logic_table(s, inner, depth - 1, l, &x[k])) continue;
      *l = before;
    }
    if (!leaf(l, o, ones, &x[k])) return false;
  }
  *lut = apply(i, x);
  return true;
}

/* Drops operand k of the table: it is 0, or all ones. */
static uint8_t fixed(uint8_t lut, unsigned k, bool one) {
  unsigned step = 4u >> k;
  uint8_t half = one ? (uint8_t)(lut & column[k]) : (uint8_t)(lut & ~column[k]);
  return (uint8_t)(one ? half | half >> step : half | half << step);
}

static bool depends(uint8_t lut, unsigned k) {
  return fixed(lut, k, false) != fixed(lut, k, true);
}

/* The table when operands j and k change places. */
static uint8_t exchanged(uint8_t lut, unsigned j, unsigned k) {
  uint8_t out = 0;
  for (unsigned from = 0; from < 8; from++) {
    unsigned a = from >> (2 - j) & 1, b = from >> (2 - k) & 1;
    unsigned to = (from & ~(4u >> j | 4u >> k)) | a << (2 - k) | b << (2 - j);
    out = (uint8_t)(out | (lut >> from & 1) << to);
  }
  return out;
}

/* Operands that count first, and of those registers first. */
static unsigned rank(const struct mir_operand *x, uint8_t lut, unsigned k) {
  return !depends(lut, k) ? 2 : x->kind == MIR_IMM || x->kind == MIR_CONST ? 1 : 0;
}

static uint8_t sort(struct mir_operand x[3], uint8_t lut) {
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned k = 0; k < 2; k++)
      if (rank(&x[k], lut, k) > rank(&x[k + 1], lut, k + 1)) {
        struct mir_operand t = x[k];
        x[k] = x[k + 1];
        x[k + 1] = t;
        lut = exchanged(lut, k, k + 1);
      }
  return lut;
}

/* One word. */
static void emit(struct select *s, struct mir_operand rd, struct mir_operand x[3], uint8_t lut) {
  for (unsigned k = 0; k < 3; k++)
    if (x[k].kind == MIR_ZERO || (x[k].kind == MIR_IMM && x[k].imm == UINT32_MAX))
      lut = fixed(lut, k, x[k].kind == MIR_IMM);
  lut = sort(x, lut);
  for (unsigned k = 0; k < 3; k++)
    if (!depends(lut, k)) x[k] = mir_zero();
  if (lut == 0 || lut == 0xff)
    sel_mov(s, rd, lut ? mir_imm(UINT32_MAX) : mir_zero());
  else if (lut == column[0])
    sel_mov(s, rd, x[0]);
  else if (x[0].kind != MIR_REG && x[1].kind == MIR_ZERO) /* the complement of what is no register */
    sel_lop3(s, rd, mir_zero(), x[0], mir_zero(), exchanged(lut, 0, 1));
  else
    sel_lop3(s, rd, x[0], x[1], x[2], lut);
}

static struct mir_operand predicate_of(struct select *s, const struct logic *l, unsigned k) {
  return k < l->n ? sel_predicate(s, l->leaf[k]) : mir_none();
}

static void give_predicate(struct select *s, const struct logic *l, uint8_t lut) {
  struct mir_operand p = predicate_of(s, l, 0), q = predicate_of(s, l, 1), r = predicate_of(s, l, 2);
  bool lasts = l->n == 0 || (l->n == 1 && sel_lasts(s, &l->leaf[0]));
  if (lasts && l->n == 1 && (lut == 0xf0 || lut == 0x0f) && sel_is(s, 0, lut == 0xf0 ? p : mir_not(p))) return;
  if (lasts && l->n == 0 && sel_is(s, 0, sel_choice(lut != 0))) return;
  sel_plop3(s, sel_dst(s, 0), p, q, r, lut);
}

/* A comparison that is read here alone can do the combining itself. */
static bool by_comparison(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (i->type != PTX_PRED || i->op == IR_NOT || i->op == IR_LOP3) return false;
  for (unsigned k = 0; k < 2; k++) {
    const struct ir_insn *not = sel_from_once(s, &i->src[k], IR_NOT);
    const struct ir_operand *o = not ? &not ->src[0] : &i->src[k];
    const struct ir_insn *c = sel_from_once(s, o, IR_SETP);
    if (!c || c->comparison.combine != IR_B_NONE || c->dsts != 1 || c->block != s->at) continue;
    struct mir_operand other = sel_predicate(s, i->src[1 - k]), d = sel_dst(s, 0);
    unsigned combine = i->op == IR_AND ? IR_B_AND : i->op == IR_OR ? IR_B_OR : IR_B_XOR;
    sel_compare(s, c, not ? mir_none() : d, not ? d : mir_none(), combine, other);
    return true;
  }
  return false;
}

void select_logic(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct logic l = {.n = 0};
  uint8_t lut = 0;
  if (by_comparison(s)) return;
  for (unsigned depth = 3; !logic_table(s, i, depth, &l, &lut) && depth > 0; depth--) l.n = 0; /* with 0 it fits */
  if (i->type == PTX_PRED) {
    give_predicate(s, &l, lut);
    return;
  }
  struct mir_operand d = sel_dst(s, 0);
  for (unsigned w = 0; w < d.words; w++) {
    struct mir_operand x[3] = {mir_zero(), mir_zero(), mir_zero()};
    for (unsigned k = 0; k < l.n; k++) x[k] = sel_word(s, l.leaf[k], w);
    emit(s, mir_word(d, w), x, lut);
  }
}
