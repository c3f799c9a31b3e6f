/* SPDX-License-Identifier: Apache-2.0
 *
 * The divergence hash of isa/doc/03-divergence.md, for either unit.
 */
#include "state.h"

enum { TAG_EXITED = 0x10, TAG_MEMBER = 0x20, TAG_PARKED = 0x40, TAG_RUNS = 0x60, TAG_PATH = 0x80, TAG_WAITS = 0x80 };

static uint64_t item(unsigned tag, uint32_t pc, uint32_t mask, unsigned r) {
  const uint64_t v = (uint64_t)(tag & 0xffu) << 56 | (uint64_t)(pc & 0xffffffu) << 32 | mask;
  r %= 64;
  if (mask == 0) return 0;
  return r == 0 ? v : v << r | v >> (64 - r);
}

static uint64_t of_stack(const struct warp *w) {
  uint64_t h = 0;
  for (unsigned d = 0; d < w->depth; d++) h ^= item(TAG_PATH + d, w->path[d].pc, w->path[d].mask, 2 * d + 1);
  for (unsigned x = 0; x <= BARRIERS; x++)
    h ^= item(TAG_PARKED + x, w->park_pc[x], w->parked[x], x == BARRIER_W ? 53 : 3 * x + 17);
  return h;
}

static uint64_t of_runnable(uint32_t lanes, uint32_t pc) {
  uint64_t h = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) h ^= item(TAG_RUNS + i, pc, lanes & 1u << i, i);
  return h;
}

static uint64_t of_its(const struct warp *w) {
  uint64_t h = of_runnable(w->active, w->pc);
  for (unsigned d = 0; d < w->depth; d++) h ^= of_runnable(w->path[d].mask, w->path[d].pc);
  for (unsigned x = 0; x <= BARRIERS; x++)
    for (unsigned i = 0; i < HEDDLE_LANES; i++)
      h ^= item(TAG_WAITS + i, w->lane_pc[i], w->parked[x] & 1u << i, i + 5 * (x + 1));
  return h;
}

static uint64_t fresh(const struct warp *w) {
  uint64_t h = item(TAG_EXITED, 0, w->exited, 7);
  for (unsigned x = 0; x <= BARRIERS; x++) h ^= item(TAG_MEMBER + x, 0, w->member[x], 3 * x + 2);
  return h ^ (w->its ? of_its(w) : of_stack(w));
}

/* Under `stack` only control instructions change it; under `its` every instruction does, by its PC. */
uint64_t diverge_hash(struct warp *w) {
  if (w->its) return fresh(w);
  if (!w->hashed) w->hash = fresh(w);
  w->hashed = true;
  return w->hash;
}
