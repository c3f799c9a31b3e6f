/* SPDX-License-Identifier: Apache-2.0
 *
 * bf16 and bf16x2: the machine has no arithmetic for them. A bf16 is the upper half of an f32, so a result is computed
 * there and rounded once: the f32 is rounded to odd (toward zero, then the last bit set if anything was lost), which
 * has so many more bits that rounding it again is as rounding the exact number. (Special functions are cut instead.)
 */
#include "compiler/lower/lower.h"

enum { HALF_BITS = 16, UPPER = (int)0xffff0000, QUIET = 0x7fff, BF16_SIGN = 0x8000 };

static struct ir_operand emit_setp(struct lower *l, enum ir_cmp cmp, enum ptx_type t, struct ir_operand a,
                                   struct ir_operand b) {
  struct ir_insn *i = lower_temp(l, IR_SETP, t, IR_PRED, 2, (struct ir_operand[]){a, b});
  i->comparison.cmp = (uint8_t)cmp;
  return lower_result(i);
}

static struct ir_operand emit_selp(struct lower *l, struct ir_operand yes, struct ir_operand no, struct ir_operand p) {
  return lower_three(l, IR_SELP, PTX_B32, yes, no, p);
}

/* half 0: the lower one of a pair, or the only one. */
static struct ir_operand wide(struct lower *l, struct ir_operand a, unsigned half) {
  if (half) return lower_two(l, IR_AND, PTX_B32, a, ir_bits((uint32_t)UPPER));
  return lower_two(l, IR_SHL, PTX_B32, a, ir_bits(HALF_BITS));
}

/* An f32 rounded to odd from what it is rounded toward zero, down and up. */
static struct ir_operand lower_odd(struct lower *l, struct ir_operand to_zero, struct ir_operand down,
                                   struct ir_operand up) {
  struct ir_operand lost = emit_setp(l, IR_NE, PTX_F32, down, up); /* not for NaN, nor for -0 and +0 */
  return emit_selp(l, lower_two(l, IR_OR, PTX_B32, to_zero, ir_bits(1)), to_zero, lost);
}

/* What is added before the lower half is cut off. */
static struct ir_operand increment(struct lower *l, struct ir_operand a, unsigned round) {
  struct ir_operand sign = lower_two(l, IR_SHR, PTX_S32, a, ir_bits(31));
  switch (round) {
  case IR_RN: {
    struct ir_operand last = lower_three(l, IR_BFE, PTX_U32, a, ir_bits(HALF_BITS), ir_bits(1));
    return lower_two(l, IR_ADD, PTX_U32, last, ir_bits(0x7fff));
  }
  case IR_RM:
    return lower_two(l, IR_AND, PTX_B32, sign, ir_bits(0xffff));
  case IR_RP:
    return lower_two(l, IR_AND, PTX_B32, lower_one(l, IR_NOT, PTX_B32, sign), ir_bits(0xffff));
  default:
    return ir_bits(0);
  }
}

static struct ir_operand upper_half(struct lower *l, struct ir_operand a) {
  return lower_two(l, IR_SHR, PTX_U32, a, ir_bits(HALF_BITS));
}

/* cut, or what stands for a NaN where a is one */
static struct ir_operand number_or(struct lower *l, struct ir_operand cut, struct ir_operand a, struct ir_operand nan) {
  return emit_selp(l, nan, cut, emit_setp(l, IR_NAN, PTX_F32, a, a));
}

static struct ir_operand round_up(struct lower *l, struct ir_operand a, unsigned round, bool relu) {
  struct ir_operand cut = upper_half(l, lower_two(l, IR_ADD, PTX_U32, a, increment(l, a, round)));
  return relu ? emit_selp(l, ir_bits(0), cut, emit_setp(l, IR_LT, PTX_S32, a, ir_bits(0))) : cut;
}

/* The low 16 bits: bf16 of an f32 */
static struct ir_operand lower_bf16_round(struct lower *l, struct ir_operand a, unsigned round, bool relu) {
  return number_or(l, round_up(l, a, round, relu), a, ir_bits(QUIET));
}

static struct ir_operand once(struct lower *l, enum ir_op op, unsigned n, const struct ir_operand *src,
                              enum ir_round round) {
  struct ir_insn *i = lower_temp(l, op, PTX_F32, IR_32, n, src);
  i->arithmetic.round = (uint8_t)round;
  return lower_result(i);
}

static struct ir_operand rounded(struct lower *l, enum ir_op op, unsigned n, const struct ir_operand *src, bool relu) {
  struct ir_operand zero = once(l, op, n, src, IR_RZ);
  struct ir_operand odd = lower_odd(l, zero, once(l, op, n, src, IR_RM), once(l, op, n, src, IR_RP));
  return lower_bf16_round(l, odd, IR_RN, relu);
}

struct ir_operand lower_bf16_sum(struct lower *l, struct ir_operand a, struct ir_operand b, unsigned half) {
  struct ir_operand x = wide(l, a, half), y = wide(l, b, half);
  return rounded(l, IR_ADD, 2, (struct ir_operand[]){x, y}, false);
}

