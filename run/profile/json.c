/* SPDX-License-Identifier: Apache-2.0
 * profile.json: all that was charged, for programs. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include <heddle/asm.h>
#include "run/command/json_out.h"
#include "run/profile/internal.h"
#include "run/job/counters.h"

static json_t *number_json(uint64_t v) {
  return json_integer((json_int_t)v);
}

static json_t *classes(const uint64_t cycles[HEDDLE_COUNTERS]) {
  json_t *j = json_object();
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) (void)json_object_set_new(j, profile_name(i), number_json(cycles[i]));
  return j;
}

static void put_memory(json_t *to, const struct charge *c) {
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
  put_memory(j, &h->charge);
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
