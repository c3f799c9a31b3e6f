/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses, the spaces they lie in, and their checks.
 */
#include <string.h>

#include "cmodel/core/memory_part.h"
#include "cmodel/core/pages.h"

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