static struct ir_operand approx_f32(struct lower *l, enum ir_op op, const struct ir_operand *src) {
  struct ir_insn *i = lower_temp(l, op, PTX_F32, IR_32, 1, src);
  i->arithmetic.approx = true;
  i->arithmetic.ftz = op == IR_EX2;
  return lower_result(i);
}

static struct ir_operand compute(struct lower *l, const struct insn *in, unsigned n, const struct ir_operand *src) {
  switch ((enum ir_op)in->row->op) {
  case IR_ABS:
    return number_or(l, upper_half(l, lower_two(l, IR_AND, PTX_B32, src[0], ir_bits(INT32_MAX))), src[0],
                     ir_bits(QUIET));
  case IR_NEG:
    return number_or(l, lower_two(l, IR_XOR, PTX_B32, upper_half(l, src[0]), ir_bits(BF16_SIGN)), src[0],
                     ir_bits(QUIET));
  case IR_MIN:
  case IR_MAX:
    return upper_half(l, lower_min_max(l, in, PTX_F32, src));
  case IR_EX2:
  case IR_TANH: /* what silicon does: the FP32 function, cut */
    return upper_half(l, approx_f32(l, (enum ir_op)in->row->op, src));
  default:
    return rounded(l, (enum ir_op)in->row->op, n, src, given(in, K_RELU));
  }
}

void lower_bf16(struct lower *l, const struct insn *in) {
  unsigned n = in->operands - 1, halves = in->w.value[K_BF16];
  enum ptx_type t = halves == 2 ? PTX_B32 : PTX_B16;
  struct ir_operand given_src[3], src[3], half[2];
  if (halves > 2 || (given(in, K_XORSIGN) != given(in, K_ABS))) {
    lower_refuse(l, in, "this combination is not supported");
    return;
  }
  for (unsigned k = 0; k < n; k++) given_src[k] = lower_read(l, &in->o[k + 1], t);
  for (unsigned h = 0; h < halves; h++) {
    for (unsigned k = 0; k < n; k++) src[k] = wide(l, given_src[k], h);
    half[h] = compute(l, in, n, src);
  }
  struct ir_value *dst = lower_write(l, &in->o[0], t);
  if (halves == 2)
    lower_into(l, dst, IR_PACK, PTX_B32, 2, half);
  else
    lower_copy(l, dst, half[0]);
}

/* ---- cvt ---- */

static struct ir_operand emit_cvt(struct lower *l, enum ptx_type d, enum ptx_type s, struct ir_operand v,
                                  unsigned round, bool flush) {
  struct ir_insn *i = lower_temp(l, IR_CVT, d, ir_class_of(d), 1, &v);
  i->type2 = (uint8_t)s;
  i->arithmetic.round = (uint8_t)round;
  i->arithmetic.ftz = flush;
  return lower_result(i);
}

/* A number of type s as an f32 that rounds to bf16 as the number itself would. */
static struct ir_operand as_single(struct lower *l, enum ptx_type s, struct ir_operand v, unsigned round, bool flush) {
  if (s == PTX_F32) return flush ? emit_cvt(l, PTX_F32, s, v, IR_RN, true) : v;
  if (s == PTX_F16) return emit_cvt(l, PTX_F32, s, v, IR_RN, false);
  if (round != IR_RN) return emit_cvt(l, PTX_F32, s, v, round, false);
  return lower_odd(l, emit_cvt(l, PTX_F32, s, v, IR_RZ, false), emit_cvt(l, PTX_F32, s, v, IR_RM, false),
                   emit_cvt(l, PTX_F32, s, v, IR_RP, false));
}

/* A NaN of an f64 keeps its sign and its upper bits. */
static struct ir_operand to_half(struct lower *l, const struct insn *in, enum ptx_type s, struct ir_operand v,
                                 unsigned round) {
  struct ir_operand single = as_single(l, s, v, round, given(in, K_FTZ));
  struct ir_operand cut = round_up(l, single, round, given(in, K_RELU));
  return number_or(l, cut, single, s == PTX_F64 ? upper_half(l, single) : ir_bits(QUIET));
}

static void to_bf16(struct lower *l, const struct insn *in, enum ptx_type s) {
  unsigned halves = in->w.value[K_BF16], round = given(in, K_ROUND) ? in->w.value[K_ROUND] : IR_RN;
  bool relu = given(in, K_RELU), flush = given(in, K_FTZ), single = s == PTX_F32;
  bool toward = round == IR_RN || round == IR_RZ; /* the others of one number alone */
  bool right = round <= IR_RZ && (given(in, K_ROUND) || s == PTX_F16) && in->operands == halves + 1;
  if (!right || ((relu || halves == 2) && !(single && toward)) || (flush && (!single || relu || halves == 2))) {
    lower_refuse(l, in, "this conversion is not supported");
    return;
  }
  struct ir_operand half[2];
  for (unsigned k = 0; k < halves; k++) { /* the first operand is the upper half */
    struct ir_operand v = lower_float(s) ? lower_read(l, &in->o[halves - k], s) : lower_read_low(l, &in->o[1], s);
    half[k] = to_half(l, in, s, v, round);
  }
  if (halves == 2)
    lower_into(l, lower_write(l, &in->o[0], PTX_B32), IR_PACK, PTX_B32, 2, half);
  else
    lower_copy(l, lower_write(l, &in->o[0], PTX_B16), half[0]);
}

