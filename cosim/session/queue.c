/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches that follow each other in the device's queue (rtl/gpu/README.md). START of the next ones is written while
 * one runs. Records tell where one ends and the next begins: all blocks have ended, and a block starts, or pages are
 * walked for the next one. Then the one is judged, with what only records show, and the model goes on in its own
 * memory. What the host reads of it comes when it looks: ENDED_HOW and ENDED_CYCLES are kept of the last
 * HEDDLE_ENDED_KEPT launches, so no more than these are under way.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/session/internal.h"
#include "base/options.h"

#define ABORT_POLLS 4000u /* of STATUS, 16 cycles each */

const struct heddle_launch *queue_front(const struct heddle_session *s) {
  return s->queue.runs ? &s->queue.launch[s->queue.front] : &s->launch;
}

bool queue_is_last(const struct heddle_session *s) {
  return !s->queue.runs || s->queue.front + 1 == s->queue.launches;
}

void queue_drop(struct heddle_session *s) {
  struct queue *q = &s->queue;
  for (size_t i = 0; q->judged != NULL && i < q->launches; i++) heddle_checker_free(q->judged[i]);
  free(q->judged);
  free(q->launch);
  *q = (struct queue){.runs = false};
}

/* ---- by records */

bool queue_follows(const struct heddle_session *s, const struct heddle_retire_record *r) {
  const struct queue *q = &s->queue;
  const bool walks = r->kind == HEDDLE_RECORD_PAGES && r->u.pages.what == HEDDLE_RECORD_PAGES_LAUNCH;
  /* a launch whose blocks have ended may walk for what is not needed */
  const bool begins =
      r->kind == HEDDLE_RECORD_BLOCK_START || (walks && r->u.pages.number != q->number + 1 + (uint32_t)q->front);
  return q->runs && begins && s->checker != NULL && q->front + 1 < q->begun && heddle_checker_done(s->checker) &&
         !heddle_checker_trapped(s->checker);
}

/* What records tell of the front launch, which has shown the last of them in cycle `over`. Its checker waits for what
 * the host reads. */
static enum heddle_session_outcome judge_front(struct heddle_session *s, uint64_t over) {
  struct queue *q = &s->queue;
  struct heddle_session_result *r = &s->result;
  if (!heddle_checker_finish(s->checker, over) ||
      !heddle_checker_memory(s->checker, s->cfg.memory_base, s->memory, 0)) /* nothing that it wrote is undefined */
    return judge_difference(s);
  if (!judge_trace_next(s, over)) return session_say(s, HEDDLE_SESSION_FAILED, "the trace cannot be written");
  r->checked = *heddle_checker_statistics(s->checker);
  r->insns = r->checked.issued;
  r->stopped = over;
  r->device_cycles = over - s->first_cycle;
  r->cycles = q->result[q->front].cycles; /* as far as they have been read */
  q->result[q->front] = *r;
  q->judged[q->front] = s->checker;
  s->checker = NULL;
  session_result_clear(s);
  s->first_cycle = over;
  q->front++;
  s->launch = q->launch[q->front];
  return HEDDLE_SESSION_OK;
}

enum heddle_session_outcome queue_next(struct heddle_session *s, uint64_t over) {
  enum heddle_session_outcome o = judge_front(s, over);
  if (o == HEDDLE_SESSION_OK) o = judge_begin(s);
  if (o == HEDDLE_SESSION_OK) heddle_checker_follows(s->checker, s->queue.judged[s->queue.front - 1]);
  if (o == HEDDLE_SESSION_OK) o = judge_trace_begin(s);
  if (o == HEDDLE_SESSION_OK && s->cfg.observe != NULL)
    s->cfg.observe(s->cfg.observe_ctx, s->model, queue_front(s), NULL);
  return o;
}

/* ---- by what the host reads */

static enum heddle_session_outcome wrong_register(struct heddle_session *s, size_t k, const char *what, uint32_t got,
                                                  uint32_t want) {
  return session_say(s, HEDDLE_SESSION_DEVICE, "%s of launch %zu is 0x%x, not 0x%x", what, s->queue.first + k + 1, got,
                     want);
}

/* The words of launch k, which has ended. */
static bool read_end(struct heddle_session *s, size_t k) {
  struct queue *q = &s->queue;
  const uint32_t number = q->number + 1 + (uint32_t)k, at = number % HEDDLE_ENDED_KEPT;
  uint32_t lo = 0, hi = 0;
  if (!device_read32(s, HEDDLE_REG_ENDED_HOW(at), &q->how) || !device_read32(s, HEDDLE_REG_ENDED_CYCLES(at), &lo) ||
      !device_read32(s, HEDDLE_REG_ENDED_CYCLES(at) + 4, &hi))
    return false;
  q->result[k].cycles = (uint64_t)hi << 32 | lo;
  if (q->how >> 8 == (number & 0xffffff)) return true;
  return wrong_register(s, k, "ENDED_HOW 31:8", q->how >> 8, number & 0xffffff) == HEDDLE_SESSION_OK;
}

