/* SPDX-License-Identifier: Apache-2.0
 *
 * Float arithmetic that the machine has. Negations and absolute values of operands ride along: every NaN comes out the
 * same with or without them (isa/doc/02-instructions.md, 08-half-double-conversions.md).
 */
#include "compiler/select/select.h"

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

struct mir_operand sel_float_neg(struct mir_operand x, unsigned type) {
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
