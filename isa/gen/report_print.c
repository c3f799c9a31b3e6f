/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as text for people.
 */
#include <inttypes.h>
#include <string.h>

#include "isa/gen/report.h"

void report_ranges(u128 v, FILE *f) {
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
