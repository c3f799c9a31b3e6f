/* SPDX-License-Identifier: Apache-2.0
 * Rows for short words. */
#include "shorts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "isa/measure/compact.h"

static u128 field_bits(const struct spec *s, const char *name) {
  const unsigned f = spec_field(s, name);
  return f == SPEC_NONE ? 0 : field_mask(&s->field[f]);
}

static u128 code_mask(const struct spec *s) {
  u128 m = 0;
  for (unsigned i = 0; i < s->n_fields; i++)
    if ((CORPUS_CONTROL & CORPUS_KIND(s->field[i].kind)) != 0) m |= field_mask(&s->field[i]);
  return m;
}

static unsigned lowest(u128 m) {
  unsigned n = 0;
  while (m != 0 && (m >> n & 1) == 0) n++;
  return n;
}

static bool owns(const struct spec *s, const struct enc *e, const char *name) {
  const unsigned f = spec_field(s, name);
  return f != SPEC_NONE && enc_owns(e, f);
}

/* Does the field, as wide as it is, hold a number that sign extension makes of its lowest bits? */
static bool extends(const struct spec *s, const char *name, u128 bits, unsigned few) {
  const struct field *f = &s->field[spec_field(s, name)];
  const uint64_t v = corpus_value(f, bits), ones = (UINT64_C(1) << (field_width(f) - few + 1)) - 1;
  return v >> (few - 1) == 0 || v >> (few - 1) == ones;
}

static bool owns_place(const struct spec *s, const struct enc *e, u128 mask) {
  for (unsigned i = 0; i < e->n_fields; i++)
    if (field_mask(&s->field[e->fields[i]]) == mask) return true;
  return false;
}

/* Numbers of 32 bits, whatever they are called, lie where immediates do; so do offsets of constants. */
static enum short_kind find_short_kind(const struct spec *s, const struct enc *e, u128 bits) {
  const u128 imm = field_bits(s, "imm"), coff = field_bits(s, "coff");
  if (owns_place(s, e, imm)) {
    if (extends(s, "imm", bits, 20)) return SHORT_INT;
    return (bits & imm & ((u128)0xfff << lowest(imm))) == 0 ? SHORT_HIGH : SHORT_NONE;
  }
  if (owns(s, e, "off24")) return extends(s, "off24", bits, 12) ? SHORT_OFFSET : SHORT_NONE;
  return owns_place(s, e, coff) && (bits & ((u128)3 << lowest(coff))) == 0 ? SHORT_CONST : SHORT_NONE;
}

u128 shorts_pattern(const struct spec *s, const struct enc *e, u128 bits, enum short_kind *kind) {
  u128 taken = code_mask(s) | field_bits(s, "pg") | field_bits(s, "rd") | field_bits(s, "ra") | field_bits(s, "rc");
  *kind = find_short_kind(s, e, bits);
  if (*kind == SHORT_INT || *kind == SHORT_HIGH) taken |= field_bits(s, "imm");
  if (*kind == SHORT_OFFSET) taken |= field_bits(s, "off24") | field_bits(s, "rb");
  if (*kind == SHORT_CONST) taken |= field_bits(s, "coff") | field_bits(s, "cbank");
  if (*kind == SHORT_NONE) taken |= field_bits(s, "rb");
  return bits & ~taken;
}

/* ---- choosing */

struct work {
  const struct corpus *c;
  u128 *pattern; /* of each word; where the guard lies, the kind */
  struct patterns patterns, codes;
  bool *in_rows, *in_codes;
};

static bool rank(struct work *w, struct patterns *p, unsigned most, const bool *counts, bool *in, unsigned *different) {
  const unsigned lo = lowest(code_mask(w->c->spec));
  for (size_t i = 0; i < w->c->words; i++)
    patterns_set(p, i, p == &w->codes ? (w->c->word[i].bits & code_mask(w->c->spec)) >> lo : w->pattern[i], counts[i]);
  if (!patterns_rank(p, different)) return false;
  for (size_t i = 0; i < w->c->words; i++) in[i] = p->rank[i] < most;
  return true;
}

