/* SPDX-License-Identifier: Apache-2.0
 *
 * One launch, to its end: the model alone, the device alone, or records of the device judged by the model.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <heddle/config.h>
#include <heddle/host_regs.h>
#include "base/minmax.h"
#include "cosim/session/internal.h"

static void session_wave_before_host(struct heddle_session *s);

/* A wave of the last cycles before a failure (heddle_session_config.wave_last), without the run from its start. A
 * snapshot is a process that the host has copied (heddle_session_copies), with device, model, checker and memory as
 * they were. It waits on its line. After a failure the right one is told to go on, with the wave, up to the same
 * failure; the others find their lines closed, as all do when the run is killed, and end. */

/* Cycles from one snapshot to the next: at least these, at least a share of all so far, and so many as the wave is to
 * have. Then one of the last two lies far enough before any failure, and what is clocked again is little. */
#define SNAPSHOT_LEAST 65536u
#define SNAPSHOT_SHARE 64u
/* Cycles after which a run that is done again ought to have failed: turns, and what comes after the last of them. */
#define SNAPSHOT_LATE (4u * SESSION_STRETCH)

static bool failed(enum heddle_session_outcome o) {
  return o == HEDDLE_SESSION_DIFFERENCE || o == HEDDLE_SESSION_TRAPPED || o == HEDDLE_SESSION_UNDEFINED ||
         o == HEDDLE_SESSION_LIMIT || o == HEDDLE_SESSION_HUNG || o == HEDDLE_SESSION_DEVICE;
}

static bool wanted(const struct heddle_session *s) {
  return s->cfg.wave != NULL && s->cfg.wave_last != 0;
}

static struct snapshot_end snapshot_end_of(const struct heddle_session *s, enum heddle_session_outcome o) {
  struct snapshot_end e;
  memset(&e, 0, sizeof e);
  e.outcome = o;
  e.launch = s->launches;
  e.cycle = s->result.failed;
  if (o == HEDDLE_SESSION_DIFFERENCE) signature_of(&s->result.difference, &e.signature);
  if (o == HEDDLE_SESSION_TRAPPED) e.trap = s->result.trap;
  return e;
}

static bool same_trap(const struct heddle_trap *a, const struct heddle_trap *b) {
  return a->cause == b->cause && a->pc == b->pc && a->seq == b->seq && a->lanes == b->lanes && a->addr == b->addr &&
         a->warp_in_block == b->warp_in_block && a->sm == b->sm && memcmp(a->ctaid, b->ctaid, sizeof a->ctaid) == 0;
}

/* In which cycle, where a snapshot of cycle `from` goes on. */
static uint64_t wave_begins(const struct heddle_session *s, const struct snapshot_end *failure, uint64_t from) {
  return failure->cycle > s->cfg.wave_last ? max_u64(failure->cycle - s->cfg.wave_last, from) : from;
}

static void forget_snapshot(struct heddle_session *s, const struct snapshot *p) {
  (void)close(p->line);
  s->copies.await(s->copies.self, p->pid);
}

static _Noreturn void end(const struct heddle_session *s, bool well) {
  s->copies.end(s->copies.self, well);
  assert(false); /* else it is a second run */
}

void snapshots_drop(struct heddle_session *s) {
  if (s->again) end(s, true); /* whoever opens another session has passed the failure */
  while (s->snapshots > 0) forget_snapshot(s, &s->snapshot[--s->snapshots]);
}

/* All of it; a handler of the host that runs meanwhile does not count. */
static bool receive(int line, struct snapshot_end *e) {
  ssize_t n;
  do n = recv(line, e, sizeof *e, MSG_WAITALL);
  while (n < 0 && errno == EINTR);
  return n == (ssize_t)sizeof *e;
}

/* ---- the process that is a snapshot */

