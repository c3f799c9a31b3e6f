/* SPDX-License-Identifier: Apache-2.0
 *
 * From instructions and formats to encodings: who owns which bit, and from
 * that match and mask. Overlap within one encoding is found here.
 */
#include <stdlib.h>
#include <string.h>

#include "isa/gen/spec.h"

/* Bits handed out so far, and to whom. */
struct ledger {
  const char *who; /* "FIF" or "FADD FIF": what the complaint is about */
  struct pos at;
  uint8_t owner[SPEC_WORD_BITS];
};

static void ledger_start(struct ledger *g, const char *who, struct pos at) {
  g->who = who;
  g->at = at;
  memset(g->owner, SPEC_NONE, sizeof g->owner);
}

static bool claim(const struct spec *s, struct ledger *g, unsigned field, struct diag *d) {
  const struct field *f = &s->field[field];
  for (unsigned b = f->lo; b <= f->hi; b++) {
    if (g->owner[b] != SPEC_NONE) {
      const struct field *o = &s->field[g->owner[b]];
      const struct field *m = f->moved.line != 0 ? f : o;
      if (m->moved.line == 0)
        return diag_fail(d, g->at, "%s: fields '%s' and '%s' both own bit %u", g->who, o->name, f->name, b);
      return diag_fail(d, g->at, "%s: fields '%s' and '%s' both own bit %u ('%s' was moved at %s:%u)", g->who, o->name,
                       f->name, b, m->name, m->moved.file, m->moved.line);
    }
    g->owner[b] = (uint8_t)field;
  }
  return true;
}

static unsigned only_of_kind(const struct spec *s, enum kind k) {
  for (unsigned i = 0; i < s->n_fields; i++)
    if (s->field[i].kind == k) return i;
  return SPEC_NONE;
}

/* Fields behind one operand slot: one, or cbank and coff. Returns how many; 0 with a complaint. */
static unsigned slot_fields(const struct spec *s, const struct slot *sl, unsigned out[2], struct pos at,
                            struct diag *d) {
  if (sl->kind != SLOT_CONST) {
    out[0] = sl->field;
    return 1;
  }
  out[0] = only_of_kind(s, K_CBANK);
  out[1] = only_of_kind(s, K_COFF);
  if (out[0] != SPEC_NONE && out[1] != SPEC_NONE) return 2;
  diag_fail(d, at, "slot 'const' needs a field of kind 'cbank' and one of kind 'coff'");
  return 0;
}

/* A format by itself: overlap that every instruction of the format would have, told once, at its line. */
static bool check_format(const struct spec *s, const struct format *f, struct diag *d) {
  struct ledger g;
  ledger_start(&g, f->name, f->at);
  for (unsigned i = 0; i < f->n_fixed; i++)
    if (!claim(s, &g, f->fixed[i].field, d)) return false;
  for (unsigned i = 0; i < f->n_owned; i++)
    if (!claim(s, &g, f->owned[i], d)) return false;
  for (unsigned i = 0; i < 3; i++) {
    unsigned field[2];
    if (f->src[i].kind == SLOT_NONE) continue;
    unsigned n = slot_fields(s, &f->src[i], field, f->at, d);
    if (n == 0) return false;
    for (unsigned k = 0; k < n; k++)
      if (!claim(s, &g, field[k], d)) return false;
  }
  for (unsigned i = 0; i < s->n_always; i++)
    if (!claim(s, &g, s->always[i], d)) return false;
  return true;
}

static bool own_fixed(const struct spec *s, struct enc *e, struct ledger *g, const struct fixed *fx, struct diag *d) {
  const struct field *f = &s->field[fx->field];
  unsigned w = field_width(f);
  if (w < 64 && (fx->value >> w) != 0)
    return diag_fail(d, f->moved.line != 0 ? f->moved : g->at, "%s: value 0x%llx does not fit field '%s' of %u bits",
                     g->who, (unsigned long long)fx->value, f->name, w);
  if (!claim(s, g, fx->field, d)) return false;
  e->fixed |= field_mask(f);
  e->match |= (u128)fx->value << f->lo;
  return true;
}

