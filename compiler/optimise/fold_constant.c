/* SPDX-License-Identifier: Apache-2.0
 *
 * What integer and bit operations give on constants, as PTX defines them. Numbers are read as the type says into 64
 * bits; results are cut to the type. Left alone: division by zero, the most negative number by -1, halves.
 */
#include "compiler/optimise/fold.h"

typedef unsigned __int128 wide;

static uint64_t high_product(uint64_t a, uint64_t b, unsigned bits, bool is_signed) {
  if (bits < 64)
    return (uint64_t)((int64_t)(a * b) >> bits); /* both extended: the product of two 32-bit numbers is exact */
  uint64_t high = (uint64_t)((wide)a * b >> 64);
  if (is_signed && (int64_t)a < 0) high -= b;
  if (is_signed && (int64_t)b < 0) high -= a;
  return high;
}

/* Unsigned products of 32 bits do not fit a signed shift. */
static uint64_t high_of(uint64_t a, uint64_t b, unsigned type) {
  unsigned bits = fold_bits(type);
  if (!fold_signed(type) && bits < 64) return a * b >> bits;
  return high_product(a, b, bits, fold_signed(type));
}

static uint64_t saturate(int64_t x, unsigned bits) {
  int64_t most = (int64_t)fold_mask(bits - 1);
  return (uint64_t)(x > most ? most : x < -most - 1 ? -most - 1 : x);
}

