/* SPDX-License-Identifier: Apache-2.0
 * Encodings measured: programs run with warps in turns, decoders are mapped, words are counted. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/process.h"
#include "isa/gen/emit.h"
#include "run/cases/kernel_run.h"
#include "run/command/tool.h"
#include "run/compare/compare.h"

/* Warps of a launch in turns, on the model. */

struct run {
  struct turns *t;
  struct heddle_model *m;
  const struct heddle_launch *l;
  unsigned warps, warps_of_block;
  uint64_t next, blocks;
  bool live[TURNS_WARPS_MAX], ended[TURNS_WARPS_MAX];
  unsigned block_of[TURNS_WARPS_MAX]; /* block slot: that of the block's first warp slot */
  struct heddle_effect fx;
  struct heddle_performed done;
  const char *why;
};

static bool fail_turns(struct run *r, const char *why) {
  if (!r->why) r->why = why;
  return false;
}

static bool start_next_block(struct run *r) {
  uint8_t slot[TURNS_WARPS_MAX];
  unsigned n = 0;
  for (unsigned w = 0; w < r->warps && n < r->warps_of_block; w++)
    if (!r->live[w]) slot[n++] = (uint8_t)w;
  if (n < r->warps_of_block) return false;
  const uint32_t *g = r->l->grid;
  const uint32_t at[3] = {(uint32_t)(r->next % g[0]), (uint32_t)(r->next / g[0] % g[1]),
                          (uint32_t)(r->next / g[0] / g[1])};
  if (heddle_block_start(r->m, slot[0], at, slot, n) != HEDDLE_SUCCESS) return fail_turns(r, heddle_model_diag(r->m));
  for (unsigned i = 0; i < n; i++) r->live[slot[i]] = true, r->ended[slot[i]] = false, r->block_of[slot[i]] = slot[0];
  r->next++;
  return true;
}

static void end_finished_block(struct run *r, unsigned block) {
  for (unsigned w = 0; w < r->warps; w++)
    if (r->live[w] && r->block_of[w] == block && !r->ended[w]) return;
  if (heddle_block_end(r->m, block) != HEDDLE_SUCCESS) (void)fail_turns(r, heddle_model_diag(r->m));
  for (unsigned w = 0; w < r->warps; w++)
    if (r->block_of[w] == block) r->live[w] = false;
}

static bool note_issue(struct run *r, unsigned w, uint32_t pc) {
  struct turns_slot *s = &r->t->slot[w];
  if (++r->t->issued > TURNS_MOST) return fail_turns(r, "more instructions than can be kept");
  if (!array_room(&s->insn, &s->room, s->n + 1, sizeof *s->insn)) return fail_turns(r, "out of memory");
  s->insn[s->n++] = pc / ISA_STEP;
  return true;
}

static bool step_turn(struct run *r, unsigned w) {
  const enum heddle_error st = heddle_warp_issue(r->m, w, &r->fx);
  if (st == HEDDLE_ERROR_TRAPPED || (st == HEDDLE_SUCCESS && r->fx.traps)) return fail_turns(r, "it traps");
  if (st != HEDDLE_SUCCESS) return fail_turns(r, heddle_model_diag(r->m));
  if (!note_issue(r, w, r->fx.pc)) return false;
  if (heddle_perform_whole(r->m, w, &r->fx, &r->done) != HEDDLE_SUCCESS) return fail_turns(r, heddle_model_diag(r->m));
  r->ended[w] = r->fx.warp_ended;
  if (r->fx.bar_wait || r->fx.warp_ended)
    for (unsigned id = 0; id < 16; id++) (void)heddle_barrier_release(r->m, r->block_of[w], id);
  if (r->fx.warp_ended) end_finished_block(r, r->block_of[w]);
  return !r->why;
}

