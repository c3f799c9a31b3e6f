/* SPDX-License-Identifier: Apache-2.0
 *
 * The folder: traces, and the list of what must be said of each.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cosim/kit/conform/conform.h"
#include <heddle/asm.h>
#include "cosim/kit/conform/mutations_local.h"
#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/set.h"

#define SEEDS 60u
#define AHEAD 999u /* of the fake's clock */

struct maker {
  const char *dir;
  json_t *list;
  char *why;
  size_t why_bytes;
};

static bool fail_maker(struct maker *k, const char *what, const char *name) {
  snprintf(k->why, k->why_bytes, "%s: %s", name, what);
  return false;
}

static const char *const source[PROGRAM_COUNT] = {program_mix,       program_illegal, program_address, program_target,
                                                  program_undefined, program_uniform, program_local};

/* ---- a trace ---- */

/* What of memory is zero before and after: a trace leaves it out. Memory that the run never touches is made so. */
static void forget_untouched(const struct stream *s, uint8_t *before, uint8_t *after) {
  enum { PIECE = 4096 };
  bool touched[FAKE_BYTES / PIECE] = {false};
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != HEDDLE_RECORD_GLOBAL) continue;
    const uint64_t at = s->r[i].u.global.sector * HEDDLE_RECORD_SECTOR - FAKE_BASE;
    if (at < FAKE_BYTES) touched[at / PIECE] = true;
  }
  for (size_t i = 0; i < FAKE_BYTES; i++)
    if (!touched[i / PIECE]) before[i] = after[i] = 0;
}

static bool put_launch(struct heddle_trace_writer *w, const struct fake_program *p, const struct stream *s,
                       const uint8_t *before, const uint8_t *after) {
  static const uint8_t nothing[FAKE_BYTES];
  if (!heddle_trace_launch(w, &p->launch, FAKE_BASE, before, FAKE_BYTES)) return false;
  for (size_t i = 0; i < s->n; i++)
    if (!heddle_trace_record(w, &s->r[i])) return false;
  return heddle_trace_launch_end(w, after != NULL ? after : nothing, s->n > 0 ? s->r[s->n - 1].cycle : 0);
}

/* A run of a machine, `launches` times; `spoil` (or NULL) is done to the last. *spoiled: it found its place, and it
 * shows in this profile. */
struct job {
  const char *file, *text;
  unsigned blocks, threads, launches, profile;
  struct fake_config machine;
  bool (*spoil)(struct stream *s);
  bool no_memory;
};

/* The stream as it is shown; false where the spoiler has no place. */
static bool shown(const struct job *j, const struct fake_program *p, struct stream *s, uint8_t *after, bool *differs) {
  struct stream clean;
  fake_run(p, &j->machine, s, after);
  stream_copy(&clean, s);
  const bool done = j->spoil == NULL || j->spoil(s);
  conform_hide(s, conform_profile[j->profile], NULL);
  conform_hide(&clean, conform_profile[j->profile], NULL);
  *differs = !conform_same(s, &clean) || j->no_memory;
  for (size_t i = 0; i < s->n; i++) /* no trace can tell of a kind that nobody knows */
    if (!HEDDLE_RECORD_IS_KIND(s->r[i].kind)) *differs = false;
  stream_free(&clean);
  return done;
}

/* For whatever core: results of fixed latency are awaited as long as a control code can say. */
static bool schedule_program(const struct fake_program *p) {
  static const uint8_t longest[8] = {15, 15, 15, 15, 15, 15, 15, 15};
  return heddle_schedule(p->program, 0, p->launch.code_bytes, longest, NULL);
}

