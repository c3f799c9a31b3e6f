/* SPDX-License-Identifier: Apache-2.0
 * How many bits the numbers of a corpus need, and what does not fit. */
#include <limits.h>
#include <string.h>

#include "isa/measure/fields.h"

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

bool measure_fits(const struct spec *base, const struct enc *e, unsigned field, const struct spec *as, uint64_t value) {
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
