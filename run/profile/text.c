/* SPDX-License-Identifier: Apache-2.0
 * profile.txt for a terminal, profile.json for programs. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include <heddle/asm.h>
#include "run/command/json_out.h"
#include "run/job/result.h"
#include "run/profile/internal.h"

/* profile.txt: for a terminal. */

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

static void put_memory_table(const struct profiler *p, FILE *f) {
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
  put_memory_table(p, f);
  put_bounds(p, f);
  return true;
}

/* profile.json: all that was charged, for programs. */

static json_t *number_json(uint64_t v) {
  return json_integer((json_int_t)v);
}

static json_t *classes(const uint64_t cycles[HEDDLE_COUNTERS]) {
  json_t *j = json_object();
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) (void)json_object_set_new(j, profile_name(i), number_json(cycles[i]));
  return j;
}

static void add_memory(json_t *to, const struct charge *c) {
  const json_int_t in_flight = (json_int_t)c->in_flight;
  if (c->requests != 0)
    (void)json_object_set_new(to, "global",
                              json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "requests", (json_int_t)c->requests,
                                        "lines", (json_int_t)c->lines, "sectors", (json_int_t)c->sectors,
                                        "sectors_ideal", (json_int_t)c->ideal, "sectors_cached", (json_int_t)c->through,
                                        "sectors_hit", (json_int_t)(c->through - c->missed), "cycles_in_flight",
                                        in_flight));
  if (c->passes != 0)
    (void)json_object_set_new(
        to, "shared",
        json_pack("{s:I, s:I}", "passes", (json_int_t)c->passes, "passes_ideal", (json_int_t)c->passes_ideal));
}

static json_t *charged(const struct hot *h) {
  json_t *j = json_pack("{s:o, s:o, s:o}", "warp_cycles", number_json(h->cycles), "classes", classes(h->charge.cycles),
                        "lanes", number_json(h->charge.lanes));
  if (h->line != 0) {
    (void)json_object_set_new(j, "file", json_string(h->file));
    (void)json_object_set_new(j, "line", number_json(h->line));
  }
  add_memory(j, &h->charge);
  return j;
}

static json_t *instructions(const struct profiler *p) {
  size_t n;
  char text[PROFILE_TEXT];
  json_t *list = json_array();
  struct hot *h = charge_instructions(p, true, &n);
  for (size_t i = 0; i < n; i++) {
    json_t *j = charged(&h[i]);
    (void)heddle_disassemble_at(p->job->program, h[i].pc, text, sizeof text);
    (void)json_object_set_new(j, "pc", number_json(h[i].pc));
    (void)json_object_set_new(j, "text", json_string(text));
    (void)json_array_append_new(list, j);
  }
  free(h);
  return list;
}

static json_t *lines(const struct profiler *p) {
  size_t n;
  json_t *list = json_array();
  struct hot *h = charge_lines(p, &n);
  for (size_t i = 0; i < n; i++) (void)json_array_append_new(list, charged(&h[i]));
  free(h);
  return list;
}

/* Both sides of what was asserted. */
static json_t *sms(const struct profiler *p) {
  json_t *list = json_array();
  struct charge c;
  for (unsigned sm = 0; sm < p->sms; sm++) {
    charge_of_sm(p, sm, &c);
    (void)json_array_append_new(
        list, json_pack("{s:o, s:o}", "charged", classes(c.cycles), "counters", classes(p->counted[sm].cycles)));
  }
  return list;
}

static json_t *times_json(const struct profiler *p) {
  json_t *list = json_array();
  for (size_t i = 0; i < time_buckets(p); i++)
    (void)json_array_append_new(list, json_pack("{s:o, s:o}", "classes", classes(p->bucket[i].cycles), "block_cycles",
                                                number_json(p->bucket[i].blocks)));
  return json_pack("{s:I, s:o}", "cycles", (json_int_t)p->width, "intervals", list);
}

static json_t *bounds(const struct roofline *r) {
  json_t *j = json_object();
  for (unsigned i = 0; i < BOUNDS; i++)
    (void)json_object_set_new(j, bound_name((enum bound)i), json_real(r->bounded.bound[i]));
  return j;
}

static json_t *roofs(const struct roofline *r) {
  json_t *j = json_object();
  for (unsigned i = 0; i < r->roofs; i++) (void)json_object_set_new(j, r->roof[i].name, json_real(r->roof[i].peak));
  return j;
}

static json_t *roofline(const struct profiler *p) {
  struct roofline r;
  roofline_of(p, &r);
  return json_pack("{s:s, s:f, s:f, s:f, s:o, s:o, s:{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}}", "work_is",
                   r.flops ? "flops" : "lanes", "work", r.work, "bytes", r.bytes, "bytes_a_cycle", r.bandwidth, "roofs",
                   roofs(&r), "bounds", bounds(&r), "concurrency", "warps", r.warps, "slots", r.slots, "issue_interval",
                   r.interval, "own_interval", r.own, "warps_wanted", r.warps_wanted, "memory_latency", r.latency,
                   "memory_in_flight", r.in_flight, "memory_in_flight_wanted", r.in_flight_wanted);
}

bool profile_write_json(struct profiler *p, FILE *f) {
  json_t *j = json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:o}", "version", 1, "kernel", p->job->kernel->name, "config",
                        p->options->config_name, "cycles", number_json(p->cycles), "launches", number_json(p->launches),
                        "warp_instructions", number_json(p->insns), "records_unmatched", number_json(p->lost));
  if (j == NULL) return false;
  (void)json_object_set_new(j, "sms", sms(p));
  (void)json_object_set_new(j, "lines", lines(p));
  (void)json_object_set_new(j, "instructions", instructions(p));
  (void)json_object_set_new(j, "time", times_json(p));
  (void)json_object_set_new(j, "roofline", roofline(p));
  const bool ok = json_dumpf(j, f, JSON_INDENT(1)) == 0 && fputc('\n', f) == '\n';
  json_decref(j);
  return ok;
}
