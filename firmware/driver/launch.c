/* SPDX-License-Identifier: Apache-2.0
 * A launch: checked, written into the registers, started. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static void put(uint8_t *at, uint64_t v, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t)(v >> (8 * i));
}

static enum heddle_error check_shape(struct heddle_context *c, struct heddle_size g, struct heddle_size b) {
  const uint64_t threads = (uint64_t)b.x * b.y * b.z;
  if (g.x == 0 || g.y == 0 || g.z == 0 || threads == 0)
    return driver_fail(c, HEDDLE_ERROR_LAUNCH_SHAPE, "grid and block sizes start at 1");
  if (b.x > BLOCK_X_MAX || b.y > BLOCK_X_MAX || b.z > BLOCK_Z_MAX || threads > THREADS_MAX)
    return driver_fail(c, HEDDLE_ERROR_LAUNCH_SHAPE,
                       "block of %u x %u x %u: at most %u threads, x and y up to %u, z up to %u", b.x, b.y, b.z,
                       THREADS_MAX, BLOCK_X_MAX, BLOCK_Z_MAX);
  return HEDDLE_SUCCESS;
}

static enum heddle_error check_limits(struct heddle_context *c, const struct heddle_kernel *k, struct heddle_size b,
                                      uint64_t shared) {
  const struct heddle_device *d = c->device;
  const uint64_t warps = ((uint64_t)b.x * b.y * b.z + WARP_SIZE - 1) / WARP_SIZE;
  if (warps > d->warps)
    return driver_fail(c, HEDDLE_ERROR_LAUNCH_LIMITS, "a block of %llu warps; the device has %u",
                       (unsigned long long)warps, d->warps);
  if (warps * k->regs > d->regs)
    return driver_fail(c, HEDDLE_ERROR_LAUNCH_LIMITS, "%llu warps of %u registers; the device has %u",
                       (unsigned long long)warps, k->regs, d->regs);
  if (shared > d->shared_bytes)
    return driver_fail(c, HEDDLE_ERROR_LAUNCH_LIMITS, "%llu bytes of shared memory; the device has %u",
                       (unsigned long long)shared, d->shared_bytes);
  if (k->local_bytes > 0 && !(d->units & HEDDLE_UNIT_LOCAL))
    return driver_fail(c, HEDDLE_ERROR_NOT_SUPPORTED, "kernel %s uses local memory", k->name);
  return HEDDLE_SUCCESS;
}

/* The codes suffice where the device is no slower than they assume. */
static bool codes_suffice(const struct heddle_device *d, const struct heddle_kernel *k) {
  uint8_t need[8];
  if (!driver_latencies(d, need)) return false;
  for (unsigned i = 0; i < 8; i++)
    if (k->stall[i] < need[i]) return false;
  return true;
}

static enum heddle_error choose_mode(struct heddle_context *c, const struct heddle_kernel *k, uint32_t *mode) {
  const bool suffice = codes_suffice(c->device, k);
  if (c->mode == HEDDLE_DEPENDENCY_CONTROL && !suffice)
    return driver_fail(c, HEDDLE_ERROR_NOT_SUPPORTED, "kernel %s was not scheduled for this device's latencies",
                       k->name);
  *mode = c->mode == HEDDLE_DEPENDENCY_SCOREBOARD || !suffice ? HEDDLE_MODE_SCOREBOARD : 0;
  return HEDDLE_SUCCESS;
}

/* Constant bank 0: sizes, then parameters (isa/doc/06-abi.md). */
static enum heddle_error place_bank0(struct heddle_function *f, struct heddle_size g, struct heddle_size b,
                                     void *const *params, uint32_t *bytes) {
  struct heddle_context *c = f->module->context;
  const struct heddle_kernel *k = f->kernel;
  const uint32_t sizes[6] = {b.x, b.y, b.z, g.x, g.y, g.z};
  *bytes = (HEDDLE_PARAM_BASE + k->param_bytes + 15) / 16 * 16;
  uint8_t *bank = calloc(1, *bytes);
  if (!bank) return HEDDLE_ERROR_HOST_MEMORY;
  for (unsigned i = 0; i < 6; i++) put(bank + 4 * i, sizes[i], 4);
  put(bank + 0x28, k->local_bytes, 4);
  put(bank + HEDDLE_GLOBAL_BASE, f->module->global, 8);
  for (uint32_t i = 0; i < k->params; i++)
    memcpy(bank + HEDDLE_PARAM_BASE + k->param[i].offset, params[i], k->param[i].size);
  enum heddle_error e = HEDDLE_SUCCESS;
  const enum heap_result r = heap_take(&c->heap, *bytes, true, &c->bank0);
  if (r == HEAP_FULL)
    e = driver_fail(c, HEDDLE_ERROR_OUT_OF_MEMORY, "no %u bytes of device memory for parameters", *bytes);
  else if (r != HEAP_OK)
    e = HEDDLE_ERROR_HOST_MEMORY;
  else if (!driver_write_memory(c, c->bank0, bank, *bytes))
    e = HEDDLE_ERROR_BUS;
  if (r != HEAP_OK) c->bank0 = 0;
  free(bank);
  return e;
}

