/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks and barriers: each block of the grid once, in slots of its own; what ends has paid everything.
 */
#include <string.h>

#include "cosim/checker/internal.h"

static bool check_grid(struct heddle_checker *c, const struct heddle_record_block_start *r) {
  const uint32_t *g = c->launch->grid;
  if ((r->ctaid[0] < g[0] && r->ctaid[1] < g[1] && r->ctaid[2] < g[2]) || !checker_on(c, HEDDLE_CHECKER_BLOCK_GRID))
    return true;
  return differ(c, HEDDLE_CHECKER_BLOCK_GRID, "block", "block (%u,%u,%u) of a grid of (%u,%u,%u)", r->ctaid[0],
                r->ctaid[1], r->ctaid[2], g[0], g[1], g[2]);
}

static bool check_once(struct heddle_checker *c, const struct heddle_record_block_start *r) {
  const uint32_t *g = c->launch->grid;
  const uint64_t n = r->ctaid[0] + g[0] * (r->ctaid[1] + (uint64_t)g[1] * r->ctaid[2]);
  if (n >= c->grid_blocks) return true;
  const uint8_t bit = (uint8_t)(1u << n % 8);
  const bool again = (c->seen[n / 8] & bit) != 0;
  c->seen[n / 8] |= bit;
  if (!again || !checker_on(c, HEDDLE_CHECKER_BLOCK_DOUBLE)) return true;
  return differ(c, HEDDLE_CHECKER_BLOCK_DOUBLE, "block", "block (%u,%u,%u) starts a second time", r->ctaid[0],
                r->ctaid[1], r->ctaid[2]);
}

static bool check_slots(struct heddle_checker *c, const struct sm *on, const struct heddle_record_block_start *r) {
  bool busy = on->block[r->bslot].live;
  for (uint64_t rest = r->warps; rest != 0; rest &= rest - 1) {
    const unsigned s = (unsigned)__builtin_ctzll(rest);
    if (s >= c->cfg.warp_slots || on->warp[s].live) busy = true;
  }
  if (!busy || !checker_on(c, HEDDLE_CHECKER_BLOCK_SLOTS)) return true;
  return differ(c, HEDDLE_CHECKER_BLOCK_SLOTS, "slots", "block slot %u or warp slots 0x%llx are in use or do not exist",
                r->bslot, (unsigned long long)r->warps);
}

static bool check_warps(struct heddle_checker *c, const struct heddle_record_block_start *r) {
  return same(c, HEDDLE_CHECKER_BLOCK_WARPS, "warps", c->warps_per_block, (unsigned)__builtin_popcountll(r->warps));
}

static bool check_shared(struct heddle_checker *c, const struct sm *on, const struct heddle_record_block_start *r) {
  const uint64_t bytes = c->launch->shared_bytes, base = r->shared_base, end = base + bytes;
  if (bytes == 0 || !checker_on(c, HEDDLE_CHECKER_BLOCK_SHARED)) return true;
  if (c->cfg.shared_bytes != 0 && end > c->cfg.shared_bytes)
    return differ(c, HEDDLE_CHECKER_BLOCK_SHARED, "shared memory", "[0x%llx, 0x%llx) does not fit",
                  (unsigned long long)base, (unsigned long long)end);
  for (unsigned i = 0; i < c->cfg.block_slots; i++) {
    const struct block *b = &on->block[i];
    if (b->live && base < b->shared_base + bytes && b->shared_base < end)
      return differ(c, HEDDLE_CHECKER_BLOCK_SHARED, "shared memory", "0x%llx overlaps that of the block in slot %u",
                    (unsigned long long)base, i);
  }
  return true;
}

static void warps_begin(struct heddle_checker *c, struct sm *on, const struct heddle_record_block_start *r,
                        uint8_t *slots) {
  unsigned i = 0;
  for (uint64_t rest = r->warps; rest != 0 && i < 32; rest &= rest - 1, i++) {
    struct warp *w = &on->warp[__builtin_ctzll(rest)];
    slots[i] = (uint8_t)warp_slot(w);
    ledger_reset(c, w);
    w->live = true;
    w->based = false;
    w->moved = w->started = c->now->cycle;
    w->bslot = r->bslot;
    w->index = i;
    if (c->cache != NULL) cache_warp_begins(c, w);
    w->gen++; /* eight bits: 0 follows 255 */
  }
}

