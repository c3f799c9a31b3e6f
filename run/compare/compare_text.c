/* SPDX-License-Identifier: Apache-2.0
 * Encodings beside each other as tables for a terminal, and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "run/compare/compare.h"

/* The rows of the tables that have a column each encoding: of the terminal and of the page. */

#define CELL(name, ...)                                                                                                \
  static void name(const struct compare_encoding *e, char *t, size_t n) {                                              \
    (void)snprintf(t, n, __VA_ARGS__);                                                                                 \
  }
CELL(built_cell, "%s", e->spec->sketch_at.line != 0 ? "sketch" : "can be")
CELL(words_cell, "%" PRIu64, e->total.words * 16)
CELL(fetched_cell, "%" PRIu64, e->total.runs * 16)
CELL(forced_cell, "%" PRIu64, e->total.extra)
CELL(forced_runs_cell, "%" PRIu64, e->total.extra_runs)
CELL(named_cell, "%u", e->bits.registers)
CELL(used_cell, "%u", compare_sums(e).registers)
CELL(spilling_cell, "%u", compare_sums(e).spilling)
CELL(spilled_cell, "%" PRIu64, compare_sums(e).spilled_values)
CELL(spill_accesses_cell, "%" PRIu64, compare_sums(e).spill_loads + compare_sums(e).spill_stores)
CELL(refused_cell, "%u", compare_sums(e).refused)
CELL(stalls_cell, "%" PRIu64, compare_sums(e).stall_cycles)
CELL(entropy_cell, "%.2f", compare_sums(e).entropy)
CELL(entropy_runs_cell, "%.2f", compare_sums(e).entropy_runs)
CELL(opcodes_cell, "%u", e->bits.opcodes_free)
CELL(reserved_cell, "%u-%u", e->bits.reserved_least, e->bits.reserved_most)
CELL(decoder_cell, "%u", e->synth.decoder_lut4)
CELL(decoder_levels_cell, "%u", e->synth.decoder_levels)
CELL(decoder_mhz_cell, "%.1f", e->synth.decoder_mhz)
CELL(fast_cell, "%u", e->synth.fast_lut4)
CELL(fast_levels_cell, "%u", e->synth.fast_levels)
CELL(fast_mhz_cell, "%.1f", e->synth.fast_mhz)
CELL(control_cell, "%u", e->synth.control_lut4)
CELL(scoreboard_cell, "%u", e->synth.scoreboard_lut4)

const struct compare_row compare_total_rows[] = {{"a build with it", built_cell},
                                                 {"code, bytes", words_cell},
                                                 {"fetched by the kernels, bytes", fetched_cell},
                                                 {"instructions forced into two", forced_cell},
                                                 {"... as executed", forced_runs_cell},
                                                 {"entropy of a word, bits", entropy_cell},
                                                 {"... as executed", entropy_runs_cell},
                                                 {"opcodes free", opcodes_cell},
                                                 {"bits reserved in an encoding", reserved_cell},
                                                 {"registers that can be named", named_cell},
                                                 {"most registers of a kernel", used_cell},
                                                 {"programs that spill", spilling_cell},
                                                 {"values spilled", spilled_cell},
                                                 {"loads and stores of spills", spill_accesses_cell},
                                                 {"stall cycles in the code", stalls_cell},
                                                 {"programs that do not compile", refused_cell},
                                                 {NULL, NULL}};

const struct compare_row compare_synth_rows[] = {{"decoder for 60 MHz, LUT4", decoder_cell},
                                                 {"... levels", decoder_levels_cell},
                                                 {"... MHz, estimated", decoder_mhz_cell},
                                                 {"decoder as fast as it goes, LUT4", fast_cell},
                                                 {"... levels", fast_levels_cell},
                                                 {"... MHz, estimated", fast_mhz_cell},
                                                 {"issue of tiny, control codes, LUT4", control_cell},
                                                 {"issue of tiny, scoreboard, LUT4", scoreboard_cell},
                                                 {NULL, NULL}};

/* The comparison as tables for a terminal: a column each encoding. */

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

