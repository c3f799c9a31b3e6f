/* SPDX-License-Identifier: Apache-2.0
 *
 * isa_manual.md: every instruction with its syntax and the bits of each format.
 */
#include <string.h>

#include <inttypes.h>

#include "isa/gen/emit.h"
#include "isa/gen/layout.h"

/* Text of a table cell: '|' would end it. */
static void emit_cell_text(const char *text, FILE *f) {
  for (; *text != '\0'; text++) {
    if (*text == '|') fputc('\\', f);
    fputc(*text, f);
  }
}

static void units(const struct spec *s, FILE *f) {
  static const char *const latency[] = {"fixed: a stall count may cover it", "variable: only a counter covers it",
                                        "control"};
  fprintf(f, "## Units\n\n| unit | latency |\n|---|---|\n");
  for (unsigned i = 0; i < s->n_units; i++) fprintf(f, "| %s | %s |\n", s->unit[i].name, latency[s->unit[i].latency]);
}

static void sets(const struct spec *s, FILE *f) {
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
      "\n## Short words\n\nTwo lie in a place of 16 bytes; what they mean says isa/doc/13-short-words.md. %u rows of "
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
  units(s, f);
  sets(s, f);
  describe_fields(s, f);
  shorts(s, f);
  fprintf(f, "\n## Instructions\n");
  for (unsigned i = 0; i < s->n_insns; i++) describe_insn(s, &s->insn[i], f);
}
