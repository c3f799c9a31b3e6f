/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of the device, as they come: kept as a stream, written into the trace, judged by the model, by a thread of
 * its own too.
 */
#include <pthread.h>
#include <stdlib.h>

#include <heddle/config.h>
#include "base/process.h"
#include "cosim/session/internal.h"
#include "cosim/trace/stream.h"

/* What a device sends of a launch as a board would, kept in a file that can be judged later. */

enum heddle_error stream_file_open(struct heddle_session *s, const struct heddle_trace_header *h,
                                   struct heddle_message *msg) {
  if (s->cfg.stream == NULL) return HEDDLE_SUCCESS;
  if (!heddle_dut_has_stream(s->device))
    return message_fail(msg, HEDDLE_ERROR_NOT_SUPPORTED, NULL,
                        "%s sends no stream; devices of variant stream or digest do: --config tiny_stream",
                        s->cfg.config);
  struct heddle_trace_header own = *h;
  const struct heddle_config *m = session_machine(s); /* the variant is the same machine */
  if (m != NULL) {
    snprintf(own.config, sizeof own.config, "%s", m->name);
    own.config_hash = m->hash;
  }
  own.hidden = HEDDLE_RECORD_HIDDEN_P1;
  own.clock_ahead = -STREAM_CLOCK_BEHIND;
  return heddle_trace_create_stream(s->cfg.stream, &own, &s->stream, msg);
}

static bool stream_file_begin(struct heddle_session *s) {
  size_t n;
  if (s->stream == NULL) return true;
  (void)heddle_dut_stream(s->device, &n); /* of the launch before nothing is left */
  s->stream_open = true;
  return heddle_trace_launch(s->stream, &s->launch, s->cfg.memory_base, s->memory, s->cfg.memory_bytes, NULL) ==
         HEDDLE_SUCCESS;
}

/* What has been sent so far: a long launch would fill memory. */
static bool stream_file_take(struct heddle_session *s) {
  size_t n;
  if (!s->stream_open) return true;
  const uint8_t *p = heddle_dut_stream(s->device, &n);
  return n == 0 || heddle_trace_stream(s->stream, p, n, NULL) == HEDDLE_SUCCESS;
}

/* The core has ended, the link goes on until it has nothing more. */
static bool stream_file_end(struct heddle_session *s) {
  if (!s->stream_open) return true;
  s->stream_open = false;
  const uint64_t quiet = SESSION_QUIET + 4u * (uint64_t)s->cfg.stream_gap;
  size_t n = 1;
  bool ok = true;
  while (ok && n != 0) {
    for (uint64_t done = 0; done < quiet && heddle_dut_failure(s->device) == NULL;) {
      const uint64_t step = session_step(s, quiet - done);
      heddle_dut_records_clear(s->device);
      done += step != 0 ? step : quiet;
    }
    const uint8_t *p = heddle_dut_stream(s->device, &n);
    ok = n == 0 || heddle_trace_stream(s->stream, p, n, NULL) == HEDDLE_SUCCESS;
  }
  return ok && heddle_trace_launch_end(s->stream, s->memory, 0, NULL) == HEDDLE_SUCCESS;
}

/* A thread that judges records while the device goes on. It has the checker, the model and the trace for itself from
 * beside_give to beside_wait, and nobody else touches them; so what it finds does not depend on who is faster. */

struct beside {
  struct heddle_session *session;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t turn; /* `busy` or `ends` has changed */
  bool busy, ends;
  const struct heddle_retire_record *record;
  size_t count;
  enum heddle_session_outcome outcome;
};

static void *judge_beside(void *ctx) {
  struct beside *b = ctx;
  (void)pthread_mutex_lock(&b->lock);
  while (!b->ends) {
    if (b->busy) {
      (void)pthread_mutex_unlock(&b->lock);
      const enum heddle_session_outcome o = judge_records(b->session, b->record, b->count);
      (void)pthread_mutex_lock(&b->lock);
      b->outcome = o;
      b->busy = false;
      (void)pthread_cond_broadcast(&b->turn);
    } else {
      (void)pthread_cond_wait(&b->turn, &b->lock);
    }
  }
  (void)pthread_mutex_unlock(&b->lock);
  return NULL;
}

struct beside *beside_new(struct heddle_session *s) {
  struct beside *b = calloc(1, sizeof *b);
  if (b == NULL) return NULL;
  b->session = s;
  b->outcome = HEDDLE_SESSION_OK;
  const bool lock = pthread_mutex_init(&b->lock, NULL) == 0, turn = pthread_cond_init(&b->turn, NULL) == 0;
  if (lock && turn && thread_start(&b->thread, judge_beside, b)) return b;
  if (lock) (void)pthread_mutex_destroy(&b->lock);
  if (turn) (void)pthread_cond_destroy(&b->turn);
  free(b);
  return NULL;
}

