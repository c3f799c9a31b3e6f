/* SPDX-License-Identifier: Apache-2.0
 *
 * Lockstep: memory instructions that wait for their accesses to be performed.
 */
#include <stdlib.h>
#include <string.h>

#include "cmodel/core/marks.h"
#include "cmodel/core/pages.h"
#include "base/number.h"

#define SECTOR_BYTES 32u

struct pending *pending_add(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes) {
  struct pending *p = m->spare;
  if (p != NULL)
    m->spare = p->next;
  else
    p = aligned_alloc(64, sizeof *p);
  if (p == NULL) return NULL;
  p->next = NULL; /* one by one: addresses and data are written by who knows them */
  p->op = op;
  p->seq = w->seq;
  p->pc = w->pc;
  p->lanes = p->result = lanes;
  p->dead = w->trapped;
  p->marked = p->async = p->constant = false;
  p->placed = 0;
  p->store = NULL;
  p->held = 0;
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
  w->n_pending -= p->dead || p->constant ? 0 : 1;
  w->n_async -= p->async && !p->dead ? 1 : 0;
  p->next = m->spare;
  m->spare = p;
}

void pending_clear(struct heddle_model *m, struct warp *w) {
  while (w->first != NULL) pending_remove(m, w, w->first);
}

const struct pending *pending_producer(const struct warp *w, unsigned row, uint32_t lanes) {
  for (const struct pending *p = w->first; p != NULL; p = p->next) {
    const bool writes = p->op->rd_words != 0 && row >= p->op->rd && row < (unsigned)p->op->rd + p->op->rd_words;
    if (writes && (p->result & lanes) != 0) return p;
  }
  return NULL;
}

/* Two accesses, some of whose lanes must be performed in their order. */
struct meeting {
  const struct pending *x, *y;
  uint32_t x_lanes, y_lanes;
};

static bool same_bytes(const struct meeting *t, unsigned i, unsigned k) {
  const uint64_t a = t->x->addr[i], b = t->y->addr[k];
  return a < b + t->y->op->bytes && b < a + t->x->op->bytes;
}

/* Lanes of y in a sector of one of x. Neighbours mostly lie in the same one, which is looked for once. */
static uint32_t meet_sectors(const struct meeting *t) {
  uint64_t last = UINT64_MAX;
  uint32_t found = 0;
  for (uint32_t xs = t->x_lanes; xs != 0; xs &= xs - 1) {
    const uint64_t sector = t->x->addr[lowest_lane(xs)] / SECTOR_BYTES;
    if (sector == last) continue;
    last = sector;
    for (uint32_t ys = t->y_lanes & ~found; ys != 0; ys &= ys - 1)
      if (t->y->addr[lowest_lane(ys)] / SECTOR_BYTES == sector) found |= ys & (0u - ys);
  }
  return found;
}

/* Lanes of y that meet one of x: in global memory the same sector, in shared and local memory the same bytes; local
 * ones of the same lane only. */
static uint32_t meeting_lanes(const struct meeting *all, unsigned space) {
  const struct meeting t = {all->x, all->y, lanes_in(all->x->op, space, all->x_lanes, all->x->addr),
                            lanes_in(all->y->op, space, all->y_lanes, all->y->addr)};
  if (space == ISA_SPACE_GLOBAL) return meet_sectors(&t);
  uint32_t found = 0;
  for (uint32_t xs = t.x_lanes; xs != 0; xs &= xs - 1) {
    const unsigned i = lowest_lane(xs);
    for (uint32_t ys = t.y_lanes; ys != 0; ys &= ys - 1) {
      const unsigned k = lowest_lane(ys);
      if (space == ISA_SPACE_LOCAL && i != k) continue;
      if (same_bytes(&t, i, k)) found |= 1u << k;
    }
  }
  return found;
}

static const char *meeting_place(unsigned space) {
  return space == ISA_SPACE_GLOBAL ? "sector" : space == ISA_SPACE_SHARED ? "shared memory" : "local bytes";
}

