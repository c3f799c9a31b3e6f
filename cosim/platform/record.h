/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/platform: launches of a host as cases that `heddle cases` runs again (HEDDLE_RECORD), and those that
 * fail as folders of one case (HEDDLE_CAPSULE). */
#ifndef HEDDLE_PLATFORM_RECORD_H
#define HEDDLE_PLATFORM_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <heddle/port.h>

struct record_options {
  const char *board;          /* its name */
  uint64_t seed, limit;       /* limit: HEDDLE_LIMIT, 0: none */
  bool seeded, zero, quiet;   /* HEDDLE_SEED is given; undefined bits are zeros; nothing is said on stderr */
  const char *dir, *capsules; /* folders, made if they are not there; NULL: none, `dir` gets capsules, too */
};

struct record;
/* NULL with words: a folder cannot be made, or written. Memory is read through *port, which is copied. */
struct record *record_new(const struct record_options *o, const struct heddle_port *port, char *words, size_t bytes);
void record_close(struct record *r); /* NULL is fine */

/* As the functions of heddle_watch. */
void record_compiled(struct record *r, const struct heddle_program *p, const char *ptx, size_t bytes);
void record_begins(struct record *r, const struct heddle_seen_launch *l);
void record_ends(struct record *r, enum heddle_error e, const char *words);

#endif
