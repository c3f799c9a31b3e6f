/* SPDX-License-Identifier: Apache-2.0
 * Pages give way while a grid runs (isa/doc/18-virtual-memory.md, "Take a page away").
 *
 * Which page gives way: the one that came first. A bits would say which was used lately only if they were taken away
 * from time to time, each by an EXCHANGE, and translations with them; grids run through their data in order, where that
 * finds nothing better. */
#include "firmware/driver/internal.h"
#include "firmware/driver/unified.h"

/* Lines of [at, limit) go to memory, and no cache has them. */
static enum heddle_error flush(struct heddle_context *c, uint64_t at, uint64_t limit) {
  const struct {
    uint32_t reg, value;
  } word[] = {{HEDDLE_REG_CACHE_BASE, (uint32_t)at},
              {HEDDLE_REG_CACHE_BASE + 4, (uint32_t)(at >> 32)},
              {HEDDLE_REG_CACHE_LIMIT, (uint32_t)limit},
              {HEDDLE_REG_CACHE_LIMIT + 4, (uint32_t)(limit >> 32)},
              {HEDDLE_REG_CONTROL, HEDDLE_CONTROL_FLUSH | HEDDLE_CONTROL_EMPTY}};
  if (c->device->l2_bytes == 0) return HEDDLE_SUCCESS;
  for (size_t i = 0; i < sizeof word / sizeof *word; i++)
    if (!driver_write32(c, word[i].reg, word[i].value)) return HEDDLE_ERROR_BUS;
  return space_wait(c, HEDDLE_STATUS_FLUSHING, "FLUSH") ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
}

struct leaving {
  struct space_frame *frame;
  bool dirty;
};

static enum heddle_error make_absent(struct heddle_context *c, struct leaving *gone, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    struct heddle_page p = {.size = sizeof p};
    uint64_t old = 0;
    (void)space_find(c, gone[i].frame->page, &p);
    const enum heddle_error e = space_swap(c, p.entry_at, 0, &old);
    if (e != HEDDLE_SUCCESS) return e;
    gone[i].dirty = (old & HEDDLE_ENTRY_DIRTY) != 0;
  }
  return HEDDLE_SUCCESS;
}

/* Frames side by side are one range. */
static enum heddle_error flush_frames(struct heddle_context *c, const struct leaving *gone, unsigned count) {
  enum heddle_error e = HEDDLE_SUCCESS;
  for (unsigned i = 0, k; i < count && e == HEDDLE_SUCCESS; i = k) {
    for (k = i + 1; k < count && gone[k].frame->at == gone[k - 1].frame->at + PAGE;) k++;
    e = flush(c, gone[i].frame->at, gone[k - 1].frame->at + PAGE);
  }
  return e;
}

static enum heddle_error evict(struct heddle_context *c, struct leaving *gone, unsigned count) {
  if (count == 0) return HEDDLE_SUCCESS;
  enum heddle_error e = make_absent(c, gone, count);
  if (e == HEDDLE_SUCCESS) e = space_invalidate(c, count > 1, gone[0].frame->page);
  if (e == HEDDLE_SUCCESS) e = flush_frames(c, gone, count);
  for (unsigned i = 0; i < count && e == HEDDLE_SUCCESS; i++) {
    const uint64_t page = gone[i].frame->page;
    unified_let_host_write(c, page, true);
    if (gone[i].dirty) e = unified_copy_home(c, gone[i].frame);
    space_frames_give(c, gone[i].frame);
    c->unified_info.evicted++;
  }
  return e;
}

enum heddle_error unified_evict_until(struct heddle_context *c, uint32_t frames) {
  struct leaving gone[PAGES_AT_ONCE];
  unsigned n = 0;
  for (struct space_frame *f = c->space.oldest; f && n < PAGES_AT_ONCE && c->space.free + n < frames; f = f->next)
    gone[n++].frame = f;
  return evict(c, gone, n);
}

enum heddle_error unified_make_room_for_tables(struct heddle_context *c) {
  struct space_frame *list[CHUNK_FRAMES];
  struct leaving gone[CHUNK_FRAMES];
  enum heddle_error e = space_frames_grow(c, SPACE_TABLES, true);
  if (e != HEDDLE_SUCCESS || c->space.tables_free >= SPACE_TABLES || !c->space.oldest) return e;
  const unsigned n = space_frames_beside(c, c->space.oldest, list);
  for (unsigned i = 0; i < n; i++) gone[i].frame = list[i];
  e = evict(c, gone, n);
  space_frames_trim(c);
  return e == HEDDLE_SUCCESS ? space_frames_grow(c, SPACE_TABLES, true) : e;
}
