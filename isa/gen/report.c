/* SPDX-License-Identifier: Apache-2.0
 *
 * What an instruction set costs in bits, against its base: counts, then as text and as JSON.
 */
#include "report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Counting, and the comparison of a variant with its base. */

static unsigned bits_in(u128 v) {
  unsigned n = 0;
  for (; v != 0; v &= v - 1) n++;
  return n;
}

static u128 reserved(const struct enc *e) {
  return ~(e->fixed | e->owned);
}

/* Bits that hold numbers: immediates, offsets, branch distances, constant addresses. */
static unsigned number_bits(const struct spec *s, const struct enc *e) {
  unsigned n = 0;
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct field *f = &s->field[e->fields[i]];
    if (f->kind == K_IMM32 || f->kind == K_UINT || f->kind == K_SINT || f->kind == K_REL || f->kind == K_COFF ||
        f->kind == K_CBANK)
      n += field_width(f);
  }
  return n;
}

static u128 slot_mask(const struct spec *s, const struct slot *sl) {
  u128 m = 0;
  if (sl->kind != SLOT_NONE && sl->kind != SLOT_CONST) m |= field_mask(&s->field[sl->field]);
  for (unsigned i = 0; sl->kind == SLOT_CONST && i < s->n_fields; i++)
    if (s->field[i].kind == K_COFF || s->field[i].kind == K_CBANK) m |= field_mask(&s->field[i]);
  return m;
}

/* What the format owns whatever the instruction: negate, absolute and part fields are up to that. */
static u128 format_mask(const struct spec *s, const struct format *f) {
  u128 m = 0;
  for (unsigned i = 0; i < f->n_fixed; i++) m |= field_mask(&s->field[f->fixed[i].field]);
  for (unsigned i = 0; i < f->n_owned; i++) m |= field_mask(&s->field[f->owned[i]]);
  for (unsigned i = 0; i < 3; i++) m |= slot_mask(s, &f->src[i]);
  for (unsigned i = 0; i < s->n_always; i++) m |= field_mask(&s->field[s->always[i]]);
  for (unsigned i = 0; i < s->n_keys; i++) m |= field_mask(&s->field[s->key[i]]);
  return m;
}

static void count_encoding(const struct spec *s, const struct enc *e, struct report *r) {
  struct format_report *f = &r->format[e->format];
  unsigned n = bits_in(reserved(e)), numbers = number_bits(s, e);
  if (f->encodings == 0 || n < f->reserved_least) f->reserved_least = n;
  if (n > f->reserved_most) f->reserved_most = n;
  if (numbers > f->immediate_bits) f->immediate_bits = numbers;
  f->reserved_always &= reserved(e);
  f->encodings++;
  f->only_model += e->only_model;
  if (n < r->reserved_least) r->reserved_least = n;
  if (n > r->reserved_most) r->reserved_most = n;
  r->never_used &= reserved(e);
  r->model_encodings += e->only_model;
}

/* Registers that every field of the kinds can name; all ones is RZ. 0: no such field. */
static unsigned nameable_registers(const struct spec *s, enum kind read, enum kind write) {
  unsigned least = 0;
  for (unsigned i = 0; i < s->n_fields; i++) {
    const struct field *f = &s->field[i];
    unsigned n = (1u << (field_width(f) & 31u)) - 1;
    if ((f->kind == read || f->kind == write) && (least == 0 || n < least)) least = n;
  }
  return least;
}

static unsigned opcodes_used(const struct spec *s) {
  unsigned n = 0;
  for (unsigned i = 0; i < s->n_encs; i++) {
    bool first = true;
    for (unsigned k = 0; k < i; k++) first = first && s->enc[k].key != s->enc[i].key;
    n += first;
  }
  return n;
}

static unsigned model_values(const struct spec *s) {
  unsigned n = 0;
  for (unsigned i = 0; i < s->n_sets; i++)
    for (unsigned v = 0; v < SPEC_TOKENS_MAX; v++) n += s->set[i].legal[v] && !s->set[i].rtl[v];
  return n;
}

void report_make(const struct spec *s, struct report *r) {
  *r = (struct report){.instructions = s->n_insns,
                       .encodings = s->n_encs,
                       .model_values = model_values(s),
                       .opcode_bits = s->key_bits,
                       .opcodes_used = opcodes_used(s),
                       .registers = nameable_registers(s, K_GPR_READ, K_GPR_WRITE),
                       .uniform_registers = nameable_registers(s, K_UGPR_READ, K_UGPR_WRITE),
                       .reserved_least = SPEC_WORD_BITS,
                       .never_used = ~(u128)0};
  r->opcodes_free = (1u << s->key_bits) - r->opcodes_used;
  for (unsigned i = 0; i < s->n_formats; i++) {
    r->format[i].free_bits = SPEC_WORD_BITS - bits_in(format_mask(s, &s->format[i]));
    r->format[i].reserved_always = ~(u128)0;
  }
  for (unsigned i = 0; i < s->n_encs; i++) count_encoding(s, &s->enc[i], r);
  for (unsigned i = 0; i < s->n_insns; i++) r->model_instructions += s->insn[i].only_model;
}

