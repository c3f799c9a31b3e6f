/* SPDX-License-Identifier: Apache-2.0
 *
 * Observer of a host: its allocations and writes, its launches, kept ones among them.
 */
#ifndef HEDDLE_COSIM_PLATFORM_WATCH_H
#define HEDDLE_COSIM_PLATFORM_WATCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <heddle/port.h>
#include "cosim/platform/platform.h"

/* Where a host allocated device memory. */

struct sites;
struct sites *sites_new(void);
void sites_free(struct sites *s); /* NULL is fine */
/* As heddle_watch.allocated; 0 bytes: it is removed. */
void sites_allocated(struct sites *s, uint64_t at, uint64_t bytes, const void *caller);
/* "main.cu:12" where the host has debug information and this machine addr2line; else "main+0x1a2 of /path/host", or
 * without the function's name. False: nothing is known. Starts a process. */
bool sites_text(const struct sites *s, uint64_t at, char *text, size_t size);

/* Bytes behind each allocation for hosts that go beyond it (HEDDLE_PAD), and the host that has written there. Reads
 * there are not detected. */

struct pads;
/* NULL: no memory. Memory is reached through *port, which is copied. */
struct pads *pads_new(uint64_t bytes, const struct heddle_port *port);
void pads_allocated(struct pads *p, uint64_t at, uint64_t bytes); /* zeros behind it; 0 bytes: it is given back */
void pads_begin(struct pads *p, const struct sites *s);           /* a launch */
void pads_end(struct pads *p, const struct sites *s, const char *kernel);
void pads_close(struct pads *p); /* says on stderr what was seen; NULL is fine */

/* A port in front of another one that counts what a host launches, by what it writes and reads
 * (HEDDLE_STATS). */

/* `board` is its name in reports; `json` a file, or NULL: stderr. FILE: it cannot be written. */
struct stats;
enum heddle_error stats_new(const char *board, uint64_t seed, const char *json, struct stats **out,
                            struct heddle_message *msg);
/* From here on *port, which is copied, is reached through the counting one, which takes its place. */
void stats_bind(struct stats *s, struct heddle_port *port);
/* As the functions of heddle_watch. */
void stats_drop(struct stats *s); /* no report */

/* Launches of a host as cases that `heddle cases` runs again (HEDDLE_RECORD), and those that
 * fail as folders of one case (HEDDLE_CAPSULE). */

struct record_options {
  const char *board;          /* its name */
  uint64_t seed, limit;       /* limit: HEDDLE_ERROR_LIMIT, 0: none */
  bool seeded, zero, quiet;   /* HEDDLE_SEED is given; undefined bits are zeros; nothing is said on stderr */
  const char *dir, *capsules; /* folders, made if they are not there; NULL: none, `dir` gets capsules, too */
};

struct record;
/* FILE: a folder cannot be made, or written. Memory is read through *port, which is copied. */
enum heddle_error record_new(const struct record_options *o, const struct heddle_port *port, struct record **out,
                             struct heddle_message *msg);
void record_close(struct record *r); /* NULL is fine */

/* As the functions of heddle_watch. */
void record_compiled(struct record *r, const struct heddle_program *p, const char *ptx, size_t bytes);
void record_begins(struct record *r, const struct heddle_seen_launch *l);
void record_ends(struct record *r, enum heddle_error e, const char *words);

/* A board's use of the driver's reports about a host (heddle_watch): call sites of allocations, launches that are
 * kept or counted, places in lockstep's reports. */

/* Each but the first may be NULL: not requested. All are owned once they are here. */
struct watch {
  struct heddle_watch face;
  struct sites *sites;
  struct record *record;
  struct stats *stats;
  struct pads *pads;
  struct lockstep_port *lockstep; /* borrowed */
};

/* Into *port; `w` stays where it is. False: no memory. */
bool watch_bind(struct watch *w, struct heddle_port *port);
void watch_close(struct watch *w); /* reports, and frees */

#endif
