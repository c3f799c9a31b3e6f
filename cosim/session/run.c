/* SPDX-License-Identifier: Apache-2.0
 *
 * One launch, to its end: the model alone, the device alone, or records of the device judged by the model.
 */
#include <stdlib.h>
#include <string.h>

#include <heddle/config.h>
#include <heddle/host_regs.h>
#include "cosim/session/internal.h"

enum heddle_session_outcome run_model_launch(struct heddle_session *s) {
  s->pages_served = 0;
  const bool goes_on = s->queue.runs && s->queue.front > 0; /* in the memory that the launch before has left */
  if (!s->alone && !goes_on) memcpy(heddle_model_memory(s->model), s->memory, s->cfg.memory_bytes);
  const enum heddle_status st = heddle_model_launch(s->model, &s->launch);
  return st == HEDDLE_OK
             ? HEDDLE_SESSION_OK
             : session_say(s, HEDDLE_SESSION_REFUSED, "the model refuses the launch: %s", heddle_model_diag(s->model));
}

enum heddle_session_outcome run_model_start(struct heddle_session *s) {
  const enum heddle_session_outcome o = run_model_launch(s);
  return o == HEDDLE_SESSION_OK ? HEDDLE_SESSION_RUNNING : o;
}

enum heddle_session_outcome run_model_on(struct heddle_session *s, uint64_t cycles) {
  const uint64_t most = s->cfg.max_insns;
  enum heddle_status st = heddle_model_go_on(s->model, most, cycles, &s->result.insns);
  while (st == HEDDLE_FAULTS && session_pages_serve_model(s))
    st = heddle_model_go_on(s->model, most, cycles, &s->result.insns);
  if (st == HEDDLE_GOES_ON) return HEDDLE_SESSION_RUNNING;
  if (!s->alone) memcpy(s->memory, heddle_model_memory(s->model), s->cfg.memory_bytes);
  switch (st) {
  case HEDDLE_OK:
    return HEDDLE_SESSION_OK;
  case HEDDLE_TRAPPED:
    s->result.trap = *heddle_model_trap(s->model);
    return session_say(s, HEDDLE_SESSION_TRAPPED, "%s", heddle_model_diag(s->model));
  case HEDDLE_LIMIT:
    return session_say(s, HEDDLE_SESSION_LIMIT, "%s", heddle_model_diag(s->model));
  case HEDDLE_UNDEFINED:
    return session_say(s, HEDDLE_SESSION_UNDEFINED, "%s", heddle_model_diag(s->model));
  case HEDDLE_FAULTS:
    return s->result.outcome;
  default:
    return session_say(s, HEDDLE_SESSION_FAILED, "the model: %s", heddle_model_diag(s->model));
  }
}

static bool unsound(const struct heddle_session *s) {
  return heddle_dut_failure(s->device) != NULL || heddle_axi_mem_protocol_error(heddle_dut_memory(s->device)) != NULL;
}

enum heddle_session_outcome run_sound(struct heddle_session *s) {
  if (s->wave_failed) return session_say(s, HEDDLE_SESSION_FAILED, "%s: the wave cannot be begun", s->cfg.wave);
  const char *why = heddle_dut_failure(s->device);
  if (why != NULL) return session_say(s, HEDDLE_SESSION_DEVICE, "%s", why);
  why = heddle_axi_mem_protocol_error(heddle_dut_memory(s->device));
  return why == NULL ? HEDDLE_SESSION_OK : session_say(s, HEDDLE_SESSION_DEVICE, "AXI: %s", why);
}

static enum heddle_session_outcome patience(struct heddle_session *s) {
  const uint64_t now = s->judged_to, limit = s->cfg.watchdog != 0 ? s->cfg.watchdog : SESSION_PATIENCE;
  if (s->cfg.max_cycles != 0 && heddle_dut_cycle(s->device) - s->first_cycle > s->cfg.max_cycles) {
    const enum heddle_session_outcome o = judge_taken(s); /* what has been judged until then comes first */
    return o != HEDDLE_SESSION_OK ? o
                                  : session_say(s, HEDDLE_SESSION_LIMIT, "not finished after %llu cycles",
                                                (unsigned long long)s->cfg.max_cycles);
  }
  if (s->checker != NULL && !heddle_checker_look(s->checker, now)) return judge_difference(s);
  if (s->checker != NULL && now > s->idle_since + SESSION_DEADLOCK && heddle_checker_deadlock(s->checker))
    return session_say(s, HEDDLE_SESSION_HUNG,
                       "deadlock: no warp can go on; all wait at barriers that not enough will reach");
  if (s->checker == NULL) {
    uint32_t issued = s->issued;
    (void)heddle_dut_read32(s->device, HEDDLE_REG_COUNTER(HEDDLE_COUNTER_ISSUED), &issued);
    if (issued != s->issued) s->idle_since = now;
    s->issued = issued;
  }
  if (now > s->idle_since + limit)
    return session_say(s, HEDDLE_SESSION_HUNG, "no progress since cycle %llu", (unsigned long long)s->idle_since);
  return HEDDLE_SESSION_OK;
}

