/* SPDX-License-Identifier: Apache-2.0
 * Operands a, b, c: registers, constants and immediates with their modifiers, and how they go into a word. */
#include <string.h>

#include "isa/asm/internal.h"

/* The type that an immediate has here. One that is short in every form is a plain number. */
static unsigned immediate_type(const struct heddle_isa_instr *in, unsigned operand) {
  unsigned type = in->imm;
  for (unsigned i = 0; i < in->n_encs; i++) {
    const struct heddle_isa_slot *s = &heddle_isa_encoding_info((enum heddle_isa_enc)(in->first_enc + i))->src[operand];
    if (s->kind != ISA_IMM) continue;
    if (heddle_isa_field_info((enum heddle_isa_field)s->field)->kind == ISA_K_IMM32) return in->imm;
    type = ISA_IMM_U32;
  }
  return type;
}

/* c[bank][offset]; the cursor stands at 'c'. Whether both fit is seen when they are put into their fields. */
static bool take_constant(struct assembler *a, struct cursor *c, struct operand_value *out) {
  struct cursor start = *c;
  int64_t bank, offset;
  if (!lex_text(c, "c[") || !lex_expression(a, c, &bank) || !lex_text(c, "][") || !lex_expression(a, c, &offset) ||
      !lex_char(c, ']')) {
    *c = start;
    return false;
  }
  if (bank < 0 || bank > 31 || offset < 0 || offset > 0xffff || offset % 4 != 0) {
    asm_error(a, &start, "constant operand: bank 0 to 31, offset 0 to 0xfffc in steps of 4");
    return false;
  }
  out->kind = ISA_CONST;
  out->cbank = (uint32_t)bank;
  out->coff = (uint32_t)offset;
  return true;
}

/* The longest suffix that some form of the instruction has for this operand. */
static const char *take_part(struct cursor *c, const struct heddle_isa_instr *in, unsigned operand) {
  const char *best = NULL;
  struct cursor after = *c;
  for (unsigned i = 0; i < in->n_encs; i++) {
    unsigned f = heddle_isa_encoding_info((enum heddle_isa_enc)(in->first_enc + i))->src[operand].part;
    if (f == ISA_FIELD_NONE) continue;
    const struct heddle_isa_set *set =
        heddle_isa_set_info((enum heddle_isa_set_id)heddle_isa_field_info((enum heddle_isa_field)f)->set);
    for (unsigned t = 0; t < set->n_tokens; t++) {
      const char *text = set->tokens[t].text;
      struct cursor probe = *c;
      if (!*text || (best && strlen(text) <= strlen(best)) || !lex_suffix(&probe, text)) continue;
      best = text;
      after = probe;
    }
  }
  *c = after;
  return best;
}

static bool take_plain(struct assembler *a, struct cursor *c, const struct heddle_isa_instr *in, unsigned operand,
                       bool in_address, struct operand_value *out) {
  struct cursor start = *c;
  bool uniform = lex_register(c, "UR", &out->reg);
  if (uniform || lex_register(c, "R", &out->reg)) {
    out->kind = uniform ? ISA_UREG : ISA_REG;
    out->reuse = lex_suffix(c, ".reuse");
    return !in_address || spelling_address(a, c, in);
  }
  if (in_address) { /* [0x10], [name]: no register */
    out->kind = heddle_isa_encoding_info((enum heddle_isa_enc)in->first_enc)->src[operand].kind;
    out->reg = ISA_RZ;
    return true;
  }
  unsigned before = a->errors;
  if (take_constant(a, c, out)) return true;
  if (a->errors != before) return false;
  *c = start;
  out->kind = ISA_IMM;
  return asm_immediate(a, c, immediate_type(in, operand), &out->imm);
}

/* A sign belongs to the number if one follows, else it is the operand's modifier. */
static bool sign_is_modifier(const struct cursor *c) {
  struct cursor probe = *c;
  unsigned index;
  return lex_char(&probe, '|') || lex_register(&probe, "R", &index) || lex_register(&probe, "UR", &index) ||
         lex_text(&probe, "c[");
}

struct modifiers {
  bool minus, complement, bars;
};

static struct modifiers take_modifiers(struct cursor *c) {
  struct modifiers m = {0};
  struct cursor probe = *c;
  bool minus = lex_char(&probe, '-');
  if ((minus || lex_char(&probe, '+')) && sign_is_modifier(&probe)) {
    m.minus = minus;
    *c = probe;
  } else {
    m.complement = lex_char(c, '~');
  }
  m.bars = lex_char(c, '|');
  return m;
}