/* The comparison as JSON: docs/for-encodings.md names the members, compare.h and isa/measure say what they count. */

/* Enough digits for people and scripts, few enough to be the same everywhere. */
static json_t *rounded(double v) {
  return json_real(round(v * 1e4) / 1e4);
}

static json_t *count_json(uint64_t v) {
  return json_integer((json_int_t)v);
}

static json_t *fields_json(const struct compare_encoding *e) {
  json_t *list = json_array();
  const struct spec *s = e->programs->corpus.spec;
  for (unsigned f = 0; f < s->n_fields; f++) {
    const struct field_measure *m = &e->field[f];
    if (m->words == 0) continue;
    (void)json_array_append_new(
        list, json_pack("{s:s, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "name", s->field[f].name, "bits",
                        (json_int_t)m->width, "values", (json_int_t)m->values, "words", count_json(m->words), "runs",
                        count_json(m->runs), "entropy", rounded(m->entropy), "entropy_runs", rounded(m->entropy_runs),
                        "unfit", count_json(m->unfit), "unfit_runs", count_json(m->unfit_runs)));
  }
  return list;
}

/* [n]: how many need more than n bits. */
static json_t *above_json(const uint64_t need[MEASURE_NEED_MAX]) {
  json_t *list = json_array();
  for (unsigned bits = 0; bits < MEASURE_NEED_MAX; bits++)
    (void)json_array_append_new(list, count_json(measure_above(need, bits)));
  return list;
}

static json_t *numbers_json(const struct compare_encoding *e) {
  json_t *list = json_array();
  const struct spec *s = e->programs->corpus.spec;
  for (size_t i = 0; i < e->numbers; i++) {
    const struct number_measure *m = &e->number[i];
    (void)json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "format", s->format[m->format].name,
                                                "field", s->field[m->field].name, "words", count_json(m->words), "runs",
                                                count_json(m->runs), "above", above_json(m->need), "above_runs",
                                                above_json(m->need_runs)));
  }
  return list;
}

static json_t *compact_json(const struct compare_encoding *e) {
  json_t *j = json_object();
  const struct compact *c = &e->compact;
  const struct compact_tables *t = &c->tables;
  for (unsigned way = 0; way < COMPACT_WAYS; way++)
    (void)json_object_set_new(j, compact_way_names[way],
                              json_pack("{s:o, s:o, s:o, s:o}", "short_words", count_json(c->short_words[way]),
                                        "short_runs", count_json(c->short_runs[way]), "bytes", rounded(c->total[way]),
                                        "bytes_fetched", rounded(c->total_runs[way])));
  json_t *steps = json_array();
  for (unsigned i = 0; i < t->steps; i++) (void)json_array_append_new(steps, rounded(t->share[i]));
  (void)json_object_set_new(j, "tables",
                            json_pack("{s:i, s:i, s:i, s:i, s:o, s:o}", "control_entries", 1 << t->control_bits,
                                      "modifier_entries", 1 << t->modifier_bits, "controls", (int)t->controls,
                                      "modifiers", (int)t->modifiers, "share_by_doubling", steps, "share_held_out",
                                      rounded(c->held_out)));
  return j;
}

static json_t *cache_json(const struct compare_encoding *e, unsigned way) {
  json_t *list = json_array();
  for (unsigned size = 0; size < COMPARE_SIZES; size++) {
    const struct icache_counts *n = &e->cache[way][size];
    (void)json_array_append_new(list, json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "bytes",
                                                (json_int_t)compare_cache_bytes(size), "lookups",
                                                count_json(n->lookups), "misses", count_json(n->misses), "late",
                                                count_json(n->late), "refills", count_json(n->refills), "cycles",
                                                count_json(n->cycles), "stalls", count_json(n->stalls)));
  }
  return list;
}

static json_t *caches_json(const struct compare_encoding *e) {
  json_t *j = json_object();
  for (unsigned way = 0; way < COMPACT_WAYS; way++)
    (void)json_object_set_new(j, compact_way_names[way], cache_json(e, way));
  return j;
}

