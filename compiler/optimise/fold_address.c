/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of different width, and addresses.
 */
#include <heddle/isa_tables.h>
#include "compiler/optimise/fold.h"

/* Between 32 and 64 bits, and between narrow numbers and words: conversions that undo or repeat each other, products of
 * extended words as widening products, sums with them as widening multiply-adds. */

static bool is_conversion(const struct ir_insn *d) {
  return d && !d->arithmetic.sat && fold_integer(d->type) && fold_integer(d->type2) && d->sources == 1;
}

/* The instruction that extends a word to 64 bits. */
static const struct ir_insn *extension(const struct ir_operand *o) {
  const struct ir_insn *d = fold_from(o, IR_CVT, PTX_NO_TYPE);
  return is_conversion(d) && fold_bits(d->type) == 64 && fold_bits(d->type2) == 32 ? d : NULL;
}

static bool make_conversion(struct fold *c, struct ir_insn *i, unsigned to, unsigned from, struct ir_operand o) {
  fold_become(c, i, IR_CVT, (enum ptx_type)to, 1, o, fold_none(), fold_none());
  i->type2 = (uint8_t)from;
  return true;
}

/* Converting to a word or less what was widened from d->src[0]. */
static bool narrow_wide(struct fold *c, struct ir_insn *i, const struct ir_insn *d) {
  unsigned to = fold_bits(i->type), from = fold_bits(d->type2);
  if (from >= to && from <= 32) return fold_equal(c, i, d->src[0]);
  if (from < to) return make_conversion(c, i, fold_signed(d->type2) ? PTX_S32 : PTX_U32, d->type2, d->src[0]);
  return false;
}

unsigned fold_known_bits(const struct ir_operand *o) {
  if (o->kind == IR_CONST) return o->bits ? 64 - (unsigned)__builtin_clzll(o->bits) : 0;
  const struct ir_insn *d = o->kind == IR_VALUE ? o->value->def : NULL;
  if (!d || d->guard) return 32;
  if (d->op == IR_AND && d->src[1].kind == IR_CONST && fold_bits(d->type) == 32) return fold_known_bits(&d->src[1]);
  if (d->op == IR_SHR && d->type != PTX_S32 && fold_bits(d->type) == 32 && d->src[1].kind == IR_CONST &&
      d->src[1].bits < 32)
    return 32 - (unsigned)d->src[1].bits;
  if (d->op == IR_CVT && fold_bits(d->type) == 32 && fold_integer(d->type2) && !fold_signed(d->type2) &&
      fold_bits(d->type2) < 32)
    return fold_bits(d->type2);
  if (d->op == IR_LD && fold_integer(d->type) && !fold_signed(d->type) && fold_bits(d->type) < 32)
    return fold_bits(d->type);
  if (d->op == IR_POPC || d->op == IR_CLZ) return 7;
  return 32;
}

static bool fold_conversion(struct fold *c, struct ir_insn *i) {
  if (!is_conversion(i)) return false;
  unsigned to = fold_bits(i->type), from = fold_bits(i->type2);
  /* Upper bits of narrow numbers are undefined: the word as it is will do. */
  if (to == from || (to < from && from <= 32)) return fold_equal(c, i, i->src[0]);
  if (to < 32 && from < to)
    return make_conversion(c, i, fold_signed(i->type2) ? PTX_S32 : PTX_U32, i->type2, i->src[0]);
  const struct ir_insn *d = fold_from(&i->src[0], IR_CVT, PTX_NO_TYPE);
  if (is_conversion(d) && from == 64 && to <= 32 && fold_bits(d->type) == 64 && fold_bits(d->type2) < 64)
    return narrow_wide(c, i, d);
  const struct ir_insn *load = fold_from(&i->src[0], IR_LD, (enum ptx_type)i->type2); /* extends as its type says */
  if (from < 32 && to == 32 && fold_signed(i->type2) && load && load->dsts == 1) return fold_equal(c, i, i->src[0]);
  if (from < 32 && to == 32 && !fold_signed(i->type2) && i->src[0].kind == IR_VALUE &&
      fold_known_bits(&i->src[0]) <= from)
    return fold_equal(c, i, i->src[0]);
  /* What is not negative is extended with zeros: that takes no instruction. */
  if (to == 64 && from == 32 && fold_signed(i->type2) && fold_known_bits(&i->src[0]) < 32)
    return make_conversion(c, i, PTX_U64, PTX_U32, i->src[0]);
  if (from == 64 && to <= 32) {
    const struct ir_insn *p = fold_from(&i->src[0], IR_PACK, PTX_B64);
    if (p && p->sources == 2) return fold_equal(c, i, p->src[0]);
  }
  return false;
}

