/* SPDX-License-Identifier: Apache-2.0
 * The comparison as JSON: docs/for-encodings.md names the members, compare.h and isa/measure say what they count. */
#include <inttypes.h>
#include <math.h>

#include "run/compare/compare.h"

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
