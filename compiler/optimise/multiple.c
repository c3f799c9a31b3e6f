/* SPDX-License-Identifier: Apache-2.0
 *
 * Of what power of two each value is a multiple. Values begin as multiples of everything and lose what an operand does
 * not give until nothing changes: what comes round a loop counts with what it had before. A parameter that points
 * somewhere is as aligned as its .align says, to which launches are held (heddle_host_check_address); nothing is known
 * of what memory, threads and the machine give.
 */
#include "base/minmax.h"
#include "compiler/optimise/alias.h"

#include <heddle/program.h>

enum { ALL = 64, STACK_POWER = 4, WINDOW_POWER = 24 };

static unsigned add_powers(unsigned a, unsigned b) {
  return min_u32(a + b, ALL);
}

static unsigned of_bits(uint64_t bits) {
  return bits ? (unsigned)__builtin_ctzll(bits) : ALL;
}

static unsigned of(const uint8_t *power, const struct ir_operand *o) {
  return o->kind == IR_VALUE ? power[o->value->id] : of_bits(o->bits);
}

uint32_t ir_promised_align(const struct ptx_variable *v) {
  if (v->bytes != 8 || v->ptr_align < HEDDLE_ALIGN_LEAST) return 0;
  return v->ptr_align < HEDDLE_ALIGN_MAX ? v->ptr_align : HEDDLE_ALIGN_MAX;
}

static unsigned of_parameter(const struct ir_function *f, int64_t at) {
  const struct ptx_variable *v = f->entry && f->source ? f->source->parameters : NULL;
  for (; v; v = v->next)
    if (ir_promised_align(v) && ir_variable_offset(f, v) == at) return of_bits(ir_promised_align(v));
  return 0;
}

static unsigned of_address(const struct ir_function *f, const struct ir_insn *i) {
  const struct ptx_variable *v = i->place.variable;
  if (!v || v->space == PTX_GLOBAL) return 0;
  return of_bits(ir_variable_offset(f, v) + (uint64_t)i->place.at);
}

static unsigned of_sreg(const struct ir_insn *i) {
  if (i->sreg == IR_STACK) return STACK_POWER;
  return i->sreg == IR_GLOBALS ? of_bits(HEDDLE_GLOBAL_ALIGN) : 0;
}

static unsigned of_shift(const uint8_t *power, const struct ir_insn *i) {
  const unsigned a = of(power, &i->src[0]);
  if (i->src[1].kind != IR_CONST) return i->op == IR_SHL ? a : 0;
  const unsigned by = (unsigned)(i->src[1].bits < ALL ? i->src[1].bits : ALL);
  if (i->op == IR_SHL) return add_powers(a, by);
  return a == ALL ? ALL : a > by ? a - by : 0;
}

/* Between integers: the low bits stay. */
static unsigned of_conversion(const uint8_t *power, const struct ir_insn *i) {
  switch (i->type2) {
  case PTX_U8:
  case PTX_S8:
  case PTX_U16:
  case PTX_S16:
  case PTX_U32:
  case PTX_S32:
  case PTX_U64:
  case PTX_S64:
    return i->arithmetic.sat ? 0 : of(power, &i->src[0]);
  default:
    return 0;
  }
}

static unsigned of_phi(const uint8_t *power, struct ir_insn *i) {
  unsigned least = ALL;
  for (unsigned k = 0; k < i->sources; k++) least = min_u32(least, of(power, &i->many[k]));
  return least;
}

static bool is_integer(const struct ir_insn *i) {
  return i->type >= PTX_B8 && i->type <= PTX_S64;
}

static unsigned of_integer(const uint8_t *power, struct ir_insn *i) {
  const struct ir_operand *s = i->src;
  switch (i->op) {
  case IR_ADD:
  case IR_SUB:
    return i->arithmetic.sat ? 0 : min_u32(of(power, &s[0]), of(power, &s[1]));
  case IR_OR:
  case IR_XOR:
    return min_u32(of(power, &s[0]), of(power, &s[1]));
  case IR_AND:
    return max_u32(of(power, &s[0]), of(power, &s[1]));
  case IR_MUL:
  case IR_MULWIDE:
    return add_powers(of(power, &s[0]), of(power, &s[1]));
  case IR_MAD:
  case IR_MADWIDE:
    return i->arithmetic.sat ? 0 : min_u32(add_powers(of(power, &s[0]), of(power, &s[1])), of(power, &s[2]));
  case IR_SHL:
  case IR_SHR:
    return of_shift(power, i);
  case IR_NEG:
    return of(power, &s[0]);
  case IR_CVT:
    return of_conversion(power, i);
  default:
    return 0;
  }
}

static unsigned of_result(const struct ir_function *f, const uint8_t *power, struct ir_insn *i) {
  const struct ir_operand *s = i->src;
  switch (i->op) {
  case IR_PHI:
    return of_phi(power, i);
  case IR_COPY:
    return of(power, &s[0]);
  case IR_SELP:
    return min_u32(of(power, &s[0]), of(power, &s[1]));
  case IR_GENERIC: /* windows are aligned to more than their addresses are */
    return min_u32(of(power, &s[0]), WINDOW_POWER);
  case IR_ADDRESS:
    return of_address(f, i);
  case IR_SREG:
    return of_sreg(i);
  case IR_PARAM:
    return i->type == PTX_U64 || i->type == PTX_B64 || i->type == PTX_S64 ? of_parameter(f, i->place.at) : 0;
  default:
    return is_integer(i) ? of_integer(power, i) : 0;
  }
}

static bool lower_powers(const struct ir_function *f, uint8_t *power, struct ir_insn *i) {
  bool less = false;
  for (unsigned k = 0; k < i->dsts; k++) {
    if (!i->dst[k]) continue;
    unsigned is = k == 0 ? of_result(f, power, i) : 0;
    if (i->guard) is = min_u32(is, of(power, &i->old[k]));
    if (is >= power[i->dst[k]->id]) continue;
    power[i->dst[k]->id] = (uint8_t)is;
    less = true;
  }
  return less;
}

uint8_t *alias_multiples(struct ir_function *f) {
  uint8_t *power = ptx_alloc(f->arena, (size_t)f->values + 1);
  for (uint32_t v = 0; v < f->values; v++) power[v] = ALL;
  for (bool again = true; again;) { /* a value loses at most 64 times */
    again = false;
    for (struct ir_block *b = f->first; b; b = b->next)
      for (struct ir_insn *i = b->first; i; i = i->next) again = lower_powers(f, power, i) || again;
  }
  return power;
}
