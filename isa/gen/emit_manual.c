/* SPDX-License-Identifier: Apache-2.0
 *
 * isa_manual.md: every instruction with its syntax and the bits of each format.
 */
#include <string.h>

#include <inttypes.h>

#include "isa/gen/emit.h"

static const char *kind_text(const struct spec *s, const struct field *fl) {
  if (fl->kind == K_UINT) return "unsigned";
  if (fl->kind == K_SINT) return "signed";
  return fl->kind == K_SET ? s->set[fl->set].name : spec_kind_names[fl->kind];
}

/* Text of a table cell: '|' would end it. */
static void cell(const char *text, FILE *f) {
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

static void fields(const struct spec *s, FILE *f) {
  fprintf(f, "\n## Fields\n\n| field | bits | kind | |\n|---|---|---|---|\n");
  for (unsigned i = 0; i < s->n_fields; i++) {
    const struct field *fl = &s->field[i];
    fprintf(f, "| %s | %u:%u | %s | ", fl->name, fl->hi, fl->lo, kind_text(s, fl));
    cell(fl->note, f);
    fprintf(f, " |\n");
  }
}

/* Who owns a bit of an encoding: an owned field, a fixed field, or nobody. */
static unsigned owner(const struct spec *s, const struct enc *e, unsigned bit) {
  for (unsigned i = 0; i < e->n_fields; i++)
    if ((field_mask(&s->field[e->fields[i]]) >> bit & 1) != 0) return e->fields[i];
  const struct insn *in = &s->insn[e->insn];
  const struct format *fm = &s->format[e->format];
  for (unsigned i = 0; i < fm->n_fixed; i++)
    if ((field_mask(&s->field[fm->fixed[i].field]) >> bit & 1) != 0) return fm->fixed[i].field;
  for (unsigned i = 0; i < in->n_fixed; i++)
    if ((field_mask(&s->field[in->fixed[i].field]) >> bit & 1) != 0) return in->fixed[i].field;
  return SPEC_NONE;
}

static void row(const struct spec *s, const struct enc *e, unsigned hi, unsigned lo, unsigned who, FILE *f) {
  fprintf(f, hi == lo ? "| %u |" : "| %u:%u |", hi, lo);
  if (who == SPEC_NONE) {
    fprintf(f, " reserved | 0 |\n");
    return;
  }
  const struct field *fl = &s->field[who];
  if ((e->fixed & field_mask(fl)) != 0) {
    fprintf(f, " %s | 0x%llx |\n", fl->name, (unsigned long long)((e->match & field_mask(fl)) >> fl->lo));
    return;
  }
  fprintf(f, " %s | %s", fl->name, kind_text(s, fl));
  for (unsigned i = 0; i < 3; i++) {
    const struct slot *sl = &e->src[i];
    if (sl->field == who || (sl->kind == SLOT_CONST && (fl->kind == K_COFF || fl->kind == K_CBANK)))
      fprintf(f, ", operand %c", 'a' + (int)i);
    if (sl->neg == who || sl->abs == who || sl->part == who) fprintf(f, " of operand %c", 'a' + (int)i);
  }
  fprintf(f, " |\n");
}

static void layout(const struct spec *s, const struct enc *e, FILE *f) {
  unsigned reserved = 0;
  for (unsigned b = 0; b < SPEC_WORD_BITS; b++) reserved += owner(s, e, b) == SPEC_NONE;
  fprintf(f, "\nFormat %s%s, %u reserved bits:\n\n| bits | field | |\n|---|---|---|\n", s->format[e->format].name,
          e->only_model && !s->insn[e->insn].only_model ? " (not in the RTL yet)" : "", reserved);
  for (unsigned hi = SPEC_WORD_BITS; hi-- > 0;) {
    unsigned who = owner(s, e, hi), lo = hi;
    while (lo > 0 && owner(s, e, lo - 1) == who) lo--;
    row(s, e, hi, lo, who, f);
    hi = lo;
  }
}

static void insn(const struct spec *s, const struct insn *in, FILE *f) {
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
  fields(s, f);
  shorts(s, f);
  fprintf(f, "\n## Instructions\n");
  for (unsigned i = 0; i < s->n_insns; i++) insn(s, &s->insn[i], f);
}
