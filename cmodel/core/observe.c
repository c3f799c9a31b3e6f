/* SPDX-License-Identifier: Apache-2.0
 *
 * Telling an observer what the model alone is about to do.
 */
#include "cmodel/core/observe.h"

#include <string.h>

#include "cmodel/core/marks.h"
#include "cmodel/core/pages.h"
#include "base/options.h"

_Static_assert((int)SEM_LOAD == (int)HEDDLE_ACCESS_LOAD && (int)SEM_STORE == (int)HEDDLE_ACCESS_STORE &&
                   (int)SEM_ATOM == (int)HEDDLE_ACCESS_ATOMIC && (int)SEM_RED == (int)HEDDLE_ACCESS_REDUCTION &&
                   (int)SEM_CAS == (int)HEDDLE_ACCESS_COMPARE_SWAP &&
                   (int)SEM_LOAD_MATRIX == (int)HEDDLE_ACCESS_LOAD_MATRIX && (int)SEM_COPY == (int)HEDDLE_ACCESS_COPY,
               "kinds of access have the same numbers");

enum heddle_error heddle_model_observe(struct heddle_model *m, const struct heddle_observer *o) {
  struct heddle_observer own = {0};
  if (o != NULL && !options_take(&own, sizeof own, o)) return HEDDLE_ERROR_INVALID_VALUE;
  m->observer_next = own;
  return HEDDLE_SUCCESS;
}

static struct heddle_actor actor(const struct heddle_model *m, const struct warp *w, uint32_t pc, uint32_t lanes) {
  const uint32_t *id = w->block->ctaid, *grid = m->launch.grid;
  return (struct heddle_actor){.ctaid = {id[0], id[1], id[2]},
                               .block = id[0] + grid[0] * (id[1] + (uint64_t)grid[1] * id[2]),
                               .warp = w->index,
                               .slot = (uint32_t)(w - m->warp),
                               .seq = w->seq,
                               .pc = pc,
                               .lanes = lanes};
}

/* ---- accesses */

/* What lanes that do not perform it find in their registers. */
static void read_zeros(struct warp *w, const struct dop *op, uint32_t lanes) {
  for (unsigned k = 0; k < op->rd_words; k++) {
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) w->row[op->rd + k][lowest_lane(rest)] = 0;
    w->defined[op->rd + k] |= lanes;
  }
}

uint32_t observe_access(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  uint64_t addr[HEDDLE_LANES], to[HEDDLE_LANES];
  struct flow f;
  const bool copy = op->access == SEM_COPY, matrix = op->access == SEM_LOAD_MATRIX;
  const bool loads = op->access == SEM_LOAD || matrix || copy;
  if (m->observer.access == NULL || whole_warp_trap(op, exec).trap != HEDDLE_TRAP_NONE) return exec;
  if (copy) {
    f = async_check(m, w, op, exec, addr, to);
  } else {
    memory_addresses(m, w, op, exec, addr);
    f = memory_check(m, w, op, exec, addr);
  }
  const uint32_t lanes = matrix ? exec & matrix_lanes(op) : exec;
  const struct heddle_observed_access a = {
      .by = actor(m, w, w->pc, lanes),
      .dec = &m->dec[op_index(w->pc)],
      .kind = op->access,
      .space = op->space,
      .bytes = op->bytes,
      .addr = addr,
      .copy_addr = copy ? to : NULL,
      .data = loads ? NULL : (const uint32_t(*)[HEDDLE_LANES])source_row(w, &op->src[1], 0),
      .compare = op->access == SEM_CAS ? (const uint32_t(*)[HEDDLE_LANES])source_row(w, &op->src[2], 0) : NULL,
      .cause = f.trap,
      .bad = f.lanes};
  const uint32_t performs = m->observer.access(m->observer.ctx, &a) & lanes;
  if (matrix || performs == lanes) return exec;
  read_zeros(w, op, exec & ~performs);
  return performs;
}

/* Byte by byte: an access of one is always aligned. */
bool heddle_lane_memory(const struct heddle_model *m, unsigned w, unsigned lane, unsigned space, uint64_t addr,
                        unsigned bytes, uint8_t *to) {
  const struct dop op = {.space = (uint8_t)space, .access = SEM_LOAD, .bytes = 1};
  if (w >= m->warp_slots || !m->warp[w].used || lane >= HEDDLE_LANES) return false;
  if (space != ISA_SPACE_GLOBAL && space != ISA_SPACE_SHARED && space != ISA_SPACE_LOCAL) return false;
  struct warp *warp = &m->warp[w];
  for (unsigned k = 0; k < bytes; k++) {
    uint64_t at[HEDDLE_LANES] = {0};
    uint8_t byte[HEDDLE_LANES][16];
    at[lane] = addr + k;
    if (memory_check(m, warp, &op, 1u << lane, at).trap != HEDDLE_TRAP_NONE) return false;
    if (m->pages != NULL && space == ISA_SPACE_GLOBAL) {
      const struct page_walk found = pages_peek(m, at[lane], false);
      if (found.fault) return false;
      at[lane] = found.at;
    }
    memory_bytes(m, warp, &op, 1u << lane, at, byte);
    to[k] = byte[lane][0];
  }
  return true;
}

