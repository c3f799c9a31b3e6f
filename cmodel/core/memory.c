/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads, stores and atomics: addresses judged, accesses performed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/core/marks.h"
#include "cmodel/core/memory_part.h"
#include "cmodel/core/pages.h"
#include "cmodel/core/parallel.h"
#include "cmodel/core/state.h"

/* Local memory: a slice for each warp slot, the words of its lanes interleaved,
 * as accesses of all lanes to one local address are the usual ones. */

bool local_allocate(struct heddle_model *m) {
  const size_t bytes = (size_t)m->launch.local_bytes * HEDDLE_LANES;
  for (unsigned i = 0; i < m->warp_slots && bytes != 0; i++) {
    struct warp *w = &m->warp[i];
    w->local = calloc(1, bytes);
    w->local_defined = calloc(1, bytes);
    w->local_words = 0;
    if (w->local == NULL || w->local_defined == NULL) return false;
    if (m->tell == HEDDLE_TELL_NOTHING) memset(w->local_defined, 0xff, bytes);
  }
  return true;
}

void local_free(struct heddle_model *m) {
  for (unsigned i = 0; i < m->warp_slots && m->warp != NULL; i++) {
    free(m->warp[i].local);
    free(m->warp[i].local_defined);
    free(m->warp[i].local_from);
    m->warp[i].local = m->warp[i].local_defined = NULL;
    m->warp[i].local_from = NULL;
    m->warp[i].local_words = 0; /* nothing to clear at the next start */
  }
}

void local_begin(const struct heddle_model *m, struct warp *w) {
  uint8_t *const stale = m->tell == HEDDLE_TELL_NOTHING ? w->local : w->local_defined;
  if (w->local_words != 0) memset(stale, 0, (size_t)w->local_words * 4 * HEDDLE_LANES);
  w->local_words = 0;
  free(w->local_from);
  w->local_from = NULL;
}

/* LDSM: 8x8 matrices of 16-bit elements, a row of sixteen bytes at each of
 * eight lanes' addresses, spread over the warp (isa/doc/10-matrices.md). */

#define SIDE 8u /* rows and columns of a matrix */

uint32_t matrix_lanes(const struct dop *op) {
  return op->matrices * SIDE >= HEDDLE_LANES ? ALL_LANES : (1u << (op->matrices * SIDE)) - 1;
}

/* Plain: lane L receives columns 2 (L mod 4) and the next one of row L / 4, which are one word of that row. */
static void spread_rows(const uint32_t row[4][HEDDLE_LANES], unsigned first, uint32_t d[HEDDLE_LANES]) {
  for (unsigned i = 0; i < HEDDLE_LANES; i++) d[i] = row[i % 4][first + i / 4];
}

/* Transposed: rows 2 (L mod 4) and the next one, column L / 4. */
static void spread_columns(const uint32_t row[4][HEDDLE_LANES], unsigned first, uint32_t d[HEDDLE_LANES]) {
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    const unsigned column = i / 4, r = first + 2 * (i % 4), shift = 16 * (column % 2);
    const uint32_t *word = row[column / 2];
    d[i] = (word[r] >> shift & 0xffff) | word[r + 1] >> shift << 16;
  }
}

void matrix_spread(const struct dop *op, const uint32_t row[4][HEDDLE_LANES], uint32_t (*d)[HEDDLE_LANES]) {
  for (unsigned n = 0; n < op->matrices; n++) (op->transposed ? spread_columns : spread_rows)(row, SIDE * n, d[n]);
}

/* Lanes that receive something from the rows of `lanes`. */
static uint32_t matrix_receivers(const struct dop *op, uint32_t lanes) {
  uint32_t to = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned r = lowest_lane(rest) % SIDE;
    to |= op->transposed ? 0x11111111u << r / 2 : 0xfu << 4 * r;
  }
  return to;
}

/* What performed accesses do: any lanes, any addresses, once they are checked. */

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

