/* SPDX-License-Identifier: Apache-2.0
 * The environment of a host. */
#include "cosim/platform/environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAD_MOST (1u << 20)

static const char *variable(const char *name) {
  const char *text = getenv(name);
  return text && *text ? text : NULL;
}

/* "12", "0x1f", whole. */
static bool parse_number(const char *text, uint64_t *value) {
  char *end;
  const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char *digits = hex ? text + 2 : text;
  const size_t n = strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");
  errno = 0;
  *value = strtoull(digits, &end, hex ? 16 : 10);
  return n > 0 && digits[n] == '\0' && errno == 0;
}

static bool take_stats(struct environment *e, const char *text) {
  e->stats = strcmp(text, "0") != 0;
  if (strcmp(text, "0") == 0 || strcmp(text, "1") == 0) return true;
  e->json = strncmp(text, "json:", 5) == 0 && text[5] != '\0' ? text + 5 : NULL;
  return e->json != NULL;
}

/* What lets a host go on that leans on luck. */
static bool take_relaxations(struct environment *e, char *words, size_t bytes) {
  const char *undefined = variable("HEDDLE_UNDEFINED"), *pad = variable("HEDDLE_PAD");
  e->zero = undefined && strcmp(undefined, "zero") == 0;
  if (undefined && !e->zero && strcmp(undefined, "stop") != 0) {
    snprintf(words, bytes, "HEDDLE_UNDEFINED is '%.40s': expected stop (where it decides something) or zero",
             undefined);
    return false;
  }
  if (!pad || (parse_number(pad, &e->pad) && e->pad <= PAD_MOST)) return true;
  snprintf(words, bytes, "HEDDLE_PAD is '%.40s': expected bytes behind each allocation, at most %u", pad, PAD_MOST);
  return false;
}

static bool take_limit(struct environment *e, char *words, size_t bytes) {
  const char *limit = variable("HEDDLE_LIMIT");
  if (!limit || (parse_number(limit, &e->limit) && e->limit > 0)) return true;
  snprintf(words, bytes, "HEDDLE_LIMIT is '%.40s': expected cycles (on the model warp instructions), from 1", limit);
  return false;
}

bool environment_read(struct environment *e, char *words, size_t bytes) {
  const char *seed = variable("HEDDLE_SEED"), *stats = variable("HEDDLE_STATS");
  *e = (struct environment){.board = variable("HEDDLE_BOARD"),
                            .has_seed = seed != NULL,
                            .record = variable("HEDDLE_RECORD"),
                            .capsules = variable("HEDDLE_CAPSULE")};
  if (seed && !parse_number(seed, &e->seed)) {
    snprintf(words, bytes, "HEDDLE_SEED is '%.40s': expected a number from 0 to %llu, or 0x and hexadecimal digits",
             seed, (unsigned long long)UINT64_MAX);
    return false;
  }
  if (!take_relaxations(e, words, bytes) || !take_limit(e, words, bytes)) return false;
  if (!stats || take_stats(e, stats)) return true;
  snprintf(words, bytes, "HEDDLE_STATS is '%.40s': expected 1 (on stderr), json:FILE or 0 (none)", stats);
  return false;
}
