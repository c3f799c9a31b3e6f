/* SPDX-License-Identifier: Apache-2.0
 *
 * What is made of a database: sums, reports, and knobs that steer to holes.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include "base/text.h"
#include "lab/verify/coverage/internal.h"
#include "lab/verify/random/knobs.h"

static double cov_percent(struct cov_sum s);

/* The report as pages: an index, and a table for each group. Plain HTML, readable without a script. */

static const char style[] =
    "body{font:15px/1.4 sans-serif;margin:2em;max-width:75em}table{border-collapse:collapse}"
    "th,td{border:1px solid #ccc;padding:2px 8px;text-align:left}td.n{text-align:right}"
    "td.hole{background:#f8c8c8}td.hit{background:#d0ecd0}td.never{color:#999}td.excluded{background:#eee}";

static FILE *page(const char *dir, const char *name, const char *title) {
  char path[4096];
  if (snprintf(path, sizeof path, "%s/%s.html", dir, name) >= (int)sizeof path) return NULL;
  FILE *f = fopen(path, "we");
  if (f == NULL) return NULL;
  fprintf(f, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
  html_put(f, title);
  fprintf(f, "</title><style>%s</style></head><body>\n<h1>", style);
  html_put(f, title);
  fprintf(f, "</h1>\n");
  return f;
}

static bool finish_page(FILE *f) {
  fprintf(f, "</body></html>\n");
  const bool ok = !ferror(f);
  return fclose(f) == 0 && ok;
}

static void write_bin_cell(const struct cov *c, const struct cov_exclusions *x, unsigned id, uint32_t bin, FILE *f) {
  const struct group *g = &c->group[id];
  const char *excluded = cov_excluded(x, id, bin);
  const char *why = g->never[bin] != NULL ? g->never[bin] : excluded;
  const char *cls = g->count[bin] != 0      ? "hit"
                    : g->never[bin] != NULL ? "never"
                    : excluded != NULL      ? "excluded"
                                            : "hole";
  fprintf(f, "<td class=\"n %s\"", cls);
  if (why != NULL) {
    fprintf(f, " title=\"");
    html_put(f, why);
    fprintf(f, "\"");
  }
  if (g->count[bin] == 0 && why != NULL)
    fprintf(f, ">-</td>");
  else
    fprintf(f, ">%" PRIu32 "</td>", g->count[bin]);
}

/* Does the row hold anything but what cannot be? */
static bool row_speaks(const struct group *g, uint32_t first, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (g->never[first + i] == NULL || g->count[first + i] != 0) return true;
  return false;
}

/* Rows are the values of all dimensions but the last one, whose values are the columns. */
static void write_group_table(const struct cov *c, const struct cov_exclusions *x, unsigned id, FILE *f) {
  const struct group *g = &c->group[id];
  const struct dim *last = &g->dim[g->dims - 1];
  fprintf(f, "<table><tr>");
  for (unsigned d = 0; d + 1 < g->dims; d++) fprintf(f, "<th>%s</th>", g->dim[d].name);
  for (unsigned v = 0; v < last->n; v++) {
    fprintf(f, "<th>");
    html_put(f, last->value[v]);
    fprintf(f, "</th>");
  }
  fprintf(f, "</tr>\n");
  for (uint32_t b = 0; b < g->bins; b += last->n) {
    uint32_t rest = b / last->n;
    unsigned v[COV_DIMENSIONS];
    if (!row_speaks(g, b, last->n)) continue;
    for (unsigned d = g->dims - 1; d-- > 0; rest /= g->dim[d].n) v[d] = rest % g->dim[d].n;
    fprintf(f, "<tr>");
    for (unsigned d = 0; d + 1 < g->dims; d++) {
      fprintf(f, "<td>");
      html_put(f, g->dim[d].value[v[d]]);
      fprintf(f, "</td>");
    }
    for (unsigned k = 0; k < last->n; k++) write_bin_cell(c, x, id, b + k, f);
    fprintf(f, "</tr>\n");
  }
  fprintf(f, "</table>\n");
}

static bool group_page(const struct cov *c, const struct cov_exclusions *x, unsigned id, const char *dir) {
  const struct group *g = &c->group[id];
  const struct cov_sum s = cov_sum(c, x, id);
  FILE *f = page(dir, g->name, g->name);
  if (f == NULL) return false;
  fprintf(f, "<p>");
  html_put(f, g->what);
  fprintf(f,
          "</p>\n<p>%" PRIu32 " of %" PRIu32 " bins hit (%.1f %%); %" PRIu32 " impossible, %" PRIu32
          " excluded. Columns: %s. Red: never hit. A dash: not required; its reason shows under the pointer. "
          "<a href=\"index.html\">All groups</a></p>\n",
          s.hit, s.asked, cov_percent(s), s.never, s.excluded, g->dim[g->dims - 1].name);
  write_group_table(c, x, id, f);
  return finish_page(f);
}

static bool index_page(const struct cov *c, const struct cov_exclusions *x, const char *dir) {
  char title[128];
  snprintf(title, sizeof title, "Coverage of %s", c->machine->name);
  FILE *f = page(dir, "index", title);
  if (f == NULL) return false;
  fprintf(f,
          "<p>%" PRIu64 " launches.</p>\n<table><tr><th>group</th><th>hit</th><th>asked</th><th>percent</th>"
          "<th>impossible</th><th>excluded</th><th>what</th></tr>\n",
          c->launches);
  for (unsigned id = 0; id < GROUPS; id++) {
    const struct cov_sum s = cov_sum(c, x, id);
    fprintf(f,
            "<tr><td><a href=\"%s.html\">%s</a></td><td class=\"n\">%" PRIu32 "</td><td class=\"n\">%" PRIu32
            "</td><td class=\"n\">%.1f</td><td class=\"n\">%" PRIu32 "</td><td class=\"n\">%" PRIu32 "</td><td>",
            c->group[id].name, c->group[id].name, s.hit, s.asked, cov_percent(s), s.never, s.excluded);
    html_put(f, c->group[id].what);
    fprintf(f, "</td></tr>\n");
  }
  fprintf(f, "</table>\n");
  return finish_page(f);
}

bool cov_report_html(const struct cov *c, const struct cov_exclusions *x, const char *dir, char *err, size_t n) {
  bool ok = mkdir(dir, 0777) == 0 || errno == EEXIST;
  ok = ok && index_page(c, x, dir);
  for (unsigned id = 0; ok && id < GROUPS; id++) ok = group_page(c, x, id, dir);
  if (!ok) snprintf(err, n, "%s: %s", dir, strerror(errno));
  return ok;
}

/* The report for tools that read lcov's tracefiles: a file a group, a line a bin that is asked for. */

static bool group_lines(const struct cov *c, const struct cov_exclusions *x, unsigned id, FILE *trace,
                        const char *path) {
  char name[COV_BIN_BYTES];
  FILE *f = fopen(path, "we");
  unsigned line = 0, hit = 0;
  if (f == NULL) return false;
  fprintf(trace, "TN:\nSF:%s\n", path);
  for (uint32_t b = 0; b < c->group[id].bins; b++) {
    if (c->group[id].never[b] != NULL || cov_excluded(x, id, b) != NULL) continue;
    fprintf(f, "%s\n", cov_bin_name(c, id, b, name));
    fprintf(trace, "DA:%u,%" PRIu32 "\n", ++line, c->group[id].count[b]);
    hit += c->group[id].count[b] != 0;
  }
  fprintf(trace, "LF:%u\nLH:%u\nend_of_record\n", line, hit);
  const bool ok = !ferror(f);
  return fclose(f) == 0 && ok;
}

bool cov_report_lcov(const struct cov *c, const struct cov_exclusions *x, const char *path, char *err, size_t n) {
  char at[4096];
  FILE *trace = fopen(path, "we");
  bool ok = trace != NULL && snprintf(at, sizeof at, "%s.bins", path) < (int)sizeof at - 64;
  ok = ok && (mkdir(at, 0777) == 0 || errno == EEXIST);
  for (unsigned id = 0; ok && id < GROUPS; id++)
    ok = snprintf(at, sizeof at, "%s.bins/%s.txt", path, c->group[id].name) < (int)sizeof at &&
         group_lines(c, x, id, trace, at);
  if (!ok) snprintf(err, n, "%s: %s", path, strerror(errno));
  if (trace != NULL && fclose(trace) != 0 && ok) {
    snprintf(err, n, "%s: %s", path, strerror(errno));
    return false;
  }
  return ok;
}

/* Sums, and the report as text and as JSON. */

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

/* of what is asked; 100 where nothing is */
static double cov_percent(struct cov_sum s) {
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

/* Steering: knobs of the random programs, raised by the share of holes in the groups that they serve. */

#define BIT(id) (UINT64_C(1) << (id))

/* Knobs, what they are at most, and the groups that ask for them. */
static const struct {
  enum knob knob;
  unsigned most;
  uint64_t groups;
} known[] = {
    {KNOB_STREAM_HAZARD, KNOB_WEIGHT_MAX, BIT(G_HAZARD) | BIT(G_CODE)},
    {KNOB_STREAM_FLOW, KNOB_WEIGHT_MAX, BIT(G_SPLIT) | BIT(G_RELEASE)},
    {KNOB_STREAM_RELEASE, KNOB_WEIGHT_MAX, BIT(G_SPLIT) | BIT(G_RELEASE)},
    {KNOB_STREAM_ADDRESS, KNOB_WEIGHT_MAX, BIT(G_SHARED) | BIT(G_GLOBAL)},
    {KNOB_STREAM_NUMBER, KNOB_WEIGHT_MAX, BIT(G_NUMBER) | BIT(G_PAIR)},
    {KNOB_PROGRAM_ENDS, 90, BIT(G_BARRIER)},
    {KNOB_STREAM_BARRIER, KNOB_WEIGHT_MAX, BIT(G_BARRIER)},
    {KNOB_STREAM_TALK, KNOB_WEIGHT_MAX, BIT(G_ORDER)},
    {KNOB_STREAM_CROWD, KNOB_WEIGHT_MAX,
     BIT(G_JOIN) | BIT(G_FILL) | BIT(G_DROP) | BIT(G_FENCE) | BIT(G_HIT) | BIT(G_LOCAL)},
    {KNOB_NODE_CONTROL, KNOB_WEIGHT_MAX, BIT(G_BARRIER) | BIT(G_RELEASE)},
    {KNOB_LINE_MEMORY, KNOB_WEIGHT_MAX, BIT(G_SHARED) | BIT(G_GLOBAL)},
    {KNOB_OPERAND_EDGE, 90, BIT(G_NUMBER) | BIT(G_PAIR)},
    {KNOB_OPERAND_GUARDED, 90, BIT(G_LANES)},
    {KNOB_PROGRAM_TRAPS, 50, BIT(G_TRAP) | BIT(G_WHO) | BIT(G_EDGE) | BIT(G_BANK)},
    {KNOB_TRAPS_EDGES, 90, BIT(G_WHO) | BIT(G_EDGE) | BIT(G_BANK)},
    {KNOB_MEMORY_EDGES, 90, BIT(G_EDGE)},
    {KNOB_STREAM_EDGE, KNOB_WEIGHT_MAX, BIT(G_EDGE) | BIT(G_BANK)},
    {KNOB_STREAM_RELATION, KNOB_WEIGHT_MAX, BIT(G_RELATION)},
    {KNOB_BLOCK_RAGGED, KNOB_WEIGHT_MAX, BIT(G_BLOCK)},
    {KNOB_BLOCK_FULL, KNOB_WEIGHT_MAX, BIT(G_BLOCK)},
    {KNOB_GRID_FILLS, 90, BIT(G_RESIDENT) | BIT(G_HELD)},
};

#define SWITCHED_ON 10u

/* Five times as much where nothing has been hit; what is usually off is on while there are holes. */
static unsigned raised(unsigned usual, unsigned most, uint32_t holes, uint32_t asked) {
  if (usual == 0 && holes != 0) usual = SWITCHED_ON;
  const uint64_t v = asked == 0 ? usual : usual + (uint64_t)usual * 4 * holes / asked;
  return v > most ? most : (unsigned)v;
}

void cov_weights(const struct cov *c, const struct cov_exclusions *x, FILE *sink) {
  struct random_knobs usual;
  random_knobs_default(&usual);
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    uint32_t holes = 0, asked = 0;
    for (unsigned id = 0; id < GROUPS; id++) {
      if ((known[i].groups >> id & 1) == 0) continue;
      const struct cov_sum s = cov_sum(c, x, id);
      holes += s.asked - s.hit;
      asked += s.asked;
    }
    fprintf(sink, "%s=%u\n", random_knob_name(known[i].knob),
            raised(usual.value[known[i].knob].low, known[i].most, holes, asked));
  }
}
