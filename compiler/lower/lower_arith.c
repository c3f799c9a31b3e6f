/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic that is one operation of the graph or hardly more.
 */
#include "compiler/lower/lower.h"

/* Arithmetic and bits that are one operation of the graph. 16-bit integers are done in 32 bits; where their upper bits
 * count they are extended first. */

static void modifiers(struct ir_arithmetic *i, const struct insn *in) {
  i->round = in->w.value[K_ROUND];
  i->ftz = given(in, K_FTZ);
  i->sat = given(in, K_SAT);
  i->relu = given(in, K_RELU);
  i->approx = given(in, K_APPROX);
  i->full = given(in, K_FULL);
  i->keep_nan = given(in, K_NAN);
}

void lower_plain(struct lower *l, const struct insn *in) {
  struct ir_operand src[3];
  unsigned n = in->operands - 1;
  for (unsigned k = 0; k < n; k++)
    src[k] = in->row->flags & ROW_EXTEND ? lower_read_extended(l, &in->o[k + 1], in->type)
                                         : lower_read(l, &in->o[k + 1], in->type);
  struct ir_value *dst = lower_write(l, &in->o[0], in->type);
  struct ir_insn *i = lower_into(l, dst, (enum ir_op)in->row->op, lower_promote(in->type), n, src);
  if (ir_kind((enum ir_op)i->op) == IR_ARITHMETIC) modifiers(&i->arithmetic, in);
  if (i->op == IR_PRMT) i->permute = in->w.value[K_PRMT];
}

static struct ir_operand special_half(struct lower *l, const struct insn *in, struct ir_operand a) {
  struct ir_insn *i = lower_temp(l, (enum ir_op)in->row->op, PTX_F16, IR_32, 1, &a);
  i->arithmetic.approx = true;
  return lower_result(i);
}

void lower_special_half(struct lower *l, const struct insn *in) {
  struct ir_operand a = lower_read(l, &in->o[1], in->type), half[2];
  if (in->type == PTX_F16) {
    lower_copy(l, lower_write(l, &in->o[0], in->type), special_half(l, in, a));
    return;
  }
  lower_halves(l, a, half);
  for (unsigned k = 0; k < 2; k++) half[k] = special_half(l, in, half[k]);
  lower_into(l, lower_write(l, &in->o[0], in->type), IR_PACK, PTX_B32, 2, half);
}

/* ---- mul, mad of integers ---- */

static enum ptx_type twice(enum ptx_type t) {
  switch (t) {
  case PTX_U16:
    return PTX_U32;
  case PTX_S16:
    return PTX_S32;
  case PTX_U32:
    return PTX_U64;
  default:
    return PTX_S64;
  }
}

/* The upper half of a 16-bit product: the product has 32 bits. */
static void mul_hi_16(struct lower *l, const struct insn *in, const struct ir_operand *src) {
  enum ptx_type t = lower_promote(in->type);
  struct ir_operand product = lower_two(l, IR_MUL, t, src[0], src[1]);
  struct ir_operand high[2] = {lower_two(l, IR_SHR, t, product, ir_bits(16))};
  struct ir_value *dst = lower_write(l, &in->o[0], in->type);
  if (in->row->op == IR_MUL) {
    lower_copy(l, dst, high[0]);
    return;
  }
  high[1] = src[2];
  lower_into(l, dst, IR_ADD, t, 2, high);
}

void lower_mul(struct lower *l, const struct insn *in) {
  static const enum ir_op ops[2][3] = {{IR_MUL, IR_MULHI, IR_MULWIDE}, {IR_MAD, IR_MADHI, IR_MADWIDE}};
  enum part part = (enum part)in->w.value[K_PART];
  bool mad = in->row->op == IR_MAD, narrow = ptx_type_bytes(in->type) == 2;
  if (part == PART_WIDE && ptx_type_bytes(in->type) == 8) {
    lower_refuse(l, in, "there is no product of 128 bits");
    return;
  }
  struct ir_operand src[3];
  for (unsigned k = 0; k < 2; k++)
    src[k] = part == PART_LO ? lower_read(l, &in->o[k + 1], in->type) : lower_read_extended(l, &in->o[k + 1], in->type);
  if (mad) src[2] = lower_read(l, &in->o[3], part == PART_WIDE ? twice(in->type) : in->type);
  if (part == PART_HI && narrow) {
    mul_hi_16(l, in, src);
    return;
  }
  struct ir_value *dst = lower_write(l, &in->o[0], part == PART_WIDE ? twice(in->type) : in->type);
  lower_into(l, dst, ops[mad][narrow ? PART_LO : part], lower_promote(in->type), mad ? 3 : 2, src);
}