static bool check_after_trap(struct heddle_checker *c) {
  if (!c->trap_seen) return true;
  c->begun_late++;
  if (!all_stopped(c) || !checker_on(c, HEDDLE_CHECKER_TRAP_LATE)) return true;
  return differ(c, HEDDLE_CHECKER_TRAP_LATE, "block", "a block starts behind the trap record");
}

bool judge_block_start(struct heddle_checker *c, const struct heddle_record_block_start *r) {
  struct sm *on = sm_numbered(c, r->sm);
  if (r->bslot >= c->cfg.block_slots || on == NULL)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "block slot", "block slot %u of SM %u does not exist", r->bslot,
                  r->sm);
  if (!check_after_trap(c) || !check_grid(c, r) || !check_once(c, r) || !check_slots(c, on, r) || !check_warps(c, r) ||
      !check_shared(c, on, r))
    return false;
  if (c->cfg.warp_slots < 64 && r->warps >> c->cfg.warp_slots != 0)
    return false; /* only when that check is switched off */
  uint8_t slots[32] = {0};
  warps_begin(c, on, r, slots);
  struct block *b = &on->block[r->bslot];
  *b = (struct block){.live = true, .warps = r->warps, .shared_base = r->shared_base};
  memcpy(b->ctaid, r->ctaid, sizeof b->ctaid);
  if (c->cache != NULL) cache_block_begins(c, on, r->bslot);
  c->blocks_started++;
  c->stats.blocks++;
  const enum heddle_error s =
      heddle_block_start_on(c->model, sm_index(c, on), r->bslot, r->ctaid, slots, c->warps_per_block);
  return s == HEDDLE_SUCCESS || !checker_on(c, HEDDLE_CHECKER_MODEL_STATE) || refused(c, s, "block start");
}

/* Warps of the same partition share one register file. */
static bool check_registers(struct heddle_checker *c, const struct heddle_record_warp_start *r) {
  const uint32_t regs = c->launch->regs, base = r->reg_base, end = base + regs;
  if (!checker_on(c, HEDDLE_CHECKER_BLOCK_REGISTERS)) return true;
  if (c->w->based)
    return differ(c, HEDDLE_CHECKER_BLOCK_REGISTERS, "registers", "the warp takes registers a second time");
  if (c->cfg.regs != 0 && end > c->cfg.regs)
    return differ(c, HEDDLE_CHECKER_BLOCK_REGISTERS, "registers", "[%u, %u) of %u", base, end, c->cfg.regs);
  for (unsigned i = 0; i < c->cfg.warp_slots; i++) {
    const struct warp *o = &c->w->sm->warp[i];
    if (o->live && o->based && o->partition == c->w->partition && base < o->reg_base + regs && o->reg_base < end)
      return differ(c, HEDDLE_CHECKER_BLOCK_REGISTERS, "registers", "%u and more overlap those of the warp in slot %u",
                    base, i);
  }
  return true;
}

bool judge_warp_start(struct heddle_checker *c, const struct heddle_record_warp_start *r) {
  if (!identify(c, &r->id)) return false;
  if (r->id.seq != 0) return differ(c, HEDDLE_CHECKER_RECORD_FORM, "seq", "a warp starts with seq %u", r->id.seq);
  if (!same(c, HEDDLE_CHECKER_BLOCK_SLOTS, "block slot", c->w->bslot, r->bslot) || !check_registers(c, r)) return false;
  c->w->based = true;
  c->w->reg_base = r->reg_base;
  return true;
}

