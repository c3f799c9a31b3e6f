/* SPDX-License-Identifier: Apache-2.0
 *
 * The divergence hash of isa/doc/03-divergence.md, for either unit.
 */
#include "cmodel/core/state.h"

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
