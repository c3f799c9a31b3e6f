/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks of memory: loads and stores that carry them, global memory, and what the host would read.
 */
#include <stdlib.h>
#include <string.h>

#include "cmodel/core/marks.h"

/* ---- global memory */

/* Who brought them, to name a line when some are left: the first store of each program counter, and where it went. */
static void note_store(struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t seq, uint32_t pc,
                       uint32_t lanes, const uint64_t addr[HEDDLE_LANES]) {
  struct mark_store *s = m->now.mark_store, *end = s + m->now.mark_stores;
  while (s < end && s->from.pc != pc) s++;
  if (s == end) {
    if (m->now.mark_stores == MARK_STORES) return;
    m->now.mark_stores++;
    *s = (struct mark_store){.lowest = UINT64_MAX, .from = {.warp_in_block = w->index, .seq = seq, .pc = pc}};
    s->from.lanes = lanes;
    memcpy(s->from.ctaid, w->block->ctaid, sizeof s->from.ctaid);
  }
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint64_t a = addr[lowest_lane(rest)];
    if (a < s->lowest) s->lowest = a;
    if (a + op->bytes > s->highest) s->highest = a + op->bytes;
  }
}

static enum heddle_status make_window(struct heddle_model *m) {
  if (m->global_defined != NULL) return HEDDLE_OK;
  m->global_defined = malloc(m->bytes + 1);
  if (m->global_defined == NULL) return model_fail(m, HEDDLE_NO_MEMORY, "no memory for what is undefined");
  memset(m->global_defined, 0xff, m->bytes);
  memory_windows(m);
  return HEDDLE_OK;
}

enum heddle_status marks_open_global(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t seq,
                                     uint32_t pc, uint32_t lanes, const uint64_t addr[HEDDLE_LANES],
                                     const struct mark_rows *marks) {
  const uint32_t in = lanes_in(op, ISA_SPACE_GLOBAL, lanes, addr);
  uint32_t bad = 0;
  for (unsigned k = 0; k < 4; k++) bad |= in & marks_lanes(marks, k);
  if (bad == 0) return HEDDLE_OK;
  const unsigned i = lowest_lane(bad);
  uint64_t from = 0;
  for (unsigned k = 4; k-- > 0;) from = marks->bits[k][i] != 0 ? marks->from[k][i] : from;
  if (m->queue != NULL || m->tell == HEDDLE_TELL_STORES) { /* of several threads one begins again, and tells */
    (void)marks_tell(m, w, seq, pc, bad, "data for global memory", from);
    m->undefined.has_addr = true;
    m->undefined.addr = addr[i];
    return HEDDLE_UNDEFINED;
  }
  const enum heddle_status s = make_window(m);
  if (s == HEDDLE_OK) note_store(m, w, op, seq, pc, in, addr);
  return s;
}

/* The store that brought the byte, if it is still known. */
static struct heddle_undefined who_stored(const struct heddle_model *m, uint64_t addr) {
  for (unsigned i = 0; i < m->now.mark_stores; i++)
    if (addr >= m->now.mark_store[i].lowest && addr < m->now.mark_store[i].highest) return m->now.mark_store[i].from;
  return (struct heddle_undefined){.pc = UINT32_MAX};
}

/* Of one lane's store: where what it brings arose, of each word that has some. */
static void note_words(uint64_t *from, size_t place, size_t stride, const struct mark_rows *marks, unsigned lane) {
  for (unsigned k = 0; k < 4; k++)
    if (marks->bits[k][lane] != 0) from[(place + k * stride) / 4] = marks->from[k][lane];
}

/* The origins of a space, made when the first ones come. NULL: no memory for them; then nobody knows. */
static uint64_t *origins(struct heddle_model *m, struct warp *w, unsigned space) {
  uint64_t **at = space == ISA_SPACE_GLOBAL   ? &m->global_from
                  : space == ISA_SPACE_SHARED ? &w->block->shared_from
                                              : &w->local_from;
  const size_t bytes = space == ISA_SPACE_GLOBAL   ? m->bytes
                       : space == ISA_SPACE_SHARED ? m->launch.shared_bytes
                                                   : (size_t)m->launch.local_bytes * HEDDLE_LANES;
  if (*at == NULL) *at = calloc(bytes / 4 + 1, sizeof **at);
  return *at;
}

