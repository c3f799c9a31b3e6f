/* SPDX-License-Identifier: Apache-2.0
 * Encodings beside each other as one page, with bars and curves as SVG in it. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "run/compare/compare.h"

/* Bars and curves. */

static const char *const colours[] = {"#2b6cb0", "#c05621", "#2f855a", "#805ad5",
                                      "#b83280", "#4a5568", "#d69e2e", "#319795"};
enum { COLOURS = sizeof colours / sizeof *colours };

static void begin_svg(unsigned width, unsigned height, FILE *f) {
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" "
          "font-family=\"sans-serif\" font-size=\"12\">\n",
          width, height, width, height);
}

static void label(double x, double y, const char *anchor, const char *text, FILE *f) {
  fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  html_put(f, text);
  fprintf(f, "</text>\n");
}

static void bar(double x, double y, double width, double height, const char *colour, FILE *f) {
  fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y, width, height, colour);
}

/* bits and entropy, a bar each field */
static void compare_svg_fields(const struct compare_encoding *e, FILE *f) {
  enum { LEFT = 70, ROW = 15, BIT = 18 };
  const struct spec *s = e->programs->corpus.spec;
  unsigned n = 0;
  for (unsigned k = 0; k < s->n_fields; k++) n += e->field[k].words > 0;
  begin_svg(LEFT + 33 * BIT + 60, n * ROW + 6, f);
  n = 0;
  for (unsigned k = 0; k < s->n_fields; k++) {
    const struct field_measure *m = &e->field[k];
    if (m->words == 0) continue;
    const double y = n++ * ROW + 2;
    label(LEFT - 6, y + 11, "end", s->field[k].name, f);
    bar(LEFT, y, m->width * BIT, ROW - 3, "#e2e8f0", f);
    bar(LEFT, y, m->entropy * BIT, ROW - 3, colours[0], f);
    bar(LEFT + m->entropy_runs * BIT, y, 2, ROW - 3, colours[1], f);
  }
  fprintf(f, "</svg>\n");
}

enum { LEFT = 60, TOP = 14, WIDTH = 640, HEIGHT = 260, BELOW = 30, LEGEND = 210 };

static void axes(double most, const char *unit, FILE *f) {
  begin_svg(LEFT + WIDTH + LEGEND, TOP + HEIGHT + BELOW, f);
  for (unsigned k = 0; k <= 4; k++) {
    char text[48];
    const double y = TOP + HEIGHT - HEIGHT * k / 4.0;
    (void)snprintf(text, sizeof text, "%.3g %s", most * k / 4, unit);
    fprintf(f, "<path d=\"M%d %.1fH%d\" stroke=\"#e2e8f0\"/>\n", LEFT, y, LEFT + WIDTH);
    label(LEFT - 6, y + 4, "end", text, f);
  }
}

/* `n` values over the width, 0 to `most`. */
static void curve(const double *v, unsigned n, double most, const char *colour, bool dashed, FILE *f) {
  fprintf(f, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s d=\"", colour,
          dashed ? " stroke-dasharray=\"5 4\"" : "");
  for (unsigned i = 0; i < n; i++)
    fprintf(f, "%s%.1f %.1f", i == 0 ? "M" : "L", LEFT + WIDTH * (double)i / (n - 1),
            TOP + HEIGHT - (most > 0 ? HEIGHT * v[i] / most : 0));
  fprintf(f, "\"/>\n");
}

static void legend(unsigned at, const char *colour, const char *text, FILE *f) {
  bar(LEFT + WIDTH + 14, TOP + at * 18.0, 12, 12, colour, f);
  label(LEFT + WIDTH + 32, TOP + at * 18.0 + 11, "start", text, f);
}

/* words above so many bits */
static void compare_svg_immediates(const struct compare_encoding *e, FILE *f) {
  const struct spec *s = e->programs->corpus.spec;
  double words[MEASURE_NEED_MAX] = {0}, runs[MEASURE_NEED_MAX] = {0}, all = 0, all_runs = 0;
  for (size_t i = 0; i < e->numbers; i++) {
    const struct number_measure *m = &e->number[i];
    if (s->field[m->field].kind != K_IMM32) continue;
    all += (double)m->words;
    all_runs += (double)m->runs;
    for (unsigned b = 0; b < MEASURE_NEED_MAX; b++) {
      words[b] += (double)measure_above(m->need, b);
      runs[b] += (double)measure_above(m->need_runs, b);
    }
  }
  for (unsigned b = 0; b < MEASURE_NEED_MAX; b++) {
    words[b] = compare_percent(words[b], all);
    runs[b] = compare_percent(runs[b], all_runs);
  }
  axes(100, "%", f);
  curve(words, MEASURE_NEED_MAX, 100, colours[0], false, f);
  curve(runs, MEASURE_NEED_MAX, 100, colours[1], false, f);
  for (unsigned b = 0; b < MEASURE_NEED_MAX; b += 4) {
    char text[16];
    (void)snprintf(text, sizeof text, "%u", b);
    label(LEFT + WIDTH * (double)b / (MEASURE_NEED_MAX - 1), TOP + HEIGHT + 18, "middle", text, f);
  }
  legend(0, colours[0], "each word once", f);
  legend(1, colours[1], "as executed", f);
  fprintf(f, "</svg>\n");
}