/* Must the older access of the warp to shared memory come first? Program order holds there as a whole, but a copy's
 * store waits for those of its own bytes alone. */
static bool shared_first(const struct meeting *t) {
  if (t->x->async) return meeting_lanes(t, ISA_SPACE_SHARED) != 0;
  return lanes_in(t->x->op, ISA_SPACE_SHARED, t->x_lanes, t->x->addr) != 0 &&
         lanes_in(t->y->op, ISA_SPACE_SHARED, t->y_lanes, t->y->addr) != 0;
}

/* An older instruction of the warp that must be performed before these lanes. *space: where they meet. Nobody waits for
 * an asynchronous copy. Where there are copies of sectors, the order in global memory is the caller's to judge. */
static const struct pending *older_first(const struct heddle_model *m, const struct warp *w, const struct pending *p,
                                         uint32_t lanes, unsigned *space) {
  for (const struct pending *o = w->first; o != p; o = o->next) {
    const struct meeting t = {p, o, lanes, o->lanes};
    if (o->dead || o->async) continue;
    *space = ISA_SPACE_SHARED;
    if (shared_first(&t)) return o;
    *space = ISA_SPACE_GLOBAL;
    if (m->copies == 0 && meeting_lanes(&t, ISA_SPACE_GLOBAL) != 0) return o;
    *space = ISA_SPACE_LOCAL;
    if (meeting_lanes(&t, ISA_SPACE_LOCAL) != 0) return o;
  }
  return NULL;
}

static bool only_reads(const struct dop *op) {
  return op->access == SEM_LOAD || op->access == SEM_LOAD_MATRIX;
}

/* Lanes of the same instruction whose turn must be now (global: the same
 * sector; in an address space, of the same virtual line) or earlier (shared: a lower lane that touches the same bytes).
 */
static uint32_t left_behind(const struct pending *p, uint32_t lanes, bool pages) {
  const uint32_t rest = p->lanes & ~lanes;
  if (rest == 0) return 0;
  const struct meeting t = {p, p, lanes, rest};
  uint32_t behind = meeting_lanes(&t, ISA_SPACE_GLOBAL);
  if (pages && behind != 0) behind = pages_same_line(p, lanes, behind);
  if (only_reads(p->op)) return behind;
  for (uint32_t mine = lanes; mine != 0; mine &= mine - 1) {
    const uint32_t one = mine & (0u - mine);
    const struct meeting below = {p, p, one, rest & (one - 1)};
    behind |= meeting_lanes(&below, ISA_SPACE_SHARED);
  }
  return behind;
}

static enum heddle_error perform_allowed(struct heddle_model *m, const struct warp *w, const struct pending *p,
                                         uint32_t seq, uint32_t lanes) {
  if (p == NULL) return model_fail(m, HEDDLE_ERROR_STATE, "warp %u: seq %u has nothing to perform", w->index, seq);
  if (p->dead)
    return model_fail(m, HEDDLE_ERROR_STATE,
                      "warp %u: seq %u pc 0x%08x is at or behind an address trap and must not be performed", w->index,
                      seq, p->pc);
  if (lanes == 0 || (lanes & ~p->lanes) != 0)
    return model_fail(m, HEDDLE_ERROR_STATE,
                      "warp %u seq %u pc 0x%08x: lanes 0x%08x performed, of which 0x%08x do not wait", w->index, seq,
                      p->pc, lanes, lanes & ~p->lanes);
  if ((lanes & p->held) != 0)
    return model_fail(m, HEDDLE_ERROR_STATE,
                      "warp %u seq %u pc 0x%08x: lanes 0x%08x stored, of which 0x%08x have not been loaded", w->index,
                      seq, p->pc, lanes, lanes & p->held);
  const uint32_t nowhere = m->pages == NULL ? 0 : lanes_in(p->op, ISA_SPACE_GLOBAL, lanes, p->addr) & ~p->placed;
  if (nowhere != 0)
    return model_fail(m, HEDDLE_ERROR_STATE,
                      "warp %u seq %u pc 0x%08x: lanes 0x%08x performed, which no walk has a page for", w->index, seq,
                      p->pc, nowhere);
  unsigned space;
  const struct pending *o = older_first(m, w, p, lanes, &space);
  if (o != NULL)
    return model_fail(
        m, HEDDLE_ERROR_STATE,
        "warp %u seq %u pc 0x%08x lanes 0x%08x performed before older seq %u pc 0x%08x lanes 0x%08x of the same %s",
        w->index, seq, p->pc, lanes, o->seq, o->pc, o->lanes, meeting_place(space));
  const uint32_t behind = left_behind(p, lanes, m->pages != NULL);
  if (behind != 0)
    return model_fail(m, HEDDLE_ERROR_STATE,
                      "warp %u seq %u pc 0x%08x: lanes 0x%08x performed without lanes 0x%08x of the same %s", w->index,
                      seq, p->pc, lanes, behind,
                      space_of(p->op, p->addr[lowest_lane(behind)]) == ISA_SPACE_SHARED ? "bytes" : "sector");
  return HEDDLE_SUCCESS;
}

