/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer instructions that are written as several operations of the graph.
 */
#include "compiler/lower/lower.h"

/* a == 0 ? 1 : 0 */
void lower_cnot(struct lower *l, const struct insn *in) {
  enum ptx_type t = lower_promote(in->type);
  struct ir_operand a = lower_read_extended(l, &in->o[1], in->type);
  struct ir_insn *is_zero = lower_temp(l, IR_SETP, t, IR_PRED, 2, (struct ir_operand[]){a, ir_bits(0)});
  is_zero->comparison.cmp = IR_EQ;
  struct ir_operand src[3] = {ir_bits(1), ir_bits(0), lower_result(is_zero)};
  lower_into(l, lower_write(l, &in->o[0], in->type), IR_SELP, t, 3, src);
}

/* ---- saturating sums: on overflow the limit on the side of the first operand's sign ---- */

enum { LUT_SUM = 0x42, LUT_DIFFERENCE = 0x18 }; /* operands and result: signs that cannot be without overflow */

struct ir_operand lower_saturated(struct lower *l, bool difference, struct ir_operand a, struct ir_operand b) {
  struct ir_operand d = lower_two(l, difference ? IR_SUB : IR_ADD, PTX_S32, a, b);
  struct ir_insn *signs = lower_temp(l, IR_LOP3, PTX_B32, IR_32, 3, (struct ir_operand[]){a, b, d});
  signs->lut = difference ? LUT_DIFFERENCE : LUT_SUM;
  struct ir_insn *over =
      lower_temp(l, IR_SETP, PTX_S32, IR_PRED, 2, (struct ir_operand[]){lower_result(signs), ir_bits(0)});
  over->comparison.cmp = IR_LT;
  struct ir_operand limit = lower_two(l, IR_SHR, PTX_S32, a, ir_bits(31));
  limit = lower_two(l, IR_XOR, PTX_B32, limit, ir_bits(INT32_MAX));
  return lower_three(l, IR_SELP, PTX_S32, limit, d, lower_result(over));
}

/* Bits 47:16 of the product of two 24-bit numbers, or its low 32. */
static struct ir_operand product24(struct lower *l, const struct insn *in, bool high) {
  struct ir_operand f[2];
  for (unsigned k = 0; k < 2; k++) {
    struct ir_operand a = lower_read(l, &in->o[k + 1], in->type);
    f[k] = lower_three(l, IR_BFE, in->type, a, ir_bits(0), ir_bits(24));
  }
  if (!high) return lower_two(l, IR_MUL, in->type, f[0], f[1]);
  enum ptx_type wide = lower_signed(in->type) ? PTX_S64 : PTX_U64;
  struct ir_operand p = lower_result(lower_temp(l, IR_MULWIDE, in->type, IR_64, 2, f));
  return lower_cvt(l, PTX_U32, PTX_U64, lower_two(l, IR_SHR, wide, p, ir_bits(16)));
}

void lower_sat(struct lower *l, const struct insn *in) {
  unsigned op = in->row->op;
  if (given(in, K_PART) && in->w.value[K_PART] != PART_HI) {
    lower_refuse(l, in, ".sat goes with .hi alone");
    return;
  }
  struct ir_operand a, b;
  if (op == IR_ADD || op == IR_SUB) {
    a = lower_read(l, &in->o[1], PTX_S32);
    b = lower_read(l, &in->o[2], PTX_S32);
  } else {
    if (op == IR_MAD24)
      a = product24(l, in, true);
    else {
      struct ir_operand x = lower_read(l, &in->o[1], PTX_S32), y = lower_read(l, &in->o[2], PTX_S32);
      a = lower_two(l, IR_MULHI, PTX_S32, x, y);
    }
    b = lower_read(l, &in->o[3], PTX_S32);
  }
  const struct ir_operand sum = lower_saturated(l, op == IR_SUB, a, b);
  lower_copy(l, lower_write(l, &in->o[0], PTX_S32), sum);
}

void lower_mul24(struct lower *l, const struct insn *in) {
  if (in->w.value[K_PART] == PART_WIDE) {
    lower_refuse(l, in, ".wide is not supported here");
    return;
  }
  struct ir_operand src[2] = {product24(l, in, in->w.value[K_PART] == PART_HI)};
  bool mad = in->row->op == IR_MAD24;
  if (mad) src[1] = lower_read(l, &in->o[3], in->type);
  struct ir_value *dst = lower_write(l, &in->o[0], in->type);
  if (mad)
    lower_into(l, dst, IR_ADD, in->type, 2, src);
  else
    lower_copy(l, dst, src[0]);
}

/* ---- dot products: dp2a is two products of a half and a byte ---- */

static struct ir_operand piece(struct lower *l, enum ptx_type t, struct ir_operand a, unsigned at, unsigned bits) {
  return lower_three(l, IR_BFE, t, a, ir_bits(at), ir_bits(bits));
}

void lower_dot(struct lower *l, const struct insn *in) {
  enum ptx_type ta = in->w.type[0], tb = in->w.type[1], sum = lower_signed(ta) || lower_signed(tb) ? PTX_S32 : PTX_U32;
  if (!(tb == PTX_U32 || tb == PTX_S32) || (given(in, K_PART) && in->w.value[K_PART] == PART_WIDE)) {
    lower_refuse(l, in, "this combination is not supported");
    return;
  }
  struct ir_operand src[3] = {lower_read(l, &in->o[1], PTX_B32), lower_read(l, &in->o[2], PTX_B32),
                              lower_read(l, &in->o[3], sum)};
  struct ir_value *dst = lower_write(l, &in->o[0], sum);
  if (in->row->op == IR_DP4A) {
    lower_into(l, dst, IR_DP4A, ta, 3, src)->type2 = (uint8_t)tb;
    return;
  }
  unsigned first = in->w.value[K_PART] == PART_HI ? 16 : 0;
  struct ir_operand a0 = piece(l, ta, src[0], 0, 16), b0 = piece(l, tb, src[1], first, 8);
  struct ir_operand a1 = piece(l, ta, src[0], 16, 16), b1 = piece(l, tb, src[1], first + 8, 8);
  struct ir_operand half = lower_three(l, IR_MAD, sum, a0, b0, src[2]);
  lower_into(l, dst, IR_MAD, sum, 3, (struct ir_operand[]){a1, b1, half});
}

/* c + |a - b|; there is no 64-bit operation for it */
void lower_sad(struct lower *l, const struct insn *in) {
  enum ptx_type t = lower_promote(in->type);
  struct ir_operand a = lower_read_extended(l, &in->o[1], in->type), b = lower_read_extended(l, &in->o[2], in->type);
  struct ir_operand c = lower_read(l, &in->o[3], in->type);
  struct ir_value *dst = lower_write(l, &in->o[0], in->type);
  if (ptx_type_bytes(t) == 4) {
    lower_into(l, dst, IR_SAD, t, 3, (struct ir_operand[]){a, b, c});
    return;
  }
  struct ir_operand most = lower_two(l, IR_MAX, t, a, b), least = lower_two(l, IR_MIN, t, a, b);
  struct ir_operand distance = lower_two(l, IR_SUB, t, most, least);
  lower_into(l, dst, IR_ADD, t, 2, (struct ir_operand[]){distance, c});
}
