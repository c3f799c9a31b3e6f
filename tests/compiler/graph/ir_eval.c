/* SPDX-License-Identifier: Apache-2.0
 *
 * What PTX operations compute, in plain C over wide integers and the host's floats.
 */
#include "tests/compiler/graph/ir_warp.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

typedef __int128 big;

static unsigned bits_of(unsigned type) {
  return type == PTX_PRED ? 1 : 8 * ptx_type_bytes((enum ptx_type)type);
}
static bool is_signed(unsigned type) {
  return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}
static bool is_float(unsigned type) {
  return type == PTX_F32 || type == PTX_F64;
}
static uint64_t cut(big x, unsigned bits) {
  return bits == 64 ? (uint64_t)x : (uint64_t)x & ((UINT64_C(1) << bits) - 1);
}

/* The number that a register holds, as its type says. */
static big number(uint64_t x, unsigned type) {
  unsigned bits = bits_of(type);
  big v = (big)cut((big)x, bits);
  if (is_signed(type) && (v >> (bits - 1) & 1)) v -= (big)1 << bits;
  return v;
}

static big clamp(big x, unsigned type) {
  unsigned bits = bits_of(type);
  big least = is_signed(type) ? -((big)1 << (bits - 1)) : 0, most = ((big)1 << (is_signed(type) ? bits - 1 : bits)) - 1;
  return x < least ? least : x > most ? most : x;
}

static big floor_shift(big x, unsigned by) {
  return x >= 0 ? x >> by : ~(~x >> by);
}

static bool relation(unsigned cmp, int order, bool unordered) {
  switch (cmp) {
  case IR_EQ:
    return !unordered && order == 0;
  case IR_NE:
    return !unordered && order != 0;
  case IR_LT:
    return !unordered && order < 0;
  case IR_LE:
    return !unordered && order <= 0;
  case IR_GT:
    return !unordered && order > 0;
  case IR_GE:
    return !unordered && order >= 0;
  case IR_EQU:
    return unordered || order == 0;
  case IR_NEU:
    return unordered || order != 0;
  case IR_LTU:
    return unordered || order < 0;
  case IR_LEU:
    return unordered || order <= 0;
  case IR_GTU:
    return unordered || order > 0;
  case IR_GEU:
    return unordered || order >= 0;
  case IR_NUM:
    return !unordered;
  default:
    return unordered;
  }
}

/* ---- floats ---- */

static double real(uint64_t bits, unsigned type, bool ftz) {
  double d;
  float f;
  uint32_t low = (uint32_t)bits;
  if (type == PTX_F64) return memcpy(&d, &bits, 8), d;
  memcpy(&f, &low, 4);
  return ftz && fpclassify(f) == FP_SUBNORMAL ? copysign(0, (double)f) : (double)f;
}

#define QUIET (UINT64_C(1) << 51)

static uint64_t raw64(double d) {
  uint64_t b;
  return memcpy(&b, &d, 8), b;
}

static uint64_t raw32(float f) {
  uint32_t b;
  if (isnan(f)) return 0x7fffffff;
  return memcpy(&b, &f, 4), b;
}

static void rounding(unsigned round) {
  fesetround(round == IR_RM || round == IR_RMI   ? FE_DOWNWARD
             : round == IR_RP || round == IR_RPI ? FE_UPWARD
             : round == IR_RZ || round == IR_RZI ? FE_TOWARDZERO
                                                 : FE_TONEAREST);
}

static float rounded_single(unsigned op, float x, float y, float z) {
  volatile float a = x, b = y, c = z, r = 0;
  if (op == IR_ADD)
    r = a + b;
  else if (op == IR_SUB)
    r = a - b;
  else if (op == IR_MUL)
    r = a * b;
  else if (op == IR_DIV)
    r = a / b;
  else
    r = fmaf(a, b, c);
  return r;
}

/* The same times 2^64, of a result of at most 2^-126: there a rounding to 24 bits shows, which .ftz judges by. */
static float scaled_single(unsigned op, float a, float b, float c) {
  const float up = 0x1p64f;
  if (op == IR_ADD || op == IR_SUB) return rounded_single(op, a * up, b * up, 0);
  if (op == IR_DIV) return fabsf(a) < 0x1p60f ? rounded_single(op, a * up, b, 0) : rounded_single(op, a, b / up, 0);
  return fabsf(a) < fabsf(b) ? rounded_single(op, a * up, b, c * up) : rounded_single(op, a, b * up, c * up);
}

