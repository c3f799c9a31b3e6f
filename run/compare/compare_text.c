/* SPDX-License-Identifier: Apache-2.0
 * The comparison as tables for a terminal: a column each encoding. */
#include <inttypes.h>
#include <string.h>

#include "run/compare/compare.h"

enum { LABEL = 37, COLUMN = 13 };

static void print_one_row(const struct comparison *c, FILE *f, const struct compare_row *r) {
  fprintf(f, "%-*s", LABEL, r->label);
  for (unsigned i = 0; i < c->encodings; i++) {
    char text[64] = "";
    r->cell(&c->encoding[i], text, sizeof text);
    fprintf(f, " %*s", COLUMN, text);
  }
  fputc('\n', f);
}

static void print_rows(const struct comparison *c, FILE *f, const struct compare_row *r) {
  for (; r->label; r++) print_one_row(c, f, r);
}

static void print_heading(const struct comparison *c, FILE *f, const char *title) {
  fprintf(f, "\n%-*s", LABEL, title);
  for (unsigned i = 0; i < c->encodings; i++) fprintf(f, " %*.*s", COLUMN, COLUMN, c->encoding[i].name);
  fputc('\n', f);
}

static void print_totals(const struct comparison *c, FILE *f) {
  const struct compare_programs *p = c->encoding[0].programs;
  uint64_t runs = c->encoding[0].total.runs;
  fprintf(f, "%zu PTX files, %zu words as %s compiles them; kernels: %" PRIu64 " warp instructions on the model\n",
          p->programs, p->corpus.words, c->encoding[0].name, runs);
  print_heading(c, f, "");
  print_rows(c, f, compare_total_rows);
}

static void print_synthesis(const struct comparison *c, FILE *f) {
  if (!c->encoding[0].synth.there) return;
  print_heading(c, f, "mapped to an ECP5");
  print_rows(c, f, compare_synth_rows);
}

/* Fields of the base; of others where something does not fit. */
static void print_fields(const struct comparison *c, FILE *f) {
  const struct compare_encoding *e = &c->encoding[0];
  const struct spec *s = e->programs->corpus.spec;
  fprintf(f, "\n%-8s %5s %7s %9s %8s %9s %8s   does not fit: words (executed)\n", e->name, "bits", "values", "words",
          "entropy", "executed", "entropy");
  for (unsigned k = 0; k < s->n_fields; k++) {
    const struct field_measure *m = &e->field[k];
    if (m->words == 0) continue;
    fprintf(f, "%-8s %5u %7u %9" PRIu64 " %8.3f %9" PRIu64 " %8.3f  ", s->field[k].name, m->width, m->values, m->words,
            m->entropy, m->runs, m->entropy_runs);
    for (unsigned i = 0; i < c->encodings; i++)
      if (c->encoding[i].field[k].unfit > 0)
        fprintf(f, " %s %" PRIu64 " (%" PRIu64 ")", c->encoding[i].name, c->encoding[i].field[k].unfit,
                c->encoding[i].field[k].unfit_runs);
    fputc('\n', f);
  }
}

static const unsigned widths[] = {8, 12, 16, 20, 24, 28, 30, 31};
enum { WIDTHS = sizeof widths / sizeof *widths };

static void print_numbers(const struct comparison *c, FILE *f) {
  const struct compare_encoding *e = &c->encoding[0];
  const struct spec *s = e->programs->corpus.spec;
  uint64_t above[WIDTHS] = {0}, above_runs[WIDTHS] = {0};
  fprintf(f, "\n%-8s %-7s %7s   numbers that fit into so many bits, %%\n%27s", "format", "field", "words", "");
  for (unsigned w = 0; w < WIDTHS; w++) fprintf(f, " %6u", widths[w]);
  fputc('\n', f);
  for (size_t i = 0; i < e->numbers; i++) {
    const struct number_measure *m = &e->number[i];
    fprintf(f, "%-8s %-7s %7" PRIu64 "   ", s->format[m->format].name, s->field[m->field].name, m->words);
    for (unsigned w = 0; w < WIDTHS; w++) {
      const uint64_t n = measure_above(m->need, widths[w]);
      fprintf(f, " %6.1f", compare_percent((double)(m->words - n), (double)m->words));
      if (s->field[m->field].kind != K_IMM32) continue;
      above[w] += n;
      above_runs[w] += measure_above(m->need_runs, widths[w]);
    }
    fputc('\n', f);
  }
  fprintf(f, "\nwith imm of so many bits, instructions forced into two\n%-27s", "words");
  for (unsigned w = 0; w < WIDTHS; w++) fprintf(f, " %6" PRIu64, above[w]);
  fprintf(f, "\n%-27s", "executed, thousands");
  for (unsigned w = 0; w < WIDTHS; w++) fprintf(f, " %6.1f", (double)above_runs[w] / 1000);
  fputc('\n', f);
}

static void print_formats(const struct comparison *c, FILE *f) {
  print_heading(c, f, "bits that the format leaves free");
  for (unsigned k = 0; k < c->encoding[0].spec->n_formats; k++) {
    const char *name = c->encoding[0].spec->format[k].name;
    if (c->encoding[0].bits.format[k].encodings == 0) continue;
    fprintf(f, "%-*s", LABEL, name);
    for (unsigned i = 0; i < c->encodings; i++) {
      const unsigned at = spec_format(c->encoding[i].spec, name);
      if (at == SPEC_NONE)
        fprintf(f, " %*s", COLUMN, "-");
      else
        fprintf(f, " %*u", COLUMN, c->encoding[i].bits.format[at].free_bits);
    }
    fputc('\n', f);
  }
}