const char *report_base(const struct spec *s) {
  return s->n_files > 1 ? s->file[1] : NULL;
}

/* Registers that can no longer be named. */
static unsigned lost(unsigned before, unsigned now) {
  return now < before ? before - now : 0;
}

static unsigned added(unsigned before, unsigned now) {
  return lost(now, before);
}

void report_compare(const struct spec *base, const struct spec *s, struct changes *c) {
  *c = (struct changes){.registers_lost = lost(nameable_registers(base, K_GPR_READ, K_GPR_WRITE),
                                               nameable_registers(s, K_GPR_READ, K_GPR_WRITE)),
                        .uniform_registers_lost = lost(nameable_registers(base, K_UGPR_READ, K_UGPR_WRITE),
                                                       nameable_registers(s, K_UGPR_READ, K_UGPR_WRITE)),
                        .instructions_added = added(base->n_insns, s->n_insns),
                        .encodings_added = added(base->n_encs, s->n_encs)};
  for (unsigned i = 0; i < s->n_fields; i++) {
    unsigned k = spec_field(base, s->field[i].name);
    struct field_change f = {k == SPEC_NONE ? NULL : &base->field[k], &s->field[i]};
    if (f.was == NULL)
      c->added++;
    else if (field_width(f.is) < field_width(f.was))
      c->narrowed++;
    else if (f.is->lo != f.was->lo)
      c->moved++;
    else
      continue;
    c->field[c->n++] = f;
  }
}

/* The report as text for people. */

/* bits as text: "104:98, 127:125", or "none" */
static void report_ranges(u128 v, FILE *f) {
  const char *sep = "";
  for (unsigned hi = SPEC_WORD_BITS; hi-- > 0;) {
    if ((v >> hi & 1) == 0) continue;
    unsigned lo = hi;
    while (lo > 0 && (v >> (lo - 1) & 1) != 0) lo--;
    if (hi == lo)
      fprintf(f, "%s%u", sep, hi);
    else
      fprintf(f, "%s%u:%u", sep, hi, lo);
    sep = ", ";
    hi = lo;
  }
  if (v == 0) fprintf(f, "none");
}

static void text_formats(const struct spec *s, const struct report *r, FILE *f) {
  fprintf(f, "\n%-8s %9s %10s %9s %9s %9s  %s\n", "format", "encodings", "model-only", "free bits", "immediate",
          "reserved", "reserved in all");
  for (unsigned i = 0; i < s->n_formats; i++) {
    const struct format_report *fr = &r->format[i];
    if (fr->encodings == 0) continue;
    fprintf(f, "%-8s %9u %10u %9u %9u %5u-%-3u  ", s->format[i].name, fr->encodings, fr->only_model, fr->free_bits,
            fr->immediate_bits, fr->reserved_least, fr->reserved_most);
    report_ranges(fr->reserved_always, f);
    fprintf(f, "\n");
  }
}

static void print_bit_ranges(const struct field *fl, FILE *f) {
  report_ranges(field_mask(fl), f);
}

static void text_change(const struct field_change *c, FILE *f) {
  bool narrowed = c->was != NULL && field_width(c->is) < field_width(c->was);
  fprintf(f, "  %-8s ", c->is->name);
  if (c->was != NULL) print_bit_ranges(c->was, f);
  fprintf(f, c->was == NULL ? "new, " : narrowed ? " narrowed to " : " moved to ");
  print_bit_ranges(c->is, f);
  if (narrowed) fprintf(f, ", %u bits less", field_width(c->was) - field_width(c->is));
  fprintf(f, "\n");
}

static void text_changes(const struct spec *s, const struct spec *base, FILE *f) {
  struct changes c;
  report_compare(base, s, &c);
  fprintf(f, "\nAgainst %s (hash %016" PRIx64 "): %u of %u fields moved, %u narrowed, %u new;\n", base->file[0],
          base->hash, c.moved, base->n_fields, c.narrowed, c.added);
  fprintf(f, "%u registers and %u uniform registers lost; %u instructions, %u encodings new\n", c.registers_lost,
          c.uniform_registers_lost, c.instructions_added, c.encodings_added);
  for (unsigned i = 0; i < c.n; i++) text_change(&c.field[i], f);
}

