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
  struct mark_store *s = m->mark_store, *end = s + m->mark_stores;
  while (s < end && s->from.pc != pc) s++;
  if (s == end) {
    if (m->mark_stores == MARK_STORES) return;
    m->mark_stores++;
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

enum heddle_status marks_open_global(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t seq,
                                     uint32_t pc, uint32_t lanes, const uint64_t addr[HEDDLE_LANES]) {
  const uint32_t in = lanes_in(op, ISA_SPACE_GLOBAL, lanes, addr);
  if (in == 0) return HEDDLE_OK;
  if (m->queue != NULL) return marks_tell(m, w, seq, pc, in, "data for global memory"); /* one thread tells */
  if (m->global_defined == NULL) {
    m->global_defined = malloc(m->bytes + 1);
    if (m->global_defined == NULL) return model_fail(m, HEDDLE_NO_MEMORY, "no memory for what is undefined");
    memset(m->global_defined, 1, m->bytes);
  }
  note_store(m, w, op, seq, pc, in, addr);
  return HEDDLE_OK;
}

/* The store that brought the byte, if it is still known. */
static struct heddle_undefined who_stored(const struct heddle_model *m, uint64_t addr) {
  for (unsigned i = 0; i < m->mark_stores; i++)
    if (addr >= m->mark_store[i].lowest && addr < m->mark_store[i].highest) return m->mark_store[i].from;
  return (struct heddle_undefined){.pc = UINT32_MAX};
}

enum heddle_status marks_at_end(struct heddle_model *m) {
  for (unsigned r = 0; r < m->launch.regions && m->global_defined != NULL; r++) {
    const struct heddle_region *g = &m->launch.region[r];
    const uint8_t *at = m->global_defined + (g->base - m->base);
    const uint8_t *bad = g->writable ? memchr(at, 0, g->limit - g->base) : NULL;
    if (bad == NULL) continue;
    struct heddle_undefined *u = &m->undefined;
    const uint64_t addr = g->base + (uint64_t)(bad - at);
    *u = who_stored(m, addr);
    u->has_addr = true;
    u->addr = addr;
    u->at_end = true;
    memcpy(u->what, "memory that the host reads", sizeof "memory that the host reads");
    return model_fail(m, HEDDLE_UNDEFINED,
                      "undefined_read: the byte at 0x%llx is undefined when the grid ends, and the host reads it",
                      (unsigned long long)addr);
  }
  return HEDDLE_OK;
}

const uint8_t *heddle_model_defined(const struct heddle_model *m) {
  return m->global_defined;
}

enum heddle_status heddle_model_end(struct heddle_model *m) {
  return marks_at_end(m);
}

/* ---- loads */

/* 0xff in each byte of the words of an access that is undefined, as the load would have extended them. */
static void lane_marks(const struct dop *op, const uint8_t defined[16], unsigned lane, struct mark_rows *out) {
  const bool top = op->bytes < 4 && defined[op->bytes - 1] == 0;
  const bool sign = op->size == SEM_S8 || op->size == SEM_S16;
  for (unsigned k = 0; k < op->bytes; k++)
    if (defined[k] == 0) out->word[k / 4][lane] |= 0xffu << 8 * (k % 4);
  if (top && sign) out->word[0][lane] |= ~0u << 8 * op->bytes;
  for (unsigned k = 0; k < 4; k++) out->any = out->any || out->word[k][lane] != 0;
}

void marks_load(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes,
                const uint64_t addr[HEDDLE_LANES], const struct rows_of *r, struct mark_rows *out) {
  uint8_t defined[HEDDLE_LANES][16];
  memory_load(m, w, op, lanes, addr, r);
  memory_marks(m, w, op, lanes, addr, defined);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    lane_marks(op, defined[lowest_lane(rest)], lowest_lane(rest), out);
}

uint32_t marks_in_memory(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t lanes,
                         const uint64_t addr[HEDDLE_LANES]) {
  uint8_t defined[HEDDLE_LANES][16];
  uint32_t bad = 0;
  memory_marks(m, w, op, lanes, addr, defined);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    if (memchr(defined[i], 0, op->bytes) != NULL) bad |= 1u << i;
  }
  return bad;
}
