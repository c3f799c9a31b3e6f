/* SPDX-License-Identifier: Apache-2.0
 *
 * Where accesses lie, how their addresses are aligned, whether two may meet.
 */
#include <heddle/program.h>
#include "base/minmax.h"
#include "compiler/optimise/alias.h"

/* Of what power of two each value is a multiple. Values begin as multiples of everything and lose what an operand does
 * not give until nothing changes: what comes round a loop counts with what it had before. A parameter that points
 * somewhere is as aligned as its .align says, to which launches are held (heddle_host_check_address); nothing is known
 * of what memory, threads and the machine give. */

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

/* Where accesses lie and whether two may meet: by space, by bytes from the same base, and by what remains of the
 * addresses when they are divided by a power of two of which both bases are multiples (elements of records, wherever
 * their arrays lie). */

enum { MULTIPLE_MOST = 16 }; /* as a power of two: larger ones tell nothing that two bases in one space do not */

#define BIT(space) (1u << (space))

static bool points_at_local(const struct ir_insn *i) {
  return i->op == IR_GENERIC && !i->memory.inverse && i->memory.space == PTX_LOCAL;
}

struct alias alias_of(struct ir_function *f) {
  struct alias m = {.f = f, .local_escapes = f->framed, .values = f->values, .multiple = alias_multiples(f)};
  for (const struct ir_block *b = f->first; b; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next) m.local_escapes = m.local_escapes || points_at_local(i);
  return m;
}

static unsigned spaces_of(const struct alias *m, unsigned space) {
  if (space != PTX_GENERIC) return BIT(space);
  return BIT(PTX_GLOBAL) | BIT(PTX_SHARED) | (m->local_escapes ? BIT(PTX_LOCAL) : 0);
}

/* Copies looked through. */
static struct ir_operand source_of(struct ir_operand o) {
  while (o.kind == IR_VALUE && o.value->def && o.value->def->op == IR_COPY && !o.value->def->guard)
    o = o.value->def->src[0];
  return o;
}

struct alias_place alias_place(const struct alias *m, const struct ir_insn *i) {
  struct alias_place p = {.spaces = spaces_of(m, i->memory.space),
                          .base = source_of(i->src[0]),
                          .offset = i->memory.offset,
                          .bytes = alias_elements(i) * alias_element_bytes(i)};
  if (p.base.kind != IR_CONST) return p;
  p.offset = (int64_t)(p.base.bits + (uint64_t)p.offset);
  p.base.kind = IR_NONE;
  return p;
}

struct alias_place alias_element(const struct alias *m, const struct ir_insn *i, unsigned element) {
  struct alias_place p = alias_place(m, i);
  p.bytes = alias_element_bytes(i);
  p.offset += (int64_t)element * p.bytes;
  return p;
}

static bool same_base(const struct alias_place *a, const struct alias_place *b) {
  return a->base.kind == b->base.kind && (a->base.kind == IR_NONE || pass_same(&a->base, &b->base));
}

static bool disjoint(int64_t a, uint32_t a_bytes, int64_t b, uint32_t b_bytes) {
  return a + a_bytes <= b || b + b_bytes <= a;
}

static unsigned power_of(const struct alias *m, const struct alias_place *p) {
  if (p->base.kind != IR_VALUE) return MULTIPLE_MOST;
  return p->base.value->id < m->values ? m->multiple[p->base.value->id] : 0;
}

/* Both bases are multiples of one power of two, and the bytes lie apart between two multiples of it. */
static bool apart_by_rest(const struct alias *m, const struct alias_place *a, const struct alias_place *b) {
  unsigned power = MULTIPLE_MOST;
  if (power_of(m, a) < power) power = power_of(m, a);
  if (power_of(m, b) < power) power = power_of(m, b);
  const int64_t size = INT64_C(1) << power, x = a->offset & (size - 1), y = b->offset & (size - 1);
  return x + a->bytes <= size && y + b->bytes <= size && disjoint(x, a->bytes, y, b->bytes);
}

static bool alias_apart(const struct alias *m, const struct alias_place *a, const struct alias_place *b) {
  if ((a->spaces & b->spaces) == 0) return true;
  if (same_base(a, b) && a->spaces == b->spaces) return disjoint(a->offset, a->bytes, b->offset, b->bytes);
  return apart_by_rest(m, a, b);
}

bool alias_covers(const struct alias_place *outer, const struct alias_place *inner) {
  return outer->spaces == inner->spaces && same_base(outer, inner) && outer->offset <= inner->offset &&
         inner->offset + inner->bytes <= outer->offset + outer->bytes;
}

bool alias_is_plain(const struct ir_insn *i) {
  return (i->op == IR_LD || i->op == IR_ST) && !i->guard && !i->memory.is_volatile && i->memory.strength == IR_WEAK;
}

static bool is_store(const struct ir_insn *i) {
  return i->op == IR_ST && !i->memory.is_volatile && i->memory.strength == IR_WEAK;
}

/* What orders other threads' accesses, or does what is not known. */
static bool orders(const struct ir_insn *i) {
  if (!ir_has_effect(i) || i->op == IR_PREFETCH || is_store(i)) return false;
  return i->op < IR_BR || i->op > IR_TRAP; /* branches and ends are the graph's business */
}

static bool is_own(const struct alias_place *p) {
  return p->spaces == BIT(PTX_LOCAL);
}

static bool is_constant(const struct alias_place *p) {
  return (p->spaces & ~(BIT(PTX_CONST) | BIT(PTX_PARAM))) == 0;
}

bool alias_changes(const struct alias *m, const struct ir_insn *i, const struct alias_place *p) {
  if (is_constant(p)) return false;
  if (i->op == IR_ST) { /* a strong one orders what others may see, too */
    const struct alias_place q = alias_place(m, i);
    return !alias_apart(m, p, &q) || (orders(i) && !is_own(p));
  }
  return orders(i) && (!is_own(p) || i->op == IR_CALL);
}

bool alias_sees(const struct alias *m, const struct ir_insn *i, const struct alias_place *p) {
  if (i->op == IR_LD && (!orders(i) || is_own(p))) {
    const struct alias_place q = alias_place(m, i);
    return !alias_apart(m, p, &q);
  }
  if (i->op == IR_LDSM) return (p->spaces & BIT(PTX_SHARED)) != 0;
  return orders(i) && (!is_own(p) || i->op == IR_CALL);
}