static void take_rows(const struct work *w, struct shorts *t) {
  const struct spec *s = w->c->spec;
  const u128 guard = field_bits(s, "pg");
  for (size_t i = 0; i < w->c->words; i++) {
    if (w->in_rows[i]) {
      struct shorts_row *r = &t->row[w->patterns.rank[i]];
      if (r->words == 0 && w->patterns.rank[i] >= t->rows) t->rows = w->patterns.rank[i] + 1;
      if (r->words == 0) r->enc = w->c->word[i].enc;
      r->bits = w->pattern[i] & ~guard;
      r->kind = (enum short_kind)((w->pattern[i] & guard) >> lowest(guard));
      r->words += w->in_codes[i];
    }
    if (w->in_codes[i]) {
      const uint32_t rank = w->codes.rank[i];
      if (rank >= t->codes) t->codes = rank + 1;
      t->code[rank].bits = (uint32_t)((w->c->word[i].bits & code_mask(s)) >> lowest(code_mask(s)));
      t->code[rank].words += w->in_rows[i];
    }
  }
}

static void count_shorts(const struct work *w, struct shorts *t) {
  for (size_t p = 0; p < w->c->programs; p++) {
    const size_t end = w->c->program[p].first + w->c->program[p].words;
    for (size_t i = w->c->program[p].first; i < end; i++) {
      const bool is = w->in_rows[i] && w->in_codes[i];
      t->short_words += is;
      t->short_runs += is ? w->c->word[i].runs : 0;
      t->runs += w->c->word[i].runs;
    }
    for (size_t i = w->c->program[p].first; i < end; t->places++) {
      const bool pair = i + 1 < end && w->in_rows[i] && w->in_codes[i] && w->in_rows[i + 1] && w->in_codes[i + 1];
      t->paired += pair ? 2 : 0;
      i += pair ? 2 : 1;
    }
  }
  t->words = w->c->words;
}

static bool choose_rows(struct work *w, unsigned rows, unsigned codes, struct shorts *t) {
  for (size_t i = 0; i < w->c->words; i++) {
    enum short_kind kind;
    const u128 bits = shorts_pattern(w->c->spec, &w->c->spec->enc[w->c->word[i].enc], w->c->word[i].bits, &kind);
    w->pattern[i] = bits | (u128)kind << lowest(field_bits(w->c->spec, "pg"));
    w->in_rows[i] = true;
  }
  unsigned different;
  for (unsigned turn = 0; turn < SHORTS_TURNS; turn++) {
    if (!rank(w, &w->codes, codes, w->in_rows, w->in_codes, &different)) return false;
    if (turn == 0) t->control_codes = different;
    if (turn == 0)
      for (size_t i = 0; i < w->c->words; i++) w->in_rows[i] = true;
    if (!rank(w, &w->patterns, rows, w->in_codes, w->in_rows, &different)) return false;
    if (turn == 0) t->patterns = different;
  }
  take_rows(w, t);
  count_shorts(w, t);
  return true;
}

bool shorts_choose(const struct corpus *c, unsigned rows, unsigned codes, struct shorts *out) {
  const u128 code = code_mask(c->spec) >> lowest(code_mask(c->spec));
  *out = (struct shorts){.rows = 0};
  if ((code & (code + 1)) != 0 || code >> 32 != 0) return false;
  struct work w = {.c = c,
                   .pattern = calloc(c->words + 1, sizeof *w.pattern),
                   .in_rows = calloc(c->words + 1, sizeof *w.in_rows),
                   .in_codes = calloc(c->words + 1, sizeof *w.in_codes)};
  bool ok = patterns_init(&w.patterns, c->words);
  ok = patterns_init(&w.codes, c->words) && ok;
  ok = ok && w.pattern && w.in_rows && w.in_codes && choose_rows(&w, rows, codes, out);
  patterns_clear(&w.patterns);
  patterns_clear(&w.codes);
  free(w.pattern);
  free(w.in_rows);
  free(w.in_codes);
  return ok;
}

void shorts_print(const struct spec *s, const struct shorts *t, FILE *f) {
  for (unsigned i = 0; i < t->rows; i++) {
    const struct shorts_row *r = &t->row[i];
    const struct enc *e = &s->enc[r->enc];
    fprintf(f, "short pattern 0x%016" PRIx64 "%016" PRIx64 " %-6s # %5" PRIu64 "  %s %s\n", (uint64_t)(r->bits >> 64),
            (uint64_t)r->bits, spec_short_kinds[r->kind], r->words, s->insn[e->insn].name, s->format[e->format].name);
  }
  for (unsigned i = 0; i < t->codes; i++)
    fprintf(f, "short code 0x%06" PRIx32 " # %5" PRIu64 "\n", t->code[i].bits, t->code[i].words);
}
