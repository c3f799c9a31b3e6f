/* SPDX-License-Identifier: Apache-2.0
 * The host driver on the model: grids, parameters, copies, modules. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"
#include "tests/firmware/driver_fixture.h"

static void grids_run(void **state) {
  const struct fixture *f = *state;
  uint64_t out = space(f, 4 * 256);
  uint32_t value = 100, got[256];
  OK(heddle_memset8(f->context, out, 0xee, sizeof got));
  OK(heddle_function_launch(function(f, "fill"), SIZE(4, 1, 1), SIZE(64, 1, 1), 0, (void *[]){&out, &value}));
  assert_int_equal(heddle_query(f->context), HEDDLE_ERROR_NOT_READY);
  OK(heddle_synchronize(f->context, 100));
  OK(heddle_query(f->context));
  OK(heddle_memcpy_to_host(f->context, got, out, sizeof got));
  for (uint32_t i = 0; i < 256; i++) assert_int_equal(got[i], 100 + i);
  struct heddle_statistics s;
  OK(heddle_statistics_last(f->context, &s));
  assert_int_equal(s.counter[HEDDLE_COUNTER_ISSUED], 8 * 9);
  assert_true(s.cycles > 0);
  /* a copy waits by itself, and grids follow each other */
  for (value = 0; value < 5; value++)
    OK(heddle_function_launch(function(f, "fill"), SIZE(4, 1, 1), SIZE(64, 1, 1), 0, (void *[]){&out, &value}));
  assert_int_equal(word_at(f, out + 4 * 255), 255 + 4);
  OK(heddle_mem_free(f->context, out));
}

static void parameters_arrive(void **state) {
  const struct fixture *f = *state;
  uint64_t out = space(f, 64), d = UINT64_C(0x1122334455667788);
  uint8_t a = 0xfe;
  uint16_t b = 0xabcd;
  uint32_t c = 0xdeadbeef, got[6];
  OK(heddle_function_launch(function(f, "mixed"), ONE, ONE, 0, (void *[]){&out, &a, &b, &c, &d}));
  OK(heddle_memcpy_to_host(f->context, got, out, 20));
  const uint32_t want[5] = {0xfe, 0xabcd, 0xdeadbeef, 0x55667788, 0x11223344};
  assert_memory_equal(got, want, sizeof want);
  OK(heddle_function_launch(function(f, "sizes"), SIZE(2, 3, 4), SIZE(8, 2, 1), 0, (void *[]){&out}));
  OK(heddle_memcpy_to_host(f->context, got, out, 24));
  const uint32_t sizes[6] = {8, 2, 1, 2, 3, 4};
  assert_memory_equal(got, sizes, sizeof sizes);
  OK(heddle_function_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}));
  assert_int_equal(word_at(f, out), 0x1234);
  OK(heddle_function_launch(function(f, "local"), ONE, SIZE(64, 1, 1), 0, (void *[]){&out}));
  assert_int_equal(word_at(f, out), 5);
}

static void functions_describe_themselves(void **state) {
  const struct fixture *f = *state;
  struct heddle_function_info i;
  OK(heddle_function_describe(function(f, "spare"), &i));
  assert_string_equal(i.name, "spare");
  assert_int_equal(i.shared_bytes, 64);
  assert_int_equal(i.params, 2);
  assert_int_equal(i.param_bytes, 12);
  OK(heddle_function_describe(function(f, "local"), &i));
  assert_int_equal(i.local_bytes, 32);
}

static void shared_memory_grows_by_launch(void **state) {
  const struct fixture *f = *state;
  uint64_t out = space(f, 4);
  uint32_t offset = 60;
  OK(heddle_function_launch(function(f, "spare"), ONE, ONE, 0, (void *[]){&out, &offset}));
  assert_int_equal(word_at(f, out), 7);
  offset = 64;
  OK(heddle_function_launch(function(f, "spare"), ONE, ONE, 0, (void *[]){&out, &offset}));
  assert_int_equal(heddle_synchronize(f->context, 100), HEDDLE_ERROR_TRAPPED);
  OK(heddle_function_launch(function(f, "spare"), ONE, ONE, 4, (void *[]){&out, &offset}));
  OK(heddle_synchronize(f->context, 100));
}

