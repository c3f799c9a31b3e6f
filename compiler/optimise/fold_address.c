/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses: constants move into the offsets of loads and stores, variables of known place become constants, and
 * generic addresses that were made from a known space are that space's again.
 *
 * An access through a generic pointer stays inside the object that the pointer was made from, as PTX demands: adding to
 * a pointer does not change its space.
 */
#include <heddle/isa_tables.h>
#include "compiler/optimise/fold.h"

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

static struct ir_operand low_word(struct fold *c, struct ir_insn *i, struct ir_operand o) {
  if (o.kind == IR_CONST) return ir_bits(o.bits & UINT32_MAX);
  struct ir_operand r = fold_before(c, i, IR_CVT, PTX_U32, IR_32, 1, o, fold_none(), fold_none());
  r.value->def->type2 = PTX_U64;
  return r;
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
