/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions.
 */
#include "compiler/select/select.h"

static unsigned bytes(unsigned type) {
  return ptx_type_bytes((enum ptx_type)type);
}

static unsigned float_code(unsigned type) {
  return type == PTX_F32 ? ISA_FTO_F32 : type == PTX_F64 ? ISA_FTO_F64 : ISA_FTO_F16;
}

static unsigned integer_code(unsigned type) {
  const bool is_signed = sel_is_signed(type);
  switch (bytes(type)) {
  case 1:
    return is_signed ? ISA_ITYPE_S8 : ISA_ITYPE_U8;
  case 2:
    return is_signed ? ISA_ITYPE_S16 : ISA_ITYPE_U16;
  case 4:
    return is_signed ? ISA_ITYPE_S32 : ISA_ITYPE_U32;
  default:
    return is_signed ? ISA_ITYPE_S64 : ISA_ITYPE_U64;
  }
}

static struct mir_operand dst(struct select *s, unsigned type) {
  return sel_is_64(type) ? sel_dst_pair(s, 0) : sel_dst(s, 0);
}

/* ---- between integers ---- */

/* rd = the low `n` bytes of x, extended. */
static void extend_word(struct select *s, struct mir_operand rd, struct mir_operand x, unsigned n, bool is_signed) {
  if (n == 4) {
    sel_mov(s, rd, x);
  } else if (is_signed) {
    struct mir_insn *m = sel_op(s, ISA_OP_SGXT, rd, sel_reg(s, x), mir_imm(8 * n), mir_none());
    mir_set(m, ISA_F_SIGN, ISA_SIGN_S32);
  } else {
    sel_lop3(s, rd, x, mir_imm(n == 1 ? 0xff : 0xffff), mir_zero(), 0xc0);
  }
}

/* Loads and parameters come extended. */
static bool is_extended(struct select *s, const struct ir_operand *o, unsigned type) {
  const struct ir_insn *i = sel_from(s, o);
  return i && (i->op == IR_LD || i->op == IR_PARAM) && i->type == type && i->type2 == PTX_NO_TYPE;
}

static void to_word(struct select *s) {
  const struct ir_insn *i = s->insn;
  const unsigned from = bytes(i->type2), to = bytes(i->type);
  const unsigned n = from < to ? from : to;
  const bool is_signed = sel_is_signed(from < to ? i->type2 : i->type);
  struct mir_operand x = sel_low(s, i->src[0]);
  if (n >= 4 || (from < 4 && n == from && is_extended(s, &i->src[0], i->type2))) {
    if (!sel_lasts(s, &i->src[0]) || !sel_is(s, 0, x)) sel_mov(s, sel_dst(s, 0), x);
  } else {
    extend_word(s, sel_dst(s, 0), x, n, is_signed);
  }
}

/* A word and its sign: extended to 64 bits. `lasts`: it stays as it is. */
static void sign_extend(struct select *s, struct mir_operand x, bool lasts) {
  const bool pair = sel_value(s, s->insn->dst[0])->wants & (SEL_PAIR | SEL_WIDE);
  if (!lasts || pair || !sel_may_stand(s, 0)) { /* times one: both words at once */
    sel_imad_wide(s, sel_dst(s, 0), x, mir_imm(1), mir_zero(), true);
    return;
  }
  struct mir_operand hi = sel_new(s, 1);
  (void)sel_shf(s, hi, mir_zero(), mir_imm(31), x, true, ISA_SHTYPE_S32, true);
  (void)sel_is_words(s, 0, x, hi);
}

static void copy_pair(struct select *s) {
  const struct ir_operand o = s->insn->src[0];
  struct mir_operand lo = sel_low(s, o), hi = sel_narrow(s, 0) ? mir_zero() : sel_high(s, o), d = sel_dst(s, 0);
  sel_mov(s, mir_word(d, 0), lo);
  if (d.words == 2) sel_mov(s, mir_word(d, 1), hi);
}