/* Addresses, the spaces they lie in, and their checks. */

#define GLOBAL_BITS 40

void memory_addresses(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                      uint64_t addr[HEDDLE_LANES]) {
  const uint32_t *on = on_row(w, exec), *lo = source_row(w, &op->src[0], 0);
  if (op->src[0].words == 2)
    m->sem->access->addresses64(addr, on, lo, source_row(w, &op->src[0], 1), (uint64_t)op->offset);
  else
    m->sem->access->addresses32(addr, on, lo, (uint32_t)op->offset);
}

static uint64_t window_bytes(const struct heddle_model *m, const struct warp *w, const struct dop *op, unsigned space) {
  struct window v;
  window_of(m, w, op, space, &v);
  return v.bytes;
}

unsigned space_of(const struct dop *op, uint64_t addr) {
  if (op->space != ISA_SPACE_GENERIC) return op->space;
  const unsigned top = (unsigned)(addr >> SPACE_SHIFT);
  if (top == 0) return ISA_SPACE_GLOBAL;
  if (top > 2 || (addr >> 32 & 0xffffff) != 0) return 0;
  if (top == 1) return ISA_SPACE_SHARED;
  return op->access == SEM_LOAD || op->access == SEM_STORE ? ISA_SPACE_LOCAL : 0;
}

uint32_t lanes_in(const struct dop *op, unsigned space, uint32_t lanes, const uint64_t addr[HEDDLE_LANES]) {
  if (op->space != ISA_SPACE_GENERIC) return op->space == space ? lanes : 0;
  uint32_t in = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    if (space_of(op, addr[i]) == space) in |= 1u << i;
  }
  return in;
}

static bool inside_range(uint64_t addr, unsigned bytes, uint64_t base, uint64_t limit) {
  return addr >= base && addr <= limit && limit - addr >= bytes;
}

static enum heddle_cause global_cause(const struct heddle_model *m, const struct dop *op, uint64_t addr) {
  if (m->pages != NULL) return addr >> VIRTUAL_BITS != 0 ? HEDDLE_TRAP_OUT_OF_RANGE : HEDDLE_TRAP_NONE;
  if (addr >> GLOBAL_BITS != 0) return HEDDLE_TRAP_OUT_OF_RANGE;
  enum heddle_cause c = HEDDLE_TRAP_OUT_OF_RANGE;
  for (unsigned r = 0; r < m->launch.regions; r++) {
    const struct heddle_region *g = &m->launch.region[r];
    if (!inside_range(addr, op->bytes, g->base, g->limit)) continue;
    if (op->access == SEM_LOAD || g->writable) return HEDDLE_TRAP_NONE;
    c = HEDDLE_TRAP_WRITE_PROTECTED;
  }
  return c;
}

static enum heddle_cause lane_cause(const struct heddle_model *m, const struct warp *w, const struct dop *op,
                                    uint64_t addr) {
  const unsigned space = space_of(op, addr);
  if (addr % op->bytes != 0) return HEDDLE_TRAP_MISALIGNED;
  if (space == 0) return HEDDLE_TRAP_OUT_OF_RANGE;
  if (space == ISA_SPACE_GLOBAL) return global_cause(m, op, addr);
  if (inside_range((uint32_t)addr, op->bytes, 0, window_bytes(m, w, op, space))) return HEDDLE_TRAP_NONE;
  return space == ISA_SPACE_CONST ? HEDDLE_TRAP_CONST_RANGE : HEDDLE_TRAP_OUT_OF_RANGE;
}

