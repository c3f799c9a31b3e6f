/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/platform: what the environment says of boards that a host opens (docs/hosts.md). */
#ifndef HEDDLE_PLATFORM_ENVIRONMENT_H
#define HEDDLE_PLATFORM_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct environment {
  const char *board; /* HEDDLE_BOARD, or NULL. Of the environment: valid until it changes */
  bool has_seed;
  uint64_t seed;                 /* HEDDLE_SEED */
  bool stats;                    /* HEDDLE_STATS asks for them, */
  const char *json;              /* in that file; NULL: on stderr */
  const char *record, *capsules; /* HEDDLE_RECORD, HEDDLE_CAPSULE: folders, or NULL */
  bool zero;                     /* HEDDLE_UNDEFINED is zero */
  uint64_t pad;                  /* HEDDLE_PAD, bytes */
  uint64_t limit;                /* HEDDLE_LIMIT, cycles or warp instructions; 0: none */
};

/* A variable that is empty says nothing. False: one is malformed, and `words` says what it can be. */
bool environment_read(struct environment *e, char *words, size_t bytes);

#endif