static uint64_t single(const struct ir_insn *i, double x, double y, double z) {
  const float a = (float)x, b = (float)y, c = (float)z;
  rounding(i->arithmetic.round);
  float r = rounded_single(i->op, a, b, c);
  if (i->arithmetic.ftz && fabsf(r) <= 0x1p-126f && fabsf(scaled_single(i->op, a, b, c)) < 0x1p-62f)
    r = copysignf(0, r);
  fesetround(FE_TONEAREST);
  if (i->arithmetic.sat) r = isnan(r) || r <= 0 ? 0 : r > 1 ? 1 : r;
  return raw32(r);
}

/* The NaN of a result in F64: that of b, of c, of a (of quotients: of a, of b), the first there is, quieted; or a new
 * one. */
static uint64_t nan64(const struct ir_insn *i, const uint64_t *s) {
  const uint8_t order[] = {i->op == IR_DIV ? 0 : 1, i->op == IR_DIV ? 1 : 2, 0};
  for (unsigned k = 0; k < 3; k++)
    if (order[k] < i->sources && isnan(real(s[order[k]], PTX_F64, false))) return s[order[k]] | QUIET;
  return UINT64_C(0xfff8) << 48;
}

static uint64_t twofold(const struct ir_insn *i, double x, double y, double z) {
  volatile double a = x, b = y, c = z, r = 0;
  rounding(i->arithmetic.round);
  if (i->op == IR_ADD)
    r = a + b;
  else if (i->op == IR_SUB)
    r = a - b;
  else if (i->op == IR_MUL)
    r = a * b;
  else if (i->op == IR_DIV)
    r = a / b;
  else
    r = fma(a, b, c);
  fesetround(FE_TONEAREST);
  return raw64(r);
}

/* A negated or absolute NaN is the NaN that it was. */
static uint64_t with_sign(const struct ir_insn *i, const uint64_t *s, double x, uint64_t flip, uint64_t clear) {
  if (isnan(x)) return i->type == PTX_F64 ? s[0] | QUIET : 0x7fffffff;
  return ((i->arithmetic.ftz ? raw32((float)x) : s[0]) & ~clear) ^ flip;
}

static uint64_t extreme(const struct ir_insn *i, const uint64_t *s, const double *x) {
  if ((isnan(x[0]) && isnan(x[1])) || (i->arithmetic.keep_nan && (isnan(x[0]) || isnan(x[1]))))
    return i->type == PTX_F64 ? s[1] | QUIET : 0x7fffffff;
  bool first = isnan(x[1]) || (!isnan(x[0]) && (x[0] == x[1] ? signbit(x[0]) != 0 : x[0] < x[1]) == (i->op == IR_MIN));
  double r = first ? x[0] : x[1];
  return i->type == PTX_F64 ? raw64(r) : raw32((float)r);
}

static bool floats(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  double x[3] = {0};
  uint64_t sign = i->type == PTX_F64 ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
  for (unsigned k = 0; k < i->sources && k < 3; k++) x[k] = real(s[k], i->type, i->arithmetic.ftz);
  switch (i->op) {
  case IR_ADD:
  case IR_SUB:
  case IR_MUL:
  case IR_DIV:
  case IR_FMA:
    if (i->arithmetic.approx || i->arithmetic.full || i->arithmetic.relu) return false;
    d[0] = i->type == PTX_F64 ? twofold(i, x[0], x[1], x[2]) : single(i, x[0], x[1], x[2]);
    if (i->type == PTX_F64 && isnan(real(d[0], PTX_F64, false))) d[0] = nan64(i, s);
    return true;
  case IR_NEG:
    return d[0] = with_sign(i, s, x[0], sign, 0), true;
  case IR_ABS:
    return d[0] = with_sign(i, s, x[0], 0, sign), true;
  case IR_MIN:
  case IR_MAX:
    return d[0] = extreme(i, s, x), true;
  default:
    return false;
  }
}

/* As the rounding mode says: called, since what compilers put in place of rint is for the nearest only. */
static double to_integer(double x) {
  double (*volatile function)(double) = rint;
  return function(x);
}

