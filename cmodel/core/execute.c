/* SPDX-License-Identifier: Apache-2.0
 *
 * An instruction's effect on a warp and its block.
 */
#include "execute.h"

#include <stdio.h>
#include <string.h>
#include "cmodel/core/marks.h"
#include "cmodel/core/observe.h"
#include "cmodel/core/state.h"

/* Blocks: where their warps live, named barriers, the end. */

static uint32_t block_threads(const struct heddle_launch *l) {
  return l->block[0] * l->block[1] * l->block[2];
}

static uint32_t block_warps(const struct heddle_launch *l) {
  return (block_threads(l) + HEDDLE_LANES - 1) / HEDDLE_LANES;
}

static void special_rows(const struct heddle_model *m, struct warp *w, const uint32_t ctaid[3]) {
  const struct heddle_launch *l = &m->launch;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    const uint32_t t = w->index * HEDDLE_LANES + i, eq = 1u << i, lt = eq - 1;
    w->row[ROW_LANEID][i] = i;
    w->row[ROW_TID_X][i] = t % l->block[0];
    w->row[ROW_TID_Y][i] = t / l->block[0] % l->block[1];
    w->row[ROW_TID_Z][i] = t / l->block[0] / l->block[1];
    for (unsigned k = 0; k < 3; k++) w->row[ROW_CTAID_X + k][i] = ctaid[k];
    w->row[ROW_EQMASK][i] = eq;
    w->row[ROW_LTMASK][i] = lt;
    w->row[ROW_LEMASK][i] = lt | eq;
    w->row[ROW_GTMASK][i] = ~(lt | eq);
    w->row[ROW_GEMASK][i] = ~lt;
    w->row[ROW_WARPID][i] = w->slot;
    w->row[ROW_SMID][i] = w->smid;
    w->row[ROW_NWARPID][i] = m->sm_warps;
    w->row[ROW_NSMID][i] = m->sms;
  }
}

static void warp_begin(struct heddle_model *m, struct warp *w, struct block *b, uint32_t index) {
  const uint32_t threads = block_threads(&m->launch), left = threads - index * HEDDLE_LANES;
  memset(w->defined, 0, sizeof w->defined);
  memset(w->awaited, 0, sizeof w->awaited);
  memset(w->settled, 0, sizeof w->settled);
  for (unsigned r = ROW_DEFINED; r < ROWS; r++) w->defined[r] = ALL_LANES;
  memset(w->pred, 0, sizeof w->pred);
  memset(w->pred_defined, 0, sizeof w->pred_defined);
  w->pred[ISA_PT] = w->pred_defined[ISA_PT] = ALL_LANES;
  memset(w->member, 0, sizeof w->member);
  memset(w->parked, 0, sizeof w->parked);
  w->on_mask = 0;
  memset(w->on, 0, sizeof w->on);
  w->active = left >= HEDDLE_LANES ? ALL_LANES : (1u << left) - 1;
  w->exited = ~w->active;
  w->pc = m->launch.entry_pc;
  w->its = m->its;
  w->hashed = false;
  w->seq = w->moves = w->turn = w->since = w->taken = 0;
  w->depth = 0;
  w->red = NULL;
  w->used = true;
  w->ended = w->waiting = w->trapped = w->stuck = false;
  w->index = index;
  w->block = b;
  w->code = m->op;
  w->first = NULL;
  w->n_pending = 0;
  w->clock_high = w->clock_low = 0;
  w->clock_told = false;
  w->wait = (struct page_wait){.waits = false};
  local_begin(m, w);
  marks_begin_warp(m, w);
  special_rows(m, w, b->ctaid);
}

static uint64_t block_number(const struct heddle_launch *l, const uint32_t id[3]) {
  return id[0] + l->grid[0] * (id[1] + (uint64_t)l->grid[1] * id[2]);
}

/* `warp`, `block`: the slots of one SM. */
static enum heddle_error start_allowed(struct heddle_model *m, const struct block *block, const struct warp *warp,
                                       unsigned bslot, const uint32_t ctaid[3], const uint8_t *wslot, unsigned warps) {
  const struct heddle_launch *l = &m->launch;
  if (block[bslot].used) return model_fail(m, HEDDLE_ERROR_STATE, "block slot %u is in use", bslot);
  for (unsigned k = 0; k < 3; k++)
    if (ctaid[k] >= l->grid[k])
      return model_fail(m, HEDDLE_ERROR_STATE, "block (%u,%u,%u) is outside the grid", ctaid[0], ctaid[1], ctaid[2]);
  if (warps != block_warps(l))
    return model_fail(m, HEDDLE_ERROR_STATE, "block started with %u warps, has %u", warps, block_warps(l));
  const uint64_t n = block_number(l, ctaid);
  if (m->block_seen != NULL && (m->block_seen[n / 8] >> (n % 8) & 1) != 0)
    return model_fail(m, HEDDLE_ERROR_STATE, "block (%u,%u,%u) started twice", ctaid[0], ctaid[1], ctaid[2]);
  uint64_t taken = 0;
  for (unsigned i = 0; i < warps; i++) {
    if (wslot[i] >= sm_warp_slots(m)) return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "no warp slot %u", wslot[i]);
    for (unsigned k = 0; k < i; k++) taken |= wslot[k] == wslot[i];
    if (warp[wslot[i]].used || taken != 0) return model_fail(m, HEDDLE_ERROR_STATE, "warp slot %u is in use", wslot[i]);
  }
  return HEDDLE_SUCCESS;
}

