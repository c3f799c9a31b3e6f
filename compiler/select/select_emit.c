/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the values of the graph are, and appending machine instructions.
 */
#include <stdarg.h>
#include "compiler/select/select.h"

/* Where the values of the graph are: registers, or what stands for them. */

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

/* Appending machine instructions: guards, operands for which there is no form, short names. */

/* Is x a destination of the instruction at hand whose old value matters where the guard is false? */
static bool keeps_old(struct select *s, const struct mir_operand *x) {
  if (x->kind != MIR_REG) return false;
  for (unsigned k = 0; k < s->insn->dsts; k++) {
    const struct sel_value *v = sel_value(s, s->insn->dst[k]);
    if (!v->known || v->whole.kind != MIR_REG || v->whole.reg != x->reg) continue;
    return !s->ssa || v->exposed || s->insn->old[k].kind != IR_NONE;
  }
  return false;
}

bool sel_keeps_old(struct select *s, unsigned k) {
  struct mir_operand d = sel_dst(s, k);
  return s->m.guard.kind != MIR_NONE && keeps_old(s, &d);
}

static void mark_keeps_old(struct select *s, struct mir_insn *i, const struct mir_operand *x) {
  if (i->guard.kind != MIR_NONE && !i->keeps_old) i->keeps_old = keeps_old(s, x);
}

struct mir_insn *sel_add(struct select *s, enum heddle_isa_op op, struct mir_operand rd, struct mir_operand a,
                         struct mir_operand b, struct mir_operand c) {
  struct mir_insn *i = mir_add(&s->m, op, rd, a, b, c);
  mark_keeps_old(s, i, &rd);
  return i;
}

void sel_set_predicate(struct select *s, struct mir_insn *i, unsigned k, struct mir_operand p) {
  i->pd[k] = p;
  mark_keeps_old(s, i, &p);
}

static bool is_other(const struct mir_operand *x) {
  return x->kind == MIR_IMM || x->kind == MIR_CONST;
}

/* As it would be in a register. */
static struct mir_operand as_register(struct mir_operand x) {
  x.kind = MIR_REG;
  x.class = MIR_R;
  return x;
}

/* Which operands must go through registers (bits 0-2), places of a and b exchanged or not. */
static bool choose_form(enum heddle_isa_op op, const struct mir_operand x[3], bool swap, unsigned *regs,
                        bool *swapped) {
  static const uint8_t order[] = {0, 1, 4, 2, 5, 3, 6, 7};
  for (unsigned k = 0; k < sizeof order; k++) {
    struct mir_operand y[3];
    bool useful = true;
    for (unsigned n = 0; n < 3; n++) {
      bool reg = order[k] >> n & 1;
      y[n] = reg ? as_register(x[n]) : x[n];
      useful = useful && (!reg || is_other(&x[n]));
    }
    if (!useful) continue;
    *regs = order[k];
    *swapped = false;
    if (mir_fits(op, y[0], y[1], y[2])) return true;
    *swapped = true;
    if (swap && mir_fits(op, y[1], y[0], y[2])) return true;
  }
  return false;
}

static struct mir_insn *add_fitting(struct select *s, enum heddle_isa_op op, struct mir_operand rd,
                                    struct mir_operand x[3], bool swap) {
  unsigned regs;
  bool swapped;
  if (!choose_form(op, x, swap, &regs, &swapped)) {
    sel_refuse(s, "%s has no form for its operands (an error of the compiler)", heddle_isa_op_name(op));
    return sel_add(s, op, rd, x[0], x[1], x[2]);
  }
  for (unsigned n = 0; n < 3; n++)
    if (regs >> n & 1) x[n] = sel_reg(s, x[n]);
  return swapped ? sel_add(s, op, rd, x[1], x[0], x[2]) : sel_add(s, op, rd, x[0], x[1], x[2]);
}

struct mir_insn *sel_op(struct select *s, enum heddle_isa_op op, struct mir_operand rd, struct mir_operand a,
                        struct mir_operand b, struct mir_operand c) {
  return add_fitting(s, op, rd, (struct mir_operand[3]){a, b, c}, false);
}

struct mir_insn *sel_swap(struct select *s, enum heddle_isa_op op, struct mir_operand rd, struct mir_operand a,
                          struct mir_operand b, struct mir_operand c) {
  return add_fitting(s, op, rd, (struct mir_operand[3]){a, b, c}, true);
}

struct mir_operand sel_new(struct select *s, unsigned words) {
  return mir_new(s->m.f, MIR_R, words);
}
struct mir_operand sel_new_predicate(struct select *s) {
  return mir_new(s->m.f, MIR_P, 1);
}
struct mir_operand sel_choice(bool yes) {
  return yes ? mir_zero() : mir_not(mir_zero());
}
/* !PT */
static struct mir_operand sel_never(void) {
  return sel_choice(false);
}

void sel_mov(struct select *s, struct mir_operand rd, struct mir_operand x) {
  for (unsigned w = 0; w < rd.words; w++) {
    struct mir_operand word = mir_word(x, w);
    word.neg = word.abs = false;
    sel_add(s, ISA_OP_MOV, mir_word(rd, w), mir_none(), word, mir_none());
  }
}

