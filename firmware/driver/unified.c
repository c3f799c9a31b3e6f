/* SPDX-License-Identifier: Apache-2.0
 * Unified memory: allocations of the host's memory, whose pages come to the device when a grid asks for them
 * (page_server.c), and go home (home.c). */
#include "firmware/driver/internal.h"
#include "firmware/driver/unified.h"

const struct driver_unified *driver_unified_at(const struct heddle_context *c, uint64_t at, uint64_t bytes) {
  for (const struct driver_unified *u = c->unified; u; u = u->next)
    if (at >= u->at && at - u->at <= u->bytes && bytes <= u->bytes - (at - u->at)) return u;
  return NULL;
}

static void give_unified(const struct heddle_context *c, const struct driver_unified *u) {
  const struct heddle_unified *h = c->device->unified;
  if (h && h->give)
    h->give(h->self, unified_host_of(u->at), u->room);
  else
    pool_give(c->device->pool, u->raw);
}

static bool take_unified(const struct heddle_context *c, struct driver_unified *u) {
  const struct heddle_unified *h = c->device->unified;
  if (h && h->take) {
    u->at = (uint64_t)(uintptr_t)h->take(h->self, u->room);
    return u->at != 0;
  }
  u->raw = pool_take(c->device->pool, u->room + PAGE);
  u->at = ((uint64_t)(uintptr_t)u->raw + PAGE - 1) / PAGE * PAGE;
  return u->raw != NULL;
}

/* A host's address and one of the device's memory may not be the same. */
static enum heddle_error check_place(struct heddle_context *c, const struct driver_unified *u) {
  const struct heddle_port *p = &c->device->port;
  const bool apart = u->at + u->room <= p->memory_base || u->at >= p->memory_base + p->memory_bytes;
  if (u->at % PAGE == 0 && u->at < HOST_HIGHEST && u->room <= HOST_HIGHEST - u->at && apart) return HEDDLE_SUCCESS;
  return driver_fail(c, HEDDLE_ERROR_NOT_SUPPORTED, "the host's memory at 0x%llx can be no address of the device",
                     (unsigned long long)u->at);
}

enum heddle_error heddle_mem_alloc_unified(struct heddle_context *c, uint64_t bytes, uint64_t *address, void **host) {
  if (!c || !address || !host || bytes == 0) return HEDDLE_ERROR_INVALID_VALUE;
  if (!(c->device->units & HEDDLE_CAP_UNITS_MMU))
    return driver_fail(c, HEDDLE_ERROR_NOT_SUPPORTED, "unified memory: the device has no MMU");
  if (bytes > HOST_HIGHEST) return HEDDLE_ERROR_HOST_MEMORY;
  enum heddle_error e = driver_settle(c);
  if (e != HEDDLE_SUCCESS) return e;
  struct driver_unified *u = pool_take(c->device->pool, sizeof *u);
  if (!u) return HEDDLE_ERROR_HOST_MEMORY;
  u->bytes = bytes;
  u->room = (bytes + PAGE - 1) / PAGE * PAGE;
  const bool taken = take_unified(c, u);
  e = taken ? check_place(c, u) : HEDDLE_ERROR_HOST_MEMORY;
  if (e == HEDDLE_SUCCESS) e = space_open(c);
  if (e == HEDDLE_SUCCESS) e = space_prepare(c, u->at, u->room);
  if (e != HEDDLE_SUCCESS) {
    if (taken) give_unified(c, u);
    pool_give(c->device->pool, u);
    if (!c->unified) space_close(c);
    return e;
  }
  u->next = c->unified;
  c->unified = u;
  const struct heddle_watch *w = driver_watch(c);
  if (w) w->allocated(w->self, u->at, bytes, __builtin_return_address(0));
  *address = u->at;
  *host = unified_host_of(u->at);
  return HEDDLE_SUCCESS;
}

/* The last of them takes the tables with it: launches have no pages any more. */
static enum heddle_error drop_unified(struct heddle_context *c, struct driver_unified **link) {
  struct driver_unified *u = *link;
  const enum heddle_error e = driver_unified_host(c, u->at, u->room);
  *link = u->next;
  give_unified(c, u);
  pool_give(c->device->pool, u);
  if (c->unified)
    space_frames_trim(c);
  else
    space_close(c);
  return e;
}

enum heddle_error driver_unified_free(struct heddle_context *c, uint64_t at) {
  struct driver_unified **link = &c->unified;
  while (*link && (*link)->at != at) link = &(*link)->next;
  if (!*link) return HEDDLE_ERROR_NOT_FOUND;
  const struct heddle_watch *w = driver_watch(c);
  if (w) w->allocated(w->self, at, 0, NULL);
  return drop_unified(c, link);
}

void driver_unified_drop(struct heddle_context *c) {
  while (c->unified) (void)drop_unified(c, &c->unified);
}

enum heddle_error heddle_unified_info_sized(const struct heddle_context *c, struct heddle_unified_info *out,
                                            size_t bytes) {
  if (!c || !out) return HEDDLE_ERROR_INVALID_VALUE;
  struct heddle_unified_info info = c->unified_info;
  info.resident = c->space.resident;
  info.frames = c->space.frames;
  return driver_give_out(out, bytes, &info, sizeof info);
}