enum heddle_error heddle_block_start(struct heddle_model *m, unsigned bslot, const uint32_t ctaid[3],
                                     const uint8_t *wslot, unsigned warps) {
  return heddle_block_start_on(m, 0, bslot, ctaid, wslot, warps);
}

enum heddle_error heddle_block_start_on(struct heddle_model *m, unsigned k, unsigned bslot, const uint32_t ctaid[3],
                                        const uint8_t *wslot, unsigned warps) {
  const unsigned first = k * sm_warp_slots(m), blocks = sm_block_slots(m);
  if (!m->launched || k >= m->shown || bslot >= blocks)
    return model_fail(m, HEDDLE_ERROR_INVALID_VALUE, "no launch, or no block slot %u of SM %u", bslot, m->sm + k);
  const enum heddle_error s =
      start_allowed(m, m->block + (size_t)k * blocks, m->warp + first, bslot, ctaid, wslot, warps);
  if (s != HEDDLE_SUCCESS) return s;
  struct block *b = &m->block[(size_t)k * blocks + bslot];
  const uint64_t n = block_number(&m->launch, ctaid);
  if (m->block_seen != NULL) m->block_seen[n / 8] |= (uint8_t)(1u << (n % 8));
  m->now.blocks_started++;
  m->watch.on = false;
  b->used = true;
  memcpy(b->ctaid, ctaid, sizeof b->ctaid);
  b->warps = warps;
  b->ended = 0;
  memset(b->bar, 0, sizeof b->bar);
  if (m->shared_room != 0) marks_begin_shared(m, b);
  b->window = (struct sem_window){b->shared, b->shared_defined, 0, m->launch.shared_bytes};
  for (unsigned i = 0; i < warps; i++) {
    b->slot_of[i] = (uint16_t)(first + wslot[i]);
    warp_begin(m, &m->warp[b->slot_of[i]], b, i);
  }
  if (m->observer.size != 0) observe_block(m, b, HEDDLE_EVENT_BLOCK);
  return HEDDLE_SUCCESS;
}

void block_retire(struct heddle_model *m, struct block *b) {
  if (m->observer.size != 0) observe_block(m, b, HEDDLE_EVENT_BLOCK_END);
  for (unsigned i = 0; i < b->warps; i++) m->warp[b->slot_of[i]].used = false;
  b->used = false;
  m->now.blocks_ended++;
}

enum heddle_error heddle_block_end(struct heddle_model *m, unsigned bslot) {
  if (bslot >= m->block_slots || !m->block[bslot].used)
    return model_fail(m, HEDDLE_ERROR_STATE, "block slot %u holds no block", bslot);
  struct block *b = &m->block[bslot];
  for (unsigned i = 0; i < b->warps; i++) {
    const struct warp *w = &m->warp[b->slot_of[i]];
    char where[160];
    if (!w->ended)
      return model_fail(m, HEDDLE_ERROR_STATE, "block ends, but %s is next", warp_where(m, w, where, sizeof where));
    if (w->n_pending != 0)
      return model_fail(m, HEDDLE_ERROR_STATE,
                        "block ends, but warp %u has %u instruction(s) to perform, first seq %u pc 0x%08x", w->index,
                        w->n_pending, w->first->seq, w->first->pc);
  }
  block_retire(m, b);
  return HEDDLE_SUCCESS;
}

bool heddle_grid_done(const struct heddle_model *m) {
  return m->launched && m->now.blocks_ended == m->grid_blocks;
}

/* ---- named barriers ---- */

static uint32_t barrier_here(const struct barrier *bar) {
  return bar->waiting | bar->arrived;
}

bool barrier_complete(const struct block *b, unsigned id) {
  const struct barrier *bar = &b->bar[id];
  const uint32_t here = (uint32_t)__builtin_popcount(barrier_here(bar));
  return here != 0 && here >= barrier_expected(b, id);
}

