/* SPDX-License-Identifier: Apache-2.0
 *
 * Float arithmetic, and what takes several instructions.
 */
#include "compiler/select/expand.h"
#include "compiler/select/select.h"

/* Float arithmetic that the machine has. Negations and absolute values of operands ride along: every NaN comes out the
 * same with or without them (isa/doc/02-instructions.md, 08-half-double-conversions.md). */

enum { FORM_ADD, FORM_MUL, FORM_FMA, FORM_MINMAX };

static enum heddle_isa_op form(unsigned type, unsigned which) {
  static const uint16_t ops[3][4] = {{ISA_OP_FADD, ISA_OP_FMUL, ISA_OP_FFMA, ISA_OP_FMNMX},
                                     {ISA_OP_DADD, ISA_OP_DMUL, ISA_OP_DFMA, ISA_OP_DMNMX},
                                     {ISA_OP_HADD2, ISA_OP_HMUL2, ISA_OP_HFMA2, ISA_OP_HMNMX2}};
  return (enum heddle_isa_op)ops[type == PTX_F32 ? 0 : type == PTX_F64 ? 1 : 2][which];
}

static uint32_t sign_bits(unsigned type) {
  return type == PTX_F16 || type == PTX_F16X2 ? UINT32_C(0x80008000) : UINT32_C(0x80000000);
}

static struct mir_operand float_constant(struct select *s, uint64_t bits, unsigned type) {
  uint32_t hi = (uint32_t)(bits >> 32);
  switch (type) {
  case PTX_F64:
    return (uint32_t)bits ? mir_wide(&s->m, bits) : hi ? mir_imm_f64(hi) : mir_zero();
  case PTX_F16:
    return sel_imm((uint32_t)(bits & 0xffff) * 0x10001u);
  default:
    return sel_imm((uint32_t)bits);
  }
}

static struct mir_operand with_signs(struct mir_operand x, unsigned type, bool neg, bool abs) {
  if (x.kind == MIR_IMM) {
    if (type == PTX_F64 && (x.imm & INT32_MAX) > 0x7ff00000) return x; /* a NaN keeps its sign */
    if (abs) x.imm &= ~sign_bits(type);
    if (neg) x.imm ^= sign_bits(type);
    return x;
  }
  x.abs = abs && x.kind != MIR_ZERO;
  x.neg = neg;
  return x;
}

/* immediates too */
static struct mir_operand sel_float_neg(struct mir_operand x, unsigned type) {
  return x.kind == MIR_IMM ? with_signs(x, type, true, false) : sel_neg(x);
}

/* The upper half of a register is an operand of its own. */
static bool upper_half(struct select *s, const struct ir_operand *o, struct mir_operand *x) {
  const struct ir_insn *i = sel_from_op(s, o, IR_UNPACK);
  if (!i || sel_is_64(i->type) || i->dsts < 2 || i->dst[1] != o->value) return false;
  *x = sel_low(s, i->src[0]);
  x->part = ISA_HALVES_H1_H1;
  return x->kind == MIR_REG;
}

struct mir_operand sel_float(struct select *s, const struct ir_operand *o, unsigned type, bool ftz, bool abs) {
  struct ir_operand at = *o;
  bool neg = false, absolute = false;
  struct mir_operand x;
  for (unsigned steps = 0; steps < 4; steps++) {
    const struct ir_insn *i = sel_from(s, &at);
    if (!i || (i->op != IR_NEG && i->op != IR_ABS) || i->type != type || (i->arithmetic.ftz && !ftz) ||
        (i->op == IR_ABS && !abs))
      break;
    if (i->op == IR_ABS)
      absolute = true;
    else if (!absolute)
      neg = !neg;
    at = i->src[0];
  }
  if (at.kind == IR_CONST)
    x = float_constant(s, at.bits, type);
  else if (type == PTX_F64)
    x = sel_wide(s, at);
  else if (type != PTX_F16 || !upper_half(s, &at, &x))
    x = sel_low(s, at);
  return with_signs(x, type, neg, absolute);
}

/* A number that is known, and no NaN (of FP64: the upper word). */
static bool is_number(const struct mir_operand *x) {
  return x->kind == MIR_ZERO || (x->kind == MIR_IMM && (x->imm & INT32_MAX) <= 0x7ff00000);
}

/* May a and b change places? The NaN of an FP64 result is that of b, of c, of a: the first one in this order. */
static bool commutes(unsigned type, const struct mir_operand *a, const struct mir_operand *b,
                     const struct mir_operand *c) {
  return type != PTX_F64 || ((is_number(a) || is_number(b)) && (c->kind == MIR_NONE || is_number(c)));
}

static struct mir_insn *two(struct select *s, enum heddle_isa_op op, struct mir_operand d, struct mir_operand a,
                            struct mir_operand b, struct mir_operand c) {
  return commutes(s->insn->type, &a, &b, &c) ? sel_swap(s, op, d, a, b, c) : sel_op(s, op, d, a, b, c);
}

