/* SPDX-License-Identifier: Apache-2.0
 *
 * Algebra of integers, and their division by constants.
 */
#include "compiler/optimise/fold.h"

/* Division of words by constants: T. Granlund, P. Montgomery, "Division by invariant integers using multiplication",
 * 1994. Unsigned: x / d = floor(x * m / 2^(32 + s)) with m = ceil(2^(32 + s) / d), of 33 bits; signed: the same for
 * magnitudes below 2^31, one added where the quotient is negative. Powers of two are shifts, of 64 bits too. */

struct at { /* where new instructions go */
  struct fold *c;
  struct ir_insn *i;
};

static struct ir_operand op2(struct at at, enum ir_op op, enum ptx_type t, struct ir_operand a, struct ir_operand b) {
  return fold_before(at.c, at.i, op, t, at.i->dst[0]->class, 2, a, b, fold_none());
}

static unsigned floor_log2(uint64_t x) {
  return 63 - (unsigned)__builtin_clzll(x);
}

/* x + (2^k - 1 where x is negative): rounds a shift towards zero. */
static struct ir_operand bias(struct at at, struct ir_operand x, unsigned k) {
  unsigned bits = fold_bits(at.i->type);
  struct ir_operand sign = op2(at, IR_SHR, bits == 64 ? PTX_S64 : PTX_S32, x, ir_bits(bits - 1));
  struct ir_operand low = op2(at, IR_SHR, bits == 64 ? PTX_U64 : PTX_U32, sign, ir_bits(bits - k));
  return op2(at, IR_ADD, (enum ptx_type)at.i->type, x, low);
}

static bool signed_power(struct at at, unsigned k, bool negative) {
  struct ir_insn *i = at.i;
  enum ptx_type t = (enum ptx_type)i->type;
  struct ir_operand x = i->src[0], biased = bias(at, x, k);
  if (i->op == IR_REM) {
    uint64_t keep = fold_mask(fold_bits(t)) & ~fold_mask(k);
    struct ir_operand whole = op2(at, IR_AND, fold_bits(t) == 64 ? PTX_B64 : PTX_B32, biased, ir_bits(keep));
    return fold_become(at.c, i, IR_SUB, t, 2, x, whole, fold_none());
  }
  if (!negative) return fold_become(at.c, i, IR_SHR, t, 2, biased, ir_bits(k), fold_none());
  struct ir_operand q = op2(at, IR_SHR, t, biased, ir_bits(k));
  return fold_become(at.c, i, IR_NEG, fold_signed_type(i->type), 1, q, fold_none(), fold_none());
}

static bool unsigned_power(struct at at, unsigned k) {
  struct ir_insn *i = at.i;
  if (i->op == IR_DIV)
    return fold_become(at.c, i, IR_SHR, (enum ptx_type)i->type, 2, i->src[0], ir_bits(k), fold_none());
  return fold_become(at.c, i, IR_AND, fold_bits(i->type) == 64 ? PTX_B64 : PTX_B32, 2, i->src[0], ir_bits(fold_mask(k)),
                     fold_none());
}

/* The quotient is there: that, or x - q * d. */
static bool finish_quotient(struct at at, struct ir_operand q, uint64_t d) {
  struct ir_insn *i = at.i;
  if (i->op == IR_DIV) return fold_equal(at.c, i, q);
  return fold_become(at.c, i, IR_MAD, (enum ptx_type)i->type, 3, q, ir_bits((0 - d) & UINT32_MAX), i->src[0]);
}

static bool unsigned_word(struct at at, uint64_t d) {
  struct ir_operand x = at.i->src[0];
  unsigned s = floor_log2(d); /* d is no power of two: 2^s < d < 2^(s+1) */
  uint64_t one = UINT64_C(1) << (32 + s), m = one / d + 1, error = m * d - one;
  if (error <= UINT64_C(1) << s) { /* m below 2^32 is precise enough */
    struct ir_operand high = op2(at, IR_MULHI, PTX_U32, x, ir_bits(m));
    return finish_quotient(at, s ? op2(at, IR_SHR, PTX_U32, high, ir_bits(s)) : high, d);
  }
  /* One bit more: m' = 2^32 + m, and x * m' / 2^33 as ((x - high) / 2 + high), which does not overflow. */
  m = (uint64_t)(((unsigned __int128)1 << (33 + s)) / d + 1) & UINT32_MAX;
  struct ir_operand high = op2(at, IR_MULHI, PTX_U32, x, ir_bits(m));
  struct ir_operand half = op2(at, IR_SHR, PTX_U32, op2(at, IR_SUB, PTX_U32, x, high), ir_bits(1));
  return finish_quotient(at, op2(at, IR_SHR, PTX_U32, op2(at, IR_ADD, PTX_U32, half, high), ir_bits(s)), d);
}

