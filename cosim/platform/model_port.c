/* SPDX-License-Identifier: Apache-2.0
 * The register map (isa/abi/host_regs.layout) on the reference model. A grid runs whole when time passes first after
 * its start; one that does not end is left running until it is aborted. */
#include <stdlib.h>
#include <string.h>

#include "cosim/device/launch_of_host.h"
#include <heddle/machine.h>
#include "cosim/platform/platform.h"
#include "cosim/platform/registers.h"

struct model_port {
  struct heddle_machine is;
  struct heddle_model *model;
  uint64_t bytes, max_insns;
  struct registers regs;
  bool stuck;
};

/* ---- what it is */

/* Memory and control are not said; local memory is always there. */
static uint32_t shown_units(const struct heddle_machine *is) {
  const uint32_t said = ((1u << ISA_UNIT_COUNT) - 1) | 1u << ISA_PART_ASYNC | 1u << ISA_PART_FATOM;
  return (is->units & said & ~(1u << ISA_UNIT_MEM | 1u << ISA_UNIT_BR)) | HEDDLE_CAP_UNITS_LOCAL;
}

static bool machine_of(const char *config, struct heddle_machine *is) {
  if (config) return heddle_machine_find(config, is);
  heddle_machine_whole(is);
  return true;
}

static void show(struct model_port *m) {
  const struct heddle_machine *is = &m->is;
  struct registers *r = &m->regs;
  registers_set(r, HEDDLE_REG_ID, HEDDLE_ID);
  registers_set(r, HEDDLE_REG_VERSION, HEDDLE_VERSION);
  registers_set(r, HEDDLE_REG_CAP_LANES, is->lanes);
  registers_set(r, HEDDLE_REG_CAP_WARPS, is->warps);
  registers_set(r, HEDDLE_REG_CAP_REGS, is->regs);
  registers_set(r, HEDDLE_REG_CAP_SHARED, is->shared_bytes);
  registers_set(r, HEDDLE_REG_CAP_BLOCKS, is->blocks);
  registers_set(r, HEDDLE_REG_CAP_PARTS, is->partitions);
  registers_set(r, HEDDLE_REG_CAP_SMS, is->sms);
  registers_set(r, HEDDLE_REG_CAP_AXI_BITS, is->axi_bits);
  registers_set64(r, HEDDLE_REG_CFG_HASH, is->config_hash);
  registers_set64(r, HEDDLE_REG_ISA_HASH, heddle_isa_hash());
  registers_set64(r, HEDDLE_REG_LATENCY_HASH, is->latency_hash);
  registers_set(r, HEDDLE_REG_CAP_UNITS, shown_units(is));
  registers_set(r, HEDDLE_REG_CAP_COUNTERS, HEDDLE_COUNTERS);
}

struct model_port *model_port_new(const struct model_port_options *o) {
  struct model_port *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->bytes = o->bytes > 0 ? o->bytes : PLATFORM_MEMORY_BYTES;
  m->max_insns = o->max_insns > 0 ? o->max_insns : 200000000;
  if (machine_of(o->config, &m->is)) {
    const struct heddle_model_config c = {.size = sizeof c,
                                          .base = PLATFORM_MEMORY_BASE,
                                          .bytes = m->bytes,
                                          .warp_slots = m->is.warps,
                                          .block_slots = m->is.blocks,
                                          .sms = m->is.sms,
                                          .shown = m->is.sms,
                                          .divergence = o->divergence,
                                          .threads = o->threads};
    m->model = heddle_model_new(&c);
  }
  if (!m->model) {
    free(m);
    return NULL;
  }
  show(m);
  return m;
}

void model_port_free(struct model_port *m) {
  if (!m) return;
  heddle_model_free(m->model);
  free(m);
}

const char *model_port_diagnosis(const struct model_port *m) {
  return m->stuck ? heddle_model_diag(m->model) : "";
}

/* ---- a grid */

