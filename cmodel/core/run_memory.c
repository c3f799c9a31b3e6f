/* SPDX-License-Identifier: Apache-2.0
 *
 * The model alone: one instruction of memory, every access performed at once.
 */
#include <string.h>

#include "cmodel/core/livelock.h"
#include "cmodel/core/marks.h"
#include "cmodel/core/observe.h"
#include "cmodel/core/pages.h"
#include "cmodel/core/run.h"

RARELY enum turn run_without_page(struct heddle_model *m, struct warp *w, enum heddle_status *s) {
  struct flow f;
  return pages_trap(m, w, &f) ? trap_out(m, w, f, w->seq, w->pc, s) : TURN_WAITS;
}

/* What memory_perform did not do: a load brings the marks along. */
static enum turn run_marked_load(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t bad,
                                 uint32_t lanes, const uint64_t addr[HEDDLE_LANES], const struct rows_of *r,
                                 struct mark_rows *marks, enum heddle_status *s) {
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
                            struct mark_rows *marks, enum heddle_status *s) {
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
  if (brings && (*s = marks_open_global(m, w, op, w->seq, w->pc, lanes, addr, marks)) != HEDDLE_OK) return TURN_FAILED;
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
                          enum heddle_status *s) {
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
                                struct mark_rows *marks, enum heddle_status *s) {
  struct watched before;
  const bool writes = watch_before(m, w, op, exec, &before);
  const enum turn t = memory_fast(m, w, op, exec) ? TURN_SPENT : run_access(m, w, op, exec, marks, s);
  if (t != TURN_SPENT) return t;
  if (writes) watch_after(m, w, op, &before);
  return TURN_SPENT;
}

static enum turn set_loaded(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                            const struct mark_rows *marks, enum heddle_status *s) {
  if (!marks_open(m, w)) {
    *s = HEDDLE_NO_MEMORY;
    return TURN_FAILED;
  }
  marks_set(m, w, op->rd, op->rd_words, exec, marks);
  return TURN_SPENT;
}

/* What memory_fast does not do. */
static enum turn run_slow(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                          enum heddle_status *s) {
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
static enum turn done(struct heddle_model *m, struct warp *w, const struct dop *op, enum heddle_status *s) {
  w->pc += op_step(op);
  w->seq++;
  if (m->pages == NULL || !m->pages->stale) return TURN_SPENT;
  *s = pages_settle(m);
  return *s == HEDDLE_OK ? TURN_SPENT : TURN_FAILED;
}

enum turn run_memory(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                     enum heddle_status *s) {
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

enum turn run_marked_memory(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                            enum heddle_status *s) {
  enum turn t = TURN_SPENT;
  struct mark_rows marks;
  marks.any = false;
  *s = op->access == SEM_STORE ? marks_of_store(m, w, op, exec, &marks) : HEDDLE_OK;
  if (*s != HEDDLE_OK) return TURN_FAILED;
  if (!marks.any) return run_memory(m, w, op, exec, s);
  m->watch.on = false; /* the bytes of memory are not all that changes */
  if (observed(m, op)) exec = observe_access(m, w, op, exec);
  if (exec != 0) t = run_access(m, w, op, exec, &marks, s);
  return t == TURN_SPENT ? done(m, w, op, s) : t;
}
