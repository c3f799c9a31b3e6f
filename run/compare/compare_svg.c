/* SPDX-License-Identifier: Apache-2.0
 * Bars and curves. */
#include "compare_svg.h"

#include "base/text.h"

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

void compare_svg_fields(const struct compare_encoding *e, FILE *f) {
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

void compare_svg_immediates(const struct compare_encoding *e, FILE *f) {
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

void compare_svg_decoders(const struct comparison *c, FILE *f) {
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
void compare_svg_caches(const struct comparison *c, FILE *f) {
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