static void wait_for_failure(struct heddle_session *s, int line) {
  for (unsigned i = 0; i < s->snapshots; i++) (void)close(s->snapshot[i].line); /* so that the run alone holds them */
  s->snapshots = 0;
  if (!receive(line, &s->failure) || !s->copies.quiet(s->copies.self, line)) end(s, true);
  s->again = true;
  s->line = line;
  s->wave_due = true;
  s->wave_from = wave_begins(s, &s->failure, heddle_dut_cycle(s->device));
  session_wave_before_host(s);
  if (s->beside != NULL) s->beside = beside_new(s); /* threads are not in a snapshot */
}

static _Noreturn void answer_and_exit(struct heddle_session *s, enum heddle_session_outcome o) {
  const struct snapshot_end e = snapshot_end_of(s, o);
  (void)heddle_dut_wave(s->device, NULL);
  end(s, send(s->line, &e, sizeof e, MSG_NOSIGNAL) == (ssize_t)sizeof e);
}

/* ---- the run */

static bool due(const struct heddle_session *s, uint64_t now) {
  if (!wanted(s)) return false;
  if (s->snapshots == 0) return true;
  return now - s->snapshot[s->snapshots - 1].cycle >=
         max_u64(s->cfg.wave_last, max_u64(SNAPSHOT_LEAST, now / SNAPSHOT_SHARE));
}

void snapshot_look(struct heddle_session *s) {
  const uint64_t now = heddle_dut_cycle(s->device);
  int line, pid;
  if (s->again && s->failure.launch == s->launches && now > s->failure.cycle + SNAPSHOT_LATE)
    answer_and_exit(s, HEDDLE_SESSION_RUNNING);
  if (s->again || !due(s, now)) return;
  if (s->snapshots == SNAPSHOTS) {
    forget_snapshot(s, &s->snapshot[0]);
    s->snapshot[0] = s->snapshot[--s->snapshots];
  }
  if (!s->copies.make(s->copies.self, &pid, &line)) return; /* as if it were not due yet */
  if (pid == 0)
    wait_for_failure(s, line);
  else
    s->snapshot[s->snapshots++] = (struct snapshot){.pid = pid, .line = line, .cycle = now};
}

/* The last one that lies far enough before the failure, else the first; NULL: there is none at all. */
static const struct snapshot *snapshot_before(const struct heddle_session *s, const struct snapshot_end *failure) {
  for (unsigned i = s->snapshots; i-- > 0;)
    if (s->snapshot[i].cycle + s->cfg.wave_last <= failure->cycle || i == 0) return &s->snapshot[i];
  return NULL;
}

static void do_again(struct heddle_session *s, enum heddle_session_outcome o) {
  struct heddle_session_result *r = &s->result;
  const struct snapshot_end first = snapshot_end_of(s, o);
  const struct snapshot *p = snapshot_before(s, &first);
  struct snapshot_end second;
  if (p == NULL || send(p->line, &first, sizeof first, MSG_NOSIGNAL) != (ssize_t)sizeof first ||
      !receive(p->line, &second)) {
    snprintf(r->wave_wrong, sizeof r->wave_wrong, "there is no wave: no snapshot was left that could make it");
  } else if (second.outcome == HEDDLE_SESSION_FAILED) {
    snprintf(r->wave_wrong, sizeof r->wave_wrong, "the wave could not be written");
  } else {
    r->wave_from = wave_begins(s, &first, p->cycle);
    const bool same = second.outcome == first.outcome && second.launch == first.launch && second.cycle == first.cycle &&
                      signature_equal(&first.signature, &second.signature) && same_trap(&first.trap, &second.trap);
    if (!same)
      snprintf(r->wave_wrong, sizeof r->wave_wrong,
               "what was done again ended otherwise: %s in cycle %llu instead of %s in cycle %llu",
               heddle_session_outcome_name(second.outcome), (unsigned long long)second.cycle,
               heddle_session_outcome_name(first.outcome), (unsigned long long)first.cycle);
  }
}