static void print_compaction(const struct comparison *c, FILE *f) {
  const char *const what[COMPACT_WAYS] = {"", "64 bits by tables", "64/128 mix without tables",
                                          "three share a control word"};
  print_heading(c, f, "shorter code, by report alone");
  for (unsigned way = COMPACT_TABLE; way < COMPACT_WAYS; way++) {
    fprintf(f, "%s\n", what[way]);
    for (unsigned line = 0; line < 4; line++) {
      static const char *const label[] = {"  short words, %", "  ... as executed, %", "  bytes saved, %",
                                          "  bytes fetched saved, %"};
      fprintf(f, "%-*s", LABEL, label[line]);
      for (unsigned i = 0; i < c->encodings; i++) {
        const struct compare_encoding *e = &c->encoding[i];
        const struct compact *k = &e->compact;
        const double all = (double)e->programs->corpus.words, runs = k->total_runs[COMPACT_NONE] / COMPACT_LONG;
        const double v[] = {compare_percent((double)k->short_words[way], all),
                            compare_percent((double)k->short_runs[way], runs),
                            -compare_more(k->total[COMPACT_NONE], k->total[way]),
                            -compare_more(k->total_runs[COMPACT_NONE], k->total_runs[way])};
        fprintf(f, " %*.1f", COLUMN, v[line]);
      }
      fputc('\n', f);
    }
  }
  const struct compact *k = &c->encoding[0].compact;
  fprintf(f,
          "tables of %s: %u of %u control codes, %u of %u modifiers; with those of other programs %.1f %% of words\n",
          c->encoding[0].name, 1u << k->tables.control_bits, k->tables.controls, 1u << k->tables.modifier_bits,
          k->tables.modifiers, 100 * k->held_out);
}

static void print_cache_row(const struct comparison *c, unsigned way, const struct compare_encoding *e, FILE *f) {
  const struct icache_counts *best = &c->encoding[0].cache[COMPACT_NONE][COMPARE_SIZES - 1], *n = e->cache[way];
  char label[96];
  (void)snprintf(label, sizeof label, "%.20s%s%s", e->name, way == COMPACT_NONE ? "" : ", ",
                 way == COMPACT_NONE ? "" : compact_way_names[way]);
  fprintf(f, "%-24s refills", label);
  for (unsigned s = 0; s < COMPARE_SIZES; s++) fprintf(f, " %8" PRIu64, n[s].refills);
  fprintf(f, "\n%-24s stall %%", "");
  for (unsigned s = 0; s < COMPARE_SIZES; s++)
    fprintf(f, " %8.2f", compare_percent((double)n[s].stalls, (double)n[s].cycles));
  fprintf(f, "\n%-24s time %% ", "");
  for (unsigned s = 0; s < COMPARE_SIZES; s++)
    fprintf(f, " %8.2f", compare_percent((double)n[s].cycles, (double)best->cycles));
  fputc('\n', f);
}

static void print_caches(const struct comparison *c, FILE *f) {
  fprintf(f,
          "\nInstruction cache of %s: %u warps, an instruction each %u cycles, %u line(s) ahead, a line after %u "
          "cycles.\nstall: cycles in which every warp awaits a line, of all, with nothing else to wait for; time: all "
          "cycles,\nthose of %s with the largest cache being 100\n%-32s",
          c->q.config, c->warps, c->beats, c->ahead, c->latency, c->encoding[0].name, "KiB");
  for (unsigned s = 0; s < COMPARE_SIZES; s++) fprintf(f, " %8u", compare_cache_bytes(s) >> 10);
  fputc('\n', f);
  for (unsigned i = 0; i < c->encodings; i++) print_cache_row(c, COMPACT_NONE, &c->encoding[i], f);
  for (unsigned way = COMPACT_TABLE; way < COMPACT_WAYS; way++) print_cache_row(c, way, &c->encoding[0], f);
}

/* The same program in another encoding's list: both were made of the same files in the same order. */
static void print_changes(const struct comparison *c, FILE *f) {
  const struct compare_encoding *base = &c->encoding[0];
  fprintf(f, "\nagainst %s, by kernel            code   fetched  forced  registers  spilled\n", base->name);
  for (unsigned i = 1; i < c->encodings; i++) {
    const struct compare_encoding *e = &c->encoding[i];
    unsigned same = 0;
    for (size_t k = 0; k < base->programs->programs; k++) {
      const struct compare_program *was = &base->programs->program[k], *is = &e->programs->program[k];
      const struct compare_cost *b = &base->cost[k], *n = &e->cost[k];
      if (!was->kernel) continue;
      if (b->words == n->words && b->runs == n->runs && was->registers == is->registers) {
        same++;
        continue;
      }
      fprintf(f, "%-10.10s %-20.20s %+6.1f%% %+7.1f%% %7" PRIu64 " %4u -> %-3u %3u -> %u\n", e->name, is->name,
              compare_more((double)b->words, (double)n->words), compare_more((double)b->runs, (double)n->runs),
              n->extra, was->registers, is->registers, was->spilled_values, is->spilled_values);
    }
    fprintf(f, "%-10.10s %u kernels as they were\n", e->name, same);
  }
}

static void print_refused(const struct comparison *c, FILE *f) {
  for (unsigned i = 0; i < c->encodings; i++)
    for (size_t k = 0; k < c->encoding[i].programs->programs; k++) {
      const struct compare_program *p = &c->encoding[i].programs->program[k];
      if (p->why[0] != '\0') fprintf(f, "left out of %s: %s: %s\n", c->encoding[i].name, p->name, p->why);
    }
}

void compare_text(const struct comparison *c, FILE *to) {
  print_totals(c, to);
  print_synthesis(c, to);
  print_formats(c, to);
  print_fields(c, to);
  print_numbers(c, to);
  print_compaction(c, to);
  print_caches(c, to);
  print_changes(c, to);
  print_refused(c, to);
}
