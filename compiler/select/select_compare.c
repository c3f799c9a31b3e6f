/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons and choices.
 */
#include "compiler/select/select.h"

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

void sel_compare(struct select *s, const struct ir_insn *i, struct mir_operand pd, struct mir_operand np,
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