static bool less(uint64_t a, uint64_t b, bool is_signed) {
  return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

/* Of any kind of number at most 64 bits wide, extended. */
static bool divide_integers(const struct ir_insn *i, uint64_t a, uint64_t b, uint64_t *r) {
  bool s = fold_signed(i->type);
  if (b == 0 || (s && (int64_t)b == -1)) return false;
  uint64_t q = s ? (uint64_t)((int64_t)a / (int64_t)b) : a / b;
  *r = i->op == IR_DIV ? q : a - q * b;
  return true;
}

static uint64_t mul24(const struct ir_insn *i, uint64_t a, uint64_t b) {
  bool s = fold_signed(i->type);
  a = s ? fold_extend(a & 0xffffff, 24) : a & 0xffffff;
  b = s ? fold_extend(b & 0xffffff, 24) : b & 0xffffff;
  return i->arithmetic.high ? a * b >> 16 : a * b;
}

static bool sum_integers(const struct ir_insn *i, const uint64_t *x, uint64_t *r) {
  const unsigned bits = fold_bits(i->type);
  switch (i->op) {
  case IR_ADD:
    *r = i->arithmetic.sat ? saturate((int64_t)(x[0] + x[1]), bits) : x[0] + x[1];
    return !i->arithmetic.sat || bits < 64;
  case IR_SUB:
    *r = i->arithmetic.sat ? saturate((int64_t)(x[0] - x[1]), bits) : x[0] - x[1];
    return !i->arithmetic.sat || bits < 64;
  case IR_NEG:
    *r = 0 - x[0];
    return true;
  case IR_ABS:
    *r = (int64_t)x[0] < 0 ? 0 - x[0] : x[0];
    return fold_signed(i->type);
  case IR_MIN:
    *r = less(x[1], x[0], fold_signed(i->type)) ? x[1] : x[0];
    return true;
  case IR_MAX:
    *r = less(x[0], x[1], fold_signed(i->type)) ? x[1] : x[0];
    return true;
  case IR_SAD:
    *r = x[2] + (less(x[0], x[1], fold_signed(i->type)) ? x[1] - x[0] : x[0] - x[1]);
    return true;
  default:
    return false;
  }
}

static bool multiply_integers(const struct ir_insn *i, const uint64_t *x, uint64_t *r) {
  switch (i->op) {
  case IR_MUL:
  case IR_MULWIDE:
    *r = x[0] * x[1];
    return i->op == IR_MUL || fold_bits(i->type) == 32;
  case IR_MULHI:
    *r = high_of(x[0], x[1], i->type);
    return true;
  case IR_MAD:
    *r = x[0] * x[1] + x[2];
    return !i->arithmetic.sat;
  case IR_MADWIDE:
    *r = x[0] * x[1] + i->src[2].bits; /* of 64 bits, whatever the type */
    return fold_bits(i->type) == 32;
  case IR_MADHI:
    *r = high_of(x[0], x[1], i->type) + x[2];
    if (i->arithmetic.sat)
      *r = saturate((int64_t)(fold_read(high_of(x[0], x[1], i->type), i->type) + x[2]), fold_bits(i->type));
    return !i->arithmetic.sat || fold_bits(i->type) < 64;
  case IR_MUL24:
  case IR_MAD24:
    *r = mul24(i, x[0], x[1]) + (i->op == IR_MAD24 ? x[2] : 0);
    return !i->arithmetic.sat;
  case IR_DIV:
  case IR_REM:
    return divide_integers(i, x[0], x[1], r);
  default:
    return false;
  }
}

static unsigned top_bit(uint64_t x) {
  unsigned n = 0;
  while (x >>= 1) n++;
  return n;
}

static uint64_t find_top(const struct ir_insn *i, uint64_t x) {
  unsigned bits = fold_bits(i->type);
  if (fold_signed(i->type) && (int64_t)x < 0) x = ~x;
  x &= fold_mask(bits);
  if (!x) return UINT32_MAX;
  return i->shift_amount ? bits - 1 - top_bit(x) : top_bit(x);
}

static uint64_t reversed(uint64_t x, unsigned bits) {
  uint64_t r = 0;
  for (unsigned k = 0; k < bits; k++) r |= (x >> k & 1) << (bits - 1 - k);
  return r;
}

static uint64_t shifted(const struct ir_insn *i, uint64_t x, uint64_t by) {
  unsigned bits = fold_bits(i->type);
  by &= UINT32_MAX;
  if (i->op == IR_SHL) return by >= bits ? 0 : x << by;
  if (fold_signed(i->type)) return (uint64_t)((int64_t)x >> (by >= bits ? bits - 1 : by));
  return by >= bits ? 0 : x >> by;
}

static uint64_t funnel(const struct ir_insn *i) {
  uint64_t v = i->src[1].bits << 32 | (i->src[0].bits & UINT32_MAX), by = i->src[2].bits & UINT32_MAX;
  by = i->funnel.wrap ? by & 31 : by > 32 ? 32 : by;
  return i->funnel.right ? v >> by : v << by >> 32;
}

/* Position or length of a field: 32-bit operations look at its low byte, 64-bit ones at all of it (as silicon does). */
static unsigned field(uint64_t x, unsigned bits) {
  x &= UINT32_MAX;
  return (unsigned)(bits == 64 && x > 255 ? 255 : x & 0xff);
}

static uint64_t extract(const struct ir_insn *i) {
  unsigned bits = fold_bits(i->type), at = field(i->src[1].bits, bits), length = field(i->src[2].bits, bits);
  uint64_t a = i->src[0].bits & fold_mask(bits), sign = 0;
  if (fold_signed(i->type) && length) sign = a >> (at + length - 1 < bits - 1 ? at + length - 1 : bits - 1) & 1;
  unsigned there = at >= bits ? 0 : length > bits - at ? bits - at : length;
  uint64_t field = there ? a >> at & fold_mask(there) : 0;
  return sign ? field | ~fold_mask(there) : field;
}

static uint64_t insert_field(const struct ir_insn *i) {
  unsigned bits = fold_bits(i->type), at = field(i->src[2].bits, bits), length = field(i->src[3].bits, bits);
  if (at >= bits || !length) return i->src[1].bits;
  uint64_t mask = fold_mask(length > 64 ? 64 : length) << at;
  return (i->src[1].bits & ~mask) | (i->src[0].bits << at & mask);
}

static uint64_t lookup(const struct ir_insn *i) {
  uint64_t r = 0;
  for (unsigned n = 0; n < 32; n++) {
    unsigned index =
        (unsigned)((i->src[0].bits >> n & 1) << 2 | (i->src[1].bits >> n & 1) << 1 | (i->src[2].bits >> n & 1));
    r |= (uint64_t)(i->lut >> index & 1) << n;
  }
  return r;
}

static uint64_t permuted(const struct ir_insn *i) {
  uint64_t v = i->src[1].bits << 32 | (i->src[0].bits & UINT32_MAX), r = 0;
  for (unsigned n = 0; n < 4; n++) {
    unsigned pick = i->src[2].bits >> 4 * n & 15;
    uint64_t byte = v >> 8 * (pick & 7) & 0xff;
    if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
    r |= byte << 8 * n;
  }
  return r;
}

static bool bits(const struct ir_insn *i, const uint64_t *x, uint64_t *r) {
  uint64_t raw = i->src[0].bits & fold_mask(fold_bits(i->type));
  switch (i->op) {
  case IR_AND:
    return *r = x[0] & x[1], true;
  case IR_OR:
    return *r = x[0] | x[1], true;
  case IR_XOR:
    return *r = x[0] ^ x[1], true;
  case IR_NOT:
    return *r = ~x[0], true;
  case IR_CNOT:
    return *r = raw == 0, true;
  case IR_LOP3:
    return *r = lookup(i), true;
  case IR_SHL:
  case IR_SHR:
    return *r = shifted(i, x[0], i->src[1].bits), true;
  case IR_SHF:
    return *r = funnel(i), true;
  case IR_BFE:
    return *r = extract(i), true;
  case IR_BFI:
    return *r = insert_field(i), true;
  case IR_BFIND:
    return *r = find_top(i, x[0]), true;
  case IR_POPC:
    return *r = (unsigned)__builtin_popcountll(raw), true;
  case IR_CLZ:
    return *r = raw ? fold_bits(i->type) - 1 - top_bit(raw) : fold_bits(i->type), true;
  case IR_BREV:
    return *r = reversed(raw, fold_bits(i->type)), true;
  case IR_PRMT:
    return *r = permuted(i), i->permute == IR_PRMT_INDEX;
  default:
    return false;
  }
}

bool fold_compare(unsigned cmp, unsigned type, uint64_t a, uint64_t b) {
  bool s = fold_signed(type);
  a = fold_read(a, type);
  b = fold_read(b, type);
  switch (cmp) {
  case IR_EQ:
    return a == b;
  case IR_NE:
    return a != b;
  case IR_LT:
    return less(a, b, s);
  case IR_LE:
    return !less(b, a, s);
  case IR_GT:
    return less(b, a, s);
  default:
    return !less(a, b, s);
  }
}

/* A conversion between integers: saturated, if it says so, to the range of the destination. */
static bool convert_integer(const struct ir_insn *i, uint64_t *r) {
  if (!fold_integer(i->type) || !fold_integer(i->type2)) return false;
  uint64_t x = fold_read(i->src[0].bits, i->type2);
  unsigned to = fold_bits(i->type);
  bool negative = fold_signed(i->type2) && (int64_t)x < 0;
  if (i->arithmetic.sat && fold_signed(i->type) && (negative || x <= INT64_MAX))
    x = saturate((int64_t)x, to);
  else if (i->arithmetic.sat && fold_signed(i->type))
    x = fold_mask(to - 1);
  else if (i->arithmetic.sat)
    x = negative ? 0 : x > fold_mask(to) ? fold_mask(to) : x;
  *r = x;
  return true;
}

static bool choose_constant(const struct ir_insn *i, uint64_t *out) {
  if (i->op == IR_SELP) return out[0] = (i->src[2].bits & 1 ? i->src[0] : i->src[1]).bits, true;
  if (i->op == IR_SLCT && i->type2 == PTX_S32)
    return out[0] = ((int32_t)i->src[2].bits >= 0 ? i->src[0] : i->src[1]).bits, true;
  if (i->op == IR_PACK && i->sources == 2) {
    unsigned half = fold_bits(i->type) / 2;
    return out[0] = (i->src[0].bits & fold_mask(half)) | i->src[1].bits << half, true;
  }
  if (i->op == IR_UNPACK && i->dsts == 2) {
    unsigned half = fold_bits(i->type) / 2;
    return out[0] = i->src[0].bits & fold_mask(half), out[1] = i->src[0].bits >> half & fold_mask(half), true;
  }
  return false;
}

/* What an instruction computes from constants: its results in out[0], out[1]. False: not known here. */
static bool fold_evaluate(const struct ir_insn *i, uint64_t out[2]) {
  uint64_t x[4] = {0};
  for (unsigned k = 0; k < i->sources; k++)
    if (i->src[k].kind != IR_CONST) return false;
  if (i->op == IR_CVT) return i->sources == 1 && convert_integer(i, &out[0]);
  if (choose_constant(i, out)) return true;
  if (!fold_integer(i->type) && i->type != PTX_PRED) return false;
  for (unsigned k = 0; k < i->sources && k < 4; k++) x[k] = fold_read(i->src[k].bits, i->type);
  return sum_integers(i, x, out) || multiply_integers(i, x, out) || bits(i, x, out);
}

static bool compare_constants(struct fold *c, struct ir_insn *i) {
  if (!fold_integer(i->type) || i->src[0].kind != IR_CONST || i->src[1].kind != IR_CONST ||
      i->comparison.combine != IR_B_NONE)
    return false;
  bool r = fold_compare(i->comparison.cmp, i->type, i->src[0].bits, i->src[1].bits);
  if (i->op == IR_SET) return fold_equal(c, i, ir_bits(!r ? 0 : i->type2 == PTX_F32 ? 0x3f800000 : UINT32_MAX));
  if (i->dsts == 2) c->same[i->dst[1]->id] = ir_bits(!r);
  i->dsts = 1;
  return fold_equal(c, i, ir_bits(r));
}

bool fold_constant(struct fold *c, struct ir_insn *i) {
  uint64_t out[2] = {0, 0};
  if (i->op == IR_SETP || i->op == IR_SET) return compare_constants(c, i);
  if (!i->sources || !i->dsts || ir_has_effect(i) || i->op == IR_COPY || !fold_evaluate(i, out)) return false;
  enum ir_class class = i->dst[0]->class;
  if (i->dsts == 2) c->same[i->dst[1]->id] = ir_bits(out[1]);
  i->dsts = 1;
  /* A number of 8 or 16 bits has no upper ones: any will do, and none is least. */
  unsigned bits = i->op == IR_CVT || class != IR_32 || fold_bits(i->type) >= 32 ? 64 : fold_bits(i->type);
  if (i->op == IR_CVT && fold_bits(i->type) < 32) bits = fold_bits(i->type);
  uint64_t mask = fold_mask(class == IR_64 ? 64 : class == IR_32 ? 32 : 1) & fold_mask(bits);
  return fold_equal(c, i, ir_bits(out[0] & mask));
}
