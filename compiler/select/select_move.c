/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations that move bits about, and special registers.
 */
#include <heddle/program.h>
#include "compiler/select/select.h"

/* Special registers. Sizes of block and grid are words of constant bank 0 (isa/doc/06-abi.md). */

/* Where one comes from. */
enum source { NOWHERE, BANK_WORD, SPECIAL, CLOCK, CLOCK_PAIR, BANK_PAIR };

/* a row a line */
/* clang-format off */
static const struct {
  uint8_t is;   /* enum source */
  uint8_t what; /* offset in bank 0, or special register */
  const char *name;
} sources[] = {
    [IR_TID_X] = {SPECIAL, ISA_SREG_SR_TID_X, ""},
    [IR_TID_Y] = {SPECIAL, ISA_SREG_SR_TID_Y, ""},
    [IR_TID_Z] = {SPECIAL, ISA_SREG_SR_TID_Z, ""},
    [IR_NTID_X] = {BANK_WORD, HEDDLE_BANK0_NTID_X, ""},
    [IR_NTID_Y] = {BANK_WORD, HEDDLE_BANK0_NTID_Y, ""},
    [IR_NTID_Z] = {BANK_WORD, HEDDLE_BANK0_NTID_Z, ""},
    [IR_CTAID_X] = {SPECIAL, ISA_SREG_SR_CTAID_X, ""},
    [IR_CTAID_Y] = {SPECIAL, ISA_SREG_SR_CTAID_Y, ""},
    [IR_CTAID_Z] = {SPECIAL, ISA_SREG_SR_CTAID_Z, ""},
    [IR_NCTAID_X] = {BANK_WORD, HEDDLE_BANK0_NCTAID_X, ""},
    [IR_NCTAID_Y] = {BANK_WORD, HEDDLE_BANK0_NCTAID_Y, ""},
    [IR_NCTAID_Z] = {BANK_WORD, HEDDLE_BANK0_NCTAID_Z, ""},
    [IR_LANEID] = {SPECIAL, ISA_SREG_SR_LANEID, ""},
    [IR_WARPID] = {SPECIAL, ISA_SREG_SR_WARPID, ""},
    [IR_NWARPID] = {SPECIAL, ISA_SREG_SR_NWARPID, ""},
    [IR_SMID] = {SPECIAL, ISA_SREG_SR_SMID, ""},
    [IR_NSMID] = {SPECIAL, ISA_SREG_SR_NSMID, ""},
    [IR_GRIDID] = {NOWHERE, 0, "%gridid"},
    [IR_LANEMASK_EQ] = {SPECIAL, ISA_SREG_SR_EQMASK, ""},
    [IR_LANEMASK_LT] = {SPECIAL, ISA_SREG_SR_LTMASK, ""},
    [IR_LANEMASK_LE] = {SPECIAL, ISA_SREG_SR_LEMASK, ""},
    [IR_LANEMASK_GT] = {SPECIAL, ISA_SREG_SR_GTMASK, ""},
    [IR_LANEMASK_GE] = {SPECIAL, ISA_SREG_SR_GEMASK, ""},
    [IR_CLOCK] = {CLOCK, ISA_SREG_SR_CLOCKLO, ""},
    [IR_CLOCK64] = {CLOCK_PAIR, ISA_SREG2_SR_CLOCKLO, ""},
    [IR_SHARED_BYTES] = {BANK_WORD, HEDDLE_BANK0_SHARED, ""},
    [IR_GLOBALS] = {BANK_PAIR, HEDDLE_BANK0_GLOBALS, ""},
    [IR_ENVREG_0] = {BANK_WORD, HEDDLE_BANK0_ENVIRONMENT(0), ""},
    [IR_ENVREG_1] = {BANK_WORD, HEDDLE_BANK0_ENVIRONMENT(1), ""},
    [IR_ENVREG_2] = {BANK_WORD, HEDDLE_BANK0_ENVIRONMENT(2), ""},
    [IR_ENVREG_3] = {BANK_WORD, HEDDLE_BANK0_ENVIRONMENT(3), ""},
};
/* clang-format on */

void select_sreg(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (i->sreg == IR_STACK) {
    if (!sel_is(s, 0, s->m.f->frame->stack)) sel_mov(s, sel_dst(s, 0), s->m.f->frame->stack);
    return;
  }
  bool known = i->sreg < sizeof sources / sizeof sources[0];
  unsigned is = known ? sources[i->sreg].is : NOWHERE;
  if (is == NOWHERE || sel_is_64(i->type) != (is == CLOCK_PAIR || is == BANK_PAIR)) {
    sel_refuse(s, "%s is not supported", known && is == NOWHERE ? sources[i->sreg].name : "this special register");
    return;
  }
  if (is == BANK_WORD || is == BANK_PAIR) {
    sel_give_bank(s, sources[i->sreg].what, is == BANK_PAIR ? 2 : 1);
    return;
  }
  struct mir_insn *m =
      sel_add(s, is == CLOCK_PAIR ? ISA_OP_CS2R : ISA_OP_S2R, sel_dst_pair(s, 0), mir_none(), mir_none(), mir_none());
  mir_set(m, is == CLOCK_PAIR ? ISA_F_SREG2 : ISA_F_SREG, sources[i->sreg].what);
  m->ordered = is == CLOCK || is == CLOCK_PAIR;
}

