/* SPDX-License-Identifier: Apache-2.0 */
#include "layout.h"

const char *layout_kind(const struct spec *s, const struct field *fl) {
  if (fl->kind == K_UINT) return "unsigned";
  if (fl->kind == K_SINT) return "signed";
  return fl->kind == K_SET ? s->set[fl->set].name : spec_kind_names[fl->kind];
}

static unsigned owner_of_fixed(const struct spec *s, const struct fixed *list, unsigned n, unsigned bit) {
  for (unsigned i = 0; i < n; i++)
    if ((field_mask(&s->field[list[i].field]) >> bit & 1) != 0) return list[i].field;
  return SPEC_NONE;
}

/* Who owns a bit of an encoding: an owned field, a fixed field, or nobody. */
static unsigned owner(const struct spec *s, const struct enc *e, unsigned bit) {
  for (unsigned i = 0; i < e->n_fields; i++)
    if ((field_mask(&s->field[e->fields[i]]) >> bit & 1) != 0) return e->fields[i];
  const struct format *fm = &s->format[e->format];
  const struct insn *in = &s->insn[e->insn];
  unsigned who = owner_of_fixed(s, fm->fixed, fm->n_fixed, bit);
  return who != SPEC_NONE ? who : owner_of_fixed(s, in->fixed, in->n_fixed, bit);
}

static void of_operand(const struct field *fl, const struct enc *e, struct layout_run *r) {
  for (unsigned i = 0; i < 3; i++) {
    const struct slot *sl = &e->src[i];
    bool slot = sl->field == r->field || (sl->kind == SLOT_CONST && (fl->kind == K_COFF || fl->kind == K_CBANK));
    bool change = sl->neg == r->field || sl->abs == r->field || sl->part == r->field;
    if (!slot && !change) continue;
    r->operand = (char)('a' + i);
    r->of_operand = !slot;
  }
}

unsigned layout_of(const struct spec *s, const struct enc *e, struct layout_run run[SPEC_WORD_BITS]) {
  unsigned n = 0;
  for (unsigned hi = SPEC_WORD_BITS; hi-- > 0; n++) {
    struct layout_run *r = &run[n];
    *r = (struct layout_run){.hi = hi, .lo = hi, .field = owner(s, e, hi)};
    while (r->lo > 0 && owner(s, e, r->lo - 1) == r->field) r->lo--;
    hi = r->lo;
    if (r->field == SPEC_NONE) continue;
    const struct field *fl = &s->field[r->field];
    r->fixed = (e->fixed & field_mask(fl)) != 0;
    if (r->fixed)
      r->value = (uint64_t)((e->match & field_mask(fl)) >> fl->lo);
    else
      of_operand(fl, e, r);
  }
  return n;
}

unsigned layout_reserved(const struct spec *s, const struct enc *e) {
  unsigned reserved = 0;
  for (unsigned b = 0; b < SPEC_WORD_BITS; b++) reserved += owner(s, e, b) == SPEC_NONE;
  return reserved;
}
