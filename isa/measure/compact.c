/* SPDX-License-Identifier: Apache-2.0
 *
 * Shorter code, by report alone: tables of patterns, a mix of sizes, a shared control word.
 */
#include "compact.h"

#include <stdlib.h>
#include "isa/measure/fields.h"

/* Patterns by frequency. */

struct pattern {
  u128 bits;
  size_t at; /* its item; after counting: where the equal ones begin */
  size_t uses;
  bool counts;
};

bool patterns_init(struct patterns *p, size_t n) {
  *p = (struct patterns){calloc(n + 1, sizeof *p->item), n, calloc(n + 1, sizeof *p->rank)};
  return p->item && p->rank;
}

void patterns_clear(struct patterns *p) {
  free(p->item);
  free(p->rank);
  *p = (struct patterns){0};
}

void patterns_set(struct patterns *p, size_t i, u128 bits, bool counts) {
  p->item[i] = (struct pattern){.bits = bits, .at = i, .counts = counts};
}

static int by_bits(const void *a, const void *b) {
  const struct pattern *x = a, *y = b;
  return (x->bits > y->bits) - (x->bits < y->bits);
}

static int by_uses(const void *a, const void *b) {
  const struct pattern *x = a, *y = b;
  if (x->uses != y->uses) return (x->uses < y->uses) - (x->uses > y->uses);
  return by_bits(a, b);
}

bool patterns_rank(struct patterns *p, unsigned *different) {
  struct pattern *kind = calloc(p->n + 1, sizeof *kind);
  if (!kind) return false;
  qsort(p->item, p->n, sizeof *p->item, by_bits);
  size_t kinds = 0;
  for (size_t i = 0; i < p->n; i++) {
    if (i == 0 || p->item[i].bits != p->item[i - 1].bits)
      kind[kinds++] = (struct pattern){.bits = p->item[i].bits, .at = i};
    kind[kinds - 1].uses += p->item[i].counts;
  }
  qsort(kind, kinds, sizeof *kind, by_uses);
  *different = 0;
  for (size_t k = 0; k < kinds; k++) {
    *different += kind[k].uses > 0;
    for (size_t i = kind[k].at; i < p->n && p->item[i].bits == kind[k].bits; i++)
      p->rank[p->item[i].at] = kind[k].uses > 0 ? (uint32_t)k : PATTERNS_NEVER;
  }
  free(kind);
  return true;
}

/* Which words have a short form, and what code takes then. */

const char *const compact_way_names[COMPACT_WAYS] = {"none", "table", "mix", "shared"};

/* Registers and numbers: what lies in the payload of a short form. */
static bool in_payload(enum kind k) {
  return kind_is_register(k) || k == K_IMM32 || k == K_SINT || k == K_REL || k == K_COFF || k == K_CBANK || k == K_BREG;
}

static bool is_slot(const struct enc *e, unsigned field) {
  for (unsigned i = 0; i < 3; i++)
    if (e->src[i].kind == SLOT_IMM && e->src[i].field == field) return true;
  return false;
}

unsigned compact_payload(const struct spec *s, const struct enc *e, u128 bits, const struct spec *as) {
  unsigned n = 0;
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct field *f = &s->field[e->fields[i]];
    const unsigned there = spec_field(as, f->name);
    if (!in_payload(f->kind) && !is_slot(e, e->fields[i])) continue;
    if (kind_is_register(f->kind) || f->kind == K_BREG)
      n += there == SPEC_NONE ? 0 : field_width(&as->field[there]);
    else
      n += measure_need(f->kind, s->insn[e->insn].imm, field_width(f), corpus_value(f, bits));
  }
  return n;
}

/* Opcode fields of every encoding. */
static u128 key_mask(const struct spec *s) {
  u128 m = 0;
  for (unsigned i = 0; i < s->n_keys; i++) m |= field_mask(&s->field[s->key[i]]);
  return m;
}

static u128 modifier_mask(const struct spec *s, const struct enc *e) {
  u128 m = e->owned | e->fixed;
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct field *f = &s->field[e->fields[i]];
    if (in_payload(f->kind) || is_slot(e, e->fields[i])) m &= ~field_mask(f);
  }
  return m & ~corpus_mask(s, e, CORPUS_CONTROL | CORPUS_GUARDS) & ~key_mask(s);
}

u128 compact_modifiers(const struct spec *s, const struct enc *e, u128 bits) {
  return bits & modifier_mask(s, e);
}

