/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings of the sanitizer, one for each pair of places in the source, in an order that does not depend on the run.
 * They are text, JSON, or the name in a waiver (run/job/waivers.h):
 *   s1:race:-:FILE#LINE/FILE#LINE */
#ifndef HEDDLE_SANITIZE_FINDINGS_H
#define HEDDLE_SANITIZE_FINDINGS_H

#include <jansson.h>
#include <stdio.h>

#include <heddle/observer.h>
#include "run/job/waivers.h"

struct job;

enum sanitize_check { SANITIZE_RACE, SANITIZE_MEMORY, SANITIZE_INIT, SANITIZE_SYNC, SANITIZE_CHECKS };
extern const char *const sanitize_check_name[SANITIZE_CHECKS]; /* as --sanitize has it */

/* A lane at an instruction. */
struct finding_place {
  const char *does; /* "store", "load", "waits"; a constant */
  uint32_t pc, ctaid[3], warp, lanes;
};

struct finding {
  enum sanitize_check check;
  struct finding_place at[2]; /* of a race the older access first */
  unsigned places;            /* how many of these are known, at least 1 */
  char what[200];             /* the finding without its places */
  char more[400];             /* what else is known, or empty */
  bool has_address, same_value;
  const char *space; /* "global", "shared", "local" */
  uint64_t address;
  uint64_t count; /* how often */
};

struct findings {
  const struct job *job; /* borrowed */
  struct finding *finding;
  size_t count, room, last;
  uint64_t waived;
  bool lost; /* memory ran out */
};

struct findings *findings_new(const struct job *job);
void findings_free(struct findings *f);
/* One more of these instructions: counted, or NULL: it is new, and what comes back is to be filled. */
struct finding *findings_add(struct findings *f, enum sanitize_check check, uint32_t pc, uint32_t other, bool *is_new);
/* Lanes of a warp do something there. */
void finding_put(struct finding_place *p, const struct heddle_actor *by, uint32_t lanes, const char *does);
/* Those of the same lines become one; sorted by check and lines. */
void findings_settle(struct findings *f);
/* Takes out what is waived, and says it on stderr. */
void findings_waive(struct findings *f, struct waivers *w);
/* One line, without its end. */
void finding_line(const struct findings *f, const struct finding *x, char *text, size_t size);
void findings_print(FILE *to, const struct findings *f);
json_t *findings_json(const struct findings *f);

#endif