static bool write_banks(struct heddle_context *c, const struct heddle_module *m, uint32_t bank0_bytes) {
  const uint64_t base[HEDDLE_CBANKS] = {c->bank0, 0, 0, m->konst};
  const uint32_t bytes[HEDDLE_CBANKS] = {bank0_bytes, 0, 0, m->program->const_bytes};
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++)
    if (!driver_write64(c, HEDDLE_REG_CBANK_BASE_LO(i), base[i]) ||
        !driver_write32(c, HEDDLE_REG_CBANK_BYTES(i), bytes[i]))
      return false;
  return driver_write64(c, HEDDLE_REG_CODE_BASE_LO, m->code) &&
         driver_write32(c, HEDDLE_REG_CODE_BYTES, m->program->code_bytes);
}

static bool write_regions(struct heddle_context *c, const struct driver_region *region, unsigned count) {
  for (unsigned i = 0; i < HEDDLE_REGIONS; i++) {
    const struct driver_region none = {0, 0}, *r = i < count ? &region[i] : &none;
    if (!driver_write64(c, HEDDLE_REG_REGION_BASE_LO(i), r->base) ||
        !driver_write64(c, HEDDLE_REG_REGION_LIMIT_LO(i), r->limit))
      return false;
  }
  return driver_write32(c, HEDDLE_REG_REGION_WRITE, (1u << count) - 1);
}

static bool write_shape(struct heddle_context *c, const struct heddle_kernel *k, struct heddle_size g,
                        struct heddle_size b, uint32_t shared, uint32_t mode) {
  const uint32_t value[][2] = {{HEDDLE_REG_GRID_X, g.x},   {HEDDLE_REG_GRID_Y, g.y},
                               {HEDDLE_REG_GRID_Z, g.z},   {HEDDLE_REG_BLOCK_X, b.x},
                               {HEDDLE_REG_BLOCK_Y, b.y},  {HEDDLE_REG_BLOCK_Z, b.z},
                               {HEDDLE_REG_REGS, k->regs}, {HEDDLE_REG_ENTRY_PC, k->entry_pc},
                               {HEDDLE_REG_MODE, mode},    {HEDDLE_REG_SHARED_BYTES, shared}};
  for (size_t i = 0; i < sizeof value / sizeof *value; i++)
    if (!driver_write32(c, value[i][0], value[i][1])) return false;
  return true;
}

static enum heddle_error start(struct heddle_function *f, struct heddle_size g, struct heddle_size b, uint32_t shared,
                               uint32_t mode, void *const *params) {
  struct heddle_context *c = f->module->context;
  struct driver_region region[HEDDLE_REGIONS];
  unsigned regions;
  uint32_t bank0_bytes;
  enum heddle_error e = driver_regions(c, region, &regions);
  if (e == HEDDLE_SUCCESS) e = place_bank0(f, g, b, params, &bank0_bytes);
  if (e == HEDDLE_SUCCESS) {
    const bool ok = write_shape(c, f->kernel, g, b, shared, mode) && write_banks(c, f->module, bank0_bytes) &&
                    write_regions(c, region, regions) && driver_write32(c, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START);
    if (!ok) e = HEDDLE_ERROR_BUS;
  }
  if (e != HEDDLE_SUCCESS && c->bank0) {
    (void)heap_give(&c->heap, c->bank0, true);
    c->bank0 = 0;
  }
  return e;
}

enum heddle_error heddle_launch(struct heddle_function *f, struct heddle_size grid, struct heddle_size block,
                                uint32_t dynamic_shared, void *const *params) {
  if (!f || (f->kernel->params > 0 && !params)) return HEDDLE_ERROR_INVALID_VALUE;
  struct heddle_context *c = f->module->context;
  const struct heddle_kernel *k = f->kernel;
  for (uint32_t i = 0; i < k->params; i++)
    if (!params[i]) return driver_fail(c, HEDDLE_ERROR_INVALID_VALUE, "parameter %u of %s is NULL", i, k->name);
  const uint64_t shared = (uint64_t)k->shared_bytes + dynamic_shared;
  uint32_t mode = 0;
  enum heddle_error e = driver_settle(c);
  if (e == HEDDLE_SUCCESS) e = check_shape(c, grid, block);
  if (e == HEDDLE_SUCCESS) e = check_limits(c, k, block, shared);
  if (e == HEDDLE_SUCCESS) e = choose_mode(c, k, &mode);
  if (e == HEDDLE_SUCCESS) e = start(f, grid, block, (uint32_t)shared, mode, params);
  if (e != HEDDLE_SUCCESS) return e;
  c->running = true;
  c->entry_pc = k->entry_pc;
  snprintf(c->function, sizeof c->function, "%s", k->name);
  return HEDDLE_SUCCESS;
}