/* What the template does not allow, or NULL. */
static const char *forbidden(const struct heddle_isa_elem *e, const struct modifiers *m, unsigned kind) {
  if (m->minus && !e->may_neg) return "'-'";
  if (m->complement && !e->may_not) return "'~'";
  if (m->bars && !e->may_abs) return "'|'";
  return kind == ISA_IMM && (m->minus || m->complement || m->bars) ? "a modifier on an immediate" : NULL;
}

bool asm_operand(struct assembler *a, struct cursor *c, enum heddle_isa_op op, const struct heddle_isa_elem *e,
                 bool in_address, struct operand_value *out) {
  const struct heddle_isa_instr *in = heddle_isa_instr_info(op);
  lex_blank(c);
  *out = (struct operand_value){.place = *c};
  struct modifiers m = {0};
  if (!in_address) m = take_modifiers(c);
  if (!take_plain(a, c, in, e->operand, in_address, out)) return false;
  if (m.bars && !lex_char(c, '|')) {
    asm_error(a, c, "missing the second '|'");
    return false;
  }
  const char *what = forbidden(e, &m, out->kind);
  if (what) {
    asm_error(a, &out->place, "this operand does not allow %s", what);
    return false;
  }
  if (e->may_part && out->kind != ISA_IMM) out->part = take_part(c, in, e->operand);
  if (out->kind != ISA_IMM && !out->reuse) out->reuse = lex_suffix(c, ".reuse");
  if (out->reuse && out->kind != ISA_REG) {
    asm_error(a, &out->place, "only a general register has a reuse flag");
    return false;
  }
  out->neg = m.minus || m.complement;
  out->abs = m.bars;
  return true;
}

static bool put_register(struct assembler *a, const struct heddle_isa_encoding *enc, unsigned operand,
                         const struct operand_value *v, struct heddle_isa_word *w) {
  enum heddle_isa_field f = (enum heddle_isa_field)enc->src[operand].field;
  uint64_t raw;
  if (!asm_fit_register(a, &v->place, f, v->reg, &raw)) return false;
  *w = heddle_isa_put(*w, f, raw);
  if (!v->reuse) return true;
  if (enc->reuse == ISA_FIELD_NONE) {
    asm_error(a, &v->place, "this instruction has no reuse flags");
    return false;
  }
  enum heddle_isa_field reuse = (enum heddle_isa_field)enc->reuse;
  *w = heddle_isa_put(*w, reuse, heddle_isa_get(*w, reuse) | (uint64_t)1 << operand);
  return true;
}

static bool put_constant(struct assembler *a, const struct heddle_isa_encoding *enc, const struct operand_value *v,
                         struct heddle_isa_word *w) {
  uint64_t bank, offset;
  if (!asm_fit(a, &v->place, (enum heddle_isa_field)enc->cbank, v->cbank, false, &bank) ||
      !asm_fit(a, &v->place, (enum heddle_isa_field)enc->coff, v->coff, false, &offset))
    return false;
  *w = heddle_isa_put(heddle_isa_put(*w, (enum heddle_isa_field)enc->cbank, bank), (enum heddle_isa_field)enc->coff,
                      offset);
  return true;
}

/* A missing suffix is the empty token, where the set has one. */
static bool put_part(struct assembler *a, enum heddle_isa_field f, const struct operand_value *v,
                     struct heddle_isa_word *w) {
  unsigned value;
  if (!heddle_isa_set_value((enum heddle_isa_set_id)heddle_isa_field_info(f)->set, v->part ? v->part : "", &value)) {
    asm_error(a, &v->place, "this operand needs a suffix of '%s'", heddle_isa_field_info(f)->name);
    return false;
  }
  *w = heddle_isa_put(*w, f, value);
  return true;
}

bool asm_put_operand(struct assembler *a, const struct heddle_isa_encoding *enc, unsigned operand,
                     const struct operand_value *v, struct heddle_isa_word *w) {
  const struct heddle_isa_slot *slot = &enc->src[operand];
  uint64_t raw;
  if (slot->neg != ISA_FIELD_NONE) *w = heddle_isa_put(*w, (enum heddle_isa_field)slot->neg, v->neg);
  if (slot->abs != ISA_FIELD_NONE) *w = heddle_isa_put(*w, (enum heddle_isa_field)slot->abs, v->abs);
  if (slot->part != ISA_FIELD_NONE && !put_part(a, (enum heddle_isa_field)slot->part, v, w)) return false;
  if (slot->kind == ISA_CONST) return put_constant(a, enc, v, w);
  if (slot->kind != ISA_IMM) return put_register(a, enc, operand, v, w);
  if (!asm_fit(a, &v->place, (enum heddle_isa_field)slot->field, v->imm, false, &raw)) return false;
  *w = heddle_isa_put(*w, (enum heddle_isa_field)slot->field, raw);
  return true;
}
