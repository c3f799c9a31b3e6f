/* SPDX-License-Identifier: Apache-2.0
 * The host driver on the model: grids, parameters, copies, modules and their variables, what is given back, and what a
 * grid may touch. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/splitmix64.h"
#include "tests/firmware/driver_fixture.h"
#include "tests/test.h"

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

/* ---- variables of modules */

static uint8_t *globals;
static size_t globals_bytes;

static int make_globals(void **state) {
  (void)state;
  globals = driver_globals_program(&globals_bytes);
  return 0;
}

static int drop_globals(void **state) {
  (void)state;
  free(globals);
  return 0;
}

static struct heddle_module *load(const struct fixture *f) {
  struct heddle_module *m;
  OK(heddle_module_load_data(f->context, globals, globals_bytes, &m));
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
  while (before = free_bytes(f), heddle_module_load_data(f->context, globals, globals_bytes, &m) != HEDDLE_SUCCESS) {
    must_say(f, "bytes of device memory for a program");
    variables = variables || strstr(heddle_context_message(f->context), "program's variables");
    assert_int_equal(free_bytes(f), before);
    OK(heddle_mem_free(f->context, last));
    last -= 256;
  }
  assert_true(variables);
  assert_int_equal(word_at(f, place(m, "counter", 4)), 5);
}

/* ---- what is given back, and what a grid may touch */

static void memory_is_given_back(void **state) {
  const struct fixture *f = *state;
  const uint64_t before = free_bytes(f);
  uint64_t at[64], total = 0;
  OK(heddle_mem_info(f->context, NULL, &total));
  assert_int_equal(total, MEMORY);
  uint64_t seed = 1;
  for (unsigned round = 0; round < 200; round++) {
    const unsigned n = 1 + round % 64;
    for (unsigned i = 0; i < n; i++) {
      at[i] = space(f, 1 + (uint32_t)(splitmix64(&seed) >> 32) % 4000);
      for (unsigned k = 0; k < i; k++) assert_int_not_equal(at[i], at[k]);
    }
    for (unsigned i = 0; i < n; i++) OK(heddle_mem_free(f->context, at[round % 2 ? n - 1 - i : i]));
    assert_int_equal(free_bytes(f), before);
  }
  assert_int_equal(heddle_mem_alloc(f->context, MEMORY, &at[0]), HEDDLE_ERROR_OUT_OF_MEMORY);
  assert_int_equal(heddle_mem_alloc(f->context, UINT64_MAX, &at[0]), HEDDLE_ERROR_OUT_OF_MEMORY);
  must_say(f, "no 18446744073709551615 bytes in a row");
  unsigned n = 0;
  while (n < 64 && heddle_mem_alloc(f->context, 65535, &at[n]) == HEDDLE_SUCCESS) n++;
  assert_true(n >= 14 && n < 17);
  for (unsigned i = 0; i < n; i += 2) OK(heddle_mem_free(f->context, at[i]));
  uint64_t large;
  assert_int_equal(heddle_mem_alloc(f->context, 3 * 65536, &large), HEDDLE_ERROR_OUT_OF_MEMORY); /* holes */
  for (unsigned i = 1; i < n; i += 2) OK(heddle_mem_free(f->context, at[i]));
  assert_int_equal(free_bytes(f), before);
}

