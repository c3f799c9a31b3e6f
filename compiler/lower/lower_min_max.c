/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimum and maximum beyond the machine's own: .xorsign.abs of floats, three floats, pairs of 16-bit integers, .relu
 * of integers; sums of such pairs.
 */
#include "compiler/lower/lower.h"

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