/* ---- extended precision: one carry for the kernel, a predicate variable ---- */

void lower_carry(struct lower *l, const struct insn *in) {
  unsigned n = in->operands - 1;
  if (given(in, K_PART) && in->w.value[K_PART] == PART_WIDE) {
    lower_refuse(l, in, ".wide is not supported here");
    return;
  }
  if (!l->carry) l->carry = ir_value_new(l->f, IR_PRED);
  struct ir_operand src[4];
  for (unsigned k = 0; k < n; k++) src[k] = lower_read(l, &in->o[k + 1], in->type);
  if (in->row->flags & ROW_CARRIED) src[n++] = ir_use(l->carry);
  struct ir_value *dst = lower_write(l, &in->o[0], in->type);
  struct ir_insn *i = lower_into(l, dst, (enum ir_op)in->row->op, in->type, n, src);
  i->arithmetic.high = given(in, K_PART) && in->w.value[K_PART] == PART_HI;
  if (given(in, K_CC)) lower_dst(i, l->carry);
}

/* ---- shifts and bits ---- */

void lower_shift(struct lower *l, const struct insn *in) {
  bool right = in->row->op == IR_SHR;
  enum ptx_type t = lower_promote(in->type);
  if (right && t == PTX_B32) t = PTX_U32;
  if (right && t == PTX_B64) t = PTX_U64;
  struct ir_operand src[2];
  src[0] = right ? lower_read_extended(l, &in->o[1], in->type) : lower_read(l, &in->o[1], in->type);
  src[1] = lower_read(l, &in->o[2], PTX_U32);
  lower_into(l, lower_write(l, &in->o[0], in->type), (enum ir_op)in->row->op, t, 2, src);
}

/* What the sources after the first have, and the result. */
static void bit_types(const struct insn *in, enum ptx_type *second, enum ptx_type *result) {
  *second = in->row->op == IR_BFI ? in->type : PTX_U32;
  bool counts = in->row->op == IR_BFIND || in->row->op == IR_POPC || in->row->op == IR_CLZ;
  *result = counts ? PTX_U32 : in->type;
}

void lower_bits(struct lower *l, const struct insn *in) {
  unsigned n = in->operands - 1;
  enum ptx_type second, result;
  bit_types(in, &second, &result);
  struct ir_operand src[4];
  for (unsigned k = 0; k < n; k++) src[k] = lower_read(l, &in->o[k + 1], k == 0 ? in->type : k == 1 ? second : PTX_U32);
  struct ir_insn *i = lower_into(l, lower_write(l, &in->o[0], result), (enum ir_op)in->row->op, in->type, n, src);
  if (i->op == IR_SHF)
    i->funnel = (struct ir_funnel){.right = in->w.value[K_RIGHT] != 0, .wrap = in->w.value[K_WRAP] != 0};
  else if (i->op == IR_BFIND)
    i->shift_amount = given(in, K_SHIFTAMT);
}