/* Bits of a short form that are spent on every instruction: size, opcode, guard. */
static unsigned head_bits(const struct spec *s) {
  return 1 + s->key_bits + 4;
}

/* All that the mix has no room for is as it is when nobody says anything. */
static bool is_plain_word(const struct spec *s, const struct enc *e, u128 bits) {
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct field *f = &s->field[e->fields[i]];
    const uint64_t v = corpus_value(f, bits), ones = field_width(f) < 64 ? (UINT64_C(1) << field_width(f)) - 1 : 0;
    if (f->kind == K_REUSE && v != 0) return false;
    if (f->kind == K_PRED_WRITE || f->kind == K_UPRED_WRITE ? v != ones
        : f->kind == K_PRED_READ || f->kind == K_UPRED_READ ? v != 7
                                                            : false)
      return false;
    if (f->kind == K_NEG || f->kind == K_ABS || f->kind == K_SET ? v != 0 : false) return false;
    if (f->kind == K_UINT && !is_slot(e, e->fields[i]) && v != 0) return false;
  }
  return true;
}

/* The second counter of an instruction is that of its reading. */
static bool reads_counted(const struct spec *s, const struct enc *e, u128 bits) {
  unsigned n = 0;
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct field *f = &s->field[e->fields[i]];
    if (f->kind == K_SBSET && n++ == 1) return corpus_value(f, bits) != 7;
  }
  return false;
}

static unsigned control_in_mix(const struct spec *s, const struct enc *e) {
  unsigned n = 0, counters = 0;
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct field *f = &s->field[e->fields[i]];
    if (f->kind == K_STALL || f->kind == K_YIELD || f->kind == K_SBWAIT || (f->kind == K_SBSET && counters++ == 0))
      n += field_width(f);
  }
  return n;
}

/* Bits that are given besides the opcode fields (x, e, shape ...) cannot be said without modifiers. */
static bool fixed_besides(const struct spec *s, const struct enc *e) {
  return (e->match & e->fixed & ~key_mask(s)) != 0;
}

static bool is_mixed(const struct spec *s, const struct enc *e, u128 bits, const struct spec *as) {
  return is_plain_word(s, e, bits) && !reads_counted(s, e, bits) && !fixed_besides(s, e) &&
         head_bits(s) + control_in_mix(s, e) + compact_payload(s, e, bits, as) <= 64;
}

static unsigned count_ones(u128 v) {
  unsigned n = 0;
  for (; v != 0; v &= v - 1) n++;
  return n;
}

static bool is_narrow(const struct spec *s, const struct enc *e) {
  return count_ones((e->owned | e->fixed) & ~corpus_mask(s, e, CORPUS_CONTROL)) <= 64;
}

/* Ranks of a word's two patterns, and the room that the rest takes. */
struct shape {
  uint32_t control, modifier, payload;
};

static bool is_compact(const struct shape *w, unsigned head, unsigned control_bits, unsigned modifier_bits) {
  return w->control >> control_bits == 0 && w->modifier >> modifier_bits == 0 &&
         head + control_bits + modifier_bits + w->payload <= 64;
}

static size_t count_compact(const struct shape *w, size_t n, unsigned head, unsigned control_bits,
                            unsigned modifier_bits) {
  size_t k = 0;
  for (size_t i = 0; i < n; i++) k += is_compact(&w[i], head, control_bits, modifier_bits);
  return k;
}

/* Doubles one table after the other; both at once where neither alone helps. */
static void choose_tables(const struct shape *w, size_t n, unsigned head, struct compact_tables *t) {
  size_t now = count_compact(w, n, head, 0, 0);
  t->share[t->steps++] = n > 0 ? (double)now / (double)n : 0;
  while (t->control_bits < COMPACT_INDEX_MAX && t->modifier_bits < COMPACT_INDEX_MAX) {
    size_t most = now;
    unsigned which = 0; /* 1 control codes, 2 modifiers, 3 both */
    for (unsigned k = 1; k <= 3 && (k < 3 || which == 0); k++) {
      const size_t with = count_compact(w, n, head, t->control_bits + (k & 1), t->modifier_bits + (k >> 1));
      if (with > most) most = with, which = k;
    }
    if (which == 0) return;
    t->control_bits += which & 1;
    t->modifier_bits += which >> 1;
    now = most;
    t->share[t->steps++] = (double)now / (double)n;
  }
}

