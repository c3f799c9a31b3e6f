/* SPDX-License-Identifier: Apache-2.0
 * Frames: pieces of the heap of up to 16 frames, taken as they are needed and given back when none of a piece is used.
 * What is free no cache has lines of: the device never reached it, or its lines were given up (evict.c). */
#include "firmware/driver/internal.h"

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

unsigned space_frames_beside(const struct heddle_context *c, const struct space_frame *f,
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
