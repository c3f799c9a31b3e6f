/* SPDX-License-Identifier: Apache-2.0
 * profile.txt: for a terminal. */
#include <inttypes.h>
#include <stdlib.h>

#include <heddle/asm.h>
#include "run/profile/internal.h"
#include "run/job/counters.h"

static double percent_of(uint64_t part, uint64_t whole) {
  return whole != 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* Cycles, then each class but `issued`, of which the first two say it in other words. */
static void put_row(FILE *f, const struct hot *h, uint64_t all) {
  fprintf(f, "%6.2f %12" PRIu64 " %10" PRIu64, percent_of(h->cycles, all), h->cycles, h->charge.cycles[0]);
  for (unsigned i = 1; i < HEDDLE_COUNTERS; i++) fprintf(f, " %12" PRIu64, h->charge.cycles[i]);
}

static void put_head(FILE *f, const char *what) {
  fprintf(f, "\n%6s %12s %10s", "share", "warp cycles", "issued");
  for (unsigned i = 1; i < HEDDLE_COUNTERS; i++) fprintf(f, " %12s", profile_name(i));
  fprintf(f, "  %s\n", what);
}

static void put_lines(const struct profiler *p, FILE *f, uint64_t all) {
  size_t n;
  struct hot *h = charge_lines(p, &n);
  struct source_text *s = source_text_open();
  put_head(f, "line");
  for (size_t i = 0; i < n; i++) {
    const char *text = source_text_line(s, h[i].file, h[i].line);
    put_row(f, &h[i], all);
    if (h[i].line != 0)
      fprintf(f, "  %s:%u%s%s\n", h[i].file, h[i].line, text != NULL ? ": " : "", text != NULL ? text : "");
    else
      fputs("  (line not known)\n", f);
  }
  source_text_free(s);
  free(h);
}

static void put_instructions(const struct profiler *p, FILE *f, uint64_t all) {
  size_t n;
  char text[PROFILE_TEXT];
  struct hot *h = charge_instructions(p, true, &n);
  put_head(f, "instruction");
  for (size_t i = 0; i < n; i++) {
    (void)heddle_disassemble_at(p->job->program, h[i].pc, text, sizeof text);
    put_row(f, &h[i], all);
    fprintf(f, "  %04" PRIx32 "  %s\n", h[i].pc, text);
  }
  free(h);
}

static void put_memory(const struct profiler *p, FILE *f) {
  size_t n;
  char text[PROFILE_TEXT];
  struct hot *h = charge_instructions(p, true, &n);
  fprintf(f, "\n%10s %10s %10s %10s %10s %10s %10s %10s %10s  memory\n", "requests", "lines", "sectors", "ideal",
          "cached", "hit", "passes", "ideal", "latency");
  for (size_t i = 0; i < n; i++) {
    const struct charge *c = &h[i].charge;
    if (c->requests + c->passes == 0) continue;
    (void)heddle_disassemble_at(p->job->program, h[i].pc, text, sizeof text);
    fprintf(f,
            "%10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64
            " %10" PRIu64 " %10.1f  %04" PRIx32 "  %s\n",
            c->requests, c->lines, c->sectors, c->ideal, c->through, c->through - c->missed, c->passes, c->passes_ideal,
            c->requests != 0 ? (double)c->in_flight / (double)c->requests : 0, h[i].pc, text);
  }
  free(h);
}

static void put_bounds(const struct profiler *p, FILE *f) {
  struct roofline r;
  roofline_of(p, &r);
  fprintf(f, "\n%.0f %s, %.0f bytes over the bus: %.2f and %.2f a cycle\n", r.work, r.flops ? "flops" : "lanes",
          r.bytes, r.work / r.cycles, r.bytes / r.cycles);
  for (unsigned i = 0; i < BOUNDS; i++)
    if (r.bounded.bound[i] > 0)
      fprintf(f, "  %-12s %12.0f cycles %6.1f %%\n", bound_name((enum bound)i), r.bounded.bound[i],
              100 * r.bounded.bound[i] / r.cycles);
  fprintf(
      f,
      "%.1f of %.0f warps; %.1f cycles from issue to issue of a warp, %.1f of them not for others; %.1f warps would "
      "keep %s busy\n",
      r.warps, r.slots, r.interval, r.own, r.warps_wanted, bound_name(bounds_holds(&r.bounded)));
  if (r.latency > 0)
    fprintf(f, "%.0f cycles an access to memory, %.2f accesses at a time; %.2f would fill a channel\n", r.latency,
            r.in_flight, r.in_flight_wanted);
}

bool profile_write_text(struct profiler *p, FILE *f) {
  struct charge all;
  charge_of_all(p, &all);
  const uint64_t cycles = charge_cycles(&all);
  fprintf(f, "%s on %s: %" PRIu64 " cycles, %" PRIu64 " warp instructions, %" PRIu64 " warp cycles\n",
          p->job->kernel->name, p->options->config_name, p->cycles, p->insns, cycles);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++)
    fprintf(f, "  %-12s %12" PRIu64 " %6.2f %%\n", profile_name(i), all.cycles[i], percent_of(all.cycles[i], cycles));
  put_lines(p, f, cycles);
  put_instructions(p, f, cycles);
  put_memory(p, f);
  put_bounds(p, f);
  return true;
}
