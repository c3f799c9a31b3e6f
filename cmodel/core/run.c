/* SPDX-License-Identifier: Apache-2.0
 *
 * The model alone: its own schedule, every access performed at once.
 */
#include "run.h"

#include <string.h>

#include <heddle/debug.h>
#include "base/number.h"
#include "cmodel/core/execute.h"
#include "cmodel/core/livelock.h"
#include "cmodel/core/marks.h"
#include "cmodel/core/observe.h"
#include "cmodel/core/pages.h"
#include "cmodel/core/parallel.h"
#include "cmodel/core/straight.h"

static enum turn trap_out(struct heddle_model *m, const struct warp *w, struct flow f, uint32_t seq, uint32_t pc,
                          enum heddle_error *s) {
  trap_record(m, w, f, seq, pc);
  *s = HEDDLE_ERROR_TRAPPED;
  return TURN_FAILED;
}

/* One memory instruction. */

RARELY enum turn run_without_page(struct heddle_model *m, struct warp *w, enum heddle_error *s) {
  struct flow f;
  return pages_trap(m, w, &f) ? trap_out(m, w, f, w->seq, w->pc, s) : TURN_WAITS;
}

/* What memory_perform did not do: a load brings the marks along. */
static enum turn run_marked_load(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t bad,
                                 uint32_t lanes, const uint64_t addr[HEDDLE_LANES], const struct rows_of *r,
                                 struct mark_rows *marks, enum heddle_error *s) {
  if (op->access == SEM_LOAD || op->access == SEM_LOAD_MATRIX) {
    marks_load(m, w, op, w->pc, lanes, addr, r, marks);
    return TURN_SPENT;
  }
  *s = marks_tell_bytes(m, w, op, w->seq, w->pc, bad, addr);
  return TURN_FAILED;
}

/* Any addresses, one lane after the other where it must be. `marks`: of the data of a store, or nothing; then of what
 * a load has read. */
static enum turn run_access(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                            struct mark_rows *marks, enum heddle_error *s) {
  uint64_t addr[HEDDLE_LANES];
  alignas(64) uint32_t rows[4][HEDDLE_LANES];
  const bool matrix = op->access == SEM_LOAD_MATRIX;
  memory_addresses(m, w, op, exec, addr);
  const struct flow f = memory_check(m, w, op, exec, addr);
  if (f.trap != HEDDLE_TRAP_NONE) return trap_out(m, w, f, w->seq, w->pc, s);
  if (m->pages != NULL && !pages_translate(m, w, op, exec, addr)) return run_without_page(m, w, s);
  const struct rows_of r = {(const uint32_t(*)[HEDDLE_LANES])source_row(w, &op->src[1], 0),
                            (const uint32_t(*)[HEDDLE_LANES])source_row(w, &op->src[2], 0),
                            matrix ? rows : &w->row[op->rd], marks->any ? marks : NULL};
  const uint32_t lanes = matrix ? matrix_lanes(op) : exec;
  const bool brings = marks->any;
  if (brings && (*s = marks_open_global(m, w, op, w->seq, w->pc, lanes, addr, marks)) != HEDDLE_SUCCESS)
    return TURN_FAILED;
  const uint32_t bad = memory_perform(m, w, op, lanes, addr, &r);
  if (bad != 0 && run_marked_load(m, w, op, bad, lanes, addr, &r, marks, s) == TURN_FAILED) return TURN_FAILED;
  if (brings) marks_stored(m, w, op, lanes, addr, marks);
  if (matrix) matrix_spread(op, (const uint32_t(*)[HEDDLE_LANES])rows, &w->row[op->rd]);
  if (matrix && marks->any) {
    const struct mark_rows read = *marks;
    marks_spread(op, &read, marks);
  }
  return TURN_SPENT;
}

