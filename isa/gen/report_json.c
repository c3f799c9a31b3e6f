/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as JSON for scripts.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "isa/gen/report.h"

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
