/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses, their checks, and what a performed access does.
 */
#include <string.h>

#include "state.h"

#define GLOBAL_BITS 40

void memory_addresses(const struct warp *w, const struct dop *op, uint32_t exec, uint64_t addr[HEDDLE_LANES]) {
  const uint32_t *lo = source_row(w, &op->src[0], 0);
  if (op->space == SEM_GLOBAL) {
    const uint32_t *hi = source_row(w, &op->src[0], 1);
    for (unsigned i = 0; i < HEDDLE_LANES; i++) {
      const uint64_t sum = (lo[i] | (uint64_t)hi[i] << 32) + (uint64_t)op->offset;
      addr[i] = (exec >> i & 1) != 0 ? sum : 0;
    }
  } else {
    const uint32_t offset = (uint32_t)op->offset;
    for (unsigned i = 0; i < HEDDLE_LANES; i++) addr[i] = (exec >> i & 1) != 0 ? lo[i] + offset : 0;
  }
}

static bool inside(uint64_t addr, unsigned bytes, uint64_t base, uint64_t limit) {
  return addr >= base && addr <= limit && limit - addr >= bytes;
}

static enum heddle_cause global_cause(const struct heddle_model *m, const struct dop *op, uint64_t addr) {
  if (addr >> GLOBAL_BITS != 0) return HEDDLE_TRAP_OUT_OF_RANGE;
  enum heddle_cause c = HEDDLE_TRAP_OUT_OF_RANGE;
  for (unsigned r = 0; r < m->launch.regions; r++) {
    const struct heddle_region *g = &m->launch.region[r];
    if (!inside(addr, op->bytes, g->base, g->limit)) continue;
    if (op->access == SEM_LOAD || g->writable) return HEDDLE_TRAP_NONE;
    c = HEDDLE_TRAP_WRITE_PROTECTED;
  }
  return c;
}

static enum heddle_cause lane_cause(const struct heddle_model *m, const struct dop *op, uint64_t addr) {
  if (addr % op->bytes != 0) return HEDDLE_TRAP_MISALIGNED;
  if (op->space == SEM_GLOBAL) return global_cause(m, op, addr);
  if (op->space == SEM_SHARED)
    return inside(addr, op->bytes, 0, m->launch.shared_bytes) ? HEDDLE_TRAP_NONE : HEDDLE_TRAP_OUT_OF_RANGE;
  const uint64_t size = op->bank < BANKS ? m->launch.cbank_bytes[op->bank] : 0;
  return inside(addr, op->bytes, 0, size) ? HEDDLE_TRAP_NONE : HEDDLE_TRAP_CONST_RANGE;
}

/* The usual case in one pass: all addresses aligned, all inside one region. */
static bool all_inside(const struct heddle_model *m, const struct dop *op, uint32_t exec,
                       const uint64_t addr[HEDDLE_LANES]) {
  const uint64_t first = addr[lowest_lane(exec)];
  uint64_t low = 0, min = first, max = first;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    const uint64_t a = (exec >> i & 1) != 0 ? addr[i] : first;
    low |= a;
    min = a < min ? a : min;
    max = a > max ? a : max;
  }
  if ((low & (op->bytes - 1u)) != 0 || max > UINT64_MAX - op->bytes) return false;
  if (op->space == SEM_SHARED) return max + op->bytes <= m->launch.shared_bytes;
  if (op->space == SEM_CONST) return false;
  for (unsigned r = 0; r < m->launch.regions; r++) {
    const struct heddle_region *g = &m->launch.region[r];
    if (min >= g->base && max + op->bytes <= g->limit) return op->access == SEM_LOAD || g->writable;
  }
  return false;
}

struct flow memory_check(const struct heddle_model *m, const struct dop *op, uint32_t exec,
                         const uint64_t addr[HEDDLE_LANES]) {
  struct flow f = {HEDDLE_TRAP_NONE, 0, 0};
  if (all_inside(m, op, exec, addr)) return f;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    if ((exec >> i & 1) == 0) continue;
    const enum heddle_cause c = lane_cause(m, op, addr[i]);
    if (c == HEDDLE_TRAP_NONE) continue;
    if (f.lanes == 0) {
      f.trap = c;
      f.addr = addr[i];
    }
    f.lanes |= 1u << i;
  }
  return f;
}

