/* SPDX-License-Identifier: Apache-2.0
 *
 * What a variant says of fields that another file declared: where they lie instead, and how narrow they may become. And
 * that it is a sketch.
 */
#include <string.h>

#include "isa/gen/spec.h"

bool spec_parse_move(struct spec *s, const struct line *l, struct diag *d) {
  if (l->n != 3) return diag_fail(d, l->at, "expected 'move FIELD HI:LO'");
  unsigned i = spec_field(s, l->word[1]);
  if (i == SPEC_NONE)
    return diag_fail(d, l->at, "field '%s' is not declared; import the file that declares it first", l->word[1]);
  struct field *f = &s->field[i];
  unsigned was = field_width(f);
  if (!spec_parse_range(l, l->word[2], &f->hi, &f->lo, d)) return false;
  if (field_width(f) > was)
    return diag_fail(d, l->at, "field '%s' would grow from %u to %u bits; a move keeps the width or narrows it",
                     f->name, was, field_width(f));
  f->moved = l->at;
  if (field_width(f) < f->least && s->sketch_at.line == 0)
    return diag_fail(d, l->at, "field '%s' of %u bits is too narrow: it needs %u, for %s", f->name, field_width(f),
                     f->least, f->why);
  return spec_check_width(s, f, l->at, d);
}

bool spec_parse_least(struct spec *s, const struct line *l, struct diag *d) {
  uint64_t bits = 0;
  if (l->n != 4 || !l->quoted[3] || l->word[3][0] == '\0' || !text_number(l->word[2], &bits))
    return diag_fail(d, l->at, "expected 'least FIELD BITS \"REASON\"': how narrow a variant may make it");
  unsigned i = spec_field(s, l->word[1]);
  if (i == SPEC_NONE) return diag_fail(d, l->at, "field '%s' is not declared", l->word[1]);
  struct field *f = &s->field[i];
  if (f->least != 0) return diag_fail(d, l->at, "second 'least' of field '%s'; remove one", f->name);
  if (bits == 0 || bits > field_width(f))
    return diag_fail(d, l->at, "field '%s' has %u bits; it cannot need %llu", f->name, field_width(f),
                     (unsigned long long)bits);
  if (strlen(l->word[3]) >= sizeof f->why)
    return diag_fail(d, l->at, "the reason is longer than %zu characters", sizeof f->why - 1);
  f->least = (unsigned)bits;
  strcpy(f->why, l->word[3]);
  return true;
}

/* Where each bit goes: blocks follow each other from the top bit down. */
struct shuffle {
  unsigned to[SPEC_WORD_BITS];
  unsigned block[SPEC_WORD_BITS]; /* number of the block that holds the bit, from 1; 0: none yet */
};

static bool take_blocks(const struct line *l, struct shuffle *sh, struct diag *d) {
  unsigned top = SPEC_WORD_BITS; /* bits above and at this one are laid out */
  for (unsigned w = 1; w < l->n; w++) {
    unsigned hi = 0, lo = 0;
    if (!spec_parse_range(l, l->word[w], &hi, &lo, d)) return false;
    for (unsigned b = hi + 1; b-- > lo;) {
      if (sh->block[b] != 0)
        return diag_fail(d, l->at, "bit %u lies in blocks '%s' and '%s'; each bit lies in one", b,
                         l->word[sh->block[b]], l->word[w]);
      sh->block[b] = w;
      sh->to[b] = --top;
    }
  }
  for (unsigned b = SPEC_WORD_BITS; b-- > 0;)
    if (sh->block[b] == 0) return diag_fail(d, l->at, "bit %u lies in no block; add it", b);
  return true;
}

bool spec_parse_shuffle(struct spec *s, const struct line *l, struct diag *d) {
  struct shuffle sh = {0};
  if (!take_blocks(l, &sh, d)) return false;
  for (unsigned i = 0; i < s->n_fields; i++) {
    struct field *f = &s->field[i];
    for (unsigned b = f->lo; b <= f->hi; b++)
      if (sh.block[b] != sh.block[f->hi])
        return diag_fail(d, l->at, "field '%s' %u:%u lies in blocks '%s' and '%s'; join them", f->name, f->hi, f->lo,
                         l->word[sh.block[f->hi]], l->word[sh.block[b]]);
    f->hi = sh.to[f->hi];
    f->lo = sh.to[f->lo];
    f->moved = l->at;
  }
  return true;
}

bool spec_parse_sketch(struct spec *s, const struct line *l, struct diag *d) {
  if (l->n != 2 || !l->quoted[1] || l->word[1][0] == '\0')
    return diag_fail(d, l->at, "expected 'sketch \"REASON\"': why nothing is built of it");
  if (s->sketch_at.line != 0) return diag_fail(d, l->at, "second 'sketch' declaration; remove one");
  if (strlen(l->word[1]) >= sizeof s->sketch)
    return diag_fail(d, l->at, "the reason is longer than %zu characters", sizeof s->sketch - 1);
  strcpy(s->sketch, l->word[1]);
  s->sketch_at = l->at;
  return true;
}

bool spec_buildable(const struct spec *s, struct diag *d) {
  if (s->sketch_at.line == 0) return true;
  return diag_fail(d, s->sketch_at, "a sketch is measured, not built (%s); use 'heddle isa report'", s->sketch);
}