/* The programs `in` half h (2: all) make the tables: ranks for all words. */
static bool shapes(const struct corpus *c, const struct spec *as, unsigned half, struct shape *w,
                   struct compact_tables *t) {
  struct patterns control, modifier;
  bool ok = patterns_init(&control, c->words);
  ok = patterns_init(&modifier, c->words) && ok;
  for (size_t p = 0; ok && p < c->programs; p++)
    for (size_t i = c->program[p].first; i < c->program[p].first + c->program[p].words; i++) {
      const struct enc *e = &c->spec->enc[c->word[i].enc];
      patterns_set(&control, i, c->word[i].bits & corpus_mask(c->spec, e, CORPUS_CONTROL), half == 2 || p % 2 == half);
      patterns_set(&modifier, i, compact_modifiers(c->spec, e, c->word[i].bits), half == 2 || p % 2 == half);
      w[i].payload = compact_payload(c->spec, e, c->word[i].bits, as);
    }
  ok = ok && patterns_rank(&control, &t->controls) && patterns_rank(&modifier, &t->modifiers);
  for (size_t i = 0; ok && i < c->words; i++) w[i].control = control.rank[i], w[i].modifier = modifier.rank[i];
  patterns_clear(&control);
  patterns_clear(&modifier);
  return ok;
}

/* Words that are compact with sizes as chosen and contents that the other half of the programs has. */
static bool hold_out(const struct corpus *c, const struct spec *as, struct shape *w, struct compact *out) {
  size_t n = 0;
  for (unsigned half = 0; half < 2; half++) {
    struct compact_tables ignored = {0};
    if (!shapes(c, as, half, w, &ignored)) return false;
    for (size_t p = 0; p < c->programs; p++)
      for (size_t i = c->program[p].first; p % 2 != half && i < c->program[p].first + c->program[p].words; i++)
        n += is_compact(&w[i], head_bits(c->spec), out->tables.control_bits, out->tables.modifier_bits);
  }
  out->held_out = c->words > 0 ? (double)n / (double)c->words : 0;
  return true;
}

static void sum_programs(const struct corpus *c, enum compact_way way, struct compact *out) {
  for (size_t p = 0; p < c->programs; p++) {
    size_t bytes = 0;
    for (size_t i = c->program[p].first; i < c->program[p].first + c->program[p].words; i++) {
      const uint8_t b = out->bytes[way][i];
      const double with_control = way == COMPACT_SHARED ? b * 4.0 / 3.0 : b;
      bytes += b;
      out->short_words[way] += b == COMPACT_SHORT;
      out->short_runs[way] += b == COMPACT_SHORT ? c->word[i].runs : 0;
      out->total_runs[way] += with_control * (double)c->word[i].runs;
    }
    if (way == COMPACT_SHARED) bytes = (bytes + 23) / 24 * 32;
    out->total[way] += (double)bytes;
  }
}

static void fill_sizes(const struct corpus *c, const struct spec *as, const struct shape *w, struct compact *out) {
  const struct compact_tables *t = &out->tables;
  for (size_t i = 0; i < c->words; i++) {
    const struct enc *e = &c->spec->enc[c->word[i].enc];
    const u128 bits = c->word[i].bits;
    const bool is[COMPACT_WAYS] = {false, is_compact(&w[i], head_bits(c->spec), t->control_bits, t->modifier_bits),
                                   is_mixed(c->spec, e, bits, as), is_narrow(c->spec, e)};
    for (unsigned way = 0; way < COMPACT_WAYS; way++) out->bytes[way][i] = is[way] ? COMPACT_SHORT : COMPACT_LONG;
  }
  for (unsigned way = 0; way < COMPACT_WAYS; way++) sum_programs(c, way, out);
}

bool compact_make(const struct corpus *c, const struct spec *as, struct compact *out) {
  *out = (struct compact){.corpus = c};
  struct shape *w = calloc(c->words + 1, sizeof *w);
  bool ok = w && shapes(c, as, 2, w, &out->tables);
  for (unsigned way = 0; ok && way < COMPACT_WAYS; way++) {
    out->bytes[way] = calloc(c->words + 1, 1);
    ok = out->bytes[way] != NULL;
  }
  if (ok) {
    choose_tables(w, c->words, head_bits(c->spec), &out->tables);
    fill_sizes(c, as, w, out);
    ok = hold_out(c, as, w, out);
  }
  free(w);
  if (!ok) compact_clear(out);
  return ok;
}

void compact_clear(struct compact *c) {
  for (unsigned way = 0; way < COMPACT_WAYS; way++) free(c->bytes[way]);
  *c = (struct compact){0};
}
