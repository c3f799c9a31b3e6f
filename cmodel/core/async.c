/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies by instructions, and copies of sectors that a cache takes.
 */
#include <stdlib.h>
#include <string.h>
#include "cmodel/core/marks.h"
#include "cmodel/core/pages.h"

/* Asynchronous copies from global to shared memory (isa/doc/14-asynchronous-copies.md). A copy is two accesses, its
 * halves: a load that writes no register, and a store of what that has read. The model alone does both at the issue; in
 * lockstep each half waits for its own perform (pending.c). */

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

/* Lockstep: copies of sectors of global memory, which a cache between the warps and the point of order takes and reads
 * later. A copy has its bytes and, where memory has marks, those: what is undefined. */

#define SECTOR_BYTES 32u

/* A sector as it was. */
struct copy {
  uint64_t sector;
  bool taken;
  uint8_t byte[SECTOR_BYTES], defined[SECTOR_BYTES]; /* defined: bits of 1 for those that are */
};

enum heddle_error heddle_copies(struct heddle_model *m, unsigned room) {
  struct copy *copy = room == 0 ? NULL : calloc(room, sizeof *copy);
  if (room != 0 && copy == NULL) return model_fail(m, HEDDLE_ERROR_HOST_MEMORY, "no memory for %u copies", room);
  free(m->copy);
  m->copy = copy;
  m->copies = room;
  return HEDDLE_SUCCESS;
}

/* The copy that is there, or NULL. */
static struct copy *find_copy(struct heddle_model *m, unsigned n) {
  return n < m->copies && m->copy[n].taken ? &m->copy[n] : NULL;
}

static bool lies_in_memory(const struct heddle_model *m, uint64_t sector) {
  const uint64_t at = sector * SECTOR_BYTES;
  return sector <= UINT64_MAX / SECTOR_BYTES && at >= m->base && at - m->base <= m->bytes &&
         m->bytes - (at - m->base) >= SECTOR_BYTES;
}

enum heddle_error heddle_copy_take(struct heddle_model *m, unsigned n, uint64_t sector) {
  if (n >= m->copies || m->copy[n].taken)
    return model_fail(m, HEDDLE_ERROR_STATE, "copy %u is one of %u, or taken already", n, m->copies);
  if (!lies_in_memory(m, sector))
    return model_fail(m, HEDDLE_ERROR_STATE, "sector 0x%llx is outside of global memory", (unsigned long long)sector);
  struct copy *c = &m->copy[n];
  const uint64_t at = sector * SECTOR_BYTES - m->base;
  c->taken = true;
  c->sector = sector;
  memcpy(c->byte, m->memory + at, SECTOR_BYTES);
  if (m->global_defined != NULL)
    memcpy(c->defined, m->global_defined + at, SECTOR_BYTES);
  else
    memset(c->defined, 0xff, SECTOR_BYTES);
  return HEDDLE_SUCCESS;
}

enum heddle_error heddle_copy_drop(struct heddle_model *m, unsigned n) {
  struct copy *c = find_copy(m, n);
  if (c == NULL) return model_fail(m, HEDDLE_ERROR_STATE, "copy %u has not been taken", n);
  c->taken = false;
  return HEDDLE_SUCCESS;
}

static void swap_bytes(uint8_t *a, uint8_t *b) {
  uint8_t was[SECTOR_BYTES];
  memcpy(was, a, SECTOR_BYTES);
  memcpy(a, b, SECTOR_BYTES);
  memcpy(b, was, SECTOR_BYTES);
}

/* Memory and the copy change places: what reads then reads the copy, by the rules of memory. */
static void change_places(struct heddle_model *m, struct copy *c) {
  const uint64_t at = c->sector * SECTOR_BYTES - m->base;
  swap_bytes(m->memory + at, c->byte);
  if (m->global_defined != NULL) swap_bytes(m->global_defined + at, c->defined);
}

static bool reads_copy(const struct pending *p, uint32_t lanes, uint64_t sector) {
  if (p->op->access != SEM_LOAD || lanes_in(p->op, ISA_SPACE_GLOBAL, lanes, p->addr) != lanes) return false;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    if (p->addr[lowest_lane(rest)] / SECTOR_BYTES != sector) return false;
  return true;
}

enum heddle_error heddle_perform_copy(struct heddle_model *m, unsigned w, uint32_t seq, uint32_t lanes, unsigned n,
                                      struct heddle_performed *out) {
  struct copy *c = find_copy(m, n);
  if (c == NULL) return model_fail(m, HEDDLE_ERROR_STATE, "copy %u has not been taken", n);
  const struct pending *p = w < m->warp_slots && m->warp[w].used ? pending_find(&m->warp[w], seq, false) : NULL;
  if (p != NULL && !reads_copy(p, lanes & p->lanes, c->sector))
    return model_fail(m, HEDDLE_ERROR_STATE, "warp slot %u seq %u lanes 0x%08x: no load of sector 0x%llx", w, seq,
                      lanes, (unsigned long long)c->sector);
  change_places(m, c);
  const enum heddle_error s = heddle_perform_values(m, w, seq, lanes, out);
  change_places(m, c);
  return s;
}
