/* SPDX-License-Identifier: Apache-2.0
 * Boards by name: simulated ones, and those at the other end of a link. */
#include <heddle/sim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/config.h>
#include "cosim/platform/platform.h"
#include "firmware/runtime/board/open.h"
#include "isa/util/options.h"
#include "firmware/runtime/board/port.h"

struct heddle_sim {
  struct heddle_port port;
  struct model_port *model;
  struct device *device;
  struct board board; /* with a link, if it is one */
};

struct words {
  char *text;
  size_t bytes;
};

static enum heddle_error open_model(struct heddle_sim *s, const char *config, uint64_t bytes, struct words w) {
  const struct model_port_options o = {.config = config, .bytes = bytes};
  if (config && !heddle_config_find(config)) {
    snprintf(w.text, w.bytes, "no configuration '%s'", config);
    return HEDDLE_ERROR_NOT_FOUND;
  }
  s->model = model_port_new(&o);
  if (!s->model) {
    snprintf(w.text, w.bytes, "no memory for a board of %llu bytes", (unsigned long long)bytes);
    return HEDDLE_ERROR_HOST_MEMORY;
  }
  model_port_bind(s->model, &s->port);
  return HEDDLE_SUCCESS;
}

static enum heddle_error open_device(struct heddle_sim *s, const char *backend, const char *config,
                                     const struct heddle_sim_options *from, struct words w) {
  struct device_options o = {.seed = 1};
  axi_mem_calm(&o.memory);
  o.memory.base = PLATFORM_MEMORY_BASE;
  o.memory.bytes = from->memory_bytes;
  s->device = device_open(from->devices, backend, config, &o, w.text, w.bytes);
  if (!s->device) return HEDDLE_ERROR_NO_DEVICE;
  device_port_bind(s->device, &s->port, PLATFORM_MEMORY_BASE, from->memory_bytes);
  return HEDDLE_SUCCESS;
}

static enum heddle_error open_board(struct heddle_sim *s, const char *name, struct words w) {
  if (board_open(name, NULL, NULL, &s->board, w.text, w.bytes) != BOARD_OK) return HEDDLE_ERROR_NO_DEVICE;
  board_port_bind(s->board.link, &s->board.id, &s->port);
  return HEDDLE_SUCCESS;
}

/* What stands behind `kind` in a name, or NULL. */
static const char *behind(const char *name, const char *kind) {
  const size_t n = strlen(kind);
  return strncmp(name, kind, n) == 0 ? name + n : NULL;
}

static enum heddle_error open_named(struct heddle_sim *s, const struct heddle_sim_options *o, struct words w) {
  const char *config;
  if (strcmp(o->name, "model") == 0) return open_model(s, NULL, o->memory_bytes, w);
  if ((config = behind(o->name, "model:"))) return open_model(s, config, o->memory_bytes, w);
  if ((config = behind(o->name, "rtl:"))) return open_device(s, "verilator", config, o, w);
  if ((config = behind(o->name, "systemc:"))) return open_device(s, "systemc", config, o, w);
  if ((config = behind(o->name, "board:"))) return open_board(s, config, w);
  snprintf(w.text, w.bytes, "'%s': expected model, model:CONFIG, rtl:CONFIG, systemc:CONFIG or board:NAME", o->name);
  return HEDDLE_ERROR_INVALID_VALUE;
}

enum heddle_error heddle_sim_open(const struct heddle_sim_options *given, struct heddle_sim **out, char *message,
                                  size_t bytes) {
  struct heddle_sim_options o;
  char none[1];
  const struct words w = bytes > 0 && message ? (struct words){message, bytes} : (struct words){none, sizeof none};
  *w.text = '\0';
  if (!given || !out || !options_take(&o, sizeof o, given) || !o.name || o.memory_bytes % 256 != 0) {
    snprintf(w.text, w.bytes, "options without a name, of another release, or of odd bytes of memory");
    return HEDDLE_ERROR_INVALID_VALUE;
  }
  if (o.memory_bytes == 0) o.memory_bytes = PLATFORM_MEMORY_BYTES;
  struct heddle_sim *s = calloc(1, sizeof *s);
  if (!s) return HEDDLE_ERROR_HOST_MEMORY;
  const enum heddle_error e = open_named(s, &o, w);
  if (e == HEDDLE_SUCCESS)
    *out = s;
  else
    heddle_sim_close(s);
  return e;
}

void heddle_sim_close(struct heddle_sim *s) {
  if (!s) return;
  model_port_free(s->model);
  device_free(s->device);
  if (s->board.link) (void)board_close(&s->board);
  free(s);
}

const struct heddle_port *heddle_sim_port(const struct heddle_sim *s) {
  return &s->port;
}

const char *heddle_sim_diagnosis(const struct heddle_sim *s) {
  return s->model ? model_port_diagnosis(s->model) : "";
}