/* Of those before the one that ended last; how that has ended STATUS says, too. */
static bool ended_well(struct heddle_session *s, size_t k) {
  const uint32_t how = s->queue.how & 15;
  return how == HEDDLE_STATUS_DONE ||
         wrong_register(s, k, "ENDED_HOW 3:0", how, HEDDLE_STATUS_DONE) == HEDDLE_SESSION_OK;
}

static bool read_ended(struct heddle_session *s) {
  struct queue *q = &s->queue;
  const uint64_t now = heddle_dut_cycle(s->device);
  uint32_t ended = 0;
  if (!device_read32(s, HEDDLE_REG_ENDED, &ended)) return false;
  const uint32_t n = ended - q->number;
  if (n > q->begun)
    return wrong_register(s, q->ended, "ENDED", ended, q->number + (uint32_t)q->begun) == HEDDLE_SESSION_OK;
  for (; q->ended < n; q->ended++)
    if ((q->ended > 0 && !ended_well(s, q->ended - 1)) || !read_end(s, q->ended)) return false;
  const size_t stopped = n > 0 && (q->how & 15) != HEDDLE_STATUS_DONE; /* the last of them is still in front */
  const size_t front = n - stopped < q->launches ? n - stopped : q->launches - 1;
  if (s->checker == NULL && q->front < front) {
    q->front = front;
    s->launch = q->launch[q->front];
    s->first_cycle = q->looked; /* then the one before it had not ended */
  }
  q->looked = now;
  return true;
}

/* CYCLES of those that records have shown whole. */
static enum heddle_session_outcome compare_cycles(struct heddle_session *s) {
  struct queue *q = &s->queue;
  const uint64_t seen = heddle_dut_cycle(s->device);
  for (size_t k = 0; k < q->front && k < q->ended; k++) {
    struct heddle_checker *c = q->judged[k];
    if (c == NULL) continue;
    q->judged[k] = NULL;
    if (heddle_checker_cycles(c, q->result[k].cycles, seen)) {
      heddle_checker_free(c);
      continue;
    }
    heddle_checker_free(s->checker); /* what is in front will not be judged to its end */
    s->checker = c;
    q->front = k;
    s->launch = q->launch[k];
    return judge_difference(s);
  }
  return HEDDLE_SESSION_OK;
}

enum heddle_session_outcome queue_begins(struct heddle_session *s) {
  struct queue *q = &s->queue;
  uint32_t taken = 0;
  if (!device_read32(s, HEDDLE_REG_LAUNCHES, &taken)) return s->result.outcome;
  q->number = taken - 1;
  q->begun = 1;
  q->looked = s->first_cycle;
  return HEDDLE_SESSION_OK;
}

/* While the device takes launches, and the words of their ends are kept. A trap that records have shown stops the
 * queue, and STATUS says so some time later. */
static bool begin_more(struct heddle_session *s, uint32_t *status) {
  const uint32_t stopped = HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED | HEDDLE_STATUS_FULL;
  struct queue *q = &s->queue;
  uint32_t taken = 0;
  while (q->begun < q->launches && q->begun < q->ended + HEDDLE_ENDED_KEPT) {
    if (!device_status(s, status)) return false;
    if ((*status & stopped) != 0 || (s->checker != NULL && heddle_checker_trapped(s->checker))) break;
    const struct heddle_launch *l = &q->launch[q->begun];
    if (!device_start(s, l, s->host.machine == NULL ? l - 1 : NULL) || !device_read32(s, HEDDLE_REG_LAUNCHES, &taken))
      return false;
    q->begun++;
    if (taken != q->number + (uint32_t)q->begun)
      return wrong_register(s, q->begun - 1, "LAUNCHES", taken, q->number + (uint32_t)q->begun) == HEDDLE_SESSION_OK;
    *status = HEDDLE_STATUS_RUNNING;
  }
  return true;
}

enum heddle_session_outcome queue_look(struct heddle_session *s, uint32_t *status) {
  const enum heddle_session_outcome o = s->beside == NULL ? judge_taken(s) : HEDDLE_SESSION_OK;
  if (o != HEDDLE_SESSION_OK) return o;
  return read_ended(s) && begin_more(s, status) ? compare_cycles(s) : s->result.outcome;
}

/* ---- the end of all */