static uint32_t get32(const uint8_t *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put32(uint8_t *p, uint32_t v) {
  for (unsigned i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (8 * i));
}

static uint32_t load_narrow(const struct dop *op, const uint8_t *p) {
  const uint32_t v = op->bytes == 1 ? p[0] : p[0] | (uint32_t)p[1] << 8;
  const uint32_t sign = op->sign_extend ? (op->bytes == 1 ? 0x80u : 0x8000u) : 0;
  return (v ^ sign) - sign;
}

static uint32_t undefined_shared(const struct block *b, const struct dop *op, uint32_t lanes,
                                 const uint64_t addr[HEDDLE_LANES]) {
  static const uint8_t all[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  uint32_t bad = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    if ((lanes >> i & 1) == 0) continue;
    const uint8_t *p = b->shared_defined + addr[i];
    const bool defined = op->bytes == 4 ? get32(p) == 0x01010101u : memcmp(p, all, op->bytes) == 0;
    if (!defined) bad |= 1u << i;
  }
  return bad;
}

/* The bytes of a space, and the address of the first. */
struct window {
  uint8_t *byte;
  uint64_t base;
};

static struct window window_of(const struct heddle_model *m, const struct block *b, const struct dop *op) {
  if (op->space == SEM_GLOBAL) return (struct window){m->memory, m->base};
  return (struct window){op->space == SEM_SHARED ? b->shared : m->bank[op->bank], 0};
}

uint8_t *memory_at(const struct heddle_model *m, const struct block *b, const struct dop *op, uint64_t addr) {
  const struct window v = window_of(m, b, op);
  return v.byte + (addr - v.base);
}

static void load_lane(const struct dop *op, const uint8_t *p, unsigned lane, uint32_t (*row)[HEDDLE_LANES]) {
  if (op->bytes < 4) row[0][lane] = load_narrow(op, p);
  for (unsigned k = 0; k < op->bytes / 4u; k++) row[k][lane] = get32(p + (size_t)4 * k);
}

static void store_lane(const struct dop *op, uint8_t *p, unsigned lane, const uint32_t (*data)[HEDDLE_LANES]) {
  for (unsigned k = 0; op->bytes < 4 && k < op->bytes; k++) p[k] = (uint8_t)(data[0][lane] >> (8 * k));
  for (unsigned k = 0; k < op->bytes / 4u; k++) put32(p + (size_t)4 * k, data[k][lane]);
}

static void atomic_lane(uint8_t *p, unsigned lane, const uint32_t (*data)[HEDDLE_LANES],
                        uint32_t (*row)[HEDDLE_LANES]) {
  const uint32_t old = get32(p);
  put32(p, old + data[0][lane]);
  row[0][lane] = old;
}

uint32_t memory_perform(const struct heddle_model *m, struct block *b, const struct dop *op, uint32_t lanes,
                        const uint64_t addr[HEDDLE_LANES], const uint32_t (*data)[HEDDLE_LANES],
                        uint32_t (*row)[HEDDLE_LANES]) {
  const struct window v = window_of(m, b, op);
  const bool shared = op->space == SEM_SHARED;
  const uint32_t bad = shared && op->access != SEM_STORE ? undefined_shared(b, op, lanes, addr) : 0;
  if (bad != 0) return bad;
  /* Ascending: of lanes that store the same byte the highest stays, and atomics take their turns. */
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    uint8_t *p = v.byte + (addr[i] - v.base);
    if (op->access == SEM_LOAD)
      load_lane(op, p, i, row);
    else if (op->access == SEM_STORE)
      store_lane(op, p, i, data);
    else
      atomic_lane(p, i, data, row);
    if (shared && op->access == SEM_STORE) memset(b->shared_defined + addr[i], 1, op->bytes);
  }
  return 0;
}
