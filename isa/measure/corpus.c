/* SPDX-License-Identifier: Apache-2.0
 * Programs, and which encoding their words are of. */
#include "corpus.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void corpus_init(struct corpus *c, const struct spec *spec) {
  *c = (struct corpus){.spec = spec};
}

void corpus_clear(struct corpus *c) {
  free(c->word);
  free(c->program);
  *c = (struct corpus){.spec = c->spec};
}

unsigned corpus_encoding(const struct spec *s, u128 bits) {
  for (unsigned i = 0; i < s->n_encs; i++)
    if ((bits & s->enc[i].mask) == s->enc[i].match) return i;
  return SPEC_ENCS_MAX;
}

bool corpus_add(struct corpus *c, const char *name, const u128 *bits, const uint64_t *runs, size_t n, struct diag *d) {
  const struct pos at = {name, 0};
  if (!array_room(&c->word, &c->words_room, c->words + n, sizeof *c->word) ||
      !array_room(&c->program, &c->programs_room, c->programs + 1, sizeof *c->program))
    return diag_fail(d, at, "out of memory");
  for (size_t i = 0; i < n; i++) {
    const unsigned enc = corpus_encoding(c->spec, bits[i]);
    if (enc == SPEC_ENCS_MAX) return diag_fail(d, at, "word %zu is no instruction of '%s'", i, c->spec->name);
    c->word[c->words + i] = (struct corpus_word){bits[i], runs ? runs[i] : 0, (uint16_t)enc};
  }
  struct corpus_program *p = &c->program[c->programs++];
  *p = (struct corpus_program){.first = c->words, .words = n};
  (void)snprintf(p->name, sizeof p->name, "%s", name);
  c->words += n;
  return true;
}

u128 corpus_mask(const struct spec *s, const struct enc *e, uint64_t kinds) {
  u128 mask = 0;
  for (unsigned i = 0; i < e->n_fields; i++)
    if (kinds & CORPUS_KIND(s->field[e->fields[i]].kind)) mask |= field_mask(&s->field[e->fields[i]]);
  return mask;
}
