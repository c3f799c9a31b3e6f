/* SPDX-License-Identifier: Apache-2.0
 * The host driver on the model: variables of modules. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/firmware/driver_fixture.h"

static uint8_t *elf;
static size_t elf_bytes;

static int make(void **state) {
  (void)state;
  elf = driver_globals_program(&elf_bytes);
  return 0;
}

static int drop(void **state) {
  (void)state;
  free(elf);
  return 0;
}

static struct heddle_module *load(const struct fixture *f) {
  struct heddle_module *m;
  OK(heddle_module_load_data(f->context, elf, elf_bytes, &m));
  return m;
}

/* What a kernel of one thread leaves in a buffer. */
static uint32_t result(const struct fixture *f, struct heddle_module *m, const char *name, uint64_t out) {
  struct heddle_function *k;
  OK(heddle_module_function(m, name, &k));
  OK(heddle_function_launch(k, ONE, ONE, 0, (void *[]){&out}));
  return word_at(f, out);
}

static uint64_t place(struct heddle_module *m, const char *name, uint64_t bytes) {
  uint64_t at = 0, n = 0;
  OK(heddle_module_global(m, name, &at, &n));
  assert_int_equal(n, bytes);
  return at;
}

static void variables_live_across_launches(void **state) {
  const struct fixture *f = *state;
  const uint64_t out = space(f, 4);
  struct heddle_module *a = load(f), *b = load(f);
  for (uint32_t i = 0; i < 5; i++) assert_int_equal(result(f, a, "count", out), 5 + i);
  for (uint32_t i = 0; i < 3; i++) assert_int_equal(result(f, b, "count", out), 5 + i); /* its own */
  assert_int_equal(result(f, a, "count", out), 10);
  OK(heddle_module_unload(a));
  a = load(f);
  assert_int_equal(result(f, a, "count", out), 5); /* a new one */
  assert_int_equal(result(f, b, "count", out), 8);
}

static void hosts_read_and_write_them(void **state) {
  const struct fixture *f = *state;
  const uint64_t out = space(f, 4);
  struct heddle_module *a = load(f), *b = load(f);
  const uint64_t counter = place(a, "counter", 4), there = place(a, "there", 4);
  const uint32_t value = 1000, other = 77;
  assert_int_equal(counter % 256, 0);
  assert_int_equal(there, counter + 16);
  assert_int_not_equal(place(b, "counter", 4), counter);
  assert_int_equal(word_at(f, counter), 5);
  OK(heddle_memcpy_to_device(f->context, counter, &value, 4));
  assert_int_equal(result(f, a, "count", out), 1000);
  assert_int_equal(word_at(f, counter), 1001);
  assert_int_equal(word_at(f, place(b, "counter", 4)), 5);
  assert_int_equal(result(f, a, "follow", out), 0x12345678); /* through an address in an initialiser */
  assert_int_equal(result(f, b, "follow", out), 0x12345678);
  OK(heddle_memcpy_to_device(f->context, there, &other, 4));
  assert_int_equal(result(f, a, "follow", out), 77);
  assert_int_equal(result(f, b, "follow", out), 0x12345678);
  for (uint64_t at = 0; at < 376; at += 4) assert_int_equal(word_at(f, place(a, "room", 376) + at), 0);
}

static void memory_is_used_again(void **state) { /* so zeros must be written */
  const struct fixture *f = *state;
  const uint64_t before = free_bytes(f), all = space(f, 4096);
  OK(heddle_memset8(f->context, all, 0xee, 4096));
  OK(heddle_mem_free(f->context, all));
  struct heddle_module *m = load(f);
  const uint64_t room = place(m, "room", 376);
  assert_true(room > all && room < all + 4096);
  for (uint64_t at = 0; at < 376; at += 4) assert_int_equal(word_at(f, room + at), 0);
  OK(heddle_module_unload(m));
  assert_int_equal(free_bytes(f), before);
}

static void what_cannot_be(void **state) {
  const struct fixture *f = *state;
  struct heddle_module *m = load(f);
  struct heddle_function *k;
  uint64_t at;
  const uint64_t counter = place(m, "counter", 4);
  assert_int_equal(heddle_module_global(m, "nothing", &at, NULL), HEDDLE_ERROR_NOT_FOUND);
  must_say(f, "no module variable 'nothing'");
  assert_int_equal(heddle_module_global(f->module, "counter", &at, NULL), HEDDLE_ERROR_NOT_FOUND);
  assert_int_equal(heddle_module_global(m, NULL, &at, NULL), HEDDLE_ERROR_INVALID_VALUE);
  assert_int_equal(heddle_module_global(NULL, "counter", &at, NULL), HEDDLE_ERROR_INVALID_VALUE);
  OK(heddle_module_global(m, "counter", NULL, NULL));
  assert_int_equal(heddle_mem_free(f->context, counter), HEDDLE_ERROR_INVALID_ADDRESS);
  must_say(f, "belongs to a module");
  OK(heddle_module_function(m, "last", &k));
  OK(heddle_function_launch(k, ONE, ONE, 0, NULL));
  assert_int_equal(word_at(f, counter + 396), (uint32_t)counter);
  OK(heddle_module_function(m, "behind", &k));
  OK(heddle_function_launch(k, ONE, ONE, 0, NULL));
  assert_int_equal(heddle_synchronize(f->context, 10), HEDDLE_ERROR_TRAPPED);
}

/* A module whose variables find no room leaves nothing behind. */
static void full_memory(void **state) {
  const struct fixture *f = *state;
  uint64_t at, last = 0, before;
  struct heddle_module *m;
  while (heddle_mem_alloc(f->context, 200, &at) == HEDDLE_SUCCESS) last = at;
  bool variables = false;
  while (before = free_bytes(f), heddle_module_load_data(f->context, elf, elf_bytes, &m) != HEDDLE_SUCCESS) {
    must_say(f, "bytes of device memory for a program");
    variables = variables || strstr(heddle_context_message(f->context), "program's variables");
    assert_int_equal(free_bytes(f), before);
    OK(heddle_mem_free(f->context, last));
    last -= 256;
  }
  assert_true(variables);
  assert_int_equal(word_at(f, place(m, "counter", 4)), 5);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {ROOMY(variables_live_across_launches), ROOMY(hosts_read_and_write_them),
                                     ROOMY(memory_is_used_again), ROOMY(what_cannot_be), ROOMY(full_memory)};
  return cmocka_run_group_tests(tests, make, drop);
}
