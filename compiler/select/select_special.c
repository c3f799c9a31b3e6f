/* SPDX-License-Identifier: Apache-2.0
 *
 * Float operations in several instructions: quotients, roots, special functions (expand*.c), and classes of numbers.
 */
#include "compiler/select/expand.h"
#include "compiler/select/select.h"

/* An operand of an expansion. NaNs of FP64 keep their sign and payload: there nothing rides along. */
static struct mir_operand expansion_operand(struct select *s, unsigned k) {
  const struct ir_insn *i = s->insn;
  if (i->type == PTX_F32) return sel_float(s, &i->src[k], PTX_F32, i->arithmetic.ftz, true);
  if (i->src[k].kind == IR_CONST && !(uint32_t)i->src[k].bits && i->src[k].bits)
    return mir_imm_f64((uint32_t)(i->src[k].bits >> 32));
  return sel_wide(s, i->src[k]);
}

static struct mir_operand expand_f32(struct select *s) {
  const struct ir_insn *i = s->insn;
  switch (i->op) {
  case IR_DIV:
    return expand_div_f32(&s->m, i, expansion_operand(s, 0), expansion_operand(s, 1));
  case IR_RCP:
    return expand_rcp_f32(&s->m, i, expansion_operand(s, 0));
  case IR_SQRT:
    return expand_sqrt_f32(&s->m, i, expansion_operand(s, 0));
  default:
    return expand_special_f32(&s->m, i, expansion_operand(s, 0));
  }
}

static struct mir_operand expand_f64(struct select *s) {
  const struct ir_insn *i = s->insn;
  switch (i->op) {
  case IR_DIV:
    return expand_div_f64(&s->m, i, expansion_operand(s, 0), expansion_operand(s, 1));
  case IR_RCP:
    return expand_rcp_f64(&s->m, i, expansion_operand(s, 0));
  case IR_SQRT:
    return expand_sqrt_f64(&s->m, i, expansion_operand(s, 0));
  case IR_RSQRT:
    return expand_rsqrt_f64(&s->m, i, expansion_operand(s, 0));
  default:
    sel_refuse(s, "is not supported");
    return mir_zero();
  }
}

/* A half: ex2 or tanh of the low one. */
static struct mir_operand special_f16(struct select *s) {
  const unsigned function = s->insn->op == IR_EX2 ? ISA_MUFU_EX2_F16 : ISA_MUFU_TANH_F16;
  return ex_mufu(&s->m, function, ex_in(&s->m, sel_low(s, s->insn->src[0]), 1));
}

void select_special(struct select *s) {
  switch (s->insn->type) {
  case PTX_F16:
    sel_finish(s, 0, special_f16(s));
    break;
  case PTX_F32:
    sel_finish(s, 0, expand_f32(s));
    break;
  case PTX_F64:
    sel_finish(s, 0, expand_f64(s));
    break;
  default:
    sel_refuse(s, "is not supported");
  }
}

/* pd = x cmp y (and p) */
static void test_float(struct select *s, struct mir_operand pd, unsigned cmp, struct mir_operand x,
                       struct mir_operand y, struct mir_operand p) {
  const bool wide = s->insn->type == PTX_F64;
  struct mir_insn *m = sel_op(s, wide ? ISA_OP_DSETP : ISA_OP_FSETP, mir_none(), x, y, mir_none());
  mir_set(m, ISA_F_FCMP, cmp);
  m->ps[0] = p;
  sel_set_predicate(s, m, 0, pd);
}

static void subnormal(struct select *s, struct mir_operand pd, struct mir_operand x, struct mir_operand abs,
                      struct mir_operand least) {
  struct mir_operand p = sel_new_predicate(s);
  test_float(s, p, ISA_FCMP_NE, x, mir_zero(), mir_none());
  test_float(s, pd, ISA_FCMP_LT, abs, least, p);
}

void select_testp(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool wide = i->type == PTX_F64;
  struct mir_operand infinity = wide ? mir_imm_f64(0x7ff00000) : mir_imm(0x7f800000);
  struct mir_operand least = wide ? mir_imm_f64(0x00100000) : mir_imm(0x00800000); /* normal */
  struct mir_operand x = wide ? sel_wide(s, i->src[0]) : sel_low(s, i->src[0]), none = mir_none();
  x = sel_reg(s, x);
  struct mir_operand abs = x, d = sel_dst(s, 0), p = sel_new_predicate(s);
  abs.abs = abs.kind == MIR_REG;
  switch (i->test) {
  case IR_TESTP_FINITE:
    test_float(s, d, ISA_FCMP_LT, abs, infinity, none);
    break;
  case IR_TESTP_INFINITE:
    test_float(s, d, ISA_FCMP_EQ, abs, infinity, none);
    break;
  case IR_TESTP_NUMBER:
    test_float(s, d, ISA_FCMP_NUM, x, x, none);
    break;
  case IR_TESTP_NOTANUMBER:
    test_float(s, d, ISA_FCMP_NAN, x, x, none);
    break;
  case IR_TESTP_NORMAL: /* finite and not subnormal: silicon says so of zeros, too */
    subnormal(s, p, x, abs, least);
    p.neg = true;
    test_float(s, d, ISA_FCMP_LT, abs, infinity, p);
    break;
  default:
    subnormal(s, d, x, abs, least);
  }
}
