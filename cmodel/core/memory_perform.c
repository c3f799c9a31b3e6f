/* SPDX-License-Identifier: Apache-2.0
 *
 * What performed accesses do: any lanes, any addresses, once they are checked.
 */
#include <stdio.h>

#include "cmodel/core/marks.h"
#include "cmodel/core/memory_part.h"
#include "cmodel/core/parallel.h"

/* False: the lanes lie further apart than 32 bits tell. */
static bool part_place(struct part *t, const struct heddle_model *m, struct warp *w, const struct dop *op,
                       unsigned space, const uint64_t addr[HEDDLE_LANES]) {
  const struct sem_access_rows *rows = m->sem->access;
  window_of(m, w, op, space, &t->v);
  t->on = on_row(w, t->lanes);
  if (space == ISA_SPACE_GLOBAL) {
    const struct sem_span s = rows->span(addr, t->on, addr[lowest_lane(t->lanes)]);
    if (s.max - s.min > UINT32_MAX) return false;
    rows->places(t->at, t->on, addr, s.min);
    t->v.byte += s.min - t->v.base;
    if (t->v.defined != NULL) t->v.defined += s.min - t->v.base;
  } else {
    rows->places(t->at, t->on, addr, 0);
    if (space == ISA_SPACE_LOCAL) rows->interleave(t->at, t->on);
  }
  return true;
}

static void part_store(const struct part *t, const struct heddle_model *m, struct warp *w, const struct dop *op,
                       const struct rows_of *r) {
  const unsigned words = (op->bytes + 3u) / 4;
  uint32_t marks[4][HEDDLE_LANES];
  m->sem->access->store_at[op->size](t->v.byte, t->at, r->b[0], t->lanes, t->v.stride);
  if (t->v.defined == NULL) return;
  for (unsigned k = 0; k < words; k++)
    for (unsigned i = 0; i < HEDDLE_LANES; i++) marks[k][i] = r->marks != NULL ? ~r->marks->bits[k][i] : ~0u;
  m->sem->access->store_at[op->size](t->v.defined, t->at, marks[0], t->lanes, t->v.stride);
  if (t->v.stride == 4) return; /* not local memory */
  for (uint32_t rest = t->lanes; rest != 0; rest &= rest - 1)
    local_touch(w, t->at[lowest_lane(rest)] / t->v.stride + words);
}

void part_keep(const struct part *t, const struct heddle_model *m, size_t at, size_t bytes) {
  const uintptr_t place = (uintptr_t)t->v.byte + at - (uintptr_t)m->memory;
  if (m->queue != NULL) parallel_keep(m->queue, place, bytes);
}

static void keep_lanes(const struct part *t, const struct heddle_model *m, const struct dop *op) {
  if (m->queue == NULL || op->access == SEM_LOAD || op->access == SEM_LOAD_MATRIX) return;
  for (uint32_t rest = t->lanes; rest != 0; rest &= rest - 1) part_keep(t, m, t->at[lowest_lane(rest)], op->bytes);
}

void part_perform(const struct part *t, const struct heddle_model *m, struct warp *w, const struct dop *op,
                  const struct rows_of *r) {
  keep_lanes(t, m, op);
  switch ((enum sem_access)op->access) {
  case SEM_LOAD:
  case SEM_LOAD_MATRIX:
    m->sem->access->load_at[op->size](r->d[0], t->on, t->v.byte, t->at, t->v.stride);
    break;
  case SEM_STORE:
    part_store(t, m, w, op, r);
    break;
  case SEM_ATOM:
  case SEM_RED:
  case SEM_CAS:
    part_atomic(t, op, r, m->queue != NULL && t->v.defined == NULL);
    break;
  case SEM_COPY: /* its halves come one by one */
    break;
  }
}

bool part_unset(const struct part *t, const struct heddle_model *m, const struct dop *op) {
  if (t->v.defined == NULL || op->access == SEM_STORE) return false;
  return m->sem->access->unset_at[op->size](t->on, t->v.defined, t->at, t->v.stride) != 0;
}