/* ---- events */

static struct heddle_event event(const struct heddle_model *m, const struct warp *w, enum heddle_event_kind kind,
                                 uint32_t pc, uint32_t lanes) {
  return (struct heddle_event){.kind = kind,
                               .by = actor(m, w, pc, lanes),
                               .warps = w->block->warps,
                               .slots = w->block->slot_of,
                               .live = warp_live(w)};
}

static void tell_observer(struct heddle_model *m, const struct heddle_event *e) {
  if (m->observer.event != NULL) m->observer.event(m->observer.ctx, e);
}

uint32_t observe_control(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  struct heddle_event e = event(m, w, HEDDLE_EVENT_CONTROL, w->pc, exec);
  const bool syncs = op->control == SEM_WARPSYNC;
  const bool bars = op->control >= SEM_BAR_SYNC && op->control <= SEM_BAR_POPC;
  e.dec = &m->dec[op_index(w->pc)];
  e.mask = syncs && exec != 0 ? source_row(w, &op->src[1], 0)[lowest_lane(exec)] : 0;
  e.barrier = bars ? op->bar_id : 0;
  e.count = bars ? op->bar_count : 0;
  const bool copies = e.dec->op == ISA_OP_DEPBAR_LE || e.dec->op == ISA_OP_LDGDEPBAR;
  if ((syncs || bars || copies || op->control == SEM_MEMBAR) && exec != 0) tell_observer(m, &e);
  return w->parked[BARRIER_W] | (syncs ? exec : 0);
}

void observe_controlled(struct heddle_model *m, struct warp *w, uint32_t pc, uint32_t before) {
  const uint32_t released = before & ~w->parked[BARRIER_W];
  const struct heddle_event e = event(m, w, HEDDLE_EVENT_RECONVERGED, pc, released);
  const struct heddle_event end = event(m, w, HEDDLE_EVENT_WARP_END, pc, 0);
  if (released != 0) tell_observer(m, &e);
  if (w->ended) tell_observer(m, &end);
}

void observe_block(struct heddle_model *m, struct block *b, enum heddle_event_kind kind) {
  const struct warp *w = &m->warp[b->slot_of[0]];
  const struct heddle_event e = event(m, w, kind, w->pc, w->active);
  tell_observer(m, &e);
}

void observe_release(struct heddle_model *m, struct block *b, unsigned id) {
  const struct warp *w = &m->warp[b->slot_of[0]];
  struct heddle_event e = event(m, w, HEDDLE_EVENT_RELEASE, w->pc, 0);
  e.barrier = id;
  e.count = b->bar[id].count;
  e.waiting = b->bar[id].waiting;
  e.arrived = b->bar[id].arrived;
  tell_observer(m, &e);
}

/* ---- what nobody has written */

/* An atomic decides by what is in memory. */
static void define_bytes(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  uint64_t addr[HEDDLE_LANES];
  memory_addresses(m, w, op, exec, addr);
  if (memory_check(m, w, op, exec, addr).trap != HEDDLE_TRAP_NONE) return;
  if (m->pages != NULL && !pages_translate(m, w, op, exec, addr)) return;
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    const size_t place = memory_place(m, w, op, i, addr[i]);
    uint8_t *defined = space_of(op, addr[i]) == ISA_SPACE_GLOBAL ? m->global_defined : w->block->shared_defined;
    if (defined != NULL) memset(defined + place, 0xff, op->bytes);
  }
}

bool observe_undefined(struct heddle_model *m, struct warp *w, const struct dop *op) {
  if (m->observer.undefined == NULL || !m->observer.undefined(m->observer.ctx, &m->undefined)) return false;
  const uint32_t active = issue_lanes(w, op);
  const bool atomic = op->access == SEM_ATOM || op->access == SEM_RED || op->access == SEM_CAS;
  w->pred_defined[op->guard] |= active;
  const uint32_t exec = guard_lanes(w, op);
  for (unsigned k = 0; k < 3; k++) {
    for (unsigned i = 0; i < op->src[k].words && op->src[k].fixed == NULL; i++) w->defined[op->src[k].row + i] |= exec;
    w->pred_defined[op->ps[k]] |= op->has_ps || op->kind == DOP_CONTROL ? exec : 0;
  }
  if (op->kind == DOP_MEMORY && atomic && exec != 0) define_bytes(m, w, op, exec);
  return true;
}