/* {U64,S64} <- anything */
static void to_pair(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool is_signed = sel_is_signed(i->type2);
  bool lasts = sel_lasts(s, &i->src[0]);
  if (bytes(i->type2) == 8) {
    copy_pair(s);
    return;
  }
  struct mir_operand x = sel_low(s, i->src[0]);
  if (bytes(i->type2) < 4 && !is_extended(s, &i->src[0], i->type2)) {
    struct mir_operand t = sel_new(s, 1);
    extend_word(s, t, x, bytes(i->type2), is_signed);
    x = t;
    lasts = true;
  }
  if (lasts && (sel_narrow(s, 0) || !is_signed) && sel_is_words(s, 0, x, mir_zero())) return;
  if (is_signed && !sel_narrow(s, 0)) {
    sign_extend(s, x, lasts);
    return;
  }
  struct mir_operand d = sel_dst(s, 0);
  sel_mov(s, mir_word(d, 0), x);
  if (d.words == 2) sel_mov(s, mir_word(d, 1), mir_zero());
}

static void between_integers(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (i->arithmetic.sat)
    sel_refuse(s, ".sat between integers is not supported");
  else if (bytes(i->type) == 8)
    to_pair(s);
  else
    to_word(s);
}

/* ---- floats ---- */

/* Clamped to [0, 1], from a register of its own type into the destination. */
static void saturate(struct select *s, struct mir_operand d, struct mir_operand x, unsigned type) {
  struct mir_insn *m = sel_add(s, ISA_OP_F2F, d, mir_none(), x, mir_none());
  mir_set(m, ISA_F_FDST, float_code(type));
  mir_set(m, ISA_F_FSRC, float_code(type));
  mir_set(m, ISA_F_SAT, ISA_SAT_SAT);
}

static void from_integer(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand x = sel_is_64(i->type2) ? sel_wide(s, i->src[0]) : sel_low(s, i->src[0]), d = dst(s, i->type);
  struct mir_operand r = i->arithmetic.sat ? sel_new(s, sel_is_64(i->type) ? 2 : 1) : d;
  struct mir_insn *m = sel_op(s, ISA_OP_I2F, r, mir_none(), x, mir_none());
  mir_set(m, ISA_F_FLT, float_code(i->type));
  mir_set(m, ISA_F_ISRC, integer_code(i->type2));
  mir_set(m, ISA_F_RND, i->arithmetic.round);
  if (i->arithmetic.sat) saturate(s, d, r, i->type);
}

/* A float operand of F2I and FRND, which know no halves. */
static struct mir_operand source(struct select *s, unsigned type, bool ftz) {
  const struct ir_insn *i = s->insn;
  if (type == PTX_F64) return sel_reg(s, sel_float(s, &i->src[0], type, ftz, true));
  return type == PTX_F16 ? sel_low(s, i->src[0]) : sel_float(s, &i->src[0], type, ftz, true);
}

static void to_integer(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand x = source(s, i->type2, i->arithmetic.ftz);
  struct mir_insn *m = sel_op(s, ISA_OP_F2I, dst(s, i->type), mir_none(), x, mir_none());
  mir_set(m, ISA_F_DINT, integer_code(i->type));
  mir_set(m, ISA_F_FLT, float_code(i->type2));
  mir_set(m, ISA_F_IRND,
          i->arithmetic.round >= IR_RNI  ? i->arithmetic.round - IR_RNI
          : i->arithmetic.round == IR_RZ ? ISA_IRND_TRUNC
                                         : i->arithmetic.round);
  if (i->type2 == PTX_F32) mir_set(m, ISA_F_FTZ, i->arithmetic.ftz);
}