/* Atomics report what they read, which is their result. */
static void note_old(const struct pending *p, uint32_t lanes, uint32_t (*row)[HEDDLE_LANES],
                     struct heddle_performed *out) {
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    for (unsigned k = 0; k < p->op->bytes; k++)
      out->old_bytes[i][k] = (uint8_t)((lanes >> i & 1) != 0 ? row[k / 4][i] >> (8 * (k % 4)) : 0);
}

/* The registers that the lanes now have. */
static void note_result(struct warp *w, struct pending *p, uint32_t lanes, uint32_t (*row)[HEDDLE_LANES],
                        struct heddle_performed *out) {
  const struct dop *op = p->op;
  out->rd_words = op->rd_words;
  out->rd_done = (uint8_t)((1u << op->rd_words) - 1);
  out->rd_lanes = lanes;
  for (unsigned k = 0; k < op->rd_words; k++) {
    uint32_t *reg = w->row[op->rd + k];
    for (uint32_t rest = lanes; rest != 0 && lanes != ALL_LANES; rest &= rest - 1) {
      const unsigned i = lowest_lane(rest);
      out->rd_value[k][i] = row[k][i];
      reg[i] = row[k][i];
    }
    if (lanes == ALL_LANES) {
      memcpy(out->rd_value[k], row[k], sizeof out->rd_value[k]);
      memcpy(reg, row[k], sizeof w->row[0]);
    }
    w->awaited[op->rd + k] &= ~lanes;
    w->defined[op->rd + k] |= lanes;
  }
  p->result &= ~lanes;
}

/* LDSM gives each register to all lanes when the last of its matrix's rows has been read; `lanes` were now. */
static void note_matrix(struct warp *w, struct pending *p, uint32_t lanes, struct heddle_performed *out) {
  const struct dop *op = p->op;
  uint32_t result[4][HEDDLE_LANES];
  out->rd_words = out->rd_done = 0;
  out->rd_lanes = 0;
  for (unsigned k = 0; k < op->rd_words; k++) {
    const uint32_t rows = 0xffu << 8 * k;
    if ((lanes & rows) != 0 && (p->lanes & rows) == 0) out->rd_done |= (uint8_t)(1u << k);
  }
  if (out->rd_done == 0) return;
  matrix_spread(op, (const uint32_t(*)[HEDDLE_LANES])p->data, result);
  out->rd_words = op->rd_words;
  out->rd_lanes = ALL_LANES;
  for (unsigned k = 0; k < op->rd_words; k++) {
    if ((out->rd_done & 1u << k) == 0) continue;
    memcpy(out->rd_value[k], result[k], sizeof out->rd_value[k]);
    memcpy(w->row[op->rd + k], result[k], sizeof w->row[0]);
    w->awaited[op->rd + k] = 0;
    w->defined[op->rd + k] = ALL_LANES;
  }
}

