/* SPDX-License-Identifier: Apache-2.0
 * The driver's port over the link. */
#include "port.h"

#include <time.h>

static bool read_link_register(void *self, uint32_t reg, uint32_t *value) {
  return board_link_read32(self, reg, value) == BOARD_OK;
}

static bool write_link_register(void *self, uint32_t reg, uint32_t value) {
  return board_link_write32(self, reg, value) == BOARD_OK;
}

/* No cache lies between: the link's accesses and the core's meet before the same memory. */
static bool read_link_memory(void *self, uint64_t addr, void *data, uint64_t bytes) {
  return board_link_read(self, addr, data, bytes) == BOARD_OK;
}

static bool write_link_memory(void *self, uint64_t addr, const void *data, uint64_t bytes) {
  return board_link_write(self, addr, data, bytes) == BOARD_OK;
}

/* Meanwhile the trace is taken, where it is long enough. The line has no frame for an interrupt: nobody is woken. */
static void wait_link(void *self, uint32_t microseconds) {
  const struct timespec part = {.tv_nsec = (long)(microseconds % 1000) * 1000};
  (void)nanosleep(&part, NULL);
  (void)board_link_poll(self, microseconds / 1000);
}

void board_port_bind(struct board_link *l, const struct board_identity *id, struct heddle_port *port) {
  *port = (struct heddle_port){.size = sizeof *port,
                               .self = l,
                               .name = "board",
                               .memory_base = id->memory_base,
                               .memory_bytes = id->memory_bytes,
                               .read32 = read_link_register,
                               .write32 = write_link_register,
                               .read = read_link_memory,
                               .write = write_link_memory,
                               .wait = wait_link};
}
