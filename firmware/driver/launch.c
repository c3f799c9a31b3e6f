/* SPDX-License-Identifier: Apache-2.0
 * The driver's launch: checked, written into the registers, started (docs/how-a-launch-travels.md, C 1 to 3). */
#include <stdio.h>
#include <string.h>

#include "firmware/driver/internal.h"

static enum heddle_error check_shape(struct heddle_context *c, const struct heddle_kernel *k, const uint32_t grid[3],
                                     const uint32_t block[3]) {
  const enum heddle_refuse r = heddle_host_check_shape(grid, block);
  struct heddle_message msg;
  if (r == HEDDLE_REFUSE_NONE) {
    const enum heddle_error e = heddle_host_check_block(k, block, &msg);
    return e == HEDDLE_SUCCESS ? e : driver_fail(c, e, "%s", msg.text);
  }
  if (r == HEDDLE_REFUSE_GRID || block[0] == 0 || block[1] == 0 || block[2] == 0)
    return driver_fail(c, HEDDLE_ERROR_LAUNCH_SHAPE, "grid and block sizes start at 1");
  return driver_fail(c, HEDDLE_ERROR_LAUNCH_SHAPE,
                     "block of %u x %u x %u: at most %u threads, x and y up to %u, z up to %u", block[0], block[1],
                     block[2], HEDDLE_BLOCK_THREADS_MAX, HEDDLE_BLOCK_XY_MAX, HEDDLE_BLOCK_Z_MAX);
}

/* A unit that lacks is an error of the program for this device; the sentence says who has it. */
static enum heddle_error refuse_lack(struct heddle_function *f, const struct heddle_machine *m,
                                     const struct heddle_lack *lack) {
  struct heddle_context *c = f->module->context;
  const struct heddle_program *p = f->module->program;
  char text[600], names[120];
  (void)heddle_lack_text(m, p, f->kernel, lack, text, sizeof text);
  if (lack->kind != HEDDLE_LACK_UNIT) return driver_fail(c, HEDDLE_ERROR_LAUNCH_LIMITS, "%s", text);
  const unsigned n = heddle_machines_for(p, f->kernel, 0, f->kernel->shared_bytes, NULL, NULL, names, sizeof names);
  return driver_fail(c, HEDDLE_ERROR_NOT_SUPPORTED, "%s. It can run on: %s", text, n > 0 ? names : "the model alone");
}

static enum heddle_error check_needs(struct heddle_function *f, const uint32_t b[3], uint64_t shared) {
  struct heddle_context *c = f->module->context;
  struct heddle_lack list[HEDDLE_LACKS_MAX];
  struct heddle_machine m = {.size = sizeof m};
  (void)driver_machine(c->device, &m);
  if (f->checked) m.units = UINT32_MAX;
  if (heddle_machine_lacks(&m, f->module->program, f->kernel, b[0] * b[1] * b[2], shared, list) > 0)
    return refuse_lack(f, &m, &list[0]);
  f->checked = true;
  if (f->kernel->local_bytes > 0 && !(c->device->units & HEDDLE_CAP_UNITS_LOCAL))
    return driver_fail(c, HEDDLE_ERROR_NOT_SUPPORTED, "kernel %s uses local memory", f->kernel->name);
  return HEDDLE_SUCCESS;
}

static enum heddle_error choose_mode(struct heddle_context *c, const struct heddle_kernel *k, uint32_t *mode) {
  struct heddle_machine m = {.size = sizeof m};
  const bool suffice = driver_machine(c->device, &m) && heddle_machine_covered(&m, k);
  if (c->mode == HEDDLE_DEPENDENCY_CONTROL && !suffice)
    return driver_fail(c, HEDDLE_ERROR_NOT_SUPPORTED, "kernel %s was not scheduled for this device's latencies",
                       k->name);
  *mode = c->mode == HEDDLE_DEPENDENCY_SCOREBOARD || !suffice ? HEDDLE_MODE_SCOREBOARD : 0;
  return HEDDLE_SUCCESS;
}

/* Memory for constant bank 0 of the grid that is about to run. What launches hold is given back when the device rests:
 * until then a cache may have lines of it, and a host's write would not be seen. */
static enum heddle_error place_bank0(struct heddle_context *c, const uint8_t *bank, uint32_t bytes, uint64_t *at) {
  const enum heap_result r = heap_take(&c->heap, bytes, HEAP_LAUNCH, at);
  if (r == HEAP_OK) return driver_write_memory(c, *at, bank, bytes) ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
  *at = 0;
  if (r != HEAP_FULL) return HEDDLE_ERROR_HOST_MEMORY;
  return driver_fail(c, HEDDLE_ERROR_OUT_OF_MEMORY, "no %u bytes of device memory for parameters", bytes);
}