static uint64_t from_integer(const struct ir_insn *i, uint64_t x) {
  big v = number(x, i->type2);
  rounding(i->arithmetic.round);
  volatile int64_t si = (int64_t)v;
  volatile uint64_t ui = (uint64_t)v;
  volatile float f = is_signed(i->type2) ? (float)si : (float)ui;
  volatile double w = is_signed(i->type2) ? (double)si : (double)ui;
  fesetround(FE_TONEAREST);
  return i->type == PTX_F32 ? raw32(f) : raw64(w);
}

/* A NaN that changes its format or is rounded: what isa/doc/08-half-double-conversions.md says of F2F and FRND. */
static uint64_t converted_nan(const struct ir_insn *i, uint64_t x) {
  if (i->type2 == PTX_F64 && i->type == PTX_F64) return x | QUIET;
  if (i->type2 == PTX_F64) return (x >> 32 & 0x80000000) | 0x7fc00000 | (x >> 29 & 0x3fffff);
  if (i->type == PTX_F32) return 0x7fffffff;
  if (i->arithmetic.ftz) x = 0x7fffffff; /* an FADD is in between */
  return (x & 0x80000000) << 32 | UINT64_C(0x7ff8) << 48 | (x & 0x3fffff) << 29;
}

static uint64_t between_floats(const struct ir_insn *i, const uint64_t *s) {
  volatile double w = real(s[0], i->type2, i->arithmetic.ftz);
  if (isnan(w) && !i->arithmetic.sat) return converted_nan(i, s[0]);
  rounding(i->arithmetic.round);
  if (i->arithmetic.round >= IR_RNI) w = to_integer(w);
  volatile float f = (float)w, scaled = (float)(w * 0x1p64);
  fesetround(FE_TONEAREST);
  if (i->arithmetic.ftz && fabsf(f) <= 0x1p-126f && fabsf(scaled) < 0x1p-62f) f = copysignf(0, f);
  if (i->arithmetic.sat) f = isnan(f) || f <= 0 ? 0 : f > 1 ? 1 : f;
  if (i->arithmetic.sat) w = isnan(w) || w <= 0 ? 0 : w > 1 ? 1 : w;
  return i->type == PTX_F32 ? raw32(f) : raw64(w);
}

static bool convert(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  if (i->type == PTX_F16 || i->type2 == PTX_F16) return false;
  if (!is_float(i->type) && !is_float(i->type2)) {
    big v = number(s[0], i->type2);
    d[0] = cut(i->arithmetic.sat ? clamp(v, i->type) : v, bits_of(i->type));
    return true;
  }
  if (!is_float(i->type2)) return d[0] = from_integer(i, s[0]), true;
  if (is_float(i->type)) return d[0] = between_floats(i, s), true;
  const unsigned bits = bits_of(i->type);
  double x = real(s[0], i->type2, i->arithmetic.ftz);
  rounding(i->arithmetic.round);
  volatile double w = to_integer(x);
  fesetround(FE_TONEAREST);
  if (isnan(w)) {
    const big top = (big)1 << (bits - 1);
    d[0] = bits < 64 && i->type2 != PTX_F64 ? 0 : cut(is_signed(i->type) ? -top : top, bits < 32 ? 32 : bits);
    return true;
  }
  d[0] = cut(w >= 0x1p64    ? clamp((big)1 << 64, i->type)
             : w <= -0x1p63 ? clamp(-((big)1 << 63), i->type)
                            : clamp((big)w, i->type),
             bits < 32 ? 32 : bits); /* narrow ones are extended by their sign */
  return true;
}

static bool compare(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  bool r, q, unordered = false;
  int order;
  if (is_float(i->type)) {
    double x = real(s[0], i->type, i->comparison.ftz), y = real(s[1], i->type, i->comparison.ftz);
    unordered = isnan(x) || isnan(y);
    order = x < y ? -1 : x > y;
  } else {
    big x = number(s[0], i->type), y = number(s[1], i->type);
    order = x < y ? -1 : x > y;
  }
  r = relation(i->comparison.cmp, order, unordered);
  q = !r;
  if (i->comparison.combine != IR_B_NONE) {
    bool c = (s[2] & 1) != i->comparison.combine_invert;
    r = i->comparison.combine == IR_B_AND ? r && c : i->comparison.combine == IR_B_OR ? r || c : r != c;
    q = i->comparison.combine == IR_B_AND ? q && c : i->comparison.combine == IR_B_OR ? q || c : q != c;
  }
  d[0] = r;
  d[1] = q;
  if (i->op == IR_SET) d[0] = !r ? 0 : i->type2 == PTX_F32 ? 0x3f800000 : 0xffffffff;
  return true;
}

