/* SPDX-License-Identifier: Apache-2.0 */
#include "doc_json.h"

#include <inttypes.h>

#include "isa/gen/layout.h"

static json_t *units(const struct spec *s) {
  static const char *const latency[] = {"fixed", "variable", "control"};
  json_t *list = json_array();
  for (unsigned i = 0; i < s->n_units; i++)
    json_array_append_new(list,
                          json_pack("{s:s, s:s}", "name", s->unit[i].name, "latency", latency[s->unit[i].latency]));
  return list;
}

/* Tokens: what is printed, others that are accepted, registers that an access of this size fills. */
static json_t *sets(const struct spec *s) {
  json_t *list = json_array();
  for (unsigned i = 0; i < s->n_sets; i++) {
    const struct set *set = &s->set[i];
    json_t *tokens = json_array();
    for (unsigned k = 0; k < set->n_tokens; k++) {
      const struct token *t = &set->token[k];
      json_t *one = json_pack("{s:i, s:s, s:b, s:b}", "value", (int)t->value, "text", t->text, "printed", t->canonical,
                              "rtl", set->rtl[t->value]);
      if (set->has_words) json_object_set_new(one, "registers", json_integer(set->words[t->value]));
      json_array_append_new(tokens, one);
    }
    json_array_append_new(list, json_pack("{s:s, s:o}", "name", set->name, "tokens", tokens));
  }
  return list;
}

static json_t *fields_json(const struct spec *s) {
  json_t *list = json_array();
  for (unsigned i = 0; i < s->n_fields; i++) {
    const struct field *fl = &s->field[i];
    json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:s, s:b, s:s}", "name", fl->name, "hi", (int)fl->hi, "lo",
                                          (int)fl->lo, "kind", layout_kind(s, fl), "set", fl->kind == K_SET, "note",
                                          fl->note));
  }
  return list;
}

static json_t *run_json(const struct spec *s, const struct layout_run *r) {
  json_t *j = json_pack("{s:i, s:i}", "hi", (int)r->hi, "lo", (int)r->lo);
  if (r->field == SPEC_NONE) return j;
  json_object_set_new(j, "field", json_string(s->field[r->field].name));
  if (r->fixed) json_object_set_new(j, "value", json_integer((json_int_t)r->value));
  if (r->operand != 0) json_object_set_new(j, r->of_operand ? "changes" : "operand", json_sprintf("%c", r->operand));
  return j;
}

static json_t *forms(const struct spec *s, const struct insn *in) {
  json_t *list = json_array();
  for (unsigned i = 0; i < in->n_encs; i++) {
    const struct enc *e = &s->enc[in->first_enc + i];
    struct layout_run run[SPEC_WORD_BITS];
    unsigned n = layout_of(s, e, run);
    json_t *bits = json_array();
    for (unsigned k = 0; k < n; k++) json_array_append_new(bits, run_json(s, &run[k]));
    json_array_append_new(list, json_pack("{s:s, s:b, s:i, s:o}", "format", s->format[e->format].name, "rtl",
                                          !e->only_model, "reserved", (int)layout_reserved(s, e), "bits", bits));
  }
  return list;
}

/* Operands that span several registers: how many, or the field that says it. */
static json_t *wide(const struct spec *s, const struct insn *in) {
  static const char *const ops[] = {"a", "b", "c", "rd"};
  json_t *j = json_object();
  for (unsigned i = 0; i < 4; i++) {
    const struct wide *w = &in->wide[i];
    if (w->words > 1) json_object_set_new(j, ops[i], json_integer((json_int_t)w->words));
    if (w->words == 0) json_object_set_new(j, ops[i], json_string(s->field[w->field].name));
  }
  return j;
}

static json_t *insn_json(const struct spec *s, const struct insn *in) {
  json_t *suffixes = json_array();
  for (unsigned i = 0; i < in->n_suffix; i++)
    json_array_append_new(suffixes, json_string(s->field[in->suffix[i]].name));
  json_t *j =
      json_pack("{s:s, s:s, s:o, s:s, s:s, s:b, s:b, s:b, s:o, s:o}", "name", in->name, "syntax", in->syntax,
                "suffixes", suffixes, "unit", s->unit[in->unit].name, "meaning", in->sem, "rtl", !in->only_model,
                "drains", in->drains, "async", in->async, "wide", wide(s, in), "forms", forms(s, in));
  if (in->wide_unit != SPEC_NONE) json_object_set_new(j, "wide_unit", json_string(s->unit[in->wide_unit].name));
  if (in->mem != 0) json_object_set_new(j, "memory", json_string(s->mem[in->mem - 1]));
  if (in->imm != 0) json_object_set_new(j, "immediate", json_string(spec_imm_types[in->imm - 1]));
  if (s->unit[in->unit].latency == LATENCY_CONTROL) json_object_set_new(j, "flow", json_string(spec_flows[in->flow]));
  return j;
}

json_t *doc_json(const struct spec *s) {
  json_t *insns = json_array();
  for (unsigned i = 0; i < s->n_insns; i++) json_array_append_new(insns, insn_json(s, &s->insn[i]));
  return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:o}", "name", s->name, "bits", SPEC_WORD_BITS, "hash",
                   json_sprintf("%016" PRIx64, s->hash), "units", units(s), "sets", sets(s), "fields", fields_json(s),
                   "instructions", insns);
}
