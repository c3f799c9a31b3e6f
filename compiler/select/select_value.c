/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the values of the graph are: registers, or what stands for them.
 */
#include "compiler/select/select.h"

struct mir_operand sel_imm(uint32_t v) {
  return v ? mir_imm(v) : mir_zero();
}

/* Does the operand have now the value that it had when `then` was executed? */
static bool unchanged(struct select *s, const struct ir_operand *o, const struct ir_insn *then, uint32_t number) {
  if (o->kind != IR_VALUE) return true;
  const struct sel_value *v = sel_value(s, o->value);
  return v->def || (then->block == s->at && v->written < number);
}

struct ir_insn *sel_from(struct select *s, const struct ir_operand *o) {
  if (o->kind != IR_VALUE) return NULL;
  const struct sel_value *v = sel_value(s, o->value);
  struct ir_insn *i = v->def ? v->def : v->latest;
  if (!i || i->guard || (!v->def && i->block != s->at)) return NULL;
  for (unsigned k = 0; k < i->sources; k++)
    if (!unchanged(s, &i->src[k], i, v->written)) return NULL;
  return i;
}

/* Not out of a loop: what is computed once there would be computed in every round here. */
struct ir_insn *sel_from_op(struct select *s, const struct ir_operand *o, enum ir_op op) {
  if (o->kind != IR_VALUE) return NULL;
  const struct sel_value *v = sel_value(s, o->value);
  const struct ir_insn *i = v->def ? v->def : v->latest;
  return i && i->op == op && i->block->loop_depth >= s->at->loop_depth ? sel_from(s, o) : NULL;
}

struct ir_insn *sel_from_once(struct select *s, const struct ir_operand *o, enum ir_op op) {
  return o->kind == IR_VALUE && sel_value(s, o->value)->uses == 1 ? sel_from_op(s, o, op) : NULL;
}

bool sel_lasts(struct select *s, const struct ir_operand *o) {
  return o->kind != IR_VALUE || sel_value(s, o->value)->def;
}

/* The value, in a register unless something stands for it. */
static struct sel_value *place_value(struct select *s, const struct ir_value *v) {
  struct sel_value *at = sel_value(s, v);
  if (at->known) return at;
  at->known = true;
  if (v->class == IR_PRED)
    at->whole = mir_new(s->m.f, MIR_P, 1);
  else
    at->whole = mir_new(s->m.f, MIR_R, v->class == IR_64 && !at->narrow ? 2 : 1);
  s->m.f->vreg[at->whole.reg].name = v->name;
  return at;
}

static struct sel_value *place_to_read(struct select *s, const struct ir_value *v) {
  struct sel_value *at = place_value(s, v);
  at->read = s->number;
  return at;
}

struct mir_operand sel_word(struct select *s, struct ir_operand o, unsigned word) {
  if (o.kind != IR_VALUE) return sel_imm((uint32_t)(o.bits >> (32 * word)));
  const struct sel_value *at = place_to_read(s, o.value);
  if (at->whole.kind == MIR_NONE) return at->word[word];
  if (at->whole.words == 2) return mir_word(at->whole, word);
  if (word == 0) return at->whole;
  if (at->whole.kind != MIR_ZERO) sel_refuse(s, "the upper word of a narrow value is read (an error of the compiler)");
  return mir_zero();
}

static bool is_plus_zero(struct mir_operand x) {
  return x.kind == MIR_ZERO && !x.neg;
}

struct mir_operand sel_pair(struct select *s, struct ir_operand o) {
  if (o.kind == IR_VALUE) {
    const struct sel_value *at = place_to_read(s, o.value);
    if (at->whole.kind == MIR_REG && at->whole.words == 2) return at->whole;
  }
  struct mir_operand lo = sel_low(s, o), hi = sel_high(s, o);
  return is_plus_zero(lo) && is_plus_zero(hi) ? mir_zero() : sel_join(s, lo, hi);
}

bool sel_is_pair(struct select *s, struct ir_operand o) {
  if (o.kind != IR_VALUE) return o.bits == 0;
  const struct sel_value *at = place_to_read(s, o.value);
  return at->whole.kind == MIR_REG && at->whole.words == 2;
}

void sel_touch(struct select *s) {
  for (unsigned k = 0; k < s->insn->sources; k++)
    if (s->insn->src[k].kind == IR_VALUE) sel_value(s, s->insn->src[k].value)->read = s->number;
}

bool sel_is_bank(struct select *s, struct ir_operand o) {
  if (o.kind != IR_VALUE) return false;
  const struct sel_value *at = place_to_read(s, o.value);
  return at->whole.kind == MIR_CONST && at->whole.words == 2 && at->whole.offset % 8 == 0;
}

struct mir_operand sel_wide(struct select *s, struct ir_operand o) {
  return sel_is_bank(s, o) ? sel_value(s, o.value)->whole : sel_pair(s, o);
}

struct mir_operand sel_predicate(struct select *s, struct ir_operand o) {
  if (o.kind != IR_VALUE) return sel_choice(o.bits & 1);
  return place_to_read(s, o.value)->whole;
}

/* ---- destinations ---- */

struct mir_operand sel_dst_pair(struct select *s, unsigned k) {
  return place_value(s, s->insn->dst[k])->whole;
}

struct mir_operand sel_dst(struct select *s, unsigned k) {
  const struct sel_value *v = place_value(s, s->insn->dst[k]);
  return s->insn->dst[k]->class == IR_64 && v->low_only ? mir_word(v->whole, 0) : v->whole;
}

struct mir_operand sel_dst_late(struct select *s, unsigned k) {
  struct mir_operand r = sel_dst(s, k);
  if (sel_value(s, s->insn->dst[k])->read != s->number) return r;
  return mir_new(s->m.f, (enum mir_class)r.class, r.words);
}

void sel_finish(struct select *s, unsigned k, struct mir_operand r) {
  struct mir_operand d = sel_dst(s, k);
  if (r.kind == MIR_REG && d.reg == r.reg) return;
  if (d.class == MIR_P)
    sel_plop3(s, d, r, mir_none(), mir_none(), 0xf0);
  else
    sel_mov(s, d, r);
}

bool sel_may_stand(struct select *s, unsigned k) {
  const struct sel_value *v = sel_value(s, s->insn->dst[k]);
  return v->def == s->insn && !v->known;
}

bool sel_is(struct select *s, unsigned k, struct mir_operand x) {
  if (!sel_may_stand(s, k)) return false;
  struct sel_value *v = sel_value(s, s->insn->dst[k]);
  if (s->insn->dst[k]->class == IR_64 && v->low_only && x.words == 2) x = mir_word(x, 0);
  v->known = true;
  v->whole = x;
  return true;
}

bool sel_is_words(struct select *s, unsigned k, struct mir_operand lo, struct mir_operand hi) {
  struct sel_value *v = sel_value(s, s->insn->dst[k]);
  if (!sel_may_stand(s, k) || (!v->low_only && (v->wants & (SEL_PAIR | SEL_WIDE)))) return false;
  v->known = true;
  v->whole = v->low_only ? lo : mir_none();
  v->word[0] = lo;
  v->word[1] = hi;
  return true;
}
