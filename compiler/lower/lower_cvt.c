/* SPDX-License-Identifier: Apache-2.0
 *
 * cvt. Between integers: cut, extend, and clamp by minimum and maximum when it saturates. From a float to an integer
 * the machine rounds and saturates. A destination register may be wider than its type: filled by the type's sign.
 */
#include "compiler/lower/lower.h"

static unsigned width(enum ptx_type t) {
  return ptx_type_bytes(t);
}

/* ---- between integers ---- */

static uint64_t largest_of(enum ptx_type t) {
  return UINT64_MAX >> (64 - 8 * width(t) + (lower_signed(t) ? 1 : 0));
}

/* v is a whole number of type t (32 or 64 bits), which is clamped to what d can hold. */
static struct ir_operand clamp(struct lower *l, struct ir_operand v, enum ptx_type t, enum ptx_type s,
                               enum ptx_type d) {
  uint64_t mask = width(t) == 8 ? UINT64_MAX : UINT32_MAX;
  if (lower_signed(s) && !lower_signed(d))
    v = lower_two(l, IR_MAX, t, v, ir_bits(0));
  else if (lower_signed(s) && width(d) < width(s))
    v = lower_two(l, IR_MAX, t, v, ir_bits(~largest_of(d) & mask));
  bool above = width(d) < width(s) || (width(d) == width(s) && lower_signed(d) && !lower_signed(s));
  return above ? lower_two(l, IR_MIN, t, v, ir_bits(largest_of(d))) : v;
}

static struct ir_operand narrowed(struct lower *l, struct ir_operand v, enum ptx_type from, enum ptx_type to) {
  if (width(from) < 8 || width(to) == 8) return v;
  return v.kind == IR_CONST ? ir_bits(v.bits & UINT32_MAX) : lower_cvt(l, PTX_U32, PTX_U64, v);
}

static void between_integers(struct lower *l, const struct insn *in, enum ptx_type d, enum ptx_type s) {
  struct ir_operand v = lower_read_low(l, &in->o[1], s);
  if (given(in, K_SAT)) {
    enum ptx_type t = lower_promote(s);
    v = clamp(l, lower_extend(l, v, s, 4), t, s, d);
    s = t;
  }
  if (width(d) > width(s))
    v = lower_extend(l, v, s, width(d));
  else
    v = narrowed(l, v, s, d);
  lower_fill(l, lower_write_wide(l, &in->o[0], d), d, v);
}

/* ---- with floats ---- */

static struct ir_operand emit_cvt(struct lower *l, const struct insn *in, enum ptx_type d, enum ptx_type s,
                                  struct ir_operand v) {
  struct ir_insn *i = lower_temp(l, IR_CVT, d, ir_class_of(d), 1, &v);
  i->type2 = (uint8_t)s;
  i->arithmetic.round = in->w.value[K_ROUND];
  i->arithmetic.ftz = given(in, K_FTZ) && (s == PTX_F32 || d == PTX_F32);
  return lower_result(i);
}

static bool rounds_to_integer(const struct insn *in) {
  return given(in, K_ROUND) && in->w.value[K_ROUND] >= IR_RNI;
}
static bool rounds_to_float(const struct insn *in) {
  return given(in, K_ROUND) && in->w.value[K_ROUND] < IR_RNI;
}

static void to_integer(struct lower *l, const struct insn *in, enum ptx_type d, enum ptx_type s) {
  if (!rounds_to_integer(in)) {
    lower_refuse(l, in, "wants one of .rni .rzi .rmi .rpi");
    return;
  }
  struct ir_operand v = emit_cvt(l, in, d, s, lower_read(l, &in->o[1], s)); /* extended to 32 bits */
  lower_fill(l, lower_write_wide(l, &in->o[0], d), lower_promote(d), v);
}

/* [0, 1]; NaN and -0 give +0 */
static struct ir_operand clamp_float(struct lower *l, struct ir_operand v, enum ptx_type d) {
  uint64_t one = d == PTX_F64 ? UINT64_C(0x3ff) << 52 : d == PTX_F32 ? 0x3f800000 : 0x3c00;
  return lower_two(l, IR_MIN, d, lower_two(l, IR_MAX, d, v, ir_bits(0)), ir_bits(one));
}

