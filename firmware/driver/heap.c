/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: the driver's own of a pool, the device's of a heap, which is first fit over a sorted list. */
#include "heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The block is pieces one behind the other, each with its bytes in front. Free neighbours become one when room is
 * looked for. */

struct piece {
  _Alignas(max_align_t) size_t bytes; /* with this */
  bool taken;
};

static struct piece *at(const struct pool *p, size_t i) {
  return (struct piece *)(void *)(p->memory + i);
}

bool pool_init(struct pool *p, void *memory, size_t bytes) {
  const size_t align = _Alignof(max_align_t), off = (align - (uintptr_t)memory % align) % align;
  *p = (struct pool){.memory = NULL};
  if (!memory) return true;
  if (bytes < off || (bytes - off) / align * align < 2 * sizeof(struct piece)) return false;
  *p = (struct pool){(unsigned char *)memory + off, (bytes - off) / align * align};
  *at(p, 0) = (struct piece){.bytes = p->bytes};
  return true;
}

/* Takes `need` of the free piece at i; what remains becomes a piece if it can be one. */
static void *cut(const struct pool *p, size_t i, size_t need) {
  struct piece *x = at(p, i);
  if (x->bytes - need >= 2 * sizeof *x) {
    *at(p, i + need) = (struct piece){.bytes = x->bytes - need};
    x->bytes = need;
  }
  x->taken = true;
  return memset(x + 1, 0, x->bytes - sizeof *x);
}

void *pool_take(struct pool *p, size_t bytes) {
  if (!p || !p->memory) return calloc(1, bytes > 0 ? bytes : 1);
  if (bytes > p->bytes) return NULL;
  const size_t each = sizeof(struct piece), need = each + (bytes + each - 1) / each * each;
  for (size_t i = 0; i < p->bytes; i += at(p, i)->bytes) {
    struct piece *x = at(p, i);
    while (!x->taken && i + x->bytes < p->bytes && !at(p, i + x->bytes)->taken) x->bytes += at(p, i + x->bytes)->bytes;
    if (!x->taken && x->bytes >= need) return cut(p, i, need);
  }
  return NULL;
}

void pool_give(struct pool *p, void *taken) {
  if (!p || !p->memory)
    free(taken);
  else if (taken)
    ((struct piece *)taken - 1)->taken = false;
}

/* What a span takes: data has a byte behind it that belongs to nobody, so that one step too far is caught. */
static uint64_t taken(uint64_t bytes, enum heap_kind kind) {
  return (bytes + (kind == HEAP_DATA) + HEAP_ALIGN - 1) / HEAP_ALIGN * HEAP_ALIGN;
}

static uint64_t span_end(const struct heap *h, size_t i) {
  return h->span[i].at + taken(h->span[i].bytes, h->span[i].kind);
}

/* The hole in front of span i; behind the last for i = spans. */
static uint64_t hole(const struct heap *h, size_t i, uint64_t *at) {
  const uint64_t end = i < h->spans ? h->span[i].at : h->base + h->bytes;
  *at = i > 0 ? span_end(h, i - 1) : h->base;
  return end - *at;
}

static bool find_hole(const struct heap *h, uint64_t need, enum heap_kind kind, uint64_t align, size_t *index,
                      uint64_t *at) {
  for (size_t k = 0; k <= h->spans; k++) {
    const size_t i = kind == HEAP_DATA ? k : h->spans - k;
    uint64_t begin;
    const uint64_t size = hole(h, i, &begin);
    if (size < need) continue;
    *at = kind == HEAP_DATA ? begin : (begin + size - need) / align * align;
    if (*at < begin) continue;
    *index = i;
    return true;
  }
  return false;
}

/* Room for one span more. */
static bool grow_spans(struct heap *h) {
  enum { FIRST = 16 };
  if (h->spans < h->room) return true;
  const size_t room = h->room > 0 ? 2 * h->room : FIRST;
  struct heap_span *more = pool_take(h->pool, room * sizeof *more);
  if (!more) return false;
  if (h->spans > 0) memcpy(more, h->span, h->spans * sizeof *more);
  pool_give(h->pool, h->span);
  h->span = more;
  h->room = room;
  return true;
}

enum heap_result heap_take(struct heap *h, uint64_t bytes, enum heap_kind kind, uint64_t *at) {
  return heap_take_aligned(h, bytes, kind, HEAP_ALIGN, at);
}

enum heap_result heap_take_aligned(struct heap *h, uint64_t bytes, enum heap_kind kind, uint64_t align, uint64_t *at) {
  size_t i;
  if (bytes > h->bytes || !find_hole(h, taken(bytes, kind), kind, align, &i, at)) return HEAP_FULL;
  if (!grow_spans(h)) return HEAP_NO_HOST_MEMORY;
  memmove(&h->span[i + 1], &h->span[i], (h->spans - i) * sizeof *h->span);
  h->span[i] = (struct heap_span){*at, bytes, kind};
  h->spans++;
  return HEAP_OK;
}

/* The last span that begins at or before `at`, or spans. */
static size_t span_before(const struct heap *h, uint64_t at) {
  size_t low = 0, high = h->spans;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (h->span[middle].at <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? low - 1 : h->spans;
}

bool heap_give(struct heap *h, uint64_t at, enum heap_kind kind) {
  const size_t i = span_before(h, at);
  if (i == h->spans || h->span[i].at != at || h->span[i].kind != kind) return false;
  h->spans--;
  memmove(&h->span[i], &h->span[i + 1], (h->spans - i) * sizeof *h->span);
  return true;
}

void heap_give_all(struct heap *h, enum heap_kind kind) {
  size_t left = 0;
  for (size_t i = 0; i < h->spans; i++)
    if (h->span[i].kind != kind) h->span[left++] = h->span[i];
  h->spans = left;
}

uint64_t heap_bytes(const struct heap *h, uint64_t at) {
  const size_t i = span_before(h, at);
  return i < h->spans && h->span[i].at == at ? h->span[i].bytes : 0;
}

bool heap_holds(const struct heap *h, uint64_t at, uint64_t bytes) {
  const size_t i = span_before(h, at);
  if (i == h->spans || h->span[i].kind != HEAP_DATA) return false;
  const uint64_t into = at - h->span[i].at;
  return into <= h->span[i].bytes && bytes <= h->span[i].bytes - into;
}

bool heap_touches(const struct heap *h, uint64_t at, uint64_t bytes, enum heap_kind *kind) {
  bool any = false;
  size_t i = span_before(h, at);
  if (i == h->spans) i = 0;
  for (; i < h->spans && h->span[i].at < at + bytes; i++) {
    const struct heap_span *s = &h->span[i];
    if (s->at + s->bytes <= at || (any && s->kind != HEAP_DATA)) continue;
    *kind = s->kind;
    any = true;
  }
  return any;
}

uint64_t heap_free_bytes(const struct heap *h) {
  uint64_t used = 0;
  for (size_t i = 0; i < h->spans; i++) used += span_end(h, i) - h->span[i].at;
  return h->bytes - used;
}

void heap_clear(struct heap *h) {
  pool_give(h->pool, h->span);
  h->span = NULL;
  h->spans = h->room = 0;
}
