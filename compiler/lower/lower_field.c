/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields and masks: szext, bmsk, fns, cvt.pack; elect, which is a mask's lowest bit.
 */
#include "compiler/lower/lower.h"

/* A position or width: the low five bits with .wrap, 32 at most with .clamp. */
static struct ir_operand amount(struct lower *l, const struct insn *in, const struct ptx_operand *o) {
  struct ir_operand a = lower_read(l, o, PTX_U32);
  return in->w.value[K_WRAP] ? lower_two(l, IR_AND, PTX_B32, a, ir_bits(31))
                             : lower_two(l, IR_MIN, PTX_U32, a, ir_bits(32));
}

void lower_szext(struct lower *l, const struct insn *in) {
  struct ir_operand src[3] = {lower_read(l, &in->o[1], in->type), ir_bits(0), amount(l, in, &in->o[2])};
  lower_into(l, lower_write(l, &in->o[0], in->type), IR_BFE, in->type, 3, src);
}

void lower_bmsk(struct lower *l, const struct insn *in) {
  struct ir_operand src[4] = {ir_bits(UINT32_MAX), ir_bits(0), amount(l, in, &in->o[1]), amount(l, in, &in->o[2])};
  lower_into(l, lower_write(l, &in->o[0], PTX_B32), IR_BFI, PTX_B32, 4, src);
}

static struct ir_operand emit_setp(struct lower *l, enum ir_cmp cmp, enum ptx_type t, struct ir_operand a,
                                   struct ir_operand b) {
  struct ir_insn *i = lower_temp(l, IR_SETP, t, IR_PRED, 2, (struct ir_operand[]){a, b});
  i->comparison.cmp = (uint8_t)cmp;
  return lower_result(i);
}

/* Position of the bit before which `rank` bits of m are set, found by halving; 31 when there are not so many. */
static struct ir_operand ranked(struct lower *l, struct ir_operand m, struct ir_operand rank) {
  struct ir_operand at = ir_bits(0);
  for (unsigned width = 16; width; width /= 2) {
    struct ir_operand part = lower_three(l, IR_BFE, PTX_U32, m, at, ir_bits(width));
    struct ir_operand count = lower_one(l, IR_POPC, PTX_B32, part);
    struct ir_operand above = emit_setp(l, IR_GE, PTX_U32, rank, count);
    struct ir_operand left = lower_two(l, IR_SUB, PTX_U32, rank, count);
    rank = lower_three(l, IR_SELP, PTX_B32, left, rank, above);
    struct ir_operand further = lower_two(l, IR_ADD, PTX_U32, at, ir_bits(width));
    at = lower_three(l, IR_SELP, PTX_B32, further, at, above);
  }
  return at;
}

/* fns d, mask, base, offset: backwards is forwards on the mask turned round; an offset of 0 asks for the bit `base`.
 * The least of all offsets has no size: silicon gives 0. */
void lower_fns(struct lower *l, const struct insn *in) {
  struct ir_operand m = lower_read(l, &in->o[1], PTX_B32), base = lower_read(l, &in->o[2], PTX_U32);
  struct ir_operand offset = lower_read(l, &in->o[3], PTX_S32);
  struct ir_operand back = emit_setp(l, IR_LT, PTX_S32, offset, ir_bits(0));
  struct ir_operand none = emit_setp(l, IR_EQ, PTX_S32, offset, ir_bits(0));
  struct ir_operand from =
      lower_three(l, IR_SELP, PTX_B32, lower_two(l, IR_SUB, PTX_U32, ir_bits(31), base), base, back);
  m = lower_three(l, IR_SELP, PTX_B32, lower_one(l, IR_BREV, PTX_B32, m), m, back);
  struct ir_operand single = lower_two(l, IR_SHL, PTX_B32, ir_bits(1), from);
  struct ir_operand onward = lower_two(l, IR_SHL, PTX_B32, ir_bits(UINT32_MAX), from);
  m = lower_two(l, IR_AND, PTX_B32, m, lower_three(l, IR_SELP, PTX_B32, single, onward, none));
  struct ir_operand rank = lower_two(l, IR_SUB, PTX_U32, lower_one(l, IR_ABS, PTX_S32, offset), ir_bits(1));
  rank = lower_three(l, IR_SELP, PTX_B32, ir_bits(0), rank, none);
  struct ir_operand there = emit_setp(l, IR_LT, PTX_U32, rank, lower_one(l, IR_POPC, PTX_B32, m));
  struct ir_operand at = ranked(l, m, rank);
  at = lower_three(l, IR_SELP, PTX_B32, lower_two(l, IR_SUB, PTX_U32, ir_bits(31), at), at, back);
  at = lower_three(l, IR_SELP, PTX_B32, at, ir_bits(UINT32_MAX), there);
  struct ir_operand least = emit_setp(l, IR_EQ, PTX_S32, offset, ir_bits((uint32_t)INT32_MIN));
  lower_into(l, lower_write(l, &in->o[0], PTX_B32), IR_SELP, PTX_B32, 3, (struct ir_operand[]){ir_bits(0), at, least});
}