struct pending *pending_find(const struct warp *w, uint32_t seq, bool store) {
  struct pending *p = w->first;
  while (p != NULL && (p->seq != seq || (p->async && p->store == NULL) != store)) p = p->next;
  return p;
}

const struct pending *pending_oldest(const struct warp *w, bool async) {
  const struct pending *p = w->first;
  while (p != NULL && (p->dead || (p->async && !async))) p = p->next;
  return p;
}

/* Registers say what a plain load has read. */
static bool has_result(const struct dop *op) {
  return op->access == SEM_LOAD && op->rd_words != 0;
}

/* What of the result is undefined: the registers have it, and who compares must know. LDSM: row by row, as its data. */
static enum heddle_error note_marks(struct heddle_model *m, struct warp *w, struct pending *p, uint32_t lanes,
                                    const struct mark_rows *marks, struct heddle_performed *out) {
  const bool matrix = p->op->access == SEM_LOAD_MATRIX;
  struct mark_rows result = *marks;
  if (!marks_open(m, w)) return HEDDLE_ERROR_HOST_MEMORY;
  if (matrix && !p->marked) memset(&p->marks, 0, sizeof p->marks);
  p->marked = p->marked || matrix;
  for (uint32_t rest = matrix ? lanes : 0; rest != 0; rest &= rest - 1)
    for (unsigned k = 0; k < 4; k++) {
      p->marks.bits[k][lowest_lane(rest)] = marks->bits[k][lowest_lane(rest)];
      p->marks.from[k][lowest_lane(rest)] = marks->from[k][lowest_lane(rest)];
    }
  if (matrix) marks_spread(p->op, &p->marks, &result);
  for (unsigned k = 0; k < p->op->rd_words; k++) {
    struct mark_rows one = {.any = true};
    if ((out->rd_done >> k & 1) == 0) continue;
    memcpy(one.bits[0], result.bits[k], sizeof one.bits[0]);
    memcpy(one.from[0], result.from[k], sizeof one.from[0]);
    marks_set(m, w, p->op->rd + k, 1, out->rd_lanes, &one);
    out->rd_unknown[k] = out->rd_lanes & marks_lanes(&one, 0);
    memcpy(out->rd_bits[k], one.bits[0], sizeof out->rd_bits[k]);
  }
  return HEDDLE_SUCCESS;
}