/* To a wider format a rounding may be given, and says nothing. */
static void from_bf16(struct lower *l, const struct insn *in, enum ptx_type d) {
  unsigned round = given(in, K_ROUND) ? in->w.value[K_ROUND] : IR_RN;
  bool to_integer = !lower_float(d), flush = given(in, K_FTZ);
  bool right = to_integer ? given(in, K_ROUND) && round >= IR_RNI : round <= IR_RZ;
  if (!right || in->operands != 2 || given(in, K_RELU) || in->w.value[K_BF16] != 1 || d == PTX_F16X2 ||
      (flush && d != PTX_F32)) {
    lower_refuse(l, in, "this conversion is not supported");
    return;
  }
  struct ir_operand v = wide(l, lower_read(l, &in->o[1], PTX_B16), 0);
  if (d != PTX_F32 || flush) v = emit_cvt(l, d, PTX_F32, v, d == PTX_F32 || d == PTX_F64 ? IR_RN : round, flush);
  if (to_integer)
    lower_fill(l, lower_write_wide(l, &in->o[0], d), lower_promote(d), v);
  else
    lower_copy(l, lower_write(l, &in->o[0], d), v);
}

/* bf16 to bf16, perhaps to a whole number: one of at most eight bits, exact in both formats. */
void lower_bf16_same(struct lower *l, const struct insn *in) {
  if (in->w.value[K_BF16] != BF16_ONE || (given(in, K_ROUND) && in->w.value[K_ROUND] < IR_RNI)) {
    lower_refuse(l, in, "this conversion is not supported");
    return;
  }
  struct ir_operand a = wide(l, lower_read(l, &in->o[1], PTX_B16), 0), v = a;
  if (given(in, K_ROUND)) v = emit_cvt(l, PTX_F32, PTX_F32, a, in->w.value[K_ROUND], false);
  lower_copy(l, lower_write(l, &in->o[0], PTX_B16), number_or(l, upper_half(l, v), a, ir_bits(QUIET)));
}

/* Ten bits behind the point, the others zero; ties away from zero with .rna, which cuts a NaN like all else. */
static void to_tensor(struct lower *l, const struct insn *in, enum ptx_type s) {
  enum { CUT = 13, KEPT = (int)0xffffe000, ROUND_AWAY = 0x1000 };
  bool away = given(in, K_RNA), near = given(in, K_ROUND) && in->w.value[K_ROUND] == IR_RN;
  bool zero = given(in, K_ROUND) && in->w.value[K_ROUND] == IR_RZ;
  if (s != PTX_F32 || in->operands != 2 || away + near + zero != 1 || (away && given(in, K_ROUND))) {
    lower_refuse(l, in, "this conversion is not supported");
    return;
  }
  struct ir_operand a = lower_read(l, &in->o[1], PTX_F32), v = a;
  if (near) {
    struct ir_operand last = lower_three(l, IR_BFE, PTX_U32, a, ir_bits(CUT), ir_bits(1));
    v = lower_two(l, IR_ADD, PTX_U32, a, lower_two(l, IR_ADD, PTX_U32, last, ir_bits(ROUND_AWAY - 1)));
  } else if (away) {
    v = lower_two(l, IR_ADD, PTX_U32, a, ir_bits(ROUND_AWAY));
  }
  v = lower_two(l, IR_AND, PTX_B32, v, ir_bits((uint32_t)KEPT));
  if (given(in, K_RELU)) v = emit_selp(l, ir_bits(0), v, emit_setp(l, IR_LT, PTX_S32, a, ir_bits(0)));
  struct ir_operand nan =
      away ? lower_two(l, IR_AND, PTX_B32, a, ir_bits((uint32_t)KEPT)) : ir_bits(INT32_MAX & (uint32_t)KEPT);
  lower_copy(l, lower_write(l, &in->o[0], PTX_B32), number_or(l, v, a, nan));
}

static bool is_first(const struct insn *in) {
  for (unsigned k = 1; k < in->s->words; k++) {
    if (ptx_type_of_word(in->s->word[k]) != PTX_NO_TYPE) return false;
    if (in->s->word[k][0] == 'b' || in->s->word[k][0] == 't') return true; /* bf16, bf16x2, tf32 */
  }
  return false;
}

void lower_bf16_convert(struct lower *l, const struct insn *in) {
  bool tensor = in->w.value[K_BF16] == BF16_TF32, first = is_first(in);
  if (tensor && first)
    to_tensor(l, in, in->type);
  else if (tensor || (given(in, K_RNA) && !tensor))
    lower_refuse(l, in, "this conversion is not supported");
  else if (first)
    to_bf16(l, in, in->type);
  else
    from_bf16(l, in, in->type);
}