static void from_integer(struct lower *l, const struct insn *in, enum ptx_type d, enum ptx_type s) {
  if (!rounds_to_float(in)) {
    lower_refuse(l, in, "wants one of .rn .rz .rm .rp");
    return;
  }
  struct ir_operand v = emit_cvt(l, in, d, s, lower_read_low(l, &in->o[1], s));
  if (given(in, K_SAT)) v = clamp_float(l, v, d);
  lower_copy(l, lower_write(l, &in->o[0], d), v);
}

static bool rounding_right(const struct insn *in, enum ptx_type d, enum ptx_type s) {
  return width(d) < width(s) ? rounds_to_float(in) : d == s ? !rounds_to_float(in) : !given(in, K_ROUND);
}

static void between_floats(struct lower *l, const struct insn *in, enum ptx_type d, enum ptx_type s) {
  bool relu = given(in, K_RELU),
       flush = given(in, K_FTZ) && d != PTX_F16; /* silicon: a small f32 stays one on the way */
  if (!rounding_right(in, d, s) || (relu && (d != PTX_F16 || s != PTX_F32 || given(in, K_SAT)))) {
    lower_refuse(l, in, "these modifiers do not go with these types");
    return;
  }
  struct ir_operand v = lower_read(l, &in->o[1], s);
  if (d == s && rounds_to_integer(in) && given(in, K_SAT)) v = emit_cvt(l, in, d, s, v);
  struct ir_value *dst = lower_write(l, &in->o[0], d);
  bool same = d == s && d != PTX_F16; /* an f16's NaN comes out as the one NaN of this machine */
  if (same && !given(in, K_ROUND) && !flush && !given(in, K_SAT)) {
    lower_copy(l, dst, v);
    return;
  }
  struct ir_insn *i = lower_into(l, dst, IR_CVT, d, 1, &v);
  i->type2 = (uint8_t)s;
  i->arithmetic.round = d == s && (given(in, K_SAT) || !given(in, K_ROUND)) ? IR_RN : in->w.value[K_ROUND];
  i->arithmetic.ftz = flush;
  i->arithmetic.sat = given(in, K_SAT);
  i->arithmetic.relu = relu;
}

/* cvt.rn.f16x2.f32 d, a, b: a in the upper half */
static void to_pair(struct lower *l, const struct insn *in, enum ptx_type s) {
  uint8_t round = in->w.value[K_ROUND];
  if (s != PTX_F32 || !given(in, K_ROUND) || (round != IR_RN && round != IR_RZ) || given(in, K_SAT) ||
      given(in, K_FTZ)) {
    lower_refuse(l, in, "this conversion is not supported");
    return;
  }
  struct ir_operand src[2] = {lower_read(l, &in->o[1], s), lower_read(l, &in->o[2], s)};
  struct ir_insn *i = lower_into(l, lower_write(l, &in->o[0], PTX_F16X2), IR_CVT, PTX_F16X2, 2, src);
  i->type2 = PTX_F32;
  i->arithmetic.round = round;
  i->arithmetic.relu = given(in, K_RELU);
}

void lower_convert(struct lower *l, const struct insn *in) {
  enum ptx_type d = in->w.type[0], s = in->w.type[1];
  bool pair = d == PTX_F16X2, bits = s == PTX_PRED || s == PTX_B8 || s == PTX_B16 || s == PTX_B32 || s == PTX_B64;
  bool flush = given(in, K_FTZ) && d != PTX_F32 && s != PTX_F32,
       relu = given(in, K_RELU) && !(lower_float(d) && lower_float(s));
  if (bits || flush || relu || s == PTX_F16X2 || in->operands != (pair ? 3u : 2u)) {
    lower_refuse(l, in, "this conversion is not supported");
    return;
  }
  if (pair)
    to_pair(l, in, s);
  else if (lower_float(d))
    (lower_float(s) ? between_floats : from_integer)(l, in, d, s);
  else if (lower_float(s))
    to_integer(l, in, d, s);
  else if (given(in, K_ROUND) || given(in, K_FTZ))
    lower_refuse(l, in, "there is nothing to round between integers");
  else
    between_integers(l, in, d, s);
}
