/* SPDX-License-Identifier: Apache-2.0
 * Where a launch stops: breakpoints, and places in memory that are watched. */
#include <string.h>

#include "run/debug/agent.h"
#include "run/debug/target.h"

static bool is_met(const struct target *t, unsigned w, unsigned lane, const struct target_break *b) {
  bool met = false;
  for (uint32_t at = 0; at < b->bytes && !met; at += 1 + b->condition[at]) {
    uint64_t value = 0;
    met = !agent_evaluate(t, w, lane, b->condition + at + 1, b->condition[at], &value) || value != 0;
  }
  return met;
}

uint32_t target_breaks(const struct target *t, unsigned w, uint32_t pc, uint32_t lanes) {
  unsigned i = 0;
  while (i < t->breaks && t->brk[i].pc != pc) i++;
  if (i == t->breaks) return 0;
  const struct target_break *b = &t->brk[i];
  uint32_t stops = b->bytes == 0 ? lanes : 0;
  for (uint32_t rest = b->bytes == 0 ? 0 : lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    if (is_met(t, w, lane, b)) stops |= 1u << lane;
  }
  return stops;
}

bool target_break(struct target *t, const struct target_break *b, bool set) {
  unsigned i = 0;
  while (i < t->breaks && t->brk[i].pc != b->pc) i++;
  if (set && i == TARGET_BREAKS_MAX) return false;
  if (set && i == t->breaks) t->breaks++;
  if (set) t->brk[i] = *b;
  if (!set && i < t->breaks) t->brk[i] = t->brk[--t->breaks];
  return true;
}

void target_keep_breaks(struct target *t) {
  t->keeps = t->breaks;
  for (unsigned i = 0; i < t->breaks; i++) t->kept[i] = t->brk[i].pc;
}

bool target_is_kept(const struct target *t, uint32_t pc) {
  bool is = false;
  for (unsigned i = 0; i < t->keeps && !is; i++) is = t->kept[i] == pc;
  return is;
}

/* Behind the end of its thread nobody sees the place any more. */
static void read_watched(const struct target *t, struct target_watch *w) {
  const bool gone = w->thread != 0 && target_thread(t, w->slot, w->lane) != w->thread;
  w->known = !gone && target_look(t, w->slot, w->lane, w->address, w->was, w->bytes) == w->bytes;
}

static bool same_watch(const struct target_watch *a, const struct target_watch *b) {
  return a->kind == b->kind && a->address == b->address && a->bytes == b->bytes;
}

bool target_watch(struct target *t, unsigned slot, unsigned lane, const struct target_watch *w, bool set) {
  unsigned i = 0;
  while (i < t->watches && !same_watch(&t->watch[i], w)) i++;
  if (!set && i < t->watches) t->watch[i] = t->watch[--t->watches];
  if (!set || i < t->watches) return true;
  if (i == TARGET_WATCHES_MAX || w->bytes == 0 || w->bytes > TARGET_WATCH_BYTES) return false;
  struct target_watch *to = &t->watch[t->watches++];
  *to = *w;
  to->slot = slot;
  to->lane = lane;
  to->thread = w->address >> 56 != 0 ? target_thread(t, slot, lane) : 0;
  read_watched(t, to);
  return true;
}

static bool met(const struct target *t, struct target_watch *w) {
  const struct target_watch before = *w;
  w->touched = false;
  if (w->kind != TARGET_WRITES) return before.touched;
  read_watched(t, w);
  return before.known && w->known && memcmp(before.was, w->was, before.bytes) != 0;
}

bool target_met(struct target *t, struct target_stop *stop) {
  bool any = false;
  for (unsigned i = 0; i < t->watches; i++) {
    struct target_watch *w = &t->watch[i];
    if (!met(t, w)) continue;
    stop->why = TARGET_WATCH;
    stop->address = w->address;
    stop->kind = w->kind;
    any = true;
  }
  return any;
}

/* ---- accesses ---- */

/* Is the place seen by this lane? Shared memory is its block's, local memory its own. */
static bool is_owner(const struct target *t, const struct target_watch *w, const struct heddle_actor *by,
                     unsigned lane) {
  const uint32_t *b = t->job->launch.block;
  const uint64_t threads = (uint64_t)b[0] * b[1] * b[2], first = 1 + by->block * threads;
  if (w->address >> 56 == TARGET_SHARED >> 56) return w->thread >= first && w->thread - first < threads;
  return w->address >> 56 == 0 || w->thread == first + (uint64_t)by->warp * HEDDLE_LANES + lane;
}

static void touch(struct target *t, const struct heddle_observed_access *a, const uint64_t *addr, uint64_t window) {
  for (uint32_t rest = a->by.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    const uint64_t at = window | addr[lane];
    for (unsigned i = 0; i < t->watches; i++) {
      struct target_watch *w = &t->watch[i];
      const bool meets = at < w->address + w->bytes && w->address < at + a->bytes;
      if (meets && is_owner(t, w, &a->by, lane)) w->touched = true;
    }
  }
}

uint32_t target_observe(void *ctx, const struct heddle_observed_access *a) {
  struct target *t = ctx;
  const uint64_t window = a->space == ISA_SPACE_SHARED ? TARGET_SHARED : a->space == ISA_SPACE_LOCAL ? TARGET_LOCAL : 0;
  const bool reads = a->kind != HEDDLE_ACCESS_STORE && a->kind != HEDDLE_ACCESS_REDUCTION;
  bool any = false;
  for (unsigned i = 0; i < t->watches; i++)
    any = any || t->watch[i].kind == TARGET_ACCESSES || (reads && t->watch[i].kind == TARGET_READS);
  if (any) touch(t, a, a->addr, a->copy_addr ? 0 : window);
  if (any && a->copy_addr) touch(t, a, a->copy_addr, TARGET_SHARED);
  return a->by.lanes;
}