/* NULL: not inside memory. */
static const uint8_t *memory_at(void *self, uint64_t addr, uint64_t bytes) {
  const struct model_port *m = self;
  if (addr < PLATFORM_MEMORY_BASE || addr - PLATFORM_MEMORY_BASE > m->bytes) return NULL;
  if (bytes > m->bytes - (addr - PLATFORM_MEMORY_BASE)) return NULL;
  return heddle_model_memory(m->model) + (addr - PLATFORM_MEMORY_BASE);
}

/* False: code or constants lie outside of memory, which hardware meets as a bus error. */
static bool read_launch(struct model_port *m, struct heddle_launch *l) {
  struct heddle_host_launch from;
  registers_launch(&m->regs, &from);
  const bool inside = launch_of_host(&from, memory_at, m, l);
  l->units = m->is.units;
  l->rtl_only = (m->is.units >> ISA_PART_MODEL & 1) == 0;
  return inside;
}

static void end(struct model_port *m, enum heddle_status s, uint64_t insns) {
  const struct heddle_trap bus = {.cause = HEDDLE_TRAP_BUS};
  registers_set(&m->regs, HEDDLE_REG_COUNTER(HEDDLE_COUNTER_ISSUED), (uint32_t)insns);
  registers_set64(&m->regs, HEDDLE_REG_CYCLES, insns); /* the model has no clock: one instruction a cycle */
  switch (s) {
  case HEDDLE_OK:
    registers_done(&m->regs);
    break;
  case HEDDLE_TRAPPED:
    registers_trapped(&m->regs, heddle_model_trap(m->model));
    break;
  case HEDDLE_LIMIT:
    break; /* it runs on */
  case HEDDLE_UNDEFINED:
    registers_undefined(&m->regs, heddle_model_undefined(m->model));
    break;
  default:
    registers_trapped(&m->regs, &bus);
    break;
  }
  m->stuck = s != HEDDLE_OK && s != HEDDLE_TRAPPED;
}

static void run(struct model_port *m) {
  struct heddle_launch l = {.regions = 0};
  const bool inside = read_launch(m, &l);
  const enum heddle_refuse why = heddle_machine_refuses(&m->is, l.grid, l.block, l.regs, l.shared_bytes);
  uint64_t insns = 0;
  m->regs.pending = m->stuck = false;
  if (why != HEDDLE_REFUSE_NONE) {
    registers_refused(&m->regs, (uint32_t)why);
    return;
  }
  enum heddle_status s = inside ? heddle_model_launch(m->model, &l) : HEDDLE_BAD_ARG;
  if (s == HEDDLE_OK) s = heddle_model_run(m->model, m->max_insns, &insns);
  end(m, s, insns);
}

/* ---- the port */

static bool write32(void *self, uint32_t reg, uint32_t value) {
  struct model_port *m = self;
  const bool ok = registers_write32(&m->regs, reg, value);
  if (m->regs.abort) m->regs.abort = m->stuck = false;
  return ok;
}

static bool read32(void *self, uint32_t reg, uint32_t *value) {
  const struct model_port *m = self;
  return registers_read32(&m->regs, reg, value);
}

static bool read_memory(void *self, uint64_t addr, void *data, uint64_t bytes) {
  const uint8_t *from = memory_at(self, addr, bytes);
  if (from) memcpy(data, from, bytes);
  return from != NULL;
}

static bool write_memory(void *self, uint64_t addr, const void *data, uint64_t bytes) {
  struct model_port *m = self;
  if (!memory_at(m, addr, bytes)) return false;
  memcpy(heddle_model_memory(m->model) + (addr - PLATFORM_MEMORY_BASE), data, bytes);
  return true;
}

static void wait_for(void *self, uint32_t microseconds) {
  struct model_port *m = self;
  (void)microseconds;
  if (m->regs.pending) run(m);
}

void model_port_bind(struct model_port *m, struct heddle_port *port) {
  *port = (struct heddle_port){.size = sizeof *port,
                               .self = m,
                               .name = "model",
                               .memory_base = PLATFORM_MEMORY_BASE,
                               .memory_bytes = m->bytes,
                               .read32 = read32,
                               .write32 = write32,
                               .read = read_memory,
                               .write = write_memory,
                               .wait = wait_for};
}