static bool signed_word(struct at at, int64_t d) {
  struct ir_operand x = at.i->src[0];
  uint64_t magnitude = (uint64_t)(d < 0 ? -d : d);
  unsigned s = floor_log2(magnitude) - 1; /* 2^(s+1) < |d| < 2^(s+2): m lies between 2^31 and 2^32 */
  uint64_t m = (UINT64_C(1) << (33 + s)) / magnitude + 1;
  /* As a signed factor m is m - 2^32: x is added back. */
  struct ir_operand q = op2(at, IR_ADD, PTX_S32, op2(at, IR_MULHI, PTX_S32, x, ir_bits(m)), x);
  q = op2(at, IR_SHR, PTX_S32, q, ir_bits(s + 1));
  struct ir_operand sign = op2(at, IR_SHR, PTX_S32, x, ir_bits(31)); /* all ones where x is negative */
  q = d < 0 ? op2(at, IR_SUB, PTX_S32, sign, q) : op2(at, IR_SUB, PTX_S32, q, sign);
  return finish_quotient(at, q, (uint64_t)d);
}

bool fold_divide(struct fold *c, struct ir_insn *i) {
  struct at at = {c, i};
  if ((i->op != IR_DIV && i->op != IR_REM) || !fold_integer(i->type) || fold_bits(i->type) < 32 ||
      i->src[1].kind != IR_CONST)
    return false;
  bool is_signed = fold_signed(i->type);
  int64_t d = (int64_t)fold_read(i->src[1].bits, i->type);
  uint64_t magnitude = is_signed && d < 0 ? 0 - (uint64_t)d : (uint64_t)d;
  if (magnitude == 0) return false;
  if (magnitude == 1) {
    if (i->op == IR_REM) return fold_equal(c, i, ir_bits(0));
    if (!is_signed || d == 1) return fold_equal(c, i, i->src[0]);
    return fold_become(c, i, IR_NEG, fold_signed_type(i->type), 1, i->src[0], fold_none(), fold_none());
  }
  bool power = (magnitude & (magnitude - 1)) == 0;
  if (is_signed && magnitude >> (fold_bits(i->type) - 1)) return false; /* the most negative number */
  if (power)
    return is_signed ? signed_power(at, floor_log2(magnitude), d < 0) : unsigned_power(at, floor_log2(magnitude));
  if (fold_bits(i->type) == 64) return false;
  return is_signed ? signed_word(at, d) : unsigned_word(at, (uint64_t)d);
}

/* Algebra of integers: sums, products by constants, shifts; multiply-add where the product is not wanted by itself.
 * Constants come to stand last and wander outwards, where loads and stores take them as offsets. */

static bool commutes(const struct ir_insn *i) {
  switch (i->op) {
  case IR_ADD:
  case IR_MUL:
  case IR_MULHI:
  case IR_MULWIDE:
  case IR_MAD:
  case IR_MADHI:
  case IR_MADWIDE:
  case IR_MUL24:
  case IR_MAD24:
  case IR_AND:
  case IR_OR:
  case IR_XOR:
  case IR_MIN:
  case IR_MAX:
    return fold_integer(i->type) || i->type == PTX_PRED;
  default:
    return false;
  }
}

/* Constants last; else the older value first, so that equal sums look equal. */
static bool order_operands(struct ir_insn *i) {
  struct ir_operand *a = &i->src[0], *b = &i->src[1];
  if (!commutes(i) || b->kind == IR_CONST) return false;
  if (a->kind != IR_CONST && a->value->id <= b->value->id) return false;
  struct ir_operand t = *a;
  *a = *b;
  *b = t;
  return true;
}

static unsigned log2_of(uint64_t x) {
  return (unsigned)__builtin_ctzll(x);
}
static bool is_power(uint64_t x) {
  return x && (x & (x - 1)) == 0;
}

static struct ir_operand typed_constant(const struct ir_insn *i, uint64_t x) {
  return ir_bits(x & fold_mask(fold_bits(i->type)));
}

