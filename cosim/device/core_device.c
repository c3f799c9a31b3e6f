/* SPDX-License-Identifier: Apache-2.0
 *
 * A core of somebody else's as a configuration and as a device.
 */
#include "core_device.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/host.h>
#include <heddle/machine.h>
#include "base/array.h"
#include "cosim/attach/attached.h"
#include "cosim/device/launch_of_host.h"
#include "isa/lib/message.h"

/* A core of somebody else's as a configuration: what programs need to know that are made, checked or refused for it. */

enum heddle_error core_declared(const struct heddle_core_ops *core, struct heddle_core *out,
                                struct heddle_message *msg) {
  const enum heddle_error e = attach_declared(core->describe(), out, msg);
  if (e != HEDDLE_SUCCESS) return e;
  if (out->shown > 1)
    return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL,
                        "it shows %u SMs: as a device a core is one; more go through heddle/attach.h, or a trace",
                        out->shown);
  if (out->units == 0) /* all that hardware knows */
    out->units = ((1u << ISA_UNIT_COUNT) - 1) | 1u << ISA_PART_ASYNC | 1u << ISA_PART_FATOM;
  return HEDDLE_SUCCESS;
}

/* Codes are made for the shortest latencies that there are: whoever has longer ones waits by himself, or declares
 * scoreboard mode. */
void core_config(const struct heddle_core *c, struct heddle_config *out) {
  const unsigned regs = c->regs != 0 ? c->regs : 255 * (c->warp_slots / c->partitions);
  *out = (struct heddle_config){.name = c->name,
                                .lanes = c->lanes,
                                .beats = HEDDLE_LANES / c->lanes,
                                .lsu_lanes = c->lanes,
                                .partitions = c->partitions,
                                .warps = c->warp_slots,
                                .regs = regs * c->partitions,
                                .banks = c->register_banks,
                                .blocks = c->block_slots,
                                .shared_bytes = c->shared_bytes,
                                .shared_banks = c->shared_banks,
                                .axi_bits = 64,
                                .axi_ports = 1,
                                .its = c->its,
                                .pipes = c->units,
                                .stall_alu_reg = 1,
                                .stall_alu_pred = 1,
                                .stall_fma_reg = 1,
                                .stall_cvt_reg = 1};
  if ((out->pipes & HEDDLE_PIPE_HALF) != 0) out->stall_half_reg = 1;
  if ((out->pipes & HEDDLE_PIPE_UNI) != 0) out->stall_uni_reg = 1;
}

/* What a device has and a core has not: host registers, memory behind it, a place for records, patience with a bus. */

enum { WORDS = HEDDLE_REG_BYTES / 4, TURN = 256 /* records until stepping pauses */ };

struct core_warp {
  uint32_t ctaid[3], index;
};

struct core_device {
  const struct heddle_core_ops *ops;
  struct heddle_core core;
  void *self;
  struct heddle_axi_mem *memory;
  uint64_t cycle, started;
  uint32_t reg[WORDS];
  bool launched;               /* ever: before its first launch a core was never reset */
  bool running, trapped, over; /* over: a block has ended, or the grid stops */
  struct core_warp warp[HEDDLE_RECORD_WARPS];
  struct heddle_machine machine;
  struct heddle_launch launch;
  struct heddle_retire_record *record, *taken;
  size_t count, places, taken_places;
  char failure[128];
};

/* ---- registers ---- */

static void set_register(struct core_device *d, uint32_t reg, uint32_t value) {
  d->reg[reg / 4] = value;
}

static void set64(struct core_device *d, uint32_t reg, uint64_t value) {
  set_register(d, reg, (uint32_t)value);
  set_register(d, reg + 4, (uint32_t)(value >> 32));
}

/* A block has started: its warps are warp 0, 1, ... of it, in the order of their slots. */
static void note_block(struct core_device *d, const struct heddle_record_block_start *b) {
  uint32_t index = 0;
  for (unsigned s = 0; s < HEDDLE_RECORD_WARPS; s++) {
    if ((b->warps >> s & 1u) == 0) continue;
    memcpy(d->warp[s].ctaid, b->ctaid, sizeof b->ctaid);
    d->warp[s].index = index++;
  }
}

