/* SPDX-License-Identifier: Apache-2.0
 *
 * The model alone: its own schedule, every access performed at once.
 */
#include <stdio.h>

#include "execute.h"

#define QUANTUM 512 /* warp instructions before the next warp has its turn */

enum turn { TURN_SPENT, TURN_BLOCKED, TURN_FAILED };

static enum turn trap_out(struct heddle_model *m, const struct warp *w, struct flow f, uint32_t seq, uint32_t pc,
                          enum heddle_status *s) {
  trap_record(m, w, f, seq, pc);
  m->stopped = true;
  *s = HEDDLE_TRAPPED;
  return TURN_FAILED;
}

static enum turn undefined_out(struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t exec,
                               enum heddle_status *s) {
  char what[40], where[160];
  uint32_t bad = w->active & ~w->pred_defined[op->guard];
  if (bad != 0) {
    (void)snprintf(what, sizeof what, "guard P%u", op->guard);
  } else {
    bad = undefined_lanes(w, op, exec, what, sizeof what);
  }
  *s = model_fail(m, HEDDLE_UNDEFINED, "undefined_read: %s in lanes 0x%08x, %s", what, bad,
                  warp_where(m, w, where, sizeof where));
  return TURN_FAILED;
}

static enum turn run_memory(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                            enum heddle_status *s) {
  if (exec != 0) {
    uint64_t addr[HEDDLE_LANES];
    memory_addresses(w, op, exec, addr);
    const struct flow f = memory_check(m, op, exec, addr);
    if (f.trap != HEDDLE_TRAP_NONE) return trap_out(m, w, f, w->seq, w->pc, s);
    const uint32_t(*data)[HEDDLE_LANES] = (const uint32_t(*)[HEDDLE_LANES])source_row(w, &op->src[1], 0);
    const uint32_t bad = memory_perform(m, w->block, op, exec, addr, data, &w->row[op->rd]);
    if (bad != 0) {
      char where[160];
      *s = model_fail(m, HEDDLE_UNDEFINED, "undefined_read: shared bytes at 0x%llx (lanes 0x%08x), %s",
                      (unsigned long long)addr[lowest_lane(bad)], bad, warp_where(m, w, where, sizeof where));
      return TURN_FAILED;
    }
    for (unsigned i = 0; i < op->rd_words; i++) w->defined[op->rd + i] |= exec;
  }
  w->pc += ISA_WORD_BYTES;
  w->seq++;
  return TURN_SPENT;
}

static enum turn run_control(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                             enum heddle_status *s) {
  const uint32_t seq = w->seq, pc = w->pc;
  const struct flow f = control_execute(m, w, op, exec);
  if (f.trap != HEDDLE_TRAP_NONE) return trap_out(m, w, f, seq, pc, s);
  return w->waiting || w->ended ? TURN_BLOCKED : TURN_SPENT;
}

static enum turn run_bad(struct heddle_model *m, const struct warp *w, enum heddle_status *s) {
  struct flow f = {HEDDLE_TRAP_ILLEGAL, w->active, 0};
  const uint32_t i = op_index(w->pc);
  if (i >= m->ops) {
    f.trap = HEDDLE_TRAP_BAD_PC;
    f.addr = w->pc;
  } else if (m->op[i].kind == DOP_BAD_CONST) {
    f.trap = HEDDLE_TRAP_CONST_RANGE;
    f.addr = m->dec[i].coff;
  }
  return trap_out(m, w, f, w->seq, w->pc, s);
}

/* At most `budget` instructions of one warp; *left is what remains of it. */
static enum turn run_warp(struct heddle_model *m, struct warp *w, uint64_t budget, uint64_t *left,
                          enum heddle_status *s) {
  struct sem_io io = {0};
  enum turn t = TURN_SPENT;
  for (; budget > 0 && t == TURN_SPENT; budget--) {
    const uint32_t i = op_index(w->pc);
    if (__builtin_expect(i >= m->ops, 0)) {
      t = run_bad(m, w, s);
      break;
    }
    const struct dop *op = &m->op[i];
    const uint32_t exec = guard_lanes(w, op);
    if (__builtin_expect(op->kind >= DOP_ILLEGAL, 0)) {
      t = run_bad(m, w, s);
      break;
    }
    if (__builtin_expect((w->active & ~w->pred_defined[op->guard]) != 0 || !sources_defined(w, op, exec), 0)) {
      t = undefined_out(m, w, op, exec, s);
      break;
    }
    if (op->kind == DOP_ROW) {
      if (exec != 0) row_run(m->sem->modify, w, op, exec, &io);
      w->pc += ISA_WORD_BYTES;
      w->seq++;
    } else if (op->kind == DOP_MEMORY) {
      t = run_memory(m, w, op, exec, s);
    } else {
      t = run_control(m, w, op, exec, s);
    }
    if (t == TURN_FAILED) break;
  }
  *left = budget;
  return t;
}

