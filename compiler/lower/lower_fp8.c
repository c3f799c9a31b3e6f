/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions with e4m3 and e5m2, pairs of eight-bit floats in 16 bits. Into them: to nearest even, what is too large
 * becomes the largest number. The machine knows them as operands of matrices alone.
 */
#include "compiler/lower/lower.h"

enum { HALF_NAN = 0x7fff, BYTE_NAN = 0x7f };

static const struct eight {
  uint32_t most;      /* the largest number, as f32 */
  uint32_t normal;    /* the smallest normal number */
  uint32_t magic;     /* an f32 whose last bit is worth as much as that of the small numbers */
  uint8_t cut;        /* bits of an f32 behind the fraction */
  uint8_t up;         /* from its place in the byte to that in an f16 */
  uint16_t scale;     /* f16: what makes up for the other bias */
  uint32_t least_nan; /* without the sign */
} eights[] = {{0x43e00000, 0x3c800000, 0x46800000, 20, 7, 0x5c00, 0x7f},  /* e4m3: 448, 2^-6, 2^14, 2^8 */
              {0x47600000, 0x38800000, 0x43000000, 21, 8, 0x3c00, 0x7d}}; /* e5m2: 57344, 2^-14, 2^7, 1 */

static struct ir_operand emit_setp(struct lower *l, enum ir_cmp cmp, enum ptx_type t, struct ir_operand a,
                                   struct ir_operand b) {
  struct ir_insn *i = lower_temp(l, IR_SETP, t, IR_PRED, 2, (struct ir_operand[]){a, b});
  i->comparison.cmp = (uint8_t)cmp;
  return lower_result(i);
}

static struct ir_operand emit_selp(struct lower *l, struct ir_operand yes, struct ir_operand no, struct ir_operand p) {
  return lower_three(l, IR_SELP, PTX_B32, yes, no, p);
}

/* The byte of an f32. */
static struct ir_operand narrowed(struct lower *l, const struct eight *e, struct ir_operand a, bool relu) {
  struct ir_operand size = lower_two(l, IR_AND, PTX_B32, a, ir_bits(INT32_MAX));
  size = lower_two(l, IR_MIN, PTX_F32, size, ir_bits(e->most));
  struct ir_operand last = lower_three(l, IR_BFE, PTX_U32, size, ir_bits(e->cut), ir_bits(1));
  struct ir_operand half = lower_two(l, IR_ADD, PTX_U32, last, ir_bits((UINT32_C(1) << (e->cut - 1)) - 1));
  struct ir_operand sum = lower_two(l, IR_ADD, PTX_U32, size, half);
  struct ir_operand large = lower_two(l, IR_SHR, PTX_U32, sum, ir_bits(e->cut));
  large = lower_two(l, IR_SUB, PTX_U32, large, ir_bits((e->normal >> e->cut) - (UINT32_C(1) << (23 - e->cut))));
  struct ir_operand small = lower_two(l, IR_ADD, PTX_F32, size, ir_bits(e->magic));
  small = lower_two(l, IR_SUB, PTX_U32, small, ir_bits(e->magic));
  struct ir_operand code = emit_selp(l, small, large, emit_setp(l, IR_LT, PTX_F32, size, ir_bits(e->normal)));
  struct ir_operand sign = lower_two(l, IR_AND, PTX_B32, lower_two(l, IR_SHR, PTX_U32, a, ir_bits(24)), ir_bits(0x80));
  struct ir_operand whole = lower_two(l, IR_OR, PTX_B32, code, sign);
  if (relu) whole = emit_selp(l, ir_bits(0), code, emit_setp(l, IR_LT, PTX_S32, a, ir_bits(0)));
  return emit_selp(l, ir_bits(BYTE_NAN), whole, emit_setp(l, IR_NAN, PTX_F32, a, a));
}

static struct ir_operand cvt(struct lower *l, enum ptx_type d, enum ptx_type s, struct ir_operand a) {
  return lower_cvt(l, d, s, a);
}

static void to_eights(struct lower *l, const struct insn *in, const struct eight *e) {
  struct ir_operand half[2]; /* the upper one first */
  if (in->type == PTX_F16X2) {
    struct ir_operand both[2];
    lower_halves(l, lower_read(l, &in->o[1], PTX_F16X2), both);
    for (unsigned k = 0; k < 2; k++) half[k] = cvt(l, PTX_F32, PTX_F16, both[1 - k]);
  } else {
    for (unsigned k = 0; k < 2; k++) half[k] = lower_read(l, &in->o[k + 1], PTX_F32);
  }
  for (unsigned k = 0; k < 2; k++) half[k] = narrowed(l, e, half[k], given(in, K_RELU));
  struct ir_operand src[4] = {half[0], half[1], ir_bits(8), ir_bits(8)};
  lower_into(l, lower_write(l, &in->o[0], PTX_B16), IR_BFI, PTX_B32, 4, src);
}

/* The byte's bits in an f16, times what its bias lacks. */
static struct ir_operand byte_to_half(struct lower *l, const struct eight *e, struct ir_operand pair, unsigned at,
                                      bool relu) {
  struct ir_operand size = lower_three(l, IR_BFE, PTX_U32, pair, ir_bits(at), ir_bits(7));
  struct ir_operand sign = lower_three(l, IR_BFE, PTX_U32, pair, ir_bits(at + 7), ir_bits(1));
  struct ir_operand v = lower_two(l, IR_SHL, PTX_B32, size, ir_bits(e->up));
  v = lower_two(l, IR_MUL, PTX_F16, v, ir_bits(e->scale));
  struct ir_operand with = lower_two(l, IR_OR, PTX_B32, v, lower_two(l, IR_SHL, PTX_B32, sign, ir_bits(15)));
  if (relu) with = emit_selp(l, ir_bits(0), v, emit_setp(l, IR_NE, PTX_U32, sign, ir_bits(0)));
  return emit_selp(l, ir_bits(HALF_NAN), with, emit_setp(l, IR_GE, PTX_U32, size, ir_bits(e->least_nan)));
}

static void from_eights(struct lower *l, const struct insn *in, const struct eight *e) {
  struct ir_operand pair = lower_read(l, &in->o[1], PTX_B16), half[2];
  for (unsigned k = 0; k < 2; k++) half[k] = byte_to_half(l, e, pair, 8 * k, given(in, K_RELU));
  lower_into(l, lower_write(l, &in->o[0], PTX_F16X2), IR_PACK, PTX_B32, 2, half);
}

void lower_fp8(struct lower *l, const struct insn *in) {
  const struct eight *e = &eights[in->w.value[K_EIGHT]];
  bool from = in->s->words > 1 && !given(in, K_FINITE);
  unsigned operands = !from && in->type == PTX_F32 ? 3 : 2;
  if (in->operands != operands || (from && in->type != PTX_F16X2) || in->w.value[K_ROUND] != IR_RN)
    lower_refuse(l, in, "this conversion is not supported");
  else if (from)
    from_eights(l, in, e);
  else
    to_eights(l, in, e);
}