void marks_stored(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes,
                  const uint64_t addr[HEDDLE_LANES], const struct mark_rows *marks) {
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest), space = space_of(op, addr[i]);
    if ((marks->bits[0][i] | marks->bits[1][i] | marks->bits[2][i] | marks->bits[3][i]) == 0) continue;
    uint64_t *from = origins(m, w, space);
    const size_t stride = space == ISA_SPACE_LOCAL ? 4 * HEDDLE_LANES : 4;
    if (from != NULL) note_words(from, memory_place(m, w, op, i, addr[i]), stride, marks, i);
  }
}

/* Of a word at `place` whose byte at address `at` is undefined. */
static uint64_t origin_at(const struct heddle_model *m, const struct warp *w, unsigned space, size_t place, uint64_t at,
                          uint32_t pc) {
  const uint64_t *all = space == ISA_SPACE_GLOBAL   ? m->global_from
                        : space == ISA_SPACE_SHARED ? w->block->shared_from
                                                    : w->local_from;
  if (all != NULL && all[place / 4] != 0) return all[place / 4];
  if (space == ISA_SPACE_GLOBAL) return marks_origin(MARK_FORGOTTEN, 0, 0);
  return marks_origin(space == ISA_SPACE_SHARED ? MARK_SHARED : MARK_LOCAL, (uint32_t)at, pc);
}

uint64_t marks_origin_of_bytes(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t pc,
                               unsigned lane, uint64_t addr) {
  uint64_t all[HEDDLE_LANES];
  uint8_t defined[HEDDLE_LANES][16];
  const unsigned space = space_of(op, addr);
  const size_t stride = space == ISA_SPACE_LOCAL ? 4 * HEDDLE_LANES : 4;
  all[lane] = addr;
  memory_marks(m, w, op, 1u << lane, all, defined);
  unsigned k = 0;
  while (k + 1 < op->bytes && defined[lane][k] == 0xff) k++;
  return origin_at(m, w, space, memory_place(m, w, op, lane, addr) + k / 4 * stride, addr + k, pc);
}

/* The first byte of which a bit is 0, or NULL. */
static const uint8_t *undefined_byte(const uint8_t *at, uint64_t bytes) {
  uint64_t i = 0;
  while (i < bytes && at[i] == 0xff) i++;
  return i < bytes ? at + i : NULL;
}

/* In an address space all that lies in memory is the host's to read. */
enum heddle_status marks_at_end(struct heddle_model *m) {
  const struct heddle_region all = {m->base, m->base + m->bytes, true};
  const unsigned regions = m->pages != NULL ? 1 : m->launch.regions;
  for (unsigned r = 0; r < regions && m->global_defined != NULL; r++) {
    const struct heddle_region *g = m->pages != NULL ? &all : &m->launch.region[r];
    const uint8_t *at = m->global_defined + (g->base - m->base);
    const uint8_t *bad = g->writable ? undefined_byte(at, g->limit - g->base) : NULL;
    if (bad == NULL) continue;
    struct heddle_undefined *u = &m->undefined;
    const uint64_t addr = g->base + (uint64_t)(bad - at), word = (addr - m->base) / 4;
    *u = who_stored(m, addr);
    u->has_addr = true;
    u->addr = addr;
    u->at_end = true;
    memcpy(u->what, "memory that the host reads", sizeof "memory that the host reads");
    (void)model_fail(m, HEDDLE_UNDEFINED,
                     "undefined_read: the byte at 0x%llx is undefined when the grid ends, and the host reads it",
                     (unsigned long long)addr);
    const enum heddle_status s = marks_tell_origin(m, m->global_from != NULL ? m->global_from[word] : 0);
    if (m->observer.undefined == NULL || !m->observer.undefined(m->observer.ctx, u)) return s;
    m->diag[0] = '\0';
  }
  return HEDDLE_OK;
}