/* lop3.or.b32 d|p, a, b, c, table, q: p tells whether any bit of d is set, or'ed with q. */
static void lop3_tested(struct lower *l, const struct insn *in, const struct ir_operand *src) {
  const bool pair = in->o[0].kind == PTX_OP_PAIR;
  if (!pair || in->w.value[K_BOOL] == IR_B_XOR || in->o[0].element[1].kind == PTX_OP_SINK) {
    lower_refuse(l, in, "this combination is not supported");
    return;
  }
  const struct ptx_operand *d = &in->o[0].element[0], *p = &in->o[0].element[1];
  struct ptx_operand with = in->o[5];
  with.invert = false;
  struct ir_operand q = lower_read(l, &with, PTX_PRED);
  struct ir_insn *bits = lower_temp(l, IR_LOP3, PTX_B32, IR_32, 3, src);
  bits->lut = (uint8_t)in->o[4].bits;
  struct ir_insn *i =
      lower_temp(l, IR_SETP, PTX_U32, IR_PRED, 3, (struct ir_operand[]){lower_result(bits), ir_bits(0), q});
  i->comparison.cmp = IR_NE;
  i->comparison.combine = in->w.value[K_BOOL];
  i->comparison.combine_invert = in->o[5].invert;
  if (l->guard) l->guard = lower_one(l, IR_COPY, PTX_PRED, ir_use(l->guard)).value; /* p may be the guard */
  if (d->kind != PTX_OP_SINK)
    lower_into(l, lower_write(l, d, PTX_B32), IR_COPY, PTX_B32, 1, (struct ir_operand[]){lower_result(bits)});
  lower_into(l, lower_write(l, p, PTX_PRED), IR_COPY, PTX_PRED, 1, (struct ir_operand[]){lower_result(i)});
}

void lower_lop3(struct lower *l, const struct insn *in) {
  struct ir_operand src[3];
  for (unsigned k = 0; k < 3; k++) src[k] = lower_read(l, &in->o[k + 1], in->type);
  if (in->o[4].kind != PTX_OP_INT || in->o[4].bits > 0xff) {
    ptx_error(l->d, in->o[4].pos, "lop3: a constant from 0 to 255 is wanted");
    return;
  }
  if (given(in, K_BOOL)) {
    lop3_tested(l, in, src);
    return;
  }
  lower_into(l, lower_write(l, &in->o[0], in->type), IR_LOP3, in->type, 3, src)->lut = (uint8_t)in->o[4].bits;
}

/* Minimum and maximum beyond the machine's own: .xorsign.abs of floats, three floats, pairs of 16-bit integers, .relu
 * of integers; sums of such pairs. */

enum { SINGLE_SIGN = (int)0x80000000, HALF_SIGN = 0x8000, PAIR_SIGNS = (int)0x80008000 };

/* ---- floats ---- */

static struct ir_operand extreme(struct lower *l, const struct insn *in, enum ptx_type t,
                                 const struct ir_operand *src) {
  struct ir_insn *i = lower_temp(l, (enum ir_op)in->row->op, t, IR_32, 2, src);
  i->arithmetic.ftz = given(in, K_FTZ);
  i->arithmetic.keep_nan = given(in, K_NAN);
  return lower_result(i);
}

struct ir_operand lower_min_max(struct lower *l, const struct insn *in, enum ptx_type t, const struct ir_operand *src) {
  if (!given(in, K_XORSIGN)) return extreme(l, in, t, src);
  struct ir_operand sign = ir_bits(t == PTX_F32 ? (uint32_t)SINGLE_SIGN : HALF_SIGN), bare[2];
  struct ir_operand rest = ir_bits(~sign.bits & (t == PTX_F32 ? UINT32_MAX : 0xffff));
  for (unsigned k = 0; k < 2; k++) bare[k] = lower_two(l, IR_AND, PTX_B32, src[k], rest);
  struct ir_operand found = extreme(l, in, t, bare);
  struct ir_insn *nan = lower_temp(l, IR_SETP, t, IR_PRED, 2, (struct ir_operand[]){found, found});
  nan->comparison.cmp = IR_NAN;
  struct ir_operand differ = lower_two(l, IR_AND, PTX_B32, lower_two(l, IR_XOR, PTX_B32, src[0], src[1]), sign);
  struct ir_operand with = lower_two(l, IR_OR, PTX_B32, found, differ); /* the sign of what was found is 0 */
  return lower_three(l, IR_SELP, PTX_B32, found, with, lower_result(nan));
}

