/* SPDX-License-Identifier: Apache-2.0
 * The register map (isa/abi/host_regs.layout) on the reference model. A grid runs while time passes, a warp instruction
 * a cycle, and ahead of it by as much as lets a short one end at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/device/launch_of_host.h"
#include <heddle/machine.h>
#include <heddle/pages.h>
#include "cosim/platform/platform.h"
#include "cosim/platform/registers.h"

enum { CYCLES_PER_US = 100 };

struct model_port {
  struct heddle_machine is;
  struct heddle_model *model, *last; /* last: that ran the last grid */
  struct heddle_model *lenient;      /* where what nobody wrote is zeros, or NULL */
  uint64_t bytes, max_insns, zeroed;
  struct registers regs;
  bool goes_on, waits; /* a grid: has not ended, but for pages that it may wait for */
  bool stuck, endless; /* the last grid: it has not ended well; it never will */
  bool undefined;      /* ... because of what nobody has written */
  char why[400];
};

/* ---- what it is */

/* Memory and control are not said; local memory is always there. A launch with pages cannot be done again from its
 * beginning, as `lenient` does: what the host has brought meanwhile is not known here. */
static uint32_t shown_units(const struct model_port *m) {
  const uint32_t said = ((1u << ISA_UNIT_COUNT) - 1) | 1u << ISA_PART_ASYNC | 1u << ISA_PART_FATOM;
  return (m->is.units & said & ~(1u << ISA_UNIT_MEM | 1u << ISA_UNIT_BR)) | HEDDLE_CAP_UNITS_LOCAL |
         (m->is.mmu && !m->lenient ? HEDDLE_CAP_UNITS_MMU : 0);
}

static bool machine_of(const char *config, struct heddle_machine *is) {
  is->size = sizeof *is;
  if (config) return heddle_machine_find(config, is);
  heddle_machine_whole(is);
  return true;
}

static void show_machine_registers(struct model_port *m) {
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
  registers_set(r, HEDDLE_REG_CAP_UNITS, shown_units(m));
  registers_set(r, HEDDLE_REG_CAP_COUNTERS, HEDDLE_COUNTERS);
}

static struct heddle_model *new_lenient(struct heddle_model_config c) {
  c.tell = HEDDLE_TELL_NOTHING;
  return heddle_model_new(&c);
}

struct model_port *model_port_new(const struct model_port_options *o) {
  struct model_port *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->bytes = o->bytes > 0 ? o->bytes : PLATFORM_MEMORY_BYTES;
  m->max_insns = o->max_insns;
  if (machine_of(o->config, &m->is)) {
    m->is.mmu = m->is.mmu || o->mmu;
    const struct heddle_model_config c = {.size = sizeof c,
                                          .base = PLATFORM_MEMORY_BASE,
                                          .bytes = m->bytes,
                                          .warp_slots = m->is.warps,
                                          .block_slots = m->is.blocks,
                                          .sms = m->is.sms,
                                          .shown = m->is.sms,
                                          .divergence = o->divergence};
    m->model = m->last = heddle_model_new(&c);
    m->lenient = o->zero ? new_lenient(c) : NULL;
  }
  if (!m->model || (o->zero && !m->lenient)) {
    model_port_free(m);
    return NULL;
  }
  show_machine_registers(m);
  return m;
}

void model_port_free(struct model_port *m) {
  if (!m) return;
  heddle_model_free(m->model);
  heddle_model_free(m->lenient);
  free(m);
}

const char *model_port_diagnosis(const struct model_port *m) {
  if (m->goes_on) return heddle_model_live(m->last);
  return m->stuck || m->waits ? heddle_model_diag(m->last) : "";
}

const struct heddle_undefined *model_port_undefined(const struct model_port *m) {
  return m->undefined ? heddle_model_undefined(m->last) : NULL;
}

/* ---- a grid */

/* NULL: not inside memory. */
static const uint8_t *model_memory_at(void *self, uint64_t addr, uint64_t bytes) {
  const struct model_port *m = self;
  if (addr < PLATFORM_MEMORY_BASE || addr - PLATFORM_MEMORY_BASE > m->bytes) return NULL;
  if (bytes > m->bytes - (addr - PLATFORM_MEMORY_BASE)) return NULL;
  return heddle_model_memory(m->model) + (addr - PLATFORM_MEMORY_BASE);
}

/* False: code or constants lie outside of memory, which hardware meets as a bus error; those of a launch with pages
 * have no place yet. */
static bool read_launch(struct model_port *m, struct heddle_launch *l) {
  struct heddle_host_launch from = {.size = sizeof from};
  registers_launch(&m->regs, &from);
  const bool inside = launch_of_host(&from, model_memory_at, m, l);
  l->units = m->is.units;
  l->rtl_only = (m->is.units >> ISA_PART_MODEL & 1) == 0;
  l->pages = (from.mode & HEDDLE_MODE_PAGES) != 0 && (shown_units(m) & HEDDLE_CAP_UNITS_MMU) != 0;
  if (!l->pages) return inside;
  l->fault_trap = (from.mode & HEDDLE_MODE_FAULT_TRAP) != 0;
  l->space = (uint8_t)from.space;
  l->page_root = from.page_root / HEDDLE_PAGE_ROOT * HEDDLE_PAGE_ROOT;
  return true;
}

