/* SPDX-License-Identifier: Apache-2.0
 *
 * Bitwise operations, comparisons, choices.
 */
#include "compiler/select/select.h"

static void sel_compare(struct select *s, const struct ir_insn *i, struct mir_operand pd, struct mir_operand np,
                        unsigned combine, struct mir_operand p);

/* AND OR XOR NOT LOP3, of numbers and of predicates. LOP3 and PLOP3 do any function of three: what is only read here is
 * taken in as long as there are no more than three different operands. */

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

/* Comparisons and choices. */

static const uint8_t relation[] = {[IR_EQ] = ISA_ICMP_EQ, [IR_NE] = ISA_ICMP_NE, [IR_LT] = ISA_ICMP_LT,
                                   [IR_LE] = ISA_ICMP_LE, [IR_GT] = ISA_ICMP_GT, [IR_GE] = ISA_ICMP_GE};
static const uint8_t float_relation[] = {
    [IR_EQ] = ISA_FCMP_EQ,   [IR_NE] = ISA_FCMP_NE,   [IR_LT] = ISA_FCMP_LT,   [IR_LE] = ISA_FCMP_LE,
    [IR_GT] = ISA_FCMP_GT,   [IR_GE] = ISA_FCMP_GE,   [IR_EQU] = ISA_FCMP_EQU, [IR_NEU] = ISA_FCMP_NEU,
    [IR_LTU] = ISA_FCMP_LTU, [IR_LEU] = ISA_FCMP_LEU, [IR_GTU] = ISA_FCMP_GTU, [IR_GEU] = ISA_FCMP_GEU,
    [IR_NUM] = ISA_FCMP_NUM, [IR_NAN] = ISA_FCMP_NAN};
/* x cmp y is y mirrored[cmp] x; not (x cmp y) is x opposite[cmp] y. */
static const uint8_t mirrored[] = {
    [IR_EQ] = IR_EQ,   [IR_NE] = IR_NE,   [IR_LT] = IR_GT,   [IR_LE] = IR_GE,   [IR_GT] = IR_LT,
    [IR_GE] = IR_LE,   [IR_EQU] = IR_EQU, [IR_NEU] = IR_NEU, [IR_LTU] = IR_GTU, [IR_LEU] = IR_GEU,
    [IR_GTU] = IR_LTU, [IR_GEU] = IR_LEU, [IR_NUM] = IR_NUM, [IR_NAN] = IR_NAN};
static const uint8_t opposite[] = {
    [IR_EQ] = IR_NEU, [IR_NE] = IR_EQU, [IR_LT] = IR_GEU,  [IR_LE] = IR_GTU, [IR_GT] = IR_LEU,
    [IR_GE] = IR_LTU, [IR_EQU] = IR_NE, [IR_NEU] = IR_EQ,  [IR_LTU] = IR_GE, [IR_LEU] = IR_GT,
    [IR_GTU] = IR_LE, [IR_GEU] = IR_LT, [IR_NUM] = IR_NAN, [IR_NAN] = IR_NUM};

/* What a comparison writes and is combined with. */
struct verdict {
  struct mir_operand pd, np, p;
  unsigned boolean;
};

static bool is_register(struct mir_operand x) {
  return x.kind == MIR_REG || x.kind == MIR_ZERO;
}

static void finish_setp(struct select *s, struct mir_insn *m, const struct verdict *v) {
  mir_set(m, ISA_F_BOOL, v->boolean);
  m->ps[0] = v->p;
  sel_set_predicate(s, m, 0, v->pd);
  sel_set_predicate(s, m, 1, v->np);
}

static struct mir_insn *isetp(struct select *s, enum heddle_isa_op op, unsigned cmp, bool is_signed,
                              struct mir_operand a, struct mir_operand b) {
  struct mir_insn *m = sel_op(s, op, mir_none(), a, b, mir_none());
  mir_set(m, ISA_F_ICMP, relation[cmp]);
  mir_set(m, ISA_F_SIGN, is_signed ? ISA_SIGN_S32 : ISA_SIGN_U32);
  return m;
}

static void compare_words(struct select *s, const struct ir_insn *i, const struct verdict *v) {
  struct mir_operand a = sel_low(s, i->src[0]), b = sel_low(s, i->src[1]);
  const bool turn = !is_register(a) && is_register(b);
  finish_setp(s,
              isetp(s, ISA_OP_ISETP, turn ? mirrored[i->comparison.cmp] : i->comparison.cmp, sel_is_signed(i->type),
                    turn ? b : a, turn ? a : b),
              v);
}

static void compare_wide(struct select *s, const struct ir_insn *i, const struct verdict *v) {
  struct mir_operand a[2], b[2];
  unsigned cmp = i->comparison.cmp;
  const bool is_signed = sel_is_signed(i->type);
  for (unsigned w = 0; w < 2; w++) {
    a[w] = sel_word(s, i->src[0], w);
    b[w] = sel_word(s, i->src[1], w);
  }
  if (i->src[0].kind == IR_CONST || (!is_register(a[0]) && is_register(b[0]))) {
    cmp = mirrored[cmp];
    for (unsigned w = 0; w < 2; w++) {
      struct mir_operand t = a[w];
      a[w] = b[w];
      b[w] = t;
    }
  }
  if (a[1].kind == MIR_ZERO && b[1].kind == MIR_ZERO) { /* both are extended words */
    finish_setp(s, isetp(s, ISA_OP_ISETP, cmp, false, a[0], b[0]), v);
  } else if (is_signed && (cmp == IR_LT || cmp == IR_GE) && b[0].kind == MIR_ZERO && b[1].kind == MIR_ZERO) {
    finish_setp(s, isetp(s, ISA_OP_ISETP, cmp, true, a[1], b[1]), v);
  } else {
    struct mir_operand low = sel_new_predicate(s);
    isetp(s, ISA_OP_ISETP, cmp, false, a[0], b[0])->pd[0] = low;
    struct mir_insn *m = isetp(s, ISA_OP_ISETP_EX, cmp, is_signed, a[1], b[1]);
    m->ps[2] = low;
    finish_setp(s, m, v);
  }
}