/* What a host reads of a trap is what its record says. */
static void note_trap(struct core_device *d, const struct heddle_record_trap *t) {
  const struct core_warp *w = &d->warp[t->id.slot % HEDDLE_RECORD_WARPS];
  set_register(d, HEDDLE_REG_TRAP_CAUSE, t->cause);
  for (unsigned k = 0; k < 3; k++) set_register(d, HEDDLE_REG_TRAP_CTAID_X + 4 * k, w->ctaid[k]);
  set_register(d, HEDDLE_REG_TRAP_WARP, w->index);
  set_register(d, HEDDLE_REG_TRAP_SLOT, t->id.slot | (uint32_t)t->id.gen << 8);
  set_register(d, HEDDLE_REG_TRAP_SEQ, t->id.seq);
  set_register(d, HEDDLE_REG_TRAP_PC, t->pc);
  set_register(d, HEDDLE_REG_TRAP_LANES, t->lanes);
  set64(d, HEDDLE_REG_TRAP_ADDR, t->addr);
  d->trapped = true;
}

/* ---- what the core asks for ---- */

static bool core_load(void *memory, uint64_t addr, void *to, unsigned bytes) {
  const struct core_device *d = memory;
  const struct heddle_axi_mem_config *m = heddle_axi_mem_configuration(d->memory);
  return !(addr < m->error_limit && addr + bytes > m->error_base) && heddle_axi_mem_load(d->memory, addr, to, bytes);
}

static bool core_store(void *memory, uint64_t addr, const void *from, const uint64_t *strobe, unsigned bytes) {
  static const uint64_t all[2] = {UINT64_MAX, UINT64_MAX};
  struct core_device *d = memory;
  const struct heddle_axi_mem_config *m = heddle_axi_mem_configuration(d->memory);
  return !(addr < m->error_limit && addr + bytes > m->error_base) &&
         heddle_axi_mem_store(d->memory, addr, from, strobe != NULL ? strobe : all, bytes);
}

static void core_record(void *sink, const struct heddle_retire_record *r) {
  struct core_device *d = sink;
  if (!array_room(&d->record, &d->places, d->count + 1, sizeof *d->record)) {
    snprintf(d->failure, sizeof d->failure, "no memory for records");
    return;
  }
  d->record[d->count] = *r;
  d->record[d->count].cycle = d->cycle;
  d->count++;
  if (r->kind == HEDDLE_RECORD_BLOCK_START) note_block(d, &r->u.block_start);
  if (r->kind == HEDDLE_RECORD_ISSUE) d->reg[HEDDLE_REG_COUNTER(HEDDLE_COUNTER_ISSUED) / 4]++;
  if (r->kind == HEDDLE_RECORD_TRAP) note_trap(d, &r->u.trap);
  d->over = d->over || r->kind == HEDDLE_RECORD_BLOCK_END || r->kind == HEDDLE_RECORD_TRAP;
}

static void core_port(void *sink, unsigned kind, const uint32_t *word, size_t words) {
  struct core_device *d = sink;
  struct heddle_retire_record r;
  if (attach_unpack(&d->core, kind, word, words, &r))
    core_record(d, &r);
  else
    snprintf(d->failure, sizeof d->failure, "the core shows a record of kind %u in %zu words, which is none", kind,
             words);
}

static void show_machine(struct core_device *d) {
  const struct heddle_core *c = &d->core;
  set_register(d, HEDDLE_REG_ID, HEDDLE_ID);
  set_register(d, HEDDLE_REG_VERSION, HEDDLE_VERSION);
  set_register(d, HEDDLE_REG_CAP_LANES, c->lanes);
  set_register(d, HEDDLE_REG_CAP_WARPS, c->warp_slots);
  set_register(d, HEDDLE_REG_CAP_REGS, d->machine.regs);
  set_register(d, HEDDLE_REG_CAP_SHARED, c->shared_bytes);
  set_register(d, HEDDLE_REG_CAP_BLOCKS, c->block_slots);
  set_register(d, HEDDLE_REG_CAP_PARTS, c->partitions);
  set_register(d, HEDDLE_REG_CAP_SMS, c->sms);
  set_register(d, HEDDLE_REG_CAP_COUNTERS, 1); /* what has issued, by its records */
  set_register(d, HEDDLE_REG_CAP_UNITS, c->units | (c->its ? HEDDLE_CAP_UNITS_ITS : 0));
  set64(d, HEDDLE_REG_ISA_HASH, heddle_isa_hash());
}

static bool read_register(void *self, uint32_t reg, uint32_t *value) {
  const struct core_device *d = self;
  if (reg % 4 != 0 || reg >= HEDDLE_REG_BYTES) return false;
  *value = reg == HEDDLE_REG_CONTROL ? 0 : d->reg[reg / 4];
  return true;
}

/* ---- launches ---- */

