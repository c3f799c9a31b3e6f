/* SPDX-License-Identifier: Apache-2.0
 *
 * From instructions and formats to encodings: who owns which bit, from that match and mask.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "isa/gen/emit.h"
#include "isa/gen/spec.h"

/* One encoding by itself: what a decoded word has one place for, fields that
 * nothing prints, sizes of operands, what the RTL can take. */

static unsigned count_kinds(const struct spec *s, const struct enc *e, enum kind k, enum kind other) {
  unsigned n = 0;
  for (unsigned i = 0; i < e->n_fields; i++) {
    enum kind f = s->field[e->fields[i]].kind;
    n += f == k || f == other;
  }
  return n;
}

/* Decoded words have one place for each of these, and one for a kind and its uniform kin together. */
static bool check_single(const struct spec *s, const struct enc *e, const char *who, struct diag *d) {
  static const struct {
    enum kind kind, other;
    const char *name;
  } single[] = {{K_GUARD, K_UGUARD, "'guard' or 'uguard'"},
                {K_GPR_WRITE, K_UGPR_WRITE, "'gpr.write' or 'ugpr.write'"},
                {K_IMM32, K_IMM32, "'imm32'"},
                {K_COFF, K_COFF, "'coff'"},
                {K_CBANK, K_CBANK, "'cbank'"},
                {K_STALL, K_STALL, "'stall'"},
                {K_YIELD, K_YIELD, "'yield'"},
                {K_SBWAIT, K_SBWAIT, "'sbwait'"},
                {K_REUSE, K_REUSE, "'reuse'"}};
  for (size_t k = 0; k < sizeof single / sizeof *single; k++) {
    unsigned n = count_kinds(s, e, single[k].kind, single[k].other);
    if (n > 1)
      return diag_fail(d, s->insn[e->insn].at, "%s: owns %u fields of kind %s; one is possible", who, n,
                       single[k].name);
  }
  if (count_kinds(s, e, K_GUARD, K_UGUARD) == 0)
    return diag_fail(d, s->insn[e->insn].at, "%s: owns no guard; add a field of kind 'guard' or 'uguard'", who);
  return true;
}

/* Predicate sources are all of one kind, and so are predicate destinations. */
static bool check_mixed(const struct spec *s, const struct enc *e, const char *who, struct diag *d) {
  static const struct {
    enum kind plain, uniform;
  } pair[] = {{K_PRED_READ, K_UPRED_READ}, {K_PRED_WRITE, K_UPRED_WRITE}};
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    unsigned p = enc_field_of_kind(s, e, pair[i].plain), u = enc_field_of_kind(s, e, pair[i].uniform);
    if (p != SPEC_NONE && u != SPEC_NONE)
      return diag_fail(d, s->insn[e->insn].at,
                       "%s: '%s' is a predicate of the thread and '%s' one of the warp; use one kind", who,
                       s->field[p].name, s->field[u].name);
  }
  return true;
}

/* The place where a field is written in assembly: behind an operand, in the control code, in the template. */
struct printed {
  bool slot, control, syntax, suffix;
};

static struct printed find_printed(const struct spec *s, const struct enc *e, unsigned f) {
  const struct insn *in = &s->insn[e->insn];
  enum kind k = s->field[f].kind;
  struct printed p = {0};
  for (unsigned o = 0; o < 3; o++) {
    const struct slot *sl = &e->src[o];
    p.slot = p.slot || sl->field == f || sl->neg == f || sl->abs == f || sl->part == f ||
             (sl->kind == SLOT_CONST && (k == K_COFF || k == K_CBANK));
  }
  for (unsigned m = 0; m < in->n_elems; m++)
    p.syntax = p.syntax || (in->elem[m].kind == E_FIELD && in->elem[m].field == f);
  p.control = k == K_GUARD || k == K_UGUARD || (k >= K_STALL && k <= K_REUSE);
  p.suffix = memchr(in->suffix, (int)f, in->n_suffix) != NULL;
  return p;
}