/* While the machine is suspected of repeating itself, a copy is watched as its store is. */
static enum turn run_copy(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                          enum heddle_error *s) {
  struct watched before;
  const bool writes = m->watch.on && watch_before(m, w, op->store, exec, &before);
  w->wait.met = false;
  const struct flow f = async_run(m, w, op, exec);
  if (f.trap != HEDDLE_TRAP_NONE) return trap_out(m, w, f, w->seq, w->pc, s);
  if (w->wait.met) return run_without_page(m, w, s);
  if (writes) watch_after(m, w, op->store, &before);
  return TURN_SPENT;
}

/* While the machine is suspected of repeating itself: does the access change a byte? */
static enum turn watched_access(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                                struct mark_rows *marks, enum heddle_error *s) {
  struct watched before;
  const bool writes = watch_before(m, w, op, exec, &before);
  const enum turn t = memory_fast(m, w, op, exec) ? TURN_SPENT : run_access(m, w, op, exec, marks, s);
  if (t != TURN_SPENT) return t;
  if (writes) watch_after(m, w, op, &before);
  return TURN_SPENT;
}

static enum turn set_loaded(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                            const struct mark_rows *marks, enum heddle_error *s) {
  if (!marks_open(m, w)) {
    *s = HEDDLE_ERROR_HOST_MEMORY;
    return TURN_FAILED;
  }
  marks_set(m, w, op->rd, op->rd_words, exec, marks);
  return TURN_SPENT;
}

/* What memory_fast does not do. */
static enum turn run_slow(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                          enum heddle_error *s) {
  struct mark_rows marks;
  if (op->access == SEM_COPY) return run_copy(m, w, op, exec, s);
  marks.any = false; /* else its rows count */
  const enum turn t = m->watch.on ? watched_access(m, w, op, exec, &marks, s) : run_access(m, w, op, exec, &marks, s);
  if (t != TURN_SPENT) return t;
  for (unsigned i = 0; i < op->rd_words; i++) w->defined[op->rd + i] |= exec;
  if (!marks.any) return TURN_SPENT;
  return set_loaded(m, w, op, exec, &marks, s);
}

/* The warp goes on behind the instruction. A store to a table counts from now on. */
static enum turn done(struct heddle_model *m, struct warp *w, const struct dop *op, enum heddle_error *s) {
  w->pc += op_step(op);
  w->seq++;
  if (m->pages == NULL || !m->pages->stale) return TURN_SPENT;
  *s = pages_settle(m);
  return *s == HEDDLE_SUCCESS ? TURN_SPENT : TURN_FAILED;
}

/* ---- run.c */
static enum turn run_memory(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                            enum heddle_error *s) {
  enum turn t = TURN_SPENT;
  if (exec != 0 && observed(m, op)) exec = observe_access(m, w, op, exec);
  if (exec != 0) {
    const struct flow f = whole_warp_trap(op, exec);
    if (f.trap != HEDDLE_TRAP_NONE) return trap_out(m, w, f, w->seq, w->pc, s);
    if (__builtin_expect(!m->watch.on, 1) && memory_fast(m, w, op, exec))
      for (unsigned i = 0; i < op->rd_words; i++) w->defined[op->rd + i] |= exec;
    else
      t = run_slow(m, w, op, exec, s);
  }
  return t == TURN_SPENT ? done(m, w, op, s) : t;
}

/* With undefined sources, none of which decides. */
static enum turn run_marked_memory(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                                   enum heddle_error *s) {
  enum turn t = TURN_SPENT;
  struct mark_rows marks;
  marks.any = false;
  *s = op->access == SEM_STORE ? marks_of_store(m, w, op, exec, &marks) : HEDDLE_SUCCESS;
  if (*s != HEDDLE_SUCCESS) return TURN_FAILED;
  if (!marks.any) return run_memory(m, w, op, exec, s);
  m->watch.on = false; /* the bytes of memory are not all that changes */
  if (observed(m, op)) exec = observe_access(m, w, op, exec);
  if (exec != 0) t = run_access(m, w, op, exec, &marks, s);
  return t == TURN_SPENT ? done(m, w, op, s) : t;
}

/* The schedule. */

#define QUANTUM 512 /* warp instructions before the next warp has its turn */

