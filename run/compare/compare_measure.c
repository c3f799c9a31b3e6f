/* SPDX-License-Identifier: Apache-2.0
 * One encoding measured over the programs: what fits, what is said by its bits, what shorter code would bring. */
#include <limits.h>
#include <stdlib.h>

#include "run/compare/compare.h"
#include "run/command/tool.h"

static void add_cost(struct compare_cost *sum, const struct compare_cost *c) {
  sum->words += c->words;
  sum->extra += c->extra;
  sum->runs += c->runs;
  sum->extra_runs += c->extra_runs;
  sum->broken = sum->broken || c->broken;
}

static struct compare_cost cost_of(const struct corpus *c, const struct compare_program *p, const struct spec *as) {
  struct compare_cost cost = {0};
  const size_t first = c->program[p->at].first;
  for (size_t i = first; i < first + p->words; i++) {
    const unsigned n = measure_words(c, &c->word[i], as);
    cost.broken = cost.broken || n == UINT_MAX;
    const uint64_t extra = n == UINT_MAX ? 0 : n - 1;
    cost.words += 1 + extra;
    cost.extra += extra;
    cost.runs += c->word[i].runs * (1 + extra);
    cost.extra_runs += c->word[i].runs * extra;
  }
  return cost;
}

static bool measure_costs(struct compare_encoding *e) {
  const struct compare_programs *s = e->programs;
  e->cost = calloc(s->programs + 1, sizeof *e->cost);
  if (!e->cost) return false;
  for (size_t i = 0; i < s->programs; i++) {
    if (s->program[i].why[0] != '\0') continue;
    e->cost[i] = cost_of(&s->corpus, &s->program[i], e->spec);
    add_cost(&e->total, &e->cost[i]);
  }
  return true;
}

/* Where a program's instructions lie if code is shortened in this way. Three places of eight bytes follow eight bytes
 * of control codes in COMPACT_SHARED; an instruction of two places may begin at the last of them. Returns the bytes. */
static uint32_t lay_out_program(const struct compare_encoding *e, const struct compare_program *p, unsigned way,
                                uint32_t *at, uint8_t *bytes) {
  const struct corpus *c = &e->programs->corpus;
  const size_t first = c->program[p->at].first;
  const bool shared = way == COMPACT_SHARED;
  uint32_t next = 0;
  for (size_t i = 0; i < p->words; i++) {
    const unsigned words = way == COMPACT_NONE ? measure_words(c, &c->word[first + i], e->spec) : 1;
    const unsigned size = (words == UINT_MAX ? 1 : words) * e->compact.bytes[way][first + i];
    at[i] = shared ? next / 24 * 32 + 8 + next % 24 : next;
    bytes[i] = (uint8_t)(size + (shared && next % 24 + size > 24 ? 8 : 0));
    next += size;
  }
  return shared ? (next + 23) / 24 * 32 : next;
}

static bool run_cache(const struct comparison *c, struct compare_encoding *e, const struct compare_program *p,
                      unsigned way, unsigned size, const struct icache_code *code, uint32_t code_bytes) {
  struct icache_config config = {.bytes = compare_cache_bytes(size),
                                 .ahead = c->ahead,
                                 .last = code_bytes - 1,
                                 .beats = c->beats,
                                 .latency = c->latency};
  for (unsigned l = 0; l < p->launches; l++) {
    struct icache_stream stream[TURNS_WARPS_MAX];
    for (unsigned w = 0; w < p->launch[l].warps; w++)
      stream[w] = (struct icache_stream){p->launch[l].slot[w].insn, p->launch[l].slot[w].n};
    if (!icache_time(&config, code, stream, p->launch[l].warps, &e->cache[way][size])) return false;
  }
  return true;
}

static bool measure_cache(const struct comparison *c, struct compare_encoding *e) {
  bool ok = true;
  for (size_t i = 0; i < e->programs->programs && ok; i++) {
    const struct compare_program *p = &e->programs->program[i];
    if (!p->kernel || p->words == 0) continue;
    uint32_t *at = calloc(p->words + 1, sizeof *at);
    uint8_t *bytes = calloc(p->words + 1, 1);
    ok = at && bytes;
    for (unsigned way = 0; way < COMPACT_WAYS && ok; way++) {
      const uint32_t all = lay_out_program(e, p, way, at, bytes);
      const struct icache_code code = {at, bytes, way == COMPACT_SHARED ? COMPACT_LONG + COMPACT_SHORT : COMPACT_LONG};
      for (unsigned size = 0; size < COMPARE_SIZES && ok; size++) ok = run_cache(c, e, p, way, size, &code, all);
    }
    free(at);
    free(bytes);
  }
  return ok;
}

bool compare_measure(struct comparison *c, struct compare_encoding *e) {
  report_make(e->spec, &e->bits);
  report_compare(c->encoding[0].spec, e->spec, &e->changes);
  e->max_regs = e->bits.registers > 1 ? e->bits.registers - 1 : 0;
  e->programs = compare_programs(c, e->max_regs);
  if (!e->programs) return false;
  e->numbers = measure_numbers(&e->programs->corpus, e->number, COMPARE_NUMBERS);
  if (measure_costs(e) && measure_fields(&e->programs->corpus, e->spec, e->field) &&
      compact_make(&e->programs->corpus, e->spec, &e->compact) && measure_cache(c, e))
    return true;
  tool_error("out of memory");
  return false;
}

struct compare_sums compare_sums(const struct compare_encoding *e) {
  struct compare_sums s = {0};
  const struct compare_programs *p = e->programs;
  for (size_t i = 0; i < p->programs; i++) {
    const struct compare_program *of = &p->program[i];
    if (of->registers > s.registers) s.registers = of->registers;
    s.spilling += of->spilled_values > 0;
    s.spilled_values += of->spilled_values;
    s.spill_loads += of->spill_loads;
    s.spill_stores += of->spill_stores;
    s.stall_cycles += of->stall_cycles;
    s.refused += of->why[0] != '\0';
  }
  for (unsigned f = 0; f < p->corpus.spec->n_fields; f++) {
    const struct field_measure *m = &e->field[f];
    s.entropy += p->corpus.words > 0 ? m->entropy * (double)m->words / (double)p->corpus.words : 0;
  }
  double runs = 0;
  for (size_t i = 0; i < p->corpus.words; i++) runs += (double)p->corpus.word[i].runs;
  for (unsigned f = 0; runs > 0 && f < p->corpus.spec->n_fields; f++)
    s.entropy_runs += e->field[f].entropy_runs * (double)e->field[f].runs / runs;
  return s;
}