/* The device refuses launch `front` + 1, and s->memory is what the one before has left. */
static enum heddle_session_outcome refused_next(struct heddle_session *s) {
  struct queue *q = &s->queue;
  const size_t k = q->front;
  const enum heddle_session_outcome o = judge_front(s, s->idle_since);
  if (o != HEDDLE_SESSION_OK) return o;
  if (heddle_checker_memory(q->judged[k], s->cfg.memory_base, s->memory, s->cfg.memory_bytes)) return compare_cycles(s);
  s->checker = q->judged[k];
  q->judged[k] = NULL;
  q->front = k;
  return judge_difference(s);
}

enum heddle_session_outcome queue_over(struct heddle_session *s, uint32_t status) {
  struct queue *q = &s->queue;
  enum heddle_session_outcome o = HEDDLE_SESSION_OK;
  if (!read_ended(s)) return s->result.outcome;
  const uint32_t how = q->how & 15, want = status & 15;
  if (q->ended == 0 || how != want)
    return wrong_register(s, q->ended == 0 ? 0 : q->ended - 1, "ENDED_HOW 3:0", how, want);
  if (how == HEDDLE_STATUS_REFUSED)
    (void)heddle_dut_memory_load(s->device, s->cfg.memory_base, s->memory, s->cfg.memory_bytes);
  if (how == HEDDLE_STATUS_REFUSED && s->checker != NULL && q->ended == q->front + 2) o = refused_next(s);
  if (s->checker == NULL) s->launch = q->launch[q->front = q->ended - 1];
  if (o == HEDDLE_SESSION_OK) o = compare_cycles(s);
  if (o != HEDDLE_SESSION_OK) return o;
  const size_t in_front = how == HEDDLE_STATUS_DONE ? q->launches : q->front + 1;
  if (q->ended == in_front && q->front + 1 == in_front) return HEDDLE_SESSION_OK;
  return session_say(s, HEDDLE_SESSION_DEVICE, "STATUS is 0x%x, ENDED says that %zu of %zu launches have ended%s%zu",
                     status, q->ended, q->launches, s->checker != NULL ? ", records have come to launch " : ": not ",
                     s->checker != NULL ? q->front + 1 : in_front);
}

bool queue_waited(const struct heddle_session *s) {
  return s->queue.launches > 1 && s->queue.begun > s->queue.front + 1;
}

enum heddle_session_outcome queue_stop(struct heddle_session *s) {
  const enum heddle_session_outcome o = s->result.outcome;
  uint32_t status = HEDDLE_STATUS_DRAINING;
  if (!queue_waited(s)) return o;
  if (!device_command(s, HEDDLE_CONTROL_ABORT)) return s->result.outcome;
  for (unsigned i = 0; i < ABORT_POLLS && status != 0; i++) {
    if (!device_status(s, &status)) return s->result.outcome;
    (void)session_step(s, 16);
    heddle_dut_records_clear(s->device);
  }
  s->host.status = status;
  if (status == 0) return o;
  return session_say(s, HEDDLE_SESSION_DEVICE, "STATUS is 0x%x after an abort of launches that waited", status);
}

/* ---- the run */

/* How many of them run in the queue together; 1: each is alone. They are placed side by side: while they run nothing is
 * written where the shared cache may have something. The last one has local memory of its own. */
static size_t place_queue(struct heddle_session *s, const struct heddle_launch *l, size_t n) {
  struct heddle_axi_mem_range r[HEDDLE_AXI_MEM_RANGES] = {{0, 0}};
  struct queue *q = &s->queue;
  uint64_t used = 0, local = 0;
  unsigned ranges = 1; /* local memory of the last one */
  size_t k = 0;
  for (; k < n; k++) {
    struct heddle_launch *to = &q->launch[k];
    *to = l[k];
    session_adapt(s, to);
    used = launch_place(s, q->launch, k, to, used);
    const uint64_t bytes = (launch_local_bytes(s, to) + 511) / 512 * 512;
    if (bytes > local) local = bytes;
    if (used > HEDDLE_SESSION_RESERVE || 2 * local > HEDDLE_SESSION_LOCAL || !launch_may_write(s, to, r, &ranges))
      break;
  }
  for (size_t i = 0; i + 1 < k; i++) q->launch[i].local_at += local;
  return k > 0 ? k : 1;
}

/* Whose a record of a device alone is, nobody knows. */
static bool has_queue(struct heddle_session *s) {
  uint32_t queue = 0;
  const bool blind = s->cfg.mode == HEDDLE_SESSION_RTL && (s->trace != NULL || s->cfg.observe != NULL);
  const bool alone = s->device == NULL || session_model_runs(s) || heddle_dut_core(s->device) != NULL ||
                     s->cfg.stream != NULL || s->cfg.error_limit != 0 || blind;
  return !alone && heddle_dut_read32(s->device, HEDDLE_REG_CAP_QUEUE, &queue) && queue != 0;
}