/* LUT4 of each decoder */
static void compare_svg_decoders(const struct comparison *c, FILE *f) {
  enum { NAME = 120, ROW = 22, LONGEST = 520 };
  double most = 1;
  for (unsigned i = 0; i < c->encodings; i++) {
    if (c->encoding[i].synth.fast_lut4 > most) most = c->encoding[i].synth.fast_lut4;
    if (c->encoding[i].synth.decoder_lut4 > most) most = c->encoding[i].synth.decoder_lut4;
  }
  begin_svg(NAME + LONGEST + 120, c->encodings * 2 * ROW + 6, f);
  for (unsigned i = 0; i < c->encodings; i++) {
    const struct compare_synth *s = &c->encoding[i].synth;
    const unsigned lut[] = {s->decoder_lut4, s->fast_lut4};
    const double mhz[] = {s->decoder_mhz, s->fast_mhz};
    label(NAME - 6, i * 2 * ROW + 16, "end", c->encoding[i].name, f);
    for (unsigned k = 0; k < 2; k++) {
      char text[64];
      const double y = (i * 2 + k) * ROW + 3.0;
      bar(NAME, y, LONGEST * lut[k] / most, ROW - 6, colours[k], f);
      (void)snprintf(text, sizeof text, "%u LUT4, %.1f MHz", lut[k], mhz[k]);
      label(NAME + LONGEST * lut[k] / most + 6, y + 12, "start", text, f);
    }
  }
  fprintf(f, "</svg>\n");
}

/* Each encoding as it is, dashed the shorter forms of the first. */
static void compare_svg_caches(const struct comparison *c, FILE *f) {
  double v[COMPARE_MOST + COMPACT_WAYS][COMPARE_SIZES], most = 0.001;
  const unsigned n = c->encodings + COMPACT_WAYS - 1;
  for (unsigned i = 0; i < n; i++)
    for (unsigned s = 0; s < COMPARE_SIZES; s++) {
      const struct icache_counts *k =
          i < c->encodings ? &c->encoding[i].cache[COMPACT_NONE][s] : &c->encoding[0].cache[i - c->encodings + 1][s];
      v[i][s] = compare_percent((double)k->stalls, (double)k->cycles);
      if (v[i][s] > most) most = v[i][s];
    }
  axes(most, "%", f);
  for (unsigned i = 0; i < n; i++) {
    char text[96];
    const bool shorter = i >= c->encodings;
    curve(v[i], COMPARE_SIZES, most, colours[i % COLOURS], shorter, f);
    (void)snprintf(text, sizeof text, "%s%s%s", c->encoding[shorter ? 0 : i].name, shorter ? ", " : "",
                   shorter ? compact_way_names[i - c->encodings + 1] : "");
    legend(i, colours[i % COLOURS], text, f);
  }
  for (unsigned s = 0; s < COMPARE_SIZES; s++) {
    char text[24];
    (void)snprintf(text, sizeof text, "%u KiB", compare_cache_bytes(s) >> 10);
    label(LEFT + WIDTH * (double)s / (COMPARE_SIZES - 1), TOP + HEIGHT + 18, "middle", text, f);
  }
  fprintf(f, "</svg>\n");
}

/* The comparison as one page that asks for nothing else: tables, and pictures as SVG in the text. */

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
  fprintf(
      f, "<h2>Information in the bits of each field</h2>\n<p>Entropy of the values that the field has in the programs, "
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
          "<h2>Shorter code, by report alone</h2>\n<p>64-bit forms with control code and modifiers as indices of "
          "tables (%u and %u entries, of %u and %u patterns). With tables made of other programs %.1f %% of the words "
          "would be short. 64-bit forms without tables; three instructions that share a control word. None of this "
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
          "<h2>Instruction cache by size</h2>\n<p>Direct-mapped, lines of 64 bytes, %u line(s) ahead. %u warps in "
          "turns, an instruction each %u cycles, a line %u cycles after its request; cold at each launch. Share "
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
          "</head><body>\n<h1>Costs and benefits of an encoding</h1>\n",
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