/* Operations that move bits about: copies, addresses, parameters, packing. Most of them come to nothing. */

/* Destination k from now on is what the operand is, if both are for ever. */
static bool stand_for(struct select *s, unsigned k, struct ir_operand o) {
  bool wide = s->insn->dst[k]->class == IR_64;
  if (!sel_may_stand(s, k) || !sel_lasts(s, &o)) return false;
  if (s->insn->dst[k]->class == IR_PRED) return sel_is(s, k, sel_predicate(s, o));
  struct mir_operand lo = sel_low(s, o);
  if (!wide) return sel_is(s, k, lo);
  if (o.kind == IR_VALUE) {
    const struct sel_value *v = sel_value(s, o.value);
    if (v->whole.kind == MIR_REG || v->whole.kind == MIR_CONST || v->whole.kind == MIR_ZERO)
      return sel_is(s, k, v->whole);
  }
  return sel_is_words(s, k, lo, sel_narrow(s, k) ? mir_zero() : sel_high(s, o));
}

static void copy_operand(struct select *s, unsigned k, struct ir_operand o) {
  if (stand_for(s, k, o)) return;
  if (s->insn->dst[k]->class == IR_PRED) {
    struct mir_operand p = sel_predicate(s, o);
    sel_plop3(s, sel_dst(s, k), p, mir_none(), mir_none(), 0xf0);
    return;
  }
  struct mir_operand d = sel_dst(s, k);
  for (unsigned w = 0; w < d.words; w++) sel_mov(s, mir_word(d, w), sel_word(s, o, w));
}

void select_copy(struct select *s) {
  copy_operand(s, 0, s->insn->src[0]);
}

/* Anything will do, but the model of the machine tells on those that read what nobody wrote. */
void select_undef(struct select *s) {
  if (!sel_is(s, 0, mir_zero())) copy_operand(s, 0, ir_bits(0));
}

/* Destination k is the words lo, hi: whatever they are made of lasts. */
static void give_words(struct select *s, unsigned k, struct mir_operand lo, struct mir_operand hi) {
  if (sel_is_words(s, k, lo, hi)) return;
  struct mir_operand d = sel_dst(s, k);
  sel_mov(s, mir_word(d, 0), lo);
  if (d.words == 2) sel_mov(s, mir_word(d, 1), hi);
}

void select_address(struct select *s) {
  const struct ir_insn *i = s->insn;
  enum ptx_space space = i->place.variable->space;
  if (space != PTX_SHARED && space != PTX_LOCAL && space != PTX_CONST && space != PTX_PARAM) {
    sel_refuse(s, "the address of '%s' in the .%s space", i->place.variable->name, ptx_space_word(space));
    return;
  }
  struct mir_operand at = sel_imm(ir_variable_offset(s->ir, i->place.variable) + (uint32_t)i->place.at);
  if (sel_is_64(i->type))
    give_words(s, 0, at, mir_zero());
  else if (!sel_is(s, 0, at))
    sel_mov(s, sel_dst(s, 0), at);
}

bool sel_wants_pair(struct select *s, const struct ir_value *x) {
  const struct sel_value *v = sel_value(s, x);
  return (v->wants & SEL_PAIR) && v->uses > 1;
}

void sel_give_bank(struct select *s, uint32_t offset, unsigned words) {
  struct mir_operand x = mir_const(0, offset, words);
  const bool pairs = words == 2 && sel_wants_pair(s, s->insn->dst[0]);
  if (pairs || !sel_is(s, 0, x)) sel_mov(s, sel_dst(s, 0), x);
}

static void small_parameter(struct select *s, uint32_t offset) {
  unsigned size = s->insn->type == PTX_S8 ? ISA_SIZE_S8 : s->insn->type == PTX_S16 ? ISA_SIZE_S16 : ISA_SIZE_U16;
  if (ptx_type_bytes((enum ptx_type)s->insn->type) == 1 && size == ISA_SIZE_U16) size = ISA_SIZE_U8;
  struct mir_insn *m = sel_add(s, ISA_OP_LDC, sel_dst(s, 0), mir_zero(), mir_none(), mir_none());
  mir_set(m, ISA_F_SIZE, size);
  mir_set(m, ISA_F_CBANK, 0);
  mir_set(m, ISA_F_COFF16, offset);
}

