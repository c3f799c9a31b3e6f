/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices and contexts: what they can do, what a launch lacks, what calls leave behind. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/config.h>
#include <heddle/isa.h>
#include "base/options.h"
#include "firmware/driver/internal.h"

/* ---- what calls leave behind */

enum heddle_error driver_fail(struct heddle_context *c, enum heddle_error e, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(c->message, sizeof c->message, format, ap);
  va_end(ap);
  return e;
}

enum heddle_error heddle_context_fail(struct heddle_context *c, enum heddle_error e, const char *words) {
  return c && words ? driver_fail(c, e, "%s", words) : HEDDLE_ERROR_INVALID_VALUE;
}

enum heddle_error driver_give_out(void *out, size_t bytes, const void *from, size_t from_bytes) {
  memset(out, 0, bytes);
  memcpy(out, from, bytes < from_bytes ? bytes : from_bytes);
  return HEDDLE_SUCCESS;
}

/* ---- devices, what they can do */

/* Port i of an array whose elements are as long as the first one says. */
static bool take_port(struct heddle_port *p, const struct heddle_port *ports, unsigned i) {
  const unsigned char *at = (const unsigned char *)ports + i * ports->size;
  if (!options_take(p, sizeof *p, at)) return false;
  return p->read32 && p->write32 && p->read && p->write && p->wait && p->memory_base % HEAP_ALIGN == 0 &&
         p->memory_bytes % HEAP_ALIGN == 0 && p->memory_bytes <= UINT64_C(1) << 40 &&
         p->memory_base <= (UINT64_C(1) << 40) - p->memory_bytes;
}

static struct heddle_system *new_system(struct pool pool, unsigned count) {
  struct heddle_system *s = pool_take(&pool, sizeof *s);
  struct heddle_device *d = s ? pool_take(&pool, count * sizeof *d) : NULL;
  if (!d) {
    pool_give(&pool, s);
    return NULL;
  }
  s->pool = pool;
  s->device = d;
  s->devices = count;
  return s;
}

enum heddle_error heddle_init_options(const struct heddle_options *given, struct heddle_system **out) {
  struct heddle_options o;
  struct heddle_unified unified;
  struct heddle_port port;
  struct pool pool;
  if (!given || !out || !options_take(&o, sizeof o, given)) return HEDDLE_ERROR_INVALID_VALUE;
  if (!o.ports || o.count == 0 || o.count > 256) return HEDDLE_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < o.count; i++)
    if (!take_port(&port, o.ports, i)) return HEDDLE_ERROR_INVALID_VALUE;
  if (o.unified && (!options_take(&unified, sizeof unified, o.unified) || !unified.take != !unified.give))
    return HEDDLE_ERROR_INVALID_VALUE;
  struct heddle_system *s = pool_init(&pool, o.memory, o.memory_bytes) ? new_system(pool, o.count) : NULL;
  if (!s) return HEDDLE_ERROR_HOST_MEMORY;
  if (o.unified) (void)options_take(&s->unified, sizeof s->unified, o.unified);
  for (unsigned i = 0; i < o.count; i++) {
    struct heddle_device *d = &s->device[i];
    (void)take_port(&d->port, o.ports, i);
    d->pool = &s->pool;
    d->unified = o.unified ? &s->unified : NULL;
    d->unified_bytes = o.unified_bytes;
  }
  *out = s;
  return HEDDLE_SUCCESS;
}

enum heddle_error heddle_init(const struct heddle_port *ports, unsigned count, struct heddle_system **out) {
  const struct heddle_options o = {.size = sizeof o, .ports = ports, .count = count};
  return heddle_init_options(&o, out);
}

void heddle_shutdown(struct heddle_system *s) {
  if (!s) return;
  struct pool pool = s->pool;
  pool_give(&pool, s->device);
  pool_give(&pool, s);
}

unsigned heddle_device_count(const struct heddle_system *s) {
  return s ? s->devices : 0;
}

