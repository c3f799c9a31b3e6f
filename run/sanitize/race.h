/* SPDX-License-Identifier: Apache-2.0
 *
 * Races: accesses of two threads to one place, one of them a write, that nothing orders (isa/doc/15-memory-model.md).
 * What orders: a thread's own program order, BAR, WARPSYNC, fences with strong accesses of their scopes, phases of
 * mbarriers. Of code of a compiler it is what PTX promises, with scopes as they were written; else what the machine
 * does. */
#ifndef HEDDLE_SANITIZE_RACE_H
#define HEDDLE_SANITIZE_RACE_H

#include <heddle/observer.h>
#include <heddle/program.h>
#include "run/sanitize/shadow.h"

/* One access to one place that is not ordered with an older one. */
struct race_found {
  struct mark older;   /* some of its lanes */
  uint32_t older_lane; /* the lowest of them */
  struct mark newer;
  const struct heddle_actor *by; /* of the newer */
  uint32_t lane;
  unsigned space; /* ISA_SPACE_GLOBAL, ISA_SPACE_SHARED */
  uint64_t addr;
  bool same_value; /* both store, and the newer changes nothing */
};

struct race_options {
  const struct heddle_model *model;
  const struct heddle_program *program;
  const struct heddle_launch *launch;
  uint64_t mem_base, mem_bytes;
  unsigned slots; /* warp slots of the model */
  void (*found)(void *ctx, const struct race_found *f);
  void *ctx;
};

struct race;
struct race *race_new(const struct race_options *o); /* for one launch. NULL: no memory */
void race_free(struct race *r);
bool race_lost(const struct race *r); /* memory ran out: what came later may not have been found */
/* An access of `lanes` that is in order. */
void race_access(struct race *r, const struct heddle_observed_access *a, uint32_t lanes);
/* Nobody was there before: malloc gave it. */
void race_forget(struct race *r, uint64_t addr, uint64_t bytes);
void race_event(struct race *r, const struct heddle_event *e);
/* Of a mark: the number of its block, and its warp in it. */
void race_who(const struct race *r, const struct mark *m, uint64_t *block, uint32_t *warp);

#endif
