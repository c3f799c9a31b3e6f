/* SPDX-License-Identifier: Apache-2.0
 *
 * The paths of a warp, as isa/doc/03-divergence.md words them. Under `its` the
 * lanes that are parked at one barrier with one PC are one path, so the PC of
 * each parked lane says all.
 */
#include "cmodel/core/state.h"

struct path parked_path(const struct warp *w, unsigned x, uint32_t lanes) {
  if (!w->its) return (struct path){lanes, w->park_pc[x], 0};
  const uint32_t pc = w->lane_pc[lowest_lane(lanes)];
  uint32_t here = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    if (w->lane_pc[i] == pc) here |= 1u << i;
  return (struct path){lanes & here, pc, 0};
}

void path_park(struct warp *w, unsigned x, uint32_t exec) {
  w->park_pc[x] = w->pc;
  for (uint32_t rest = w->its ? exec : 0; rest != 0; rest &= rest - 1) w->lane_pc[lowest_lane(rest)] = w->pc;
  w->parked[x] |= exec;
  w->active &= ~exec;
  w->pc = pc_after(w, w->pc);
}

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
