/* SPDX-License-Identifier: Apache-2.0
 *
 * What both divergence units share: operands, targets, BMOV, the choice of a
 * group from outside. isa/doc/03-divergence.md is the authority.
 */
#include "state.h"

static const struct flow no_trap = {HEDDLE_TRAP_NONE, 0, 0};

uint32_t leader_operand(const struct warp *w, const struct dop *op, uint32_t exec) {
  return source_row(w, &op->src[1], 0)[lowest_lane(exec)];
}

struct flow warpsync_members(struct warp *w, const struct dop *op, uint32_t exec) {
  const uint32_t members = leader_operand(w, op, exec), strangers = exec & ~members;
  if (strangers != 0) return (struct flow){HEDDLE_TRAP_DIVERGENCE, strangers, 0};
  if (w->parked[BARRIER_W] != 0 && w->member[BARRIER_W] != members)
    return (struct flow){HEDDLE_TRAP_DIVERGENCE, exec, 0};
  w->member[BARRIER_W] = members;
  return no_trap;
}

struct flow register_targets(const struct warp *w, const struct dop *op, uint32_t exec, uint32_t code_bytes,
                             uint64_t target[HEDDLE_LANES]) {
  const uint32_t *lo = source_row(w, &op->src[0], 0), *hi = source_row(w, &op->src[0], 1);
  uint32_t bad = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    target[i] = (lo[i] | (uint64_t)hi[i] << 32) + (uint64_t)op->offset;
    if (target[i] >= code_bytes || target[i] % ISA_WORD_BYTES != 0) bad |= exec & 1u << i;
  }
  if (bad == 0) return no_trap;
  return (struct flow){HEDDLE_TRAP_BAD_PC, bad, target[lowest_lane(bad)]};
}

void bmov_get(struct warp *w, const struct dop *op, uint32_t exec) {
  uint32_t *rd = w->row[op->rd];
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    if ((exec >> i & 1) != 0) rd[i] = w->member[op->bx];
  w->defined[op->rd] |= exec;
  if (op->clear && exec != 0) w->member[op->bx] = 0;
}

struct flow jump_target(const struct dop *op, uint32_t exec) {
  if (op->target % ISA_WORD_BYTES == 0) return no_trap;
  return (struct flow){HEDDLE_TRAP_BAD_PC, exec, op->target};
}

static enum heddle_status choose(struct heddle_model *m, struct warp *w, uint32_t pc) {
  char where[160];
  unsigned d = 0;
  while (d < w->depth && (w->path[d].pc != pc || !w->its)) d++;
  if (w->active == 0 || (w->pc != pc && d == w->depth))
    return model_fail(m, HEDDLE_STATE, "no lane can run at pc 0x%08x: %s", pc, warp_where(m, w, where, sizeof where));
  const struct path late = w->its ? group_starved(w, pc) : (struct path){0, 0, 0};
  if (late.mask != 0)
    return model_fail(m, HEDDLE_STATE, "%s: the group of lanes 0x%08x at pc 0x%08x has been passed over %u times",
                      warp_where(m, w, where, sizeof where), late.mask, late.pc, w->seq - late.since);
  if (w->pc == pc) return HEDDLE_OK;
  group_put_back(w, w->seq); /* behind the others: d stays */
  group_take(m, w, d, w->seq);
  return HEDDLE_OK;
}

enum heddle_status heddle_warp_choose(struct heddle_model *m, unsigned slot, uint32_t pc) {
  if (slot >= m->warp_slots || !m->warp[slot].used || m->warp[slot].ended)
    return model_fail(m, HEDDLE_STATE, "choose: no live warp in slot %u", slot);
  (void)warp_meet(m, &m->warp[slot]);
  return choose(m, &m->warp[slot], pc);
}
