/* SPDX-License-Identifier: Apache-2.0
 * The picture of heddle bench rate --little: gnuplot reads a script with the points in it. */
#include <errno.h>
#include <string.h>

#include "base/minmax.h"
#include "lab/bench/bench_rate.h"
#include "run/command/tool.h"

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

int rate_plot_ready(const struct rate_request *q) {
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

int rate_plot(const struct rate_request *q, const struct rate_point *p, unsigned n) {
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