static bool read64(const struct heddle_port *p, uint32_t reg, uint64_t *value) {
  uint32_t lo = 0, hi = 0;
  const bool ok = p->read32(p->self, reg, &lo) && p->read32(p->self, reg + 4, &hi);
  *value = (uint64_t)hi << 32 | lo;
  return ok;
}

static enum heddle_error read_capabilities(struct heddle_device *d) {
  const struct heddle_port *p = &d->port;
  const struct {
    uint32_t reg, *to;
  } word[] = {{HEDDLE_REG_CAP_LANES, &d->lanes},   {HEDDLE_REG_CAP_WARPS, &d->warps},
              {HEDDLE_REG_CAP_REGS, &d->regs},     {HEDDLE_REG_CAP_SHARED, &d->shared_bytes},
              {HEDDLE_REG_CAP_BLOCKS, &d->blocks}, {HEDDLE_REG_CAP_AXI_BITS, &d->axi_bits},
              {HEDDLE_REG_CAP_UNITS, &d->units},   {HEDDLE_REG_CAP_COUNTERS, &d->counters},
              {HEDDLE_REG_CAP_SMS, &d->sms},       {HEDDLE_REG_CAP_PARTS, &d->partitions},
              {HEDDLE_REG_VERSION, &d->version},   {HEDDLE_REG_CAP_L1, &d->l1_bytes},
              {HEDDLE_REG_CAP_QUEUE, &d->queue},   {HEDDLE_REG_CAP_L2, &d->l2_bytes}};
  uint32_t id = 0;
  if (!p->read32(p->self, HEDDLE_REG_ID, &id)) return HEDDLE_ERROR_BUS;
  if (id != HEDDLE_ID) return HEDDLE_ERROR_WRONG_DEVICE;
  for (size_t i = 0; i < sizeof word / sizeof *word; i++)
    if (!p->read32(p->self, word[i].reg, word[i].to)) return HEDDLE_ERROR_BUS;
  if (!read64(p, HEDDLE_REG_CFG_HASH, &d->config_hash) || !read64(p, HEDDLE_REG_ISA_HASH, &d->isa_hash) ||
      !read64(p, HEDDLE_REG_LATENCY_HASH, &d->latency_hash))
    return HEDDLE_ERROR_BUS;
  if (d->sms == 0) d->sms = 1;
  if (d->partitions == 0) d->partitions = 1;
  const bool same = d->version >> 16 == HEDDLE_VERSION >> 16 && d->isa_hash == heddle_isa_hash();
  return same ? HEDDLE_SUCCESS : HEDDLE_ERROR_WRONG_DEVICE;
}

enum heddle_error heddle_device_get(struct heddle_system *s, unsigned index, struct heddle_device **out) {
  if (!s || !out) return HEDDLE_ERROR_INVALID_VALUE;
  if (index >= s->devices) return HEDDLE_ERROR_NO_DEVICE;
  struct heddle_device *d = &s->device[index];
  if (!d->known) {
    const enum heddle_error e = read_capabilities(d);
    if (e != HEDDLE_SUCCESS) return e;
    d->known = true;
  }
  *out = d;
  return HEDDLE_SUCCESS;
}

const char *heddle_device_name(const struct heddle_device *d) {
  return d && d->port.name ? d->port.name : "";
}