static const uint8_t *device_memory_at(void *self, uint64_t addr, uint64_t bytes) {
  const struct core_device *d = self;
  const struct heddle_axi_mem_config *m = heddle_axi_mem_configuration(d->memory);
  if (addr < m->base || addr - m->base > m->bytes || bytes > m->bytes - (addr - m->base)) return NULL;
  return heddle_axi_mem_view(d->memory) + (addr - m->base);
}

/* Code or constants lie where there is no memory. A core is not asked: it would be handed addresses of nothing. */
static void no_program(struct core_device *d) {
  d->trapped = true;
  set_register(d, HEDDLE_REG_TRAP_CAUSE, HEDDLE_TRAP_BUS);
  set_register(d, HEDDLE_REG_STATUS, HEDDLE_STATUS_TRAPPED);
}

static void start_device_launch(struct core_device *d) {
  const struct heddle_axi_mem_config *m = heddle_axi_mem_configuration(d->memory);
  struct heddle_host_launch from = {.size = sizeof from, .mode = 0};
  (void)heddle_host_launch_read(&from, read_register, d);
  const bool inside = launch_of_host(&from, device_memory_at, d, &d->launch);
  d->launch.units = d->core.units;
  const enum heddle_refuse why =
      heddle_machine_refuses(&d->machine, d->launch.grid, d->launch.block, d->launch.regs, d->launch.shared_bytes);
  if (why != HEDDLE_REFUSE_NONE) {
    set_register(d, HEDDLE_REG_STATUS, HEDDLE_STATUS_REFUSED | (uint32_t)why << HEDDLE_STATUS_REFUSE_SHIFT);
    return;
  }
  const struct heddle_image image = {.size = sizeof image,
                                     .launch = &d->launch,
                                     .base = m->base,
                                     .bytes = m->bytes,
                                     .memory = heddle_axi_mem_view(d->memory)};
  if (!inside) {
    no_program(d);
    return;
  }
  d->launched = d->running = true;
  d->trapped = false;
  set_register(d, HEDDLE_REG_COUNTER(HEDDLE_COUNTER_ISSUED), 0);
  d->started = d->cycle;
  set_register(d, HEDDLE_REG_STATUS, HEDDLE_STATUS_RUNNING);
  d->ops->launch(d->self, &image);
}

static void look_for_end(struct core_device *d) {
  if (!d->running || !d->ops->ended(d->self)) return;
  d->running = false;
  set64(d, HEDDLE_REG_CYCLES, d->cycle - d->started);
  set_register(d, HEDDLE_REG_STATUS, d->trapped ? HEDDLE_STATUS_TRAPPED : HEDDLE_STATUS_DONE);
}

/* ---- the device ---- */

static void core_reset(void *self) {
  struct core_device *d = self;
  d->running = d->over = false;
  d->count = 0;
  set_register(d, HEDDLE_REG_STATUS, 0);
}

static void core_free(void *self) {
  struct core_device *d = self;
  if (d == NULL) return;
  if (d->self != NULL) d->ops->free(d->self);
  heddle_axi_mem_free(d->memory);
  free(d->record);
  free(d->taken);
  free(d);
}

void core_device_info(const struct heddle_core *c, struct heddle_dut_info *out) {
  *out = (struct heddle_dut_info){.config = c->name,
                                  .backend = "verilator",
                                  .sm = c->sm,
                                  .sms = c->sms,
                                  .lanes = c->lanes,
                                  .warp_slots = c->warp_slots,
                                  .block_slots = c->block_slots,
                                  .shared_bytes = c->shared_bytes,
                                  .axi_bytes = 8,
                                  .has_faults = true,
                                  .read_age = c->read_age,
                                  .pred_age = c->pred_age,
                                  .cache_sectors = c->cache_sectors,
                                  .cache_promises = c->cache_promises};
}

/* Of a memory that takes the same time for all; else 0. */
static uint32_t calm_latency(const struct heddle_axi_mem_config *m) {
  for (unsigned i = 0; i < HEDDLE_AXI_CHANNELS; i++)
    if (m->stall[i] != 0) return 0;
  return m->latency_min == m->latency_max ? m->latency_min : 0;
}

static bool core_wave(void *self, const char *path) {
  struct core_device *d = self;
  return d->ops->wave != NULL ? d->ops->wave(d->self, path) : path == NULL;
}

static bool create_core(struct core_device *d, const struct heddle_dut_options *o) {
  const struct heddle_core_options own = {.size = sizeof own,
                                          .memory = d,
                                          .load = core_load,
                                          .store = core_store,
                                          .sink = d,
                                          .record = core_record,
                                          .port = core_port,
                                          .seed = o->seed,
                                          .ready_seed = o->ready_seed,
                                          .fault = o->fault,
                                          .latency = calm_latency(o->memory)};
  d->self = d->ops->create(&own);
  return d->self != NULL && (o->wave == NULL || core_wave(d, o->wave));
}

