/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs and their words: bits spent and bits said by field, and how many bits numbers need.
 */
#include "fields.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/array.h"

static bool measure_fits(const struct spec *base, const struct enc *e, unsigned field, const struct spec *as,
                         uint64_t value);

/* Programs, and which encoding their words are of. */

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

/* Bits spent and bits said, field by field. */

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

/* How many bits the numbers of a corpus need, and what does not fit. */

static unsigned length(uint64_t v) {
  unsigned n = 0;
  for (; v != 0; v >>= 1) n++;
  return n;
}

/* Two's complement of `width` bits. */
static unsigned signed_length(uint64_t v, unsigned width) {
  const bool negative = width > 0 && width < 64 && (v >> (width - 1) & 1) != 0;
  if (negative) v = ~v & ((UINT64_C(1) << width) - 1);
  return v == 0 && !negative ? 0 : length(v) + 1;
}

static bool is_float(unsigned imm) {
  const char *type = imm > 0 ? spec_imm_types[imm - 1] : "";
  return type[0] == 'f';
}

static bool is_unsigned(unsigned imm) {
  return imm > 0 && spec_imm_types[imm - 1][0] == 'u';
}

unsigned measure_need(enum kind kind, unsigned imm, unsigned width, uint64_t value) {
  if (kind == K_SINT || kind == K_REL) return signed_length(value, width);
  if (kind != K_IMM32 || is_unsigned(imm)) return length(value);
  if (!is_float(imm)) return signed_length(value, width);
  unsigned zeros = 0;
  while (zeros < width && (value >> zeros & 1) == 0) zeros++;
  return width - zeros;
}

/* Can the field of `as` hold this value of the same field of the corpus? A register must be below the narrower RZ. */
static bool measure_fits(const struct spec *base, const struct enc *e, unsigned field, const struct spec *as,
                         uint64_t value) {
  const struct field *f = &base->field[field];
  const unsigned there = spec_field(as, f->name);
  if (there == SPEC_NONE) return value == 0;
  const unsigned was = field_width(f), is = field_width(&as->field[there]);
  if (is >= was) return true;
  if (!kind_is_register(f->kind)) return measure_need(f->kind, base->insn[e->insn].imm, was, value) <= is;
  return value == (UINT64_C(1) << was) - 1 || value < (UINT64_C(1) << is) - 1;
}

/* NOPs behind one that stalls longer than it can say: each stalls as long as it can. */
static unsigned stall_words(const struct field *f, const struct spec *as, uint64_t stall) {
  const unsigned there = spec_field(as, f->name), width = there == SPEC_NONE ? 1 : field_width(&as->field[there]);
  const unsigned most = (1u << width) - 1;
  return ((unsigned)stall + most - 1) / most - 1;
}

unsigned measure_words(const struct corpus *c, const struct corpus_word *w, const struct spec *as) {
  const struct enc *e = &c->spec->enc[w->enc];
  unsigned n = 1;
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct field *f = &c->spec->field[e->fields[i]];
    if (measure_fits(c->spec, e, e->fields[i], as, corpus_value(f, w->bits))) continue;
    if (kind_is_register(f->kind)) return UINT_MAX;
    n += f->kind == K_STALL ? stall_words(f, as, corpus_value(f, w->bits)) : 1;
  }
  return n;
}

/* An operand or a distance; sets, truth tables and the like are not. */
static bool is_number(const struct spec *s, const struct enc *e, unsigned field) {
  switch (s->field[field].kind) {
  case K_IMM32:
  case K_SINT:
  case K_REL:
  case K_COFF:
    return true;
  case K_UINT:
    for (unsigned i = 0; i < 3; i++)
      if (e->src[i].kind == SLOT_IMM && e->src[i].field == field) return true;
    return strncmp(s->field[field].name, "abs", 3) == 0;
  default:
    return false;
  }
}

static struct number_measure *entry(struct number_measure *out, size_t *n, size_t most, unsigned format,
                                    unsigned field) {
  size_t at = 0;
  while (at < *n && (out[at].format < format || (out[at].format == format && out[at].field < field))) at++;
  if (at < *n && out[at].format == format && out[at].field == field) return &out[at];
  if (*n == most) return NULL;
  memmove(&out[at + 1], &out[at], (*n - at) * sizeof *out);
  out[at] = (struct number_measure){.format = format, .field = field};
  (*n)++;
  return &out[at];
}

size_t measure_numbers(const struct corpus *c, struct number_measure *out, size_t most) {
  size_t n = 0;
  for (size_t i = 0; i < c->words; i++) {
    const struct corpus_word *w = &c->word[i];
    const struct enc *e = &c->spec->enc[w->enc];
    for (unsigned k = 0; k < e->n_fields; k++) {
      const struct field *f = &c->spec->field[e->fields[k]];
      if (!is_number(c->spec, e, e->fields[k])) continue;
      struct number_measure *m = entry(out, &n, most, e->format, e->fields[k]);
      if (!m) continue;
      unsigned need = measure_need(f->kind, c->spec->insn[e->insn].imm, field_width(f), corpus_value(f, w->bits));
      if (need >= MEASURE_NEED_MAX) need = MEASURE_NEED_MAX - 1;
      m->words++;
      m->runs += w->runs;
      m->need[need]++;
      m->need_runs[need] += w->runs;
    }
  }
  return n;
}

uint64_t measure_above(const uint64_t need[MEASURE_NEED_MAX], unsigned bits) {
  uint64_t n = 0;
  for (unsigned b = bits + 1; b < MEASURE_NEED_MAX; b++) n += need[b];
  return n;
}
