/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle bench rate --little: what is under way is rate times latency. A table, and a picture.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/minmax.h"
#include "lab/bench/bench_rate.h"
#include "run/command/tool.h"
#include "run/command/json_out.h"
#include "run/runner/conclude.h"

/* What an NVIDIA H200 returned for the experiment of heddle bench rate --little. */

#define FILE_BYTES_MAX 65536u
static const char header[] = "op,warps,chains,warp_instructions_per_cycle_per_SM";

static double smaller_rate(double a, double b) {
  return a < b ? a : b;
}

static bool parse_line(const char *line, struct rate_point *p) {
  int end = 0;
  const bool read = sscanf(line, "fma.rn.f32,%3u,%3u,%8lf%n", &p->warps, &p->chains, &p->rate, &end) == 3;
  if (!read || line[end] != '\0' || p->warps == 0 || p->chains == 0 || !(p->rate > 0 && p->rate < 100)) return false;
  p->law = smaller_rate((double)p->warps * p->chains / RATE_SILICON_LATENCY, RATE_SILICON_PEAK);
  return true;
}

unsigned rate_silicon_parse(char *text, const char *path, struct rate_point p[RATE_SILICON_MAX]) {
  unsigned n = 0, line = 1;
  char *rest = NULL, *l = strtok_r(text, "\n", &rest);
  bool ok = l != NULL && strcmp(l, header) == 0;
  while (ok && (l = strtok_r(NULL, "\n", &rest)) != NULL) {
    line++;
    ok = n < RATE_SILICON_MAX && parse_line(l, &p[n]);
    n += ok;
  }
  if (ok && n > 0) return n;
  tool_error("%s:%u: expected '%s', then 1 to %u lines fma.rn.f32,WARPS,CHAINS,RATE", path, line, header,
             RATE_SILICON_MAX);
  return 0;
}

unsigned rate_silicon(struct rate_point p[RATE_SILICON_MAX]) {
  char path[4352];
  size_t size;
  if (!data_path("silicon/rates.csv", path, sizeof path)) return 0;
  uint8_t *bytes = tool_read_file(path, FILE_BYTES_MAX, &size);
  char *text = bytes != NULL ? strndup((const char *)bytes, size) : NULL;
  const unsigned n = text != NULL ? rate_silicon_parse(text, path, p) : 0;
  free(text);
  free(bytes);
  return n;
}

/* The picture of heddle bench rate --little: gnuplot reads a script with the points in it. */

static void plot_head(FILE *f, const char *picture) {
  fputs("set terminal pngcairo size 1500,680 font 'DejaVu Sans,13' background rgb 'white'\nset output ", f);
  picture_path(f, picture);
  fputs("\nset multiplot\n"
        "set logscale xy 2\nset grid lc rgb '#d8d8d8' lt 1 lw 1\nset border lw 1.2\nset tics nomirror out\n"
        "set format y '%.4g'\nset ylabel 'warp instructions a cycle'\nset samples 2000\n"
        "set key bottom right Left reverse samplen 1.5 spacing 1.15 box lc rgb '#bbbbbb' opaque\n"
        "array colour[6] = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9']\n"
        "array sign[6] = [7, 5, 9, 13, 11, 15]\narray chains[6] = [1, 2, 3, 4, 6, 8]\n"
        "name(i) = sprintf('%d chain%s a warp', chains[i], chains[i] > 1 ? 's' : '')\n"
        "least(a, b) = a < b ? a : b\n",
        f);
}

/* One SM of a machine. A scheduler issues for one warp at a time, so more chains of a warp than `chains` are never
 * under way. Where schedulers have different numbers of warps, the fullest one is waited for: such points are hollow.
 */
struct panel {
  const char *title, *under_way;
  const struct rate_point *point;
  unsigned points, latency, schedulers, chains;
  double left, peak;
};

static void plot_points(FILE *f, const struct panel *p, double *lowest, unsigned *most) {
  *lowest = p->peak / 6; /* leaves room for the legend */
  *most = p->latency;
  fputs("$points << END\n", f);
  for (unsigned i = 0; i < p->points; i++) {
    const struct rate_point *at = &p->point[i];
    const unsigned under_way = at->warps * min_u32(at->chains, p->chains);
    const bool even = at->warps <= p->schedulers || at->warps % p->schedulers == 0;
    fprintf(f, "%u %u %.6f %d\n", under_way, at->chains, at->rate, even);
    if (at->rate < *lowest) *lowest = at->rate;
    if (under_way > *most) *most = under_way;
  }
  fputs("END\n", f);
}