/* The usual case in one pass: all addresses aligned, all inside one region, or inside their space. */
static bool all_inside(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                       const uint64_t addr[HEDDLE_LANES]) {
  const struct sem_span s = m->sem->access->span(addr, on_row(w, exec), addr[lowest_lane(exec)]);
  if ((s.bits & (op->bytes - 1u)) != 0 || s.max > UINT64_MAX - op->bytes) return false;
  if (op->space != ISA_SPACE_GLOBAL && op->space != ISA_SPACE_GENERIC)
    return s.max + op->bytes <= window_bytes(m, w, op, op->space);
  if (m->pages != NULL) return s.max >> VIRTUAL_BITS == 0;
  for (unsigned r = 0; r < m->launch.regions; r++) {
    const struct heddle_region *g = &m->launch.region[r];
    if (s.min >= g->base && s.max + op->bytes <= g->limit) return op->access == SEM_LOAD || g->writable;
  }
  return false;
}

struct flow memory_check(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                         const uint64_t addr[HEDDLE_LANES]) {
  struct flow f = {.trap = HEDDLE_TRAP_NONE};
  const uint32_t lanes = op->access == SEM_LOAD_MATRIX ? exec & matrix_lanes(op) : exec;
  if (all_inside(m, w, op, lanes, addr)) return f;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    if ((lanes >> i & 1) == 0) continue;
    const enum heddle_cause c = lane_cause(m, w, op, addr[i]);
    if (c == HEDDLE_TRAP_NONE) continue;
    if (f.lanes == 0) {
      f.trap = c;
      f.addr = addr[i];
    }
    f.lanes |= 1u << i;
  }
  if (f.lanes != 0 && op->always != 0) f.lanes = w->active; /* ULDC: once for the warp */
  return f;
}

/* An access is aligned to its size: it lies in one word, or in whole ones. */
static inline void copy_bytes(const struct window *v, const struct dop *op, const uint8_t *p, uint8_t bytes[16]) {
  if (op->bytes < 4) {
    for (unsigned k = 0; k < op->bytes; k++) bytes[k] = p[k];
    return;
  }
  for (unsigned k = 0; k < op->bytes; k += 4, p += v->stride) memcpy(bytes + k, p, 4);
}

/* Where the bytes of a lane begin in the window of its space. */
static size_t place_of_lane(const struct heddle_model *m, const struct warp *w, const struct dop *op, unsigned lane,
                            uint64_t addr, struct window *v) {
  const unsigned space = space_of(op, addr);
  window_of(m, w, op, space, v);
  const uint64_t low = (uint32_t)addr;
  return space == ISA_SPACE_GLOBAL  ? addr - v->base
         : space == ISA_SPACE_LOCAL ? (low / 4 * HEDDLE_LANES + lane) * 4 + low % 4
                                    : low;
}

size_t memory_place(const struct heddle_model *m, const struct warp *w, const struct dop *op, unsigned lane,
                    uint64_t addr) {
  struct window v;
  return place_of_lane(m, w, op, lane, addr, &v);
}

static void bytes_of_lane(const struct heddle_model *m, const struct warp *w, const struct dop *op, unsigned lane,
                          uint64_t addr, uint8_t bytes[16]) {
  struct window v;
  const size_t at = place_of_lane(m, w, op, lane, addr, &v);
  copy_bytes(&v, op, v.byte + at, bytes);
}

void memory_marks(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t lanes,
                  const uint64_t addr[HEDDLE_LANES], uint8_t (*defined)[16]) {
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    struct window v;
    const size_t at = place_of_lane(m, w, op, i, addr[i], &v);
    if (v.defined != NULL)
      copy_bytes(&v, op, v.defined + at, defined[i]);
    else
      memset(defined[i], 0xff, op->bytes);
  }
}

void memory_bytes(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t lanes,
                  const uint64_t addr[HEDDLE_LANES], uint8_t (*bytes)[16]) {
  struct window v;
  const bool plain = op->space == ISA_SPACE_GLOBAL || op->space == ISA_SPACE_SHARED;
  if (plain) window_of(m, w, op, op->space, &v);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    if (plain)
      copy_bytes(&v, op, v.byte + (addr[i] - v.base), bytes[i]);
    else
      bytes_of_lane(m, w, op, i, addr[i], bytes[i]);
  }
}
