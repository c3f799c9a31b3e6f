/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's words, passed on; what a host has launched, in figures.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <heddle/explain.h>
#include <heddle/host.h>
#include "base/file.h"
#include "watch.h"
#include "cosim/trace/wire.h"
#include "isa/lib/message.h"

/* What a host has launched, in figures. */

#define ENDED (HEDDLE_STATUS_DONE | HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED)

/* By enum heddle_counter, heddle_cache_counter: the names that `heddle run --profile` has. */
static const char *const event[HEDDLE_COUNTERS] = {"issued", "not_selected", "wait",   "stall", "pipe",
                                                   "fetch",  "sync",         "memory", "const", "other"};
static const char *const cache_event[HEDDLE_CACHE_COUNTERS] = {"loads",  "hit",    "joined",   "asked",  "by",
                                                               "stores", "strong", "replaced", "errors", "emptied"};

struct stats {
  struct heddle_port port; /* the one behind */
  char *board;
  uint64_t seed;
  FILE *json;  /* NULL: stderr */
  bool runs;   /* a launch whose end has not been seen */
  uint32_t sm; /* SM_SELECT, as the host has it */
  uint64_t launches, trapped, refused, failed, cycles, counter[HEDDLE_COUNTERS], cache[HEDDLE_CACHE_COUNTERS];
  json_t *each; /* launches in turn, as the driver tells of them; NULL: no file */
  struct heddle_host_launch last;
  time_t told; /* when the file was written */
};

enum heddle_error stats_new(const char *board, uint64_t seed, const char *json, struct stats **out,
                            struct heddle_message *msg) {
  struct stats *s = *out = calloc(1, sizeof *s);
  enum heddle_error e = HEDDLE_ERROR_HOST_MEMORY;
  if (!s) return message_fail(msg, e, NULL, "no memory");
  s->board = strdup(board);
  s->seed = seed;
  s->json = s->board && json ? file_create(json) : NULL;
  if (s->json) s->each = json_array();
  if (s->board && (!json || s->each)) return HEDDLE_SUCCESS;
  if (s->board && !s->json)
    e = message_fail(msg, HEDDLE_ERROR_FILE, NULL, "HEDDLE_STATS: %.200s: %s", json, strerror(errno));
  else
    (void)message_fail(msg, e, NULL, "no memory");
  stats_drop(s);
  *out = NULL;
  return e;
}

/* ---- counting */

static bool read_port(const struct stats *s, uint32_t reg, uint32_t *value) {
  return s->port.read32(s->port.self, reg, value);
}

static void add_host_counters(struct stats *s, uint32_t reg, unsigned count, uint64_t *to) {
  uint32_t value = 0;
  for (unsigned i = 0; i < count; i++)
    if (read_port(s, reg + 4 * i, &value)) to[i] += value;
}

/* Registers of the grid that has ended; the host finds SM_SELECT as it left it. What cannot be read counts as 0. */
static void add_grid(struct stats *s, uint32_t status) {
  uint32_t lo = 0, hi = 0, sms = 0, events = 0, l1 = 0;
  const char *why;
  if (read_port(s, HEDDLE_REG_CYCLES, &lo) && read_port(s, HEDDLE_REG_CYCLES_HI, &hi))
    s->cycles += (uint64_t)hi << 32 | lo;
  (void)read_port(s, HEDDLE_REG_CAP_SMS, &sms);
  (void)read_port(s, HEDDLE_REG_CAP_COUNTERS, &events);
  (void)read_port(s, HEDDLE_REG_CAP_L1, &l1);
  if (events > HEDDLE_COUNTERS) events = HEDDLE_COUNTERS;
  for (uint32_t sm = 0; sm < (sms == 0 ? 1 : sms); sm++) {
    (void)s->port.write32(s->port.self, HEDDLE_REG_SM_SELECT, sm);
    add_host_counters(s, HEDDLE_REG_COUNTER(0), events, s->counter);
    if (l1 != 0) add_host_counters(s, HEDDLE_REG_CACHE_COUNTER(0), HEDDLE_CACHE_COUNTERS, s->cache);
  }
  (void)s->port.write32(s->port.self, HEDDLE_REG_SM_SELECT, s->sm);
  const bool failed = s->port.verdict && s->port.verdict(s->port.self, &why) != HEDDLE_SUCCESS;
  s->failed += failed;
  s->trapped += !failed && (status & HEDDLE_STATUS_TRAPPED) != 0;
  s->refused += !failed && (status & HEDDLE_STATUS_REFUSED) != 0;
}

/* ---- the port */

