/* SPDX-License-Identifier: Apache-2.0
 *
 * Algebra of integers: sums, products by constants, shifts; multiply-add where the product is not wanted by itself.
 * Constants come to stand last and wander outwards, where loads and stores take them as offsets.
 */
#include "compiler/optimise/fold.h"

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