/* An owned field that cannot be written in assembly would be a hole in the language. */
static bool check_printed(const struct spec *s, const struct enc *e, const char *who, struct diag *d) {
  const struct insn *in = &s->insn[e->insn];
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct field *f = &s->field[e->fields[i]];
    enum kind k = f->kind;
    struct printed p = find_printed(s, e, e->fields[i]);
    bool needs_slot = k == K_GPR_READ || k == K_UGPR_READ || k == K_IMM32 || k == K_NEG || k == K_ABS || k == K_COFF;
    if (needs_slot && !p.slot)
      return diag_fail(d, in->at, "%s: field '%s' of kind '%s' is not behind an operand; write a=%s in the format", who,
                       f->name, spec_kind_names[k], f->name);
    if (!p.slot && !p.syntax && !p.control && !p.suffix)
      return diag_fail(d, in->at, "%s: field '%s' is owned but nothing prints it; add {%s} to the syntax", who, f->name,
                       f->name);
    if (p.slot && p.suffix)
      return diag_fail(d, in->at, "%s: field '%s' is printed twice; remove it from the field list", who, f->name);
    if (p.syntax && (p.slot || p.control))
      return diag_fail(d, in->at, "%s: field '%s' is printed twice; remove {%s} from the syntax", who, f->name,
                       f->name);
  }
  return true;
}

static bool check_wide(const struct spec *s, const struct enc *e, const char *who, struct diag *d) {
  const struct insn *in = &s->insn[e->insn];
  for (unsigned i = 0; i < 4; i++) {
    const struct wide *w = &in->wide[i];
    if (w->words == 1) continue;
    bool there = i < 3 ? e->src[i].kind != SLOT_NONE : enc_field_of_kinds(s, e, K_GPR_WRITE, K_UGPR_WRITE) != SPEC_NONE;
    if (!there)
      return diag_fail(d, in->at, "%s: wide names '%s', which the encoding does not have", who,
                       i < 3 ? (const char *[]){"a", "b", "c"}[i] : "rd");
    if (w->words == 0 && !enc_owns(e, w->field))
      return diag_fail(d, in->at, "%s: wide uses field '%s', which the encoding does not own", who,
                       s->field[w->field].name);
  }
  return true;
}

/* The package's decoded word has no place for these. */
static bool check_rtl(const struct spec *s, const struct enc *e, const char *who, struct diag *d) {
  const char *what = NULL;
  if (e->only_model) return true;
  for (unsigned o = 0; o < 3; o++)
    if (slot_is_short(s, &e->src[o])) {
      if (o == 0) what = "a short immediate as operand a";
      if (field_width(&s->field[e->src[o].field]) > SPEC_SHORT_BITS_MAX)
        what = "a short immediate of more than 16 bits";
    }
  return what == NULL ? true
                      : diag_fail(d, s->insn[e->insn].at, "%s: has %s, which the RTL cannot take yet; add only=model",
                                  who, what);
}

static bool spec_check_enc(const struct spec *s, const struct enc *e, struct diag *d) {
  char who[2 * TEXT_NAME_MAX];
  (void)snprintf(who, sizeof who, "%s %s", s->insn[e->insn].name, s->format[e->format].name);
  return check_single(s, e, who, d) && check_mixed(s, e, who, d) && check_printed(s, e, who, d) &&
         check_wide(s, e, who, d) && check_rtl(s, e, who, d);
}

/* What can only be seen once all encodings exist: ambiguity in words and in
 * text, names the decoders rely on. */

bool enc_owns(const struct enc *e, unsigned field) {
  return memchr(e->fields, (int)field, e->n_fields) != NULL;
}

unsigned enc_field_of_kind(const struct spec *s, const struct enc *e, enum kind k) {
  for (unsigned i = 0; i < e->n_fields; i++)
    if (s->field[e->fields[i]].kind == k) return e->fields[i];
  return SPEC_NONE;
}