static bool count_read32(void *self, uint32_t reg, uint32_t *value) {
  struct stats *s = self;
  if (!s->port.read32(s->port.self, reg, value)) return false;
  if (reg != HEDDLE_REG_STATUS || !s->runs || (*value & ENDED) == 0) return true;
  s->runs = false;
  add_grid(s, *value);
  return true;
}

static bool count_write32(void *self, uint32_t reg, uint32_t value) {
  struct stats *s = self;
  const bool control = reg == HEDDLE_REG_CONTROL, aborts = (value & HEDDLE_CONTROL_ABORT) != 0;
  if (reg == HEDDLE_REG_SM_SELECT) s->sm = value;
  if (control && aborts) s->runs = false;
  if (control && !aborts && (value & HEDDLE_CONTROL_START) && !s->runs) {
    s->launches++;
    s->runs = true;
  }
  return s->port.write32(s->port.self, reg, value);
}

static bool pass_memory_read(void *self, uint64_t addr, void *data, uint64_t bytes) {
  const struct stats *s = self;
  return s->port.read(s->port.self, addr, data, bytes);
}

static bool pass_memory_write(void *self, uint64_t addr, const void *data, uint64_t bytes) {
  const struct stats *s = self;
  return s->port.write(s->port.self, addr, data, bytes);
}

static void pass_wait(void *self, uint32_t microseconds) {
  const struct stats *s = self;
  s->port.wait(s->port.self, microseconds);
}

static enum heddle_error pass_verdict(void *self, const char **why) {
  const struct stats *s = self;
  return s->port.verdict(s->port.self, why);
}

void stats_bind(struct stats *s, struct heddle_port *port) {
  s->port = *port;
  port->self = s;
  port->read32 = count_read32;
  port->write32 = count_write32;
  port->read = pass_memory_read;
  port->write = pass_memory_write;
  port->wait = pass_wait;
  if (port->verdict) port->verdict = pass_verdict;
}

/* ---- each launch */

static void stats_begins(struct stats *s, const struct heddle_seen_launch *l) {
  if (s->each) s->last = *l->registers;
}

/* Over all that the grid may touch: where it lies from the beginning of memory on, how long it is, what it holds.
 * False: it cannot be read. */
static bool digest(const struct stats *s, uint64_t *sum) {
  enum { PIECE = 65536 };
  static _Thread_local uint8_t piece[PIECE];
  *sum = TRACE_SUM_START;
  for (unsigned i = 0; i < HEDDLE_REGIONS; i++) {
    const uint64_t base = s->last.region_base[i], limit = s->last.region_limit[i];
    const uint64_t place[2] = {base - s->port.memory_base, limit - base};
    if (limit <= base) continue;
    *sum = trace_sum(*sum, (const uint8_t *)place, sizeof place);
    for (uint64_t at = base; at < limit; at += PIECE) {
      const uint64_t n = limit - at < PIECE ? limit - at : PIECE;
      if (!s->port.read(s->port.self, at, piece, n)) return false;
      *sum = trace_sum(*sum, piece, n);
    }
  }
  return true;
}

/* ---- telling */

static json_t *json_figure(uint64_t v) {
  return json_integer((json_int_t)v);
}

static json_t *json_figures(const char *const *name, const uint64_t *value, unsigned count) {
  json_t *j = json_object();
  for (unsigned i = 0; i < count; i++) (void)json_object_set_new(j, name[i], json_figure(value[i]));
  return j;
}

/* The file anew. */
static void tell_json(const struct stats *s) {
  json_t *j = json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "version", 1, "board", s->board,
                        "seed", json_figure(s->seed), "launches", json_figure(s->launches), "trapped",
                        json_figure(s->trapped), "refused", json_figure(s->refused), "failed", json_figure(s->failed),
                        "instructions", json_figure(s->counter[HEDDLE_COUNTER_ISSUED]), "cycles",
                        json_figure(s->cycles), "counters", json_figures(event, s->counter, HEDDLE_COUNTERS), "cache",
                        json_figures(cache_event, s->cache, HEDDLE_CACHE_COUNTERS));
  (void)json_object_set(j, "each", s->each);
  (void)fseek(s->json, 0, SEEK_SET);
  if (ftruncate(fileno(s->json), 0) == 0) { /* else it stays as it was */
    (void)json_dumpf(j, s->json, JSON_INDENT(2));
    fputc('\n', s->json);
    (void)fflush(s->json);
  }
  json_decref(j);
}

/* What `heddle hosts` makes a verdict of. */
static const char *end_name(enum heddle_error e) {
  switch (e) {
  case HEDDLE_SUCCESS:
    return "done";
  case HEDDLE_ERROR_TRAPPED:
    return "trapped";
  case HEDDLE_ERROR_DIFFERENCE:
    return "differs";
  case HEDDLE_ERROR_LIMIT:
  case HEDDLE_ERROR_TIMEOUT:
    return "too long";
  default:
    return e == HEDDLE_ERROR_BUS || e == HEDDLE_ERROR_HOST_MEMORY ? "failed" : "refused";
  }
}

