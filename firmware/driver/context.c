/* SPDX-License-Identifier: Apache-2.0
 * Contexts. */
#include "firmware/driver/internal.h"

/* Nobody looks at launches one by one: they may wait on the device. No more than end without a look: of those the
 * device keeps the last HEDDLE_ENDED_KEPT, and if `room` are under way, the one that ends `room` later has not been
 * started. It is never full: of `room` <= CAP_QUEUE launches one less waits when the last is started. */
static enum heddle_error make_queue(struct heddle_context *c) {
  const struct heddle_device *d = c->device;
  c->queued = d->queue > 0 && !d->port.verdict && !driver_launch_watch(c);
  c->room = !c->queued ? 1 : d->queue < HEDDLE_ENDED_KEPT ? d->queue : HEDDLE_ENDED_KEPT;
  c->launched = pool_take(d->pool, c->room * sizeof *c->launched);
  c->written = c->queued ? pool_take(d->pool, sizeof *c->written) : NULL;
  return c->launched && (c->written || !c->queued) ? HEDDLE_SUCCESS : HEDDLE_ERROR_HOST_MEMORY;
}

static void drop_context(struct heddle_context *c) {
  pool_give(c->device->pool, c->written);
  pool_give(c->device->pool, c->launched);
  pool_give(c->device->pool, c->trap_function);
  pool_give(c->device->pool, c);
}

enum heddle_error heddle_context_create(struct heddle_device *d, struct heddle_context **out) {
  if (!d || !out) return HEDDLE_ERROR_INVALID_VALUE;
  if (d->context) return HEDDLE_ERROR_DEVICE_BUSY;
  struct heddle_context *c = pool_take(d->pool, sizeof *c);
  if (!c) return HEDDLE_ERROR_HOST_MEMORY;
  c->device = d;
  c->limit_ms = HEDDLE_FOREVER;
  c->space.most = d->unified_bytes / HEDDLE_PAGE_SMALL;
  if (d->unified_bytes > 0 && c->space.most < SPACE_LEAST) c->space.most = SPACE_LEAST;
  c->heap.pool = d->pool;
  c->heap.base = d->port.memory_base;
  c->heap.bytes = d->port.memory_bytes;
  if (c->heap.base < HEDDLE_CONST_MAX) { /* nobody's: neither address 0 nor one that .const variables have */
    const uint64_t below = HEDDLE_CONST_MAX - c->heap.base;
    c->heap.base += below;
    c->heap.bytes -= below < c->heap.bytes ? below : c->heap.bytes;
  }
  enum heddle_error e = make_queue(c);
  /* Whoever had the device before may have left it running. */
  if (e == HEDDLE_SUCCESS) e = driver_stop(c);
  if (e == HEDDLE_SUCCESS && c->queued && !driver_read32(c, HEDDLE_REG_LAUNCHES, &c->base)) e = HEDDLE_ERROR_BUS;
  if (e != HEDDLE_SUCCESS) {
    drop_context(c);
    return e;
  }
  d->context = c;
  *out = c;
  return HEDDLE_SUCCESS;
}

/* What the host has not given back. */
static void tell_freed(const struct heddle_context *c) {
  const struct heddle_watch *w = driver_watch(c);
  for (size_t i = 0; w && i < c->heap.spans; i++)
    if (c->heap.span[i].kind == HEAP_DATA) w->allocated(w->self, c->heap.span[i].at, 0, NULL);
}

void heddle_context_destroy(struct heddle_context *c) {
  if (!c) return;
  (void)heddle_abort(c);
  if (c->device->port.sleeps) (void)driver_write32(c, HEDDLE_REG_IRQ_MASK, 0);
  while (c->modules) (void)heddle_module_unload(c->modules);
  driver_unified_drop(c);
  tell_freed(c);
  heap_clear(&c->heap);
  c->device->context = NULL;
  drop_context(c);
}

const char *heddle_context_message(const struct heddle_context *c) {
  return c ? c->message : "";
}

enum heddle_error heddle_context_set_mode(struct heddle_context *c, enum heddle_mode mode) {
  if (!c || (unsigned)mode > HEDDLE_DEPENDENCY_SCOREBOARD) return HEDDLE_ERROR_INVALID_VALUE;
  c->mode = mode;
  return HEDDLE_SUCCESS;
}

enum heddle_error heddle_context_set_limit(struct heddle_context *c, uint32_t milliseconds) {
  if (!c) return HEDDLE_ERROR_INVALID_VALUE;
  c->limit_ms = milliseconds;
  return HEDDLE_SUCCESS;
}
