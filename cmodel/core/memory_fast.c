/* SPDX-License-Identifier: Apache-2.0
 *
 * The usual access of the model alone: one pass over the addresses says whether
 * all lanes may do it, and whether they lie side by side or in one place, which
 * makes it a copy of rows. Whatever is unusual is left to memory_check and
 * memory_perform.
 */
#include <string.h>

#include "cmodel/core/memory_part.h"
#include "cmodel/core/pages.h"

/* How the executing lanes lie, if they lie in a line: lane i at `place` + (i - first) * step; step 0: in one place. */
struct line {
  unsigned first, last; /* lowest and highest executing lane */
  uint32_t step;        /* 0 or the size of the access */
  uint32_t place;       /* byte of the window that lane `first` begins at */
};

/* Bounds of the region that the first lane lies in, as places in the memory. False: none that it may use. */
static bool region_bounds(const struct heddle_model *m, const struct dop *op, uint64_t place, struct sem_place *q) {
  for (unsigned r = 0; r < m->launch.regions; r++) {
    const struct heddle_region *g = &m->launch.region[r];
    const uint64_t from = g->base - m->base, size = g->limit - g->base;
    if (place < from || place - from >= size || size < op->bytes) continue;
    if (place > UINT32_MAX || (op->access != SEM_LOAD && !g->writable)) return false;
    const uint64_t room = size - op->bytes, most = UINT32_MAX - from;
    q->from = (uint32_t)from;
    q->room = (uint32_t)(room < most ? room : most);
    return true;
  }
  return false;
}

static inline bool bounds(const struct heddle_model *m, const struct dop *op, const struct window *v, unsigned space,
                          uint64_t place, struct sem_place *q) {
  q->align = op->bytes - 1u;
  if (space == ISA_SPACE_GLOBAL) return (m->base & q->align) == 0 && region_bounds(m, op, place, q);
  q->from = 0;
  q->room = (uint32_t)(v->bytes - op->bytes);
  return v->bytes >= op->bytes;
}

/* Places of all lanes in the window. False: a fault, or what only the general way finds out. */
static inline bool find_places(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                               unsigned space, struct part *t, struct line *n, bool *in_line) {
  const bool wide = op->src[0].words == 2;
  const uint32_t *lo = source_row(w, &op->src[0], 0), *hi = wide ? source_row(w, &op->src[0], 1) : NULL;
  const uint32_t others = exec & (exec - 1);
  n->first = lowest_lane(exec);
  n->last = 31u - (unsigned)__builtin_clz(exec);
  n->step = others != 0 && lo[lowest_lane(others)] != lo[n->first] ? op->bytes : 0;
  struct sem_place q = {.delta = (uint64_t)op->offset - t->v.base, .step = n->step};
  const uint64_t place =
      wide ? (lo[n->first] | (uint64_t)hi[n->first] << 32) + q.delta : (uint32_t)(lo[n->first] + (uint32_t)q.delta);
  if (!bounds(m, op, &t->v, space, place, &q)) return false;
  n->place = (uint32_t)place;
  q.line = n->place - n->first * n->step;
  const uint32_t found =
      wide ? m->sem->access->locate64(t->at, t->on, lo, hi, &q) : m->sem->access->locate32(t->at, t->on, lo, &q);
  *in_line = (found & SEM_OFF_LINE) == 0;
  return (found & SEM_FAULT) == 0;
}

static uint32_t one_value(const struct dop *op, const uint8_t *p, unsigned word) {
  const uint32_t sign = op->size == SEM_S8 ? 0x80u : op->size == SEM_S16 ? 0x8000u : 0;
  uint32_t v = 0;
  for (unsigned k = 0; k < 4 && k < op->bytes; k++) v |= (uint32_t)p[4 * word + k] << (8 * k);
  return (v ^ sign) - sign;
}

/* All lanes in one place: they read the same, and the highest writes. */
static bool one_place(const struct heddle_model *m, struct warp *w, const struct dop *op, struct part *t,
                      const struct line *n, const struct rows_of *r) {
  static const uint64_t marks[2] = {UINT64_MAX, UINT64_MAX};
  if (op->access == SEM_STORE) {
    t->lanes = 1u << n->last;
    part_perform(t, m, w, op, r);
    return true;
  }
  if (t->v.defined != NULL && memcmp(t->v.defined + n->place, marks, op->bytes) != 0) return false;
  for (unsigned k = 0; k < (op->bytes + 3u) / 4; k++)
    m->sem->access->fill(r->d[k], t->on, one_value(op, t->v.byte + n->place, k));
  return true;
}

