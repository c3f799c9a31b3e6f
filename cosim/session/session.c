/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening and closing sessions; reports.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/config.h>
#include "cosim/checker/report.h"
#include "cosim/session/internal.h"
#include "base/options.h"

const char *heddle_session_outcome_name(enum heddle_session_outcome o) {
  static const char *const name[] = {"ok",      "difference", "trapped", "undefined", "limit",  "hung",
                                     "refused", "device",     "failed",  "running",   "not run"};
  return (unsigned)o < sizeof name / sizeof name[0] ? name[o] : "?";
}

enum heddle_session_outcome session_say(struct heddle_session *s, enum heddle_session_outcome o, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(s->result.message, sizeof s->result.message, fmt, ap);
  va_end(ap);
  s->result.outcome = o;
  return o;
}

static uint64_t or_seed(const struct heddle_session_config *c, uint64_t own) {
  return own != 0 ? own : c->seed;
}

static const char *backend_of(const struct heddle_session_config *c) {
  return c->backend != NULL ? c->backend : "verilator";
}

/* Which device. Ours has faults where its text has been planted with them; a core of another make has its own. */
static const char *device_of(const struct heddle_session_config *c, char *buf, size_t bytes) {
  struct heddle_config core;
  const bool wave = c->wave != NULL, faults = c->fault != 0;
  heddle_dut_variant(c->config, wave, faults, buf, bytes);
  if (!faults || heddle_dut_built(c->device_dir, backend_of(c), buf)) return buf;
  heddle_dut_variant(c->config, wave, false, buf, bytes);
  if (heddle_dut_core_config(c->device_dir, backend_of(c), buf, &core)) return buf;
  return heddle_dut_variant(c->config, wave, true, buf, bytes);
}

static enum heddle_error take_config(struct heddle_session_config *own, const struct heddle_session_config *given,
                                     struct heddle_message *msg) {
  message_clear(msg);
  if (options_take(own, sizeof *own, given)) return HEDDLE_SUCCESS;
  return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL, "options of a session " OPTIONS_FOREIGN);
}

enum heddle_error heddle_session_keep_device(const struct heddle_session_config *given, struct heddle_message *msg) {
  struct heddle_session_config c;
  char name[64];
  const enum heddle_error e = take_config(&c, given, msg);
  if (e != HEDDLE_SUCCESS) return e;
  return heddle_dut_keep(c.device_dir, backend_of(&c), device_of(&c, name, sizeof name), msg);
}

/* Is it a device with a place for an L1, as far as its name tells? */
static bool has_l1(const struct heddle_session_config *c) {
  const size_t n = strlen(c->config);
  return n > 5 && strcmp(c->config + n - 5, "_port") == 0;
}

static enum heddle_error open_device(struct heddle_session *s, struct heddle_message *msg) {
  const struct heddle_session_config *c = &s->cfg;
  if (c->device != NULL) {
    s->device = c->device;
    return HEDDLE_SUCCESS;
  }
  if (c->l1 != NULL && !has_l1(c))
    return message_fail(msg, HEDDLE_ERROR_NOT_SUPPORTED, NULL,
                        "%s has no place for an L1; devices of variant port have: --config tiny_port", c->config);
  struct heddle_axi_mem_config m = {.size = sizeof m,
                                    .base = c->memory_base,
                                    .bytes = c->memory_bytes + HEDDLE_SESSION_RESERVE + HEDDLE_SESSION_LOCAL};
  if (c->adversarial)
    heddle_axi_mem_adversarial(&m, or_seed(c, c->memory_seed));
  else
    heddle_axi_mem_calm(&m);
  if (!c->adversarial && c->latency > 0) m.latency_min = m.latency_max = c->latency;
  const struct heddle_dut_options o = {.size = sizeof o,
                                       .memory = &m,
                                       .seed = c->seed,
                                       .fault = c->fault,
                                       .records = c->mode == HEDDLE_SESSION_LOCKSTEP || c->wave != NULL ||
                                                  c->trace != NULL || c->l1 != NULL || c->observe != NULL,
                                       .host_seed = c->host_seed,
                                       .wave = c->wave_last == 0 ? c->wave : NULL,
                                       .l1 = c->l1,
                                       .ready_seed = c->withhold_ready ? or_seed(c, c->ready_seed) * 2 + 1 : 0,
                                       .stream_gap = c->stream_gap,
                                       .stream_drop = c->stream_drop};
  char name[64];
  const enum heddle_error e =
      heddle_dut_open(c->device_dir, backend_of(c), device_of(c, name, sizeof name), &o, &s->device, msg);
  s->own_device = e == HEDDLE_SUCCESS;
  return e;
}

