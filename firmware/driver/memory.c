/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory: allocations and copies, and what of it a grid may touch. */
#include <stdlib.h>
#include <string.h>
#include "firmware/driver/internal.h"

/* Bytes at a time where there is no buffer of the caller's: more if there is room. */
enum { PIECE = 65536, PIECE_LEAST = 1024 };

static uint8_t *take_piece(struct heddle_context *c, uint64_t *bytes) {
  *bytes = PIECE;
  uint8_t *piece = pool_take(c->device->pool, PIECE);
  if (piece) return piece;
  *bytes = PIECE_LEAST;
  return pool_take(c->device->pool, PIECE_LEAST);
}

enum heddle_error heddle_mem_alloc(struct heddle_context *c, uint64_t bytes, uint64_t *address) {
  if (!c || !address || bytes == 0) return HEDDLE_ERROR_INVALID_VALUE;
  const struct heddle_watch *w = driver_watch(c);
  const uint64_t pad = c->device->port.pad, whole = bytes > UINT64_MAX - pad ? bytes : bytes + pad;
  enum heap_result r = heap_take(&c->heap, whole, HEAP_DATA, address);
  if (r != HEAP_OK && (c->queued || c->space.open) && c->started != c->rested) { /* what launches hold is in the way */
    const enum heddle_error e = driver_settle(c);
    if (e != HEDDLE_SUCCESS) return e;
    r = heap_take(&c->heap, whole, HEAP_DATA, address);
  }
  if (r != HEAP_OK && driver_give_up_pages(c)) r = heap_take(&c->heap, whole, HEAP_DATA, address);
  switch (r) {
  case HEAP_NO_HOST_MEMORY:
    return HEDDLE_ERROR_HOST_MEMORY;
  case HEAP_FULL:
    return driver_fail(c, HEDDLE_ERROR_OUT_OF_MEMORY, "no %llu bytes in a row; %llu are free in all",
                       (unsigned long long)bytes, (unsigned long long)heap_free_bytes(&c->heap));
  case HEAP_OK:
    break;
  }
  if (w) w->allocated(w->self, *address, bytes, __builtin_return_address(0));
  return HEDDLE_SUCCESS;
}

static enum heddle_error outside(struct heddle_context *c, uint64_t at, uint64_t bytes) {
  return driver_fail(c, HEDDLE_ERROR_INVALID_ADDRESS, "%llu bytes at 0x%llx are in no allocation",
                     (unsigned long long)bytes, (unsigned long long)at);
}

enum heddle_error heddle_mem_free(struct heddle_context *c, uint64_t address) {
  if (!c) return HEDDLE_ERROR_INVALID_VALUE;
  if (address == 0) return HEDDLE_SUCCESS;
  enum heddle_error e = driver_settle(c);
  if (e != HEDDLE_SUCCESS) return e;
  e = driver_unified_free(c, address);
  if (e != HEDDLE_ERROR_NOT_FOUND) return e;
  if (driver_is_global(c, address))
    return driver_fail(c, HEDDLE_ERROR_INVALID_ADDRESS, "0x%llx belongs to a module", (unsigned long long)address);
  const struct heddle_watch *w = driver_watch(c);
  const uint64_t bytes = heap_bytes(&c->heap, address);
  if (heap_give(&c->heap, address, HEAP_DATA)) {
    (void)space_forget(c, address, bytes);
    if (w) w->allocated(w->self, address, 0, NULL);
    return HEDDLE_SUCCESS;
  }
  return driver_fail(c, HEDDLE_ERROR_INVALID_ADDRESS, "no allocation begins at 0x%llx", (unsigned long long)address);
}

enum heddle_error heddle_mem_info(struct heddle_context *c, uint64_t *free_bytes, uint64_t *total_bytes) {
  if (!c) return HEDDLE_ERROR_INVALID_VALUE;
  if (free_bytes) *free_bytes = heap_free_bytes(&c->heap);
  if (total_bytes) *total_bytes = c->heap.bytes;
  return HEDDLE_SUCCESS;
}