void report_text(const struct spec *s, const struct spec *base, FILE *f) {
  struct report r;
  report_make(s, &r);
  fprintf(f, "%s: instruction set %s, %d-bit words, code hash %016" PRIx64 "\n\n", s->file[0], s->name, SPEC_WORD_BITS,
          s->hash);
  fprintf(f, "instructions  %5u, of which %u are not in the RTL yet\n", r.instructions, r.model_instructions);
  fprintf(f, "encodings     %5u, of which %u are not in the RTL yet; so are %u values of sets\n", r.encodings,
          r.model_encodings, r.model_values);
  fprintf(f, "opcodes       %5u used, %u free (%u bits)\n", r.opcodes_used, r.opcodes_free, r.opcode_bits);
  fprintf(f, "registers     %5u, uniform %u\n", r.registers, r.uniform_registers);
  fprintf(f, "reserved bits %5u to %u an encoding; in all encodings: ", r.reserved_least, r.reserved_most);
  report_ranges(r.never_used, f);
  fprintf(f, "\n");
  if (s->n_short_rows != 0)
    fprintf(f, "short words   %5u of %u patterns, %u of %u control codes\n", s->n_short_rows, SPEC_SHORT_ROWS,
            s->n_short_codes, SPEC_SHORT_CODES);
  text_formats(s, &r, f);
  if (base != NULL) text_changes(s, base, f);
}

/* The report as JSON for scripts. */

static json_t *number_json(unsigned v) {
  return json_integer(v);
}

static json_t *hash_json(uint64_t v) {
  return json_sprintf("%016" PRIx64, v);
}

static json_t *ranges(u128 v) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) return NULL;
  report_ranges(v, f);
  json_t *j = fclose(f) == 0 ? json_string(text) : NULL;
  free(text);
  return j;
}

static json_t *formats(const struct spec *s, const struct report *r) {
  json_t *list = json_array();
  for (unsigned i = 0; i < s->n_formats; i++) {
    const struct format_report *fr = &r->format[i];
    json_array_append_new(list,
                          json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", s->format[i].name, "encodings",
                                    number_json(fr->encodings), "model_only", number_json(fr->only_model), "free_bits",
                                    number_json(fr->free_bits), "immediate_bits", number_json(fr->immediate_bits),
                                    "reserved_least", number_json(fr->reserved_least), "reserved_most",
                                    number_json(fr->reserved_most), "reserved_always", ranges(fr->reserved_always)));
  }
  return list;
}

static json_t *place_json(const struct field *fl) {
  return fl == NULL ? json_null() : json_pack("[o, o]", number_json(fl->hi), number_json(fl->lo));
}

static json_t *changes(const struct spec *s, const struct spec *base) {
  struct changes c;
  report_compare(base, s, &c);
  json_t *list = json_array();
  for (unsigned i = 0; i < c.n; i++)
    json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "field", c.field[i].is->name, "was",
                                          place_json(c.field[i].was), "is", place_json(c.field[i].is)));
  return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "file", base->file[0], "hash",
                   hash_json(base->hash), "fields", number_json(base->n_fields), "moved", number_json(c.moved),
                   "narrowed", number_json(c.narrowed), "added", number_json(c.added), "registers_lost",
                   number_json(c.registers_lost), "uniform_registers_lost", number_json(c.uniform_registers_lost),
                   "instructions_added", number_json(c.instructions_added), "encodings_added",
                   number_json(c.encodings_added), "changes", list);
}

static json_t *counts(const struct spec *s, const struct report *r) {
  return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "file",
                   s->file[0], "name", s->name, "hash", hash_json(s->hash), "instructions",
                   number_json(r->instructions), "model_instructions", number_json(r->model_instructions), "encodings",
                   number_json(r->encodings), "model_encodings", number_json(r->model_encodings), "model_values",
                   number_json(r->model_values), "opcode_bits", number_json(r->opcode_bits), "opcodes_used",
                   number_json(r->opcodes_used), "opcodes_free", number_json(r->opcodes_free), "registers",
                   number_json(r->registers), "uniform_registers", number_json(r->uniform_registers), "reserved_least",
                   number_json(r->reserved_least), "reserved_most", number_json(r->reserved_most), "never_used",
                   ranges(r->never_used));
}

static json_t *shorts(const struct spec *s) {
  return json_pack("{s:o, s:o}", "patterns", number_json(s->n_short_rows), "control_codes",
                   number_json(s->n_short_codes));
}

json_t *report_json(const struct spec *s, const struct spec *base) {
  struct report r;
  report_make(s, &r);
  json_t *j = counts(s, &r);
  bool ok = json_object_set_new(j, "formats", formats(s, &r)) == 0;
  ok = ok && (s->n_short_rows == 0 || json_object_set_new(j, "short_words", shorts(s)) == 0);
  ok = ok && (base == NULL || json_object_set_new(j, "base", changes(s, base)) == 0);
  if (ok) return j;
  json_decref(j);
  return NULL;
}