void snapshot_launch_over(struct heddle_session *s, enum heddle_session_outcome o) {
  const bool passed = s->launches >= s->failure.launch || failed(o) || o == HEDDLE_SESSION_FAILED;
  if (s->again && passed) answer_and_exit(s, o);
  if (s->again || !wanted(s) || !failed(o)) return;
  do_again(s, o);
  snapshots_drop(s);
}

/* Clocking the device, with a wave that begins late. */

static void begin_wave(struct heddle_session *s) {
  s->wave_due = false;
  s->wave_failed = !heddle_dut_wave(s->device, s->cfg.wave);
}

/* Where launches wait an access may wait for a copy of a launch. */
static void session_wave_before_host(struct heddle_session *s) {
  const struct heddle_config *m = session_machine(s);
  const uint64_t most = m != NULL && m->launch_queue != 0 ? SESSION_HOST_QUEUE : SESSION_HOST;
  if (s->wave_due && s->wave_from - heddle_dut_cycle(s->device) <= most) begin_wave(s);
}

uint64_t session_step(struct heddle_session *s, uint64_t cycles) {
  if (!s->wave_due) return heddle_dut_step(s->device, cycles);
  const uint64_t now = heddle_dut_cycle(s->device), from = s->wave_from;
  const uint64_t before = from > now ? from - now : 0;
  if (before >= cycles) return heddle_dut_step(s->device, cycles);
  const uint64_t done = before != 0 ? heddle_dut_step(s->device, before) : 0;
  if (done != before) return done;
  begin_wave(s);
  return done + heddle_dut_step(s->device, cycles - before);
}

/* One launch, to its end: the model alone, the device alone, or records of the device judged by the model. */

enum heddle_session_outcome run_model_launch(struct heddle_session *s) {
  s->pages_served = 0;
  const bool goes_on = s->queue.runs && s->queue.front > 0; /* in the memory that the launch before has left */
  if (!s->alone && !goes_on) memcpy(heddle_model_memory(s->model), s->memory, s->cfg.memory_bytes);
  const enum heddle_error st = heddle_model_launch(s->model, &s->launch);
  return st == HEDDLE_SUCCESS
             ? HEDDLE_SESSION_OK
             : session_say(s, HEDDLE_SESSION_REFUSED, "the model refuses the launch: %s", heddle_model_diag(s->model));
}

enum heddle_session_outcome run_model_start(struct heddle_session *s) {
  const enum heddle_session_outcome o = run_model_launch(s);
  return o == HEDDLE_SESSION_OK ? HEDDLE_SESSION_RUNNING : o;
}

enum heddle_session_outcome run_model_on(struct heddle_session *s, uint64_t cycles) {
  const uint64_t most = s->cfg.max_insns;
  enum heddle_error st = heddle_model_go_on(s->model, most, cycles, &s->result.insns);
  while (st == HEDDLE_ERROR_FAULTS && session_pages_serve_model(s))
    st = heddle_model_go_on(s->model, most, cycles, &s->result.insns);
  if (st == HEDDLE_ERROR_NOT_READY) return HEDDLE_SESSION_RUNNING;
  if (!s->alone) memcpy(s->memory, heddle_model_memory(s->model), s->cfg.memory_bytes);
  switch (st) {
  case HEDDLE_SUCCESS:
    return HEDDLE_SESSION_OK;
  case HEDDLE_ERROR_TRAPPED:
    s->result.trap = *heddle_model_trap(s->model);
    return session_say(s, HEDDLE_SESSION_TRAPPED, "%s", heddle_model_diag(s->model));
  case HEDDLE_ERROR_LIMIT:
    return session_say(s, HEDDLE_SESSION_LIMIT, "%s", heddle_model_diag(s->model));
  case HEDDLE_ERROR_UNDEFINED:
    return session_say(s, HEDDLE_SESSION_UNDEFINED, "%s", heddle_model_diag(s->model));
  case HEDDLE_ERROR_FAULTS:
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