/* cvt.pack.sat.u8.s32.b32 d, a, b, c: a above b, and above them the lower part of c. Without c they fill the result. */
void lower_pack(struct lower *l, const struct insn *in) {
  enum ptx_type d = in->w.type[0];
  unsigned bits = 8 * ptx_type_bytes(d);
  bool more = in->w.types == 3, is_signed = lower_signed(d);
  if (in->w.type[1] != PTX_S32 || bits != (more ? 8 : 16) || (more && in->w.type[2] != PTX_B32) ||
      in->operands != (more ? 4u : 3u)) {
    lower_refuse(l, in, "this conversion is not supported");
    return;
  }
  uint32_t most = (UINT32_C(1) << (bits - is_signed)) - 1, least = is_signed ? ~most : 0;
  struct ir_operand part[2];
  for (unsigned k = 0; k < 2; k++) {
    struct ir_operand a = lower_read(l, &in->o[k + 1], PTX_S32);
    a = lower_two(l, IR_MAX, PTX_S32, a, ir_bits(least));
    part[k] = lower_two(l, IR_MIN, PTX_S32, a, ir_bits(most));
  }
  struct ir_operand c =
      more ? lower_two(l, IR_SHL, PTX_B32, lower_read(l, &in->o[3], PTX_B32), ir_bits(16)) : ir_bits(0);
  struct ir_operand above = lower_result(
      lower_temp(l, IR_BFI, PTX_B32, IR_32, 4, (struct ir_operand[]){part[0], c, ir_bits(bits), ir_bits(bits)}));
  lower_into(l, lower_write(l, &in->o[0], PTX_B32), IR_BFI, PTX_B32, 4,
             (struct ir_operand[]){part[1], above, ir_bits(0), ir_bits(bits)});
}

/* elect.sync d|p, members: the lowest of them */
void lower_elect(struct lower *l, const struct insn *in) {
  const struct ptx_operand *o = &in->o[0];
  if (o->kind != PTX_OP_PAIR) {
    lower_refuse(l, in, "a register and a predicate d|p are wanted");
    return;
  }
  struct ir_operand m = lower_read(l, &in->o[1], PTX_U32);
  lower_src(lower_emit(l, IR_WARPSYNC, PTX_B32), m);
  struct ir_operand lowest = lower_two(l, IR_AND, PTX_B32, m, lower_one(l, IR_NEG, PTX_S32, m));
  struct ir_insn *lane = lower_temp(l, IR_SREG, PTX_U32, IR_32, 0, NULL);
  lane->sreg = IR_LANEMASK_EQ;
  struct ir_operand is = emit_setp(l, IR_EQ, PTX_U32, lower_result(lane), lowest);
  struct ir_operand number = lower_one(l, IR_BFIND, PTX_U32, lowest);
  struct ir_value *d = lower_write(l, &o->element[0], PTX_B32), *p = lower_write(l, &o->element[1], PTX_PRED);
  lower_copy(l, d, number);
  lower_copy(l, p, is);
}
