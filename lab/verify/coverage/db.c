/* SPDX-License-Identifier: Apache-2.0
 *
 * The database: groups with their counts, and the same as a file.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "lab/verify/coverage/internal.h"

/* The database: groups with their counts. */

static void group_clear(struct group *g) {
  for (unsigned d = 0; d < g->dims; d++) {
    for (unsigned v = 0; v < g->dim[d].n; v++) free(g->dim[d].value[v]);
    free(g->dim[d].value);
  }
  free(g->count);
  free(g->never);
}

struct cov *cov_new(const struct heddle_config *machine) {
  struct cov *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->machine = machine;
  if (menu_make(&c->menu, machine) && groups_make(c)) return c;
  cov_free(c);
  return NULL;
}

void cov_free(struct cov *c) {
  if (c == NULL) return;
  for (unsigned id = 0; id < GROUPS; id++) group_clear(&c->group[id]);
  menu_clear(&c->menu);
  free(c);
}

const struct heddle_config *cov_machine(const struct cov *c) {
  return c->machine;
}

uint64_t cov_launches(const struct cov *c) {
  return c->launches;
}

uint64_t cov_alone(const struct cov *c) {
  return c->alone;
}

unsigned cov_groups(const struct cov *c) {
  (void)c;
  return GROUPS;
}

const char *cov_group_name(const struct cov *c, unsigned group) {
  return c->group[group].name;
}

const char *cov_group_what(const struct cov *c, unsigned group) {
  return c->group[group].what;
}

unsigned cov_group_find(const struct cov *c, const char *name) {
  unsigned id = 0;
  while (id < GROUPS && strcmp(c->group[id].name, name) != 0) id++;
  return id;
}

uint32_t cov_bins(const struct cov *c, unsigned group) {
  return c->group[group].bins;
}

unsigned cov_values(const struct cov *c, unsigned group, unsigned d) {
  return c->group[group].dim[d].n;
}

const char *cov_value(const struct cov *c, unsigned group, unsigned d, unsigned v) {
  return c->group[group].dim[d].value[v];
}

uint32_t cov_count(const struct cov *c, unsigned group, uint32_t bin) {
  return c->group[group].count[bin];
}

const char *cov_never(const struct cov *c, unsigned group, uint32_t bin) {
  return c->group[group].never[bin];
}

const char *cov_bin_name(const struct cov *c, unsigned group, uint32_t bin, char *buf) {
  const struct group *g = &c->group[group];
  unsigned v[COV_DIMENSIONS];
  size_t at = 0;
  for (unsigned d = g->dims; d-- > 0; bin /= g->dim[d].n) v[d] = bin % g->dim[d].n;
  buf[0] = '\0';
  for (unsigned d = 0; d < g->dims && at < COV_BIN_BYTES; d++)
    at += (size_t)snprintf(buf + at, COV_BIN_BYTES - at, "%s%s", d == 0 ? "" : " ", g->dim[d].value[v[d]]);
  return buf;
}

/* The value that the text begins with, up to a space or the end, looked for from `*v` on: names mostly come in order.
 */
static bool value_find(const struct dim *d, const char *text, size_t bytes, unsigned *v) {
  for (unsigned k = 0; k < d->n; k++) {
    const unsigned at = (*v + k) % d->n;
    if (strncmp(d->value[at], text, bytes) == 0 && d->value[at][bytes] == '\0') {
      *v = at;
      return true;
    }
  }
  return false;
}

bool cov_bin_find(const struct cov *c, unsigned group, const char *name, uint32_t *bin) {
  const struct group *g = &c->group[group];
  uint32_t rest = *bin < g->bins ? *bin : 0, found = 0;
  unsigned v[COV_DIMENSIONS];
  for (unsigned d = g->dims; d-- > 0; rest /= g->dim[d].n) v[d] = rest % g->dim[d].n;
  for (unsigned d = 0; d < g->dims; d++) {
    const size_t bytes = strcspn(name, " ");
    if (!value_find(&g->dim[d], name, bytes, &v[d])) return false;
    found = found * g->dim[d].n + v[d];
    name += bytes;
    if (d + 1 < g->dims && *name++ != ' ') return false;
  }
  *bin = found;
  return *name == '\0';
}

static uint64_t add_saturating(uint64_t a, uint64_t b) {
  return a + b < a ? UINT64_MAX : a + b;
}

bool cov_merge(struct cov *into, const struct cov *from, char *err, size_t n) {
  if (into->machine->hash != from->machine->hash) {
    snprintf(err, n, "one database is of machine %s, the other of %s; merge those of one machine", into->machine->name,
             from->machine->name);
    return false;
  }
  into->launches = add_saturating(into->launches, from->launches);
  into->alone = add_saturating(into->alone, from->alone);
  for (unsigned id = 0; id < GROUPS; id++)
    for (uint32_t b = 0; b < from->group[id].bins; b++) bin_add(&into->group[id], b, from->group[id].count[b]);
  return true;
}