/* ---- integers ---- */

static bool arithmetic(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  unsigned bits = bits_of(i->type);
  big a = number(s[0], i->type), b = i->sources > 1 ? number(s[1], i->type) : 0,
      c = i->sources > 2 ? number(s[2], i->type) : 0, r;
  switch (i->op) {
  case IR_ADD:
    r = a + b;
    break;
  case IR_SUB:
    r = a - b;
    break;
  case IR_NEG:
    r = -a;
    break;
  case IR_ABS:
    r = a < 0 ? -a : a;
    break;
  case IR_MIN:
    r = a < b ? a : b;
    break;
  case IR_MAX:
    r = a > b ? a : b;
    break;
  case IR_SAD:
    r = c + (a < b ? b - a : a - b);
    break;
  case IR_MUL:
    return d[0] = cut((big)((uint64_t)a * (uint64_t)b), bits), true;
  case IR_MAD:
    return d[0] = cut((big)((uint64_t)a * (uint64_t)b + (uint64_t)c), bits), true;
  case IR_MULWIDE:
    return d[0] = (uint64_t)(a * b), true;
  case IR_MADWIDE:
    return d[0] = (uint64_t)(a * b) + s[2], true;
  case IR_MULHI:
  case IR_MADHI:
    /* 64-bit unsigned products need all of 128 bits. */
    r = is_signed(i->type) ? floor_shift(a * b, bits) : (big)((unsigned __int128)a * (unsigned __int128)b >> bits);
    if (i->op == IR_MADHI) r += c;
    break;
  case IR_DIV:
    if (b == 0) return false;
    r = a / b;
    break;
  case IR_REM:
    if (b == 0) return false;
    r = a % b;
    break;
  default:
    return false;
  }
  d[0] = cut(i->arithmetic.sat ? clamp(r, i->type) : r, bits);
  return true;
}

static bool shifts(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  unsigned bits = bits_of(i->type);
  uint64_t by = s[1] & 0xffffffff;
  if (i->op == IR_SHL) return d[0] = by >= bits ? 0 : cut((big)(s[0] << by), bits), true;
  if (i->op == IR_SHR)
    return d[0] = cut(floor_shift(number(s[0], i->type), by > bits ? bits : (unsigned)by), bits), true;
  if (i->op != IR_SHF) return false;
  by = s[2] & 0xffffffff;
  by = i->funnel.wrap ? by % 32 : by > 32 ? 32 : by;
  unsigned __int128 v = (unsigned __int128)(s[1] & 0xffffffff) << 32 | (s[0] & 0xffffffff);
  return d[0] = (uint64_t)(i->funnel.right ? v >> by : v << by >> 32) & 0xffffffff, true;
}

/* What silicon takes of a position or a length: eight bits of it, or, with 64 bits, all (nothing lies above 255). */
static unsigned position(uint64_t x, unsigned bits) {
  uint32_t word = (uint32_t)x;
  return bits == 64 ? (word < 255 ? word : 255) : word % 256;
}

static bool single_bits(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  unsigned bits = bits_of(i->type), at = position(s[1], bits), n = position(s[2], bits);
  uint64_t r = 0;
  switch (i->op) {
  case IR_BFE: { /* bit by bit, as the manual has it */
    unsigned top = at + n - 1 < bits - 1 ? at + n - 1 : bits - 1;
    uint64_t fill = !is_signed(i->type) || n == 0 ? 0 : s[0] >> top & 1;
    for (unsigned k = 0; k < bits; k++) r |= (k < n && at + k < bits ? s[0] >> (at + k) & 1 : fill) << k;
    return d[0] = r, true;
  }
  case IR_BFI:
    at = position(s[2], bits);
    n = position(s[3], bits);
    r = s[1];
    for (unsigned k = 0; k < n && at + k < bits; k++)
      r = (r & ~(UINT64_C(1) << (at + k))) | (s[0] >> k & 1) << (at + k);
    return d[0] = r, true;
  case IR_BREV:
    for (unsigned k = 0; k < bits; k++) r |= (s[0] >> k & 1) << (bits - 1 - k);
    return d[0] = r, true;
  case IR_POPC:
    for (unsigned k = 0; k < bits; k++) r += s[0] >> k & 1;
    return d[0] = r, true;
  case IR_CLZ:
    while (r < bits && !(s[0] >> (bits - 1 - r) & 1)) r++;
    return d[0] = r, true;
  case IR_BFIND: {
    bool negative = is_signed(i->type) && (s[0] >> (bits - 1) & 1);
    for (unsigned k = bits; k-- > 0;)
      if ((s[0] >> k & 1) != negative) return d[0] = i->shift_amount ? bits - 1 - k : k, true;
    return d[0] = 0xffffffff, true;
  }
  default:
    return false;
  }
}