/* (y + c) + b, (y + c) + d: the constants go to the end. */
static bool add_reassociate(struct fold *c, struct ir_insn *i) {
  for (unsigned k = 0; k < 2; k++) {
    const struct ir_insn *d = fold_from(&i->src[k], IR_ADD, (enum ptx_type)i->type);
    if (!d || d->arithmetic.sat || d->src[1].kind != IR_CONST) continue;
    struct ir_operand y = d->src[0], k1 = d->src[1], other = i->src[1 - k];
    if (other.kind == IR_CONST)
      return fold_become(c, i, IR_ADD, (enum ptx_type)i->type, 2, y, typed_constant(i, k1.bits + other.bits),
                         fold_none());
    if (!fold_once(c, &i->src[k])) continue;
    struct ir_operand sum =
        fold_before(c, i, IR_ADD, (enum ptx_type)i->type, i->dst[0]->class, 2, y, other, fold_none());
    return fold_become(c, i, IR_ADD, (enum ptx_type)i->type, 2, sum, k1, fold_none());
  }
  return false;
}

static bool add_product(struct fold *c, struct ir_insn *i) {
  if (fold_bits(i->type) < 32 || i->src[1].kind == IR_CONST) return false;
  for (unsigned k = 0; k < 2; k++) {
    const struct ir_insn *d = fold_from(&i->src[k], IR_MUL, PTX_NO_TYPE);
    if (!d || !fold_integer(d->type) || fold_bits(d->type) != fold_bits(i->type) || !fold_once(c, &i->src[k])) continue;
    return fold_become(c, i, IR_MAD, (enum ptx_type)i->type, 3, d->src[0], d->src[1], i->src[1 - k]);
  }
  return false;
}

static bool fold_add(struct fold *c, struct ir_insn *i) {
  if (i->arithmetic.sat) return false;
  if (fold_is(&i->src[1], 0)) return fold_equal(c, i, i->src[0]);
  for (unsigned k = 0; k < 2; k++) {
    const struct ir_insn *d = fold_from(&i->src[k], IR_NEG, fold_signed_type(i->type));
    if (d && i->src[1 - k].kind != IR_CONST)
      return fold_become(c, i, IR_SUB, (enum ptx_type)i->type, 2, i->src[1 - k], d->src[0], fold_none());
  }
  return add_reassociate(c, i) || add_product(c, i);
}

static bool fold_sub(struct fold *c, struct ir_insn *i) {
  enum ptx_type t = (enum ptx_type)i->type;
  const struct ir_insn *d;
  if (i->arithmetic.sat) return false;
  if (pass_same(&i->src[0], &i->src[1])) return fold_equal(c, i, ir_bits(0));
  if (i->src[1].kind == IR_CONST)
    return fold_become(c, i, IR_ADD, t, 2, i->src[0], typed_constant(i, 0 - i->src[1].bits), fold_none());
  if (fold_is(&i->src[0], 0))
    return fold_become(c, i, IR_NEG, fold_signed_type(t), 1, i->src[1], fold_none(), fold_none());
  if ((d = fold_from(&i->src[1], IR_NEG, fold_signed_type(t))) != NULL)
    return fold_become(c, i, IR_ADD, t, 2, i->src[0], d->src[0], fold_none());
  return false;
}

static bool fold_mul(struct fold *c, struct ir_insn *i) {
  enum ptx_type t = (enum ptx_type)i->type;
  if (i->src[1].kind != IR_CONST) return false;
  uint64_t k = i->src[1].bits & fold_mask(fold_bits(t));
  if (k == 0) return fold_equal(c, i, ir_bits(0));
  if (k == 1) return fold_equal(c, i, i->src[0]);
  if (k == fold_mask(fold_bits(t)))
    return fold_become(c, i, IR_NEG, fold_signed_type(t), 1, i->src[0], fold_none(), fold_none());
  if (is_power(k) && fold_bits(t) == 64)
    return fold_become(c, i, IR_SHL, PTX_B64, 2, i->src[0], ir_bits(log2_of(k)), fold_none());
  return false;
}