/* The database as a file: text, versioned; untrusted when read. */

#define VERSION 7u
#define LINE_BYTES 512u
#define LINES_MOST 4000000u

struct input {
  FILE *f;
  const char *path;
  char line[LINE_BYTES];
  unsigned number;
  char *err;
  size_t n;
};

static bool input_wrong(struct input *in, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool input_wrong(struct input *in, const char *fmt, ...) {
  va_list ap;
  char text[256];
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  snprintf(in->err, in->n, "%s:%u: %s", in->path, in->number, text);
  return false;
}

/* The next line, without its end. */
static bool next_input_line(struct input *in) {
  in->number++;
  if (in->number > LINES_MOST) return input_wrong(in, "more than %u lines", LINES_MOST);
  if (fgets(in->line, sizeof in->line, in->f) == NULL) return input_wrong(in, "the file ends early");
  const size_t bytes = strlen(in->line);
  if (bytes == 0 || in->line[bytes - 1] != '\n')
    return input_wrong(in, "a line without end, longer than %u bytes, or with zeros in it", LINE_BYTES - 2);
  in->line[bytes - 1] = '\0';
  return true;
}

/* A number and what follows it. */
static const char *scan_number(const char *text, unsigned base, uint64_t most, uint64_t *v) {
  char *end;
  if (text[0] < '0' || text[0] > '9') return NULL;
  errno = 0;
  *v = strtoull(text, &end, (int)base);
  return errno != 0 || *v > most ? NULL : end;
}

static bool read_head(struct input *in, char machine[32], uint64_t *hash, struct cov *counts) {
  uint64_t v;
  const char *end;
  int at = 0;
  if (!next_input_line(in)) return false;
  if (strncmp(in->line, "heddle-coverage ", 16) != 0 ||
      (end = scan_number(in->line + 16, 10, UINT32_MAX, &v)) == NULL || *end)
    return input_wrong(in, "no coverage database: it begins with 'heddle-coverage %u'", VERSION);
  if (v != VERSION) return input_wrong(in, "version %" PRIu64 "; this program reads %u", v, VERSION);
  if (!next_input_line(in)) return false;
  if (strncmp(in->line, "isa 0x", 6) != 0 || (end = scan_number(in->line + 4, 16, UINT64_MAX, &v)) == NULL || *end)
    return input_wrong(in, "expected 'isa 0x...'");
  if (v != heddle_isa_hash())
    return input_wrong(in, "made for another instruction set (hash 0x%016" PRIx64 ", not 0x%016" PRIx64 ")", v,
                       heddle_isa_hash());
  if (!next_input_line(in)) return false;
  if (sscanf(in->line, "machine %31[a-zA-Z0-9] %n", machine, &at) != 1 || at == 0 ||
      (end = scan_number(in->line + at, 16, UINT64_MAX, hash)) == NULL || *end)
    return input_wrong(in, "expected 'machine NAME 0x...'");
  if (!next_input_line(in)) return false;
  if (strncmp(in->line, "launches ", 9) != 0 ||
      (end = scan_number(in->line + 9, 10, UINT64_MAX, &counts->launches)) == NULL || *end != ' ' ||
      (end = scan_number(end + 1, 10, counts->launches, &counts->alone)) == NULL || *end)
    return input_wrong(in, "expected 'launches N ALONE', ALONE at most N");
  return true;
}

static struct cov *make_database(struct input *in, const struct heddle_config *wanted) {
  char name[32] = "";
  uint64_t hash = 0;
  struct cov counts = {0};
  if (!read_head(in, name, &hash, &counts)) return NULL;
  const struct heddle_config *m = heddle_config_find(name);
  in->number = 3; /* the line of the machine */
  if (m == NULL) return input_wrong(in, "of machine %s, which is not built", name), NULL;
  if (m->hash != hash) return input_wrong(in, "of a machine %s with another configuration", name), NULL;
  if (wanted != NULL && wanted != m) return input_wrong(in, "of machine %s, not of %s", name, wanted->name), NULL;
  in->number = 4;
  struct cov *c = cov_new(m);
  if (c == NULL) return input_wrong(in, "out of memory"), NULL;
  c->launches = counts.launches;
  c->alone = counts.alone;
  return c;
}

static bool read_bin(struct input *in, struct cov *c, unsigned group, uint32_t *bin, bool *first) {
  uint64_t v;
  uint32_t b = *bin;
  const char *end = scan_number(in->line, 10, COV_MOST, &v);
  if (end == NULL || *end != ' ' || v == 0)
    return input_wrong(in, "expected a count from 1 to %u, and a bin", COV_MOST);
  if (!cov_bin_find(c, group, end + 1, &b))
    return input_wrong(in, "no bin '%.100s' in group %s", end + 1, c->group[group].name);
  if (!*first && b <= *bin) return input_wrong(in, "bin '%.100s' twice, or out of order", end + 1);
  *first = false;
  *bin = b;
  c->group[group].count[b] = (uint32_t)v;
  return true;
}

/* Groups in their order, each with the number of its bins; a line a bin that was hit. */
static bool read_groups(struct input *in, struct cov *c) {
  unsigned group = GROUPS;
  uint32_t bin = 0;
  bool first = true;
  for (unsigned seen = 0; next_input_line(in);) {
    if (strcmp(in->line, "end") == 0)
      return (seen == GROUPS && getc(in->f) == EOF) ||
             input_wrong(in, "groups are missing before, or something follows, 'end'");
    if (in->line[0] >= '0' && in->line[0] <= '9') {
      if (group == GROUPS) return input_wrong(in, "a bin before any group");
      if (!read_bin(in, c, group, &bin, &first)) return false;
      continue;
    }
    char name[32];
    unsigned bins;
    char tail;
    if (sscanf(in->line, "group %31s %u%c", name, &bins, &tail) != 2)
      return input_wrong(in, "expected 'group NAME BINS'");
    group = cov_group_find(c, name);
    if (group == GROUPS || group != seen++) return input_wrong(in, "group %s: unknown, twice or out of order", name);
    if (bins != c->group[group].bins)
      return input_wrong(in, "group %s of %u bins; here it has %" PRIu32 ": made by another version", name, bins,
                         c->group[group].bins);
    bin = 0;
    first = true;
  }
  return false;
}

struct cov *cov_read(const char *path, const struct heddle_config *machine, char *err, size_t n) {
  struct input in = {.f = fopen(path, "re"), .path = path, .err = err, .n = n};
  if (in.f == NULL) {
    snprintf(err, n, "%s: %s", path, strerror(errno));
    return NULL;
  }
  struct cov *c = make_database(&in, machine);
  if (c != NULL && !read_groups(&in, c)) {
    cov_free(c);
    c = NULL;
  }
  fclose(in.f);
  return c;
}

static void write_groups(const struct cov *c, FILE *f) {
  char name[COV_BIN_BYTES];
  fprintf(f,
          "heddle-coverage %u\nisa 0x%016" PRIx64 "\nmachine %s 0x%016" PRIx64 "\nlaunches %" PRIu64 " %" PRIu64 "\n",
          VERSION, heddle_isa_hash(), c->machine->name, c->machine->hash, c->launches, c->alone);
  for (unsigned id = 0; id < GROUPS; id++) {
    const struct group *g = &c->group[id];
    fprintf(f, "group %s %" PRIu32 "\n", g->name, g->bins);
    for (uint32_t b = 0; b < g->bins; b++)
      if (g->count[b] != 0) fprintf(f, "%" PRIu32 " %s\n", g->count[b], cov_bin_name(c, id, b, name));
  }
  fprintf(f, "end\n");
}

bool cov_write(const struct cov *c, const char *path, char *err, size_t n) {
  char part[4096];
  if (snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid()) >= (int)sizeof part) {
    snprintf(err, n, "the path is too long");
    return false;
  }
  FILE *f = fopen(part, "we");
  bool ok = f != NULL;
  if (ok) write_groups(c, f);
  if (ok) ok = fflush(f) == 0 && !ferror(f);
  if (f != NULL) ok = fclose(f) == 0 && ok;
  ok = ok && rename(part, path) == 0;
  if (ok) return true;
  snprintf(err, n, "%s: %s", path, strerror(errno));
  if (f != NULL) unlink(part);
  return false;
}

static bool add_locked(const struct cov *c, const char *path, char *err, size_t n) {
  if (access(path, F_OK) != 0) return cov_write(c, path, err, n);
  struct cov *all = cov_read(path, c->machine, err, n);
  const bool ok = all != NULL && cov_merge(all, c, err, n) && cov_write(all, path, err, n);
  cov_free(all);
  return ok;
}

bool cov_add_to_file(const struct cov *c, const char *path, char *err, size_t n) {
  char folder[4096];
  const char *slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - path) + 1, slash == NULL ? "." : path);
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* its lock leaves no file */
  if (fd < 0 || flock(fd, LOCK_EX) != 0) {
    snprintf(err, n, "%s: %s", folder, strerror(errno));
    if (fd >= 0) close(fd);
    return false;
  }
  const bool ok = add_locked(c, path, err, n);
  close(fd);
  return ok;
}