enum heddle_error heddle_device_attribute(const struct heddle_device *d, enum heddle_attribute a, uint64_t *value) {
  if (!d || !value) return HEDDLE_ERROR_INVALID_VALUE;
  const uint64_t threads = (uint64_t)d->warps * WARP_SIZE;
  const uint64_t table[] = {[HEDDLE_ATTRIBUTE_WARP_SIZE] = WARP_SIZE,
                            [HEDDLE_ATTRIBUTE_MAX_THREADS_PER_BLOCK] =
                                threads < HEDDLE_BLOCK_THREADS_MAX ? threads : HEDDLE_BLOCK_THREADS_MAX,
                            [HEDDLE_ATTRIBUTE_MAX_BLOCK_X] = HEDDLE_BLOCK_XY_MAX,
                            [HEDDLE_ATTRIBUTE_MAX_BLOCK_Y] = HEDDLE_BLOCK_XY_MAX,
                            [HEDDLE_ATTRIBUTE_MAX_BLOCK_Z] = HEDDLE_BLOCK_Z_MAX,
                            [HEDDLE_ATTRIBUTE_LANES] = d->lanes,
                            [HEDDLE_ATTRIBUTE_WARP_SLOTS] = d->warps,
                            [HEDDLE_ATTRIBUTE_BLOCK_SLOTS] = d->blocks,
                            [HEDDLE_ATTRIBUTE_WARP_REGISTERS] = d->regs,
                            [HEDDLE_ATTRIBUTE_SHARED_BYTES] = d->shared_bytes,
                            [HEDDLE_ATTRIBUTE_AXI_BITS] = d->axi_bits,
                            [HEDDLE_ATTRIBUTE_UNITS] = d->units,
                            [HEDDLE_ATTRIBUTE_COUNTERS] = d->counters,
                            [HEDDLE_ATTRIBUTE_SMS] = d->sms,
                            [HEDDLE_ATTRIBUTE_VERSION] = d->version,
                            [HEDDLE_ATTRIBUTE_CONFIG_HASH] = d->config_hash,
                            [HEDDLE_ATTRIBUTE_ISA_HASH] = d->isa_hash,
                            [HEDDLE_ATTRIBUTE_LATENCY_HASH] = d->latency_hash,
                            [HEDDLE_ATTRIBUTE_MEMORY_BYTES] = d->port.memory_bytes,
                            [HEDDLE_ATTRIBUTE_L1_BYTES] = d->l1_bytes};
  if ((unsigned)a >= sizeof table / sizeof *table) return HEDDLE_ERROR_INVALID_VALUE;
  *value = table[a];
  return HEDDLE_SUCCESS;
}

bool driver_machine(const struct heddle_device *d, struct heddle_machine *m) {
  const uint32_t units = ((1u << ISA_UNIT_COUNT) - 1) | 1u << ISA_PART_ASYNC | 1u << ISA_PART_FATOM;
  const uint32_t always = 1u << ISA_UNIT_MEM | 1u << ISA_UNIT_BR;
  bool timed = false;
  heddle_machine_whole(m);
  snprintf(m->name, sizeof m->name, "the device");
  for (size_t i = 0; i < heddle_config_count(); i++) {
    struct heddle_machine one = {.size = sizeof one};
    heddle_machine_of(heddle_config_at(i), &one);
    const bool same = one.config_hash == d->config_hash;
    if (same) memcpy(m->name, one.name, sizeof m->name);
    if ((timed && !same) || one.latency_hash != d->latency_hash) continue;
    timed = true;
    memcpy(m->stall, one.stall, sizeof m->stall);
    m->fp64_latency = one.fp64_latency;
  }
  m->units &= (d->units & units) | always;
  if (d->config_hash == 0) m->units |= 1u << ISA_PART_MODEL; /* no hardware, but the model */
  m->lanes = d->lanes;
  m->partitions = d->partitions;
  m->warps = d->warps;
  m->regs = d->regs;
  m->shared_bytes = d->shared_bytes;
  m->blocks = d->blocks;
  m->axi_bits = d->axi_bits;
  m->config_hash = d->config_hash;
  m->latency_hash = d->latency_hash;
  m->sms = d->sms;
  m->mmu = (d->units & HEDDLE_CAP_UNITS_MMU) != 0;
  return timed;
}

enum heddle_error heddle_context_machine(const struct heddle_context *c, struct heddle_machine *out) {
  struct heddle_machine m = {.size = sizeof m}, slowest = {.size = sizeof slowest};
  if (!c || !out || !options_sized(out)) return HEDDLE_ERROR_INVALID_VALUE;
  if (!driver_machine(c->device, &m)) {
    heddle_machine_slowest(&slowest);
    memcpy(m.stall, slowest.stall, sizeof m.stall);
    m.fp64_latency = slowest.fp64_latency;
  }
  options_give(out, sizeof m, &m);
  return HEDDLE_SUCCESS;
}