/* `values`: addresses, and bytes that registers say as well, are not asked for. `store`: of a copy the second half. */
static inline enum heddle_error perform_pending(struct heddle_model *m, unsigned slot, uint32_t seq, uint32_t lanes,
                                                bool values, bool store, struct heddle_performed *out) {
  if (slot >= m->warp_slots || !m->warp[slot].used)
    return model_fail(m, HEDDLE_ERROR_STATE, "perform: warp slot %u is empty", slot);
  struct warp *w = &m->warp[slot];
  struct pending *p = pending_find(w, seq, store);
  enum heddle_error s = perform_allowed(m, w, p, seq, lanes);
  if (s != HEDDLE_SUCCESS) return s;
  uint32_t result[4][HEDDLE_LANES];
  const bool matrix = p->op->access == SEM_LOAD_MATRIX;
  const bool brings = p->marked && !only_reads(p->op);
  const struct rows_of r = {(const uint32_t(*)[HEDDLE_LANES])p->data, (const uint32_t(*)[HEDDLE_LANES])p->swap,
                            matrix ? p->data : result, brings ? &p->marks : NULL};
  struct mark_rows marks;
  if (brings && (s = marks_open_global(m, w, p->op, seq, p->pc, lanes, p->addr, &p->marks)) != HEDDLE_SUCCESS) return s;
  out->lanes = lanes;
  out->bytes = p->op->bytes;
  if (!values) memcpy(out->addr, p->addr, sizeof out->addr);
  if (only_reads(p->op) && !(values && has_result(p->op))) memory_bytes(m, w, p->op, lanes, p->addr, out->old_bytes);
  const number_unit host = number_unit_begin(); /* atomics add */
  const uint32_t bad = memory_perform(m, w, p->op, lanes, p->addr, &r);
  number_unit_end(host);
  if (bad != 0 && !only_reads(p->op)) return marks_tell_bytes(m, w, p->op, seq, p->pc, bad, p->addr);
  const bool marked = bad != 0 || (matrix && p->marked);
  if (marked && bad == 0) memset(&marks, 0, sizeof marks);
  if (bad != 0) marks_load(m, w, p->op, p->pc, lanes, p->addr, &r, &marks);
  if (brings) marks_stored(m, w, p->op, lanes, p->addr, &p->marks);
  memset(out->rd_unknown, 0, sizeof out->rd_unknown);
  out->bytes_unknown = bad != 0 || brings ? marks_in_memory(m, w, p->op, lanes, p->addr, out->known) : 0;
  if (!only_reads(p->op)) memory_bytes(m, w, p->op, lanes, p->addr, out->new_bytes);
  if (p->op->access >= SEM_ATOM && !matrix) note_old(p, lanes, result, out);
  p->lanes &= ~lanes;
  if (p->store != NULL) async_loaded(p, lanes, (const uint32_t(*)[HEDDLE_LANES])result, marked ? &marks : NULL);
  if (matrix)
    note_matrix(w, p, lanes, out);
  else
    note_result(w, p, lanes, result, out);
  if (marked && (s = note_marks(m, w, p, lanes, &marks, out)) != HEDDLE_SUCCESS) return s;
  out->finished = p->lanes == 0 && p->store == NULL;
  if (p->lanes == 0) pending_remove(m, w, p);
  return HEDDLE_SUCCESS;
}

enum heddle_error heddle_perform(struct heddle_model *m, unsigned slot, uint32_t seq, uint32_t lanes,
                                 struct heddle_performed *out) {
  return perform_pending(m, slot, seq, lanes, false, false, out);
}

enum heddle_error heddle_perform_values(struct heddle_model *m, unsigned slot, uint32_t seq, uint32_t lanes,
                                        struct heddle_performed *out) {
  return perform_pending(m, slot, seq, lanes, true, false, out);
}

enum heddle_error heddle_perform_store(struct heddle_model *m, unsigned slot, uint32_t seq, uint32_t lanes,
                                       struct heddle_performed *out) {
  return perform_pending(m, slot, seq, lanes, true, true, out);
}

enum heddle_error heddle_perform_whole(struct heddle_model *m, unsigned slot, const struct heddle_effect *issued,
                                       struct heddle_performed *out) {
  if (issued->mem_lanes == 0) return HEDDLE_SUCCESS;
  const enum heddle_error s = heddle_perform(m, slot, issued->seq, issued->mem_lanes, out);
  if (s != HEDDLE_SUCCESS || issued->mem_kind != HEDDLE_ACCESS_COPY) return s;
  return heddle_perform_store(m, slot, issued->seq, issued->mem_lanes, out);
}

enum heddle_error heddle_perform_never(struct heddle_model *m, unsigned slot, uint32_t seq, uint32_t lanes) {
  struct pending *p = slot < m->warp_slots && m->warp[slot].used ? pending_find(&m->warp[slot], seq, false) : NULL;
  if (p == NULL) return model_fail(m, HEDDLE_ERROR_STATE, "warp %u: seq %u has nothing to perform", slot, seq);
  p->lanes &= ~lanes; /* its result is awaited as before: for ever; so is what a copy would store */
  return HEDDLE_SUCCESS;
}

bool pending_shared(const struct warp *w) {
  for (const struct pending *p = w->first; p != NULL; p = p->next)
    if (!p->dead && !p->async && lanes_in(p->op, ISA_SPACE_SHARED, p->lanes, p->addr) != 0) return true;
  return false;
}

unsigned heddle_warp_pending(const struct heddle_model *m, unsigned w) {
  return w < m->warp_slots && m->warp[w].used ? m->warp[w].n_pending : 0;
}