/* Own a field once; owning it again through another mention is the same ownership. */
static bool own_field(const struct spec *s, struct enc *e, struct ledger *g, unsigned field, struct diag *d) {
  if (field == SPEC_NONE || enc_owns(e, field)) return true;
  if (e->n_fields == SPEC_LIST_MAX) return diag_fail(d, g->at, "%s: owns more than %d fields", g->who, SPEC_LIST_MAX);
  if (!claim(s, g, field, d)) return false;
  e->fields[e->n_fields++] = (uint8_t)field;
  e->owned |= field_mask(&s->field[field]);
  return true;
}

static const struct elem *find_operand(const struct insn *in, unsigned operand) {
  for (unsigned i = 0; i < in->n_elems; i++)
    if (in->elem[i].kind == E_OPERAND && in->elem[i].operand == operand) return &in->elem[i];
  return NULL;
}

/* One operand: its slot, and the negate, absolute and part fields if the template allows them. */
static bool own_operand(const struct spec *s, struct enc *e, struct ledger *g, unsigned operand, struct diag *d) {
  const struct insn *in = &s->insn[e->insn];
  struct slot *sl = &e->src[operand];
  const struct elem *el = find_operand(in, operand);
  unsigned field[2];
  char name = (char)('a' + operand);
  if (sl->kind == SLOT_NONE)
    return el == NULL ? true
                      : diag_fail(d, g->at, "%s: the syntax prints operand '%c', which the format does not have",
                                  g->who, name);
  if (el == NULL)
    return diag_fail(d, g->at, "%s: the format has operand '%c', which the syntax does not print", g->who, name);
  unsigned n = slot_fields(s, sl, field, g->at, d);
  if (n == 0) return false;
  for (unsigned k = 0; k < n; k++)
    if (!own_field(s, e, g, field[k], d)) return false;
  if (sl->kind == SLOT_IMM)
    return in->imm != 0 || slot_is_short(s, sl)
               ? true
               : diag_fail(d, g->at, "%s: operand '%c' is an immediate; add imm=TYPE", g->who, name);
  bool wants_neg = el->neg || el->inv;
  if (wants_neg && sl->neg == SPEC_NONE)
    return diag_fail(d, g->at, "%s: the format has no negate field for operand '%c'", g->who, name);
  if (el->abs && sl->abs == SPEC_NONE)
    return diag_fail(d, g->at, "%s: the format has no absolute field for operand '%c'", g->who, name);
  if (el->part && sl->part == SPEC_NONE)
    return diag_fail(d, g->at, "%s: the format has no part field for operand '%c'", g->who, name);
  if (!wants_neg) sl->neg = SPEC_NONE;
  if (!el->abs) sl->abs = SPEC_NONE;
  if (!el->part) sl->part = SPEC_NONE;
  return own_field(s, e, g, sl->neg, d) && own_field(s, e, g, sl->abs, d) && own_field(s, e, g, sl->part, d);
}

static bool own_all(const struct spec *s, struct enc *e, struct ledger *g, struct diag *d) {
  const struct insn *in = &s->insn[e->insn];
  const struct format *f = &s->format[e->format];
  for (unsigned i = 0; i < f->n_fixed; i++)
    if (!own_fixed(s, e, g, &f->fixed[i], d)) return false;
  for (unsigned i = 0; i < in->n_fixed; i++)
    if (!own_fixed(s, e, g, &in->fixed[i], d)) return false;
  for (unsigned i = 0; i < f->n_owned; i++)
    if (!own_field(s, e, g, f->owned[i], d)) return false;
  for (unsigned i = 0; i < 3; i++)
    if (!own_operand(s, e, g, i, d)) return false;
  for (unsigned i = 0; i < in->n_listed; i++)
    if (!own_field(s, e, g, in->listed[i], d)) return false;
  for (unsigned i = 0; i < in->n_elems; i++)
    if (in->elem[i].kind == E_FIELD && !own_field(s, e, g, in->elem[i].field, d)) return false;
  for (unsigned i = 0; i < s->n_always; i++)
    if (!own_field(s, e, g, s->always[i], d)) return false;
  return true;
}

