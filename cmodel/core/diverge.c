/* SPDX-License-Identifier: Apache-2.0
 *
 * Divergence: paths that instructions split and join, for both units, and their hash for records.
 */
#include "cmodel/core/state.h"

/* The divergence hash of isa/doc/03-divergence.md, for either unit. */

enum { TAG_EXITED = 0x10, TAG_MEMBER = 0x20, TAG_PARKED = 0x40, TAG_PATH = 0x80 };

static uint64_t item(unsigned tag, uint32_t pc, uint32_t mask, unsigned r) {
  const uint64_t v = (uint64_t)(tag & 0xffu) << 56 | (uint64_t)(pc & 0xffffffu) << 32 | mask;
  r %= 64;
  if (mask == 0) return 0;
  return r == 0 ? v : v << r | v >> (64 - r);
}

static uint64_t of_waiting(const struct warp *w) {
  uint64_t h = 0;
  for (unsigned d = 0; d < w->depth; d++) {
    const struct path *p = &w->path[d];
    const unsigned name = w->its ? lowest_lane(p->mask) : d;
    h ^= item(TAG_PATH + name, p->pc, p->mask, 2 * name + 1);
  }
  return h;
}

static uint64_t of_parked(const struct warp *w, unsigned x) {
  uint64_t h = 0;
  for (uint32_t rest = w->parked[x]; rest != 0;) {
    const struct path p = parked_path(w, x, rest);
    h ^= item(TAG_PARKED + x, p.pc, p.mask, x == BARRIER_W ? 53 : 3 * x + 17);
    rest &= ~p.mask;
  }
  return h;
}

static uint64_t fresh(const struct warp *w) {
  uint64_t h = item(TAG_EXITED, 0, w->exited, 7);
  for (unsigned x = 0; x <= BARRIERS; x++) h ^= item(TAG_MEMBER + x, 0, w->member[x], 3 * x + 2) ^ of_parked(w, x);
  return h ^ of_waiting(w);
}

/* Only control instructions change it, and the choice of a path. */
uint64_t diverge_hash(struct warp *w) {
  if (!w->hashed) w->hash = fresh(w);
  w->hashed = true;
  return w->hash;
}

/* The paths of a warp, as isa/doc/03-divergence.md words them. Under `its` the
 * lanes that are parked at one barrier with one PC are one path, so the PC of
 * each parked lane says all. */

struct path parked_path(const struct warp *w, unsigned x, uint32_t lanes) {
  if (!w->its) return (struct path){lanes, w->park_pc[x], 0};
  const uint32_t pc = w->lane_pc[lowest_lane(lanes)];
  uint32_t here = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    if (w->lane_pc[i] == pc) here |= 1u << i;
  return (struct path){lanes & here, pc, 0};
}

/* exec, all active lanes or some, parks at x. */
static void path_park(struct warp *w, unsigned x, uint32_t exec) {
  w->park_pc[x] = w->pc;
  for (uint32_t rest = w->its ? exec : 0; rest != 0; rest &= rest - 1) w->lane_pc[lowest_lane(rest)] = w->pc;
  w->parked[x] |= exec;
  w->active &= ~exec;
  w->pc = pc_after(w, w->pc);
}

/* The members that are parked at x go on. */
void path_release(struct warp *w, unsigned x) {
  uint32_t rest = w->parked[x] & w->member[x];
  barrier_leave(w, x, rest);
  while (rest != 0) {
    const struct path p = parked_path(w, x, rest);
    path_push(w, p.mask, pc_after(w, p.pc));
    rest &= ~p.mask;
  }
}

/* A path that was taken and has not issued has waited all the while. */
static uint32_t active_since(const struct warp *w) {
  return w->taken == w->seq ? w->since : w->moves;
}

bool path_choose(struct warp *w, unsigned lane) {
  if ((w->active >> lane & 1) != 0) return true;
  unsigned d = 0;
  while (d < w->depth && (w->path[d].mask >> lane & 1) == 0) d++;
  if (!w->its || d == w->depth) return false;
  const struct path before = {w->active, w->pc, active_since(w)};
  path_take(w, d);
  w->path[w->depth++] = before;
  w->hashed = false;
  return true;
}

