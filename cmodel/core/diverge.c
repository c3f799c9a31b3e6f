/* SPDX-License-Identifier: Apache-2.0
 *
 * The `stack` divergence unit, as isa/doc/03-divergence.md words it.
 */
#include <assert.h>

#include "state.h"

static const struct flow no_trap = {HEDDLE_TRAP_NONE, 0, 0};

static uint64_t rotl64(uint64_t v, unsigned r) {
  return r == 0 ? v : v << r | v >> (64 - r);
}

static uint64_t hash_item(unsigned tag, uint32_t pc, uint32_t mask, unsigned r) {
  const uint64_t item = (uint64_t)(tag & 0xffu) << 56 | (uint64_t)(pc & 0xffffffu) << 32 | mask;
  return mask == 0 ? 0 : rotl64(item, r % 64);
}

uint64_t diverge_hash(const struct warp *w) {
  uint64_t h = hash_item(0x10, 0, w->exited, 7);
  for (unsigned d = 0; d < w->depth; d++) h ^= hash_item(0x80 + d, w->path[d].pc, w->path[d].mask, 2 * d + 1);
  for (unsigned x = 0; x < BARRIERS; x++) {
    h ^= hash_item(0x20 + x, 0, w->member[x], 3 * x + 2);
    h ^= hash_item(0x40 + x, w->park_pc[x], w->parked[x], 3 * x + 17);
  }
  return h;
}

static void push(struct warp *w, uint32_t mask, uint32_t pc) {
  assert(mask != 0 && w->depth < PATHS_MAX);
  w->path[w->depth++] = (struct path){mask, pc};
}

/* When every live member of x is parked there, they go on behind the BSYNC. */
static void release_check(struct warp *w, unsigned x) {
  const uint32_t parked = w->parked[x];
  if (parked == 0 || (w->member[x] & ~w->exited & ~parked) != 0) return;
  const uint32_t free = parked & w->member[x];
  w->parked[x] &= ~free;
  w->member[x] &= ~free;
  if (free != 0) push(w, free, w->park_pc[x] + ISA_WORD_BYTES);
}

/* With nothing active: the top waiting path, or the end, or a deadlock. */
static struct flow pop(struct warp *w) {
  if (w->active != 0) return no_trap;
  if (w->depth > 0) {
    const struct path p = w->path[--w->depth];
    w->active = p.mask;
    w->pc = p.pc;
    return no_trap;
  }
  if (warp_live(w) == 0) return no_trap;
  return (struct flow){HEDDLE_TRAP_DEADLOCK, warp_live(w), 0};
}

struct flow diverge_branch(struct warp *w, uint32_t exec, uint32_t target) {
  const uint32_t next = w->pc + ISA_WORD_BYTES, stay = w->active & ~exec;
  if (exec == 0) {
    w->pc = next;
    return no_trap;
  }
  if (stay != 0) push(w, stay, next);
  w->active = exec;
  w->pc = target;
  return no_trap;
}

struct flow diverge_indirect(struct warp *w, uint32_t exec, const struct dop *op, uint32_t code_bytes) {
  const uint32_t next = w->pc + ISA_WORD_BYTES, here = w->pc, stay = w->active & ~exec;
  if (exec == 0) {
    w->pc = next;
    return no_trap;
  }
  const uint32_t *lo = source_row(w, &op->src[0], 0), *hi = source_row(w, &op->src[0], 1);
  const unsigned leader = lowest_lane(exec);
  uint64_t target[HEDDLE_LANES] = {0};
  uint32_t bad = 0, same = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    if ((exec >> i & 1) == 0) continue;
    target[i] = (lo[i] | (uint64_t)hi[i] << 32) + (uint64_t)op->offset;
    if (target[i] >= code_bytes || target[i] % ISA_WORD_BYTES != 0) bad |= 1u << i;
    if (target[i] == target[leader]) same |= 1u << i;
  }
  if (bad != 0) return (struct flow){HEDDLE_TRAP_BAD_PC, bad, target[lowest_lane(bad)]};
  if (stay != 0) push(w, stay, next);
  if ((exec & ~same) != 0) push(w, exec & ~same, here);
  w->active = same;
  w->pc = (uint32_t)target[leader];
  return no_trap;
}

void diverge_bssy(struct warp *w, uint32_t exec, unsigned x) {
  w->member[x] |= exec;
  w->pc += ISA_WORD_BYTES;
}

struct flow diverge_bsync(struct warp *w, uint32_t exec, unsigned x) {
  const uint32_t strangers = exec & ~w->member[x];
  if (strangers != 0) return (struct flow){HEDDLE_TRAP_DIVERGENCE, strangers, 0};
  if (exec != 0 && w->parked[x] != 0 && w->park_pc[x] != w->pc) return (struct flow){HEDDLE_TRAP_DIVERGENCE, exec, 0};
  if (exec != 0) {
    w->park_pc[x] = w->pc;
    w->parked[x] |= exec;
    w->active &= ~exec;
  }
  w->pc += ISA_WORD_BYTES;
  if (exec == 0) return no_trap;
  release_check(w, x);
  return pop(w);
}

void diverge_break(struct warp *w, uint32_t exec, unsigned x) {
  w->member[x] &= ~exec;
  w->pc += ISA_WORD_BYTES;
  release_check(w, x);
}

struct flow diverge_exit(struct warp *w, uint32_t exec) {
  w->exited |= exec;
  w->active &= ~exec;
  w->pc += ISA_WORD_BYTES;
  for (unsigned x = 0; x < BARRIERS; x++) release_check(w, x);
  return pop(w);
}
