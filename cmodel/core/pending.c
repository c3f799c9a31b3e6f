/* SPDX-License-Identifier: Apache-2.0
 *
 * Lockstep: memory instructions that wait for their accesses to be performed.
 */
#include <stdlib.h>
#include <string.h>

#include "state.h"

#define SECTOR_BYTES 32u

struct pending *pending_add(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes) {
  struct pending *p = m->spare;
  if (p != NULL)
    m->spare = p->next;
  else
    p = aligned_alloc(64, sizeof *p);
  if (p == NULL) return NULL;
  *p = (struct pending){.op = op, .seq = w->seq, .pc = w->pc, .lanes = lanes, .dead = w->trapped};
  struct pending **end = &w->first;
  while (*end != NULL) end = &(*end)->next;
  *end = p;
  w->n_pending += p->dead ? 0 : 1;
  return p;
}

static void pending_remove(struct heddle_model *m, struct warp *w, struct pending *p) {
  struct pending **at = &w->first;
  while (*at != p) at = &(*at)->next;
  *at = p->next;
  w->n_pending -= p->dead ? 0 : 1;
  p->next = m->spare;
  m->spare = p;
}

void pending_clear(struct heddle_model *m, struct warp *w) {
  while (w->first != NULL) pending_remove(m, w, w->first);
}

const struct pending *pending_producer(const struct warp *w, unsigned row, uint32_t lanes) {
  for (const struct pending *p = w->first; p != NULL; p = p->next) {
    const bool writes = p->op->rd_words != 0 && row >= p->op->rd && row < (unsigned)p->op->rd + p->op->rd_words;
    if (writes && (p->lanes & lanes) != 0) return p;
  }
  return NULL;
}

static bool overlap(uint64_t x, uint64_t y, unsigned bytes) {
  return x < y + bytes && y < x + bytes;
}

/* An older instruction of the warp that must be performed before these lanes. */
static const struct pending *older_first(const struct warp *w, const struct pending *p, uint32_t lanes) {
  for (const struct pending *o = w->first; o != p; o = o->next) {
    if (o->dead || o->op->space != p->op->space) continue;
    if (p->op->space == SEM_SHARED) return o;
    for (unsigned i = 0; i < HEDDLE_LANES; i++)
      for (unsigned k = 0; k < HEDDLE_LANES && (lanes >> i & 1) != 0; k++)
        if ((o->lanes >> k & 1) != 0 && o->addr[k] / SECTOR_BYTES == p->addr[i] / SECTOR_BYTES) return o;
  }
  return NULL;
}

/* Lanes of the same instruction whose turn must be now (global: the same
 * sector) or earlier (shared: a lower lane that touches the same bytes). */
static uint32_t left_behind(const struct pending *p, uint32_t lanes) {
  const bool whole_sector = p->op->space == SEM_GLOBAL;
  uint32_t behind = 0;
  if (!whole_sector && p->op->access == SEM_LOAD) return 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    if ((lanes >> i & 1) == 0) continue;
    for (unsigned k = 0; k < HEDDLE_LANES; k++) {
      if (((p->lanes & ~lanes) >> k & 1) == 0) continue;
      if (whole_sector ? p->addr[i] / SECTOR_BYTES == p->addr[k] / SECTOR_BYTES
                       : k < i && overlap(p->addr[i], p->addr[k], p->op->bytes))
        behind |= 1u << k;
    }
  }
  return behind;
}

static enum heddle_status perform_allowed(struct heddle_model *m, const struct warp *w, const struct pending *p,
                                          uint32_t seq, uint32_t lanes) {
  if (p == NULL) return model_fail(m, HEDDLE_STATE, "warp %u: seq %u has nothing to perform", w->index, seq);
  if (p->dead)
    return model_fail(m, HEDDLE_STATE,
                      "warp %u: seq %u pc 0x%08x lies at or behind an address trap and must not be performed", w->index,
                      seq, p->pc);
  if (lanes == 0 || (lanes & ~p->lanes) != 0)
    return model_fail(m, HEDDLE_STATE, "warp %u seq %u pc 0x%08x: lanes 0x%08x performed, of which 0x%08x do not wait",
                      w->index, seq, p->pc, lanes, lanes & ~p->lanes);
  const struct pending *o = older_first(w, p, lanes);
  if (o != NULL)
    return model_fail(
        m, HEDDLE_STATE,
        "warp %u seq %u pc 0x%08x lanes 0x%08x performed before older seq %u pc 0x%08x lanes 0x%08x of the same %s",
        w->index, seq, p->pc, lanes, o->seq, o->pc, o->lanes, p->op->space == SEM_SHARED ? "shared memory" : "sector");
  const uint32_t behind = left_behind(p, lanes);
  if (behind != 0)
    return model_fail(m, HEDDLE_STATE,
                      "warp %u seq %u pc 0x%08x: lanes 0x%08x performed without lanes 0x%08x of the same %s", w->index,
                      seq, p->pc, lanes, behind, p->op->space == SEM_SHARED ? "bytes" : "sector");
  return HEDDLE_OK;
}