/* Hosts may end without a word, or be ended: once a second. */
static bool is_due(struct stats *s) {
  const time_t now = time(NULL), before = s->told;
  if (now != before) s->told = now;
  return now != before;
}

static void stats_ends(struct stats *s, const char *kernel, enum heddle_error e, const char *words) {
  char name[4 * HEDDLE_NAME_MAX], sum[24]; /* in the source a name may be longer */
  uint64_t value;
  if (!s->each) return;
  json_t *j = json_pack("{s:s, s:s}", "kernel", heddle_name_text(kernel, name, sizeof name), "end", end_name(e));
  if (e == HEDDLE_SUCCESS && digest(s, &value)) {
    snprintf(sum, sizeof sum, "0x%016" PRIx64, value);
    (void)json_object_set_new(j, "digest", json_string(sum));
  }
  if (e != HEDDLE_SUCCESS) (void)json_object_set_new(j, "why", json_string(words[0] ? words : heddle_error_text(e)));
  (void)json_array_append_new(s->each, j);
  if (e != HEDDLE_SUCCESS || is_due(s)) tell_json(s);
}

static void tell_text(const struct stats *s) {
  fprintf(stderr,
          "%s, seed %" PRIu64 ": %" PRIu64 " launches (%" PRIu64 " trapped, %" PRIu64 " refused, %" PRIu64
          " failed), %" PRIu64 " warp instructions, %" PRIu64 " cycles;",
          s->board, s->seed, s->launches, s->trapped, s->refused, s->failed, s->counter[HEDDLE_COUNTER_ISSUED],
          s->cycles);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) fprintf(stderr, " %s %" PRIu64, event[i], s->counter[i]);
  uint64_t any = 0;
  for (unsigned i = 0; i < HEDDLE_CACHE_COUNTERS; i++) any |= s->cache[i];
  if (any != 0) fprintf(stderr, "; cache:");
  for (unsigned i = 0; i < HEDDLE_CACHE_COUNTERS && any != 0; i++)
    fprintf(stderr, " %s %" PRIu64, cache_event[i], s->cache[i]);
  fprintf(stderr, "\n");
}

void stats_drop(struct stats *s) {
  if (!s) return;
  if (s->json) fclose(s->json);
  json_decref(s->each);
  free(s->board);
  free(s);
}

/* tells all, and frees. NULL is fine */
static void stats_close(struct stats *s) {
  if (!s) return;
  if (s->json)
    tell_json(s);
  else
    tell_text(s);
  stats_drop(s);
}

/* The driver's words, passed on. */

static void compiled(void *self, const struct heddle_program *p, const char *ptx, size_t bytes) {
  const struct watch *w = self;
  if (w->record) record_compiled(w->record, p, ptx, bytes);
}

static void allocated(void *self, uint64_t at, uint64_t bytes, const void *caller) {
  const struct watch *w = self;
  sites_allocated(w->sites, at, bytes, caller);
  if (w->pads) pads_allocated(w->pads, at, bytes);
}

static bool allocator(void *self, uint64_t at, char *text, size_t bytes) {
  const struct watch *w = self;
  return sites_text(w->sites, at, text, bytes);
}

static void begins(void *self, const struct heddle_seen_launch *l) {
  const struct watch *w = self;
  if (w->record) record_begins(w->record, l);
  if (w->stats) stats_begins(w->stats, l);
  if (w->lockstep) lockstep_port_begins(w->lockstep, l);
  if (w->pads) pads_begin(w->pads, w->sites);
}

static void ends(void *self, const char *kernel, enum heddle_error e, const char *words) {
  const struct watch *w = self;
  if (w->record) record_ends(w->record, e, words);
  if (w->stats) stats_ends(w->stats, kernel, e, words);
  if (w->lockstep) lockstep_port_begins(w->lockstep, NULL);
  if (w->pads) pads_end(w->pads, w->sites, kernel);
}

bool watch_bind(struct watch *w, struct heddle_port *port) {
  w->face = (struct heddle_watch){
      .size = sizeof w->face, .self = w, .compiled = compiled, .allocated = allocated, .allocator = allocator};
  if (w->record || w->stats || w->lockstep || w->pads) {
    w->face.begins = begins;
    w->face.ends = ends;
  }
  port->watch = &w->face;
  w->sites = sites_new();
  return w->sites != NULL;
}

void watch_close(struct watch *w) {
  pads_close(w->pads);
  record_close(w->record);
  stats_close(w->stats);
  sites_free(w->sites);
}
