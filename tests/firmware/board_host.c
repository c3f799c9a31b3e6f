/* SPDX-License-Identifier: Apache-2.0 */
#include "board_host.h"

#include <stdlib.h>

#include "tests/test.h"
#include "tests/firmware/driver_program.h"

struct host host_open(const char *name) {
  struct host h = {.out = 0};
  struct heddle_message msg;
  const struct heddle_sim_options o = {.size = sizeof o, .name = name, .quiet = true};
  if (heddle_sim_open(&o, &h.sim, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  host_over(&h, heddle_sim_port(h.sim));
  return h;
}

void host_over(struct host *h, const struct heddle_port *port) {
  size_t bytes;
  uint8_t *elf = driver_program(&bytes);
  OK(heddle_init(port, 1, &h->system));
  OK(heddle_device_get(h->system, 0, &h->device));
  OK(heddle_context_create(h->device, &h->context));
  OK(heddle_module_load_data(h->context, elf, bytes, &h->module));
  OK(heddle_mem_alloc(h->context, 768, &h->out));
  OK(heddle_memset8(h->context, h->out, 0, 768));
  free(elf);
}

void host_close(struct host *h) {
  heddle_context_destroy(h->context);
  heddle_shutdown(h->system);
  heddle_sim_close(h->sim);
}

struct heddle_function *host_function(const struct host *h, const char *name) {
  struct heddle_function *f;
  OK(heddle_module_function(h->module, name, &f));
  return f;
}

enum heddle_error host_fill(const struct host *h, uint32_t value) {
  uint64_t out = h->out;
  OK(heddle_function_launch(host_function(h, "fill"), (struct heddle_size){3, 1, 1}, (struct heddle_size){64, 1, 1}, 0,
                            (void *[]){&out, &value}));
  return heddle_synchronize(h->context, 1000);
}

uint32_t host_word(const struct host *h, uint64_t at) {
  uint32_t got = 0;
  OK(heddle_memcpy_to_host(h->context, &got, at, sizeof got));
  return got;
}

uint64_t host_cycles(const struct host *h) {
  struct heddle_statistics s;
  OK(heddle_statistics_last(h->context, &s));
  return s.cycles;
}

static void set(const char *name, const char *value) {
  assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

void host_environment(const char *board, const char *seed, const char *stats) {
  set("HEDDLE_BOARD", board);
  set("HEDDLE_SEED", seed);
  set("HEDDLE_STATS", stats);
}