void select_param(struct select *s) {
  const struct ir_insn *i = s->insn;
  unsigned bytes = ptx_type_bytes((enum ptx_type)i->type);
  uint32_t offset = HEDDLE_BANK0_PARAMS + (uint32_t)i->place.at;
  if (i->place.at < 0 || i->place.at > 0x7000 || i->place.at % bytes ||
      !heddle_isa_field_fits(bytes < 4 ? ISA_F_COFF16 : ISA_F_COFF, (int64_t)offset + bytes - 1)) {
    sel_refuse(s, "byte %lld of the parameters", (long long)i->place.at);
    return;
  }
  if (bytes < 4) {
    small_parameter(s, offset);
    return;
  }
  sel_give_bank(s, offset, bytes / 4);
}

static void prmt(struct select *s, struct mir_operand rd, struct mir_operand a, uint32_t selector,
                 struct mir_operand b) {
  sel_op(s, ISA_OP_PRMT, rd, a, sel_imm(selector), b);
}

void select_pack(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (!sel_is_64(i->type)) {
    struct mir_operand lo = sel_low(s, i->src[0]), hi = sel_low(s, i->src[1]);
    prmt(s, sel_dst(s, 0), lo, 0x5410, hi);
    return;
  }
  struct mir_operand lo = sel_low(s, i->src[0]), hi = sel_narrow(s, 0) ? mir_zero() : sel_low(s, i->src[1]);
  if (sel_lasts(s, &i->src[0]) && sel_lasts(s, &i->src[1])) {
    give_words(s, 0, lo, hi);
    return;
  }
  struct mir_operand d = sel_dst(s, 0);
  sel_mov(s, mir_word(d, 0), lo);
  if (d.words == 2) sel_mov(s, mir_word(d, 1), hi);
}

static void unpack_halves(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (sel_value(s, i->dst[0])->uses) copy_operand(s, 0, i->src[0]);
  if (i->dsts < 2 || !sel_value(s, i->dst[1])->uses) return;
  struct mir_operand x = sel_low(s, i->src[0]);
  (void)sel_shf(s, sel_dst(s, 1), mir_zero(), mir_imm(16), x, true, ISA_SHTYPE_U32, true);
}

void select_unpack(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (!sel_is_64(i->type)) {
    unpack_halves(s);
    return;
  }
  for (unsigned k = 0; k < i->dsts && k < 2; k++) {
    if (!sel_value(s, i->dst[k])->uses) continue;
    struct mir_operand x = sel_word(s, i->src[0], k);
    if (!sel_lasts(s, &i->src[0]) || !sel_is(s, k, x)) sel_mov(s, sel_dst(s, k), x);
  }
}

/* Bits 63:56 of a generic address name the space (isa/doc/04-memory.md). */
static bool space_number(unsigned space, uint32_t *n) {
  *n = space == PTX_GLOBAL ? 0 : space == PTX_SHARED ? 1 : 2;
  return space == PTX_GLOBAL || space == PTX_SHARED || space == PTX_LOCAL;
}

void select_generic(struct select *s) {
  const struct ir_insn *i = s->insn;
  uint32_t number;
  if (!space_number(i->memory.space, &number)) {
    sel_refuse(s, "generic addresses of the .%s space", ptx_space_word((enum ptx_space)i->memory.space));
  } else if (number == 0) {
    copy_operand(s, 0, i->src[0]);
  } else if (i->memory.inverse) {
    struct mir_operand x = sel_low(s, i->src[0]);
    if (!sel_lasts(s, &i->src[0]) || !sel_is(s, 0, x)) sel_mov(s, sel_dst(s, 0), x);
  } else {
    struct mir_operand lo = sel_low(s, i->src[0]), hi = mir_imm(number << 24);
    if (sel_lasts(s, &i->src[0]) && sel_is_words(s, 0, lo, hi)) return;
    struct mir_operand d = sel_dst(s, 0);
    sel_mov(s, mir_word(d, 0), lo);
    if (d.words == 2) sel_mov(s, mir_word(d, 1), hi);
  }
}

void select_isspacep(struct select *s) {
  const struct ir_insn *i = s->insn;
  uint32_t number;
  if (!space_number(i->memory.space, &number)) {
    copy_operand(s, 0, ir_bits(0));
    return;
  }
  struct mir_operand t = sel_new(s, 1);
  (void)sel_shf(s, t, mir_zero(), mir_imm(24), sel_high(s, i->src[0]), true, ISA_SHTYPE_U32, true);
  struct mir_insn *m = sel_op(s, ISA_OP_ISETP, mir_none(), t, sel_imm(number), mir_none());
  mir_set(m, ISA_F_ICMP, ISA_ICMP_EQ);
  sel_set_predicate(s, m, 0, sel_dst(s, 0));
}
