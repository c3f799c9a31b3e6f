/* SPDX-License-Identifier: Apache-2.0
 *
 * Division of words by constants: T. Granlund, P. Montgomery, "Division by invariant integers using multiplication",
 * 1994. Unsigned: x / d = floor(x * m / 2^(32 + s)) with m = ceil(2^(32 + s) / d), of 33 bits; signed: the same for
 * magnitudes below 2^31, one added where the quotient is negative. Powers of two are shifts, of 64 bits too.
 */
#include "compiler/optimise/fold.h"

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
