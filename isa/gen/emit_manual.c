/* SPDX-License-Identifier: Apache-2.0
 *
 * For readers: isa_manual.md, and the ISA file as JSON.
 */
#include <inttypes.h>
#include <string.h>
#include "isa/gen/emit.h"

const char *layout_kind(const struct spec *s, const struct field *fl) {
  if (fl->kind == K_UINT) return "unsigned";
  if (fl->kind == K_SINT) return "signed";
  return fl->kind == K_SET ? s->set[fl->set].name : spec_kind_names[fl->kind];
}

static unsigned owner_of_fixed(const struct spec *s, const struct fixed *list, unsigned n, unsigned bit) {
  for (unsigned i = 0; i < n; i++)
    if ((field_mask(&s->field[list[i].field]) >> bit & 1) != 0) return list[i].field;
  return SPEC_NONE;
}

/* Who owns a bit of an encoding: an owned field, a fixed field, or nobody. */
static unsigned owner(const struct spec *s, const struct enc *e, unsigned bit) {
  for (unsigned i = 0; i < e->n_fields; i++)
    if ((field_mask(&s->field[e->fields[i]]) >> bit & 1) != 0) return e->fields[i];
  const struct format *fm = &s->format[e->format];
  const struct insn *in = &s->insn[e->insn];
  unsigned who = owner_of_fixed(s, fm->fixed, fm->n_fixed, bit);
  return who != SPEC_NONE ? who : owner_of_fixed(s, in->fixed, in->n_fixed, bit);
}

static void of_operand(const struct field *fl, const struct enc *e, struct layout_run *r) {
  for (unsigned i = 0; i < 3; i++) {
    const struct slot *sl = &e->src[i];
    bool slot = sl->field == r->field || (sl->kind == SLOT_CONST && (fl->kind == K_COFF || fl->kind == K_CBANK));
    bool change = sl->neg == r->field || sl->abs == r->field || sl->part == r->field;
    if (!slot && !change) continue;
    r->operand = (char)('a' + i);
    r->of_operand = !slot;
  }
}

/* From bit 127 down; returns how many. */
static unsigned layout_of(const struct spec *s, const struct enc *e, struct layout_run run[SPEC_WORD_BITS]) {
  unsigned n = 0;
  for (unsigned hi = SPEC_WORD_BITS; hi-- > 0; n++) {
    struct layout_run *r = &run[n];
    *r = (struct layout_run){.hi = hi, .lo = hi, .field = owner(s, e, hi)};
    while (r->lo > 0 && owner(s, e, r->lo - 1) == r->field) r->lo--;
    hi = r->lo;
    if (r->field == SPEC_NONE) continue;
    const struct field *fl = &s->field[r->field];
    r->fixed = (e->fixed & field_mask(fl)) != 0;
    if (r->fixed)
      r->value = (uint64_t)((e->match & field_mask(fl)) >> fl->lo);
    else
      of_operand(fl, e, r);
  }
  return n;
}

/* bits of nobody */
static unsigned layout_reserved(const struct spec *s, const struct enc *e) {
  unsigned reserved = 0;
  for (unsigned b = 0; b < SPEC_WORD_BITS; b++) reserved += owner(s, e, b) == SPEC_NONE;
  return reserved;
}

static json_t *units_json(const struct spec *s) {
  static const char *const latency[] = {"fixed", "variable", "control"};
  json_t *list = json_array();
  for (unsigned i = 0; i < s->n_units; i++)
    json_array_append_new(list,
                          json_pack("{s:s, s:s}", "name", s->unit[i].name, "latency", latency[s->unit[i].latency]));
  return list;
}

/* Tokens: what is printed, others that are accepted, registers that an access of this size fills. */
static json_t *sets_json(const struct spec *s) {
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
                   json_sprintf("%016" PRIx64, s->hash), "units", units_json(s), "sets", sets_json(s), "fields",
                   fields_json(s), "instructions", insns);
}

/* isa_manual.md: every instruction with its syntax and the bits of each format. */

/* Text of a table cell: '|' would end it. */
static void emit_cell_text(const char *text, FILE *f) {
  for (; *text != '\0'; text++) {
    if (*text == '|') fputc('\\', f);
    fputc(*text, f);
  }
}

static void units_table(const struct spec *s, FILE *f) {
  static const char *const latency[] = {"fixed: a stall count may cover it", "variable: only a counter covers it",
                                        "control"};
  fprintf(f, "## Units\n\n| unit | latency |\n|---|---|\n");
  for (unsigned i = 0; i < s->n_units; i++) fprintf(f, "| %s | %s |\n", s->unit[i].name, latency[s->unit[i].latency]);
}

static void sets_table(const struct spec *s, FILE *f) {
  fprintf(f, "\n## Sets\n\nValues without a token make a word illegal; those with a star are not in the RTL yet.\n\n| "
             "set | values "
             "|\n|---|---|\n");
  for (unsigned i = 0; i < s->n_sets; i++) {
    fprintf(f, "| %s |", s->set[i].name);
    for (unsigned k = 0; k < s->set[i].n_tokens; k++) {
      const struct token *t = &s->set[i].token[k];
      if (!t->canonical)
        fprintf(f, " (also `%s`)", t->text);
      else
        fprintf(f, "%s %u `%s`%s", k == 0 ? "" : ",", t->value, t->text[0] == '\0' ? "(nothing)" : t->text,
                s->set[i].rtl[t->value] ? "" : "\\*");
    }
    fprintf(f, " |\n");
  }
}

static void describe_fields(const struct spec *s, FILE *f) {
  fprintf(f, "\n## Fields\n\n| field | bits | kind | |\n|---|---|---|---|\n");
  for (unsigned i = 0; i < s->n_fields; i++) {
    const struct field *fl = &s->field[i];
    fprintf(f, "| %s | %u:%u | %s | ", fl->name, fl->hi, fl->lo, layout_kind(s, fl));
    emit_cell_text(fl->note, f);
    fprintf(f, " |\n");
  }
}

