/* SPDX-License-Identifier: Apache-2.0
 * What random programs execute. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "lab/fuzz/fuzz_case.h"
#include "lab/verify/coverage/cov.h"
#include "run/options/cov_run.h"
#include <heddle/config.h>
#include <heddle/isa_tables.h>
#include "run/command/json_out.h"
#include "run/command/tool.h"

#define INSNS_MOST 4000000u /* of a launch */

struct fuzz_stats {
  const struct run_options *run;
  uint64_t executed[ISA_ENC_COUNT], drawn[ISA_ENC_COUNT]; /* warp instructions; words of programs */
  uint64_t lines, frame;                                  /* of them prologue and epilogue */
  uint64_t insns;
  size_t programs, room;
  uint32_t *length;    /* of each program: what a warp executes in a launch */
  struct cov_run *cov; /* --cov, or NULL */
};

/* One block at a time on the model as a machine: a warp after the other issues, accesses perform at once. */
struct machine {
  struct heddle_model *m;
  struct fuzz_stats *stats;
  unsigned warps;
  uint64_t issued;
  enum heddle_error status;
};

struct fuzz_stats *fuzz_stats_new(const struct run_options *run, size_t programs) {
  struct fuzz_stats *s = calloc(1, sizeof *s);
  if (!s || !(s->length = calloc(programs, sizeof *s->length)) || (run->cov && !(s->cov = cov_run_new(run)))) {
    fuzz_stats_free(s);
    return NULL;
  }
  s->run = run;
  s->room = programs;
  return s;
}

void fuzz_stats_free(struct fuzz_stats *s) {
  if (s) free(s->length);
  if (s) cov_run_free(s->cov);
  free(s);
}

static bool has_ended(const struct machine *x, unsigned w) {
  struct heddle_standing st;
  return !heddle_warp_standing(x->m, w, &st) || st.ended;
}

/* One instruction of warp w, unless it waits. False: it did not issue. */
static bool issue_warp(struct machine *x, unsigned w) {
  struct heddle_standing st;
  if (!heddle_warp_standing(x->m, w, &st) || st.ended) return false;
  if (st.waiting) return false;
  struct heddle_effect e;
  x->status = heddle_warp_issue(x->m, w, &e);
  if (x->status != HEDDLE_SUCCESS) return false;
  x->stats->executed[e.dec.enc]++;
  x->issued++;
  if (x->stats->cov) cov_issue_alone(cov_run_collector(x->stats->cov), x->m, w, &e);
  if (e.traps) x->status = HEDDLE_ERROR_TRAPPED;
  struct heddle_performed done;
  if (!e.traps) x->status = heddle_perform_whole(x->m, w, &e, &done);
  if (x->status != HEDDLE_SUCCESS) return false;
  /* Arrivals alone may complete a barrier, and warps that end: the model knows which. */
  const bool moves = heddle_isa_instr_info((enum heddle_isa_op)e.dec.op)->drains || e.warp_ended;
  for (unsigned id = 0; id < 16 && moves; id++) (void)heddle_barrier_release(x->m, 0, id);
  return true;
}

static void run_whole_block(struct machine *x, const uint32_t at[3]) {
  uint8_t slot[256];
  for (unsigned w = 0; w < x->warps; w++) slot[w] = (uint8_t)w;
  x->status = heddle_block_start(x->m, 0, at, slot, x->warps);
  for (bool moved = true; moved && x->status == HEDDLE_SUCCESS && x->issued < INSNS_MOST;) {
    moved = false;
    for (unsigned w = 0; w < x->warps && x->status == HEDDLE_SUCCESS; w++) moved |= issue_warp(x, w);
  }
  if (x->status != HEDDLE_SUCCESS) return;
  for (unsigned w = 0; w < x->warps; w++)
    if (!has_ended(x, w)) x->status = HEDDLE_ERROR_LIMIT;
  if (x->status == HEDDLE_SUCCESS) x->status = heddle_block_end(x->m, 0);
}

static void run_grid(struct machine *x, const struct heddle_launch *l) {
  x->status = heddle_model_launch(x->m, l);
  if (x->stats->cov) cov_launch_alone(cov_run_collector(x->stats->cov), l);
  for (uint32_t i = 0; x->status == HEDDLE_SUCCESS && i < l->grid[0] * l->grid[1] * l->grid[2]; i++) {
    const uint32_t at[3] = {i % l->grid[0], i / l->grid[0] % l->grid[1], i / l->grid[0] / l->grid[1]};
    run_whole_block(x, at);
  }
}

/* As its launch says? */
static bool judge_end(const struct machine *x, const struct random_launch *l, char *why, size_t size) {
  if (x->status == HEDDLE_SUCCESS && l->trap == 0) return true;
  if (x->status == HEDDLE_ERROR_TRAPPED) {
    const struct heddle_trap *t = heddle_model_trap(x->m);
    if (t->cause == l->trap) return true;
    (void)snprintf(why, size, "trap %s at pc 0x%x", heddle_cause_name(t->cause), t->pc);
  } else if (x->status == HEDDLE_SUCCESS) {
    (void)snprintf(why, size, "no trap: the program is meant to end with %s",
                   heddle_cause_name((enum heddle_cause)l->trap));
  } else {
    const char *diag = heddle_model_diag(x->m);
    (void)snprintf(why, size, "status %d: %.*s", (int)x->status, (int)strcspn(diag, "\n"), diag);
  }
  return false;
}