/* Sources are undefined, the guard is not. But a trap at issue comes before what its sources lack. */
RARELY static enum turn run_marked(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                                   struct sem_io *io, enum heddle_error *s) {
  const struct flow f = whole_warp_trap(op, exec);
  if (f.trap != HEDDLE_TRAP_NONE) return trap_out(m, w, f, w->seq, w->pc, s);
  *s = marks_uses(m, w, op, exec);
  if (*s != HEDDLE_SUCCESS) return TURN_FAILED;
  if (op->kind == DOP_MEMORY) return run_marked_memory(m, w, op, exec, s);
  *s = marks_row(m, w, op, exec, io, NULL);
  if (*s != HEDDLE_SUCCESS) return TURN_FAILED;
  w->pc += op_step(op);
  w->seq++;
  return TURN_SPENT;
}

static enum turn run_rare(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                          struct sem_io *io, enum heddle_error *s) {
  const struct flow f = whole_warp_trap(op, exec);
  if (f.trap != HEDDLE_TRAP_NONE) return trap_out(m, w, f, w->seq, w->pc, s);
  if (op->preds_read != 0 && marks_in_predicates(w, op, exec)) return run_marked(m, w, op, exec, io, s);
  if (exec != 0) row_execute(m, w, op, exec, io);
  w->pc += op_step(op);
  w->seq++;
  return TURN_SPENT;
}

static enum turn run_control(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                             enum heddle_error *s) {
  const uint32_t seq = w->seq, pc = w->pc;
  const bool tells = m->observer.size != 0;
  const uint32_t before = tells ? observe_control(m, w, op, exec) : 0;
  const struct flow f = control_execute(m, w, op, exec);
  if (tells && f.trap == HEDDLE_TRAP_NONE) observe_controlled(m, w, pc, before);
  if (f.trap != HEDDLE_TRAP_NONE) return trap_out(m, w, f, seq, pc, s);
  const bool arrived = op->control == SEM_BAR_ARV; /* it may have completed the barrier */
  return w->waiting || w->ended || arrived ? TURN_BLOCKED : TURN_SPENT;
}

static enum turn run_bad(struct heddle_model *m, struct warp *w, enum heddle_error *s) {
  if (m->pages != NULL && pages_word_lacks(m, w)) return run_without_page(m, w, s);
  return trap_out(m, w, decode_trap(m, w), w->seq, w->pc, s);
}

/* The guard is undefined in some lane. */
RARELY static enum turn run_lost(struct heddle_model *m, struct warp *w, const struct dop *op, enum heddle_error *s) {
  *s = marks_guard(m, w, op);
  return TURN_FAILED;
}

/* Straight code from instruction i on; how many instructions, at most `limit`. */
static inline unsigned straight_turn(struct heddle_model *m, struct warp *w, uint32_t i, uint64_t limit,
                                     struct sem_io *io) {
  const uint32_t k = line_at(m, i);
  const struct straight *line = &m->straight[k];
  if (line->length == 0) return 0;
  const uint64_t n = line->length < limit ? line->length : limit;
  const unsigned done = straight_run(m, w, line, (unsigned)n, io);
  w->pc += straight_bytes(m, k, done);
  w->seq += done;
  if (done != 0) note_issued(m, k, done);
  return done;
}

/* Any instruction. */
static enum turn run_one(struct heddle_model *m, struct warp *w, const struct dop *op, struct sem_io *io,
                         enum heddle_error *s) {
  if (__builtin_expect(op->kind >= DOP_ILLEGAL, 0)) return run_bad(m, w, s);
  const uint32_t exec = guard_lanes(w, op), lost = issue_lanes(w, op) & ~w->pred_defined[op->guard];
  if (__builtin_expect(lost != 0, 0)) return run_lost(m, w, op, s);
  if (__builtin_expect(!sources_defined(w, op, exec), 0)) return run_marked(m, w, op, exec, io, s);
  if (op->kind == DOP_CONTROL) return run_control(m, w, op, exec, s);
  return op->kind == DOP_MEMORY ? run_memory(m, w, op, exec, s) : run_rare(m, w, op, exec, io, s);
}

