/* SPDX-License-Identifier: Apache-2.0
 * Where a launch stops: breakpoints, and places in memory that are watched. */
#include <string.h>

#include "tools/debug/target.h"

bool target_breaks_at(const struct target *t, uint32_t pc) {
  for (unsigned i = 0; i < t->breaks; i++)
    if (t->brk[i] == pc) return true;
  return false;
}

bool target_break(struct target *t, uint64_t pc, bool set) {
  unsigned i = 0;
  while (i < t->breaks && t->brk[i] != pc) i++;
  if (set && i == TARGET_BREAKS_MAX) return false;
  if (set && i == t->breaks) t->brk[t->breaks++] = pc;
  if (!set && i < t->breaks) t->brk[i] = t->brk[--t->breaks];
  return true;
}

/* Behind the end of its thread nobody sees the place any more. */
static void look(const struct target *t, struct target_watch *w) {
  const bool gone = w->thread != 0 && target_thread(t, w->slot, w->lane) != w->thread;
  w->known = !gone && target_look(t, w->slot, w->lane, w->address, w->was, w->bytes) == w->bytes;
}

bool target_watch(struct target *t, unsigned slot, unsigned lane, uint64_t address, size_t bytes, bool set) {
  unsigned i = 0;
  while (i < t->watches && (t->watch[i].address != address || t->watch[i].bytes != bytes)) i++;
  if (!set && i < t->watches) t->watch[i] = t->watch[--t->watches];
  if (!set || i < t->watches) return true;
  if (i == TARGET_WATCHES_MAX || bytes == 0 || bytes > TARGET_WATCH_BYTES) return false;
  t->watch[t->watches++] = (struct target_watch){.address = address,
                                                 .bytes = bytes,
                                                 .slot = slot,
                                                 .lane = lane,
                                                 .thread = address >> 56 != 0 ? target_thread(t, slot, lane) : 0};
  look(t, &t->watch[i]);
  return true;
}

bool target_changed(struct target *t, uint64_t *address) {
  bool changed = false;
  for (unsigned i = 0; i < t->watches; i++) {
    const struct target_watch before = t->watch[i];
    look(t, &t->watch[i]);
    if (!before.known || !t->watch[i].known || memcmp(before.was, t->watch[i].was, before.bytes) == 0) continue;
    *address = before.address;
    changed = true;
  }
  return changed;
}