/* Is it a device for such a session? */
static enum heddle_error check_device(const struct heddle_session *s, struct heddle_message *msg) {
  const struct heddle_dut_info *d = heddle_dut_describe(s->device);
  if (d->read_age > HEDDLE_RECORD_AGE_MAX || d->pred_age > HEDDLE_RECORD_AGE_MAX)
    return message_fail(msg, HEDDLE_ERROR_WRONG_DEVICE, NULL,
                        "the device says that reads see writes after %u cycles, predicates after %u: %u at most",
                        d->read_age, d->pred_age, HEDDLE_RECORD_AGE_MAX);
  if (s->cfg.classes == NULL || heddle_dut_classes_begin(s->device)) return HEDDLE_SUCCESS;
  return message_fail(msg, HEDDLE_ERROR_NOT_SUPPORTED, NULL,
                      "device %s does not say of which class each warp is: it is made for speed, or too old",
                      d->config);
}

static enum heddle_error open_trace(struct heddle_session *s, struct heddle_message *msg) {
  if (s->cfg.trace == NULL && s->cfg.stream == NULL) return HEDDLE_SUCCESS;
  const struct heddle_dut_info *d = heddle_dut_describe(s->device);
  const struct heddle_config *known = heddle_config_find(s->cfg.config != NULL ? s->cfg.config : d->config);
  struct heddle_trace_header h = {.size = sizeof h,
                                  .isa_hash = heddle_isa_hash(),
                                  .config_hash = known != NULL ? known->hash : 0,
                                  .sm = d->sm,
                                  .sms = d->sms,
                                  .shown = session_shown(s),
                                  .memory_banks = known != NULL ? known->l2_banks : 0,
                                  .lanes = d->lanes,
                                  .warp_slots = d->warp_slots,
                                  .block_slots = d->block_slots,
                                  .shared_bytes = d->shared_bytes,
                                  .scoreboard = s->cfg.scoreboard,
                                  .its = s->cfg.its,
                                  .bus_errors = s->cfg.error_limit != 0,
                                  .read_age = d->read_age,
                                  .pred_age = d->pred_age};
  session_cache(s, &h.cache_sectors, &h.cache_promises);
  if (heddle_dut_core(s->device) != NULL) core_trace_header(s, &h);
  snprintf(h.config, sizeof h.config, "%s", d->config);
  snprintf(h.command, sizeof h.command, "%s", s->cfg.command != NULL ? s->cfg.command : "");
  const enum heddle_error e = stream_file_open(s, &h, msg);
  return e == HEDDLE_SUCCESS && s->cfg.trace != NULL ? heddle_trace_create(s->cfg.trace, &h, &s->trace, msg) : e;
}

static enum heddle_error open_model(struct heddle_session *s, struct heddle_message *msg) {
  const struct heddle_session_config *c = &s->cfg;
  const struct heddle_dut_info *d = s->device != NULL ? heddle_dut_describe(s->device) : NULL;
  const unsigned warps = d != NULL ? d->warp_slots : c->warp_slots != 0 ? c->warp_slots : 32;
  const unsigned blocks = d != NULL ? d->block_slots : c->block_slots != 0 ? c->block_slots : 32;
  const struct heddle_model_config mc = {.size = sizeof mc,
                                         .base = c->memory_base,
                                         .bytes = c->memory_bytes,
                                         .warp_slots = warps,
                                         .block_slots = blocks,
                                         .sm = d != NULL ? d->sm : 0,
                                         .sms = d != NULL ? d->sms : 1,
                                         .shown = d != NULL ? session_shown(s) : 1,
                                         .divergence = c->its ? HEDDLE_ITS : HEDDLE_STACK,
                                         .tell = c->tell};
  s->model = c->mode == HEDDLE_SESSION_RTL ? NULL : heddle_model_new(&mc);
  s->memory = calloc(1, c->memory_bytes + 1);
  if (s->memory != NULL && (c->mode == HEDDLE_SESSION_RTL || s->model != NULL)) return HEDDLE_SUCCESS;
  return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "no memory");
}

/* Nothing is known of a device that others had before; a core of somebody else's has no host registers of its own. */
static void open_host(struct heddle_session *s) {
  if (s->cfg.host_seed == 0 || s->device == NULL || heddle_dut_core(s->device) != NULL) return;
  s->host.machine = session_machine(s);
  s->host.rng = s->cfg.host_seed;
  memset(s->host.unknown, !s->own_device, sizeof s->host.unknown);
}