static struct mir_insn *setp(struct select *s, const struct ir_insn *i, enum heddle_isa_op op, unsigned cmp) {
  struct mir_operand a = sel_float(s, &i->src[0], i->type, i->comparison.ftz, true),
                     b = sel_float(s, &i->src[1], i->type, i->comparison.ftz, true);
  const bool turn = !is_register(a) && is_register(b);
  struct mir_insn *m = turn ? sel_op(s, op, mir_none(), b, a, mir_none()) : sel_op(s, op, mir_none(), a, b, mir_none());
  mir_set(m, ISA_F_FCMP, float_relation[turn ? mirrored[cmp] : cmp]);
  if (i->type != PTX_F64) mir_set(m, ISA_F_FTZ, i->comparison.ftz);
  return m;
}

static bool same_register(struct mir_operand x, struct mir_operand y) {
  return x.kind == MIR_REG && y.kind == MIR_REG && x.reg == y.reg;
}

/* The second predicate of HSETP2 is that of the other half. What the verdicts are combined with may be what the first
 * one is written to: then that one comes last. */
static void compare_halves(struct select *s, const struct ir_insn *i, const struct verdict *v) {
  struct verdict yes = *v, no = *v;
  yes.np = no.np = mir_none();
  no.pd = v->np;
  const bool last = same_register(v->pd, v->p);
  if (v->pd.kind != MIR_NONE && !last) finish_setp(s, setp(s, i, ISA_OP_HSETP2, i->comparison.cmp), &yes);
  if (v->np.kind != MIR_NONE) finish_setp(s, setp(s, i, ISA_OP_HSETP2, opposite[i->comparison.cmp]), &no);
  if (last) finish_setp(s, setp(s, i, ISA_OP_HSETP2, i->comparison.cmp), &yes);
}

/* pd (or NONE), its opposite np (or NONE) = i's comparison, combined with p. */
static void sel_compare(struct select *s, const struct ir_insn *i, struct mir_operand pd, struct mir_operand np,
                        unsigned combine, struct mir_operand p) {
  struct verdict v = {.pd = pd, .np = np, .p = p, .boolean = ISA_BOOL_AND};
  if (combine == IR_B_NONE)
    v.p = mir_none();
  else
    v.boolean = combine == IR_B_OR ? ISA_BOOL_OR : combine == IR_B_XOR ? ISA_BOOL_XOR : ISA_BOOL_AND;
  if (i->comparison.cmp > IR_NAN || (i->comparison.cmp > IR_GE && !sel_is_float(i->type))) {
    sel_refuse(s, "this comparison is not supported");
    return;
  }
  if (i->type == PTX_F32)
    finish_setp(s, setp(s, i, ISA_OP_FSETP, i->comparison.cmp), &v);
  else if (i->type == PTX_F64)
    finish_setp(s, setp(s, i, ISA_OP_DSETP, i->comparison.cmp), &v);
  else if (i->type == PTX_F16)
    compare_halves(s, i, &v);
  else if (i->type == PTX_F16X2)
    sel_refuse(s, "is not supported");
  else if (sel_is_64(i->type))
    compare_wide(s, i, &v);
  else
    compare_words(s, i, &v);
}

void select_setp(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand p = mir_none();
  if (i->comparison.combine != IR_B_NONE && i->sources > 2) {
    p = sel_predicate(s, i->src[2]);
    if (i->comparison.combine_invert) p = mir_not(p);
  }
  struct mir_operand np = i->dsts > 1 && sel_value(s, i->dst[1])->uses ? sel_dst(s, 1) : mir_none();
  sel_compare(s, i, sel_dst(s, 0), np, i->sources > 2 ? i->comparison.combine : IR_B_NONE, p);
}

/* SELP: src[2] ? src[0] : src[1] */
void select_selp(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand p = sel_predicate(s, i->src[2]);
  if (i->type == PTX_PRED) {
    struct mir_operand a = sel_predicate(s, i->src[0]), b = sel_predicate(s, i->src[1]);
    sel_plop3(s, sel_dst(s, 0), a, b, p, 0xe4);
    return;
  }
  const bool wide = s->insn->dst[0]->class == IR_64;
  struct mir_operand d = sel_dst(s, 0);
  for (unsigned w = 0; w < (wide ? d.words : 1u); w++) {
    struct mir_operand a = sel_word(s, i->src[0], w), b = sel_word(s, i->src[1], w);
    if (p.kind == MIR_ZERO)
      sel_mov(s, mir_word(d, w), p.neg ? b : a);
    else
      sel_sel(s, mir_word(d, w), a, b, p);
  }
}
