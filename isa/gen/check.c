/* SPDX-License-Identifier: Apache-2.0
 *
 * What can only be seen once all encodings exist: ambiguity in words and in
 * text, names the decoders rely on.
 */
#include <inttypes.h>
#include <string.h>

#include "isa/gen/names.h"
#include "isa/gen/spec.h"

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
