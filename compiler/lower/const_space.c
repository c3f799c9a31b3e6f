/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads from .const through an address that the host gave. OpenCL C has kernels take `__constant` pointers; clang loads
 * through them with ld.const, and the driver passes buffers in global memory: such a load is a global one. Which it is
 * follows from what the address was computed of. One that was loaded, or handed to a function that is not inlined, is
 * the host's in a module that has no .const variables, and is asked at run time where it has. Needs SSA form as
 * lowering's addresses look there: the 64-bit address cut to 32 bits.
 */
#include <heddle/program.h>
#include "compiler/graph/pass.h"

/* What a value may have been computed of, the strongest kind of each way to it. */
enum kind { OF_NUMBERS, OF_ELSEWHERE, OF_PARAMETER, OF_VARIABLE, KINDS };

struct origins {
  struct ir_function *f;
  uint8_t *kinds; /* by value id: bits 1 << enum kind */
};

static unsigned kinds_of(const struct origins *o, const struct ir_operand *x) {
  return x->kind == IR_VALUE ? o->kinds[x->value->id] : 1u << OF_NUMBERS;
}

/* A pointer and a number make a pointer: of one kind of each operand the stronger. */
static unsigned combined(unsigned a, unsigned b) {
  unsigned all = 0;
  for (unsigned x = 0; x < KINDS; x++)
    for (unsigned y = 0; y < KINDS; y++)
      if (a >> x & 1 && b >> y & 1) all |= 1u << (x > y ? x : y);
  return all;
}

static bool is_merge(const struct ir_insn *i) {
  return i->op == IR_PHI || i->op == IR_SELP;
}

static unsigned result_kinds(const struct origins *o, struct ir_insn *i) {
  if (i->op == IR_PARAM) return 1u << (ir_class_of((enum ptx_type)i->type) == IR_64 ? OF_PARAMETER : OF_NUMBERS);
  if (i->op == IR_ADDRESS)
    return 1u << (i->place.variable && i->place.variable->space == PTX_CONST ? OF_VARIABLE : OF_NUMBERS);
  if (i->op == IR_SREG && i->sreg == IR_GLOBALS) return 1u << OF_PARAMETER; /* global memory as well */
  if (i->op == IR_LD || i->op == IR_ATOM || i->op == IR_CALL || i->op == IR_ARGUMENT) return 1u << OF_ELSEWHERE;
  const struct ir_operand *s = pass_sources(i);
  unsigned all = is_merge(i) ? 0 : 1u << OF_NUMBERS;
  const unsigned values = i->op == IR_SELP ? 2 : i->sources;
  for (unsigned k = 0; k < values; k++)
    all = is_merge(i) ? all | kinds_of(o, &s[k]) : combined(all, kinds_of(o, &s[k]));
  return all;
}

static bool note_kinds(struct origins *o, struct ir_insn *i) {
  const unsigned all = result_kinds(o, i);
  bool more = false;
  for (unsigned k = 0; k < i->dsts; k++) {
    if (!i->dst[k]) continue;
    uint8_t *at = &o->kinds[i->dst[k]->id];
    const unsigned now = *at | all | (i->guard ? kinds_of(o, &i->old[k]) : 0);
    more = more || now != *at;
    *at = (uint8_t)now;
  }
  return more;
}

static void find_kinds(struct origins *o) {
  bool again = true;
  while (again) { /* at most as often as there are kinds round each cycle of phis */
    again = false;
    for (struct ir_block *b = o->f->first; b; b = b->next)
      for (struct ir_insn *i = b->first; i; i = i->next) again = note_kinds(o, i) || again;
  }
}

/* The 64-bit address of a load from .const; NULL: it has none. */
static struct ir_operand *whole_address(const struct ir_insn *i) {
  if (i->op != IR_LD || i->memory.space != PTX_CONST || i->src[0].kind != IR_VALUE) return NULL;
  struct ir_insn *cut = i->src[0].value->def;
  const bool right = cut && cut->op == IR_CVT && cut->type == PTX_U32 && cut->type2 == PTX_U64 && !cut->guard;
  return right ? &cut->src[0] : NULL;
}

/* ---- known at run time alone: buffers lie above the first 64 KiB of global memory, the bank below ---- */

enum { BANK = HEDDLE_CONST_MAX };

static struct ir_value *predicate(struct ir_function *f, struct ir_insn *at, enum ir_op op, struct ir_operand a,
                                  struct ir_operand b) {
  struct ir_insn *i = ir_insn_new(f, op, op == IR_SETP ? PTX_U64 : PTX_PRED, at->pos);
  if (op == IR_SETP) i->comparison.cmp = IR_LT;
  i->src[i->sources++] = a;
  if (b.kind != IR_NONE) i->src[i->sources++] = b;
  i->dst[i->dsts++] = ir_value_new(f, IR_PRED);
  i->dst[0]->def = i;
  ir_insert_before(at, i);
  return i->dst[0];
}

/* Two loads, one for each place; the second keeps what the first found. */
static void both_ways(struct ir_function *f, struct ir_insn *i, const struct ir_operand *address) {
  const struct ir_operand none = {.kind = IR_NONE};
  struct ir_value *guard = i->guard, *low = predicate(f, i, IR_SETP, *address, ir_bits(BANK));
  struct ir_value *high = predicate(f, i, IR_NOT, ir_use(low), none);
  if (guard && i->guard_invert) guard = predicate(f, i, IR_NOT, ir_use(guard), none);
  if (guard) low = predicate(f, i, IR_AND, ir_use(guard), ir_use(low));
  if (guard) high = predicate(f, i, IR_AND, ir_use(guard), ir_use(high));
  struct ir_insn *own = ir_insn_new(f, IR_LD, (enum ptx_type)i->type, i->pos);
  *own = *i;
  own->block = NULL;
  own->prev = own->next = NULL;
  for (unsigned k = 0; k < i->dsts; k++) {
    own->dst[k] = ir_value_new(f, i->dst[k]->class);
    own->dst[k]->def = own;
    if (!guard) own->old[k] = ir_bits(0);
    i->old[k] = ir_use(own->dst[k]);
  }
  own->guard = low;
  i->guard = high;
  own->guard_invert = i->guard_invert = false;
  ir_insert_before(i, own);
  i->memory.space = PTX_GLOBAL;
  i->src[0] = *address;
}

static void decide(const struct origins *o, struct ir_insn *i, const struct ir_operand *address, bool has_variables) {
  unsigned kinds = kinds_of(o, address);
  if (kinds & 1u << OF_ELSEWHERE) kinds |= 1u << OF_PARAMETER | (unsigned)has_variables << OF_VARIABLE;
  if (!(kinds & 1u << OF_PARAMETER)) return;
  if (kinds & 1u << OF_VARIABLE) {
    both_ways(o->f, i, address);
    return;
  }
  i->memory.space = PTX_GLOBAL;
  i->src[0] = *address;
}

void ir_const_space(struct ir_function *f, bool has_variables) {
  struct origins o = {.f = f};
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) {
      const struct ir_operand *address = whole_address(i);
      if (!address) continue;
      if (!o.kinds) {
        o.kinds = ptx_alloc(f->arena, f->values + 1);
        find_kinds(&o);
      }
      decide(&o, i, address, has_variables);
    }
}
