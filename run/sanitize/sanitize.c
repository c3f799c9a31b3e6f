/* SPDX-License-Identifier: Apache-2.0
 *
 * The observer, init, and findings of races. */
#include "run/sanitize/sanitize.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "run/job/job.h"
#include "run/sanitize/checks.h"
#include "run/sanitize/race.h"

struct sanitizer {
  unsigned checks;
  const struct job *job;
  struct findings *findings;
  struct heddle_model *model;
  const struct heddle_launch *launch;
  struct memory *memory;
  struct heap *heap; /* from the first launch on: blocks live on */
  struct race *race;
  struct sync *sync;
};

bool sanitize_take(const char *text, unsigned *checks) {
  *checks = 0;
  while (true) {
    const size_t n = strcspn(text, ",");
    unsigned found = n == 3 && strncmp(text, "all", n) == 0 ? (1u << SANITIZE_CHECKS) - 1 : 0;
    for (unsigned k = 0; k < SANITIZE_CHECKS; k++)
      if (strlen(sanitize_check_name[k]) == n && strncmp(text, sanitize_check_name[k], n) == 0) found |= 1u << k;
    *checks |= found;
    if (found == 0 || text[n] == '\0') return found != 0;
    text += n + 1;
  }
}

static bool checks(const struct sanitizer *s, enum sanitize_check c) {
  return (s->checks >> c & 1) != 0;
}

/* Lanes that may. */
static uint32_t in_bounds(struct sanitizer *s, const struct heddle_observed_access *a) {
  struct heddle_observed_access rest = *a;
  rest.by.lanes &= ~(s->heap ? heap_access(s->heap, a) : 0);
  rest.bad &= rest.by.lanes;
  return rest.by.lanes & ~memory_access(s->memory, &rest);
}

static void fresh_block(void *ctx, uint64_t addr, uint64_t bytes) {
  const struct sanitizer *s = ctx;
  if (s->race) race_forget(s->race, addr, bytes);
}

static uint32_t observe_access(void *ctx, const struct heddle_observed_access *a) {
  struct sanitizer *s = ctx;
  const uint32_t lanes = s->memory ? in_bounds(s, a) : a->by.lanes;
  if ((lanes & a->bad) != 0) return lanes; /* it traps */
  if (s->race && lanes != 0) race_access(s->race, a, lanes);
  if (s->sync) sync_access(s->sync, a);
  return lanes;
}

/* ---- init */

static bool observe_undefined(void *ctx, const struct heddle_undefined *u) {
  struct sanitizer *s = ctx;
  bool is_new;
  if (!checks(s, SANITIZE_INIT)) return false;
  const bool known = u->pc != UINT32_MAX;
  struct finding *x =
      findings_add(s->findings, SANITIZE_INIT, known ? u->pc : 0, u->origin[0] ? u->first_pc : u->pc, &is_new);
  if (!x || !is_new) return true;
  const struct heddle_actor by = {
      .ctaid = {u->ctaid[0], u->ctaid[1], u->ctaid[2]}, .warp = u->warp_in_block, .pc = known ? u->pc : 0};
  const bool other = u->origin[0] && u->first_pc != u->pc;
  finding_put(&x->at[0], &by, u->lanes, u->at_end ? "store" : "use");
  finding_put(&x->at[1], &by, u->lanes, u->loaded ? "load" : "read");
  x->at[1].pc = u->origin[0] ? u->first_pc : x->at[0].pc;
  x->places = other ? 2 : 1;
  snprintf(x->what, sizeof x->what, "%s was never written%s%s", u->origin[0] ? u->origin : u->what,
           u->origin[0] ? ", used as " : "", u->origin[0] ? u->what : "");
  if (u->at_end)
    snprintf(x->what, sizeof x->what, "%s was never written, and is in global memory at the end",
             u->origin[0] ? u->origin : "what is stored");
  x->has_address = u->has_addr;
  x->address = u->addr;
  x->space = strstr(u->what, "local") ? "local" : strstr(u->what, "shared") ? "shared" : "global";
  return true;
}

/* ---- races */

static const char *does(unsigned kind) {
  if ((kind & MARK_COPY) != 0) return "copy";
  if ((kind & (MARK_READS | MARK_WRITES)) == (MARK_READS | MARK_WRITES)) return "atomic";
  return (kind & MARK_WRITES) != 0 ? "store" : "load";
}

static void place_of_mark(const struct sanitizer *s, const struct mark *m, uint32_t lane, struct finding_place *p) {
  const uint32_t *grid = s->launch->grid;
  uint64_t block;
  uint32_t warp;
  race_who(s->race, m, &block, &warp);
  *p = (struct finding_place){.does = does(m->kind), .pc = m->pc, .warp = warp, .lanes = 1u << lane};
  p->ctaid[0] = (uint32_t)(block % grid[0]);
  p->ctaid[1] = (uint32_t)(block / grid[0] % grid[1]);
  p->ctaid[2] = (uint32_t)(block / grid[0] / grid[1]);
}