static void to_integral(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand x = sel_reg(s, source(s, i->type, i->arithmetic.ftz)), d = dst(s, i->type);
  struct mir_operand r = i->arithmetic.sat ? sel_new(s, sel_is_64(i->type) ? 2 : 1) : d;
  struct mir_insn *m = sel_op(s, ISA_OP_FRND, r, mir_none(), x, mir_none());
  mir_set(m, ISA_F_RINT, float_code(i->type));
  mir_set(m, ISA_F_IRND, i->arithmetic.round - IR_RNI);
  if (i->type == PTX_F32) mir_set(m, ISA_F_FTZ, i->arithmetic.ftz);
  if (i->arithmetic.sat) saturate(s, d, r, i->type);
}

/* The operand of F2F. Widened to FP64 a NaN keeps its payload, which a negation would have dropped. F2F flushes FP32
 * alone: a negation that flushes a half stands by itself. */
static struct mir_operand f2f_operand(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (i->type == PTX_F64 && i->type2 != PTX_F64) return sel_reg(s, sel_low(s, i->src[0]));
  struct mir_operand x = sel_reg(s, sel_float(s, &i->src[0], i->type2, i->arithmetic.ftz && i->type2 == PTX_F32, true));
  if (x.part) x.part = ISA_HALF1_H1;
  return x;
}

static void between_floats(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand x = f2f_operand(s);
  if (i->arithmetic.ftz && i->type == PTX_F64 &&
      i->type2 == PTX_F32) { /* every NaN as FADD makes it: silicon says so */
    struct mir_operand t = sel_new(s, 1);
    mir_set(sel_add(s, ISA_OP_FADD, t, x, sel_neg(mir_zero()), mir_none()), ISA_F_FTZ, ISA_FTZ_FTZ);
    x = t;
  }
  struct mir_insn *m = sel_op(s, ISA_OP_F2F, dst(s, i->type), mir_none(), x, mir_none());
  mir_set(m, ISA_F_FDST, float_code(i->type));
  mir_set(m, ISA_F_FSRC, float_code(i->type2));
  mir_set(m, ISA_F_RND, bytes(i->type) < bytes(i->type2) ? i->arithmetic.round : ISA_RND_RN);
  mir_set(m, ISA_F_FTZ, i->arithmetic.ftz);
  mir_set(m, ISA_F_SAT, i->arithmetic.sat);
}

/* F16X2 from two FP32 numbers, the upper half first; F16 with .relu. */
static void packed(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool two = i->type == PTX_F16X2;
  struct mir_operand a = two ? sel_float(s, &i->src[0], PTX_F32, i->arithmetic.ftz, true) : mir_zero();
  struct mir_operand b = sel_float(s, &i->src[two ? 1 : 0], PTX_F32, i->arithmetic.ftz, true);
  struct mir_insn *m = sel_op(s, ISA_OP_F2FP_F16_F32_PACK_AB, sel_dst(s, 0), a, b, mir_none());
  mir_set(m, ISA_F_RND, i->arithmetic.round);
  mir_set(m, ISA_F_FTZ, i->arithmetic.ftz);
  mir_set(m, ISA_F_RELU, i->arithmetic.relu);
  if (i->arithmetic.sat) sel_refuse(s, ".sat is not supported");
}

void select_cvt(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool to_float = sel_is_float(i->type), from_float = sel_is_float(i->type2);
  if (i->type2 == PTX_F32 && (i->type == PTX_F16X2 || (i->type == PTX_F16 && i->arithmetic.relu)))
    packed(s);
  else if (i->type == PTX_F16X2 || i->type2 == PTX_F16X2 || i->arithmetic.relu)
    sel_refuse(s, "from %s is not supported", ptx_type_word((enum ptx_type)i->type2));
  else if (!to_float && !from_float)
    between_integers(s);
  else if (!from_float)
    from_integer(s);
  else if (!to_float)
    to_integer(s);
  else if (i->type == i->type2 && i->arithmetic.round >= IR_RNI)
    to_integral(s);
  else if (i->arithmetic.round >= IR_RNI)
    sel_refuse(s, "this rounding is not supported");
  else
    between_floats(s);
}
