/* SPDX-License-Identifier: Apache-2.0
 * Platforms by name. */
#include "heddle/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct platform {
  struct heddle_port port;
  struct model_port *model;
  struct device *device;
};

static bool open_model(struct platform *p, const char *config, char *err, size_t n) {
  const struct model_port_options o = {.config = config};
  p->model = model_port_new(&o);
  if (!p->model) {
    snprintf(err, n, "no memory, or no configuration '%s'", config ? config : "");
    return false;
  }
  model_port_bind(p->model, &p->port);
  return true;
}

static bool open_device(struct platform *p, const char *backend, const char *config, char *err, size_t n) {
  struct device_options o = {.seed = 1};
  axi_mem_calm(&o.memory);
  o.memory.base = PLATFORM_MEMORY_BASE;
  o.memory.bytes = PLATFORM_MEMORY_BYTES;
  p->device = device_open(NULL, backend, config, &o, err, n);
  if (!p->device) return false;
  device_port_bind(p->device, &p->port, PLATFORM_MEMORY_BASE, PLATFORM_MEMORY_BYTES);
  return true;
}

static bool open(struct platform *p, const char *name, char *err, size_t n) {
  if (strcmp(name, "model") == 0) return open_model(p, NULL, err, n);
  if (strncmp(name, "model:", 6) == 0) return open_model(p, name + 6, err, n);
  if (strncmp(name, "rtl:", 4) == 0) return open_device(p, "verilator", name + 4, err, n);
  if (strncmp(name, "systemc:", 8) == 0) return open_device(p, "systemc", name + 8, err, n);
  snprintf(err, n, "'%s': expected model, model:CONFIG, rtl:CONFIG or systemc:CONFIG", name);
  return false;
}

struct platform *platform_open(const char *name, char *err, size_t err_bytes) {
  struct platform *p = calloc(1, sizeof *p);
  snprintf(err, err_bytes, "out of memory");
  if (p && open(p, name, err, err_bytes)) return p;
  platform_close(p);
  return NULL;
}

void platform_close(struct platform *p) {
  if (!p) return;
  model_port_free(p->model);
  device_free(p->device);
  free(p);
}

const struct heddle_port *platform_port(const struct platform *p) {
  return &p->port;
}