static void note_bytes(const struct heddle_model *m, const struct warp *w, const struct pending *p, uint32_t lanes,
                       uint8_t bytes[32][16]) {
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    if ((lanes >> i & 1) != 0) memcpy(bytes[i], memory_at(m, w->block, p->op, p->addr[i]), p->op->bytes);
}

/* The registers that the lanes now have; atomics report what they read through the result too. */
static void note_result(struct warp *w, const struct pending *p, uint32_t lanes, uint32_t (*row)[HEDDLE_LANES],
                        struct heddle_performed *out) {
  const struct dop *op = p->op;
  if (op->access == SEM_ATOM || op->access == SEM_RED)
    for (unsigned i = 0; i < HEDDLE_LANES; i++)
      for (unsigned k = 0; k < 4; k++)
        out->old_bytes[i][k] = (uint8_t)((lanes >> i & 1) != 0 ? row[0][i] >> (8 * k) : 0);
  out->rd_words = op->rd_words;
  for (unsigned k = 0; k < op->rd_words; k++) {
    uint32_t *reg = w->row[op->rd + k];
    for (unsigned i = 0; i < HEDDLE_LANES; i++) {
      if ((lanes >> i & 1) == 0) continue;
      out->rd_value[k][i] = row[k][i];
      reg[i] = row[k][i];
    }
    w->awaited[op->rd + k] &= ~lanes;
    w->defined[op->rd + k] |= lanes;
  }
}

static struct pending *find(const struct warp *w, uint32_t seq) {
  struct pending *p = w->first;
  while (p != NULL && p->seq != seq) p = p->next;
  return p;
}

enum heddle_status heddle_perform(struct heddle_model *m, unsigned slot, uint32_t seq, uint32_t lanes,
                                  struct heddle_performed *out) {
  if (slot >= m->warp_slots || !m->warp[slot].used)
    return model_fail(m, HEDDLE_STATE, "perform: warp slot %u is empty", slot);
  struct warp *w = &m->warp[slot];
  struct pending *p = find(w, seq);
  const enum heddle_status s = perform_allowed(m, w, p, seq, lanes);
  if (s != HEDDLE_OK) return s;
  uint32_t result[4][HEDDLE_LANES];
  out->lanes = lanes;
  out->bytes = p->op->bytes;
  memcpy(out->addr, p->addr, sizeof out->addr);
  if (p->op->access == SEM_LOAD) note_bytes(m, w, p, lanes, out->old_bytes);
  const uint32_t bad =
      memory_perform(m, w->block, p->op, lanes, p->addr, (const uint32_t(*)[HEDDLE_LANES])p->data, result);
  if (bad != 0)
    return model_fail(m, HEDDLE_UNDEFINED,
                      "undefined_read: shared bytes at 0x%llx (lanes 0x%08x), warp %u seq %u pc 0x%08x",
                      (unsigned long long)p->addr[lowest_lane(bad)], bad, w->index, seq, p->pc);
  if (p->op->access != SEM_LOAD) note_bytes(m, w, p, lanes, out->new_bytes);
  note_result(w, p, lanes, result, out);
  p->lanes &= ~lanes;
  out->finished = p->lanes == 0;
  if (out->finished) pending_remove(m, w, p);
  return HEDDLE_OK;
}

unsigned heddle_warp_pending(const struct heddle_model *m, unsigned w) {
  return w < m->warp_slots && m->warp[w].used ? m->warp[w].n_pending : 0;
}