struct path path_starved(const struct warp *w) {
  for (unsigned d = 0; d < w->depth && w->its; d++)
    if (w->moves - w->path[d].since >= WAIT_MOVES) return w->path[d];
  return (struct path){0, 0, 0};
}

/* The instructions that move lanes, as isa/doc/03-divergence.md words them for
 * either unit: what they do to masks and paths. */

static const struct flow no_trap = {.trap = HEDDLE_TRAP_NONE};

/* ---- operands ---- */

/* The 32-bit operand b of the lowest executing lane. */
static uint32_t leader_operand(const struct warp *w, const struct dop *op, uint32_t exec) {
  return source_row(w, &op->src[1], 0)[lowest_lane(exec)];
}

/* Targets of the executing lanes; a trap when one of them is no address of code. */
static struct flow register_targets(const struct warp *w, const struct dop *op, uint32_t exec, uint32_t code_bytes,
                                    uint64_t target[HEDDLE_LANES]) {
  const uint32_t *lo = source_row(w, &op->src[0], 0), *hi = source_row(w, &op->src[0], 1);
  uint32_t bad = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    target[i] = (lo[i] | (uint64_t)hi[i] << 32) + (uint64_t)op->offset;
    if (target[i] >= code_bytes || target[i] % ISA_STEP != 0) bad |= exec & 1u << i;
  }
  if (bad == 0) return no_trap;
  return (struct flow){.trap = HEDDLE_TRAP_BAD_PC, .lanes = bad, .addr = target[lowest_lane(bad)]};
}

void bmov_get(struct warp *w, const struct dop *op, uint32_t exec) {
  uint32_t *rd = w->row[op->rd];
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    if ((exec >> i & 1) != 0) rd[i] = w->member[op->bx];
  w->defined[op->rd] |= exec;
  if (op->clear && exec != 0) w->member[op->bx] = 0;
}

/* ---- instructions; exec is not 0 ---- */

static struct flow advance_pc(struct warp *w) {
  w->pc = pc_after(w, w->pc);
  return no_trap;
}

static struct flow branch_lanes(struct warp *w, uint32_t exec, uint32_t target) {
  const uint32_t stay = w->active & ~exec;
  if (stay != 0) {
    path_push(w, stay, pc_after(w, w->pc));
    w->active = exec;
  }
  w->pc = target;
  return no_trap;
}

static struct flow jump(struct warp *w, uint32_t exec, uint32_t target) {
  if (target % ISA_STEP != 0) return (struct flow){.trap = HEDDLE_TRAP_BAD_PC, .lanes = exec, .addr = target};
  return branch_lanes(w, exec, target);
}

/* Lanes with another target than the lowest one's come to this same instruction again. */
static struct flow indirect(struct warp *w, uint32_t exec, const struct dop *op, uint32_t code_bytes) {
  const uint32_t stay = w->active & ~exec;
  uint64_t target[HEDDLE_LANES];
  const struct flow f = register_targets(w, op, exec, code_bytes, target);
  if (f.trap != HEDDLE_TRAP_NONE) return f;
  const uint64_t first = target[lowest_lane(exec)];
  uint32_t same = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    if (target[i] == first) same |= exec & 1u << i;
  if (stay != 0) path_push(w, stay, pc_after(w, w->pc));
  if ((exec & ~same) != 0) path_push(w, exec & ~same, w->pc);
  w->active = same;
  w->pc = (uint32_t)first;
  return no_trap;
}

/* All that would be released has just come, and nobody else waits for a turn: pushed and popped at once. */
static bool goes_on(const struct warp *w, unsigned x, uint32_t exec) {
  if (exec != w->active || (w->member[x] & ~w->exited & ~w->parked[x] & ~exec) != 0) return false;
  return w->its ? w->parked[x] == 0 && w->depth == 0 : (w->parked[x] & ~w->member[x]) == 0;
}