/* The grid has ended, and the range is the caller's. */
static enum heddle_error range_ready(struct heddle_context *c, uint64_t at, uint64_t bytes) {
  const enum heddle_error e = driver_settle(c);
  if (e != HEDDLE_SUCCESS) return e;
  if (driver_unified_at(c, at, bytes)) return driver_unified_host(c, at, bytes);
  return heap_holds(&c->heap, at, bytes) ? HEDDLE_SUCCESS : outside(c, at, bytes);
}

/* Unified memory is at home. */
static bool read_range(struct heddle_context *c, uint64_t at, void *to, uint64_t bytes) {
  if (!driver_unified_at(c, at, bytes)) return driver_read_memory(c, at, to, bytes);
  memmove(to, (const void *)(uintptr_t)at, bytes);
  return true;
}

static bool write_range(struct heddle_context *c, uint64_t at, const void *from, uint64_t bytes) {
  if (!driver_unified_at(c, at, bytes)) return driver_write_memory(c, at, from, bytes);
  memmove((void *)(uintptr_t)at, from, bytes);
  return true;
}

/* The host's side of a copy may be unified, too. */
static enum heddle_error ready_both(struct heddle_context *c, uint64_t at, const void *host, uint64_t bytes) {
  const enum heddle_error e = range_ready(c, at, bytes);
  return e == HEDDLE_SUCCESS ? driver_unified_host(c, (uint64_t)(uintptr_t)host, bytes) : e;
}

enum heddle_error heddle_memcpy_to_device(struct heddle_context *c, uint64_t to, const void *from, uint64_t bytes) {
  if (!c || (!from && bytes > 0)) return HEDDLE_ERROR_INVALID_VALUE;
  const enum heddle_error e = ready_both(c, to, from, bytes);
  if (e != HEDDLE_SUCCESS || bytes == 0) return e;
  return write_range(c, to, from, bytes) ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
}

enum heddle_error heddle_memcpy_to_host(struct heddle_context *c, void *to, uint64_t from, uint64_t bytes) {
  if (!c || (!to && bytes > 0)) return HEDDLE_ERROR_INVALID_VALUE;
  const enum heddle_error e = ready_both(c, from, to, bytes);
  if (e != HEDDLE_SUCCESS || bytes == 0) return e;
  return read_range(c, from, to, bytes) ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
}

/* As memmove: pieces go from the end that the source does not yet need. */
enum heddle_error heddle_memcpy_on_device(struct heddle_context *c, uint64_t to, uint64_t from, uint64_t bytes) {
  if (!c) return HEDDLE_ERROR_INVALID_VALUE;
  enum heddle_error e = range_ready(c, to, bytes);
  if (e == HEDDLE_SUCCESS) e = range_ready(c, from, bytes);
  if (e != HEDDLE_SUCCESS || bytes == 0 || to == from) return e;
  uint64_t most;
  uint8_t *piece = take_piece(c, &most);
  if (!piece) return HEDDLE_ERROR_HOST_MEMORY;
  for (uint64_t done = 0; e == HEDDLE_SUCCESS && done < bytes;) {
    const uint64_t n = bytes - done < most ? bytes - done : most, at = to < from ? done : bytes - done - n;
    if (!read_range(c, from + at, piece, n) || !write_range(c, to + at, piece, n)) e = HEDDLE_ERROR_BUS;
    done += n;
  }
  pool_give(c->device->pool, piece);
  return e;
}

