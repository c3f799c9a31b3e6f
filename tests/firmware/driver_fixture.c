/* SPDX-License-Identifier: Apache-2.0 */
#include "driver_fixture.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

static int open_with(struct fixture *f, const char *config) {
  const struct model_port_options o = {.config = config, .bytes = MEMORY};
  f->model = model_port_new(&o);
  assert_non_null(f->model);
  model_port_bind(f->model, &f->port);
  OK(heddle_init(&f->port, 1, &f->system));
  OK(heddle_device_get(f->system, 0, &f->device));
  OK(heddle_context_create(f->device, &f->context));
  f->elf = driver_program(&f->elf_bytes);
  OK(heddle_module_load_data(f->context, f->elf, f->elf_bytes, &f->module));
  return 0;
}

int open_roomy(void **state) {
  struct fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  *state = f;
  return open_with(f, NULL);
}

int open_tiny(void **state) {
  struct fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  *state = f;
  return open_with(f, "tiny");
}

int close_all(void **state) {
  struct fixture *f = *state;
  heddle_context_destroy(f->context);
  heddle_shutdown(f->system);
  model_port_free(f->model);
  free(f->elf);
  free(f);
  return 0;
}

struct heddle_function *function(const struct fixture *f, const char *name) {
  struct heddle_function *k;
  OK(heddle_module_function(f->module, name, &k));
  return k;
}

uint64_t space(const struct fixture *f, uint64_t bytes) {
  uint64_t at = 0;
  OK(heddle_mem_alloc(f->context, bytes, &at));
  assert_true(at != 0 && at % 256 == 0);
  return at;
}

uint64_t free_bytes(const struct fixture *f) {
  uint64_t n = 0;
  OK(heddle_mem_info(f->context, &n, NULL));
  return n;
}

uint32_t word_at(const struct fixture *f, uint64_t at) {
  uint32_t w = 0;
  OK(heddle_memcpy_to_host(f->context, &w, at, sizeof w));
  return w;
}

void must_say(const struct fixture *f, const char *words) {
  if (!strstr(heddle_context_message(f->context), words))
    fail_msg("'%s' is not in '%s'", words, heddle_context_message(f->context));
}