uint32_t barrier_expected(const struct block *b, unsigned id) {
  return b->bar[id].count != 0 ? b->bar[id].count / HEDDLE_LANES : b->warps - b->ended;
}

static bool arrival_bad(const struct heddle_model *m, const struct warp *w, uint32_t exec, const struct dop *op) {
  const struct barrier *bar = &w->block->bar[op->bar_id];
  const uint32_t most = block_warps(&m->launch) * HEDDLE_LANES;
  if (exec != warp_live(w)) return true;
  if (op->bar_count % HEDDLE_LANES != 0 || op->bar_count > most) return true;
  if (op->bar_count == 0 && op->control == SEM_BAR_ARV) return true;
  if (barrier_here(bar) != 0 && bar->count != op->bar_count) return true;
  return (barrier_here(bar) >> w->index & 1) != 0; /* it has arrived before */
}

static void bring(struct barrier *bar, const struct warp *w, const struct dop *op, uint32_t exec) {
  bar->trues += (uint32_t)__builtin_popcount(exec & (w->pred[op->ps[0]] ^ op->ps_flip[0]));
  bar->lanes += (uint32_t)__builtin_popcount(exec);
}

struct flow barrier_arrive(struct heddle_model *m, struct warp *w, uint32_t exec, const struct dop *op) {
  struct flow f = {.trap = HEDDLE_TRAP_NONE};
  struct barrier *bar = &w->block->bar[op->bar_id];
  const bool reduces = op->control == SEM_BAR_RED || op->control == SEM_BAR_POPC;
  if (exec == 0) {
    w->pc += op_step(op);
    return f;
  }
  if (arrival_bad(m, w, exec, op)) {
    f.trap = HEDDLE_TRAP_BARRIER;
    f.lanes = w->active;
    return f;
  }
  if (barrier_here(bar) == 0) bar->trues = bar->lanes = 0;
  if (reduces) bring(bar, w, op, exec);
  bar->count = op->bar_count;
  if (op->control == SEM_BAR_ARV) {
    bar->arrived |= 1u << w->index;
  } else {
    bar->waiting |= 1u << w->index;
    w->waiting = true;
    w->bar_id = op->bar_id;
    w->red = reduces ? op : NULL;
  }
  m->watch.arrivals = true;
  w->pc += op_step(op);
  return f;
}

/* A warp goes on with the result of its BAR.RED; it was whole when it came, and is. */
static void reduce_result(struct warp *w, const struct barrier *bar) {
  const struct dop *op = w->red;
  const uint32_t exec = warp_live(w);
  const bool yes = op->any ? bar->trues != 0 : bar->trues == bar->lanes;
  if (op->control == SEM_BAR_POPC) {
    for (unsigned i = 0; i < HEDDLE_LANES; i++)
      if ((exec >> i & 1) != 0) w->row[op->rd][i] = bar->trues;
    w->defined[op->rd] |= exec;
  } else {
    uint32_t *p = &w->pred[op->pd[0]];
    *p = (*p & ~exec) | (yes ? exec : 0);
    w->pred_defined[op->pd[0]] |= exec;
  }
}

void barrier_release(struct heddle_model *m, struct block *b, unsigned id) {
  struct barrier *bar = &b->bar[id];
  if (m->observer.size != 0) observe_release(m, b, id);
  for (uint32_t rest = bar->waiting; rest != 0; rest &= rest - 1) {
    struct warp *w = &m->warp[b->slot_of[lowest_lane(rest)]];
    if (w->red != NULL) reduce_result(w, bar);
    w->waiting = false;
    w->red = NULL;
  }
  bar->waiting = bar->arrived = 0;
}

enum heddle_error heddle_barrier_release(struct heddle_model *m, unsigned bslot, unsigned id) {
  if (bslot >= m->block_slots || !m->block[bslot].used || id >= BARRIERS)
    return model_fail(m, HEDDLE_ERROR_STATE, "block slot %u holds no block, or no barrier %u", bslot, id);
  struct block *b = &m->block[bslot];
  if (!barrier_complete(b, id))
    return model_fail(
        m, HEDDLE_ERROR_STATE,
        "barrier %u released, but only warps 0x%08x wait and 0x%08x have arrived (count %u, %u of %u warps live)", id,
        b->bar[id].waiting, b->bar[id].arrived, b->bar[id].count, b->warps - b->ended, b->warps);
  barrier_release(m, b, id);
  return HEDDLE_SUCCESS;
}

static void warp_end(struct warp *w) {
  w->ended = true;
  w->block->ended++;
}

/* Control instructions, and what a trap leaves behind. */

