/* SPDX-License-Identifier: Apache-2.0
 * The model or a board, and a driver over it. */
#include "unified_bench.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

static const char *board_name;

void run_on_board(const char *name) {
  board_name = name;
}

void open_driver(struct bench *b, const struct heddle_port *port, uint64_t frames,
                 const struct heddle_unified *unified) {
  const struct heddle_options o = {
      .size = sizeof o, .ports = port, .count = 1, .unified = unified, .unified_bytes = frames};
  struct fixture *f = &b->f;
  OK(heddle_init_options(&o, &f->system));
  OK(heddle_device_get(f->system, 0, &f->device));
  OK(heddle_context_create(f->device, &f->context));
  OK(heddle_module_load_data(f->context, f->elf, f->elf_bytes, &f->module));
  b->free = free_bytes(f);
}

static void open_board(struct bench *b, uint64_t bytes) {
  struct heddle_message msg;
  const struct heddle_sim_options o = {.size = sizeof o, .name = board_name, .memory_bytes = bytes};
  if (heddle_sim_open(&o, &b->sim, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  b->f.port = *heddle_sim_port(b->sim);
}

struct bench *new_bench(const char *config, uint64_t bytes) {
  const struct model_port_options o = {.config = config, .bytes = bytes, .mmu = true, .max_insns = 100000000};
  struct bench *b = calloc(1, sizeof *b);
  assert_non_null(b);
  b->f.elf = driver_program(&b->f.elf_bytes);
  if (board_name) {
    open_board(b, bytes);
    return b;
  }
  b->f.model = model_port_new(&o);
  assert_non_null(b->f.model);
  model_port_bind(b->f.model, &b->f.port);
  return b;
}

struct bench *open_bench(const char *config, uint64_t bytes, uint64_t frames, const struct heddle_unified *unified) {
  struct bench *b = new_bench(config, bytes);
  open_driver(b, &b->f.port, frames, unified);
  return b;
}

void close_bench(struct bench *b) {
  heddle_context_destroy(b->f.context);
  heddle_shutdown(b->f.system);
  model_port_free(b->f.model);
  heddle_sim_close(b->sim);
  free(b->f.elf);
  free(b);
}

uint32_t *unified(const struct bench *b, uint64_t bytes) {
  uint64_t at = 0;
  void *host = NULL;
  OK(heddle_mem_alloc_unified(b->f.context, bytes, &at, &host));
  assert_true(at == (uint64_t)(uintptr_t)host && at % PAGE == 0);
  return host;
}

struct heddle_unified_info counts(const struct bench *b) {
  struct heddle_unified_info i;
  OK(heddle_unified_info(b->f.context, &i));
  return i;
}

enum heddle_error start(const struct bench *b, const char *name, uint32_t blocks, void *first, void *second) {
  return heddle_function_launch(function(&b->f, name), SIZE(blocks, 1, 1), SIZE(64, 1, 1), 0,
                                (void *[]){first, second});
}

void must_work(const struct bench *b, enum heddle_error e) {
  if (e != HEDDLE_SUCCESS) fail_msg("%s: %s", heddle_error_text(e), heddle_context_message(b->f.context));
}

void fill(const struct bench *b, const uint32_t *out, uint32_t words, uint32_t value) {
  uint64_t at = (uint64_t)(uintptr_t)out;
  must_work(b, start(b, "fill", words / 64, &at, &value));
}

enum heddle_error settle(const struct bench *b) {
  return heddle_synchronize(b->f.context, HEDDLE_FOREVER);
}

void must_hold(const uint32_t *got, uint32_t words, uint32_t value) {
  for (uint32_t i = 0; i < words; i++)
    if (got[i] != value + i) fail_msg("word %u is %u, expected %u", i, got[i], value + i);
}

void must_trap(const struct bench *b, enum heddle_error e, const struct wild *w) {
  struct heddle_trap_info t;
  char address[40];
  assert_int_equal(e, HEDDLE_ERROR_TRAPPED);
  OK(heddle_trap_last(b->f.context, &t));
  assert_string_equal(t.cause_name, w->cause);
  assert_int_equal(t.address, w->at / 128 * 128);
  snprintf(address, sizeof address, "address 0x%llx", (unsigned long long)t.address);
  must_say(&b->f, address);
  must_say(&b->f, w->cause);
}
