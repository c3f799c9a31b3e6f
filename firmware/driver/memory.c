/* SPDX-License-Identifier: Apache-2.0
 * Device memory: allocations and copies. */
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
  return driver_fail(c, HEDDLE_ERROR_INVALID_ADDRESS, "%llu bytes at 0x%llx lie in no allocation",
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
