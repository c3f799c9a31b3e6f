/* SPDX-License-Identifier: Apache-2.0
 *
 * Bins that nobody is to ask for, from a file; and what should not have been hit. */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lab/verify/coverage/internal.h"

enum { LINES_MOST = 10000, LINE_BYTES = 512 };

struct line {
  char *reason;
  char *text;
  unsigned number;
  bool used;
};

struct cov_exclusions {
  char *path;
  struct line *line;
  unsigned lines;
  uint16_t *by[GROUPS]; /* of each bin: line + 1, or 0 */
};

static char *trimmed(char *s) {
  while (*s == ' ' || *s == '\t') s++;
  char *end = s + strlen(s);
  while (end > s && strchr(" \t\r\n", end[-1]) != NULL) *--end = '\0';
  return s;
}

static bool matches(const struct group *g, uint32_t bin, char *const pattern[]) {
  for (unsigned d = g->dims; d-- > 0; bin /= g->dim[d].n)
    if (fnmatch(pattern[d], g->dim[d].value[bin % g->dim[d].n], 0) != 0) return false;
  return true;
}

/* "GROUP VALUE ..." of one line. */
static const char *apply(struct cov_exclusions *x, const struct cov *c, char *text, unsigned line) {
  char *rest = NULL, *pattern[COV_DIMENSIONS + 1] = {NULL};
  const char *name = strtok_r(text, " \t", &rest);
  const unsigned id = name != NULL ? cov_group_find(c, name) : GROUPS;
  unsigned n = 0;
  if (id == GROUPS) return "no such group";
  const struct group *g = &c->group[id];
  while (n <= g->dims && n < COV_DIMENSIONS + 1 && (pattern[n] = strtok_r(NULL, " \t", &rest)) != NULL) n++;
  if (n != g->dims) return "a value is needed for each dimension of the group, and no more";
  for (uint32_t b = 0; b < g->bins; b++) {
    if (!matches(g, b, pattern)) continue;
    x->line[line].used = true;
    if (x->by[id][b] == 0) x->by[id][b] = (uint16_t)(line + 1);
  }
  return NULL;
}

static const char *take_exclusion(struct cov_exclusions *x, const struct cov *c, char *text, unsigned number) {
  char *hash = strchr(text, '#');
  if (hash != NULL) *hash = '\0';
  char *what = trimmed(text), *reason = hash != NULL ? trimmed(hash + 1) : NULL;
  if (*what == '\0') return NULL;
  if (reason == NULL || *reason == '\0') return "a reason is needed: GROUP VALUE ... # why";
  if (x->lines == LINES_MOST) return "too many lines";
  struct line *line = realloc(x->line, (x->lines + 1) * sizeof *line);
  if (line == NULL) return "out of memory";
  x->line = line;
  x->line[x->lines] = (struct line){strdup(reason), strdup(what), number, false};
  if (x->line[x->lines].reason == NULL || x->line[x->lines].text == NULL) return "out of memory";
  x->lines++;
  return apply(x, c, what, x->lines - 1);
}

static bool read_lines(struct cov_exclusions *x, const struct cov *c, FILE *f, char *err, size_t n) {
  char text[LINE_BYTES];
  for (unsigned number = 1; fgets(text, sizeof text, f) != NULL; number++) {
    const size_t bytes = strlen(text);
    const bool whole = bytes > 0 && (text[bytes - 1] == '\n' || feof(f));
    const char *why = whole ? take_exclusion(x, c, text, number) : "the line is too long";
    if (why == NULL) continue;
    snprintf(err, n, "%s:%u: %s", x->path, number, why);
    return false;
  }
  return true;
}

struct cov_exclusions *cov_exclusions_read(const char *path, const struct cov *c, char *err, size_t n) {
  struct cov_exclusions *x = calloc(1, sizeof *x);
  FILE *f = fopen(path, "re");
  snprintf(err, n, "%s: %s", path, f == NULL ? strerror(errno) : "out of memory");
  bool ok = x != NULL && f != NULL && (x->path = strdup(path)) != NULL;
  for (unsigned id = 0; ok && id < GROUPS; id++)
    ok = (x->by[id] = calloc(c->group[id].bins, sizeof *x->by[id])) != NULL;
  ok = ok && read_lines(x, c, f, err, n);
  if (f != NULL) fclose(f);
  if (ok) return x;
  cov_exclusions_free(x);
  return NULL;
}

void cov_exclusions_free(struct cov_exclusions *x) {
  if (x == NULL) return;
  for (unsigned i = 0; i < x->lines; i++) {
    free(x->line[i].reason);
    free(x->line[i].text);
  }
  for (unsigned id = 0; id < GROUPS; id++) free(x->by[id]);
  free(x->line);
  free(x->path);
  free(x);
}

const char *cov_excluded(const struct cov_exclusions *x, unsigned group, uint32_t bin) {
  return x == NULL || x->by[group][bin] == 0 ? NULL : x->line[x->by[group][bin] - 1u].reason;
}

unsigned cov_exclusions_idle(const struct cov_exclusions *x) {
  unsigned n = 0;
  for (unsigned i = 0; x != NULL && i < x->lines; i++) n += !x->line[i].used;
  return n;
}

static void say_stale(const struct cov *c, const struct cov_exclusions *x, unsigned id, uint32_t b, FILE *sink) {
  char name[COV_BIN_BYTES];
  const char *never = c->group[id].never[b];
  fprintf(sink, "%s %s: hit %" PRIu32 " times, ", c->group[id].name, cov_bin_name(c, id, b, name),
          c->group[id].count[b]);
  if (never != NULL)
    fprintf(sink, "but cannot be hit: %s\n", never);
  else
    fprintf(sink, "but %s:%u excludes it: %s\n", x->path, x->line[x->by[id][b] - 1u].number, cov_excluded(x, id, b));
}

unsigned cov_stale(const struct cov *c, const struct cov_exclusions *x, FILE *sink) {
  unsigned n = 0;
  for (unsigned id = 0; id < GROUPS; id++)
    for (uint32_t b = 0; b < c->group[id].bins; b++) {
      if (c->group[id].count[b] == 0 || (c->group[id].never[b] == NULL && cov_excluded(x, id, b) == NULL)) continue;
      if (sink != NULL) say_stale(c, x, id, b, sink);
      n++;
    }
  return n;
}