/* An observer lets an instruction happen that uses what nobody has written. */
RARELY static bool goes_on(struct heddle_model *m, struct warp *w, const struct dop *op, enum heddle_error *s) {
  if (m->observer.size == 0 || !observe_undefined(m, w, op)) return false;
  *s = HEDDLE_SUCCESS;
  m->diag[0] = '\0';
  return true;
}

/* Instructions of one warp until there have been `least`, but for the end of straight code; at most `limit`. */
static enum turn run_warp(struct heddle_model *m, struct warp *w, uint64_t least, uint64_t limit, uint64_t *done,
                          enum heddle_error *s) {
  struct sem_io io = {0};
  enum turn t = TURN_SPENT;
  uint64_t n = 0;
  while (n < least && t == TURN_SPENT) {
    const uint32_t i = op_index(w->pc);
    unsigned run = 0;
    if (__builtin_expect(i >= m->ops, 0))
      t = run_bad(m, w, s);
    else
      run = straight_turn(m, w, i, limit - n, &io);
    if (run == 0 && t == TURN_SPENT) {
      t = run_one(m, w, &m->op[i], &io, s);
      run = t != TURN_FAILED && t != TURN_WAITS;
      if (run != 0) note_issued(m, line_at(m, i), 1);
      if (run == 0 && *s == HEDDLE_ERROR_UNDEFINED && goes_on(m, w, &m->op[i], s)) t = TURN_SPENT;
    }
    n += run;
  }
  clock_look(w);
  *done = n;
  return t;
}

/* Barriers that somebody's arrival or end has completed. */
static void release_barriers(struct heddle_model *m, struct block *b) {
  for (unsigned id = 0; id < BARRIERS; id++)
    if (barrier_complete(b, id)) barrier_release(m, b, id);
}

/* The number of the next block; false when there is none. */
static bool take_block(struct heddle_model *m, uint64_t *n) {
  if (m->queue == NULL) {
    *n = m->now.blocks_started;
    return *n < m->grid_blocks;
  }
  if (atomic_load_explicit(&m->queue->stop, memory_order_relaxed)) return false;
  *n = atomic_fetch_add_explicit(&m->queue->next, 1, memory_order_relaxed);
  return *n < m->queue->blocks;
}

/* Free slots of the k-th SM for a block of `warps` warps. */
static bool find_room(const struct heddle_model *m, unsigned k, unsigned warps, unsigned *bslot, uint8_t *slot) {
  const unsigned blocks = sm_block_slots(m), slots = sm_warp_slots(m);
  const struct block *b = m->block + (size_t)k * blocks;
  const struct warp *w = m->warp + (size_t)k * slots;
  unsigned found = 0;
  *bslot = 0;
  while (*bslot < blocks && b[*bslot].used) ++*bslot;
  for (unsigned i = 0; i < slots && found < warps; i++)
    if (!w[i].used) slot[found++] = (uint8_t)i;
  return *bslot < blocks && found == warps;
}

/* The next block of the grid, when slots are free for it; SMs are asked in turns. */
static enum heddle_error start_next(struct heddle_model *m, bool *started) {
  const struct heddle_launch *l = &m->launch;
  const uint32_t threads = l->block[0] * l->block[1] * l->block[2], warps = (threads + HEDDLE_LANES - 1) / HEDDLE_LANES;
  uint8_t slot[32];
  unsigned bslot = 0, k = m->now.next_sm, asked = 0;
  *started = false;
  for (; asked < m->shown && !find_room(m, k, warps, &bslot, slot); asked++) k = (k + 1) % m->shown;
  uint64_t n;
  if (asked == m->shown || !take_block(m, &n)) return HEDDLE_SUCCESS;
  m->now.next_sm = (k + 1) % m->shown;
  const uint64_t layer = (uint64_t)l->grid[0] * l->grid[1];
  const uint32_t id[3] = {(uint32_t)(n % l->grid[0]), (uint32_t)(n / l->grid[0] % l->grid[1]), (uint32_t)(n / layer)};
  *started = true;
  return heddle_block_start_on(m, k, bslot, id, slot, warps);
}