const uint8_t *heddle_model_defined(const struct heddle_model *m) {
  return m->global_defined;
}

void heddle_model_written(struct heddle_model *m, uint64_t at, uint64_t bytes) {
  m->watch.on = false; /* memory has changed */
  if (m->global_defined == NULL || at < m->base || at - m->base > m->bytes) return;
  const uint64_t from = at - m->base, room = m->bytes - from;
  memset(m->global_defined + from, 0xff, bytes < room ? bytes : room);
}

enum heddle_status heddle_model_end(struct heddle_model *m) {
  return marks_at_end(m);
}

/* ---- stores */

enum heddle_status marks_of_store(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                                  struct mark_rows *out) {
  if (!marks_open(m, w)) return HEDDLE_NO_MEMORY;
  marks_of_source(w, &op->src[1], exec, w->pc, out);
  for (unsigned i = 0; i < HEDDLE_LANES && op->bytes < 4; i++) out->bits[0][i] &= ~(~0u << 8 * op->bytes);
  out->any = false;
  for (unsigned k = 0; k < op->src[1].words; k++) out->any = out->any || marks_lanes(out, k) != 0;
  return HEDDLE_OK;
}

/* ---- loads */

/* The undefined bits of the words of an access, as the load would have extended them. */
static void lane_marks(const struct dop *op, const uint8_t defined[16], unsigned lane, struct mark_rows *out) {
  const bool top = op->bytes < 4 && (defined[op->bytes - 1] & 0x80) == 0;
  const bool sign = op->size == SEM_S8 || op->size == SEM_S16;
  for (unsigned k = 0; k < op->bytes; k++) out->bits[k / 4][lane] |= (uint32_t)(uint8_t)~defined[k] << 8 * (k % 4);
  if (top && sign) out->bits[0][lane] |= ~0u << 8 * op->bytes;
}

/* Where they arose: of each word, at its first such byte. */
static void lane_origins(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t pc,
                         unsigned lane, uint64_t addr, struct mark_rows *out) {
  const unsigned space = space_of(op, addr);
  const size_t place = memory_place(m, w, op, lane, addr), stride = space == ISA_SPACE_LOCAL ? 4 * HEDDLE_LANES : 4;
  for (unsigned k = 0; k < 4; k++) {
    const uint32_t bits = out->bits[k][lane];
    if (bits == 0) continue;
    const unsigned byte = 4 * k + (unsigned)__builtin_ctz(bits) / 8;
    out->from[k][lane] = origin_at(m, w, space, place + k * stride, addr + byte, pc);
    out->any = true;
  }
}

void marks_load(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t pc, uint32_t lanes,
                const uint64_t addr[HEDDLE_LANES], const struct rows_of *r, struct mark_rows *out) {
  uint8_t defined[HEDDLE_LANES][16];
  memset(out, 0, sizeof *out);
  memory_load(m, w, op, lanes, addr, r);
  memory_marks(m, w, op, lanes, addr, defined);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    lane_marks(op, defined[i], i, out);
    lane_origins(m, w, op, pc, i, addr[i], out);
  }
}

/* Of one origin all: that of the first row with a mark. */
void marks_spread(const struct dop *op, const struct mark_rows *rows, struct mark_rows *out) {
  uint64_t from = 0;
  for (unsigned i = 0; i < HEDDLE_LANES && from == 0; i++)
    for (unsigned k = 0; k < 4 && from == 0; k++) from = rows->bits[k][i] != 0 ? rows->from[k][i] : 0;
  memset(out, 0, sizeof *out);
  matrix_spread(op, rows->bits, out->bits);
  for (unsigned k = 0; k < 4; k++)
    for (unsigned i = 0; i < HEDDLE_LANES; i++) out->from[k][i] = from;
  out->any = rows->any;
}

uint32_t marks_in_memory(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t lanes,
                         const uint64_t addr[HEDDLE_LANES], uint8_t (*defined)[16]) {
  uint32_t bad = 0;
  memory_marks(m, w, op, lanes, addr, defined);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    if (undefined_byte(defined[i], op->bytes) != NULL) bad |= 1u << i;
  }
  return bad;
}
