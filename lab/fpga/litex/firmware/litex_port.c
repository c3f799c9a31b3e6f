/* SPDX-License-Identifier: Apache-2.0
 * The driver's port over the memory map of an SoC of LiteX. */
#include "litex_port.h"

#include <string.h>

#include <generated/csr.h>
#include <generated/mem.h>
#include <generated/soc.h>
#include <irq.h>
#include <system.h>

#include <heddle/host_regs.h>

#define CYCLES_PER_US (CONFIG_CLOCK_FREQUENCY < 1000000 ? 1u : CONFIG_CLOCK_FREQUENCY / 1000000u)
#define REST_POLLS 100000u

static volatile bool raised; /* the interrupt was taken */
static volatile unsigned interrupts;
static bool started; /* a launch was started since the device was last seen at rest: what the caches have is old */

static volatile uint32_t *at(uint32_t reg) {
  return (volatile uint32_t *)(HEDDLE_BASE + reg);
}

/* ---- time */

uint32_t litex_port_cycles(void) {
  static bool runs;
  if (!runs) {
    timer0_en_write(0);
    timer0_load_write(0);
    timer0_reload_write(UINT32_MAX);
    timer0_en_write(1);
    runs = true;
  }
  timer0_update_value_write(1);
  return UINT32_MAX - timer0_value_read();
}

/* ---- caches: the CPU's writes through; the L2 keeps what was written until its place is wanted */

static void flush(void) {
  flush_cpu_dcache();
#if !HEDDLE_DMA_L2
  flush_l2_cache();
  flush_cpu_dcache(); /* of what flushing the L2 has read */
#endif
}

/* Before memory is looked at or written: a line that a cache kept from before a launch is not what memory has. */
static void see_results(void) {
  if (!started) return;
  const bool runs = (*at(HEDDLE_REG_STATUS) & HEDDLE_STATUS_RUNNING) != 0;
  flush();
  started = runs;
}

/* ---- the port */

static bool read_soc_register(void *self, uint32_t reg, uint32_t *value) {
  (void)self;
  *value = *at(reg);
  return true;
}

static bool write_soc_register(void *self, uint32_t reg, uint32_t value) {
  (void)self;
  if (reg == HEDDLE_REG_CONTROL && (value & HEDDLE_CONTROL_START) != 0) {
    flush();
    started = true;
  }
  *at(reg) = value;
  return true;
}

static bool in_core_memory(uint64_t addr, uint64_t bytes) {
  return addr >= HEDDLE_MEMORY_BASE && bytes <= HEDDLE_MEMORY_BYTES &&
         addr - HEDDLE_MEMORY_BASE <= HEDDLE_MEMORY_BYTES - bytes;
}

static bool read_soc_memory(void *self, uint64_t addr, void *data, uint64_t bytes) {
  (void)self;
  if (!in_core_memory(addr, bytes)) return false;
  see_results();
  memcpy(data, (const void *)(uintptr_t)addr, (size_t)bytes);
  return true;
}

static bool write_soc_memory(void *self, uint64_t addr, const void *data, uint64_t bytes) {
  (void)self;
  if (!in_core_memory(addr, bytes)) return false;
  see_results();
  memcpy((void *)(uintptr_t)addr, data, (size_t)bytes);
  return true;
}

/* The line is a level: it is off here while nobody waits, and on again when somebody does. */
static void on_interrupt(void) {
  heddle_ev_enable_write(0);
  interrupts++;
  raised = true;
}

static void wait_interrupt(void *self, uint32_t microseconds) {
  const uint32_t from = litex_port_cycles(), cycles = microseconds * CYCLES_PER_US;
  const bool sleeps = self != NULL;
  raised = false;
  if (sleeps) heddle_ev_enable_write(1);
  while (!raised && litex_port_cycles() - from < cycles) {}
  if (sleeps) heddle_ev_enable_write(0);
}

unsigned litex_port_interrupts(void) {
  return interrupts;
}

bool litex_port_reset(void) {
  uint32_t polls = 0;
  *at(HEDDLE_REG_CONTROL) = HEDDLE_CONTROL_ABORT;
  while ((*at(HEDDLE_REG_STATUS) & (HEDDLE_STATUS_RUNNING | HEDDLE_STATUS_DRAINING)) != 0)
    if (polls++ == REST_POLLS) return false;
  heddle_control_write(1);
  heddle_control_write(0);
  started = true; /* what it wrote before is looked at anew */
  return true;
}

void litex_port_open(struct heddle_port *port, bool sleeps) {
  static int one;
  heddle_ev_enable_write(0);
  if (sleeps) {
    irq_attach(HEDDLE_INTERRUPT, on_interrupt);
    irq_setmask(irq_getmask() | 1u << HEDDLE_INTERRUPT);
  }
  *port = (struct heddle_port){.size = sizeof *port,
                               .self = sleeps ? &one : NULL,
                               .name = "LiteX",
                               .memory_base = HEDDLE_MEMORY_BASE,
                               .memory_bytes = HEDDLE_MEMORY_BYTES,
                               .read32 = read_soc_register,
                               .write32 = write_soc_register,
                               .read = read_soc_memory,
                               .write = write_soc_memory,
                               .wait = wait_interrupt,
                               .sleeps = sleeps};
}
