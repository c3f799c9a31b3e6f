/* SPDX-License-Identifier: Apache-2.0
 *
 * Float operations on constants, where the host's IEEE arithmetic is known to give the same bits. Left alone: NaNs (but
 * in comparisons), saturation, approximations, halves, results that might be flushed, and other roundings than to
 * nearest even unless the result is exact and not zero.
 *
 * F32 is computed in F64 and rounded once more: for + - * / and roots that is the same as rounding once (S. Figueroa,
 * "When is double rounding innocuous?", 1995).
 */
#include "compiler/optimise/fold.h"

#include <math.h>
#include <string.h>

/* Like copies: the same bits. */
static double f64_of(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

static uint64_t f64_bits(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

static double f32_of(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float f;
  memcpy(&f, &low, sizeof f);
  return (double)f;
}

static uint64_t f32_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static double flushed(double d, bool ftz) {
  return ftz && fabs(d) < 0x1p-126 ? copysign(0.0, d) : d;
}

static double read_float(const struct ir_operand *o, unsigned type, bool ftz) {
  return type == PTX_F64 ? f64_of(o->bits) : flushed(f32_of(o->bits), ftz);
}

static bool is_float(unsigned type) {
  return type == PTX_F32 || type == PTX_F64;
}

/* `exact`: the double is the true result. */
static bool write_float(const struct ir_insn *i, double d, bool exact, uint64_t *r) {
  if (isnan(d)) return false;
  float f = i->type == PTX_F32 ? (float)d : 0;
  if (i->type == PTX_F32 && (double)f != d) exact = false;
  if (i->arithmetic.round != IR_RN && (!exact || d == 0)) return false;
  if (i->type == PTX_F32 && i->arithmetic.ftz && d != 0 && fabs(d) < 0x1p-125) return false;
  *r = i->type == PTX_F32 ? f32_bits(f) : f64_bits(d);
  return true;
}

/* a + b is s: was that exact? (Knuth's two-sum.) */
static bool sum_exact(double a, double b, double s) {
  volatile double a2 = s - b, b2 = s - a2;
  return isfinite(s) && a - a2 == 0 && b - b2 == 0;
}

static bool compute_float(const struct ir_insn *i, const double *x, uint64_t *r) {
  double d = 0;
  switch (i->op) {
  case IR_ADD:
    d = x[0] + x[1];
    return write_float(i, d, sum_exact(x[0], x[1], d), r);
  case IR_SUB:
    d = x[0] - x[1];
    return write_float(i, d, sum_exact(x[0], -x[1], d), r);
  case IR_MUL:
    d = x[0] * x[1];
    return write_float(i, d, i->type == PTX_F32, r);
  case IR_FMA:
    if (i->type == PTX_F32)
      d = (double)fmaf((float)x[0], (float)x[1], (float)x[2]);
    else
      d = fma(x[0], x[1], x[2]);
    return write_float(i, d, false, r);
  case IR_DIV:
    d = x[0] / x[1];
    return !i->arithmetic.approx && !i->arithmetic.full && (i->type == PTX_F64 || fabs(d) >= 0x1p-126) &&
           write_float(i, d, false, r);
  case IR_NEG:
    return write_float(i, -x[0], true, r);
  case IR_ABS:
    return write_float(i, fabs(x[0]), true, r);
  case IR_MIN:
  case IR_MAX:
    if (x[0] == x[1]) return false; /* zeros have signs */
    return write_float(i, (x[0] < x[1]) == (i->op == IR_MIN) ? x[0] : x[1], true, r);
  default:
    return false;
  }
}

static bool relation_holds(unsigned cmp, double a, double b) {
  bool unordered = isnan(a) || isnan(b);
  switch (cmp) {
  case IR_EQ:
    return a == b;
  case IR_NE:
    return !unordered && a != b;
  case IR_LT:
    return a < b;
  case IR_LE:
    return a <= b;
  case IR_GT:
    return a > b;
  case IR_GE:
    return a >= b;
  case IR_EQU:
    return unordered || a == b;
  case IR_NEU:
    return a != b;
  case IR_LTU:
    return unordered || a < b;
  case IR_LEU:
    return unordered || a <= b;
  case IR_GTU:
    return unordered || a > b;
  case IR_GEU:
    return unordered || a >= b;
  case IR_NUM:
    return !unordered;
  default:
    return unordered;
  }
}

static bool compare_floats(struct fold *c, struct ir_insn *i) {
  if (!is_float(i->type) || i->comparison.combine != IR_B_NONE || i->dsts != 1) return false;
  bool r = relation_holds(i->comparison.cmp, read_float(&i->src[0], i->type, i->comparison.ftz),
                          read_float(&i->src[1], i->type, i->comparison.ftz));
  if (i->op == IR_SETP) return fold_equal(c, i, ir_bits(r));
  return fold_equal(c, i, ir_bits(!r ? 0 : i->type2 == PTX_F32 ? 0x3f800000 : UINT32_MAX));
}

static bool from_integer(const struct ir_insn *i, uint64_t *r) {
  uint64_t x = fold_read(i->src[0].bits, i->type2);
  double d = fold_signed(i->type2) ? (double)(int64_t)x : (double)x;
  float f = fold_signed(i->type2) ? (float)(int64_t)x : (float)x;
  if (i->arithmetic.round != IR_RN && (fabs(d) >= 0x1p53 || (i->type == PTX_F32 && (double)f != d))) return false;
  *r = i->type == PTX_F32 ? f32_bits(f) : f64_bits(d);
  return true;
}

static bool to_integer(const struct ir_insn *i, uint64_t *r) {
  double d = read_float(&i->src[0], i->type2, i->arithmetic.ftz);
  unsigned bits = fold_bits(i->type);
  bool is_signed = fold_signed(i->type);
  if (isnan(d)) return false;
  d = i->arithmetic.round == IR_RMI || i->arithmetic.round == IR_RM   ? floor(d)
      : i->arithmetic.round == IR_RPI || i->arithmetic.round == IR_RP ? ceil(d)
      : i->arithmetic.round == IR_RZI || i->arithmetic.round == IR_RZ ? trunc(d)
                                                                      : rint(d);
  double most = ldexp(1, (int)(is_signed ? bits - 1 : bits)); /* exclusive */
  if (d >= most)
    *r = fold_mask(is_signed ? bits - 1 : bits);
  else if (is_signed)
    *r = d < -most ? 0 - (UINT64_C(1) << (bits - 1)) : (uint64_t)(int64_t)d;
  else
    *r = d < 0 ? 0 : (uint64_t)d;
  *r &= fold_mask(bits < 32 ? 32 : bits); /* 8 and 16 bits are extended to 32 by their sign */
  return true;
}

static bool between_floats(const struct ir_insn *i, uint64_t *r) {
  if (i->arithmetic.round >= IR_RNI || i->type == i->type2) return false;
  double d = read_float(&i->src[0], i->type2, i->arithmetic.ftz);
  if (isnan(d)) return false;
  if (d == 0) return *r = i->type == PTX_F32 ? f32_bits((float)d) : f64_bits(d), true;
  return write_float(i, d, true, r);
}

static bool convert_float(const struct ir_insn *i, uint64_t *r) {
  if (i->arithmetic.sat || i->sources != 1) return false;
  if (is_float(i->type) && is_float(i->type2)) return between_floats(i, r);
  if (is_float(i->type) && fold_integer(i->type2)) return from_integer(i, r);
  return fold_integer(i->type) && is_float(i->type2) && to_integer(i, r);
}

bool fold_float(struct fold *c, struct ir_insn *i) {
  double x[3];
  uint64_t r;
  if (i->sources < 1 || i->sources > 3 || i->dsts < 1) return false;
  for (unsigned k = 0; k < i->sources; k++)
    if (i->src[k].kind != IR_CONST) return false;
  if (i->op == IR_SETP || i->op == IR_SET) return compare_floats(c, i);
  if (i->op == IR_CVT) return convert_float(i, &r) && fold_equal(c, i, ir_bits(r));
  if (!is_float(i->type) || ir_kind((enum ir_op)i->op) != IR_ARITHMETIC) return false;
  if (i->arithmetic.sat || i->arithmetic.relu || i->arithmetic.keep_nan) return false;
  for (unsigned k = 0; k < i->sources; k++) {
    x[k] = read_float(&i->src[k], i->type, i->arithmetic.ftz);
    if (isnan(x[k])) return false;
  }
  return compute_float(i, x, &r) && fold_equal(c, i, ir_bits(r));
}
