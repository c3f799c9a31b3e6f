/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/platform: a port in front of another one that counts what a host launches, by what it writes and reads
 * (HEDDLE_STATS). */
#ifndef HEDDLE_PLATFORM_STATS_H
#define HEDDLE_PLATFORM_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include <heddle/port.h>

/* `board` is its name in what is told; `json` a file, or NULL: stderr. NULL with words: the file cannot be written. */
struct stats;
struct stats *stats_new(const char *board, uint64_t seed, const char *json, char *words, size_t bytes);
/* From here on *port, which is copied, is reached through the counting one, which takes its place. */
void stats_bind(struct stats *s, struct heddle_port *port);
/* As the functions of heddle_watch. */
void stats_begins(struct stats *s, const struct heddle_seen_launch *l);
void stats_ends(struct stats *s, const char *kernel, enum heddle_error e, const char *words);
void stats_close(struct stats *s); /* tells all, and frees. NULL is fine */
void stats_drop(struct stats *s);  /* tells nothing */

#endif
