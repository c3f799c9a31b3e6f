/* SPDX-License-Identifier: Apache-2.0
 *
 * What can only be seen once the encodings exist: ambiguity, fields that
 * nothing prints, names the decoders rely on.
 */
#include <inttypes.h>
#include <string.h>

#include "names.h"
#include "spec.h"

bool enc_owns(const struct enc *e, unsigned field) {
  return memchr(e->fields, (int)field, e->n_fields) != NULL;
}

unsigned enc_field_of_kind(const struct spec *s, const struct enc *e, enum kind k) {
  for (unsigned i = 0; i < e->n_fields; i++)
    if (s->field[e->fields[i]].kind == k) return e->fields[i];
  return SPEC_NONE;
}

/* Decoders give these kinds one place each, found by name. */
static bool check_names(const struct spec *s, struct diag *d) {
  static const struct {
    enum kind kind;
    const char *name[4];
    const char *all;
  } table[] = {{K_PRED_WRITE, {"pd0", "pd1"}, "pd0 or pd1"},
               {K_PRED_READ, {"ps0", "ps1", "ps2"}, "ps0, ps1 or ps2"},
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

/* Decoded words have one place for each of these. */
static bool check_single(const struct spec *s, const struct enc *e, const char *who, struct diag *d) {
  static const enum kind single[] = {K_GUARD, K_GPR_WRITE, K_IMM32,  K_COFF, K_CBANK,
                                     K_STALL, K_YIELD,     K_SBWAIT, K_REUSE};
  for (size_t k = 0; k < sizeof single / sizeof *single; k++) {
    unsigned n = 0;
    for (unsigned i = 0; i < e->n_fields; i++) n += s->field[e->fields[i]].kind == single[k];
    if (n > 1)
      return diag_fail(d, s->insn[e->insn].at, "%s: owns %u fields of kind '%s'; one is possible", who, n,
                       spec_kind_names[single[k]]);
  }
  return true;
}

static bool in_list(const uint8_t *list, unsigned n, unsigned field) {
  return memchr(list, (int)field, n) != NULL;
}

/* An owned field that cannot be written in assembly would be a hole in the language. */
static bool check_printed(const struct spec *s, const struct enc *e, const char *who, struct diag *d) {
  const struct insn *in = &s->insn[e->insn];
  for (unsigned i = 0; i < e->n_fields; i++) {
    unsigned f = e->fields[i];
    enum kind k = s->field[f].kind;
    bool slot = false, printed = false;
    for (unsigned o = 0; o < 3; o++) {
      const struct slot *sl = &e->src[o];
      slot = slot || sl->field == f || sl->neg == f || sl->abs == f ||
             (sl->kind == SLOT_CONST && (k == K_COFF || k == K_CBANK));
    }
    for (unsigned m = 0; m < in->n_elems; m++)
      printed = printed || (in->elem[m].kind == E_FIELD && in->elem[m].field == f);
    bool control = k == K_GUARD || k >= K_STALL;
    if ((k == K_GPR_READ || k == K_IMM32 || k == K_NEG || k == K_ABS || k == K_COFF) && !slot)
      return diag_fail(d, in->at, "%s: field '%s' of kind '%s' is not behind an operand; write a=%s in the format", who,
                       s->field[f].name, spec_kind_names[k], s->field[f].name);
    if (!slot && !printed && !control && !in_list(in->suffix, in->n_suffix, f))
      return diag_fail(d, in->at, "%s: field '%s' is owned but nothing prints it; add {%s} to the syntax", who,
                       s->field[f].name, s->field[f].name);
    if (printed && (slot || control))
      return diag_fail(d, in->at, "%s: field '%s' is printed twice; remove {%s} from the syntax", who, s->field[f].name,
                       s->field[f].name);
  }
  return true;
}

static bool check_wide(const struct spec *s, const struct enc *e, const char *who, struct diag *d) {
  const struct insn *in = &s->insn[e->insn];
  for (unsigned i = 0; i < 4; i++) {
    const struct wide *w = &in->wide[i];
    if (w->words == 1) continue;
    bool there = i < 3 ? e->src[i].kind != SLOT_NONE : enc_field_of_kind(s, e, K_GPR_WRITE) != SPEC_NONE;
    if (!there)
      return diag_fail(d, in->at, "%s: wide names '%s', which the encoding does not have", who,
                       i < 3 ? (const char *[]){"a", "b", "c"}[i] : "rd");
    if (w->words == 0 && !enc_owns(e, w->field))
      return diag_fail(d, in->at, "%s: wide uses field '%s', which the encoding does not own", who,
                       s->field[w->field].name);
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
  for (unsigned i = 0; i < s->n_encs; i++) {
    const struct enc *e = &s->enc[i];
    char who[2 * TEXT_NAME_MAX];
    (void)snprintf(who, sizeof who, "%s %s", s->insn[e->insn].name, s->format[e->format].name);
    if (!check_single(s, e, who, d) || !check_printed(s, e, who, d) || !check_wide(s, e, who, d)) return false;
  }
  for (unsigned i = 0; i < s->n_insns; i++)
    if (!check_imm(s, &s->insn[i], d)) return false;
  return check_ambiguity(s, d) && names_check(s, d);
}