/* A factor of a widening product: an extended word, or a constant that is one. */
static bool factor(const struct ir_operand *o, bool is_signed, struct ir_operand *word) {
  const struct ir_insn *d = extension(o);
  if (o->kind == IR_CONST) {
    *word = ir_bits(o->bits & UINT32_MAX);
    return o->bits == (is_signed ? fold_extend(o->bits, 32) : o->bits & UINT32_MAX);
  }
  if (!d || fold_signed(d->type2) != is_signed) return false;
  *word = d->src[0];
  return true;
}

static bool widen_product(struct fold *c, struct ir_insn *i) {
  const struct ir_insn *d = extension(&i->src[0]);
  if (!d || fold_bits(i->type) != 64) return false;
  bool s = fold_signed(d->type2);
  struct ir_operand a = d->src[0], b;
  enum ptx_type t = s ? PTX_S32 : PTX_U32;
  if (i->op == IR_SHL) {
    if (i->src[1].kind != IR_CONST || i->src[1].bits > (s ? 30 : 31)) return false;
    return fold_become(c, i, IR_MULWIDE, t, 2, a, ir_bits(UINT64_C(1) << i->src[1].bits), fold_none());
  }
  if (!factor(&i->src[1], s, &b)) return false;
  if (i->op == IR_MUL) return fold_become(c, i, IR_MULWIDE, t, 2, a, b, fold_none());
  return !i->arithmetic.sat && fold_become(c, i, IR_MADWIDE, t, 3, a, b, i->src[2]);
}

static struct ir_operand low_word(struct fold *c, struct ir_insn *i, struct ir_operand o) {
  if (o.kind == IR_CONST) return ir_bits(o.bits & UINT32_MAX);
  struct ir_operand r = fold_before(c, i, IR_CVT, PTX_U32, IR_32, 1, o, fold_none(), fold_none());
  r.value->def->type2 = PTX_U64;
  return r;
}

/* x & m, (x << k) & m, where m keeps no more than the low word of x: some bits of that word, extended with zeros, times
 * 2^k. Compilers write so what C calls (unsigned)x. */
static bool mask_low_word(struct fold *c, struct ir_insn *i) {
  if (fold_bits(i->type) != 64 || i->src[0].kind != IR_VALUE || i->src[1].kind != IR_CONST) return false;
  const struct ir_insn *d = fold_from(&i->src[0], IR_SHL, PTX_NO_TYPE);
  const bool shifted = d && d->src[1].kind == IR_CONST && d->src[1].bits < 32 && i->src[1].bits > UINT32_MAX;
  const uint64_t k = shifted ? d->src[1].bits : 0, keeps = i->src[1].bits >> k;
  if (keeps > UINT32_MAX) return false;
  struct ir_operand low = low_word(c, i, shifted ? d->src[0] : i->src[0]);
  if (keeps != UINT32_MAX) low = fold_before(c, i, IR_AND, PTX_B32, IR_32, 2, low, ir_bits(keeps), fold_none());
  if (k > 0) return fold_become(c, i, IR_MULWIDE, PTX_U32, 2, low, ir_bits(UINT64_C(1) << k), fold_none());
  return make_conversion(c, i, PTX_U64, PTX_U32, low);
}