/* Side by side: a copy of rows, if the whole row lies in the space. A store with gaps must not touch them. */
static bool side_by_side(const struct heddle_model *m, const struct dop *op, const struct part *t, const struct line *n,
                         const struct rows_of *r) {
  const struct sem_access_rows *rows = m->sem->access;
  const uint64_t before = n->first * n->step, row = HEDDLE_LANES * n->step;
  if (n->place < before || n->place - before + row > t->v.bytes) return false;
  const size_t at = (size_t)(n->place - before);
  if (op->access == SEM_STORE) {
    if (t->lanes != ALL_LANES) return false;
    part_keep(t, m, at, (size_t)row);
    rows->store_line[op->size](t->v.byte + at, r->b[0]);
    if (t->v.defined != NULL) memset(t->v.defined + at, 0xff, row);
    return true;
  }
  if (t->v.defined != NULL && rows->unset_line[op->size](t->on, t->v.defined + at) != 0) return false;
  rows->load_line[op->size](r->d[0], t->on, t->v.byte + at);
  return true;
}

/* Words of local memory in one place are rows, since they are interleaved. */
static bool local_rows(const struct heddle_model *m, struct warp *w, const struct dop *op, const struct part *t,
                       const struct line *n, const struct rows_of *r) {
  const struct sem_access_rows *rows = m->sem->access;
  const size_t stride = t->v.stride, at = n->place / 4 * stride;
  const unsigned words = op->bytes / 4u;
  if (words == 0 || n->step != 0 || (op->access == SEM_STORE && t->lanes != ALL_LANES)) return false;
  uint32_t unset = 0;
  for (unsigned k = 0; k < words && op->access == SEM_LOAD; k++)
    unset |= rows->unset_line[SEM_32](t->on, t->v.defined + at + k * stride);
  if (unset != 0) return false;
  for (unsigned k = 0; k < words; k++) {
    if (op->access == SEM_LOAD)
      rows->load_line[SEM_32](r->d[k], t->on, t->v.byte + at + k * stride);
    else
      rows->store_line[SEM_32](t->v.byte + at + k * stride, r->b[k]);
  }
  if (op->access == SEM_LOAD) return true;
  memset(t->v.defined + at, 0xff, words * stride);
  local_touch(w, n->place / 4 + words);
  return true;
}

/* The space of a generic access: all lanes must lie where the first one does. */
static unsigned window_named(const struct warp *w, const struct dop *op, uint32_t exec) {
  const unsigned i = lowest_lane(exec);
  const uint64_t low = source_row(w, &op->src[0], 0)[i], high = source_row(w, &op->src[0], 1)[i];
  return space_of(op, (low | high << 32) + (uint64_t)op->offset);
}

static bool as_line(const struct heddle_model *m, struct warp *w, const struct dop *op, struct part *t,
                    const struct line *n, const struct rows_of *r) {
  if (t->v.stride != 4) return local_rows(m, w, op, t, n, r);
  return n->step == 0 ? one_place(m, w, op, t, n, r) : side_by_side(m, op, t, n, r);
}

bool memory_fast(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  struct part t;
  struct line n;
  bool in_line;
  if (op->access == SEM_LOAD_MATRIX || op->access == SEM_COPY) return false;
  const unsigned space = op->space == ISA_SPACE_GENERIC ? window_named(w, op, exec) : op->space;
  if (space == 0 || !pages_plain(m, op, space)) return false;
  window_of(m, w, op, space, &t.v);
  if (op->space == ISA_SPACE_GENERIC && space != ISA_SPACE_GLOBAL) t.v.base = GENERIC_BASE(space);
  t.lanes = exec;
  t.on = on_row(w, exec);
  if (!find_places(m, w, op, exec, space, &t, &n, &in_line)) return false;
  const struct rows_of r = {(const uint32_t(*)[HEDDLE_LANES])source_row(w, &op->src[1], 0),
                            (const uint32_t(*)[HEDDLE_LANES])source_row(w, &op->src[2], 0), &w->row[op->rd], NULL};
  const bool moves = op->access == SEM_LOAD || op->access == SEM_STORE;
  if (in_line && moves && as_line(m, w, op, &t, &n, &r)) return true;
  if (t.v.stride != 4) m->sem->access->interleave(t.at, t.on);
  if (part_unset(&t, m, op)) return false;
  part_perform(&t, m, w, op, &r);
  return true;
}

void memory_windows(struct heddle_model *m) {
  memset(m->window, 0, sizeof m->window);
  memset(m->near, 0, sizeof m->near);
  for (unsigned r = 0; r < m->launch.regions; r++) {
    const struct heddle_region *g = &m->launch.region[r];
    const uint64_t from = g->base - m->base;
    uint8_t *defined = m->global_defined != NULL ? m->global_defined + from : NULL;
    m->window[r] = (struct sem_window){m->memory + from, defined, g->base, g->limit - g->base};
  }
}