static void plot_panel(FILE *f, const struct panel *p) {
  double lowest;
  unsigned most;
  plot_points(f, p, &lowest, &most);
  fprintf(f,
          "set origin %.2f,0\nset size 0.5,1\nset title '%s'\nset xlabel '%s'\nset xrange [0.85:%.1f]\n"
          "set yrange [%.6f:%.6f]\n"
          "plot least(x / %u.0, %.6f) with lines lw 2.5 lc rgb '#444444' title 'law: x / %u, at most %.4g', \\\n"
          "  for [i=1:6] $points using ($2 == chains[i] && $4 == 1 ? $1 : NaN):3 with points pt sign[i] ps 1.3 "
          "lc rgb colour[i] title name(i)",
          p->left, p->title, p->under_way, 1.2 * most, 0.75 * lowest, 1.5 * p->peak, p->latency, p->peak, p->latency,
          p->peak);
  if (p->schedulers > 1)
    fputs(
        ", \\\n  for [i=1:6] $points using ($2 == chains[i] && $4 == 0 ? $1 : NaN):3 with points pt sign[i] - 1 ps 1.1 "
        "lc rgb colour[i] notitle, \\\n"
        "  NaN with points pt 6 lc rgb '#444444' title 'hollow: schedulers not equally full'",
        f);
  fputc('\n', f);
}

static void plot_heddle(FILE *f, const struct rate_request *q, const struct rate_point *p, unsigned n) {
  const struct heddle_config *c = q->run.config;
  char title[160], peak[32] = "a cycle";
  const unsigned busy = rate_busy(c, RATE_FFMA);
  if (busy > 1) snprintf(peak, sizeof peak, "in %u cycles", busy);
  snprintf(title, sizeof title, "Heddle, configuration %s: latency %u cycles, peak 1 %s", c->name,
           rate_latency(c, RATE_FFMA), peak);
  plot_panel(f, &(struct panel){.title = title,
                                .under_way = "FFMA under way, x = warps × chains of each",
                                .point = p,
                                .points = n,
                                .latency = rate_latency(c, RATE_FFMA),
                                .schedulers = 1,
                                .chains = rate_chains(c, UINT32_MAX),
                                .peak = 1.0 / busy});
}

static void plot_silicon(FILE *f, const struct rate_point *p, unsigned n) {
  plot_panel(f, &(struct panel){.title = "NVIDIA H200, one of its SMs: latency 4 cycles, peak 4 a cycle",
                                .under_way = "FFMA under way, x = warps × chains of each (no more than 4)",
                                .point = p,
                                .points = n,
                                .latency = RATE_SILICON_LATENCY,
                                .schedulers = RATE_SILICON_PEAK,
                                .chains = RATE_SILICON_LATENCY,
                                .left = 0.5,
                                .peak = RATE_SILICON_PEAK});
}

/* before anything is measured */
static int rate_plot_ready(const struct rate_request *q) {
  if (strpbrk(q->picture, "\n\r") != NULL) return tool_usage("bench", "--picture: a line break in the name");
  if (picture_ready("--picture") != TOOL_OK) return TOOL_MISSING;
  struct rate_point theirs[RATE_SILICON_MAX];
  if (rate_silicon(theirs) == 0) return TOOL_MISSING;
  FILE *f = fopen(q->picture, "ab"); /* what is there already is replaced at the end, or left */
  if (f == NULL) {
    tool_error("%s: could not write it: %s", q->picture, strerror(errno));
    return TOOL_USAGE;
  }
  fclose(f);
  return TOOL_OK;
}

/* The picture, with gnuplot: a panel for this machine, one for an NVIDIA H200. The exit status, after a message. */
static int rate_plot(const struct rate_request *q, const struct rate_point *p, unsigned n) {
  struct rate_point theirs[RATE_SILICON_MAX];
  const unsigned there = rate_silicon(theirs);
  if (there == 0) return TOOL_MISSING;
  FILE *script = tmpfile();
  if (script == NULL) {
    tool_error("--picture: no temporary file: %s", strerror(errno));
    return TOOL_USAGE;
  }
  plot_head(script, q->picture);
  plot_heddle(script, q, p, n);
  plot_silicon(script, theirs, there);
  fputs("unset multiplot\nset output\n", script);
  const bool ok = picture_gnuplot(script);
  if (!ok) tool_error("%s: gnuplot could not write it", q->picture);
  fclose(script);
  return ok ? TOOL_OK : TOOL_USAGE;
}

/* Little's law: what is under way is rate times latency. FFMA by warps and by chains of each. */

#define TRIPS 8u
#define TOLERANCE 0.03

