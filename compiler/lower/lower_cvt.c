/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions.
 */
#include "compiler/lower/lower.h"

/* Conversions with e4m3 and e5m2, pairs of eight-bit floats in 16 bits. Into them: to nearest even, what is too large
 * becomes the largest number. The machine knows them as operands of matrices alone. */

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
static struct ir_operand narrowed_to_eight(struct lower *l, const struct eight *e, struct ir_operand a, bool relu) {
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
  for (unsigned k = 0; k < 2; k++) half[k] = narrowed_to_eight(l, e, half[k], given(in, K_RELU));
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

/* cvt. Between integers: cut, extend, and clamp by minimum and maximum when it saturates. From a float to an integer
 * the machine rounds and saturates. A destination register may be wider than its type: filled by the type's sign. */

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