static enum heddle_error check_config(const struct heddle_session_config *c, struct heddle_message *msg) {
  const enum heddle_error e = HEDDLE_ERROR_INVALID_VALUE;
  const uint64_t most = UINT64_C(1) << HEDDLE_SESSION_ADDRESS_BITS, begin = c->memory_base, bytes = c->memory_bytes;
  if (c->mode != HEDDLE_SESSION_MODEL && c->device == NULL && c->config == NULL)
    return message_fail(msg, e, NULL, "neither a configuration nor a device is named");
  if (c->mode == HEDDLE_SESSION_LOCKSTEP && c->tell == HEDDLE_TELL_NOTHING)
    return message_fail(msg, e, NULL, "lockstep needs the undefined values: they are not compared");
  if (c->classes != NULL && c->beside)
    return message_fail(msg, e, NULL, "classes of warps are reported in the thread that clocks: not with beside");
  if (c->wave != NULL && c->wave_last != 0 && (c->copies == NULL || !options_sized(c->copies)))
    return message_fail(msg, e, NULL,
                        "a wave of the last cycles before a failure needs a host that copies its process (.copies)");
  if (begin % 64 != 0 || bytes % 64 != 0 || bytes == 0 || bytes > UINT64_C(1) << 36)
    return message_fail(msg, e, NULL, "%" PRIu64 " bytes of memory from 0x%" PRIx64 ": multiples of 64, at most 64 GiB",
                        bytes, begin);
  if (begin > most || begin + bytes + HEDDLE_SESSION_BEHIND > most)
    return message_fail(msg, e, NULL,
                        "memory from 0x%" PRIx64 ", %" PRIu64 " bytes and %" PRIu64
                        " behind it for code and local memory, is beyond address 0x%" PRIx64,
                        begin, bytes, HEDDLE_SESSION_BEHIND, most - 1);
  return HEDDLE_SUCCESS;
}

/* All of it, into a session that has its configuration. */
static enum heddle_error open_parts(struct heddle_session *s, struct heddle_message *msg) {
  const bool device = s->cfg.mode != HEDDLE_SESSION_MODEL;
  enum heddle_error e = HEDDLE_SUCCESS;
  if (s->cfg.copies != NULL && !options_take(&s->copies, sizeof s->copies, s->cfg.copies))
    return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL, "copies of the process " OPTIONS_FOREIGN);
  if (device) e = open_device(s, msg);
  if (device && e == HEDDLE_SUCCESS) e = check_device(s, msg);
  if (e == HEDDLE_SUCCESS) open_host(s);
  if (e == HEDDLE_SUCCESS) e = open_model(s, msg);
  return device && e == HEDDLE_SUCCESS ? open_trace(s, msg) : e;
}

enum heddle_error heddle_session_open(const struct heddle_session_config *given, struct heddle_session **out,
                                      struct heddle_message *msg) {
  struct heddle_session_config own;
  *out = NULL;
  enum heddle_error e = take_config(&own, given, msg);
  if (e == HEDDLE_SUCCESS) e = check_config(&own, msg);
  if (e != HEDDLE_SUCCESS) return e;
  struct heddle_session *s = calloc(1, sizeof *s);
  if (s == NULL) return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "no memory");
  s->cfg = own;
  e = open_parts(s, msg);
  if (e == HEDDLE_SUCCESS)
    *out = s;
  else
    (void)heddle_session_close(s, NULL);
  return e;
}

enum heddle_error heddle_session_close(struct heddle_session *s, struct heddle_message *msg) {
  message_clear(msg);
  if (s == NULL) return HEDDLE_SUCCESS;
  snapshots_drop(s);
  heddle_session_give_up(s);
  const enum heddle_error streamed = heddle_trace_close(s->stream, msg);
  const enum heddle_error traced = heddle_trace_close(s->trace, streamed == HEDDLE_SUCCESS ? msg : NULL);
  heddle_checker_free(s->checker);
  queue_drop(s);
  heddle_model_free(s->model);
  if (s->own_device) heddle_dut_free(s->device);
  free(s->memory);
  free(s->local);
  free(s);
  return streamed != HEDDLE_SUCCESS ? streamed : traced;
}

uint8_t *heddle_session_memory(struct heddle_session *s) {
  return s->alone ? heddle_model_memory(s->model) : s->memory;
}
void heddle_session_errors(struct heddle_session *s, enum heddle_errors_in in, uint64_t base, uint64_t limit) {
  s->cfg.error_in = in;
  s->cfg.error_base = base;
  s->cfg.error_limit = limit;
}