static void set_modes(struct select *s, struct mir_insn *m) {
  const struct ir_insn *i = s->insn;
  if (i->type == PTX_F64) {
    mir_set(m, ISA_F_RND, i->arithmetic.round);
  } else if (i->type == PTX_F32) {
    mir_set(m, ISA_F_RND, i->arithmetic.round);
    mir_set(m, ISA_F_FTZ, i->arithmetic.ftz);
    mir_set(m, ISA_F_SAT, i->arithmetic.sat);
  } else {
    mir_set(m, ISA_F_FTZ, i->arithmetic.ftz);
    mir_set(m, ISA_F_SAT, i->arithmetic.sat);
    if (i->op == IR_FMA || i->op == IR_MAD) mir_set(m, ISA_F_RELU, i->arithmetic.relu);
  }
}

static bool refuses_float(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool half = i->type == PTX_F16 || i->type == PTX_F16X2;
  if (i->arithmetic.round > IR_RZ || (half && i->arithmetic.round != IR_RN))
    sel_refuse(s, "this rounding is not supported");
  else if (i->arithmetic.sat && i->type == PTX_F64)
    sel_refuse(s, ".sat is not supported");
  else if (i->arithmetic.relu && !(half && (i->op == IR_FMA || i->op == IR_MAD)))
    sel_refuse(s, ".relu is not supported");
  else
    return false;
  return true;
}

static struct mir_operand dst(struct select *s) {
  return s->insn->type == PTX_F64 ? sel_dst_pair(s, 0) : sel_dst(s, 0);
}

static void select_arithmetic(struct select *s) {
  const struct ir_insn *i = s->insn;
  const unsigned type = i->type;
  struct mir_operand x[3];
  const bool fma = i->op == IR_FMA || i->op == IR_MAD;
  for (unsigned k = 0; k < (fma ? 3u : 2u); k++) x[k] = sel_float(s, &i->src[k], type, i->arithmetic.ftz, !fma);
  if (i->op == IR_SUB) x[1] = sel_float_neg(x[1], type);
  unsigned which = fma ? FORM_FMA : i->op == IR_MUL ? FORM_MUL : FORM_ADD;
  set_modes(s, two(s, form(type, which), dst(s), x[0], x[1], fma ? x[2] : mir_none()));
}

static void minmax(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand a = sel_float(s, &i->src[0], i->type, i->arithmetic.ftz, true),
                     b = sel_float(s, &i->src[1], i->type, i->arithmetic.ftz, true);
  struct mir_insn *m = two(s, form(i->type, FORM_MINMAX), dst(s), a, b, mir_none());
  m->ps[0] = sel_choice(i->op == IR_MIN);
  if (i->type == PTX_F64) {
    if (i->arithmetic.keep_nan) sel_refuse(s, ".NaN is not supported");
    return;
  }
  mir_set(m, ISA_F_FTZ, i->arithmetic.ftz);
  mir_set(m, ISA_F_KEEPN, i->arithmetic.keep_nan);
}

/* x + -0 is x, with every NaN as the machine makes them. */
static void sign(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand x = sel_float(s, &i->src[0], i->type, i->arithmetic.ftz, true), zero = sel_neg(mir_zero());
  if (i->op == IR_NEG) {
    x = sel_float_neg(x, i->type);
  } else if (x.kind == MIR_IMM || x.kind == MIR_ZERO) {
    x = with_signs(x, i->type, false, true);
  } else {
    x.neg = false;
    x.abs = true;
  }
  struct mir_insn *m = sel_swap(s, form(i->type, FORM_ADD), dst(s), x, zero, mir_none());
  if (i->type != PTX_F64) mir_set(m, ISA_F_FTZ, i->arithmetic.ftz);
}

/* The sign of a, the rest of b. */
static void copysign_bits(struct select *s) {
  const struct ir_insn *i = s->insn;
  const unsigned top = i->type == PTX_F64 ? 1 : 0;
  struct mir_operand b[2] = {sel_low(s, i->src[1]), mir_zero()};
  if (top) b[1] = sel_high(s, i->src[1]);
  struct mir_operand a = sel_word(s, i->src[0], top), d = dst(s);
  if (top) sel_mov(s, mir_word(d, 0), b[0]);
  sel_lop3(s, mir_word(d, top), a, mir_imm(UINT32_C(0x80000000)), b[top], 0xe2);
}

void select_float(struct select *s) {
  switch (s->insn->op) {
  case IR_MIN:
  case IR_MAX:
    minmax(s);
    break;
  case IR_NEG:
  case IR_ABS:
    sign(s);
    break;
  case IR_COPYSIGN:
    if (s->insn->type == PTX_F32 || s->insn->type == PTX_F64)
      copysign_bits(s);
    else
      sel_refuse(s, "is not supported");
    break;
  default:
    if (!refuses_float(s)) select_arithmetic(s);
  }
}

/* Float operations in several instructions: quotients, roots, special functions (expand*.c), and classes of numbers. */

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
