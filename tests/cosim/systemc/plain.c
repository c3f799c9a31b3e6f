/* SPDX-License-Identifier: Apache-2.0
 * Boards without SystemC, with a memory of any latency. See on_port.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/platform/platform.h"
#include <heddle/sim.h>
#include "tests/cosim/systemc/on_port.h"

struct plain {
  struct heddle_sim *sim;
  struct heddle_dut *device;
};

static bool open_rtl(struct plain *p, const char *config, uint64_t base, uint64_t bytes, uint32_t latency,
                     struct heddle_port *port) {
  char why[512];
  struct heddle_axi_mem_config m = {.size = sizeof m, .base = base, .bytes = bytes};
  const struct heddle_dut_options o = {.size = sizeof o, .memory = &m, .seed = 1};
  heddle_axi_mem_calm(&m);
  m.latency_min = m.latency_max = latency;
  p->device = heddle_dut_open(NULL, "verilator", config, &o, why, sizeof why);
  if (!p->device) return fprintf(stderr, "%s\n", why), false;
  device_port_bind(p->device, port, base, bytes);
  return true;
}

static bool open_model(struct plain *p, const char *board, uint64_t base, uint64_t bytes, struct heddle_port *port) {
  char why[512];
  const struct heddle_sim_options o = {.size = sizeof o, .name = board, .memory_bytes = bytes};
  if (heddle_sim_open(&o, &p->sim, why, sizeof why) != HEDDLE_SUCCESS) return fprintf(stderr, "%s\n", why), false;
  *port = *heddle_sim_port(p->sim);
  return port->memory_base == base;
}

struct plain *plain_open(const char *board, uint64_t base, uint64_t bytes, uint32_t latency, struct heddle_port *port) {
  struct plain *p = calloc(1, sizeof *p);
  const bool ok = p && (strncmp(board, "rtl:", 4) == 0 ? open_rtl(p, board + 4, base, bytes, latency, port)
                                                       : open_model(p, board, base, bytes, port));
  if (ok) return p;
  plain_close(p);
  return NULL;
}

void plain_close(struct plain *p) {
  if (!p) return;
  heddle_sim_close(p->sim);
  heddle_dut_free(p->device);
  free(p);
}