static bool fold_mad(struct fold *c, struct ir_insn *i) {
  enum ptx_type t = (enum ptx_type)i->type;
  if (i->arithmetic.sat) return false;
  if (fold_is(&i->src[2], 0)) return fold_become(c, i, IR_MUL, t, 2, i->src[0], i->src[1], fold_none());
  if (i->src[1].kind != IR_CONST) return false;
  uint64_t k = i->src[1].bits & fold_mask(fold_bits(t));
  if (k == 0) return fold_equal(c, i, i->src[2]);
  if (k == 1) return fold_become(c, i, IR_ADD, t, 2, i->src[0], i->src[2], fold_none());
  if (k == fold_mask(fold_bits(t))) return fold_become(c, i, IR_SUB, t, 2, i->src[2], i->src[0], fold_none());
  if (i->src[0].kind == IR_CONST)
    return fold_become(c, i, IR_ADD, t, 2, i->src[2], typed_constant(i, i->src[0].bits * k), fold_none());
  return false;
}

/* Two shifts the same way by constants. */
static bool shift_shift(struct fold *c, struct ir_insn *i, uint64_t by) {
  unsigned bits = fold_bits(i->type);
  const struct ir_insn *d = fold_from(&i->src[0], (enum ir_op)i->op, PTX_NO_TYPE);
  if (!d || d->src[1].kind != IR_CONST || fold_bits(d->type) != bits || fold_signed(d->type) != fold_signed(i->type))
    return false;
  uint64_t first = d->src[1].bits > bits ? bits : d->src[1].bits;
  return fold_become(c, i, (enum ir_op)i->op, (enum ptx_type)i->type, 2, d->src[0], ir_bits(first + by), fold_none());
}

static bool fold_shift(struct fold *c, struct ir_insn *i) {
  unsigned bits = fold_bits(i->type);
  if (fold_is(&i->src[0], 0)) return fold_equal(c, i, ir_bits(0));
  if (i->src[1].kind != IR_CONST) return false;
  uint64_t by = i->src[1].bits;
  if (by == 0) return fold_equal(c, i, i->src[0]);
  bool arithmetic = i->op == IR_SHR && fold_signed(i->type);
  if (by >= bits && !arithmetic) return fold_equal(c, i, ir_bits(0));
  if (by >= bits) {
    i->src[1].bits = bits - 1;
    return by != bits - 1;
  }
  return bits >= 32 && shift_shift(c, i, by);
}

/* (x << 32) >> k of 64 bits: the low word, extended, perhaps times a power of two. */
static bool shift_low_word(struct fold *c, struct ir_insn *i) {
  const struct ir_insn *d =
      i->op == IR_SHR && fold_bits(i->type) == 64 ? fold_from(&i->src[0], IR_SHL, PTX_NO_TYPE) : NULL;
  if (!d || fold_bits(d->type) != 64 || !fold_is(&d->src[1], 32) || i->src[1].kind != IR_CONST) return false;
  bool s = fold_signed(i->type);
  uint64_t k = i->src[1].bits;
  if (k > 32 || 32 - k > (s ? 30 : 31)) return false;
  struct ir_operand low = fold_before(c, i, IR_CVT, PTX_U32, IR_32, 1, d->src[0], fold_none(), fold_none());
  low.value->def->type2 = PTX_U64;
  enum ptx_type t = s ? PTX_S32 : PTX_U32;
  if (k < 32) return fold_become(c, i, IR_MULWIDE, t, 2, low, ir_bits(UINT64_C(1) << (32 - k)), fold_none());
  fold_become(c, i, IR_CVT, s ? PTX_S64 : PTX_U64, 1, low, fold_none(), fold_none());
  i->type2 = (uint8_t)t;
  return true;
}

static bool fold_same(struct fold *c, struct ir_insn *i) {
  const struct ir_insn *d;
  if (i->op == IR_NEG && (d = fold_from(&i->src[0], IR_NEG, (enum ptx_type)i->type)) != NULL &&
      fold_bits(d->type) == fold_bits(i->type))
    return fold_equal(c, i, d->src[0]);
  if ((i->op == IR_MIN || i->op == IR_MAX) && pass_same(&i->src[0], &i->src[1])) return fold_equal(c, i, i->src[0]);
  return false;
}

bool fold_integers(struct fold *c, struct ir_insn *i) {
  if (order_operands(i)) return true;
  if (!fold_integer(i->type)) return false;
  switch (i->op) {
  case IR_ADD:
    return fold_add(c, i);
  case IR_SUB:
    return fold_sub(c, i);
  case IR_MUL:
    return fold_mul(c, i);
  case IR_MAD:
    return fold_mad(c, i);
  case IR_SHL:
  case IR_SHR:
    return shift_low_word(c, i) || fold_shift(c, i);
  case IR_NEG:
  case IR_MIN:
  case IR_MAX:
    return fold_same(c, i);
  default:
    return false;
  }
}