static enum heddle_error make_bank0(struct heddle_function *f, struct heddle_host_launch *l, void *const *params) {
  struct heddle_context *c = f->module->context;
  const struct heddle_kernel *k = f->kernel;
  l->cbank_bytes[0] = heddle_bank0_bytes(k);
  uint8_t *bank = pool_take(c->device->pool, l->cbank_bytes[0]);
  if (!bank) return HEDDLE_ERROR_HOST_MEMORY;
  heddle_bank0_fill(bank, k, l->grid, l->block, f->module->global);
  heddle_bank0_environment(bank, f->environment);
  heddle_bank0_shared(bank, l->shared_bytes);
  for (uint32_t i = 0; i < k->params; i++) heddle_bank0_param(bank, k, i, params[i]);
  const enum heddle_error e = place_bank0(c, bank, l->cbank_bytes[0], &l->cbank_base[0]);
  pool_give(c->device->pool, bank);
  return e;
}

/* Local memory of all threads that can be there at once: no program reaches it by a global address. */
static enum heddle_error place_local(struct heddle_function *f, struct heddle_host_launch *l) {
  struct heddle_context *c = f->module->context;
  const uint64_t bytes = (uint64_t)f->kernel->local_bytes * WARP_SIZE * c->device->warps * c->device->sms;
  l->local_bytes = f->kernel->local_bytes;
  if (bytes == 0) return HEDDLE_SUCCESS;
  const enum heap_result r = heap_take(&c->heap, bytes, HEAP_LAUNCH, &l->local_base);
  if (r == HEAP_OK) return HEDDLE_SUCCESS;
  l->local_base = 0;
  if (r != HEAP_FULL) return HEDDLE_ERROR_HOST_MEMORY;
  return driver_fail(c, HEDDLE_ERROR_OUT_OF_MEMORY, "no %llu bytes of device memory for local memory, %u a thread",
                     (unsigned long long)bytes, f->kernel->local_bytes);
}

/* Of a launch that did not begin: no cache has anything of it. */
static void give_back(struct heddle_context *c, const struct heddle_host_launch *l) {
  if (l->cbank_base[0]) (void)heap_give(&c->heap, l->cbank_base[0], HEAP_LAUNCH);
  if (l->local_base) (void)heap_give(&c->heap, l->local_base, HEAP_LAUNCH);
}

static void fill_module(const struct heddle_module *m, struct heddle_host_launch *l) {
  l->code_base = m->code;
  l->code_bytes = m->program->code_bytes;
  l->cbank_base[3] = m->konst;
  l->cbank_bytes[3] = m->program->const_bytes;
}

static enum heddle_error fill_regions(struct heddle_context *c, struct heddle_host_launch *l) {
  struct driver_region region[HEDDLE_REGIONS];
  unsigned count;
  const enum heddle_error e = driver_regions(c, region, &count);
  if (e != HEDDLE_SUCCESS) return e;
  for (unsigned i = 0; i < count; i++) {
    l->region_base[i] = region[i].base;
    l->region_limit[i] = region[i].limit;
  }
  l->region_write = (1u << count) - 1;
  return HEDDLE_SUCCESS;
}

static bool write_register(void *context, uint32_t reg, uint32_t value) {
  return driver_write32(context, reg, value);
}

/* Registers keep their values: where launches are queued only what has changed is written. */
static enum heddle_error write_registers(struct heddle_context *c, const struct heddle_host_launch *l) {
  if (!c->queued) return heddle_host_launch_write(l, write_register, c);
  const bool known = c->known;
  c->known = false;
  const enum heddle_error e = heddle_host_launch_change(l, known ? c->written : NULL, write_register, c);
  if (e != HEDDLE_SUCCESS) return e;
  *c->written = *l;
  c->known = true;
  return e;
}

static enum heddle_error set_going(struct heddle_function *f, const struct heddle_host_launch *l, void *const *params) {
  struct heddle_context *c = f->module->context;
  const struct heddle_watch *w = driver_launch_watch(c);
  const struct heddle_seen_launch seen = {.program = f->module->program,
                                          .kernel = f->kernel,
                                          .registers = l,
                                          .globals = f->module->global,
                                          .params = params};
  const enum heddle_error e = write_registers(c, l);
  if (e != HEDDLE_SUCCESS) return e;
  if (w) w->begins(w->self, &seen);
  return driver_write32(c, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START) ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
}