/* BSYNC, and WARPSYNC once its members stand. */
static struct flow park_at_barrier(struct warp *w, uint32_t exec, unsigned x) {
  const uint32_t strangers = exec & ~w->member[x];
  if (strangers != 0) return (struct flow){.trap = HEDDLE_TRAP_DIVERGENCE, .lanes = strangers};
  if (!w->its && w->parked[x] != 0 && w->park_pc[x] != w->pc)
    return (struct flow){.trap = HEDDLE_TRAP_DIVERGENCE, .lanes = exec};
  if (goes_on(w, x, exec)) {
    w->active |= w->parked[x];
    barrier_leave(w, x, w->active);
    w->turn = 0;
    return advance_pc(w);
  }
  path_park(w, x, exec);
  release_check(w, x);
  return path_pop(w);
}

static struct flow warpsync(struct warp *w, const struct dop *op, uint32_t exec) {
  const uint32_t members = leader_operand(w, op, exec), strangers = exec & ~members;
  if (strangers != 0) return (struct flow){.trap = HEDDLE_TRAP_DIVERGENCE, .lanes = strangers};
  if (w->parked[BARRIER_W] != 0 && w->member[BARRIER_W] != members)
    return (struct flow){.trap = HEDDLE_TRAP_DIVERGENCE, .lanes = exec};
  w->member[BARRIER_W] = members;
  return park_at_barrier(w, exec, BARRIER_W);
}

static struct flow set_members(struct warp *w, unsigned x, uint32_t members) {
  w->member[x] = members;
  release_check(w, x);
  return advance_pc(w);
}

static struct flow exit_lanes(struct warp *w, uint32_t exec) {
  w->exited |= exec;
  w->active &= ~exec;
  w->pc = pc_after(w, w->pc);
  for (unsigned x = 0; x <= BARRIERS; x++) release_check(w, x);
  return path_pop(w);
}

/* Barriers whose members are all here, parked there, or gone let their lanes go: a lock holder among them can then end
 * what the yielding lanes wait for. Not those at a WARPSYNC: what comes after it counts on all of them. */
static struct flow yield(struct warp *w, uint32_t exec) {
  for (unsigned x = 0; x < BARRIERS && w->its; x++) {
    const bool some = (w->parked[x] & w->member[x]) != 0;
    if (some && (w->member[x] & ~w->exited & ~w->parked[x] & ~exec) == 0) path_release(w, x);
  }
  return advance_pc(w);
}

static struct flow carry_out_divergence(const struct heddle_model *m, struct warp *w, const struct dop *op,
                                        uint32_t exec) {
  const unsigned x = op->bx;
  switch ((enum sem_control)op->control) {
  case SEM_JMP:
    return jump(w, exec, op->target);
  case SEM_BRA:
    return branch_lanes(w, exec, op->target);
  case SEM_BRX:
    return indirect(w, exec, op, m->launch.code_bytes);
  case SEM_BSYNC:
    return park_at_barrier(w, exec, x);
  case SEM_BREAK:
    return set_members(w, x, w->member[x] & ~exec);
  case SEM_BMOV_SET:
    return set_members(w, x, leader_operand(w, op, exec));
  case SEM_WARPSYNC:
    return warpsync(w, op, exec);
  case SEM_EXIT:
    return exit_lanes(w, exec);
  case SEM_YIELD:
    return yield(w, exec);
  default: /* NANOSLEEP */
    return advance_pc(w);
  }
}

/* its: the active path goes to the end of the queue when its turn is over and somebody waits. */
static void end_turn(struct warp *w, const struct dop *op) {
  const bool over = w->turn == TURN_MOVES || op->control == SEM_YIELD || op->control == SEM_NANOSLEEP;
  if (!over || w->depth == 0) return;
  path_push(w, w->active, w->pc);
  path_take(w, 0);
}

struct flow diverge_execute(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  if (exec == 0) return advance_pc(w);
  if (!w->its) return carry_out_divergence(m, w, op, exec);
  w->moves++;
  if (w->turn < TURN_MOVES) w->turn++;
  const struct flow f = carry_out_divergence(m, w, op, exec);
  if (f.trap == HEDDLE_TRAP_NONE) end_turn(w, op);
  return f;
}