struct mir_operand sel_reg(struct select *s, struct mir_operand x) {
  if (x.kind == MIR_REG || x.kind == MIR_ZERO) return x;
  struct mir_operand r = sel_new(s, x.words);
  sel_mov(s, r, x);
  r.neg = x.neg;
  r.abs = x.abs;
  r.part = x.part;
  return r;
}

struct mir_operand sel_join(struct select *s, struct mir_operand lo, struct mir_operand hi) {
  struct mir_operand r = sel_new(s, 2);
  sel_mov(s, mir_word(r, 0), lo);
  sel_mov(s, mir_word(r, 1), hi);
  return r;
}

void sel_plop3(struct select *s, struct mir_operand pd, struct mir_operand p, struct mir_operand q,
               struct mir_operand r, unsigned lut) {
  struct mir_insn *i = sel_add(s, ISA_OP_PLOP3_LUT, mir_none(), mir_none(), mir_none(), mir_none());
  sel_set_predicate(s, i, 0, pd);
  i->ps[0] = p;
  i->ps[1] = q;
  i->ps[2] = r;
  mir_set(i, ISA_F_PLUT0, lut);
}

void sel_sel(struct select *s, struct mir_operand rd, struct mir_operand a, struct mir_operand b,
             struct mir_operand p) {
  bool turn = is_other(&a) && !is_other(&b);
  struct mir_insn *i = turn ? sel_op(s, ISA_OP_SEL, rd, b, a, mir_none()) : sel_op(s, ISA_OP_SEL, rd, a, b, mir_none());
  i->ps[0] = turn ? mir_not(p) : p;
}

/* a, b, c in the order in which there is a form, if any order has one: those that are no registers behind. */
static void sort_terms(struct mir_operand x[3]) {
  for (unsigned k = 0; k < 2; k++)
    if (is_other(&x[k]) && !is_other(&x[k + 1])) {
      struct mir_operand t = x[k];
      x[k] = x[k + 1];
      x[k + 1] = t;
    }
  /* RZ last: "a, 5, RZ" is what a reader expects, "RZ, a, RZ" is not. */
  for (unsigned k = 0; k < 2; k++)
    if (x[k].kind == MIR_ZERO && !x[k].neg && x[k + 1].kind != MIR_ZERO && (k == 1 || !is_other(&x[k + 1]))) {
      struct mir_operand t = x[k];
      x[k] = x[k + 1];
      x[k + 1] = t;
    }
}

void sel_iadd(struct select *s, struct mir_operand rd, struct mir_operand out, struct mir_operand a,
              struct mir_operand b, struct mir_operand c) {
  struct mir_operand x[3] = {a, b, c};
  sort_terms(x);
  struct mir_insn *i = sel_op(s, ISA_OP_IADD3, rd, x[0], x[1], x[2]);
  sel_set_predicate(s, i, 0, out);
}

void sel_iaddx(struct select *s, struct mir_operand rd, struct mir_operand out, struct mir_operand a,
               struct mir_operand b, struct mir_operand c, struct mir_operand in) {
  struct mir_operand x[3] = {a, b, c};
  sort_terms(x);
  struct mir_insn *i = sel_op(s, ISA_OP_IADD3_X, rd, x[0], x[1], x[2]);
  sel_set_predicate(s, i, 0, out);
  i->ps[0] = in;
  i->ps[1] = sel_never();
}

void sel_imad(struct select *s, struct mir_operand rd, struct mir_operand a, struct mir_operand b,
              struct mir_operand c) {
  sel_swap(s, ISA_OP_IMAD, rd, a, b, c);
}

void sel_imad_wide(struct select *s, struct mir_operand rd, struct mir_operand a, struct mir_operand b,
                   struct mir_operand c, bool is_signed) {
  struct mir_insn *i = sel_swap(s, ISA_OP_IMAD_WIDE, rd, a, b, c);
  mir_set(i, ISA_F_SIGN, is_signed ? ISA_SIGN_S32 : ISA_SIGN_U32);
}

struct mir_insn *sel_shf(struct select *s, struct mir_operand rd, struct mir_operand lo, struct mir_operand amount,
                         struct mir_operand hi, bool right, unsigned type, bool high) {
  struct mir_insn *i = sel_op(s, ISA_OP_SHF, rd, lo, amount, hi);
  mir_set(i, ISA_F_SHDIR, right ? ISA_SHDIR_R : ISA_SHDIR_L);
  mir_set(i, ISA_F_SHTYPE, type);
  mir_set(i, ISA_F_SHHI, high ? ISA_HI_HI : ISA_HI_NONE);
  return i;
}

void sel_lop3(struct select *s, struct mir_operand rd, struct mir_operand a, struct mir_operand b, struct mir_operand c,
              uint8_t lut) {
  mir_set(sel_op(s, ISA_OP_LOP3_LUT, rd, a, b, c), ISA_F_LUT, lut);
}

void sel_refuse(struct select *s, const char *format, ...) {
  char text[160];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  const char *type = ptx_type_word((enum ptx_type)s->insn->type);
  ptx_error(s->m.f->diag, s->insn->pos, "%s%s%s: %s", ir_op_name((enum ir_op)s->insn->op), *type ? "." : "", type,
            text);
}