static bool logic(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  unsigned bits = bits_of(i->type);
  switch (i->op) {
  case IR_AND:
    d[0] = s[0] & s[1];
    break;
  case IR_OR:
    d[0] = s[0] | s[1];
    break;
  case IR_XOR:
    d[0] = s[0] ^ s[1];
    break;
  case IR_NOT:
    d[0] = ~s[0];
    break;
  case IR_CNOT:
    d[0] = cut((big)s[0], bits) == 0;
    break;
  case IR_LOP3:
    d[0] = 0;
    for (unsigned k = 0; k < 8; k++) /* as a sum of products */
      if (i->lut >> k & 1) d[0] |= (k & 4 ? s[0] : ~s[0]) & (k & 2 ? s[1] : ~s[1]) & (k & 1 ? s[2] : ~s[2]);
    break;
  default:
    return false;
  }
  d[0] = cut((big)d[0], bits);
  return true;
}

static bool moves(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  unsigned half = bits_of(i->type) / 2;
  switch (i->op) {
  case IR_COPY:
    return d[0] = s[0], true;
  case IR_SELP:
    return d[0] = s[2] & 1 ? s[0] : s[1], true;
  case IR_SLCT:
    if (i->type2 == PTX_F32) return d[0] = real(s[2], PTX_F32, i->arithmetic.ftz) >= 0 ? s[0] : s[1], true;
    return d[0] = (int32_t)s[2] >= 0 ? s[0] : s[1], true;
  case IR_PACK:
    return d[0] = cut((big)s[0], half) | s[1] << half, true;
  case IR_UNPACK:
    return d[0] = cut((big)s[0], half), d[1] = cut((big)(s[0] >> half), half), true;
  case IR_GENERIC: /* windows of isa/doc/04-memory.md */
    if (i->memory.space == PTX_GLOBAL) return d[0] = s[0], true;
    return d[0] = i->memory.inverse ? s[0] & 0xffffffff : s[0] | (UINT64_C(1) << 56) << (i->memory.space == PTX_LOCAL),
           true;
  case IR_PRMT:
    if (i->permute != IR_PRMT_INDEX) return false;
    d[0] = 0;
    for (unsigned k = 0; k < 4; k++) {
      unsigned n = s[2] >> 4 * k & 15;
      uint64_t byte = (n & 4 ? s[1] : s[0]) >> 8 * (n & 3) & 0xff;
      d[0] |= (n & 8 ? (byte >> 7) * 0xff : byte) << 8 * k;
    }
    return true;
  default:
    return false;
  }
}

bool ir_eval(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  if (moves(i, s, d)) return true;
  if (i->op == IR_SETP || i->op == IR_SET) return compare(i, s, d);
  if (i->op == IR_CVT) return i->sources == 1 && convert(i, s, d);
  if (is_float(i->type)) return floats(i, s, d);
  return logic(i, s, d) || shifts(i, s, d) || single_bits(i, s, d) || arithmetic(i, s, d);
}

unsigned ir_eval_bits(const struct ir_insn *i, unsigned k) {
  enum ir_class c = i->dst[k]->class;
  if (c != IR_32) return c == IR_PRED ? 1 : 64;
  if (i->op == IR_UNPACK) return bits_of(i->type) / 2;
  if (i->op == IR_CVT && is_float(i->type2)) return i->type == PTX_F16 ? 16 : 32;
  switch (i->op) {
  case IR_SETP:
  case IR_SET:
  case IR_LD:
  case IR_ATOM:
  case IR_POPC:
  case IR_CLZ:
  case IR_BFIND:
  case IR_PHI:
    return 32;
  default:
    return bits_of(i->type) && bits_of(i->type) < 32 ? bits_of(i->type) : 32;
  }
}
