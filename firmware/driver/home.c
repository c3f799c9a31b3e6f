/* SPDX-License-Identifier: Apache-2.0
 * Pages of unified memory go home: when the device has come to rest, where the host touches them, where others need
 * their room. While a grid runs: evict.c. */
#include "firmware/driver/internal.h"
#include "firmware/driver/unified.h"

void unified_let_host_write(const struct heddle_context *c, uint64_t page, bool may) {
  const struct heddle_unified *h = c->device->unified;
  if (h && h->protect) (void)h->protect(h->self, unified_host_of(page), PAGE, may);
}

static bool is_watched(const struct heddle_context *c) {
  const struct heddle_unified *h = c->device->unified;
  return h && h->protect;
}

enum heddle_error unified_copy_home(struct heddle_context *c, const struct space_frame *f) {
  c->unified_info.copied++;
  return driver_read_memory(c, f->at, unified_host_of(f->page), PAGE) ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
}

/* At rest: memory has everything. A page that stays is clean, and the host may read it. */
static enum heddle_error send_home(struct heddle_context *c, struct space_frame *f, bool stays) {
  struct heddle_page p = {.size = sizeof p};
  uint64_t old = 0;
  enum heddle_error e = HEDDLE_SUCCESS;
  (void)space_find(c, f->page, &p);
  const uint64_t clean = f->at | HEDDLE_ENTRY_PRESENT | HEDDLE_ENTRY_PAGE | HEDDLE_ENTRY_WRITE;
  if (space_swap(c, p.entry_at, stays ? clean : 0, &old) != HEDDLE_SUCCESS) e = HEDDLE_ERROR_BUS;
  c->space.stale = true;
  if (c->space.unsure || (old & HEDDLE_ENTRY_DIRTY) != 0) {
    unified_let_host_write(c, f->page, true);
    if (unified_copy_home(c, f) != HEDDLE_SUCCESS) e = HEDDLE_ERROR_BUS;
    unified_let_host_write(c, f->page, !stays);
  }
  if (stays) return e;
  unified_let_host_write(c, f->page, true);
  space_frames_give(c, f);
  return e;
}

/* Where its owner hears of what the host touches pages stay; but not behind a grid that did not end well. */
enum heddle_error driver_come_home(struct heddle_context *c, bool ended_well) {
  enum heddle_error e = HEDDLE_SUCCESS;
  if (!c->space.open) return e;
  c->space.unsure = !ended_well;
  for (struct space_frame *f = c->space.oldest, *next; f; f = next) {
    next = f->next;
    const enum heddle_error one = send_home(c, f, ended_well && is_watched(c));
    if (one != HEDDLE_SUCCESS) e = one;
  }
  if (!ended_well && space_rewrite(c) != HEDDLE_SUCCESS) e = HEDDLE_ERROR_BUS;
  c->space.unsure = false;
  space_frames_trim(c);
  return e;
}

/* At rest. */
static enum heddle_error send_range_home(struct heddle_context *c, uint64_t at, uint64_t bytes) {
  enum heddle_error e = HEDDLE_SUCCESS;
  for (struct space_frame *f = c->space.oldest, *next; f; f = next) {
    next = f->next;
    if (f->page + PAGE <= at || f->page >= at + bytes) continue;
    const enum heddle_error one = send_home(c, f, false);
    if (one != HEDDLE_SUCCESS) e = one;
  }
  return e;
}

bool driver_give_up_pages(struct heddle_context *c) {
  if (c->space.resident == 0 || driver_runs(c)) return false;
  if (send_range_home(c, 0, HOST_HIGHEST) != HEDDLE_SUCCESS) return false;
  space_frames_trim(c);
  return true;
}

enum heddle_error driver_unified_host(struct heddle_context *c, uint64_t at, uint64_t bytes) {
  return c->space.resident > 0 && bytes > 0 ? send_range_home(c, at, bytes) : HEDDLE_SUCCESS;
}

enum heddle_error heddle_unified_touch(struct heddle_context *c, const void *at) {
  if (!c) return HEDDLE_ERROR_INVALID_VALUE;
  const uint64_t page = (uint64_t)(uintptr_t)at / PAGE * PAGE;
  if (!driver_unified_at(c, page, 1)) return HEDDLE_ERROR_INVALID_ADDRESS;
  const enum heddle_error e = driver_runs(c) ? heddle_synchronize(c, HEDDLE_FOREVER) : HEDDLE_SUCCESS;
  const enum heddle_error home = send_range_home(c, page, PAGE);
  unified_let_host_write(c, page, true);
  return e != HEDDLE_SUCCESS ? e : home;
}