static uint32_t part_undefined(struct part *t, const struct heddle_model *m, struct warp *w, const struct dop *op) {
  const uint32_t lanes = t->lanes;
  uint32_t bad = 0;
  if (!part_unset(t, m, op)) return 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    t->lanes = rest & (0u - rest);
    t->on = on_row(w, t->lanes);
    if (part_unset(t, m, op)) bad |= t->lanes;
  }
  return bad;
}

static void perform_space(const struct heddle_model *m, struct warp *w, const struct dop *op, unsigned space,
                          uint32_t lanes, const uint64_t addr[HEDDLE_LANES], const struct rows_of *r) {
  struct part t;
  t.lanes = lanes;
  if (part_place(&t, m, w, op, space, addr)) {
    part_perform(&t, m, w, op, r);
    return;
  }
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    t.lanes = rest & (0u - rest);
    (void)part_place(&t, m, w, op, space, addr);
    part_perform(&t, m, w, op, r);
  }
}

/* All lanes in shared memory, whose places hold for both questions. */
static uint32_t perform_shared(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes,
                               const uint64_t addr[HEDDLE_LANES], const struct rows_of *r) {
  struct part t;
  t.lanes = lanes;
  (void)part_place(&t, m, w, op, ISA_SPACE_SHARED, addr);
  const uint32_t bad = part_undefined(&t, m, w, op);
  if (bad == 0) part_perform(&t, m, w, op, r);
  return bad;
}

static uint32_t global_undefined(const struct heddle_model *m, const struct warp *w, const struct dop *op,
                                 uint32_t lanes, const uint64_t addr[HEDDLE_LANES]) {
  const uint32_t in = op->access == SEM_STORE ? 0 : lanes_in(op, ISA_SPACE_GLOBAL, lanes, addr);
  uint8_t defined[HEDDLE_LANES][16];
  return in != 0 ? marks_in_memory(m, w, op, in, addr, defined) : 0;
}

void memory_load(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes,
                 const uint64_t addr[HEDDLE_LANES], const struct rows_of *r) {
  for (unsigned space = ISA_SPACE_GLOBAL; space <= ISA_SPACE_LOCAL; space++) {
    const uint32_t in = lanes_in(op, space, lanes, addr);
    if (in != 0) perform_space(m, w, op, space, in, addr, r);
  }
}

uint32_t memory_perform(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes,
                        const uint64_t addr[HEDDLE_LANES], const struct rows_of *r) {
  if (op->space == ISA_SPACE_SHARED && lanes != 0) return perform_shared(m, w, op, lanes, addr, r);
  uint32_t bad = m->global_defined != NULL ? global_undefined(m, w, op, lanes, addr) : 0;
  if (op->space == ISA_SPACE_GLOBAL && lanes != 0) {
    if (bad == 0) perform_space(m, w, op, ISA_SPACE_GLOBAL, lanes, addr, r);
    return bad;
  }
  static const uint8_t marked[2] = {ISA_SPACE_SHARED, ISA_SPACE_LOCAL};
  for (unsigned n = 0; n < 2; n++) {
    struct part t;
    t.lanes = lanes_in(op, marked[n], lanes, addr);
    if (t.lanes != 0 && part_place(&t, m, w, op, marked[n], addr)) bad |= part_undefined(&t, m, w, op);
  }
  for (unsigned space = ISA_SPACE_GLOBAL; space <= ISA_SPACE_LOCAL && bad == 0; space++) {
    const uint32_t in = lanes_in(op, space, lanes, addr);
    if (in != 0) perform_space(m, w, op, space, in, addr, r);
  }
  return bad;
}

const char *undefined_bytes(const struct dop *op, uint32_t lanes, const uint64_t addr[HEDDLE_LANES], char *text,
                            size_t room) {
  const uint64_t first = addr[lowest_lane(lanes)];
  const unsigned in = space_of(op, first);
  const char *space = in == ISA_SPACE_LOCAL ? "local" : in == ISA_SPACE_GLOBAL ? "global" : "shared";
  if (op->access == SEM_LOAD_MATRIX) lanes = matrix_receivers(op, lanes);
  snprintf(text, room, "%s bytes at 0x%llx (lanes 0x%08x)", space, (unsigned long long)first, lanes);
  return text;
}