/* An extended word, shifted to the right: the word is shifted, and extended as before. */
static bool shift_extended(struct fold *c, struct ir_insn *i) {
  const struct ir_insn *d = extension(&i->src[0]);
  if (!d || fold_bits(i->type) != 64 || i->src[1].kind != IR_CONST) return false;
  const bool s = fold_signed(d->type2);
  if (s && !fold_signed(i->type)) return false;
  const uint64_t k = i->src[1].bits < 32 ? i->src[1].bits : s ? 31 : 32;
  if (k == 32) return fold_equal(c, i, ir_bits(0));
  const enum ptx_type t = s ? PTX_S32 : PTX_U32;
  struct ir_operand word = fold_before(c, i, IR_SHR, t, IR_32, 2, d->src[0], ir_bits(k), fold_none());
  return make_conversion(c, i, s ? PTX_S64 : PTX_U64, t, word);
}

/* A 64-bit sum with a widening product, or with an extended word (times one). Sums with constants are offsets. */
static bool add_wide(struct fold *c, struct ir_insn *i) {
  if (fold_bits(i->type) != 64 || !fold_integer(i->type) || i->src[1].kind == IR_CONST) return false;
  for (unsigned k = 0; k < 2; k++) {
    const struct ir_insn *d = fold_from(&i->src[k], IR_MULWIDE, PTX_NO_TYPE);
    if (d && fold_bits(d->type) == 32)
      return fold_become(c, i, IR_MADWIDE, (enum ptx_type)d->type, 3, d->src[0], d->src[1], i->src[1 - k]);
  }
  for (unsigned k = 0; k < 2; k++) {
    const struct ir_insn *d = extension(&i->src[k]);
    if (d)
      return fold_become(c, i, IR_MADWIDE, fold_signed(d->type2) ? PTX_S32 : PTX_U32, 3, d->src[0], ir_bits(1),
                         i->src[1 - k]);
  }
  return false;
}

static bool fold_mulwide(struct fold *c, struct ir_insn *i) {
  if (fold_bits(i->type) != 32 || i->src[1].kind != IR_CONST) return false;
  if (i->src[1].bits == 0) return fold_equal(c, i, i->op == IR_MULWIDE ? ir_bits(0) : i->src[2]);
  if (i->op == IR_MADWIDE)
    return fold_is(&i->src[2], 0) &&
           fold_become(c, i, IR_MULWIDE, (enum ptx_type)i->type, 2, i->src[0], i->src[1], fold_none());
  return i->src[1].bits == 1 && make_conversion(c, i, fold_signed(i->type) ? PTX_S64 : PTX_U64, i->type, i->src[0]);
}

/* Taking apart what was put together, and the other way. */
static bool fold_pack(struct fold *c, struct ir_insn *i) {
  if (i->op == IR_UNPACK && i->dsts == 2) {
    const struct ir_insn *p = fold_from(&i->src[0], IR_PACK, (enum ptx_type)i->type);
    if (!p || p->sources != 2 || !fold_alias(c, i->dst[1], p->src[1])) return false;
    i->dsts = 1;
    return fold_equal(c, i, p->src[0]);
  }
  if (i->op != IR_PACK || i->sources != 2 || i->src[0].kind != IR_VALUE || i->src[1].kind != IR_VALUE) return false;
  const struct ir_insn *u = i->src[0].value->def;
  if (!u || u->op != IR_UNPACK || u->guard || u->dsts != 2 || u->type != i->type) return false;
  if (u->dst[0] != i->src[0].value || u->dst[1] != i->src[1].value) return false;
  return fold_equal(c, i, u->src[0]);
}