/* Its records have said that the grid is over: the host will see it soon. */
static bool ending(const struct heddle_session *s) {
  return s->checker != NULL && (heddle_checker_done(s->checker) || heddle_checker_trapped(s->checker));
}

/* Clock, and judge what the device shows while it is still in the cache: the device stops whenever it has shown some.
 * Not beyond the end of the grid: the cycles of a short program are many of all that it takes. */
static enum heddle_session_outcome clock_and_judge(struct heddle_session *s, uint64_t cycles) {
  enum heddle_session_outcome o = HEDDLE_SESSION_OK;
  const bool was = ending(s);
  for (uint64_t done = 1; o == HEDDLE_SESSION_OK && cycles != 0 && done != 0 && ending(s) == was; cycles -= done) {
    done = session_step(s, cycles);
    o = judge_taken(s);
  }
  return o;
}

/* Clock, while the thread judges what was shown before. In what order the two come to their ends makes no difference:
 * each turn has its cycles, and ends when both are through. */
static enum heddle_session_outcome clock_beside(struct heddle_session *s, uint64_t cycles) {
  size_t n;
  const struct heddle_retire_record *r = heddle_dut_records_take(s->device, &n);
  s->judged_to = heddle_dut_cycle(s->device);
  beside_give(s->beside, r, n);
  for (uint64_t done = 1; cycles != 0 && done != 0; cycles -= done) done = session_step(s, cycles);
  const enum heddle_session_outcome o = beside_wait(s->beside);
  return o == HEDDLE_SESSION_OK && unsound(s) ? judge_taken(s) : o;
}

/* Cycles until the next look: many, since device and checker each have to fill the caches anew when their turn comes;
 * few where the grid may end, or must. */
static uint64_t stretch(const struct heddle_session *s, uint64_t most) {
  const uint64_t now = heddle_dut_cycle(s->device), spent = now - s->first_cycle, limit = s->cfg.max_cycles;
  const uint64_t left = limit == 0 ? UINT64_MAX : limit > spent ? limit - spent + 1 : 1;
  const uint32_t *g = s->launch.grid;
  uint64_t n = SESSION_BATCH;
  if (s->checker != NULL && heddle_checker_statistics(s->checker)->blocks < (uint64_t)g[0] * g[1] * g[2])
    n = SESSION_STRETCH;
  if (s->queue.runs) n = SESSION_BATCH; /* the next one is to be there when one ends */
  if (ending(s)) n = SESSION_ENDING;
  if (n > most) n = most;
  return n < left ? n : left;
}

/* Clock until the grid is over; *status then says how. RUNNING: about so many cycles have passed first. */
static enum heddle_session_outcome run_grid(struct heddle_session *s, uint32_t *status, uint64_t cycles) {
  const uint64_t from = heddle_dut_cycle(s->device);
  for (uint64_t spent = 0; spent < cycles; spent = heddle_dut_cycle(s->device) - from) {
    const uint64_t n = stretch(s, cycles - spent);
    const bool beside = s->beside != NULL && n > SESSION_ENDING;
    enum heddle_session_outcome o = beside ? clock_beside(s, n) : clock_and_judge(s, n);
    if (o == HEDDLE_SESSION_OK) o = run_sound(s);
    if (o == HEDDLE_SESSION_OK) session_wave_before_host(s);
    if (o == HEDDLE_SESSION_OK && !device_status(s, status)) o = s->result.outcome;
    if (o == HEDDLE_SESSION_OK && s->queue.runs) o = queue_look(s, status);
    const uint32_t end = HEDDLE_STATUS_DONE | HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED;
    if (o == HEDDLE_SESSION_OK) o = session_pages_look(s, *status);
    if (o == HEDDLE_SESSION_OK && (*status & end) == 0) o = host_meanwhile(s, status);
    const bool over = o == HEDDLE_SESSION_OK && (*status & end) != 0;
    if (o == HEDDLE_SESSION_OK && (over || !beside)) o = judge_taken(s);
    if (over || o != HEDDLE_SESSION_OK) return o;
    o = patience(s);
    if (o != HEDDLE_SESSION_OK) return o;
    snapshot_look(s);
  }
  return HEDDLE_SESSION_RUNNING;
}

