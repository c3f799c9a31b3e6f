/* SPDX-License-Identifier: Apache-2.0
 * Bits spent and bits said, field by field. */
#include <math.h>
#include <stdlib.h>

#include "isa/measure/fields.h"

double measure_entropy(const uint64_t *count, size_t n) {
  double total = 0, sum = 0;
  for (size_t i = 0; i < n; i++) total += (double)count[i];
  for (size_t i = 0; i < n; i++)
    if (count[i] > 0) sum -= (double)count[i] / total * log2((double)count[i] / total);
  return sum > 0 ? sum : 0;
}

struct sample {
  uint64_t value, runs;
};

static int by_sample_value(const void *a, const void *b) {
  const struct sample *x = a, *y = b;
  return (x->value > y->value) - (x->value < y->value);
}

/* Does a word of this encoding have the field, be it with a fixed value? */
static bool word_has_field(const struct spec *s, const struct enc *e, unsigned field) {
  if (enc_owns(e, field)) return true;
  const struct insn *in = &s->insn[e->insn];
  const struct format *f = &s->format[e->format];
  for (unsigned i = 0; i < in->n_fixed; i++)
    if (in->fixed[i].field == field) return true;
  for (unsigned i = 0; i < f->n_fixed; i++)
    if (f->fixed[i].field == field) return true;
  return false;
}

/* Equal values lie together: counts of each go where the samples were. */
static void count_values(struct sample *v, size_t n, uint64_t *words, uint64_t *runs, struct field_measure *m) {
  qsort(v, n, sizeof *v, by_sample_value);
  size_t values = 0;
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || v[i].value != v[i - 1].value) words[values] = runs[values] = 0, values++;
    words[values - 1]++;
    runs[values - 1] += v[i].runs;
    m->words++;
    m->runs += v[i].runs;
  }
  m->values = (unsigned)values;
  m->entropy = measure_entropy(words, values);
  m->entropy_runs = measure_entropy(runs, values);
}

static void measure_field(const struct corpus *c, const struct spec *as, unsigned field, struct sample *v,
                          uint64_t *words, uint64_t *runs, struct field_measure *m) {
  const struct field *f = &c->spec->field[field];
  const unsigned there = spec_field(as, f->name);
  size_t n = 0;
  *m = (struct field_measure){.width = there == SPEC_NONE ? 0 : field_width(&as->field[there])};
  for (size_t i = 0; i < c->words; i++) {
    const struct corpus_word *w = &c->word[i];
    const struct enc *e = &c->spec->enc[w->enc];
    if (!word_has_field(c->spec, e, field)) continue;
    v[n] = (struct sample){corpus_value(f, w->bits), w->runs};
    if (!measure_fits(c->spec, e, field, as, v[n].value)) m->unfit++, m->unfit_runs += w->runs;
    n++;
  }
  count_values(v, n, words, runs, m);
}

bool measure_fields(const struct corpus *c, const struct spec *as, struct field_measure out[SPEC_FIELDS_MAX]) {
  struct sample *v = calloc(c->words + 1, sizeof *v);
  uint64_t *words = calloc(c->words + 1, sizeof *words), *runs = calloc(c->words + 1, sizeof *runs);
  const bool ok = v && words && runs;
  for (unsigned f = 0; ok && f < c->spec->n_fields; f++) measure_field(c, as, f, v, words, runs, &out[f]);
  free(v);
  free(words);
  free(runs);
  return ok;
}
