/* SPDX-License-Identifier: Apache-2.0
 * An allocated machine instruction as a word. What it does not name has the default of its field. */
#include "compiler/ir/mir.h"

static bool put_register(const struct mir_function *f, struct heddle_isa_word *w, unsigned field,
                         const struct mir_operand *x) {
  const uint64_t zero = heddle_isa_field_default((enum heddle_isa_field)field);
  uint64_t raw = zero;
  if (x->kind == MIR_REG) {
    int phys = f->vreg[x->reg].phys + x->sub;
    if (f->vreg[x->reg].phys < 0 || (uint64_t)phys + x->words > zero || phys % x->words != 0) return false;
    raw = (uint64_t)phys;
  }
  *w = heddle_isa_put(*w, (enum heddle_isa_field)field, raw);
  return true;
}

static bool put_operand(const struct mir_function *f, const struct heddle_isa_encoding *enc, unsigned slot,
                        const struct mir_operand *x, struct heddle_isa_word *w) {
  const struct heddle_isa_slot *s = &enc->src[slot];
  if (s->kind == ISA_NONE) return true;
  if (s->neg != ISA_FIELD_NONE) *w = heddle_isa_put(*w, (enum heddle_isa_field)s->neg, x->neg);
  if (s->abs != ISA_FIELD_NONE) *w = heddle_isa_put(*w, (enum heddle_isa_field)s->abs, x->abs);
  if (s->part != ISA_FIELD_NONE) *w = heddle_isa_put(*w, (enum heddle_isa_field)s->part, x->part);
  switch (s->kind) {
  case ISA_IMM:
    *w = heddle_isa_put(*w, (enum heddle_isa_field)s->field, x->imm);
    return true;
  case ISA_CONST:
    *w = heddle_isa_put(heddle_isa_put(*w, (enum heddle_isa_field)enc->cbank, x->bank),
                        (enum heddle_isa_field)enc->coff, x->offset);
    return heddle_isa_field_fits((enum heddle_isa_field)enc->cbank, x->bank) &&
           heddle_isa_field_fits((enum heddle_isa_field)enc->coff, x->offset);
  default:
    return put_register(f, w, s->field, x);
  }
}

/* Index, and for a read the negate bit above it. NONE and ZERO are PT. */
static bool put_predicate(const struct mir_function *f, struct heddle_isa_word *w, unsigned field,
                          const struct mir_operand *x) {
  if (field == ISA_FIELD_NONE) return x->kind == MIR_NONE;
  unsigned raw = ISA_PT;
  if (x->kind == MIR_REG) {
    if (f->vreg[x->reg].phys < 0 || f->vreg[x->reg].phys >= (int)ISA_PT) return false;
    raw = (unsigned)f->vreg[x->reg].phys;
  }
  if (x->neg && heddle_isa_field_width((enum heddle_isa_field)field) < 4) return false;
  *w = heddle_isa_put(*w, (enum heddle_isa_field)field, raw | (x->neg ? 8u : 0u));
  return true;
}

static bool put_named(const struct mir_insn *i, enum heddle_isa_enc e, struct heddle_isa_word *w) {
  for (unsigned k = 0; k < i->fields; k++) {
    enum heddle_isa_field f = (enum heddle_isa_field)i->field[k].field;
    if (!heddle_isa_enc_owns(e, f) || !heddle_isa_field_fits(f, (int64_t)i->field[k].value)) return false;
    *w = heddle_isa_put(*w, f, i->field[k].value);
  }
  return true;
}

/* Where it goes, and its convergence barrier. */
static bool put_control(const struct mir_insn *i, const struct heddle_isa_encoding *enc, uint32_t pc,
                        uint32_t target_pc, struct heddle_isa_word *w) {
  for (unsigned k = 0; k < enc->n_fields; k++) {
    enum heddle_isa_field f = (enum heddle_isa_field)enc->fields[k];
    int64_t v;
    if (heddle_isa_field_info(f)->kind == ISA_K_REL)
      v = (int64_t)target_pc - pc - ISA_WORD_BYTES;
    else if (heddle_isa_field_info(f)->kind == ISA_K_BREG)
      v = i->breg;
    else if (f == ISA_F_ABS32 && i->target)
      v = target_pc;
    else
      continue;
    if (!heddle_isa_field_fits(f, v)) return false;
    *w = heddle_isa_put(*w, f, (uint64_t)v);
  }
  return true;
}

static bool put_predicates(const struct mir_function *f, const struct mir_insn *i,
                           const struct heddle_isa_encoding *enc, struct heddle_isa_word *w) {
  bool ok = put_predicate(f, w, enc->guard, &i->guard);
  for (unsigned k = 0; k < 2; k++) ok = ok && put_predicate(f, w, enc->pd[k], &i->pd[k]);
  for (unsigned k = 0; k < 3; k++) ok = ok && put_predicate(f, w, enc->ps[k], &i->ps[k]);
  return ok;
}

bool mir_encode(const struct mir_function *f, const struct mir_insn *i, uint32_t pc, uint32_t target_pc,
                struct heddle_isa_word *w) {
  int e = mir_encoding(i);
  if (e < 0) return false;
  const struct heddle_isa_encoding *enc = heddle_isa_encoding_info((enum heddle_isa_enc)e);
  struct heddle_isa_dec d;
  *w = enc->match;
  for (unsigned k = 0; k < enc->n_fields; k++) {
    enum heddle_isa_field field = (enum heddle_isa_field)enc->fields[k];
    *w = heddle_isa_put(*w, field, heddle_isa_field_default(field));
  }
  /* Named fields may be registers too (BMOV): operands come after them. */
  bool ok =
      put_named(i, (enum heddle_isa_enc)e, w) && put_control(i, enc, pc, target_pc, w) && put_predicates(f, i, enc, w);
  if (enc->rd.kind != ISA_NONE)
    ok = ok && put_register(f, w, enc->rd.field, &i->rd);
  else
    ok = ok && i->rd.kind == MIR_NONE;
  for (unsigned k = 0; k < 3; k++) ok = ok && put_operand(f, enc, k, &i->src[k], w);
  return ok && heddle_isa_decode(*w, &d);
}