/* ---- registers of a context's device */

bool driver_read32(struct heddle_context *c, uint32_t reg, uint32_t *value) {
  const struct heddle_port *p = &c->device->port;
  if (p->read32(p->self, reg, value)) return true;
  (void)driver_fail(c, HEDDLE_ERROR_BUS, "register 0x%03x cannot be read", reg);
  return false;
}

bool driver_write32(struct heddle_context *c, uint32_t reg, uint32_t value) {
  const struct heddle_port *p = &c->device->port;
  if (p->write32(p->self, reg, value)) return true;
  (void)driver_fail(c, HEDDLE_ERROR_BUS, "register 0x%03x cannot be written", reg);
  return false;
}

bool driver_read64(struct heddle_context *c, uint32_t reg, uint64_t *value) {
  uint32_t lo = 0, hi = 0;
  const bool ok = driver_read32(c, reg, &lo) && driver_read32(c, reg + 4, &hi);
  *value = (uint64_t)hi << 32 | lo;
  return ok;
}

bool driver_write_memory(struct heddle_context *c, uint64_t addr, const void *data, uint64_t bytes) {
  const struct heddle_port *p = &c->device->port;
  if (p->write(p->self, addr, data, bytes)) return true;
  (void)driver_fail(c, HEDDLE_ERROR_BUS, "device memory at 0x%llx cannot be written", (unsigned long long)addr);
  return false;
}

bool driver_read_memory(struct heddle_context *c, uint64_t addr, void *data, uint64_t bytes) {
  const struct heddle_port *p = &c->device->port;
  if (p->read(p->self, addr, data, bytes)) return true;
  (void)driver_fail(c, HEDDLE_ERROR_BUS, "device memory at 0x%llx cannot be read", (unsigned long long)addr);
  return false;
}

/* ---- what the device lacks for a launch, as data */

static void tell_first(const struct heddle_program *p, const struct heddle_lack *l, struct heddle_lack_info *info) {
  char word[200] = "";
  unsigned line = 0;
  info->unit = heddle_isa_need_name(l->bit);
  info->pc = l->pc;
  info->words = l->words;
  if (l->pc >= p->code_bytes) return;
  heddle_disassemble_at(p, l->pc, word, sizeof word);
  snprintf(info->instruction, sizeof info->instruction, "%s", word);
  if (!heddle_program_line(p, l->pc, &info->file, &line)) info->file = NULL;
  info->line = line;
}

enum heddle_error heddle_function_lack_sized(const struct heddle_function *f, struct heddle_size block,
                                             uint32_t dynamic_shared, unsigned index, struct heddle_lack_info *out,
                                             size_t bytes) {
  const uint32_t b[3] = {block.x, block.y, block.z}, one[3] = {1, 1, 1};
  if (!f || !out || heddle_host_check_shape(one, b) != HEDDLE_REFUSE_NONE) return HEDDLE_ERROR_INVALID_VALUE;
  const struct heddle_program *p = f->module->program;
  const uint32_t threads = block.x * block.y * block.z;
  const uint64_t shared = (uint64_t)f->kernel->shared_bytes + dynamic_shared;
  struct heddle_lack list[HEDDLE_LACKS_MAX];
  struct heddle_machine m = {.size = sizeof m};
  (void)driver_machine(f->module->context->device, &m);
  if (index >= heddle_machine_lacks(&m, p, f->kernel, threads, shared, list)) return HEDDLE_ERROR_NOT_FOUND;
  const struct heddle_lack *l = &list[index];
  struct heddle_lack_info info = {.kind = l->kind, .pc = UINT32_MAX, .wants = l->wants, .has = l->has};
  if (l->kind == HEDDLE_LACK_UNIT) tell_first(p, l, &info);
  (void)heddle_machines_for(p, f->kernel, threads, shared, NULL, NULL, info.configurations, sizeof info.configurations);
  return driver_give_out(out, bytes, &info, sizeof info);
}

/* ---- contexts */

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