/* One turn for each warp of the block. *moved: somebody issued. */
static enum heddle_error run_block_turn(struct heddle_model *m, struct block *b, uint64_t limit, uint64_t *retired,
                                        bool *moved) {
  enum heddle_error s = HEDDLE_SUCCESS;
  for (unsigned i = 0; i < b->warps; i++) {
    struct warp *w = &m->warp[b->slot_of[i]];
    if (w->ended || w->waiting || w->wait.waits) continue;
    const uint64_t room = limit - *retired;
    if (room == 0)
      return fail_with_warps(m, HEDDLE_ERROR_LIMIT, "run", "limit of %llu warp instructions reached",
                             (unsigned long long)limit);
    uint64_t done = 0;
    const enum turn t = run_warp(m, w, room < QUANTUM ? room : QUANTUM, room, &done, &s);
    *retired += done;
    *moved = *moved || done != 0 || t != TURN_WAITS;
    if (t == TURN_FAILED) return s;
    if (t == TURN_BLOCKED) release_barriers(m, b);
  }
  if (b->ended == b->warps) block_retire(m, b);
  return s;
}

static enum heddle_error nobody_moves(struct heddle_model *m) {
  if (m->pages != NULL && pages_waited_for(m)) return pages_faults(m);
  return fail_with_warps(m, HEDDLE_ERROR_LIMIT, "run", "deadlock: no warp can go on; all wait at barriers");
}

enum heddle_error run_blocks(struct heddle_model *m, uint64_t limit, uint64_t pause, uint64_t *retired) {
  enum heddle_error s = HEDDLE_SUCCESS;
  bool more = true; /* blocks run, or one has just begun */
  if (!m->now.paused) watch_begin(m);
  m->now.paused = false;
  while (s == HEDDLE_SUCCESS && more) {
    bool moved = false, started = true, resident = false;
    while (s == HEDDLE_SUCCESS && started) s = start_next(m, &started);
    for (unsigned i = 0; s == HEDDLE_SUCCESS && i < m->block_slots; i++) {
      if (!m->block[i].used) continue;
      resident = true;
      s = run_block_turn(m, &m->block[i], limit, retired, &moved);
    }
    more = resident;
    if (s == HEDDLE_SUCCESS && resident && !moved) s = nobody_moves(m);
    if (s == HEDDLE_SUCCESS) s = deadlock_watch(m, *retired);
    if (s == HEDDLE_SUCCESS && !resident && m->queue == NULL && m->now.blocks_ended != m->grid_blocks)
      s = model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "a block needs more warp slots than the model has");
    m->now.paused = s == HEDDLE_SUCCESS && more && *retired >= pause;
    if (m->now.paused) return HEDDLE_ERROR_NOT_READY;
  }
  watch_end(m);
  return s;
}

static enum heddle_error run_begin(struct heddle_model *m) {
  const bool rest = m->now.by_steps && !heddle_grid_done(m);
  if (!m->launched || !(m->now.blocks_started == 0 || rest || m->now.waits || m->now.paused))
    return model_fail(m, HEDDLE_ERROR_STATE, "run needs a fresh launch");
  return m->now.paused ? HEDDLE_SUCCESS : pages_begin(m);
}

static enum heddle_error run_alone(struct heddle_model *m, uint64_t max_warp_insns, uint64_t *retired) {
  uint64_t count = 0;
  const uint64_t limit = max_warp_insns == 0 ? UINT64_MAX : max_warp_insns;
  enum heddle_error s = run_begin(m);
  if (s != HEDDLE_SUCCESS) return s;
  watch_end(m); /* of what was paused: its numbers are others */
  m->now.paused = false;
  if (m->now.blocks_started != 0 || !parallel_run(m, limit, &count)) {
    count = 0;
    s = run_blocks(m, limit, UINT64_MAX, &count);
  }
  if (s == HEDDLE_SUCCESS) s = marks_at_end(m);
  if (retired != NULL) *retired = count;
  return s;
}