/* Barriers that somebody's arrival or end has completed. */
static void release_barriers(struct heddle_model *m, struct block *b) {
  for (unsigned id = 0; id < BARRIERS; id++)
    if (b->bar[id].waiting != 0 && barrier_complete(b, id)) barrier_release(m, b, id);
}

/* The next block of the grid, when slots are free for it. */
static enum heddle_status start_next(struct heddle_model *m, bool *started) {
  const struct heddle_launch *l = &m->launch;
  const uint32_t threads = l->block[0] * l->block[1] * l->block[2], warps = (threads + HEDDLE_LANES - 1) / HEDDLE_LANES;
  uint8_t slot[32];
  unsigned found = 0, bslot = 0;
  *started = false;
  while (bslot < m->block_slots && m->block[bslot].used) bslot++;
  for (unsigned i = 0; i < m->warp_slots && found < warps; i++)
    if (!m->warp[i].used) slot[found++] = (uint8_t)i;
  if (bslot == m->block_slots || found < warps || m->blocks_started == m->grid_blocks) return HEDDLE_OK;
  const uint64_t n = m->blocks_started, layer = (uint64_t)l->grid[0] * l->grid[1];
  const uint32_t id[3] = {(uint32_t)(n % l->grid[0]), (uint32_t)(n / l->grid[0] % l->grid[1]), (uint32_t)(n / layer)};
  *started = true;
  return heddle_block_start(m, bslot, id, slot, warps);
}

/* One turn for each warp of the block. *moved: somebody issued. */
static enum heddle_status run_block(struct heddle_model *m, struct block *b, uint64_t limit, uint64_t *retired,
                                    bool *moved) {
  enum heddle_status s = HEDDLE_OK;
  for (unsigned i = 0; i < b->warps; i++) {
    struct warp *w = &m->warp[b->slot_of[i]];
    if (w->ended || w->waiting) continue;
    const uint64_t budget = limit - *retired < QUANTUM ? limit - *retired : QUANTUM;
    if (budget == 0)
      return model_fail(m, HEDDLE_LIMIT, "limit of %llu warp instructions reached", (unsigned long long)limit);
    uint64_t left = 0;
    const enum turn t = run_warp(m, w, budget, &left, &s);
    *retired += budget - left;
    *moved = true;
    if (t == TURN_FAILED) return s;
    if (t == TURN_BLOCKED) release_barriers(m, b);
  }
  if (b->ended == b->warps) block_retire(m, b);
  return s;
}

static enum heddle_status hang(struct heddle_model *m) {
  for (unsigned i = 0; i < m->warp_slots; i++) {
    const struct warp *w = &m->warp[i];
    char where[160];
    if (w->used && w->waiting)
      return model_fail(m, HEDDLE_LIMIT, "no warp can go on; at barrier %u waits %s", w->bar_id,
                        warp_where(m, w, where, sizeof where));
  }
  return model_fail(m, HEDDLE_BAD_ARG, "a block needs more warp slots than the model has");
}

enum heddle_status heddle_model_run(struct heddle_model *m, uint64_t max_warp_insns, uint64_t *retired) {
  uint64_t count = 0;
  const uint64_t limit = max_warp_insns == 0 ? UINT64_MAX : max_warp_insns;
  enum heddle_status s = HEDDLE_OK;
  if (!m->launched || m->blocks_started != 0) return model_fail(m, HEDDLE_STATE, "run needs a fresh launch");
  while (s == HEDDLE_OK && m->blocks_ended != m->grid_blocks) {
    bool moved = false, started = true;
    while (s == HEDDLE_OK && started) s = start_next(m, &started);
    for (unsigned i = 0; s == HEDDLE_OK && i < m->block_slots; i++)
      if (m->block[i].used) s = run_block(m, &m->block[i], limit, &count, &moved);
    if (s == HEDDLE_OK && !moved) s = hang(m);
  }
  if (retired != NULL) *retired = count;
  return s;
}
