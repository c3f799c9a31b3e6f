/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage by programs. A database counts, for one machine, how often each bin of each group was hit. Groups are
 * crosses of a few dimensions (groups.c has the list); bins follow from the machine's configuration and the ISA file's
 * tables. A collector fills it from the records of the retire port as lockstep judges them. Nothing here prints except
 * into a passed sink.
 */
#ifndef HEDDLE_COV_H
#define HEDDLE_COV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <heddle/config.h>
#include <heddle/model.h>
#include <heddle/record.h>

struct json_t;

/* Counts stop here: a bin that was hit so often says no more. Merging adds and stops here, too, so the order in which
 * databases are merged does not matter, and a count at the limit stays what it is. */
#define COV_MOST 65535u
#define COV_DIMENSIONS 5u
#define COV_BIN_BYTES 192u

struct cov;

/* An empty database; NULL: no memory. `machine` must live as long (heddle_config_find). */
struct cov *cov_new(const struct heddle_config *machine);
void cov_free(struct cov *c);
const struct heddle_config *cov_machine(const struct cov *c);
uint64_t cov_launches(const struct cov *c);
uint64_t cov_alone(const struct cov *c); /* of them on the model alone */

/* ---- groups and bins ---- */
unsigned cov_groups(const struct cov *c);
const char *cov_group_name(const struct cov *c, unsigned group);
const char *cov_group_what(const struct cov *c, unsigned group); /* what a bin counts, in a sentence or two */
unsigned cov_group_find(const struct cov *c, const char *name);  /* cov_groups(c): there is none */
uint32_t cov_bins(const struct cov *c, unsigned group);
unsigned cov_values(const struct cov *c, unsigned group, unsigned d);
const char *cov_value(const struct cov *c, unsigned group, unsigned d, unsigned v);
uint32_t cov_count(const struct cov *c, unsigned group, uint32_t bin);
/* Why the bin can never be hit; NULL: it can. */
const char *cov_never(const struct cov *c, unsigned group, uint32_t bin);
/* The values of its dimensions, a space between; returns buf, of COV_BIN_BYTES. */
const char *cov_bin_name(const struct cov *c, unsigned group, uint32_t bin, char *buf);
/* A bin by its name; false: none of this machine. *bin is where to look first (0, or the one found before). */
bool cov_bin_find(const struct cov *c, unsigned group, const char *name, uint32_t *bin);

/* ---- files ---- */
/* Text: a head, a line a bin that was hit, an end; README.md has the format. Written whole, or not at all. */
bool cov_write(const struct cov *c, const char *path, char *err, size_t n);
/* NULL: the file cannot be read, is no database, or is of another instruction set or machine. `machine` may be NULL:
 * whichever the file names. */
struct cov *cov_read(const char *path, const struct heddle_config *machine, char *err, size_t n);
/* Adds `from`, which must be of the same machine. */
bool cov_merge(struct cov *into, const struct cov *from, char *err, size_t n);
/* Adds `c` to the file, which is made if it is not there; several processes may do so at once. */
bool cov_add_to_file(const struct cov *c, const char *path, char *err, size_t n);
/* Adds what a device of variant `cover` counted of its queues (a file of Verilator's). */
bool cov_add_queues(struct cov *c, const char *path, char *err, size_t n);

/* ---- collecting ---- */
struct cov_collector;
struct cov_collector *cov_collector_new(struct cov *into, bool scoreboard, bool its);
void cov_collector_free(struct cov_collector *k); /* what it has seen is then in the database */
/* For heddle_session_config.observe: ctx is the collector. */
void cov_observe(void *ctx, const struct heddle_model *m, const struct heddle_launch *l,
                 const struct heddle_retire_record *r);
/* The same of a machine that is the model alone, which issues as it likes: a launch, then right after each issue its
 * effect. Bins of words, lanes, flow, addresses and numbers follow; those of `shared`, `order`, `barrier`, `trap` and
 * `queue`, which an implementation decides, do not. */
void cov_launch_alone(struct cov_collector *k, const struct heddle_launch *l);
void cov_issue_alone(struct cov_collector *k, const struct heddle_model *m, unsigned slot,
                     const struct heddle_effect *e);
/* Instructions without all of their operands seen, so that groups of addresses and numbers lack them; 0 unless a run
 * was cut short. */
uint64_t cov_lost(const struct cov_collector *k);

/* ---- exclusions ---- */
/* A file of lines "GROUP VALUE ... # reason": bins that are not required, `*` and `?` in a value match as in file
 * names. NULL: no memory, cannot be read, or a line is wrong ("FILE:LINE: ..."). */
struct cov_exclusions;
struct cov_exclusions *cov_exclusions_read(const char *path, const struct cov *c, char *err, size_t n);
void cov_exclusions_free(struct cov_exclusions *x);
/* Why the bin is excluded; NULL: it is not. `x` may be NULL. */
const char *cov_excluded(const struct cov_exclusions *x, unsigned group, uint32_t bin);
/* Lines that match no bin of this machine. */
unsigned cov_exclusions_idle(const struct cov_exclusions *x);
/* Bins that were declared impossible or not required, and were hit: a line each into the sink; how many. */
unsigned cov_stale(const struct cov *c, const struct cov_exclusions *x, FILE *sink);

/* ---- reports ---- */
struct cov_sum {
  uint32_t asked, hit, never, excluded;
};
struct cov_sum cov_sum(const struct cov *c, const struct cov_exclusions *x, unsigned group);
void cov_report_text(const struct cov *c, const struct cov_exclusions *x, bool holes, FILE *sink);
struct json_t *cov_report_json(const struct cov *c, const struct cov_exclusions *x);
/* index.html and a page a group in the folder, which is made. */
bool cov_report_html(const struct cov *c, const struct cov_exclusions *x, const char *dir, char *err, size_t n);
/* A tracefile with bins as lines, and, in PATH.bins, its files: genhtml and its kin draw it. */
bool cov_report_lcov(const struct cov *c, const struct cov_exclusions *x, const char *path, char *err, size_t n);
/* Lines NAME=VALUE for `heddle fuzz --knob`, or a file for --knobs: the usual value, raised by the share of holes in
 * the groups that the knob serves, fivefold where nothing was hit. */
void cov_weights(const struct cov *c, const struct cov_exclusions *x, FILE *sink);

#endif
