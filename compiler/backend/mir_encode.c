/* SPDX-License-Identifier: Apache-2.0
 * An allocated machine instruction as a word. What it does not name has the default of its field. */
#include "compiler/mir.h"

static bool put_register(const struct mir_function *f, struct isa_word *w, unsigned field,
                         const struct mir_operand *x) {
  const uint64_t zero = isa_field_default((enum isa_field)field);
  uint64_t raw = zero;
  if (x->kind == MIR_REG) {
    int phys = f->vreg[x->reg].phys + x->sub;
    if (f->vreg[x->reg].phys < 0 || (uint64_t)phys + x->words > zero || phys % x->words != 0) return false;
    raw = (uint64_t)phys;
  }
  *w = isa_put(*w, (enum isa_field)field, raw);
  return true;
}

static bool put_operand(const struct mir_function *f, const struct isa_encoding *enc, unsigned slot,
                        const struct mir_operand *x, struct isa_word *w) {
  const struct isa_slot *s = &enc->src[slot];
  if (s->kind == ISA_NONE) return true;
  if (s->neg != ISA_FIELD_NONE) *w = isa_put(*w, (enum isa_field)s->neg, x->neg);
  if (s->abs != ISA_FIELD_NONE) *w = isa_put(*w, (enum isa_field)s->abs, x->abs);
  if (s->part != ISA_FIELD_NONE) *w = isa_put(*w, (enum isa_field)s->part, x->part);
  switch (s->kind) {
  case ISA_IMM:
    *w = isa_put(*w, (enum isa_field)s->field, x->imm);
    return true;
  case ISA_CONST:
    *w = isa_put(isa_put(*w, (enum isa_field)enc->cbank, x->bank), (enum isa_field)enc->coff, x->offset);
    return x->bank < 1u << isa_field_width((enum isa_field)enc->cbank) &&
           x->offset < UINT64_C(1) << isa_field_width((enum isa_field)enc->coff);
  default:
    return put_register(f, w, s->field, x);
  }
}

/* Index, and for a read the negate bit above it. NONE and ZERO are PT. */
static bool put_predicate(const struct mir_function *f, struct isa_word *w, unsigned field,
                          const struct mir_operand *x) {
  if (field == ISA_FIELD_NONE) return x->kind == MIR_NONE;
  unsigned raw = ISA_PT;
  if (x->kind == MIR_REG) {
    if (f->vreg[x->reg].phys < 0 || f->vreg[x->reg].phys >= (int)ISA_PT) return false;
    raw = (unsigned)f->vreg[x->reg].phys;
  }
  if (x->neg && isa_field_width((enum isa_field)field) < 4) return false;
  *w = isa_put(*w, (enum isa_field)field, raw | (x->neg ? 8u : 0u));
  return true;
}

static bool put_named(const struct mir_insn *i, enum isa_enc e, struct isa_word *w) {
  for (unsigned k = 0; k < i->fields; k++) {
    enum isa_field f = (enum isa_field)i->field[k].field;
    unsigned width = isa_field_width(f);
    uint64_t v = i->field[k].value, top = width < 64 ? ~UINT64_C(0) << width : 0;
    bool is_signed = isa_field_info(f)->kind == ISA_K_SINT;
    uint64_t sign = is_signed ? ~UINT64_C(0) << (width - 1) : 0;
    if (!isa_enc_owns(e, f) || ((v & top) != 0 && !is_signed) || (is_signed && (v & sign) != 0 && (v & sign) != sign))
      return false;
    *w = isa_put(*w, f, v);
  }
  return true;
}

/* Where it goes, and its convergence barrier. */
static bool put_control(const struct mir_insn *i, const struct isa_encoding *enc, uint32_t pc, uint32_t target_pc,
                        struct isa_word *w) {
  for (unsigned k = 0; k < enc->n_fields; k++) {
    enum isa_field f = (enum isa_field)enc->fields[k];
    if (isa_field_info(f)->kind == ISA_K_REL)
      *w = isa_put(*w, f, (uint32_t)(target_pc - pc - ISA_WORD_BYTES));
    else if (isa_field_info(f)->kind == ISA_K_BREG)
      *w = isa_put(*w, f, i->breg);
    else if (f == ISA_F_ABS32 && i->target)
      *w = isa_put(*w, f, target_pc);
  }
  return i->breg < 16;
}

static bool put_predicates(const struct mir_function *f, const struct mir_insn *i, const struct isa_encoding *enc,
                           struct isa_word *w) {
  bool ok = put_predicate(f, w, enc->guard, &i->guard);
  for (unsigned k = 0; k < 2; k++) ok = ok && put_predicate(f, w, enc->pd[k], &i->pd[k]);
  for (unsigned k = 0; k < 3; k++) ok = ok && put_predicate(f, w, enc->ps[k], &i->ps[k]);
  return ok;
}

bool mir_encode(const struct mir_function *f, const struct mir_insn *i, uint32_t pc, uint32_t target_pc,
                struct isa_word *w) {
  int e = mir_encoding(i);
  if (e < 0) return false;
  const struct isa_encoding *enc = isa_encoding_info((enum isa_enc)e);
  struct isa_dec d;
  *w = enc->match;
  for (unsigned k = 0; k < enc->n_fields; k++) {
    enum isa_field field = (enum isa_field)enc->fields[k];
    *w = isa_put(*w, field, isa_field_default(field));
  }
  /* Named fields may be registers too (BMOV): operands come after them. */
  bool ok = put_named(i, (enum isa_enc)e, w) && put_control(i, enc, pc, target_pc, w) && put_predicates(f, i, enc, w);
  if (enc->rd.kind != ISA_NONE)
    ok = ok && put_register(f, w, enc->rd.field, &i->rd);
  else
    ok = ok && i->rd.kind == MIR_NONE;
  for (unsigned k = 0; k < 3; k++) ok = ok && put_operand(f, enc, k, &i->src[k], w);
  return ok && isa_decode(*w, &d);
}
