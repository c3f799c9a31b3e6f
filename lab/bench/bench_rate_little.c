/* SPDX-License-Identifier: Apache-2.0
 * Little's law: what is under way is rate times latency. FFMA by warps and by chains of each. */
#include <math.h>

#include "lab/bench/bench_rate.h"
#include "run/command/json_out.h"
#include "run/runner/conclude.h"

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