/* False: the file cannot be written. No file is made where the spoiler has no place, or it does not show. */
static bool put_trace(struct maker *k, const struct job *j, bool *place, bool *differs) {
  static uint8_t before[FAKE_BYTES], after[FAKE_BYTES];
  char path[1024], error[256] = "no memory";
  struct fake_program p;
  struct stream s;
  fake_assemble_long(&p, j->text, j->blocks, j->threads); /* scheduled below */
  if (!schedule_program(&p)) return fake_program_free(&p), fail_maker(k, "cannot be scheduled", j->file);
  *place = shown(j, &p, &s, after, differs);
  bool ok = true;
  if (*place && (*differs || j->spoil == NULL)) {
    struct heddle_trace_header h = {.size = sizeof h,
                                    .isa_hash = heddle_isa_hash(),
                                    .lanes = j->machine.lanes,
                                    .warp_slots = j->machine.warp_slots,
                                    .block_slots = j->machine.block_slots,
                                    .shared_bytes = 8192,
                                    .partitions = FAKE_PARTITIONS,
                                    .regs =
                                        j->profile == 2 ? FAKE_REGS : 0, /* who shows no banks says no sizes of them */
                                    .register_banks = j->profile == 2 ? FAKE_BANKS : 0,
                                    .hidden = conform_profile[j->profile],
                                    .clock_ahead = AHEAD,
                                    .config = "conform",
                                    .command = "heddle conform"};
    snprintf(path, sizeof path, "%s/%s", k->dir, j->file);
    struct heddle_trace_writer *w = heddle_trace_create(path, &h, error, sizeof error);
    if (w == NULL) return stream_free(&s), fake_program_free(&p), fail_maker(k, error, j->file);
    fake_fill(before);
    forget_untouched(&s, before, after);
    struct stream clean;
    for (unsigned i = 1; i < j->launches && ok; i++) {
      fake_run(&p, &j->machine, &clean, NULL);
      conform_hide(&clean, conform_profile[j->profile], NULL);
      ok = put_launch(w, &p, &clean, before, after);
      stream_free(&clean);
    }
    ok = ok && put_launch(w, &p, &s, before, j->no_memory ? NULL : after);
    ok = heddle_trace_close(w) && ok;
    if (!ok) (void)fail_maker(k, "cannot be written", j->file);
  }
  stream_free(&s);
  fake_program_free(&p);
  return ok;
}

/* ---- the list ---- */

static bool list_trace(struct maker *k, const char *file, unsigned profile, const char *outcome,
                       enum heddle_checker_kind kind, const char *about, const char *why) {
  json_t *j = json_pack("{s:s, s:s, s:s, s:s}", "file", file, "profile",
                        profile == 0   ? "P0"
                        : profile == 1 ? "P1"
                                       : "P2",
                        "outcome", outcome, "about", about);
  if (j == NULL) return fail_maker(k, "no memory", file);
  if (kind != HEDDLE_CHECKER_NONE) {
    json_object_set_new(j, "kind", json_string(heddle_checker_kind_name(kind)));
    json_object_set_new(j, "what", json_string(heddle_checker_kind_what(kind)));
  }
  if (why != NULL) json_object_set_new(j, "why", json_string(why));
  return json_array_append_new(k->list, j) == 0 || fail_maker(k, "no memory", file);
}

static const char *outcome_of(enum heddle_checker_kind kind) {
  return kind == HEDDLE_CHECKER_NONE ? "ok" : kind == HEDDLE_CHECKER_UNDEFINED_READ ? "undefined" : "difference";
}

/* ---- what is in it ---- */

static bool put_source(struct maker *k, const struct conform_program *c) {
  char path[1024];
  snprintf(path, sizeof path, "%s/golden/%s.s", k->dir, c->name);
  FILE *f = fopen(path, "w");
  if (f == NULL) return fail_maker(k, "cannot be written", path);
  fprintf(f, "# %s\n%s", c->about, c->text);
  return fclose(f) == 0 || fail_maker(k, "cannot be written", path);
}

static bool golden(struct maker *k, const struct conform_program *c) {
  static const unsigned lanes[] = {4, 8, 16, 32};
  const bool traps = strncmp(c->name, "trap", 4) == 0;
  if (!put_source(k, c)) return false;
  for (unsigned i = 0; i < sizeof lanes / sizeof *lanes; i++)
    for (unsigned p = 0; p < CONFORM_PROFILES; p++) {
      char file[128];
      bool place, differs;
      snprintf(file, sizeof file, "golden/%s.%u.P%u.trace", c->name, lanes[i], p);
      const struct job j = {.file = file,
                            .text = c->text,
                            .blocks = c->blocks,
                            .threads = c->threads,
                            .launches = c->launches,
                            .profile = p,
                            .machine = {lanes[i], 16, 3, 4, 0}};
      if (!put_trace(k, &j, &place, &differs)) return false;
      if (!list_trace(k, file, p, traps ? "trapped" : "ok", HEDDLE_CHECKER_NONE, c->about, NULL)) return false;
    }
  return true;
}