/* Up to START. */
static enum heddle_session_outcome begin_device_launch(struct heddle_session *s) {
  size_t before;
  heddle_dut_records_clear(s->device);
  (void)heddle_dut_classes(s->device, &before);
  s->first_cycle = s->idle_since = heddle_dut_cycle(s->device);
  s->issued = s->pages_served = 0;
  heddle_checker_free(s->checker);
  s->checker = NULL;
  enum heddle_session_outcome o = s->cfg.mode == HEDDLE_SESSION_LOCKSTEP ? judge_begin(s) : HEDDLE_SESSION_OK;
  if (o == HEDDLE_SESSION_OK) o = judge_trace_begin(s);
  if (o == HEDDLE_SESSION_OK && s->cfg.observe != NULL)
    s->cfg.observe(s->cfg.observe_ctx, s->model, queue_front(s), NULL);
  host_begins(s);
  const bool queue = s->queue.runs;
  if (o == HEDDLE_SESSION_OK &&
      !(device_load(s, queue_front(s), queue ? s->queue.launches : 1) && device_start(s, queue_front(s), NULL)))
    o = s->result.outcome;
  if (o == HEDDLE_SESSION_OK && queue) o = queue_begins(s);
  return o == HEDDLE_SESSION_OK ? host_started(s) : o;
}

/* Whatever hangs, the next launch starts clean. */
static void clean(struct heddle_session *s) {
  heddle_dut_reset(s->device);
  host_was_reset(s);
}

/* It runs no more: what is left to be done of a launch, whose STATUS is asked for only where all is well (o). */
static enum heddle_session_outcome over(struct heddle_session *s, enum heddle_session_outcome o, uint32_t status) {
  beside_free(s->beside);
  s->beside = NULL;
  if (o == HEDDLE_SESSION_OK && s->queue.runs) o = queue_over(s, status);
  s->result.failed = heddle_dut_cycle(s->device); /* if it did: what follows reads what became of it */
  if (o == HEDDLE_SESSION_OK) o = end_launch(s, status);
  s->result.stopped = heddle_dut_cycle(s->device);
  s->result.device_cycles = s->result.stopped - s->first_cycle;
  s->result.memory = *heddle_axi_mem_statistics(heddle_dut_memory(s->device));
  if (s->checker != NULL) s->result.checked = *heddle_checker_statistics(s->checker);
  if (!judge_trace_end(s) && o == HEDDLE_SESSION_OK)
    o = session_say(s, HEDDLE_SESSION_FAILED, "the trace cannot be written");
  if (s->queue.runs && o == HEDDLE_SESSION_TRAPPED) o = queue_stop(s);
  if (o != HEDDLE_SESSION_OK && o != HEDDLE_SESSION_TRAPPED) clean(s);
  s->queue.runs = false;
  return o;
}

static enum heddle_session_outcome launch_start(struct heddle_session *s) {
  const enum heddle_session_outcome o = begin_device_launch(s);
  if (o != HEDDLE_SESSION_OK) return over(s, o, 0);
  if (s->cfg.beside && s->checker != NULL) s->beside = beside_new(s);
  return HEDDLE_SESSION_RUNNING;
}

static enum heddle_session_outcome launch_pass(struct heddle_session *s, uint64_t cycles) {
  uint32_t status = 0;
  const enum heddle_session_outcome o = run_grid(s, &status, cycles);
  return o == HEDDLE_SESSION_RUNNING ? o : over(s, o, status);
}

enum heddle_session_outcome run_launch(struct heddle_session *s) {
  const enum heddle_session_outcome o = launch_start(s);
  return o == HEDDLE_SESSION_RUNNING ? launch_pass(s, UINT64_MAX) : o;
}

bool launch_for(struct heddle_session *s, uint64_t cycles) {
  return begin_device_launch(s) == HEDDLE_SESSION_OK && launch_on(s, cycles);
}

bool launch_on(struct heddle_session *s, uint64_t cycles) {
  enum heddle_session_outcome o = HEDDLE_SESSION_OK;
  const uint64_t end = heddle_dut_cycle(s->device) + cycles;
  while (o == HEDDLE_SESSION_OK && heddle_dut_cycle(s->device) < end && !ending(s)) {
    o = clock_and_judge(s, end - heddle_dut_cycle(s->device));
    if (o == HEDDLE_SESSION_OK) o = run_sound(s);
  }
  return o == HEDDLE_SESSION_OK;
}

enum heddle_session_outcome run_device_start(struct heddle_session *s) {
  const enum heddle_session_outcome o = host_before(s);
  s->queue.runs = s->queue.launches > 1; /* the host's own launches before it were alone */
  if (o == HEDDLE_SESSION_OK) return launch_start(s);
  clean(s);
  return o;
}

enum heddle_session_outcome run_device_on(struct heddle_session *s, uint64_t cycles) {
  const enum heddle_session_outcome o = launch_pass(s, cycles);
  if ((o != HEDDLE_SESSION_OK && o != HEDDLE_SESSION_TRAPPED) || queue_waited(s)) return o;
  const enum heddle_session_outcome host = host_after(s);
  if (host != HEDDLE_SESSION_OK) clean(s);
  return host == HEDDLE_SESSION_OK ? o : host;
}

void run_device_stop(struct heddle_session *s) {
  beside_free(s->beside);
  s->beside = NULL;
  (void)judge_trace_end(s);
  clean(s);
  heddle_dut_records_clear(s->device);
  (void)heddle_dut_memory_load(s->device, s->cfg.memory_base, s->memory, s->cfg.memory_bytes);
}