/* Results of those before the front one are there; a failure names its launch. */
static enum heddle_session_outcome take_results(struct heddle_session *s, enum heddle_session_outcome o) {
  struct queue *q = &s->queue;
  char words[sizeof s->result.message];
  for (size_t i = 0; i < q->launches; i++)
    q->result[i].outcome = i < q->front ? HEDDLE_SESSION_OK : HEDDLE_SESSION_NOT_RUN;
  if (o != HEDDLE_SESSION_OK && s->result.message[0] != '\0') {
    memcpy(words, s->result.message, sizeof words);
    (void)snprintf(s->result.message, sizeof s->result.message, "launch %zu of %zu: %.470s", q->first + q->front + 1,
                   q->all, words);
  }
  return session_now(s, o, &q->result[q->front]);
}

static enum heddle_session_outcome run_queue(struct heddle_session *s, struct heddle_session_result *r) {
  struct queue *q = &s->queue;
  q->result = r;
  for (size_t i = 0; i < q->launches; i++) r[i].cycles = 0;
  s->launch = q->launch[0];
  session_result_clear(s);
  s->launches++;
  snapshot_look(s);
  enum heddle_session_outcome o = run_device_start(s);
  if (o == HEDDLE_SESSION_RUNNING) o = run_device_on(s, UINT64_MAX);
  return take_results(s, o);
}

/* Those from *at on that go together. */
static enum heddle_session_outcome run_some(struct heddle_session *s, const struct heddle_launch *l, size_t n,
                                            struct heddle_session_result *r, size_t *at) {
  struct queue *q = &s->queue;
  const size_t from = *at;
  heddle_checker_free(s->checker);
  s->checker = NULL;
  queue_drop(s);
  q->launch = has_queue(s) ? calloc(n - from, sizeof *q->launch) : NULL;
  q->judged = q->launch != NULL ? calloc(n - from, sizeof *q->judged) : NULL;
  q->launches = q->judged != NULL ? place_queue(s, l + from, n - from) : 1;
  q->first = from;
  q->all = n;
  *at = from + q->launches;
  return q->launches == 1 ? heddle_session_run(s, &l[from], &r[from]) : run_queue(s, &r[from]);
}

/* Arrays of the caller's, each with elements of its own size, and this library's. */
static bool take_launches(struct heddle_launch *own, const struct heddle_launch *l, size_t n) {
  bool ok = n == 0 || options_sized(l);
  for (size_t i = 0; ok && i < n; i++) ok = options_take(&own[i], sizeof *own, (const uint8_t *)l + i * l->size);
  return ok;
}

static void give_results(struct heddle_session_result *r, const struct heddle_session_result *own, size_t n) {
  const size_t each = n != 0 ? r->size : 0;
  for (size_t i = 0; i < n; i++) {
    struct heddle_session_result *to = (struct heddle_session_result *)(void *)((uint8_t *)r + i * each);
    to->size = each;
    options_give(to, sizeof *own, &own[i]);
  }
}

static enum heddle_session_outcome run_all(struct heddle_session *s, const struct heddle_launch *given, size_t n,
                                           struct heddle_launch *l, struct heddle_session_result *r) {
  enum heddle_session_outcome o = HEDDLE_SESSION_OK;
  for (size_t i = 0; i < n; i++)
    r[i] = (struct heddle_session_result){.size = sizeof *r, .outcome = HEDDLE_SESSION_NOT_RUN};
  if (!take_launches(l, given, n)) {
    session_result_clear(s);
    return session_now(s, session_say(s, HEDDLE_SESSION_REFUSED, "a launch " OPTIONS_FOREIGN), r);
  }
  for (size_t at = 0; at < n && o == HEDDLE_SESSION_OK;) o = run_some(s, l, n, r, &at);
  return o;
}

enum heddle_session_outcome heddle_session_run_queue(struct heddle_session *s, const struct heddle_launch *l, size_t n,
                                                     struct heddle_session_result *r) {
  if (n == 0) return HEDDLE_SESSION_OK;
  if (!options_sized(r)) return HEDDLE_SESSION_FAILED;
  struct heddle_launch *launch = calloc(n, sizeof *launch);
  struct heddle_session_result *own = calloc(n, sizeof *own);
  enum heddle_session_outcome o = HEDDLE_SESSION_FAILED;
  if (launch != NULL && own != NULL) {
    o = run_all(s, l, n, launch, own);
    give_results(r, own, n);
  }
  free(launch);
  free(own);
  return o;
}