static enum heddle_error fill_pattern(struct heddle_context *c, uint64_t to, const uint8_t pattern[4], uint64_t bytes) {
  const enum heddle_error e = range_ready(c, to, bytes);
  if (e != HEDDLE_SUCCESS || bytes == 0) return e;
  uint64_t most;
  uint8_t *piece = take_piece(c, &most);
  if (!piece) return HEDDLE_ERROR_HOST_MEMORY;
  for (uint64_t i = 0; i < most; i++) piece[i] = pattern[i % 4];
  bool ok = true;
  for (uint64_t done = 0; ok && done < bytes;) {
    const uint64_t n = bytes - done < most ? bytes - done : most;
    ok = write_range(c, to + done, piece, n);
    done += n;
  }
  pool_give(c->device->pool, piece);
  return ok ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
}

enum heddle_error heddle_memset8(struct heddle_context *c, uint64_t to, uint8_t value, uint64_t count) {
  const uint8_t pattern[4] = {value, value, value, value};
  return c ? fill_pattern(c, to, pattern, count) : HEDDLE_ERROR_INVALID_VALUE;
}

enum heddle_error heddle_memset32(struct heddle_context *c, uint64_t to, uint32_t value, uint64_t count) {
  const uint8_t pattern[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
  if (!c || to % 4 != 0) return HEDDLE_ERROR_INVALID_VALUE;
  if (count > UINT64_MAX / 4) return outside(c, to, UINT64_MAX);
  return fill_pattern(c, to, pattern, 4 * count);
}

/* What a grid may touch: each allocation is a region of its own, so that one step too far traps. When there are more
 * than the table holds, those with the least room between them share a region; code never lies in one. */

static int by_size(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Room in front of each data span but the first; UINT64_MAX: code lies there. Returns how many. */
static size_t rooms(const struct heap *h, uint64_t *room) {
  size_t n = 0;
  uint64_t end = 0;
  bool any = false, code = false;
  for (size_t i = 0; i < h->spans; i++) {
    const struct heap_span *s = &h->span[i];
    if (s->kind != HEAP_DATA) {
      code = true;
      continue;
    }
    if (any) room[n++] = code ? UINT64_MAX : s->at - end;
    any = true;
    code = false;
    end = s->at + s->bytes;
  }
  return n;
}

/* The largest room to close so that HEDDLE_REGIONS are left, and how many of exactly that size may be closed. */
static bool choose_rooms(const struct heap *h, uint64_t *largest, size_t *ties) {
  *largest = *ties = 0;
  if (h->spans <= HEDDLE_REGIONS) return true;
  uint64_t *room = pool_take(h->pool, h->spans * sizeof *room);
  if (!room) return false;
  const size_t n = rooms(h, room);
  if (n >= HEDDLE_REGIONS) {
    qsort(room, n, sizeof *room, by_size);
    const size_t close = n + 1 - HEDDLE_REGIONS;
    *largest = room[close - 1];
    for (size_t i = 0; i < close; i++) *ties += room[i] == *largest;
  }
  pool_give(h->pool, room);
  return true;
}

enum heddle_error driver_regions(struct heddle_context *c, struct driver_region region[HEDDLE_REGIONS],
                                 unsigned *count) {
  const struct heap *h = &c->heap;
  uint64_t largest;
  size_t ties;
  unsigned n = 0;
  bool code = true;
  *count = 0;
  if (!choose_rooms(h, &largest, &ties)) return HEDDLE_ERROR_HOST_MEMORY;
  if (largest == UINT64_MAX)
    return driver_fail(c, HEDDLE_ERROR_TOO_FRAGMENTED, "data is among code in more than %u places", HEDDLE_REGIONS);
  for (size_t i = 0; i < h->spans; i++) {
    const struct heap_span *s = &h->span[i];
    if (s->kind != HEAP_DATA) {
      code = true;
      continue;
    }
    const uint64_t room = n > 0 ? s->at - region[n - 1].limit : 0;
    const bool closes = n > 0 && !code && (room < largest || (room == largest && ties > 0));
    if (closes) {
      ties -= room == largest;
      region[n - 1].limit = s->at + s->bytes;
    } else {
      region[n++] = (struct driver_region){s->at, s->at + s->bytes};
    }
    code = false;
  }
  *count = n;
  return HEDDLE_SUCCESS;
}