/* The first run, of few blocks where that will do, in which the spoiler finds its place. */
static bool find_run(struct maker *k, struct job *j, bool *place, bool *differs) {
  static const unsigned blocks[] = {1, 2, 4};
  *place = false;
  for (unsigned b = 0; b < sizeof blocks / sizeof *blocks && !*place; b++)
    for (uint64_t seed = 1; seed <= SEEDS && !*place; seed++) {
      j->blocks = blocks[b];
      j->machine.seed = seed;
      if (!put_trace(k, j, place, differs)) return false;
    }
  return *place || fail_maker(k, "no place for what is to be spoiled", j->file);
}

static bool spoiled(struct maker *k, const struct mutation *m) {
  for (unsigned p = 0; p < CONFORM_PROFILES; p++) {
    const struct conform_lower *l = conform_lower_of(m->name, p);
    const enum heddle_checker_kind kind = l != NULL ? l->kind : m->expect;
    char file[128];
    bool place, differs;
    snprintf(file, sizeof file, "spoiled/%s%s.P%u.trace", m->name, m->program == PROGRAM_ILLEGAL ? "_illegal" : "", p);
    struct job j = {.file = file,
                    .text = source[m->program],
                    .threads = 64,
                    .launches = 1,
                    .profile = p,
                    .machine = {8, 16, 3, 0, 0},
                    .spoil = m->spoil};
    if (m->program == PROGRAM_LOCAL) j.threads = 32, j.machine.deferred = 3; /* many under way at once */
    if (!find_run(k, &j, &place, &differs)) return false;
    if (differs && !list_trace(k, file, p, outcome_of(kind), kind, m->name, l != NULL ? l->why : NULL)) return false;
  }
  return true;
}

static bool mistaken(struct maker *k, const struct conform_mistake *m) {
  char file[128];
  bool place = false, differs = false;
  snprintf(file, sizeof file, "mistakes/%s.P%u.trace", m->name, m->profile);
  struct job j = {.file = file,
                  .text = m->text,
                  .blocks = m->blocks,
                  .threads = m->threads,
                  .launches = m->launches != 0 ? m->launches : 1,
                  .profile = m->profile,
                  .machine = {8, 16, 3, 0, 0},
                  .spoil = m->spoil,
                  .no_memory = m->no_memory};
  for (uint64_t seed = 1; seed <= SEEDS && !(place && differs); seed++) {
    j.machine.seed = seed;
    if (!put_trace(k, &j, &place, &differs)) return false;
  }
  if (!place || !differs) return fail_maker(k, "no place for what is to be spoiled", file);
  return list_trace(k, file, m->profile, outcome_of(m->expect), m->expect, m->does, m->mend);
}

static bool make_all(struct maker *k) {
  static const char *const folder[] = {"golden", "spoiled", "mistakes"};
  char path[1024];
  for (unsigned i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s", k->dir, folder[i]);
    (void)mkdir(path, 0777);
  }
  for (const struct conform_program *c = conform_programs; c->name != NULL; c++)
    if (!golden(k, c)) return false;
  for (unsigned i = 0; i < mutation_count; i++)
    if (!spoiled(k, &mutations[i])) return false;
  for (unsigned i = 0; i < local_mutation_count; i++)
    if (!spoiled(k, &local_mutations[i])) return false;
  for (unsigned i = 0; conform_mistake_tables[i] != NULL; i++)
    for (const struct conform_mistake *m = conform_mistake_tables[i]; m->name != NULL; m++)
      if (!mistaken(k, m)) return false;
  snprintf(path, sizeof path, "%s/verdicts.json", k->dir);
  return json_dump_file(k->list, path, JSON_INDENT(1)) == 0 || fail_maker(k, "cannot be written", path);
}

bool conform_make(const char *dir, char *why, size_t why_bytes) {
  struct maker k = {dir, json_array(), why, why_bytes};
  const bool ok = k.list != NULL && make_all(&k);
  json_decref(k.list);
  return ok;
}