void heddle_session_modes(struct heddle_session *s, bool scoreboard, unsigned sched) {
  s->cfg.scoreboard = scoreboard;
  s->cfg.sched = sched;
}

bool heddle_session_counters(struct heddle_session *s, unsigned sm, uint32_t *counter) {
  memset(counter, 0, HEDDLE_SESSION_COUNTERS * sizeof *counter);
  return s->device != NULL && session_read_counters(s, sm, counter);
}

bool heddle_session_read32(struct heddle_session *s, uint32_t reg, uint32_t *value) {
  return s->device != NULL && heddle_dut_read32(s->device, reg, value);
}

const struct heddle_dut_info *heddle_session_device(const struct heddle_session *s) {
  return s->device != NULL ? heddle_dut_describe(s->device) : NULL;
}
const struct heddle_model *heddle_session_model(const struct heddle_session *s) {
  return s->model;
}

const struct heddle_checker *heddle_session_checker(const struct heddle_session *s) {
  return s->checker;
}

/* Units of the device's configuration, as its file names them: what the device says of itself is not asked. */
static uint32_t machine_units(const struct heddle_session *s) {
  if (heddle_dut_core(s->device) != NULL) return heddle_dut_core(s->device)->units;
  const struct heddle_config *m = session_machine(s);
  return m != NULL ? heddle_config_units(m) : UINT32_MAX;
}

bool session_model_runs(const struct heddle_session *s) {
  return s->cfg.mode == HEDDLE_SESSION_MODEL || s->alone;
}

void session_adapt(const struct heddle_session *s, struct heddle_launch *l) {
  l->rtl_only = s->cfg.mode != HEDDLE_SESSION_MODEL;
  if (l->rtl_only) l->units &= machine_units(s);
  l->walks_told = !session_model_runs(s);
}

void session_result_clear(struct heddle_session *s) {
  memset(&s->result, 0, sizeof s->result);
  s->result.size = sizeof s->result;
  s->result.difference.kind = HEDDLE_CHECKER_NONE;
}

/* What the record that ended a launch says of that: its cycle, and where in its line an access trapped. */
static void take_failure(struct heddle_session *s, enum heddle_session_outcome o) {
  struct heddle_session_result *r = &s->result;
  uint64_t cycle = 0;
  if (o == HEDDLE_SESSION_DIFFERENCE && r->difference.cycle != 0)
    r->failed = r->difference.cycle;
  else if (o != HEDDLE_SESSION_TRAPPED)
    r->failed = r->stopped;
  if (o != HEDDLE_SESSION_TRAPPED || s->checker == NULL) return;
  const struct heddle_trap *t = heddle_checker_trap(s->checker, &cycle);
  if (t == NULL) return;
  r->failed = cycle;
  r->trap.offset = t->offset;
  r->trap.exact = t->exact;
}

enum heddle_session_outcome session_now(struct heddle_session *s, enum heddle_session_outcome o,
                                        struct heddle_session_result *r) {
  s->result.outcome = o;
  take_failure(s, o);
  if (o != HEDDLE_SESSION_RUNNING && !session_model_runs(s)) snapshot_launch_over(s, o);
  if (r != NULL) options_give(r, sizeof s->result, &s->result);
  return o;
}

static bool room_for(const struct heddle_session_result *r) {
  return r == NULL || options_sized(r);
}

enum heddle_session_outcome heddle_session_start(struct heddle_session *s, const struct heddle_launch *l,
                                                 struct heddle_session_result *r) {
  if (!room_for(r)) return HEDDLE_SESSION_FAILED;
  heddle_checker_free(s->checker);
  s->checker = NULL;
  queue_drop(s);
  if (!options_take(&s->launch, sizeof s->launch, l)) {
    session_result_clear(s);
    return session_now(s, session_say(s, HEDDLE_SESSION_REFUSED, "a launch " OPTIONS_FOREIGN), r);
  }
  session_adapt(s, &s->launch);
  if (s->launch.rtl_only) (void)launch_place(s, NULL, 0, &s->launch, 0);
  session_result_clear(s);
  s->launches++;
  if (!session_model_runs(s)) snapshot_look(s);
  return session_now(s, session_model_runs(s) ? run_model_start(s) : run_device_start(s), r);
}

enum heddle_session_outcome heddle_session_go_on(struct heddle_session *s, uint64_t cycles,
                                                 struct heddle_session_result *r) {
  if (!room_for(r)) return HEDDLE_SESSION_FAILED;
  return session_now(s, session_model_runs(s) ? run_model_on(s, cycles) : run_device_on(s, cycles), r);
}