static bool check_end(struct heddle_checker *c, const struct sm *on, const struct heddle_record_block_end *r) {
  const enum heddle_error s = heddle_block_end(c->model, block_at(c, on, r->bslot));
  if (s == HEDDLE_SUCCESS || !checker_on(c, HEDDLE_CHECKER_BLOCK_END)) return true;
  return differ(c, HEDDLE_CHECKER_BLOCK_END, "block end", "the block in slot %u has not finished: %s", r->bslot,
                heddle_model_diag(c->model));
}

bool judge_block_end(struct heddle_checker *c, const struct heddle_record_block_end *r) {
  struct sm *on = sm_numbered(c, r->sm);
  if (on == NULL || r->bslot >= c->cfg.block_slots || !on->block[r->bslot].live)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "block slot", "no block lives in slot %u", r->bslot);
  struct block *b = &on->block[r->bslot];
  for (uint64_t rest = b->warps; rest != 0; rest &= rest - 1)
    if (!warp_paid(c, &on->warp[__builtin_ctzll(rest)])) return false;
  if (!check_end(c, on, r)) return false;
  for (uint64_t rest = b->warps; rest != 0; rest &= rest - 1) {
    struct warp *w = &on->warp[__builtin_ctzll(rest)];
    counters_warp_ends(c, w, c->now->cycle);
    w->live = false;
    w->known_id = NOBODY;
  }
  b->live = false;
  if (!c->trap_seen && c->now->cycle > c->over_cycle) c->over_cycle = c->now->cycle;
  c->blocks_ended++;
  return true;
}

/* Those of `warps` that wait at a barrier. */
static uint64_t waiting_warps(const struct heddle_checker *c, const struct sm *on, uint64_t warps) {
  uint64_t waiting = 0;
  for (uint64_t rest = warps; rest != 0; rest &= rest - 1)
    if (heddle_warp_waiting(c->model, warp_at(c, &on->warp[__builtin_ctzll(rest)]))) waiting |= rest & (0 - rest);
  return waiting;
}

/* The warp goes on. If it came by BAR.RED its result is known now: the model has it. */
static void barrier_lets_go(struct heddle_checker *c, struct warp *w) {
  const unsigned slot = warp_at(c, w);
  struct entry *e = w->next_seq != 0 ? ledger_find(c, w, w->next_seq - 1) : NULL;
  w->moved = c->now->cycle;
  counters_released(c, w);
  if (e == NULL || !e->open || (!e->fx.rd_pending && !e->fx.bar_pd)) return;
  e->fx.pd_value[0] = 0;
  for (uint32_t rest = e->exec; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    if (e->rd_words != 0) e->fx.rd_value[0][l] = heddle_reg(c->model, slot, e->rd, l);
    if (e->fx.bar_pd && heddle_pred(c->model, slot, e->pd[0], l)) e->fx.pd_value[0] |= lane_bit(l);
  }
  e->known = e->exec;
}

bool judge_barrier(struct heddle_checker *c, const struct heddle_record_barrier *r) {
  struct sm *on = sm_numbered(c, r->sm);
  if (on == NULL || r->bslot >= c->cfg.block_slots || !on->block[r->bslot].live || r->id > 15)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "barrier", "no barrier %u of block slot %u", r->id, r->bslot);
  const uint64_t waited = waiting_warps(c, on, on->block[r->bslot].warps);
  const enum heddle_error s = heddle_barrier_release(c->model, block_at(c, on, r->bslot), r->id);
  for (uint64_t rest = waited & ~waiting_warps(c, on, waited); rest != 0; rest &= rest - 1)
    barrier_lets_go(c, &on->warp[__builtin_ctzll(rest)]);
  if (s == HEDDLE_SUCCESS && c->cache != NULL && !cache_released(c, on, r->bslot, r->id)) return false;
  if (s == HEDDLE_SUCCESS || !checker_on(c, HEDDLE_CHECKER_BARRIER_RELEASE)) return true;
  return differ(c, HEDDLE_CHECKER_BARRIER_RELEASE, "barrier", "barrier %u of block slot %u is not complete: %s", r->id,
                r->bslot, heddle_model_diag(c->model));
}