static json_t *programs_json(const struct compare_encoding *e) {
  json_t *list = json_array();
  for (size_t i = 0; i < e->programs->programs; i++) {
    const struct compare_program *p = &e->programs->program[i];
    const struct compare_cost *c = &e->cost[i];
    json_t *j =
        json_pack("{s:s, s:b, s:o, s:o, s:o, s:o, s:b, s:i, s:i, s:i, s:i, s:i}", "name", p->name, "kernel", p->kernel,
                  "words", count_json(c->words), "words_forced", count_json(c->extra), "runs", count_json(c->runs),
                  "runs_forced", count_json(c->extra_runs), "broken", c->broken, "registers", (int)p->registers,
                  "spilled_values", (int)p->spilled_values, "spill_loads", (int)p->spill_loads, "spill_stores",
                  (int)p->spill_stores, "stall_cycles", (int)p->stall_cycles);
    if (p->why[0] != '\0') (void)json_object_set_new(j, "refused", json_string(p->why));
    (void)json_array_append_new(list, j);
  }
  return list;
}

static json_t *synth_json(const struct compare_synth *s) {
  if (!s->there) return json_null();
  return json_pack("{s:{s:i, s:i, s:f}, s:{s:i, s:i, s:f}, s:i, s:i}", "decoder", "lut4", (int)s->decoder_lut4,
                   "levels", (int)s->decoder_levels, "mhz", s->decoder_mhz, "decoder_fast", "lut4", (int)s->fast_lut4,
                   "levels", (int)s->fast_levels, "mhz", s->fast_mhz, "issue_control_lut4", (int)s->control_lut4,
                   "issue_scoreboard_lut4", (int)s->scoreboard_lut4);
}

static json_t *totals_json(const struct compare_encoding *e) {
  const struct compare_sums s = compare_sums(e);
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "words",
      count_json(e->total.words), "words_forced", count_json(e->total.extra), "runs", count_json(e->total.runs),
      "runs_forced", count_json(e->total.extra_runs), "bytes", count_json(e->total.words * 16), "bytes_fetched",
      count_json(e->total.runs * 16), "broken", e->total.broken, "registers", (int)s.registers, "programs_spilling",
      (int)s.spilling, "programs_refused", (int)s.refused, "spilled_values", count_json(s.spilled_values),
      "spill_loads", count_json(s.spill_loads), "spill_stores", count_json(s.spill_stores), "stall_cycles",
      count_json(s.stall_cycles), "entropy_word", rounded(s.entropy), "entropy_word_runs", rounded(s.entropy_runs));
}

static json_t *encoding_json(const struct compare_encoding *e) {
  json_t *j = report_json(e->spec, NULL);
  if (!j) return NULL;
  (void)json_object_set_new(j, "encoding", json_string(e->name));
  (void)json_object_set_new(j, "sketch", e->spec->sketch_at.line != 0 ? json_string(e->spec->sketch) : json_null());
  (void)json_object_set_new(j, "max_regs", json_integer(e->max_regs));
  (void)json_object_set_new(j, "totals", totals_json(e));
  (void)json_object_set_new(j, "fields", fields_json(e));
  (void)json_object_set_new(j, "numbers", numbers_json(e));
  (void)json_object_set_new(j, "compaction", compact_json(e));
  (void)json_object_set_new(j, "instruction_cache", caches_json(e));
  (void)json_object_set_new(j, "programs", programs_json(e));
  (void)json_object_set_new(j, "synthesis", synth_json(&e->synth));
  return j;
}

json_t *compare_json(const struct comparison *c) {
  json_t *list = json_array();
  for (unsigned i = 0; i < c->encodings; i++)
    if (json_array_append_new(list, encoding_json(&c->encoding[i])) != 0) {
      json_decref(list);
      return NULL;
    }
  return json_pack("{s:s, s:{s:i, s:i, s:i, s:i}, s:o}", "config", c->q.config, "machine", "warps", (int)c->warps,
                   "issue_cycles", (int)c->beats, "lines_ahead", (int)c->ahead, "line_latency", (int)c->latency,
                   "encodings", list);
}