bool fold_wide(struct fold *c, struct ir_insn *i) {
  switch (i->op) {
  case IR_CVT:
    return fold_conversion(c, i);
  case IR_MUL:
  case IR_MAD:
  case IR_SHL:
    return fold_integer(i->type) && widen_product(c, i);
  case IR_SHR:
    return fold_integer(i->type) && shift_extended(c, i);
  case IR_AND:
    return mask_low_word(c, i);
  case IR_ADD:
    return !i->arithmetic.sat && add_wide(c, i);
  case IR_MULWIDE:
  case IR_MADWIDE:
    return fold_mulwide(c, i);
  case IR_PACK:
  case IR_UNPACK:
    return fold_pack(c, i);
  default:
    return false;
  }
}

/* Addresses: constants move into the offsets of loads and stores, variables of known place become constants, and
 * generic addresses that were made from a known space are that space's again.
 *
 * An access through a generic pointer stays inside the object that the pointer was made from, as PTX demands: adding to
 * a pointer does not change its space. */

/* Does the machine's word hold it? */
static bool offset_fits(const struct ir_insn *i, int64_t x) {
  const bool constant = i->memory.space == PTX_CONST || i->memory.space == PTX_PARAM;
  return heddle_isa_field_fits(constant ? ISA_F_COFF16 : ISA_F_OFF24, x);
}

enum { GLOBALS_DEPTH = 4 }; /* additions looked through */

static bool is_short(unsigned space) {
  return space == PTX_SHARED || space == PTX_LOCAL;
}

static bool take_offset(struct ir_insn *i) {
  const struct ir_insn *d = fold_from(&i->src[0], IR_ADD, PTX_NO_TYPE);
  if (!d || d->arithmetic.sat || !fold_integer(d->type) || d->src[1].kind != IR_CONST) return false;
  bool wide = i->src[0].value->class == IR_64;
  int64_t more = wide ? (int64_t)d->src[1].bits : (int32_t)d->src[1].bits, sum;
  if (__builtin_add_overflow(i->memory.offset, more, &sum) || !offset_fits(i, sum)) return false;
  i->src[0] = d->src[0];
  i->memory.offset = sum;
  return true;
}

static bool is_word(const struct ir_insn *i) {
  return fold_integer(i->type) && fold_bits(i->type) == 32;
}

/* (x + n) * k, perhaps with a base, as an address of 32 bits: x * k, and n * k moves into the offset. */
static bool take_scaled(struct fold *c, struct ir_insn *i) {
  if (i->src[0].kind != IR_VALUE || i->src[0].value->class != IR_32 || !fold_once(c, &i->src[0])) return false;
  const struct ir_insn *d = fold_from(&i->src[0], IR_MUL, PTX_NO_TYPE);
  if (!d) d = fold_from(&i->src[0], IR_MAD, PTX_NO_TYPE);
  if (!d || d->arithmetic.sat || !is_word(d) || d->src[1].kind != IR_CONST) return false;
  const struct ir_insn *x = fold_from(&d->src[0], IR_ADD, PTX_NO_TYPE);
  if (!x || x->arithmetic.sat || !is_word(x) || x->src[1].kind != IR_CONST) return false;
  const uint32_t more = (uint32_t)x->src[1].bits * (uint32_t)d->src[1].bits;
  int64_t sum;
  if (__builtin_add_overflow(i->memory.offset, (int32_t)more, &sum) || !offset_fits(i, sum)) return false;
  i->src[0] = fold_before(c, i, (enum ir_op)d->op, (enum ptx_type)d->type, IR_32, d->sources, x->src[0], d->src[1],
                          d->sources == 3 ? d->src[2] : fold_none());
  i->memory.offset = sum;
  return true;
}

/* A pointer made by cvta from a space that has a window of its own. */
static const struct ir_insn *window(const struct ir_operand *o) {
  const struct ir_insn *d = fold_from(o, IR_GENERIC, PTX_NO_TYPE);
  return d && !d->memory.inverse && is_short(d->memory.space) ? d : NULL;
}

