/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums, and the report as text and as JSON. */
#include <inttypes.h>
#include <jansson.h>

#include "lab/verify/coverage/internal.h"

struct cov_sum cov_sum(const struct cov *c, const struct cov_exclusions *x, unsigned group) {
  struct cov_sum s = {0};
  const struct group *g = &c->group[group];
  for (uint32_t b = 0; b < g->bins; b++) {
    if (g->never[b] != NULL) {
      s.never++;
    } else if (cov_excluded(x, group, b) != NULL) {
      s.excluded++;
    } else {
      s.asked++;
      s.hit += g->count[b] != 0;
    }
  }
  return s;
}

double cov_percent(struct cov_sum s) {
  return s.asked == 0 ? 100.0 : 100.0 * s.hit / s.asked;
}

static bool is_hole(const struct cov *c, const struct cov_exclusions *x, unsigned group, uint32_t b) {
  const struct group *g = &c->group[group];
  return g->count[b] == 0 && g->never[b] == NULL && cov_excluded(x, group, b) == NULL;
}

static void print_holes(const struct cov *c, const struct cov_exclusions *x, FILE *sink) {
  char name[COV_BIN_BYTES];
  for (unsigned id = 0; id < GROUPS; id++)
    for (uint32_t b = 0; b < c->group[id].bins; b++) {
      const struct group *g = &c->group[id];
      const char *reason = g->never[b] == NULL ? cov_excluded(x, id, b) : NULL;
      if (is_hole(c, x, id, b)) fprintf(sink, "hole %s %s\n", g->name, cov_bin_name(c, id, b, name));
      if (reason != NULL) fprintf(sink, "excluded %s %s # %s\n", g->name, cov_bin_name(c, id, b, name), reason);
    }
}

void cov_report_text(const struct cov *c, const struct cov_exclusions *x, bool holes, FILE *sink) {
  struct cov_sum all = {0};
  fprintf(sink, "machine %s, %" PRIu64 " launches", c->machine->name, c->launches);
  if (c->alone != 0) fprintf(sink, ", %" PRIu64 " of them on the model alone", c->alone);
  fprintf(sink, "\n");
  fprintf(sink, "%-10s %8s %8s %8s %10s %8s\n", "group", "hit", "asked", "percent", "impossible", "excluded");
  for (unsigned id = 0; id <= GROUPS; id++) {
    const struct cov_sum s = id < GROUPS ? cov_sum(c, x, id) : all;
    fprintf(sink, "%-10s %8" PRIu32 " %8" PRIu32 " %7.1f%% %10" PRIu32 " %8" PRIu32 "\n",
            id < GROUPS ? c->group[id].name : "all", s.hit, s.asked, cov_percent(s), s.never, s.excluded);
    all.asked += s.asked;
    all.hit += s.hit;
    all.never += s.never;
    all.excluded += s.excluded;
  }
  if (holes) print_holes(c, x, sink);
}

static json_t *holes_json(const struct cov *c, const struct cov_exclusions *x, unsigned id) {
  char name[COV_BIN_BYTES];
  json_t *list = json_array();
  for (uint32_t b = 0; b < c->group[id].bins; b++)
    if (is_hole(c, x, id, b)) json_array_append_new(list, json_string(cov_bin_name(c, id, b, name)));
  return list;
}

static json_t *dimensions_json(const struct group *g) {
  json_t *list = json_array();
  for (unsigned d = 0; d < g->dims; d++) json_array_append_new(list, json_string(g->dim[d].name));
  return list;
}

struct json_t *cov_report_json(const struct cov *c, const struct cov_exclusions *x) {
  json_t *groups = json_array();
  for (unsigned id = 0; id < GROUPS; id++) {
    const struct cov_sum s = cov_sum(c, x, id);
    json_array_append_new(groups, json_pack("{s:s, s:s, s:o, s:I, s:I, s:f, s:I, s:I, s:o}", "group", c->group[id].name,
                                            "what", c->group[id].what, "dimensions", dimensions_json(&c->group[id]),
                                            "hit", (json_int_t)s.hit, "asked", (json_int_t)s.asked, "percent",
                                            cov_percent(s), "impossible", (json_int_t)s.never, "excluded",
                                            (json_int_t)s.excluded, "holes", holes_json(c, x, id)));
  }
  return json_pack("{s:s, s:I, s:I, s:o}", "machine", c->machine->name, "launches", (json_int_t)c->launches, "alone",
                   (json_int_t)c->alone, "groups", groups);
}