static const unsigned warps_of[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
static const unsigned chains_of[] = {1, 2, 3, 4, 6, 8};
#define COUNT(a) (sizeof(a) / sizeof *(a))
_Static_assert(COUNT(warps_of) * COUNT(chains_of) <= RATE_POINTS_MAX, "room for every point");

/* In each partition as many operations under way as its warps have chains, each as long as the latency; no more than
 * one in the cycles that its beats keep the bus. */
static double law(const struct heddle_config *c, unsigned warps, unsigned chains) {
  double rate = 0;
  for (unsigned p = 0; p < c->partitions; p++) {
    const unsigned here = warps / c->partitions + (p < warps % c->partitions);
    rate += fmin((double)here * rate_chains(c, chains) / rate_latency(c, RATE_FFMA), 1.0 / rate_busy(c, RATE_FFMA));
  }
  return rate;
}

static bool measure_points(struct runner *r, const struct rate_request *q, struct rate_point *p, unsigned *n,
                           int *status) {
  const struct heddle_config *c = q->run.config;
  *n = 0;
  for (size_t i = 0; i < COUNT(warps_of); i++)
    for (size_t k = 0; k < COUNT(chains_of) && warps_of[i] <= c->warps; k++) {
      const struct rate_shape s = {.body = RATE_FFMA, .chains = chains_of[k], .warps = warps_of[i]};
      struct rate_figure f;
      if (!rate_measure(r, q, &s, TRIPS, &f, status)) return false;
      p[(*n)++] = (struct rate_point){s.warps, s.chains, 1 / f.cycles, law(c, s.warps, s.chains)};
    }
  return true;
}

static double deviation(const struct rate_point *p) {
  return p->rate / p->law - 1;
}

static bool off(const struct rate_point *p) {
  return fabs(deviation(p)) > TOLERANCE;
}

static const struct rate_point *worst_of(const struct rate_point *p, unsigned n, unsigned *outside) {
  const struct rate_point *w = p;
  *outside = 0;
  for (unsigned i = 0; i < n; i++) {
    if (fabs(deviation(&p[i])) > fabs(deviation(w))) w = &p[i];
    *outside += off(&p[i]);
  }
  return w;
}

static void print_little(const struct rate_request *q, const struct rate_point *p, unsigned n) {
  const struct heddle_config *c = q->run.config;
  unsigned outside;
  const struct rate_point *w = worst_of(p, n, &outside);
  printf("FFMA of %s, --dep %s: warp instructions a cycle, by warps and chains of each. The law: warps x chains /\n"
         "latency, at most one in as many cycles as its beats take; latency %u, beats take %u\n\n%7s",
         c->name, q->run.scoreboard ? "scoreboard" : "control", rate_latency(c, RATE_FFMA), rate_busy(c, RATE_FFMA),
         "warps");
  for (size_t k = 0; k < COUNT(chains_of); k++) printf("  %u chain%s", chains_of[k], k == 0 ? " " : "s");
  for (unsigned i = 0; i < n; i++) {
    if (i % COUNT(chains_of) == 0) printf("\n%7u", p[i].warps);
    printf("  %7.4f%c", p[i].rate, off(&p[i]) ? '*' : ' ');
  }
  printf("\n\nworst: %+.1f%% at %u warps of %u chains (law %.4f); %u of %u points are more than %.0f%% off%s\n",
         100 * deviation(w), w->warps, w->chains, w->law, outside, n, 100 * TOLERANCE, outside > 0 ? ", marked *" : "");
}

static bool write_little_json(const struct rate_request *q, const struct rate_point *p, unsigned n) {
  const struct heddle_config *c = q->run.config;
  unsigned outside;
  const double worst = deviation(worst_of(p, n, &outside));
  json_t *list = json_array();
  for (unsigned i = 0; i < n; i++)
    (void)json_array_append_new(list, json_pack("{s:I, s:I, s:f, s:f}", "warps", (json_int_t)p[i].warps, "chains",
                                                (json_int_t)p[i].chains, "rate", p[i].rate, "law", p[i].law));
  return json_out_dump(q->json, json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:f, s:I, s:o}", "config", c->name, "dep",
                                          q->run.scoreboard ? "scoreboard" : "control", "on", run_on_name(q->run.on),
                                          "latency", (json_int_t)rate_latency(c, RATE_FFMA), "beats",
                                          (json_int_t)rate_busy(c, RATE_FFMA), "partitions", (json_int_t)c->partitions,
                                          "worst", worst, "outside", (json_int_t)outside, "points", list));
}

int rate_little(const struct rate_request *q) {
  struct rate_point p[RATE_POINTS_MAX];
  unsigned n, outside;
  int status = q->picture != NULL ? rate_plot_ready(q) : TOOL_OK;
  struct runner *r = status == TOOL_OK ? runner_new(&q->run, &status) : NULL;
  if (r == NULL) return status;
  const bool ok = measure_points(r, q, p, &n, &status);
  runner_free(r);
  if (!ok) return status;
  print_little(q, p, n);
  if (q->json != NULL && !write_little_json(q, p, n)) return TOOL_USAGE;
  if (q->picture != NULL) status = rate_plot(q, p, n);
  (void)worst_of(p, n, &outside);
  return status == TOOL_OK && q->check && outside > 0 ? TOOL_DIFFERENCE : status;
}