static enum heddle_error start_launch(struct heddle_function *f, struct heddle_host_launch *l, void *const *params) {
  struct heddle_context *c = f->module->context;
  fill_module(f->module, l);
  enum heddle_error e = c->space.open ? HEDDLE_SUCCESS : fill_regions(c, l);
  if (e == HEDDLE_SUCCESS) e = make_bank0(f, l, params);
  if (e == HEDDLE_SUCCESS) e = place_local(f, l);
  if (e == HEDDLE_SUCCESS) e = driver_pages_ready(c, l);
  if (e == HEDDLE_SUCCESS) e = set_going(f, l, params);
  if (e != HEDDLE_SUCCESS) give_back(c, l);
  return e;
}

enum heddle_error heddle_function_environment(struct heddle_function *f, const uint32_t words[4]) {
  if (!f || !words) return HEDDLE_ERROR_INVALID_VALUE;
  memcpy(f->environment, words, sizeof f->environment);
  return HEDDLE_SUCCESS;
}

static enum heddle_error check_params(struct heddle_context *c, const struct heddle_kernel *k, void *const *params) {
  struct heddle_message msg;
  for (uint32_t i = 0; i < k->params; i++) {
    if (!params[i]) return driver_fail(c, HEDDLE_ERROR_INVALID_VALUE, "parameter %u of %s is NULL", i, k->name);
    const enum heddle_error e = heddle_host_check_address(k, i, params[i], &msg);
    if (e != HEDDLE_SUCCESS) return driver_fail(c, e, "%s", msg.text);
  }
  return HEDDLE_SUCCESS;
}

static enum heddle_error launch_function(struct heddle_function *f, struct heddle_size grid, struct heddle_size block,
                                         uint32_t dynamic_shared, void *const *params) {
  struct heddle_context *c = f->module->context;
  const struct heddle_kernel *k = f->kernel;
  const uint64_t shared = (uint64_t)k->shared_bytes + dynamic_shared;
  struct heddle_host_launch l = {.size = sizeof l,
                                 .grid = {grid.x, grid.y, grid.z},
                                 .block = {block.x, block.y, block.z},
                                 .entry_pc = k->entry_pc,
                                 .regs = k->regs,
                                 .shared_bytes = (uint32_t)shared};
  enum heddle_error e = check_params(c, k, params);
  if (e == HEDDLE_SUCCESS) e = check_shape(c, k, l.grid, l.block);
  if (e == HEDDLE_SUCCESS) e = check_needs(f, l.block, shared);
  if (e == HEDDLE_SUCCESS) e = choose_mode(c, k, &l.mode);
  if (e == HEDDLE_SUCCESS) e = start_launch(f, &l, params);
  if (e != HEDDLE_SUCCESS) return e;
  driver_note_launch(c, f, l.block, l.shared_bytes, params);
  c->started++;
  return HEDDLE_SUCCESS;
}

/* What those under way hold may be in the way. */
static bool rest_may_help(const struct heddle_context *c, enum heddle_error e) {
  return (c->started != c->rested || c->space.resident > 0) &&
         (e == HEDDLE_ERROR_OUT_OF_MEMORY || e == HEDDLE_ERROR_TOO_FRAGMENTED || e == HEDDLE_ERROR_HOST_MEMORY);
}

enum heddle_error heddle_function_launch(struct heddle_function *f, struct heddle_size grid, struct heddle_size block,
                                         uint32_t dynamic_shared, void *const *params) {
  if (!f || (f->kernel->params > 0 && !params)) return HEDDLE_ERROR_INVALID_VALUE;
  struct heddle_context *c = f->module->context;
  const struct heddle_watch *w = driver_launch_watch(c);
  enum heddle_error e = driver_make_room(c); /* its error is that of a grid before this one */
  if (e != HEDDLE_SUCCESS) return e;
  e = launch_function(f, grid, block, dynamic_shared, params);
  if (rest_may_help(c, e)) {
    e = driver_settle(c);
    if (e != HEDDLE_SUCCESS) return e;
    (void)driver_give_up_pages(c);
    e = launch_function(f, grid, block, dynamic_shared, params);
  }
  if (e != HEDDLE_SUCCESS && w) w->ends(w->self, f->kernel->name, e, c->message);
  return e;
}