static void memory_is_filled_and_copied(void **state) {
  const struct fixture *f = *state;
  enum { BYTES = 200000 };
  const uint64_t a = space(f, BYTES), b = space(f, BYTES);
  uint8_t *host = malloc(BYTES), *back = malloc(BYTES);
  assert_true(host != NULL && back != NULL);
  for (unsigned i = 0; i < BYTES; i++) host[i] = (uint8_t)(i * 7 + i / 251);
  OK(heddle_memcpy_to_device(f->context, a, host, BYTES));
  OK(heddle_memcpy_on_device(f->context, b, a, BYTES));
  OK(heddle_memcpy_to_host(f->context, back, b, BYTES));
  assert_memory_equal(host, back, BYTES);
  /* over itself, both ways */
  OK(heddle_memcpy_on_device(f->context, a + 1000, a, BYTES - 1000));
  OK(heddle_memcpy_to_host(f->context, back, a + 1000, BYTES - 1000));
  assert_memory_equal(host, back, BYTES - 1000);
  OK(heddle_memcpy_on_device(f->context, b, b + 1001, BYTES - 1001));
  OK(heddle_memcpy_to_host(f->context, back, b, BYTES - 1001));
  assert_memory_equal(host + 1001, back, BYTES - 1001);
  OK(heddle_memset32(f->context, a, 0x01020304, BYTES / 4));
  OK(heddle_memset8(f->context, a + BYTES - 1, 0x55, 1));
  OK(heddle_memcpy_to_host(f->context, back, a, BYTES));
  for (unsigned i = 0; i + 1 < BYTES; i++) assert_int_equal(back[i], 4 - i % 4);
  assert_int_equal(back[BYTES - 1], 0x55);
  OK(heddle_memcpy_to_host(f->context, NULL, a, 0));
  OK(heddle_memcpy_to_device(f->context, a + BYTES, NULL, 0));
  free(host);
  free(back);
}

static void a_second_module_and_files(void **state) {
  const struct fixture *f = *state;
  const uint64_t before = free_bytes(f);
  char path[] = "/tmp/module-XXXXXX";
  const int fd = mkstemp(path);
  assert_int_equal(write(fd, f->elf, f->elf_bytes), (ssize_t)f->elf_bytes);
  (void)close(fd);
  struct heddle_module *m;
  struct heddle_function *k;
  OK(heddle_module_load(f->context, path, &m));
  assert_true(free_bytes(f) < before);
  OK(heddle_module_function(m, "constant", &k));
  uint64_t out = space(f, 4);
  OK(heddle_function_launch(k, ONE, ONE, 0, (void *[]){&out}));
  OK(heddle_module_unload(m)); /* waits for what runs */
  assert_int_equal(word_at(f, out), 0x1234);
  OK(heddle_mem_free(f->context, out));
  assert_int_equal(free_bytes(f), before);
  (void)unlink(path);
  assert_int_equal(heddle_module_load(f->context, path, &m), HEDDLE_ERROR_FILE);
  must_say(f, "No such file");
}

static void modes_are_chosen(void **state) { /* of tiny, whose latencies are known */
  struct fixture *f = *state;
  uint32_t mode;
  uint64_t out = space(f, 64);
  const struct {
    enum heddle_mode mode;
    uint32_t reg;
  } table[] = {{HEDDLE_DEPENDENCY_AUTOMATIC, 0},
               {HEDDLE_DEPENDENCY_SCOREBOARD, HEDDLE_MODE_SCOREBOARD},
               {HEDDLE_DEPENDENCY_CONTROL, 0}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    OK(heddle_context_set_mode(f->context, table[i].mode));
    OK(heddle_function_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}));
    OK(heddle_synchronize(f->context, 10));
    assert_true(f->port.read32(f->port.self, HEDDLE_REG_MODE, &mode));
    assert_int_equal(mode, table[i].reg);
  }
}

static void unknown_latencies_mean_scoreboard(void **state) {
  struct fixture *f = *state;
  uint32_t mode;
  uint64_t out = space(f, 64);
  OK(heddle_function_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}));
  OK(heddle_synchronize(f->context, 10));
  assert_true(f->port.read32(f->port.self, HEDDLE_REG_MODE, &mode));
  assert_int_equal(mode, HEDDLE_MODE_SCOREBOARD);
  OK(heddle_context_set_mode(f->context, HEDDLE_DEPENDENCY_CONTROL));
  assert_int_equal(heddle_function_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}),
                   HEDDLE_ERROR_NOT_SUPPORTED);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {ROOMY(grids_run),
                                     TINY(grids_run),
                                     ROOMY(parameters_arrive),
                                     ROOMY(functions_describe_themselves),
                                     ROOMY(shared_memory_grows_by_launch),
                                     ROOMY(memory_is_filled_and_copied),
                                     ROOMY(a_second_module_and_files),
                                     TINY(modes_are_chosen),
                                     ROOMY(unknown_latencies_mean_scoreboard)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