void *core_device_new(const struct heddle_core_ops *ops, const struct heddle_core *c,
                      const struct heddle_dut_options *o) {
  struct core_device *d = calloc(1, sizeof *d);
  struct heddle_config config;
  if (d == NULL) return NULL;
  d->ops = ops;
  d->core = *c;
  core_config(&d->core, &config);
  d->machine.size = sizeof d->machine;
  heddle_machine_of(&config, &d->machine);
  d->memory = heddle_axi_mem_new(o->memory);
  show_machine(d);
  if (d->memory != NULL && create_core(d, o)) return d;
  core_free(d);
  return NULL;
}

static bool host_write(void *self, uint32_t reg, uint32_t value) {
  struct core_device *d = self;
  uint32_t kept;
  if (reg % 4 != 0 || reg >= HEDDLE_REG_BYTES) return false;
  if (reg == HEDDLE_REG_CONTROL) {
    if ((value & HEDDLE_CONTROL_ABORT) != 0)
      core_reset(d);
    else if ((value & HEDDLE_CONTROL_START) != 0 && !d->running)
      start_device_launch(d);
  } else if (!d->running && reg < HEDDLE_REG_LAUNCHES && heddle_host_regs_kept(reg, value, &kept)) {
    set_register(d, reg, kept);
  }
  return true;
}

static bool host_read(void *self, uint32_t reg, uint32_t *value) {
  look_for_end(self);
  return read_register(self, reg, value);
}

/* There is no bus: what a busy host does with parts of words says nothing of the core. */
static enum heddle_dut_answer host_write_bytes(void *self, uint32_t reg, uint32_t data, unsigned bytes) {
  if (bytes != 15) return HEDDLE_DUT_ERROR;
  return host_write(self, reg, data) ? HEDDLE_DUT_OKAY : HEDDLE_DUT_ERROR;
}

static enum heddle_dut_answer host_both(void *self, const struct heddle_dut_both *b, uint32_t *data, bool *ok) {
  const enum heddle_dut_answer a = host_write_bytes(self, b->write_addr, b->write_data, b->bytes);
  *ok = host_read(self, b->read_addr, data);
  return a;
}

static uint64_t core_step(void *self, uint64_t cycles) {
  struct core_device *d = self;
  uint64_t done = 0;
  while (done < cycles && d->count < TURN && !d->over) {
    d->cycle++;
    if (d->launched) d->ops->clock(d->self);
    done++;
  }
  return done;
}

static const struct heddle_retire_record *core_records(void *self, size_t *count) {
  const struct core_device *d = self;
  *count = d->count;
  return d->record;
}

static void core_clear(void *self) {
  struct core_device *d = self;
  d->count = 0;
  d->over = false;
}

static const struct heddle_retire_record *core_take(void *self, size_t *count) {
  struct core_device *d = self;
  struct heddle_retire_record *const shown = d->record;
  const size_t places = d->places;
  *count = d->count;
  d->record = d->taken;
  d->places = d->taken_places;
  d->taken = shown;
  d->taken_places = places;
  core_clear(d);
  return shown;
}

static struct heddle_axi_mem *core_memory(void *self) {
  return ((struct core_device *)self)->memory;
}

static uint64_t core_cycle(void *self) {
  return ((struct core_device *)self)->cycle;
}

static const char *core_failure(void *self) {
  const struct core_device *d = self;
  if (d->failure[0] != '\0') return d->failure;
  return d->ops->failure != NULL ? d->ops->failure(d->self) : NULL;
}

/* Made by core_device_new, described by core_device_info. */
static const struct heddle_dut_info *no_info(void) {
  return NULL;
}

static void *no_create(const struct heddle_dut_options *o) {
  (void)o;
  return NULL;
}

const struct heddle_dut_ops core_device_ops = {.abi = HEDDLE_DUT_ABI,
                                               .info = no_info,
                                               .create = no_create,
                                               .free = core_free,
                                               .reset = core_reset,
                                               .host_write = host_write,
                                               .host_read = host_read,
                                               .host_write_bytes = host_write_bytes,
                                               .host_both = host_both,
                                               .step = core_step,
                                               .records = core_records,
                                               .take = core_take,
                                               .clear = core_clear,
                                               .memory = core_memory,
                                               .cycle = core_cycle,
                                               .wave = core_wave,
                                               .failure = core_failure};