static const char *lacking(const struct finding *x, const struct race_found *f) {
  const bool block = memcmp(x->at[0].ctaid, x->at[1].ctaid, sizeof x->at[0].ctaid) == 0;
  if (((f->older.kind | f->newer.kind) & MARK_COPY) != 0) return "an asynchronous copy that was not waited for";
  if (!block) return "threads of two blocks, and no fence with a strong access between them";
  if (x->at[0].warp != x->at[1].warp) return "threads of two warps without a barrier between them";
  if (x->at[0].pc == x->at[1].pc) return "two threads of a warp, unordered in one instruction";
  return "two threads of a warp without a __syncwarp or a barrier between them";
}

/* What would order them, in words of CUDA C. */
static const char *advice(const struct finding *x, const struct race_found *f) {
  const bool block = memcmp(x->at[0].ctaid, x->at[1].ctaid, sizeof x->at[0].ctaid) == 0;
  if (((f->older.kind | f->newer.kind) & MARK_COPY) != 0)
    return "wait for the copy (cp.async.wait_group, or its arrival at an mbarrier), then let the others wait for that";
  if (!block)
    return "a fence of GPU scope, as __threadfence(), before the strong store of a flag and one behind its strong "
           "load; "
           "__threadfence_block() and barriers order one block alone";
  if (x->at[0].warp != x->at[1].warp)
    return "a barrier, a phase of an mbarrier, or a fence, as __threadfence_block(), before the strong store of a flag "
           "and one behind its strong load";
  return "";
}

static void find_race(void *ctx, const struct race_found *f) {
  struct sanitizer *s = ctx;
  bool is_new;
  struct finding *x = findings_add(s->findings, SANITIZE_RACE, f->older.pc, f->newer.pc, &is_new);
  if (!x) return;
  x->same_value = f->same_value && (is_new || x->same_value);
  if (!is_new) return;
  x->places = 2;
  place_of_mark(s, &f->older, f->older_lane, &x->at[0]);
  place_of_mark(s, &f->newer, f->lane, &x->at[1]);
  x->has_address = true;
  x->address = f->addr;
  x->space = f->space == ISA_SPACE_GLOBAL ? "global" : "shared";
  snprintf(x->what, sizeof x->what, "%s memory, %s", x->space, lacking(x, f));
  if (s->job->program->ordered) snprintf(x->more, sizeof x->more, "%s", advice(x, f));
}

/* ---- launches */

static void observe_event(void *ctx, const struct heddle_event *e) {
  struct sanitizer *s = ctx;
  if (s->race) race_event(s->race, e);
  if (s->sync) sync_event(s->sync, e);
}

struct sanitizer *sanitizer_new(unsigned checks, const struct job *job) {
  struct sanitizer *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  *s = (struct sanitizer){.checks = checks, .job = job, .findings = findings_new(job)};
  if (s->findings) return s;
  free(s);
  return NULL;
}

bool sanitizer_launch(struct sanitizer *s, struct heddle_model *m, const struct heddle_launch *l, unsigned slots) {
  const struct race_options o = {.model = m,
                                 .program = s->job->program,
                                 .launch = l,
                                 .mem_base = s->job->mem_base,
                                 .mem_bytes = s->job->mem_bytes,
                                 .slots = slots,
                                 .found = find_race,
                                 .ctx = s};
  const struct heddle_observer observer = {.size = sizeof observer,
                                           .ctx = s,
                                           .access = observe_access,
                                           .event = observe_event,
                                           .undefined = observe_undefined};
  s->model = m;
  s->launch = l;
  s->memory = checks(s, SANITIZE_MEMORY) ? memory_new(s->findings) : NULL;
  if (s->memory && !s->heap) s->heap = heap_new(s->findings, fresh_block, s);
  s->race = checks(s, SANITIZE_RACE) ? race_new(&o) : NULL;
  s->sync = checks(s, SANITIZE_SYNC) ? sync_new(s->findings, m, slots) : NULL;
  const bool ok = (s->race || !checks(s, SANITIZE_RACE)) && (s->sync || !checks(s, SANITIZE_SYNC)) &&
                  (s->memory || !checks(s, SANITIZE_MEMORY));
  return ok && heddle_model_observe(m, &observer) == HEDDLE_SUCCESS;
}

void sanitizer_launched(struct sanitizer *s, enum heddle_error end) {
  if (s->sync) sync_ended(s->sync, end);
  if (s->race && race_lost(s->race)) s->findings->lost = true;
  sync_free(s->sync);
  race_free(s->race);
  memory_free(s->memory);
  s->memory = NULL;
  s->sync = NULL;
  s->race = NULL;
}

struct findings *sanitizer_end(struct sanitizer *s) {
  struct findings *f = s->findings;
  findings_settle(f);
  heap_free(s->heap);
  free(s);
  return f;
}
