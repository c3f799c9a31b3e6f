/* SPDX-License-Identifier: Apache-2.0
 * The comparison as one page that asks for nothing else: tables, and pictures as SVG in the text. */
#include <inttypes.h>
#include <string.h>

#include "run/compare/compare.h"
#include "run/compare/compare_svg.h"
#include "base/text.h"

static const char style[] =
    "body{font:15px/1.45 sans-serif;margin:2em;max-width:72em}table{border-collapse:collapse;margin:.6em 0}"
    "th,td{border:1px solid #ccc;padding:2px 8px;text-align:right}th:first-child,td:first-child{text-align:left}"
    "h2{margin-top:1.6em}svg{display:block;margin:.6em 0}p{max-width:52em}";

static void open_table(const struct comparison *c, const char *title, FILE *f) {
  fprintf(f, "<table><tr><th>");
  html_put(f, title);
  fprintf(f, "</th>");
  for (unsigned i = 0; i < c->encodings; i++) {
    fprintf(f, "<th>");
    html_put(f, c->encoding[i].name);
    fprintf(f, "</th>");
  }
  fprintf(f, "</tr>\n");
}

static void write_rows(const struct comparison *c, const char *title, const struct compare_row *r, FILE *f) {
  open_table(c, title, f);
  for (; r->label; r++) {
    fprintf(f, "<tr><td>");
    html_put(f, r->label);
    fprintf(f, "</td>");
    for (unsigned i = 0; i < c->encodings; i++) {
      char text[64] = "";
      r->cell(&c->encoding[i], text, sizeof text);
      fprintf(f, "<td>");
      html_put(f, text);
      fprintf(f, "</td>");
    }
    fprintf(f, "</tr>\n");
  }
  fprintf(f, "</table>\n");
}

static void write_fields(const struct comparison *c, FILE *f) {
  const struct compare_encoding *e = &c->encoding[0];
  const struct spec *s = e->programs->corpus.spec;
  fprintf(f, "<h2>What the bits of each field say</h2>\n<p>Entropy of the values that the field has in the programs, "
             "beside the bits that it is given. Grey: bits; blue: entropy, each word once; line: as executed.</p>\n");
  compare_svg_fields(e, f);
  open_table(c, "values that do not fit (executed)", f);
  for (unsigned k = 0; k < s->n_fields; k++) {
    bool any = false;
    for (unsigned i = 0; i < c->encodings; i++) any = any || c->encoding[i].field[k].unfit > 0;
    if (!any) continue;
    fprintf(f, "<tr><td>");
    html_put(f, s->field[k].name);
    fprintf(f, "</td>");
    for (unsigned i = 0; i < c->encodings; i++)
      fprintf(f, "<td>%" PRIu64 " (%" PRIu64 ")</td>", c->encoding[i].field[k].unfit,
              c->encoding[i].field[k].unfit_runs);
    fprintf(f, "</tr>\n");
  }
  fprintf(f, "</table>\n");
}

static void write_numbers(const struct comparison *c, FILE *f) {
  const struct compare_encoding *e = &c->encoding[0];
  const struct spec *s = e->programs->corpus.spec;
  static const unsigned widths[] = {4, 8, 12, 16, 20, 24, 28, 30};
  fprintf(f, "<h2>Numbers that suffice</h2>\n<p>Share of the words with an immediate that would become two "
             "instructions if the field <code>imm</code> had so many bits.</p>\n");
  compare_svg_immediates(e, f);
  fprintf(f, "<table><tr><th>format, field: numbers that fit, %%</th><th>words</th>");
  for (unsigned w = 0; w < sizeof widths / sizeof *widths; w++) fprintf(f, "<th>%u bits</th>", widths[w]);
  fprintf(f, "</tr>\n");
  for (size_t i = 0; i < e->numbers; i++) {
    const struct number_measure *m = &e->number[i];
    fprintf(f, "<tr><td>%s, %s</td><td>%" PRIu64 "</td>", s->format[m->format].name, s->field[m->field].name, m->words);
    for (unsigned w = 0; w < sizeof widths / sizeof *widths; w++)
      fprintf(f, "<td>%.1f</td>", 100 - compare_percent((double)measure_above(m->need, widths[w]), (double)m->words));
    fprintf(f, "</tr>\n");
  }
  fprintf(f, "</table>\n");
}

static void write_formats(const struct comparison *c, FILE *f) {
  const struct spec *s = c->encoding[0].spec;
  open_table(c, "bits that the format leaves free", f);
  for (unsigned k = 0; k < s->n_formats; k++) {
    if (c->encoding[0].bits.format[k].encodings == 0) continue;
    fprintf(f, "<tr><td>%s</td>", s->format[k].name);
    for (unsigned i = 0; i < c->encodings; i++) {
      const unsigned at = spec_format(c->encoding[i].spec, s->format[k].name);
      if (at == SPEC_NONE)
        fprintf(f, "<td>&ndash;</td>");
      else
        fprintf(f, "<td>%u</td>", c->encoding[i].bits.format[at].free_bits);
    }
    fprintf(f, "</tr>\n");
  }
  fprintf(f, "</table>\n");
}

