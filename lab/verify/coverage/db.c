/* SPDX-License-Identifier: Apache-2.0
 *
 * The database: groups with their counts. */
#include <stdlib.h>
#include <string.h>

#include "lab/verify/coverage/internal.h"

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

unsigned cov_dimensions(const struct cov *c, unsigned group) {
  return c->group[group].dims;
}

const char *cov_dimension(const struct cov *c, unsigned group, unsigned d) {
  return c->group[group].dim[d].name;
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