/* The address in its space of a generic pointer: made by cvta, perhaps with something added. */
static bool find_address(struct fold *c, struct ir_insn *i, struct ir_operand o, unsigned *space,
                         struct ir_operand *address) {
  const struct ir_insn *w = window(&o), *d;
  if (w) {
    *space = w->memory.space;
    *address = w->src[0];
    return true;
  }
  if ((d = fold_from(&o, IR_ADD, PTX_NO_TYPE)) != NULL && !d->arithmetic.sat) {
    for (unsigned k = 0; k < 2; k++) {
      if (!(w = window(&d->src[k]))) continue;
      struct ir_operand other = d->src[1 - k], base = w->src[0];
      *space = w->memory.space;
      *address = fold_before(c, i, IR_ADD, PTX_U32, IR_32, 2, base, low_word(c, i, other), fold_none());
      return true;
    }
  }
  if ((d = fold_from(&o, IR_MADWIDE, PTX_NO_TYPE)) != NULL && (w = window(&d->src[2])) != NULL) {
    *space = w->memory.space;
    *address = fold_before(c, i, IR_MAD, PTX_U32, IR_32, 3, d->src[0], d->src[1], w->src[0]);
    return true;
  }
  return false;
}

/* The address of a module's variable, perhaps with something added: generic ones are the same. */
static bool is_of_globals(const struct ir_operand *o, unsigned depth) {
  const struct ir_insn *d = fold_from(o, IR_SREG, PTX_NO_TYPE);
  if (d) return d->sreg == IR_GLOBALS;
  if (depth == 0) return false;
  if ((d = fold_from(o, IR_ADD, PTX_NO_TYPE)) != NULL)
    return !d->arithmetic.sat && (is_of_globals(&d->src[0], depth - 1) || is_of_globals(&d->src[1], depth - 1));
  d = fold_from(o, IR_MADWIDE, PTX_NO_TYPE);
  return d && is_of_globals(&d->src[2], depth - 1);
}

static bool leave_generic(struct fold *c, struct ir_insn *i) {
  unsigned space;
  struct ir_operand address;
  if (i->memory.space == PTX_GENERIC && is_of_globals(&i->src[0], GLOBALS_DEPTH)) {
    i->memory.space = PTX_GLOBAL;
    return true;
  }
  if (i->memory.space != PTX_GENERIC || !find_address(c, i, i->src[0], &space, &address)) return false;
  if (space == PTX_LOCAL && (i->op == IR_ATOM || i->op == IR_RED || i->op == IR_PREFETCH)) return false;
  i->memory.space = (uint8_t)space;
  i->src[0] = address;
  return true;
}

static bool fold_generic(struct fold *c, struct ir_insn *i) {
  unsigned space;
  struct ir_operand address;
  if (i->memory.space == PTX_GLOBAL)
    return fold_equal(c, i, i->src[0]); /* the window of global addresses is all of them */
  if (!i->memory.inverse || !is_short(i->memory.space) || !find_address(c, i, i->src[0], &space, &address) ||
      space != i->memory.space)
    return false;
  return fold_equal(c, i, address);
}

static bool fold_place(struct fold *c, struct ir_insn *i) {
  const struct ptx_variable *v = i->place.variable;
  if (v->space != PTX_SHARED && v->space != PTX_LOCAL && v->space != PTX_CONST) return false;
  uint64_t at = ir_variable_offset(c->f, v) + (uint64_t)i->place.at;
  return fold_equal(c, i, ir_bits(i->dst[0]->class == IR_64 ? at : at & UINT32_MAX));
}

bool fold_address(struct fold *c, struct ir_insn *i) {
  switch (i->op) {
  case IR_LD:
  case IR_ST:
  case IR_ATOM:
  case IR_RED:
  case IR_PREFETCH:
  case IR_ASYNC_COPY:
    return take_offset(i) || take_scaled(c, i) || leave_generic(c, i);
  case IR_GENERIC:
    return !i->guard && fold_generic(c, i);
  case IR_ADDRESS:
    return !i->guard && fold_place(c, i);
  default:
    return false;
  }
}