static void write_compaction(const struct comparison *c, FILE *f) {
  const struct compact_tables *t = &c->encoding[0].compact.tables;
  fprintf(f,
          "<h2>Shorter code, by report alone</h2>\n<p>64-bit forms whose control code and modifiers are indices of "
          "tables (%u and %u entries, of %u and %u patterns; with tables made of other programs %.1f %% of the words "
          "would be short); 64-bit forms without tables; three instructions that share a control word. None of this "
          "is built.</p>\n",
          1u << t->control_bits, 1u << t->modifier_bits, t->controls, t->modifiers,
          100 * c->encoding[0].compact.held_out);
  fprintf(f, "<table><tr><th>encoding, way</th><th>short words, %%</th><th>executed, %%</th><th>bytes saved, %%</th>"
             "<th>bytes fetched saved, %%</th></tr>\n");
  for (unsigned i = 0; i < c->encodings; i++)
    for (unsigned way = COMPACT_TABLE; way < COMPACT_WAYS; way++) {
      const struct compact *k = &c->encoding[i].compact;
      fprintf(f, "<tr><td>");
      html_put(f, c->encoding[i].name);
      fprintf(f, ", %s</td><td>%.1f</td><td>%.1f</td><td>%.1f</td><td>%.1f</td></tr>\n", compact_way_names[way],
              compare_percent((double)k->short_words[way], k->total[COMPACT_NONE] / COMPACT_LONG),
              compare_percent((double)k->short_runs[way], k->total_runs[COMPACT_NONE] / COMPACT_LONG),
              -compare_more(k->total[COMPACT_NONE], k->total[way]),
              -compare_more(k->total_runs[COMPACT_NONE], k->total_runs[way]));
    }
  fprintf(f, "</table>\n");
}

static void write_caches(const struct comparison *c, FILE *f) {
  fprintf(f,
          "<h2>Instruction cache by size</h2>\n<p>Direct-mapped, lines of 64 bytes, %u line(s) ahead, %u warps in "
          "turns, an instruction each %u cycles, a line %u cycles after it is asked for; cold at each launch. Share "
          "of cycles in which every warp awaits a line, with nothing else to wait for.</p>\n",
          c->ahead, c->warps, c->beats, c->latency);
  compare_svg_caches(c, f);
}

static void write_changes(const struct comparison *c, FILE *f) {
  const struct compare_encoding *base = &c->encoding[0];
  fprintf(f, "<h2>By kernel, against ");
  html_put(f, base->name);
  fprintf(f, "</h2>\n<table><tr><th>kernel</th><th>encoding</th><th>code</th><th>fetched</th><th>forced into two</th>"
             "<th>registers</th><th>values spilled</th></tr>\n");
  for (size_t k = 0; k < base->programs->programs; k++)
    for (unsigned i = 1; i < c->encodings; i++) {
      const struct compare_encoding *e = &c->encoding[i];
      const struct compare_program *was = &base->programs->program[k], *is = &e->programs->program[k];
      if (!was->kernel) continue;
      fprintf(f, "<tr><td>");
      html_put(f, was->name);
      fprintf(f, "</td><td>");
      html_put(f, e->name);
      fprintf(f,
              "</td><td>%+.1f %%</td><td>%+.1f %%</td><td>%" PRIu64
              "</td><td>%u &rarr; %u</td><td>%u &rarr; %u</td></tr>\n",
              compare_more((double)base->cost[k].words, (double)e->cost[k].words),
              compare_more((double)base->cost[k].runs, (double)e->cost[k].runs), e->cost[k].extra, was->registers,
              is->registers, was->spilled_values, is->spilled_values);
    }
  fprintf(f, "</table>\n");
}

void compare_html(const struct comparison *c, FILE *f) {
  fprintf(f,
          "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Encodings</title><style>%s</style>"
          "</head><body>\n<h1>What an encoding costs and brings</h1>\n",
          style);
  write_rows(c, "", compare_total_rows, f);
  if (c->encoding[0].synth.there) {
    write_rows(c, "mapped to an ECP5", compare_synth_rows, f);
    compare_svg_decoders(c, f);
  }
  write_formats(c, f);
  write_fields(c, f);
  write_numbers(c, f);
  write_compaction(c, f);
  write_caches(c, f);
  write_changes(c, f);
  fprintf(f, "</body></html>\n");
}
