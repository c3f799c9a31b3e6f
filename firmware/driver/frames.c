/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames, and how pages leave them. Frames are pieces of the heap of up to 16 frames, taken as they are needed and
 * given back when none of a piece is used. What is free no cache has lines of: the device never reached it, or its
 * lines were given up. */
#include "firmware/driver/internal.h"
#include "firmware/driver/space.h"

static enum heddle_error list_grows(struct heddle_context *c) {
  enum { FIRST = 16 };
  struct space *s = &c->space;
  if (s->chunks < s->room) return HEDDLE_SUCCESS;
  const size_t room = s->room > 0 ? 2 * s->room : FIRST;
  struct space_chunk **more = pool_take(c->device->pool, room * sizeof(struct space_chunk *));
  if (!more) return HEDDLE_ERROR_HOST_MEMORY;
  for (size_t i = 0; i < s->chunks; i++) more[i] = s->chunk[i];
  pool_give(c->device->pool, s->chunk);
  s->chunk = more;
  s->room = room;
  return HEDDLE_SUCCESS;
}

/* Chunks that begin at or before `at`. */
static size_t chunks_to(const struct space *s, uint64_t at) {
  size_t low = 0, high = s->chunks;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (s->chunk[middle]->at <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void insert_chunk(struct space *s, struct space_chunk *x) {
  size_t i = chunks_to(s, x->at);
  for (size_t k = s->chunks++; k > i; k--) s->chunk[k] = s->chunk[k - 1];
  s->chunk[i] = x;
}

/* OUT_OF_MEMORY without words: there is no room for so many in a row. */
static enum heddle_error add_chunk(struct heddle_context *c, unsigned frames, uint64_t align, bool tables,
                                   struct space_chunk **out) {
  struct space *s = &c->space;
  uint64_t at;
  enum heddle_error e = list_grows(c);
  struct space_chunk *x = e == HEDDLE_SUCCESS ? pool_take(c->device->pool, sizeof *x) : NULL;
  if (!x) return HEDDLE_ERROR_HOST_MEMORY;
  const enum heap_result r = heap_take_aligned(&c->heap, frames * HEDDLE_PAGE_SMALL, HEAP_FRAMES, align, &at);
  if (r != HEAP_OK) {
    pool_give(c->device->pool, x);
    return r == HEAP_FULL ? HEDDLE_ERROR_OUT_OF_MEMORY : HEDDLE_ERROR_HOST_MEMORY;
  }
  x->at = at;
  x->frames = frames;
  x->tables = tables;
  for (unsigned i = 0; i < frames; i++) x->frame[i].at = at + i * HEDDLE_PAGE_SMALL;
  insert_chunk(s, x);
  *(tables ? &s->tables_free : &s->free) += frames;
  if (!tables) s->frames += frames;
  *out = x;
  return HEDDLE_SUCCESS;
}

enum heddle_error space_frames_grow(struct heddle_context *c, uint64_t want, bool tables) {
  struct space *s = &c->space;
  const uint64_t *free = tables ? &s->tables_free : &s->free, most = tables ? 0 : s->most;
  struct space_chunk *x;
  enum heddle_error e = HEDDLE_SUCCESS;
  unsigned step = CHUNK_FRAMES;
  while (*free < want && step > 0 && e != HEDDLE_ERROR_HOST_MEMORY) {
    const uint64_t left = most > s->frames ? most - s->frames : 0;
    if (most > 0 && left < step) step = (unsigned)left;
    if (step > 0) e = add_chunk(c, step, HEDDLE_PAGE_SMALL, tables, &x);
    if (e == HEDDLE_ERROR_OUT_OF_MEMORY) step /= 4;
  }
  return e == HEDDLE_ERROR_HOST_MEMORY ? e : HEDDLE_SUCCESS;
}

static bool is_free(const struct space_frame *f) {
  return f->page == 0 && !f->table;
}

struct space_frame *space_frames_take(struct heddle_context *c, bool tables) {
  struct space *s = &c->space;
  uint64_t *free = tables ? &s->tables_free : &s->free;
  for (size_t i = s->chunks; i-- > 0 && *free > 0;) {
    struct space_chunk *x = s->chunk[i];
    for (unsigned k = 0; x->tables == tables && k < x->frames && x->used < x->frames; k++) {
      if (!is_free(&x->frame[k])) continue;
      x->used++;
      --*free;
      return &x->frame[k];
    }
  }
  return NULL;
}

/* NULL: none. */
static struct space_chunk *chunk_of(const struct space *s, uint64_t at) {
  const size_t i = chunks_to(s, at);
  if (i == 0) return NULL;
  struct space_chunk *x = s->chunk[i - 1];
  return at - x->at < x->frames * HEDDLE_PAGE_SMALL ? x : NULL;
}

struct space_frame *space_frames_at(const struct heddle_context *c, uint64_t at) {
  struct space_chunk *x = chunk_of(&c->space, at);
  return x ? &x->frame[(at - x->at) / HEDDLE_PAGE_SMALL] : NULL;
}

void space_frames_hold(struct heddle_context *c, struct space_frame *f, uint64_t page) {
  struct space *s = &c->space;
  f->page = page;
  f->next = NULL;
  f->before = s->latest;
  if (s->latest)
    s->latest->next = f;
  else
    s->oldest = f;
  s->latest = f;
  s->resident++;
}

void space_frames_give(struct heddle_context *c, struct space_frame *f) {
  struct space *s = &c->space;
  if (f->page != 0) {
    if (f->before)
      f->before->next = f->next;
    else
      s->oldest = f->next;
    if (f->next)
      f->next->before = f->before;
    else
      s->latest = f->before;
    s->resident--;
  }
  pool_give(c->device->pool, f->table);
  f->table = NULL;
  f->page = 0;
  f->next = f->before = NULL;
  struct space_chunk *x = chunk_of(s, f->at);
  x->used--;
  ++*(x->tables ? &s->tables_free : &s->free);
}

static unsigned space_frames_beside(const struct heddle_context *c, const struct space_frame *f,
                                    struct space_frame *list[CHUNK_FRAMES]) {
  struct space_chunk *x = chunk_of(&c->space, f->at);
  unsigned n = 0;
  for (unsigned k = 0; k < x->frames; k++)
    if (x->frame[k].page != 0) list[n++] = &x->frame[k];
  return n;
}

enum heddle_error space_frames_take_root(struct heddle_context *c, struct space_frame **first) {
  struct space_chunk *x;
  const enum heddle_error e = add_chunk(c, 2, HEDDLE_PAGE_ROOT, true, &x);
  if (e == HEDDLE_ERROR_OUT_OF_MEMORY) return driver_fail(c, e, "no 8192 bytes of device memory for a page table");
  if (e != HEDDLE_SUCCESS) return e;
  x->used = 2;
  c->space.tables_free -= 2;
  *first = &x->frame[0];
  return HEDDLE_SUCCESS;
}

void space_frames_trim(struct heddle_context *c) {
  struct space *s = &c->space;
  size_t left = 0;
  for (size_t i = 0; i < s->chunks; i++) {
    struct space_chunk *x = s->chunk[i];
    if (x->used > 0) {
      s->chunk[left++] = x;
      continue;
    }
    *(x->tables ? &s->tables_free : &s->free) -= x->frames;
    if (!x->tables) s->frames -= x->frames;
    (void)heap_give(&c->heap, x->at, HEAP_FRAMES);
    pool_give(c->device->pool, x);
  }
  s->chunks = left;
}

void space_frames_drop(struct heddle_context *c) {
  struct space *s = &c->space;
  for (size_t i = 0; i < s->chunks; i++) {
    for (unsigned k = 0; k < s->chunk[i]->frames; k++) pool_give(c->device->pool, s->chunk[i]->frame[k].table);
    (void)heap_give(&c->heap, s->chunk[i]->at, HEAP_FRAMES);
    pool_give(c->device->pool, s->chunk[i]);
  }
  pool_give(c->device->pool, s->chunk);
  const uint64_t most = s->most;
  *s = (struct space){.most = most};
}

/* Pages of unified memory go home: when the device has come to rest, where the host touches them, where others need
 * their room. */

void unified_let_host_write(const struct heddle_context *c, uint64_t page, bool may) {
  const struct heddle_unified *h = c->device->unified;
  if (h && h->protect) (void)h->protect(h->self, unified_host_of(page), PAGE, may);
}

static bool is_watched(const struct heddle_context *c) {
  const struct heddle_unified *h = c->device->unified;
  return h && h->protect;
}

/* The frame's page is copied to the host; tables stay as they are. */
static enum heddle_error unified_copy_home(struct heddle_context *c, const struct space_frame *f) {
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

/* Pages give way while a grid runs (isa/doc/18-virtual-memory.md, "Take a page away").
 *
 * Which page gives way: the one that came first. A bits would say which was used lately only if they were taken away
 * from time to time, each by an EXCHANGE, and translations with them; grids run through their data in order, where that
 * finds nothing better. */

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