void heddle_session_give_up(struct heddle_session *s) {
  if (s->result.outcome == HEDDLE_SESSION_RUNNING && !session_model_runs(s)) run_device_stop(s);
  s->result.outcome = HEDDLE_SESSION_OK;
}

void heddle_session_model_alone(struct heddle_session *s, bool alone) {
  if (s->cfg.mode != HEDDLE_SESSION_LOCKSTEP || s->alone == alone) return;
  const uint8_t *from = heddle_session_memory(s);
  s->alone = alone;
  memcpy(heddle_session_memory(s), from, s->cfg.memory_bytes);
}

enum heddle_session_outcome heddle_session_run(struct heddle_session *s, const struct heddle_launch *l,
                                               struct heddle_session_result *r) {
  const enum heddle_session_outcome o = heddle_session_start(s, l, r);
  return o == HEDDLE_SESSION_RUNNING ? heddle_session_go_on(s, UINT64_MAX, r) : o;
}

/* Then the report says who waits for what. */
static bool stopped_short(enum heddle_session_outcome o) {
  return o == HEDDLE_SESSION_HUNG || o == HEDDLE_SESSION_LIMIT || o == HEDDLE_SESSION_DEVICE;
}

void heddle_session_report_text(const struct heddle_session *s, FILE *f) {
  const struct heddle_session_result *r = &s->result;
  if (s->checker != NULL && r->outcome == HEDDLE_SESSION_DIFFERENCE) { /* which says it all */
    heddle_checker_report_text(s->checker, f);
    if (s->queue.launches > 1)
      fprintf(f, "  launch    %zu of %zu\n", s->queue.first + s->queue.front + 1, s->queue.all);
    return;
  }
  fprintf(f, "%s", heddle_session_outcome_name(r->outcome));
  if (r->message[0] != '\0') fprintf(f, ": %s", r->message);
  fprintf(f, "\n");
  if (s->checker == NULL) return;
  if (stopped_short(r->outcome)) heddle_checker_waiting_text(s->checker, f);
}

static json_t *json_number(uint64_t v) {
  return json_integer((json_int_t)v);
}

static void add_device(json_t *j, const struct heddle_session_result *r) {
  const struct heddle_axi_mem_stats *m = &r->memory;
  json_t *counters = json_array(), *held = json_array();
  for (unsigned i = 0; i < HEDDLE_SESSION_CACHE_COUNTERS; i++)
    json_array_append_new(counters, json_number(r->counter[i]));
  for (unsigned i = 0; i < HEDDLE_AXI_CHANNELS; i++) json_array_append_new(held, json_number(m->held[i]));
  json_object_set_new(j, "cycles", json_number(r->cycles));
  json_object_set_new(j, "device_cycles", json_number(r->device_cycles));
  json_object_set_new(j, "counters", counters);
  json_object_set_new(j, "axi",
                      json_pack("{s:o, s:o, s:o, s:o, s:o}", "reads", json_number(m->reads), "writes",
                                json_number(m->writes), "w_before_aw", json_number(m->w_before_aw), "r_reordered",
                                json_number(m->r_reordered), "held", held));
}

static json_t *trap_json(const struct heddle_trap *t) {
  return json_pack("{s:s, s:[o, o, o], s:o, s:o, s:o, s:o, s:o}", "cause", heddle_cause_name(t->cause), "block",
                   json_number(t->ctaid[0]), json_number(t->ctaid[1]), json_number(t->ctaid[2]), "warp",
                   json_number(t->warp_in_block), "seq", json_number(t->seq), "pc", json_sprintf("0x%x", t->pc),
                   "lanes", json_sprintf("0x%08x", t->lanes), "address", json_sprintf("0x%" PRIx64, t->addr));
}

struct json_t *session_report_json(const struct heddle_session *s) {
  const struct heddle_session_result *r = &s->result;
  json_t *j = json_pack("{s:s, s:s, s:o}", "outcome", heddle_session_outcome_name(r->outcome), "message", r->message,
                        "instructions", json_number(r->insns));
  if (r->outcome == HEDDLE_SESSION_TRAPPED) {
    json_t *trap = trap_json(&r->trap);
    if (s->device != NULL && session_shown(s) > 1) json_object_set_new(trap, "sm", json_number(r->trap.sm));
    json_object_set_new(j, "trap", trap);
  }
  if (s->device != NULL) add_device(j, r);
  if (s->checker != NULL) json_object_set_new(j, "checker", checker_report_json(s->checker));
  if (s->checker != NULL && stopped_short(r->outcome))
    json_object_set_new(j, "waiting", checker_waiting_json(s->checker));
  return j;
}