static void emit_bits_row(const struct spec *s, const struct layout_run *r, FILE *f) {
  fprintf(f, r->hi == r->lo ? "| %u |" : "| %u:%u |", r->hi, r->lo);
  if (r->field == SPEC_NONE) {
    fprintf(f, " reserved | 0 |\n");
    return;
  }
  const struct field *fl = &s->field[r->field];
  if (r->fixed) {
    fprintf(f, " %s | 0x%" PRIx64 " |\n", fl->name, r->value);
    return;
  }
  fprintf(f, " %s | %s", fl->name, layout_kind(s, fl));
  if (r->operand != 0) fprintf(f, r->of_operand ? " of operand %c" : ", operand %c", r->operand);
  fprintf(f, " |\n");
}

static void layout(const struct spec *s, const struct enc *e, FILE *f) {
  struct layout_run run[SPEC_WORD_BITS];
  unsigned n = layout_of(s, e, run);
  fprintf(f, "\nFormat %s%s, %u reserved bits:\n\n| bits | field | |\n|---|---|---|\n", s->format[e->format].name,
          e->only_model && !s->insn[e->insn].only_model ? " (not in the RTL yet)" : "", layout_reserved(s, e));
  for (unsigned i = 0; i < n; i++) emit_bits_row(s, &run[i], f);
}

static void describe_insn(const struct spec *s, const struct insn *in, FILE *f) {
  static const char *const ops[] = {"a", "b", "c", "rd"};
  fprintf(f, "\n### %s\n\n`%s", in->name, in->name);
  for (unsigned i = 0; i < in->n_suffix; i++) fprintf(f, "{%s}", s->field[in->suffix[i]].name);
  fprintf(f, "%s%s`\n\nUnit %s", in->syntax[0] == '\0' ? "" : " ", in->syntax, s->unit[in->unit].name);
  if (in->wide_unit != SPEC_NONE) fprintf(f, " (%s where something is wide)", s->unit[in->wide_unit].name);
  if (in->async) fprintf(f, ", part async");
  if (in->mem != 0) fprintf(f, ", memory %s", s->mem[in->mem - 1]);
  if (in->imm != 0) fprintf(f, ", immediate %s", spec_imm_types[in->imm - 1]);
  for (unsigned i = 0; i < 4; i++) {
    if (in->wide[i].words > 1) fprintf(f, ", %s spans %u registers", ops[i], in->wide[i].words);
    if (in->wide[i].words == 0)
      fprintf(f, ", %s spans as many registers as `%s` says", ops[i], s->field[in->wide[i].field].name);
  }
  if (s->unit[in->unit].latency == LATENCY_CONTROL) fprintf(f, ", flow %s", spec_flows[in->flow]);
  if (in->drains) fprintf(f, ", drains");
  fprintf(f, "; meaning: `%s`.%s\n", in->sem, in->only_model ? " Not in the RTL yet." : "");
  for (unsigned i = 0; i < in->n_encs; i++) layout(s, &s->enc[in->first_enc + i], f);
}

/* The instructions whose opcode fields these bits have. */
static void short_insn(const struct spec *s, u128 bits, FILE *f) {
  unsigned last = SPEC_INSNS_MAX;
  for (unsigned i = 0; i < s->n_encs; i++) {
    const struct enc *e = &s->enc[i];
    if (((bits ^ e->match) & e->fixed) != 0 || e->insn == last) continue;
    fprintf(f, "%s%s", last == SPEC_INSNS_MAX ? "" : ", ", s->insn[e->insn].name);
    last = e->insn;
  }
}

/* What short words stand for. */
static void shorts(const struct spec *s, FILE *f) {
  if (s->n_short_rows == 0) return;
  fprintf(
      f,
      "\n## Short words\n\nTwo are in a place of 16 bytes; their meaning is in isa/doc/13-short-words.md. %u rows of "
      "patterns, %u of control codes (bits %u:%u).\n\n| row | bits of the long word | number | instruction "
      "|\n|---|---|---|---|\n",
      s->n_short_rows, s->n_short_codes, s->short_code_lo + s->short_code_bits - 1, s->short_code_lo);
  for (unsigned i = 0; i < s->n_short_rows; i++) {
    const struct short_row *r = &s->short_row[i];
    fprintf(f, "| %u | `0x%016" PRIx64 "%016" PRIx64 "` | %s | ", i, (uint64_t)(r->bits >> 64), (uint64_t)r->bits,
            spec_short_kinds[r->kind]);
    short_insn(s, r->bits, f);
    fprintf(f, " |\n");
  }
  fprintf(f, "\n| row | control code |\n|---|---|\n");
  for (unsigned i = 0; i < s->n_short_codes; i++) fprintf(f, "| %u | `0x%06" PRIx32 "` |\n", i, s->short_code[i].bits);
}

void emit_manual(const struct spec *s, FILE *f) {
  fprintf(f,
          "# The %s instruction set\n\nGenerated from the ISA file; do not edit. %u instructions, %u encodings, hash "
          "`%016llx`.\n",
          s->name, s->n_insns, s->n_encs, (unsigned long long)s->hash);
  fprintf(f, "A word has %d bits. `{x}` in a syntax is a field or an operand; `[, {x}]` may be left out.\n\n",
          SPEC_WORD_BITS);
  units_table(s, f);
  sets_table(s, f);
  describe_fields(s, f);
  shorts(s, f);
  fprintf(f, "\n## Instructions\n");
  for (unsigned i = 0; i < s->n_insns; i++) describe_insn(s, &s->insn[i], f);
}