/* The opcode fields index a table, so every encoding must give all of them a value. */
static bool derive_key(const struct spec *s, struct enc *e, const struct ledger *g, struct diag *d) {
  for (unsigned i = 0; i < s->n_keys; i++) {
    const struct field *f = &s->field[s->key[i]];
    if ((e->fixed & field_mask(f)) != field_mask(f))
      return diag_fail(d, g->at, "%s: opcode field '%s' has no value; add %s=V", g->who, f->name, f->name);
    uint64_t v = (uint64_t)((e->match & field_mask(f)) >> f->lo);
    e->key = (e->key << field_width(f)) | (unsigned)v;
  }
  return true;
}

static bool derive_enc(struct spec *s, unsigned insn, unsigned format, struct diag *d) {
  if (s->n_encs == SPEC_ENCS_MAX) return diag_fail(d, s->insn[insn].at, "more than %d encodings", SPEC_ENCS_MAX);
  struct enc *e = &s->enc[s->n_encs];
  struct ledger g;
  char who[2 * TEXT_NAME_MAX];
  (void)snprintf(who, sizeof who, "%s %s", s->insn[insn].name, s->format[format].name);
  ledger_start(&g, who, s->insn[insn].at);
  e->insn = insn;
  e->format = format;
  memcpy(e->src, s->format[format].src, sizeof e->src);
  e->only_model = s->insn[insn].only_model || s->format[format].only_model;
  if (!own_all(s, e, &g, d) || !derive_key(s, e, &g, d)) return false;
  e->mask = e->fixed | ~e->owned;
  s->n_encs++;
  return true;
}

/* Where a variant moved either of two fields; else where the base declares the first. */
static struct pos placed_at(const struct field *f, const struct field *other) {
  return f->moved.line != 0 ? f->moved : other->moved.line != 0 ? other->moved : f->at;
}

/* Opcode fields, and the suffixes of each mnemonic: listed set fields that the template does not print. */
static bool derive_lists(struct spec *s, struct diag *d) {
  for (unsigned i = 0; i < s->n_fields; i++) {
    if (s->field[i].kind != K_OPCODE) continue;
    s->key_bits += field_width(&s->field[i]);
    if (s->key_bits > SPEC_KEY_BITS_MAX)
      return diag_fail(d, s->field[i].at, "opcode fields have more than %d bits together", SPEC_KEY_BITS_MAX);
    for (unsigned k = 0; k < s->n_keys; k++)
      if ((field_mask(&s->field[s->key[k]]) & field_mask(&s->field[i])) != 0)
        return diag_fail(d, placed_at(&s->field[i], &s->field[s->key[k]]), "opcode fields '%s' and '%s' overlap",
                         s->field[s->key[k]].name, s->field[i].name);
    s->key[s->n_keys++] = (uint8_t)i;
  }
  if (s->n_keys == 0) return diag_fail(d, (struct pos){s->file[0], 0}, "no field of kind 'opcode'");
  for (unsigned i = 0; i < s->n_insns; i++) {
    struct insn *in = &s->insn[i];
    for (unsigned k = 0; k < in->n_listed; k++) {
      bool printed = false;
      for (unsigned m = 0; m < in->n_elems; m++)
        printed = printed || (in->elem[m].kind == E_FIELD && in->elem[m].field == in->listed[k]);
      if (!printed && s->field[in->listed[k]].kind == K_SET) in->suffix[in->n_suffix++] = in->listed[k];
    }
  }
  return true;
}

bool spec_derive(struct spec *s, struct diag *d) {
  if (!derive_lists(s, d)) return false;
  for (unsigned i = 0; i < s->n_formats; i++)
    if (!check_format(s, &s->format[i], d)) return false;
  for (unsigned i = 0; i < s->n_insns; i++) {
    struct insn *in = &s->insn[i];
    in->first_enc = s->n_encs;
    for (unsigned k = 0; k < in->n_formats; k++)
      if (!derive_enc(s, i, in->formats[k], d)) return false;
    in->n_encs = s->n_encs - in->first_enc;
  }
  return true;
}
