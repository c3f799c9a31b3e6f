/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies from global to shared memory (isa/doc/14-asynchronous-copies.md). A copy is two accesses, its
 * halves: a load that writes no register, and a store of what that has read. The model alone does both at the issue; in
 * lockstep each half waits for its own perform (pending.c).
 */
#include <stdlib.h>
#include <string.h>

#include "cmodel/core/marks.h"
#include "cmodel/core/pages.h"

/* The load is what the word says, less the shared address. */
static struct dop load_half(const struct dop *op) {
  struct dop h = *op;
  h.access = SEM_LOAD;
  h.src[1] = (struct dsrc){.row = ROW_DEFINED};
  return h;
}

/* The store goes where operand b says. */
static struct dop store_half(const struct dop *op) {
  struct dop h = *op;
  h.access = SEM_STORE;
  h.space = ISA_SPACE_SHARED;
  h.offset = 0;
  h.src[0] = op->src[1];
  h.src[1] = (struct dsrc){.row = ROW_DEFINED};
  return h;
}

/* In an address space a program may be decoded anew while copies are under way: each half has its place for good. */
bool async_decode(struct heddle_model *m) {
  size_t n = 0;
  for (uint32_t i = 0; i < m->ops; i++) n += m->op[i].kind == DOP_MEMORY && m->op[i].access == SEM_COPY;
  if (m->pages == NULL) {
    free(m->half);
    m->half = NULL;
    if (n == 0) return true;
  }
  if (m->half == NULL) m->half = calloc(2 * (m->pages == NULL ? n : m->ops), sizeof *m->half);
  struct dop *half = m->half;
  if (half == NULL) return false;
  for (uint32_t i = 0; i < m->ops; i++) {
    struct dop *op = &m->op[i];
    if (op->kind != DOP_MEMORY || op->access != SEM_COPY) continue;
    if (m->pages != NULL) half = &m->half[(size_t)2 * i];
    half[0] = load_half(op);
    half[1] = store_half(op);
    op->load = half++;
    op->store = half++;
  }
  return true;
}

struct flow async_check(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                        uint64_t from[HEDDLE_LANES], uint64_t to[HEDDLE_LANES]) {
  memory_addresses(m, w, op->load, exec, from);
  memory_addresses(m, w, op->store, exec, to);
  const struct flow f = memory_check(m, w, op->load, exec, from);
  return f.trap != HEDDLE_TRAP_NONE ? f : memory_check(m, w, op->store, exec, to);
}

struct flow async_run(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  uint64_t from[HEDDLE_LANES], to[HEDDLE_LANES];
  alignas(64) uint32_t rows[4][HEDDLE_LANES];
  struct mark_rows marks;
  const struct flow f = async_check(m, w, op, exec, from, to);
  if (f.trap != HEDDLE_TRAP_NONE) return f;
  if (m->pages != NULL && !pages_translate(m, w, op->load, exec, from)) return f;
  const struct rows_of read = {.d = rows};
  const bool marked = memory_perform(m, w, op->load, exec, from, &read) != 0;
  if (marked) marks_load(m, w, op->load, w->pc, exec, from, &read, &marks);
  const struct rows_of write = {.b = (const uint32_t(*)[HEDDLE_LANES])rows, .marks = marked ? &marks : NULL};
  (void)memory_perform(m, w, op->store, exec, to, &write);
  if (marked) marks_stored(m, w, op->store, exec, to, &marks);
  return f;
}

bool async_issue(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec, const uint64_t *from,
                 const uint64_t *to) {
  struct pending *l = pending_add(m, w, op->load, exec), *s = l != NULL ? pending_add(m, w, op->store, exec) : NULL;
  if (s == NULL) return false;
  memcpy(l->addr, from, sizeof l->addr);
  memcpy(s->addr, to, sizeof s->addr);
  if (m->pages != NULL) pages_unplace(l);
  l->async = s->async = true;
  l->store = s;
  s->held = exec;
  w->n_async += l->dead ? 0 : 2;
  return true;
}

void async_loaded(struct pending *p, uint32_t lanes, const uint32_t (*row)[HEDDLE_LANES],
                  const struct mark_rows *marks) {
  struct pending *s = p->store;
  if (marks != NULL && !s->marked) memset(&s->marks, 0, sizeof s->marks);
  s->marked = s->marked || marks != NULL;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    for (unsigned k = 0; k < p->op->bytes / 4u; k++) {
      s->data[k][i] = row[k][i];
      if (marks != NULL) s->marks.bits[k][i] = marks->bits[k][i];
      if (marks != NULL) s->marks.from[k][i] = marks->from[k][i];
    }
  }
  s->held &= ~lanes;
}