void lower_xorsign(struct lower *l, const struct insn *in) {
  struct ir_operand a = lower_read(l, &in->o[1], in->type), b = lower_read(l, &in->o[2], in->type);
  struct ir_operand x[2], y[2], half[2];
  if (in->type != PTX_F16X2) {
    struct ir_operand v = lower_min_max(l, in, in->type, (struct ir_operand[]){a, b});
    lower_copy(l, lower_write(l, &in->o[0], in->type), v);
    return;
  }
  lower_halves(l, a, x);
  lower_halves(l, b, y);
  for (unsigned k = 0; k < 2; k++) half[k] = lower_min_max(l, in, PTX_F16, (struct ir_operand[]){x[k], y[k]});
  lower_into(l, lower_write(l, &in->o[0], in->type), IR_PACK, PTX_B32, 2, half);
}

/* Of the first two, then of that and the third, as the PTX manual defines it. */
void lower_of_three(struct lower *l, const struct insn *in) {
  struct ir_operand src[3];
  for (unsigned k = 0; k < 3; k++) {
    src[k] = lower_read(l, &in->o[1 + k], PTX_F32);
    if (given(in, K_ABS)) src[k] = lower_one(l, IR_ABS, PTX_F32, src[k]);
  }
  struct ir_operand pair[2] = {extreme(l, in, PTX_F32, src), src[2]};
  struct ir_operand v = extreme(l, in, PTX_F32, pair);
  lower_copy(l, lower_write(l, &in->o[0], PTX_F32), v);
}

/* ---- integers ---- */

void lower_relu(struct lower *l, const struct insn *in) {
  struct ir_operand a = lower_read(l, &in->o[1], PTX_S32), b = lower_read(l, &in->o[2], PTX_S32);
  struct ir_operand src[2] = {lower_two(l, (enum ir_op)in->row->op, PTX_S32, a, b), ir_bits(0)};
  lower_into(l, lower_write(l, &in->o[0], PTX_S32), IR_MAX, PTX_S32, 2, src);
}

/* The carry out of the lower halves must not get into the upper ones. */
static struct ir_operand pair_sum(struct lower *l, struct ir_operand a, struct ir_operand b) {
  struct ir_operand signs = ir_bits((uint32_t)PAIR_SIGNS), rest = ir_bits(~(uint32_t)PAIR_SIGNS);
  struct ir_operand sum =
      lower_two(l, IR_ADD, PTX_U32, lower_two(l, IR_AND, PTX_B32, a, rest), lower_two(l, IR_AND, PTX_B32, b, rest));
  struct ir_operand top = lower_two(l, IR_AND, PTX_B32, lower_two(l, IR_XOR, PTX_B32, a, b), signs);
  return lower_two(l, IR_XOR, PTX_B32, sum, top);
}

static struct ir_operand pair_extreme(struct lower *l, const struct insn *in, struct ir_operand a,
                                      struct ir_operand b) {
  enum ptx_type t = in->w.value[K_SHORTS] == SHORTS_SIGNED ? PTX_S32 : PTX_U32;
  struct ir_operand half[2];
  for (unsigned k = 0; k < 2; k++) {
    struct ir_operand x = lower_three(l, IR_BFE, t, a, ir_bits(16 * k), ir_bits(16));
    struct ir_operand y = lower_three(l, IR_BFE, t, b, ir_bits(16 * k), ir_bits(16));
    half[k] = lower_two(l, (enum ir_op)in->row->op, t, x, y);
    if (given(in, K_RELU)) half[k] = lower_two(l, IR_MAX, t, half[k], ir_bits(0));
  }
  return lower_two(l, IR_PACK, PTX_B32, half[0], half[1]);
}

void lower_shorts(struct lower *l, const struct insn *in) {
  struct ir_operand a = lower_read(l, &in->o[1], PTX_B32), b = lower_read(l, &in->o[2], PTX_B32);
  if (given(in, K_RELU) && in->w.value[K_SHORTS] != SHORTS_SIGNED) {
    lower_refuse(l, in, ".relu goes with signed integers alone");
    return;
  }
  struct ir_operand v = in->row->op == IR_ADD ? pair_sum(l, a, b) : pair_extreme(l, in, a, b);
  lower_copy(l, lower_write(l, &in->o[0], PTX_B32), v);
}