void beside_give(struct beside *b, const struct heddle_retire_record *r, size_t n) {
  (void)pthread_mutex_lock(&b->lock);
  b->record = r;
  b->count = n;
  b->busy = true;
  (void)pthread_cond_broadcast(&b->turn);
  (void)pthread_mutex_unlock(&b->lock);
}

enum heddle_session_outcome beside_wait(struct beside *b) {
  (void)pthread_mutex_lock(&b->lock);
  while (b->busy) (void)pthread_cond_wait(&b->turn, &b->lock);
  const enum heddle_session_outcome o = b->outcome;
  (void)pthread_mutex_unlock(&b->lock);
  return o;
}

void beside_free(struct beside *b) {
  if (b == NULL) return;
  (void)beside_wait(b);
  (void)pthread_mutex_lock(&b->lock);
  b->ends = true;
  (void)pthread_cond_broadcast(&b->turn);
  (void)pthread_mutex_unlock(&b->lock);
  (void)pthread_join(b->thread, NULL);
  (void)pthread_cond_destroy(&b->turn);
  (void)pthread_mutex_destroy(&b->lock);
  free(b);
}

/* Records of the device, as they come: written into the trace, and judged by the model. */

enum heddle_session_outcome judge_begin(struct heddle_session *s) {
  const struct heddle_dut_info *d = heddle_dut_describe(s->device);
  struct heddle_checker_config cfg = {.size = sizeof cfg,
                                      .sm = d->sm,
                                      .shown = session_shown(s),
                                      .lanes = d->lanes,
                                      .warp_slots = d->warp_slots,
                                      .block_slots = d->block_slots,
                                      .shared_bytes = d->shared_bytes,
                                      .scoreboard = s->cfg.scoreboard,
                                      .its = s->cfg.its,
                                      .bus_errors = queue_front(s)->errors.limit != 0,
                                      .read_age = d->read_age,
                                      .pred_age = d->pred_age,
                                      .patience_issue = s->cfg.watchdog_issue,
                                      .patience_warp = s->cfg.watchdog_warp,
                                      .disasm = s->cfg.disasm,
                                      .disasm_ctx = s->cfg.disasm_ctx};
  session_cache(s, &cfg.cache_sectors, &cfg.cache_promises);
  if (heddle_dut_core(s->device) != NULL)
    core_checker(s, &cfg);
  else
    checker_machine(&cfg, s->cfg.config != NULL ? s->cfg.config : d->config);
  cfg.mmu = cfg.mmu || queue_front(s)->pages;
  const enum heddle_session_outcome o = run_model_launch(s);
  if (o != HEDDLE_SESSION_OK) return o;
  s->checker = heddle_checker_new(s->model, queue_front(s), &cfg);
  if (s->checker == NULL)
    return session_say(s, HEDDLE_SESSION_FAILED, "no checker: no memory, or a grid that it cannot hold");
  return HEDDLE_SESSION_OK;
}

enum heddle_session_outcome judge_trace_begin(struct heddle_session *s) {
  const uint8_t *memory = s->queue.runs && s->queue.front > 0 ? heddle_model_memory(s->model) : s->memory;
  s->heddle_trace_open = s->trace != NULL;
  const bool traced = (s->trace == NULL || heddle_trace_launch(s->trace, &s->launch, s->cfg.memory_base, memory,
                                                               s->cfg.memory_bytes, NULL) == HEDDLE_SUCCESS) &&
                      stream_file_begin(s);
  return traced ? HEDDLE_SESSION_OK : session_say(s, HEDDLE_SESSION_FAILED, "the trace cannot be written");
}

enum heddle_session_outcome judge_difference(struct heddle_session *s) {
  const struct heddle_checker_difference *d = heddle_checker_first(s->checker);
  s->result.difference = *d;
  if (d->kind == HEDDLE_CHECKER_UNDEFINED_READ) return session_say(s, HEDDLE_SESSION_UNDEFINED, "%s", d->note);
  return session_say(s, HEDDLE_SESSION_DIFFERENCE, "%s in cycle %llu: %s", heddle_checker_kind_name(d->kind),
                     (unsigned long long)d->cycle, d->note);
}

/* Records that will be judged soon: the RTL has pushed them out of the near caches. First their heads, then, when it
 * can be seen what they are, what they hold. */
static inline void fetch_bytes(const void *from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 64) __builtin_prefetch((const char *)from + at);
}