static struct registers_fault fault_of(const struct heddle_page_fault *f) {
  const uint32_t write = f->use == HEDDLE_PAGE_STORE ? HEDDLE_FAULT_INFO_WRITE : 0;
  return (struct registers_fault){f->page, (uint32_t)f->kind << HEDDLE_FAULT_INFO_KIND_SHIFT | write |
                                               (uint32_t)f->space << HEDDLE_FAULT_INFO_SPACE_SHIFT};
}

/* The list of faults; STATUS says RUNNING all the while. */
static void list_faults(struct model_port *m) {
  struct heddle_page_fault found[HEDDLE_FAULT_PLACES];
  struct registers_fault list[HEDDLE_FAULT_PLACES];
  const unsigned all = heddle_model_faults(m->last, found, HEDDLE_FAULT_PLACES);
  const unsigned n = all < HEDDLE_FAULT_PLACES ? all : HEDDLE_FAULT_PLACES;
  for (unsigned i = 0; i < n; i++) list[i] = fault_of(&found[i]);
  registers_faults(&m->regs, list, n);
}

static void end_grid(struct model_port *m, enum heddle_error s, uint64_t insns) {
  const struct heddle_trap bus = {.cause = HEDDLE_TRAP_BUS};
  m->goes_on = s == HEDDLE_ERROR_NOT_READY;
  m->waits = s == HEDDLE_ERROR_FAULTS;
  m->endless = s == HEDDLE_ERROR_LIMIT;
  m->undefined = s == HEDDLE_ERROR_UNDEFINED;
  m->stuck = !m->goes_on && !m->waits && s != HEDDLE_SUCCESS && s != HEDDLE_ERROR_TRAPPED;
  registers_set(&m->regs, HEDDLE_REG_COUNTER(HEDDLE_COUNTER_ISSUED), (uint32_t)insns);
  registers_set64(&m->regs, HEDDLE_REG_CYCLES, insns); /* the model has no clock: one instruction a cycle */
  switch (s) {
  case HEDDLE_SUCCESS:
    registers_done(&m->regs);
    break;
  case HEDDLE_ERROR_TRAPPED:
    registers_trapped(&m->regs, heddle_model_trap(m->last));
    break;
  case HEDDLE_ERROR_FAULTS:
    list_faults(m);
    break;
  case HEDDLE_ERROR_NOT_READY:
    break;
  case HEDDLE_ERROR_UNDEFINED:
    registers_undefined(&m->regs, heddle_model_undefined(m->last));
    break;
  default:
    registers_trapped(&m->regs, &bus);
    break;
  }
}

/* All that the grid may touch. */
static void copy_regions(struct heddle_model *to, struct heddle_model *from, const struct heddle_launch *l) {
  for (unsigned i = 0; i < l->regions; i++) {
    const uint64_t at = l->region[i].base - PLATFORM_MEMORY_BASE;
    memcpy(heddle_model_memory(to) + at, heddle_model_memory(from) + at, l->region[i].limit - l->region[i].base);
  }
}

/* What depends on what nobody wrote is done again from its beginning, where that is zeros, and counted. */
static enum heddle_error again_lenient(struct model_port *m, uint64_t cycles, uint64_t *insns) {
  struct heddle_launch l = {.size = sizeof l};
  (void)read_launch(m, &l); /* as before: registers of launches stay while it runs */
  m->zeroed++;
  m->last = m->lenient;
  const enum heddle_error s = heddle_model_launch(m->lenient, &l);
  return s == HEDDLE_SUCCESS ? heddle_model_go_on(m->lenient, m->max_insns, cycles, insns) : s;
}

/* What the lenient model has left is the host's memory. */
static void bring_back(struct model_port *m) {
  struct heddle_launch l = {.size = sizeof l};
  (void)read_launch(m, &l);
  copy_regions(m->model, m->lenient, &l);
}

static void go_on(struct model_port *m, uint64_t cycles) {
  uint64_t insns = 0;
  enum heddle_error s = heddle_model_go_on(m->last, m->max_insns, cycles, &insns);
  if (s == HEDDLE_ERROR_UNDEFINED && m->lenient && m->last != m->lenient) s = again_lenient(m, cycles, &insns);
  if (s != HEDDLE_ERROR_NOT_READY && m->last == m->lenient) bring_back(m);
  end_grid(m, s, insns);
}

uint64_t model_port_zeroed(const struct model_port *m) {
  return m->zeroed;
}

