/* SPDX-License-Identifier: Apache-2.0
 * Is a machine function well formed? Operands of the kinds, classes and widths that the encoding wants, fields that it
 * owns, lists linked both ways, and after allocation physical numbers that fit. */
#include "compiler/ir/mir.h"

#include <stdarg.h>

struct check {
  const struct mir_function *f;
  bool allocated;
  char text[160];
};

__attribute__((format(printf, 2, 3))) static bool bad(struct check *c, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(c->text, sizeof c->text, format, ap);
  va_end(ap);
  return false;
}

static bool register_ok(struct check *c, const struct mir_operand *x, enum mir_class class, unsigned words,
                        const char *what) {
  if (x->kind != MIR_REG) return true;
  if (x->reg >= c->f->vregs) return bad(c, "%s: no virtual register %u", what, x->reg);
  const struct mir_vreg *v = &c->f->vreg[x->reg];
  if (v->class != x->class || x->class != class) return bad(c, "%s: register %u is of another class", what, x->reg);
  if (x->words != words) return bad(c, "%s: register %u: %u words where %u are wanted", what, x->reg, x->words, words);
  if (x->sub + x->words > v->words || x->sub % x->words)
    return bad(c, "%s: words %u to %u of register %u", what, x->sub, x->sub + x->words - 1, x->reg);
  if (!c->allocated) return true;
  unsigned end = class == MIR_R || class == MIR_UR ? heddle_isa_registers(class == MIR_UR) : ISA_PT;
  if (v->phys < 0 || v->phys % v->words || (unsigned)v->phys + v->words > end)
    return bad(c, "%s: register %u has the physical number %d", what, x->reg, v->phys);
  return true;
}

static bool predicate_ok(struct check *c, const struct mir_operand *x, unsigned field, bool uniform, const char *what) {
  if (x->kind == MIR_NONE) return true;
  if (field == ISA_FIELD_NONE) return bad(c, "%s: the encoding has none", what);
  if (x->kind != MIR_ZERO && x->kind != MIR_REG) return bad(c, "%s: no predicate", what);
  if (x->neg && heddle_isa_field_width((enum heddle_isa_field)field) < 4) return bad(c, "%s: negated", what);
  return register_ok(c, x, uniform ? MIR_UP : MIR_P, 1, what);
}

static bool predicates_ok(struct check *c, const struct mir_insn *i, const struct heddle_isa_encoding *enc) {
  bool ok = predicate_ok(c, &i->guard, enc->guard, enc->uniform, "guard");
  for (unsigned k = 0; k < 2; k++) ok = ok && predicate_ok(c, &i->pd[k], enc->pd[k], enc->pd_uniform, "pd");
  for (unsigned k = 0; k < 3; k++) ok = ok && predicate_ok(c, &i->ps[k], enc->ps[k], enc->ps_uniform, "ps");
  return ok;
}

static bool fields_ok(struct check *c, const struct mir_insn *i, enum heddle_isa_enc e) {
  for (unsigned k = 0; k < i->fields; k++) {
    enum heddle_isa_field f = (enum heddle_isa_field)i->field[k].field;
    if (f >= ISA_F_COUNT || !heddle_isa_enc_owns(e, f))
      return bad(c, "field %s is not of this encoding", f < ISA_F_COUNT ? heddle_isa_field_info(f)->name : "?");
    if (heddle_isa_field_info(f)->kind == ISA_K_SET && !heddle_isa_field_legal(f, i->field[k].value))
      return bad(c, "field %s has no value %llu", heddle_isa_field_info(f)->name,
                 (unsigned long long)i->field[k].value);
  }
  return true;
}

static enum mir_class slot_class(const struct heddle_isa_slot *s) {
  return s->kind == ISA_UREG ? MIR_UR : MIR_R;
}

static bool target_ok(struct check *c, const struct mir_insn *i, const struct heddle_isa_encoding *enc) {
  bool wants = false;
  for (unsigned k = 0; k < enc->n_fields; k++)
    wants |= heddle_isa_field_info((enum heddle_isa_field)enc->fields[k])->kind == ISA_K_REL;
  if (wants && !i->target && !(i->call && i->call->callee)) return bad(c, "no target");
  return i->breg == 0 || i->breg < heddle_isa_convergence_barriers() || bad(c, "barrier %u", i->breg);
}

static bool insn_ok(struct check *c, const struct mir_insn *i) {
  static const char *const name[] = {"a", "b", "c"};
  if (i->op >= ISA_OP_COUNT) return bad(c, "no instruction %u", i->op);
  int e = mir_encoding(i);
  if (e < 0) return bad(c, "no encoding for these operands");
  const struct heddle_isa_encoding *enc = heddle_isa_encoding_info((enum heddle_isa_enc)e);
  if (!fields_ok(c, i, (enum heddle_isa_enc)e) || !predicates_ok(c, i, enc) || !target_ok(c, i, enc)) return false;
  if (enc->rd.kind == ISA_NONE ? i->rd.kind != MIR_NONE : i->rd.kind == MIR_IMM || i->rd.kind == MIR_CONST)
    return bad(c, "rd: wrong kind");
  if (!register_ok(c, &i->rd, slot_class(&enc->rd), mir_words(i, 3), "rd")) return false;
  for (unsigned k = 0; k < 3; k++)
    if (!register_ok(c, &i->src[k], slot_class(&enc->src[k]), mir_words(i, k), name[k])) return false;
  return true;
}

static bool has_block(struct mir_block *const *list, unsigned n, const struct mir_block *b) {
  while (n-- > 0)
    if (list[n] == b) return true;
  return false;
}

static bool block_ok(struct check *c, const struct mir_block *b) {
  for (unsigned k = 0; k < b->succs; k++)
    if (!has_block(b->succ[k]->pred, b->succ[k]->preds, b))
      return bad(c, "b%u is no predecessor of b%u", b->id, b->succ[k]->id);
  const struct mir_insn *prev = NULL;
  for (const struct mir_insn *i = b->first; i; prev = i, i = i->next) {
    if (i->prev != prev) return bad(c, "b%u: the list is broken", b->id);
    if (i->op == ISA_OP_BRA && !has_block(b->succ, b->succs, i->target))
      return bad(c, "b%u: BRA without an edge", b->id);
  }
  return b->last == prev || bad(c, "b%u: the last instruction is not the last", b->id);
}

/* "b3: FADD r1, r2, r3: what", in the arena. */
static const char *describe_insn(const struct check *c, const struct mir_block *b, const struct mir_insn *i) {
  enum { SIZE = 320 };
  char *text = ptx_alloc(c->f->arena, SIZE);
  snprintf(text, SIZE, "b%u: %s (line %u): %s", b->id,
           i->op < ISA_OP_COUNT ? heddle_isa_op_name((enum heddle_isa_op)i->op) : "?", i->pos.line, c->text);
  return text;
}

const char *mir_check(const struct mir_function *f, bool allocated) {
  struct check c = {.f = f, .allocated = allocated};
  for (const struct mir_block *b = f->first; b; b = b->next) {
    if (!block_ok(&c, b)) {
      char *text = ptx_alloc(f->arena, sizeof c.text);
      snprintf(text, sizeof c.text, "%s", c.text);
      return text;
    }
    for (const struct mir_insn *i = b->first; i; i = i->next)
      if (!insn_ok(&c, i)) return describe_insn(&c, b, i);
  }
  return NULL;
}