static bool all_turns(struct run *r) {
  for (bool moved = true; moved && !r->why;) {
    moved = false;
    while (r->next < r->blocks && start_next_block(r)) {}
    for (unsigned w = 0; w < r->warps && !r->why; w++) {
      if (!r->live[w] || r->ended[w] || heddle_warp_waiting(r->m, w)) continue;
      moved = step_turn(r, w);
    }
  }
  if (!r->why && !heddle_grid_done(r->m)) return fail_turns(r, "its warps wait for each other");
  return !r->why;
}

static bool turns_run(struct turns *t, const struct job *job, unsigned warps, uint8_t *image, char *why,
                      size_t why_bytes) {
  const struct heddle_model_config c = {
      .size = sizeof c, .base = job->mem_base, .bytes = job->mem_bytes, .warp_slots = warps, .block_slots = warps};
  struct heddle_launch l = job->launch;
  struct run *r = calloc(1, sizeof *r);
  struct heddle_model *m = r ? heddle_model_new(&c) : NULL;
  bool ok = m != NULL && warps <= TURNS_WARPS_MAX;
  snprintf(why, why_bytes, "out of memory");
  if (ok) {
    *r = (struct run){.t = t, .m = m, .l = &l, .warps = warps};
    r->warps_of_block = (l.block[0] * l.block[1] * l.block[2] + HEDDLE_LANES - 1) / HEDDLE_LANES;
    r->blocks = (uint64_t)l.grid[0] * l.grid[1] * l.grid[2];
    l.units = UINT32_MAX;
    t->warps = warps;
    job_store_inputs(job, heddle_model_memory(m));
    ok = r->warps_of_block <= warps
             ? heddle_model_launch(m, &l) == HEDDLE_SUCCESS || fail_turns(r, heddle_model_diag(m))
             : fail_turns(r, "a block has more warps than there are slots");
    ok = ok && all_turns(r);
    if (!ok) snprintf(why, why_bytes, "%s", r->why);
    if (ok) memcpy(image, heddle_model_memory(m), job->mem_bytes);
  }
  heddle_model_free(m);
  free(r);
  return ok;
}

void turns_clear(struct turns *t) {
  for (unsigned w = 0; w < TURNS_WARPS_MAX; w++) free(t->slot[w].insn);
  *t = (struct turns){0};
}

/* One case of a kernel on the model, warps in turns; what it leaves must be right. */

enum { SEED = 1, SCALE = 1 };

struct recording {
  const struct comparison *c;
  struct compare_program *p;
};

static bool record_launch(void *ctx, unsigned number, const struct job *j, uint8_t *image, char *why, size_t n) {
  const struct recording *x = ctx;
  x->p->launches = number + 1;
  return turns_run(&x->p->launch[number], j, x->c->warps, image, why, n);
}

bool compare_run_kernel(struct comparison *c, struct compare_program *p, const struct heddle_program *code,
                        const struct kernel_info *k) {
  char why[512] = "out of memory";
  struct kernel_case *of = malloc(sizeof *of);
  bool ok = of && kernel_prepare(k, KERNEL_PTX, SEED, SCALE, of);
  if (ok) {
    struct recording x = {c, p};
    ok = of->launches <= COMPARE_LAUNCHES && kernel_case_run(code, of, record_launch, &x, why, sizeof why);
    kernel_case_clear(of);
  }
  free(of);
  if (!ok) tool_error("%s on the model: %s", p->name, why);
  return ok;
}

/* What decoders and issue logic cost: packages are written here, scripts/synth-encoding.sh maps them. */

enum { PATH_BYTES = 4096, SYNTH_BYTES_MAX = 1 << 20 };

static bool folder_of(const struct comparison *c, unsigned i, char *path, size_t n) {
  const int len = snprintf(path, n, "%s/%016" PRIx64, c->q.cache, c->encoding[i].spec->hash);
  return len > 0 && (size_t)len < n;
}

static bool make_synthesis_folder(const char *path) {
  if (mkdir(path, 0777) == 0 || errno == EEXIST) return true;
  tool_error("%s: %s", path, strerror(errno));
  return false;
}