/* REPLAY or FAIL. */
static void go_on_with_pages(struct model_port *m, uint64_t cycles) {
  if (m->regs.fail) heddle_model_fail(m->last);
  m->regs.replay = m->regs.fail = false;
  go_on(m, cycles);
}

/* As one access; bytes are the lowest first. */
static void exchange_page_entry(struct model_port *m) {
  const uint64_t at = registers_get64(&m->regs, HEDDLE_REG_ENTRY_ADDR) / 8 * 8;
  const uint64_t value = registers_get64(&m->regs, HEDDLE_REG_ENTRY_VALUE);
  const bool inside = model_memory_at(m, at, 8) != NULL;
  uint64_t old = 0;
  for (unsigned k = 0; k < 8 && inside; k++) {
    uint8_t *byte = heddle_model_memory(m->model) + (at - PLATFORM_MEMORY_BASE) + k;
    old |= (uint64_t)*byte << (8 * k);
    *byte = (uint8_t)(value >> (8 * k));
  }
  if (inside && m->goes_on) heddle_model_written(m->model, at, 8);
  m->regs.exchange = false;
  registers_exchanged(&m->regs, !inside, old);
}

static void start_grid(struct model_port *m, uint64_t cycles) {
  struct heddle_launch l = {.size = sizeof l, .regions = 0};
  const bool inside = read_launch(m, &l);
  const enum heddle_refuse why = heddle_machine_refuses(&m->is, l.grid, l.block, l.regs, l.shared_bytes);
  m->regs.pending = m->stuck = m->undefined = m->endless = m->waits = m->regs.replay = m->regs.fail = false;
  if (why != HEDDLE_REFUSE_NONE) {
    registers_refused(&m->regs, (uint32_t)why);
    return;
  }
  m->last = m->model;
  if (m->lenient && inside) copy_regions(m->lenient, m->model, &l);
  const enum heddle_error s = inside ? heddle_model_launch(m->model, &l) : HEDDLE_ERROR_INVALID_VALUE;
  if (s == HEDDLE_SUCCESS)
    go_on(m, cycles);
  else
    end_grid(m, s, 0);
}

/* ---- the port */

static bool write_model_register(void *self, uint32_t reg, uint32_t value) {
  struct model_port *m = self;
  const bool ok = registers_write32(&m->regs, reg, value);
  if (m->regs.abort) m->regs.abort = m->stuck = m->waits = m->goes_on = false;
  if (m->regs.exchange) exchange_page_entry(m);
  return ok;
}

static bool read_model_register(void *self, uint32_t reg, uint32_t *value) {
  const struct model_port *m = self;
  return registers_read32(&m->regs, reg, value);
}

static bool read_model_memory(void *self, uint64_t addr, void *data, uint64_t bytes) {
  const uint8_t *from = model_memory_at(self, addr, bytes);
  if (from) memcpy(data, from, bytes);
  return from != NULL;
}

static bool write_model_memory(void *self, uint64_t addr, const void *data, uint64_t bytes) {
  struct model_port *m = self;
  if (!model_memory_at(m, addr, bytes)) return false;
  memcpy(heddle_model_memory(m->model) + (addr - PLATFORM_MEMORY_BASE), data, bytes);
  if (m->waits || m->goes_on) heddle_model_written(m->model, addr, bytes);
  return true;
}

static void wait_for_model(void *self, uint32_t microseconds) {
  struct model_port *m = self;
  const uint64_t cycles = (uint64_t)microseconds * CYCLES_PER_US;
  if (m->regs.pending)
    start_grid(m, cycles);
  else if (m->goes_on)
    go_on(m, cycles);
  else if (m->waits && m->regs.replay)
    go_on_with_pages(m, cycles);
}

/* A limit, or a deadlock that the model has found: the diagnosis begins with which. */
static enum heddle_error model_verdict(void *self, const char **why) {
  struct model_port *m = self;
  if (!m->endless) return HEDDLE_SUCCESS;
  const char *diag = heddle_model_diag(m->last);
  const int line = (int)strcspn(diag, "\n");
  if (strncmp(diag, "deadlock", 8) == 0)
    snprintf(m->why, sizeof m->why, "%.*s", line, diag);
  else
    snprintf(m->why, sizeof m->why,
             "not finished after %llu warp instructions, the limit of HEDDLE_LIMIT; without it there is none",
             (unsigned long long)m->max_insns);
  *why = m->why;
  return HEDDLE_ERROR_LIMIT;
}

void model_port_bind(struct model_port *m, struct heddle_port *port) {
  *port = (struct heddle_port){.size = sizeof *port,
                               .self = m,
                               .name = "model",
                               .memory_base = PLATFORM_MEMORY_BASE,
                               .memory_bytes = m->bytes,
                               .read32 = read_model_register,
                               .write32 = write_model_register,
                               .read = read_model_memory,
                               .write = write_model_memory,
                               .wait = wait_for_model,
                               .verdict = model_verdict};
}