static struct flow carry_out_control(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  static const struct flow no_trap = {.trap = HEDDLE_TRAP_NONE};
  switch ((enum sem_control)op->control) {
  case SEM_BAR_SYNC:
  case SEM_BAR_ARV:
  case SEM_BAR_RED:
  case SEM_BAR_POPC:
    return barrier_arrive(m, w, exec, op);
  case SEM_BPT:
    if (exec != 0) return (struct flow){.trap = HEDDLE_TRAP_BREAKPOINT, .lanes = exec};
    break;
  case SEM_BMOV_GET:
    bmov_get(w, op, exec);
    break;
  case SEM_BSSY:
    w->member[op->bx] |= exec;
    break;
  case SEM_NOP:
  case SEM_MEMBAR:
    break;
  default:
    return diverge_execute(m, w, op, exec);
  }
  w->pc += op_step(op);
  return no_trap;
}

struct flow control_execute(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  w->hashed = false;
  w->seq++; /* of the path that issues next */
  const struct flow f = carry_out_control(m, w, op, exec);
  if (f.trap != HEDDLE_TRAP_NONE && f.trap != HEDDLE_TRAP_DEADLOCK) {
    w->seq--;
    return f;
  }
  if (warp_live(w) != 0) return f;
  warp_end(w);
  m->watch.on = false;
  return f;
}

void trap_record(struct heddle_model *m, const struct warp *w, struct flow f, uint32_t seq, uint32_t pc) {
  struct heddle_trap *t = &m->now.trap_of[sm_of(m, w)];
  if (t->cause != HEDDLE_TRAP_NONE) return;
  *t = (struct heddle_trap){.cause = f.trap,
                            .warp_in_block = w->index,
                            .seq = seq,
                            .pc = pc,
                            .lanes = f.lanes,
                            .addr = f.addr,
                            .sm = w->smid,
                            .offset = f.offset,
                            .exact = true};
  memcpy(t->ctaid, w->block->ctaid, sizeof t->ctaid);
  if (m->now.trap.cause != HEDDLE_TRAP_NONE) return; /* of another SM */
  m->now.trap = *t;
  const uint32_t *id = t->ctaid;
  (void)model_fail(
      m, HEDDLE_ERROR_TRAPPED, "trap %s: block (%u,%u,%u) warp %u seq %u pc 0x%08x lanes 0x%08x address 0x%llx",
      heddle_cause_name(f.trap), id[0], id[1], id[2], w->index, seq, pc, f.lanes, (unsigned long long)f.addr);
}

/* Row operations on the registers of a warp, those off the hot path too. */

const char *row_name(unsigned row, char *text, size_t room) {
  const bool uniform = row >= ROW_UR && row < ROW_UR + UREGS;
  snprintf(text, room, "%sR%u", uniform ? "U" : "", uniform ? row - ROW_UR : row);
  return text;
}

const char *pred_name(unsigned pred, char *text, size_t room) {
  const bool uniform = pred >= PRED_UP;
  snprintf(text, room, "%sP%u", uniform ? "U" : "", uniform ? pred - PRED_UP : pred);
  return text;
}

/* Bit i in lane i: with it the row of a mask is a vector operation. */
static const uint32_t bit_of[HEDDLE_LANES] __attribute__((aligned(64))) = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

/* Into w->on. */
void on_fill(struct warp *w, uint32_t exec) {
  for (unsigned i = 0; i < HEDDLE_LANES; i++) w->on[i] = (exec & bit_of[i]) != 0 ? ~0u : 0;
  w->on_mask = exec;
}

static unsigned first_pred(const struct dop *op) {
  return op->always != 0 ? PRED_UP : 0;
}

void clock_look(struct warp *w) {
  w->clock_high += w->seq < w->clock_low;
  w->clock_low = w->seq;
}

void clock_fill(struct warp *w) {
  clock_look(w);
  const uint64_t t = w->clock_told ? w->clock : w->clock_low | (uint64_t)w->clock_high << 32;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    w->row[ROW_CLOCKLO][i] = (uint32_t)t;
    w->row[ROW_CLOCKHI][i] = (uint32_t)(t >> 32);
  }
}

static void rare_execute(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                         struct sem_io *io) {
  const bool uniform_result = op->rd_uniform || op->pd_uniform;
  if (op->reads_clock) clock_fill(w);
  io->p = &w->pred[first_pred(op)];
  memset(io->p_written, 0, sizeof io->p_written);
  row_run_into(m->sem->modify, w, op, exec, uniform_result ? ALL_LANES : exec, io);
  for (unsigned k = 0; k < 7; k++) w->pred_defined[first_pred(op) + k] |= io->p_written[k];
}

void row_execute(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec, struct sem_io *io) {
  if (op->kind == DOP_RARE)
    rare_execute(m, w, op, exec, io);
  else
    row_run(m->sem->modify, w, op, exec, io);
}