static bool run_job(struct fuzz_stats *s, const struct job *j, const struct random_launch *l, char *why, size_t size) {
  const struct heddle_model_config c = {.size = sizeof c,
                                        .base = j->mem_base,
                                        .bytes = j->mem_bytes,
                                        .warp_slots = s->run->config->warps,
                                        .block_slots = 1,
                                        .divergence = s->run->its ? HEDDLE_ITS : HEDDLE_STACK};
  struct machine x = {
      .m = heddle_model_new(&c), .stats = s, .warps = (l->block[0] * l->block[1] * l->block[2] + 31) / 32};
  bool good = false;
  if (x.m) {
    job_store_inputs(j, heddle_model_memory(x.m));
    x.status = HEDDLE_SUCCESS;
    for (unsigned i = 0; i < l->launches && x.status == HEDDLE_SUCCESS; i++) run_grid(&x, &j->launch);
    const struct random_launch alone = fuzz_without_device(l);
    good = judge_end(&x, &alone, why, size);
    s->insns += x.issued;
    const uint64_t all = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2] * x.warps * l->launches;
    if (l->trap == 0 && s->programs < s->room) s->length[s->programs++] = (uint32_t)(x.issued / all);
  } else {
    (void)snprintf(why, size, "out of memory");
  }
  heddle_model_free(x.m);
  return good;
}

/* Instructions of the text: all of them; those before the body and after it. */
static void count_lines(struct fuzz_stats *s, const char *text) {
  bool frame = true;
  for (const char *end; *text; text = *end ? end + 1 : end) {
    end = strchr(text, '\n');
    if (!end) end = text + strlen(text);
    if (strncmp(text, "// body", 7) == 0) frame = false;
    if (strncmp(text, "// results", 10) == 0) frame = true;
    if (strncmp(text, "// ending", 9) == 0) frame = false; /* who leaves when: no epilogue */
    if (strncmp(text, ".end", 4) == 0) frame = false;      /* functions follow */
    if (end == text || end[-1] != ';') continue;
    s->lines++;
    s->frame += frame;
  }
}

static void count_words(struct fuzz_stats *s, const struct heddle_program *p) {
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    if (heddle_isa_decode(heddle_program_word(p, pc), &d)) s->drawn[d.enc]++;
  }
}

bool fuzz_stats_add(struct fuzz_stats *s, struct random_program *p, const struct heddle_program *program, char *why,
                    size_t size) {
  struct job j = {0};
  const struct random_launch *l = random_program_launch(p);
  (void)snprintf(why, size, "the program cannot be built");
  bool good =
      fuzz_job(&j, program, l, why, size) && fuzz_proven(s->run, program, why, size) && run_job(s, &j, l, why, size);
  count_lines(s, random_program_text(p));
  count_words(s, program);
  job_clear(&j);
  return good;
}

static int by_length(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Which operands it takes, as formats are named. */
static void form_text(enum heddle_isa_enc e, char *buf, size_t size) {
  (void)snprintf(buf, size, "%s %s", heddle_isa_op_name((enum heddle_isa_op)heddle_isa_encoding_info(e)->op),
                 heddle_isa_encoding_info(e)->format);
}

static json_t *forms_json(const struct fuzz_stats *s) {
  json_t *list = json_array();
  for (unsigned e = 0; e < ISA_ENC_COUNT; e++) {
    char name[80];
    if (!random_draws(heddle_config_units(s->run->config), (enum heddle_isa_enc)e)) continue;
    form_text((enum heddle_isa_enc)e, name, sizeof name);
    json_array_append_new(list, json_pack("{s:s,s:I,s:I}", "form", name, "words", (json_int_t)s->drawn[e], "executed",
                                          (json_int_t)s->executed[e]));
  }
  return list;
}

static bool write_stats_json(const struct fuzz_stats *s, const char *path, double share, unsigned median) {
  json_t *root = json_pack("{s:s, s:I, s:I, s:f, s:i, s:o}", "config", s->run->config->name, "lines",
                           (json_int_t)s->lines, "warp_instructions", (json_int_t)s->insns, "frame_percent", share,
                           "median", (int)median, "forms", forms_json(s));
  return json_out_dump(path, root);
}

static void print_forms(const struct fuzz_stats *s) {
  unsigned all = 0, drawn = 0;
  for (unsigned e = 0; e < ISA_ENC_COUNT; e++) {
    char name[80];
    if (!random_draws(heddle_config_units(s->run->config), (enum heddle_isa_enc)e)) continue;
    all++;
    drawn += s->executed[e] > 0;
    form_text((enum heddle_isa_enc)e, name, sizeof name);
    printf("%10" PRIu64 " %8" PRIu64 "  %s%s\n", s->executed[e], s->drawn[e], name,
           s->executed[e] ? "" : "  never executed");
  }
  printf("%u of %u forms executed\n", drawn, all);
}

bool fuzz_stats_print(struct fuzz_stats *s, const char *json) {
  const double share = s->lines ? 100.0 * (double)s->frame / (double)s->lines : 0;
  qsort(s->length, s->programs, sizeof *s->length, by_length);
  const unsigned median = s->programs ? s->length[s->programs / 2] : 0;
  printf("  executed    words  form\n");
  print_forms(s);
  printf("%.1f percent of %" PRIu64 " lines are prologue and epilogue\n", share, s->lines);
  printf("%u warp instructions are what a warp executes in the middle one of %zu programs; %" PRIu64 " in all\n",
         median, s->programs, s->insns);
  (void)fflush(stdout); /* before what is said of failures, where both go to one file */
  return !json || write_stats_json(s, json, share, median);
}