unsigned enc_field_of_kinds(const struct spec *s, const struct enc *e, enum kind k, enum kind other) {
  unsigned f = enc_field_of_kind(s, e, k);
  return f != SPEC_NONE ? f : enc_field_of_kind(s, e, other);
}

/* Decoders give these kinds one place each, found by name. */
static bool check_names(const struct spec *s, struct diag *d) {
  static const struct {
    enum kind kind;
    const char *name[4];
    const char *all;
  } table[] = {{K_PRED_WRITE, {"pd0", "pd1"}, "pd0 or pd1"},
               {K_PRED_READ, {"ps0", "ps1", "ps2"}, "ps0, ps1 or ps2"},
               {K_UPRED_WRITE, {"upd0", "upd1"}, "upd0 or upd1"},
               {K_UPRED_READ, {"ups0", "ups1", "ups2"}, "ups0, ups1 or ups2"},
               {K_SBSET, {"wbar", "rbar"}, "wbar or rbar"}};
  for (unsigned i = 0; i < s->n_fields; i++)
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
      const struct field *f = &s->field[i];
      bool known = f->kind != table[k].kind;
      for (unsigned m = 0; table[k].name[m] != NULL; m++) known = known || strcmp(f->name, table[k].name[m]) == 0;
      if (!known)
        return diag_fail(d, f->at, "field '%s': a field of kind '%s' is named %s", f->name, spec_kind_names[f->kind],
                         table[k].all);
    }
  return true;
}

static bool check_imm(const struct spec *s, const struct insn *in, struct diag *d) {
  bool any = false;
  for (unsigned i = 0; i < in->n_encs; i++)
    for (unsigned o = 0; o < 3; o++) any = any || s->enc[in->first_enc + i].src[o].kind == SLOT_IMM;
  return any || in->imm == 0
             ? true
             : diag_fail(d, in->at, "%s: imm= is given but no format has an immediate; remove it", in->name);
}

/* The assembler tells the encodings of an instruction apart by the kinds of their operands alone. */
static bool check_text(const struct spec *s, const struct insn *in, struct diag *d) {
  for (unsigned i = 0; i < in->n_encs; i++)
    for (unsigned k = 0; k < i; k++) {
      const struct enc *a = &s->enc[in->first_enc + k], *b = &s->enc[in->first_enc + i];
      bool differ = false;
      for (unsigned o = 0; o < 3; o++) differ = differ || a->src[o].kind != b->src[o].kind;
      if (!differ)
        return diag_fail(d, in->at, "%s: formats '%s' and '%s' have the same kinds of operands; remove one", in->name,
                         s->format[a->format].name, s->format[b->format].name);
    }
  return true;
}

static bool check_ambiguity(const struct spec *s, struct diag *d) {
  for (unsigned i = 0; i < s->n_encs; i++)
    for (unsigned k = 0; k < i; k++) {
      const struct enc *a = &s->enc[k], *b = &s->enc[i];
      if (((a->match ^ b->match) & a->mask & b->mask) != 0) continue;
      u128 w = a->match | b->match;
      const struct insn *ia = &s->insn[a->insn], *ib = &s->insn[b->insn];
      return diag_fail(d, ib->at,
                       "%s %s and %s %s (%s:%u) both match 0x%016" PRIx64 "%016" PRIx64
                       "; give them different fixed fields",
                       ib->name, s->format[b->format].name, ia->name, s->format[a->format].name, ia->at.file,
                       ia->at.line, (uint64_t)(w >> 64), (uint64_t)w);
    }
  return true;
}

bool spec_check(struct spec *s, struct diag *d) {
  if (!check_names(s, d)) return false;
  for (unsigned i = 0; i < s->n_encs; i++)
    if (!spec_check_enc(s, &s->enc[i], d)) return false;
  for (unsigned i = 0; i < s->n_insns; i++)
    if (!check_imm(s, &s->insn[i], d) || !check_text(s, &s->insn[i], d)) return false;
  return check_ambiguity(s, d) && names_check(s, d);
}

/* Encodings. Overlap within one is found here. */

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
