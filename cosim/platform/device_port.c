/* SPDX-License-Identifier: Apache-2.0
 * The driver's port over a simulated device. */
#include <string.h>

#include <heddle/host_regs.h>
#include "cosim/platform/platform.h"

enum { CYCLES_PER_US = 100, SLEEP_STEP = 4, DRAIN_CYCLES = 20000, DRAIN_STEP = 16 };

static bool read_dut_register(void *self, uint32_t reg, uint32_t *value) {
  return heddle_dut_read32(self, reg, value) && heddle_dut_failure(self) == NULL;
}

static bool write_dut_register(void *self, uint32_t reg, uint32_t value) {
  return heddle_dut_write32(self, reg, value) && heddle_dut_failure(self) == NULL;
}

/* The memory is looked at from behind: what is on its way over AXI must have arrived. */
static bool drained(struct heddle_dut *d) {
  for (unsigned i = 0; i < DRAIN_CYCLES / DRAIN_STEP && !heddle_axi_mem_idle(heddle_dut_memory(d)); i++)
    (void)heddle_dut_step(d, DRAIN_STEP);
  return heddle_axi_mem_idle(heddle_dut_memory(d));
}

/* A grid that runs may never leave AXI idle; what the host reads then it has had flushed, and that has arrived. */
static bool read_dut_memory(void *self, uint64_t addr, void *data, uint64_t bytes) {
  uint32_t status = 0;
  const bool there =
      drained(self) || (read_dut_register(self, HEDDLE_REG_STATUS, &status) && status & HEDDLE_STATUS_RUNNING);
  return there && heddle_dut_memory_load(self, addr, data, bytes);
}

/* A grid that runs may keep AXI busy; it touches nothing of this. */
static bool write_dut_memory(void *self, uint64_t addr, const void *data, uint64_t bytes) {
  return heddle_dut_memory_store(self, addr, data, bytes);
}

/* Or until the interrupt line is high. */
static void wait_for_dut(void *self, uint32_t microseconds) {
  uint64_t left = (uint64_t)microseconds * CYCLES_PER_US;
  for (uint64_t done = 1; left > 0 && done > 0 && !heddle_dut_irq(self); left -= done)
    done = heddle_dut_step(self, left < SLEEP_STEP ? left : SLEEP_STEP);
}

void device_port_bind(struct heddle_dut *d, struct heddle_port *port, uint64_t memory_base, uint64_t memory_bytes) {
  *port = (struct heddle_port){.size = sizeof *port,
                               .self = d,
                               .name = heddle_dut_describe(d)->config,
                               .memory_base = memory_base,
                               .memory_bytes = memory_bytes,
                               .read32 = read_dut_register,
                               .write32 = write_dut_register,
                               .read = read_dut_memory,
                               .write = write_dut_memory,
                               .wait = wait_for_dut,
                               .sleeps = heddle_dut_core(d) == NULL}; /* one of ours: it has the line */
}
