/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as pages: an index, and a table for each group. Plain HTML, readable without a script. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "lab/verify/coverage/internal.h"

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
          " excluded. Columns: %s. Red: never hit. A dash: not asked for; its reason shows under the pointer. "
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