/* Each allocation is its own region, until there are more than 16. */
static void regions_follow_allocations(void **state) {
  const struct fixture *f = *state;
  enum { MANY = 40 };
  uint64_t at[MANY], one;
  uint32_t value = 9;
  for (unsigned n = 1; n <= MANY; n++) {
    at[n - 1] = space(f, 300);
    for (unsigned i = 0; i < n; i++) { /* each can be reached, whole */
      one = at[i] + 296;
      value++;
      OK(heddle_function_launch(function(f, "poke"), ONE, ONE, 0, (void *[]){&one, &value}));
      assert_int_equal(word_at(f, one), value);
    }
    one = at[n / 2] + 300; /* one step behind */
    if (n > 1 && n <= 16) {
      OK(heddle_function_launch(function(f, "poke"), ONE, ONE, 0, (void *[]){&one, &value}));
      assert_int_equal(heddle_synchronize(f->context, 10), HEDDLE_ERROR_TRAPPED);
    }
    one = at[n - 1] + 300; /* behind the last, always */
    OK(heddle_function_launch(function(f, "poke"), ONE, ONE, 0, (void *[]){&one, &value}));
    assert_int_equal(heddle_synchronize(f->context, 10), HEDDLE_ERROR_TRAPPED);
  }
}

/* Programs cannot read code, constants or parameters, whatever lies where: memory is full of data but for one hole in
 * the middle, which takes the parameters. */
static void code_is_out_of_reach(void **state) {
  const struct fixture *f = *state;
  uint64_t from, to = space(f, 4), last = 0, middle = 0;
  unsigned mine = 0, trapped = 0, n = 0;
  while (heddle_mem_alloc(f->context, 256, &from) == HEDDLE_SUCCESS) {
    last = from;
    if (n++ == 300) middle = from;
  }
  OK(heddle_mem_free(f->context, middle));
  for (from = middle - 2048; from < PLATFORM_MEMORY_BASE + MEMORY;
       from += from == middle + 2048 ? last - middle - 6144 : 256) {
    uint32_t w;
    const bool data = heddle_memcpy_to_host(f->context, &w, from, 4) == HEDDLE_SUCCESS;
    OK(heddle_function_launch(function(f, "peek"), ONE, ONE, 0, (void *[]){&from, &to}));
    const enum heddle_error e = heddle_synchronize(f->context, 10);
    if (data) assert_int_equal(e, HEDDLE_SUCCESS);
    if (from > last || from == middle) assert_int_equal(e, HEDDLE_ERROR_TRAPPED);
    mine += data;
    trapped += e == HEDDLE_ERROR_TRAPPED;
  }
  assert_true(mine > 10 && trapped > 5);
}

/* Data in more than 16 places among code cannot be told from it by 16 regions. */
static void fragments_are_refused(void **state) {
  const struct fixture *f = *state;
  enum { MODULES = 150 }; /* several fit into the room that an allocation leaves */
  uint64_t at[300], out = space(f, 64);
  unsigned n = 0;
  struct heddle_module *m[MODULES];
  while (n < 300 && heddle_mem_alloc(f->context, 6000, &at[n]) == HEDDLE_SUCCESS) n++;
  for (unsigned i = 1; i < n; i += 2) OK(heddle_mem_free(f->context, at[i]));
  for (unsigned i = 0; i < MODULES; i++) OK(heddle_module_load_data(f->context, f->elf, f->elf_bytes, &m[i]));
  const uint64_t before = free_bytes(f);
  assert_int_equal(heddle_function_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}),
                   HEDDLE_ERROR_TOO_FRAGMENTED);
  must_say(f, "data is among code in more than 16 places");
  assert_int_equal(free_bytes(f), before);
  for (unsigned i = 0; i < MODULES; i++) OK(heddle_module_unload(m[i]));
  OK(heddle_function_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}));
  assert_int_equal(word_at(f, out), 0x1234);
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
                                     ROOMY(unknown_latencies_mean_scoreboard),
                                     ROOMY(variables_live_across_launches),
                                     ROOMY(hosts_read_and_write_them),
                                     ROOMY(memory_is_used_again),
                                     ROOMY(what_cannot_be),
                                     ROOMY(full_memory),
                                     ROOMY(memory_is_given_back),
                                     ROOMY(regions_follow_allocations),
                                     ROOMY(code_is_out_of_reach),
                                     ROOMY(fragments_are_refused)};
  return cmocka_run_group_tests(tests, make_globals, drop_globals);
}