/* The package; not written again where it says the same, so that nothing seems to have changed. */
static bool write_package(const struct comparison *c, unsigned i) {
  char path[PATH_BYTES];
  struct diag d = {0};
  if (!folder_of(c, i, path, sizeof path) || !make_synthesis_folder(path)) return false;
  FILE *f = text_create(path, "isa_pkg.sv", &d);
  if (f) emit_sv(c->encoding[i].spec, f);
  if (f && text_close(f, "isa_pkg.sv", &d)) return true;
  tool_error("%s", d.text);
  return false;
}

int compare_start(const char *script, char **argument) {
  pid_t pid;
  (void)fflush(NULL);
  argument[0] = (char *)(uintptr_t)script; /* it is only read */
  const struct process p = {
      .words = (const char *const *)argument, .in = STDIN_FILENO, .out = STDERR_FILENO, .err = STDERR_FILENO};
  return process_start(&p, &pid) ? process_wait(pid) : TOOL_MISSING;
}

static int run_script(const struct comparison *c) {
  char script[PATH_BYTES], jobs[16], folder[COMPARE_MOST][PATH_BYTES];
  char *argument[COMPARE_MOST + 4] = {script, (char[]){"--jobs"}, jobs};
  unsigned n = 3;
  (void)snprintf(script, sizeof script, "%s/scripts/synth-encoding.sh", c->q.tree);
  (void)snprintf(jobs, sizeof jobs, "%u", c->q.jobs);
  for (unsigned i = 0; i < c->encodings; i++)
    if (folder_of(c, i, folder[i], sizeof folder[i])) argument[n++] = folder[i];
  const int status = compare_start(script, argument);
  if (status == 0) return TOOL_OK;
  tool_error("%s ended with status %d; --no-synth leaves synthesis out", script, status);
  return status == TOOL_USAGE ? TOOL_USAGE : TOOL_MISSING;
}

static bool read_figures(const struct comparison *c, unsigned i, struct compare_synth *s) {
  char path[PATH_BYTES + 16], folder[PATH_BYTES];
  json_error_t at;
  if (!folder_of(c, i, folder, sizeof folder)) return false;
  (void)snprintf(path, sizeof path, "%s/synth.json", folder);
  json_t *j = json_load_file(path, 0, &at);
  int lut[4] = {0}, levels[2] = {0};
  const bool ok = j && json_unpack_ex(j, &at, 0, "{s:{s:i, s:i, s:F}, s:{s:i, s:i, s:F}, s:{s:i}, s:{s:i}}", "decoder",
                                      "lut4", &lut[0], "levels", &levels[0], "mhz", &s->decoder_mhz, "decoder_fast",
                                      "lut4", &lut[1], "levels", &levels[1], "mhz", &s->fast_mhz, "issue_control",
                                      "lut4", &lut[2], "issue_scoreboard", "lut4", &lut[3]) == 0;
  if (!ok) tool_error("%s:%d: %s", path, at.line, at.text);
  json_decref(j);
  s->there = ok;
  s->decoder_lut4 = (unsigned)lut[0], s->fast_lut4 = (unsigned)lut[1];
  s->control_lut4 = (unsigned)lut[2], s->scoreboard_lut4 = (unsigned)lut[3];
  s->decoder_levels = (unsigned)levels[0], s->fast_levels = (unsigned)levels[1];
  return ok;
}

int compare_synthesis(struct comparison *c) {
  bool ok = make_synthesis_folder(c->q.cache);
  for (unsigned i = 0; ok && i < c->encodings; i++) ok = write_package(c, i);
  if (!ok) return TOOL_USAGE;
  const int status = run_script(c);
  if (status != TOOL_OK) return status;
  for (unsigned i = 0; ok && i < c->encodings; i++) ok = read_figures(c, i, &c->encoding[i].synth);
  return ok ? TOOL_OK : TOOL_MISSING;
}

/* One encoding measured over the programs: what fits, what is said by its bits, what shorter code would bring. */

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
