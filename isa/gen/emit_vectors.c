/* SPDX-License-Identifier: Apache-2.0
 *
 * isa_vectors.txt: legal words of every encoding, each owned field at its
 * extremes (every value of a set), then random ones. Same file every time.
 */
#include <inttypes.h>

#include "isa/gen/emit.h"
#include "base/splitmix64.h"

enum { RANDOM_WORDS = 16 };

static uint64_t field_ones(const struct field *fl) {
  unsigned w = field_width(fl);
  return w >= 64 ? UINT64_MAX : ((uint64_t)1 << w) - 1;
}

static uint64_t get_field(u128 w, const struct field *fl) {
  return (uint64_t)((w & field_mask(fl)) >> fl->lo);
}

static u128 put_field(u128 w, const struct field *fl, uint64_t v) {
  return (w & ~field_mask(fl)) | ((u128)(v & field_ones(fl)) << fl->lo);
}

/* The legal value at or cyclically above v. */
static uint64_t legalize(const struct spec *s, const struct field *fl, uint64_t v) {
  v &= field_ones(fl);
  if (fl->kind == K_SBSET && v == 6) return 7;
  if (fl->kind == K_COFF) return v & ~(uint64_t)3;
  if (fl->kind == K_REL) return v & ~(uint64_t)15;
  if (fl->kind == K_SET)
    while (!s->set[fl->set].legal[v]) v = (v + 1) & field_ones(fl);
  return v;
}

/* A register number to a multiple of the operand's words (RZ as it is), a constant's offset to that of its bytes. */
static u128 align(const struct spec *s, u128 w, unsigned field, const struct wide *wide) {
  if (field == SPEC_NONE) return w;
  const struct field *fl = &s->field[field];
  unsigned n = wide->words;
  if (n == 0) n = s->set[s->field[wide->field].set].words[get_field(w, &s->field[wide->field])];
  uint64_t v = get_field(w, fl);
  if (fl->kind == K_COFF) return put_field(w, fl, v - v % (4 * n));
  if (v == field_ones(fl)) return w;
  v -= v % n;
  if (fl->kind != K_GPR_READ && fl->kind != K_GPR_WRITE && v + n > field_ones(fl))
    v -= n; /* a wide uniform register lies below URZ */
  return put_field(w, fl, v);
}

static void print_vector(const struct spec *s, const struct enc *e, u128 w, FILE *f) {
  const struct insn *in = &s->insn[e->insn];
  for (unsigned i = 0; i < 3; i++) {
    if (slot_is_register(&e->src[i])) w = align(s, w, e->src[i].field, &in->wide[i]);
    if (e->src[i].kind == SLOT_CONST) w = align(s, w, enc_field_of_kind(s, e, K_COFF), &in->wide[i]);
  }
  w = align(s, w, enc_field_of_kinds(s, e, K_GPR_WRITE, K_UGPR_WRITE), &in->wide[3]);
  fprintf(f, "%016" PRIx64 "%016" PRIx64 " %s %s\n", (uint64_t)(w >> 64), (uint64_t)w, in->name,
          s->format[e->format].name);
}

static u128 defaults(const struct spec *s, const struct enc *e) {
  u128 w = e->match;
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct field *fl = &s->field[e->fields[i]];
    bool seven = kind_is_pred(fl->kind) || fl->kind == K_SBSET;
    w = put_field(w, fl, legalize(s, fl, seven ? 7 : 0));
  }
  return w;
}

static void emit_enc(const struct spec *s, const struct enc *e, uint64_t *rng, FILE *f) {
  u128 base = defaults(s, e);
  print_vector(s, e, base, f);
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct field *fl = &s->field[e->fields[i]];
    if (fl->kind == K_SET) {
      for (uint64_t v = 0; v <= field_ones(fl); v++)
        if (legalize(s, fl, v) == v) print_vector(s, e, put_field(base, fl, v), f);
      continue;
    }
    print_vector(s, e, put_field(base, fl, legalize(s, fl, 0)), f);
    print_vector(s, e, put_field(base, fl, legalize(s, fl, field_ones(fl))), f);
    print_vector(s, e, put_field(base, fl, legalize(s, fl, field_ones(fl) - 1)), f);
    print_vector(s, e, put_field(base, fl, legalize(s, fl, (field_ones(fl) >> 1) + 1)), f);
  }
  for (unsigned n = 0; n < RANDOM_WORDS; n++) {
    u128 w = e->match;
    for (unsigned i = 0; i < e->n_fields; i++)
      w = put_field(w, &s->field[e->fields[i]], legalize(s, &s->field[e->fields[i]], splitmix64(rng)));
    print_vector(s, e, w, f);
  }
}

void emit_vectors(const struct spec *s, FILE *f) {
  uint64_t rng = 1;
  fprintf(f, "# Generated from the ISA file; do not edit.\n# Legal words: 128 bits in hex, mnemonic, format.\n");
  for (unsigned i = 0; i < s->n_encs; i++) emit_enc(s, &s->enc[i], &rng, f);
}