static inline void fetch_body(const struct heddle_retire_record *r) {
  const size_t row = sizeof r->u.write.data;
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_OPERANDS:
  case HEDDLE_RECORD_OPERANDS_MEMORY:
    for (unsigned rest = r->u.operands.used % (1u << HEDDLE_RECORD_ROWS); rest != 0; rest &= rest - 1)
      fetch_bytes(r->u.operands.data[__builtin_ctz(rest)], row);
    break;
  case HEDDLE_RECORD_WRITE:
    fetch_bytes(r->u.write.data, row);
    break;
  case HEDDLE_RECORD_SHARED:
    fetch_bytes(&r->u.shared, sizeof r->u.shared);
    break;
  default:
    fetch_bytes(&r->u, 192);
    break;
  }
}

static bool trace_one(struct heddle_session *s, const struct heddle_retire_record *r) {
  return heddle_dut_core(s->device) != NULL ? core_trace_record(s, r)
                                            : heddle_trace_record(s->trace, r, NULL) == HEDDLE_SUCCESS;
}

/* An access of no SM. */
static bool of_walk(const struct heddle_session *s, const struct heddle_retire_record *r) {
  return r->kind == HEDDLE_RECORD_GLOBAL && r->u.global.id.sm >= heddle_dut_describe(s->device)->sms;
}

/* The device showed its last one in cycle `before`. */
static enum heddle_session_outcome judge_one(struct heddle_session *s, const struct heddle_retire_record *r,
                                             uint64_t before) {
  if (queue_follows(s, r)) {
    const enum heddle_session_outcome o = queue_next(s, before);
    if (o != HEDDLE_SESSION_OK) return o;
  }
  /* Cycle 0 is that of the reset: nothing issues then. */
  if (s->result.first_issue == 0 && r->kind == HEDDLE_RECORD_ISSUE) s->result.first_issue = r->cycle;
  if (s->trace != NULL && !trace_one(s, r)) return session_say(s, HEDDLE_SESSION_FAILED, "the trace cannot be written");
  if (s->checker != NULL && !heddle_checker_record(s->checker, r)) return judge_difference(s);
  if (s->cfg.observe != NULL && !of_walk(s, r)) s->cfg.observe(s->cfg.observe_ctx, s->model, queue_front(s), r);
  return HEDDLE_SESSION_OK;
}

enum heddle_session_outcome judge_records(struct heddle_session *s, const struct heddle_retire_record *r, size_t n) {
  uint64_t before = s->idle_since;
  if (n != 0) s->idle_since = r[n - 1].cycle;
  for (size_t i = 0; i < n; i++) {
    if (i + 2 * AHEAD < n) fetch_bytes(&r[i + 2 * AHEAD], 64);
    if (i + AHEAD < n) fetch_body(&r[i + AHEAD]);
    const enum heddle_session_outcome o = judge_one(s, &r[i], before);
    if (o != HEDDLE_SESSION_OK) return o;
    before = r[i].cycle;
  }
  return HEDDLE_SESSION_OK;
}

/* Judge what the device has shown since the last call. */
enum heddle_session_outcome judge_taken(struct heddle_session *s) {
  size_t n;
  const struct heddle_retire_record *r = heddle_dut_records(s->device, &n);
  s->judged_to = heddle_dut_cycle(s->device);
  if (!stream_file_take(s)) return session_say(s, HEDDLE_SESSION_FAILED, "the stream cannot be written");
  const enum heddle_session_outcome o = judge_records(s, r, n);
  if (o != HEDDLE_SESSION_OK) return o;
  heddle_dut_records_clear(s->device);
  if (s->cfg.classes == NULL) return o;
  const struct heddle_dut_class *c = heddle_dut_classes(s->device, &n);
  s->cfg.classes(s->cfg.observe_ctx, c, n);
  return o;
}

/* What memory holds then the model knows alone: the device may keep it in a cache. */
bool judge_trace_next(struct heddle_session *s, uint64_t cycle) {
  const bool open = s->heddle_trace_open;
  s->heddle_trace_open = false;
  return !open || heddle_trace_launch_end(s->trace, heddle_model_memory(s->model), cycle, NULL) == HEDDLE_SUCCESS;
}

/* Also after a failure: the trace then shows it again. */
bool judge_trace_end(struct heddle_session *s) {
  const bool open = s->heddle_trace_open;
  s->heddle_trace_open = false;
  if (!stream_file_end(s)) return false;
  const uint64_t from = heddle_dut_core(s->device) != NULL ? s->first_cycle : 0;
  return !open ||
         heddle_trace_launch_end(s->trace, s->memory, heddle_dut_cycle(s->device) - from, NULL) == HEDDLE_SUCCESS;
}