static uint64_t sum_saturated(uint64_t a, uint64_t b) {
  return a <= UINT64_MAX - b ? a + b : UINT64_MAX;
}

static enum heddle_error go_on(struct heddle_model *m, uint64_t max_warp_insns, uint64_t cycles, uint64_t *retired) {
  struct progress *now = &m->now;
  const uint64_t limit = max_warp_insns == 0 ? UINT64_MAX : max_warp_insns;
  enum heddle_error s = HEDDLE_ERROR_NOT_READY;
  now->passed = sum_saturated(now->passed, cycles);
  if (!now->paused || now->retired <= now->passed) {
    s = run_begin(m);
    const uint64_t ahead = sum_saturated(now->retired, HEDDLE_MODEL_AHEAD),
                   pause = ahead > now->passed ? ahead : now->passed;
    if (s == HEDDLE_SUCCESS) s = run_blocks(m, limit, pause, &now->retired);
    if (s == HEDDLE_SUCCESS) s = marks_at_end(m);
  }
  if (retired != NULL) *retired = now->retired;
  return s;
}

const char *heddle_model_live(struct heddle_model *m) {
  (void)fail_with_warps(m, HEDDLE_ERROR_NOT_READY, "run", "%llu warp instructions so far",
                        (unsigned long long)m->now.retired);
  return m->diag;
}

enum heddle_error heddle_model_run(struct heddle_model *m, uint64_t max_warp_insns, uint64_t *retired) {
  const number_unit host = number_unit_begin();
  const enum heddle_error s = run_alone(m, max_warp_insns, retired);
  number_unit_end(host);
  return s;
}

enum heddle_error heddle_model_go_on(struct heddle_model *m, uint64_t max_warp_insns, uint64_t cycles,
                                     uint64_t *retired) {
  const number_unit host = number_unit_begin();
  const enum heddle_error s = go_on(m, max_warp_insns, cycles, retired);
  number_unit_end(host);
  return s;
}

/* ---- by hand ---- */

static enum heddle_error start_next_blocks(struct heddle_model *m) {
  enum heddle_error s = HEDDLE_SUCCESS;
  for (bool started = true; s == HEDDLE_SUCCESS && started;) s = start_next(m, &started);
  return s;
}

enum heddle_error heddle_model_begin(struct heddle_model *m) {
  if (!m->launched || m->now.blocks_started != 0) return model_fail(m, HEDDLE_ERROR_STATE, "steps need a fresh launch");
  m->now.by_steps = true;
  const enum heddle_error s = start_next_blocks(m);
  if (s == HEDDLE_SUCCESS && m->now.blocks_started == 0)
    return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "a block needs more warp slots than the model has");
  return s;
}

static enum heddle_error step_slot(struct heddle_model *m, unsigned slot, uint64_t limit, uint64_t *done) {
  struct warp *w = slot < m->warp_slots ? &m->warp[slot] : NULL;
  *done = 0;
  if (!m->now.by_steps || w == NULL || !w->used || w->ended || w->waiting)
    return model_fail(m, HEDDLE_ERROR_STATE, "step: no warp in slot %u that can go on", slot);
  struct block *b = w->block;
  enum heddle_error s = pages_begin(m);
  if (s != HEDDLE_SUCCESS) return s;
  const enum turn t = run_warp(m, w, limit, limit, done, &s);
  if (t == TURN_FAILED) return s;
  if (t == TURN_WAITS) return pages_faults(m);
  if (t == TURN_BLOCKED) release_barriers(m, b);
  if (b->ended != b->warps) return s;
  block_retire(m, b);
  return start_next_blocks(m);
}

enum heddle_error heddle_model_step(struct heddle_model *m, unsigned slot, uint64_t limit, uint64_t *done) {
  const number_unit host = number_unit_begin();
  const enum heddle_error s = step_slot(m, slot, limit, done);
  number_unit_end(host);
  return s;
}
