/* SPDX-License-Identifier: Apache-2.0
 * The host driver on the model behind the register map: what works, what is refused and in which words, limits, and
 * that everything is given back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver_program.h"
#include "heddle/driver.h"
#include "heddle/platform.h"

enum { MEMORY = 1 << 20 };

struct fixture {
  struct model_port *model;
  struct heddle_port port;
  struct heddle_system *system;
  struct heddle_device *device;
  struct heddle_context *context;
  struct heddle_module *module;
  uint8_t *elf;
  size_t elf_bytes;
};

#define OK(call) assert_int_equal(call, HEDDLE_SUCCESS)
#define ONE ((struct heddle_size){1, 1, 1})
#define SIZE(x, y, z) ((struct heddle_size){x, y, z})

static int open_with(struct fixture *f, const char *config) {
  const struct model_port_options o = {.config = config, .bytes = MEMORY, .max_insns = 100000};
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

static int open_roomy(void **state) {
  struct fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  *state = f;
  return open_with(f, NULL);
}

static int open_tiny(void **state) {
  struct fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  *state = f;
  return open_with(f, "tiny");
}

static int close_all(void **state) {
  struct fixture *f = *state;
  heddle_context_destroy(f->context);
  heddle_shutdown(f->system);
  model_port_free(f->model);
  free(f->elf);
  free(f);
  return 0;
}

static struct heddle_function *function(const struct fixture *f, const char *name) {
  struct heddle_function *k;
  OK(heddle_module_function(f->module, name, &k));
  return k;
}

static uint64_t space(const struct fixture *f, uint64_t bytes) {
  uint64_t at = 0;
  OK(heddle_mem_alloc(f->context, bytes, &at));
  assert_true(at != 0 && at % 256 == 0);
  return at;
}

static uint64_t free_bytes(const struct fixture *f) {
  uint64_t n = 0;
  OK(heddle_mem_info(f->context, &n, NULL));
  return n;
}

static uint32_t word_at(const struct fixture *f, uint64_t at) {
  uint32_t w = 0;
  OK(heddle_memcpy_to_host(f->context, &w, at, sizeof w));
  return w;
}

static void must_say(const struct fixture *f, const char *words) {
  if (!strstr(heddle_context_message(f->context), words))
    fail_msg("'%s' is not in '%s'", words, heddle_context_message(f->context));
}

/* ---- what works */

static void grids_run(void **state) {
  const struct fixture *f = *state;
  uint64_t out = space(f, 4 * 256);
  uint32_t value = 100, got[256];
  OK(heddle_memset8(f->context, out, 0xee, sizeof got));
  OK(heddle_launch(function(f, "fill"), SIZE(4, 1, 1), SIZE(64, 1, 1), 0, (void *[]){&out, &value}));
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
    OK(heddle_launch(function(f, "fill"), SIZE(4, 1, 1), SIZE(64, 1, 1), 0, (void *[]){&out, &value}));
  assert_int_equal(word_at(f, out + 4 * 255), 255 + 4);
  OK(heddle_mem_free(f->context, out));
}

static void parameters_arrive(void **state) {
  const struct fixture *f = *state;
  uint64_t out = space(f, 64), d = UINT64_C(0x1122334455667788);
  uint8_t a = 0xfe;
  uint16_t b = 0xabcd;
  uint32_t c = 0xdeadbeef, got[6];
  OK(heddle_launch(function(f, "mixed"), ONE, ONE, 0, (void *[]){&out, &a, &b, &c, &d}));
  OK(heddle_memcpy_to_host(f->context, got, out, 20));
  const uint32_t want[5] = {0xfe, 0xabcd, 0xdeadbeef, 0x55667788, 0x11223344};
  assert_memory_equal(got, want, sizeof want);
  OK(heddle_launch(function(f, "sizes"), SIZE(2, 3, 4), SIZE(8, 2, 1), 0, (void *[]){&out}));
  OK(heddle_memcpy_to_host(f->context, got, out, 24));
  const uint32_t sizes[6] = {8, 2, 1, 2, 3, 4};
  assert_memory_equal(got, sizes, sizeof sizes);
  OK(heddle_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}));
  assert_int_equal(word_at(f, out), 0x1234);
  OK(heddle_launch(function(f, "local"), ONE, SIZE(64, 1, 1), 0, (void *[]){&out}));
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
  OK(heddle_launch(function(f, "spare"), ONE, ONE, 0, (void *[]){&out, &offset}));
  assert_int_equal(word_at(f, out), 7);
  offset = 64;
  OK(heddle_launch(function(f, "spare"), ONE, ONE, 0, (void *[]){&out, &offset}));
  assert_int_equal(heddle_synchronize(f->context, 100), HEDDLE_ERROR_TRAPPED);
  OK(heddle_launch(function(f, "spare"), ONE, ONE, 4, (void *[]){&out, &offset}));
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
  OK(heddle_launch(k, ONE, ONE, 0, (void *[]){&out}));
  OK(heddle_module_unload(m)); /* waits for what runs */
  assert_int_equal(word_at(f, out), 0x1234);
  OK(heddle_mem_free(f->context, out));
  assert_int_equal(free_bytes(f), before);
  (void)unlink(path);
  assert_int_equal(heddle_module_load(f->context, path, &m), HEDDLE_ERROR_FILE);
  must_say(f, "No such file");
}

/* ---- what is refused */

static void values_are_checked(void **state) {
  struct fixture *f = *state;
  struct heddle_system *s;
  struct heddle_device *d;
  struct heddle_context *c;
  struct heddle_module *m;
  struct heddle_function *k;
  uint64_t at;
  struct heddle_port broken = f->port;
  const enum heddle_error bad = HEDDLE_ERROR_INVALID_VALUE;
  assert_int_equal(heddle_init(NULL, 1, &s), bad);
  assert_int_equal(heddle_init(&f->port, 0, &s), bad);
  assert_int_equal(heddle_init(&f->port, 1, NULL), bad);
  broken.wait = NULL;
  assert_int_equal(heddle_init(&broken, 1, &s), bad);
  broken = f->port;
  broken.memory_base += 4;
  assert_int_equal(heddle_init(&broken, 1, &s), bad);
  assert_int_equal(heddle_device_count(f->system), 1);
  assert_int_equal(heddle_device_get(f->system, 1, &d), HEDDLE_ERROR_NO_DEVICE);
  assert_int_equal(heddle_device_get(NULL, 0, &d), bad);
  assert_int_equal(heddle_context_create(f->device, &c), HEDDLE_ERROR_DEVICE_BUSY);
  assert_int_equal(heddle_context_create(NULL, &c), bad);
  assert_int_equal(heddle_module_load_data(f->context, NULL, 4, &m), bad);
  assert_int_equal(heddle_module_load_data(f->context, "hello", 5, &m), HEDDLE_ERROR_INVALID_IMAGE);
  must_say(f, "not an ELF file");
  assert_int_equal(heddle_module_load_data(f->context, f->elf, f->elf_bytes / 2, &m), HEDDLE_ERROR_INVALID_IMAGE);
  assert_int_equal(heddle_module_function(f->module, "nope", &k), HEDDLE_ERROR_NOT_FOUND);
  must_say(f, "no kernel 'nope'");
  assert_int_equal(heddle_module_function(f->module, "helper", &k), HEDDLE_ERROR_NOT_FOUND); /* a function only */
  assert_int_equal(heddle_mem_alloc(f->context, 0, &at), bad);
  assert_int_equal(heddle_memset32(f->context, 2, 0, 1), bad);
  assert_int_equal(heddle_launch(NULL, ONE, ONE, 0, NULL), bad);
  assert_int_equal(heddle_launch(function(f, "sizes"), ONE, ONE, 0, NULL), bad);
  assert_int_equal(heddle_launch(function(f, "sizes"), ONE, ONE, 0, (void *[]){NULL}), bad);
  must_say(f, "parameter 0 of sizes");
  assert_int_equal(heddle_context_set_mode(f->context, (enum heddle_mode)3), bad);
  assert_int_equal(heddle_synchronize(NULL, 0), bad);
  heddle_context_destroy(NULL);
  heddle_shutdown(NULL);
}

static void every_error_has_words(void **state) {
  (void)state;
  for (int e = HEDDLE_SUCCESS; e <= HEDDLE_ERROR_REFUSED; e++)
    assert_string_not_equal(heddle_error_string((enum heddle_error)e), "unknown error");
  assert_string_equal(heddle_error_string((enum heddle_error)(HEDDLE_ERROR_REFUSED + 1)), "unknown error");
}

static void ranges_lie_in_one_allocation(void **state) {
  const struct fixture *f = *state;
  const uint64_t a = space(f, 256), b = space(f, 100);
  uint8_t data[600] = {0};
  const enum heddle_error bad = HEDDLE_ERROR_INVALID_ADDRESS;
  OK(heddle_memcpy_to_device(f->context, a, data, 256));
  assert_int_equal(heddle_memcpy_to_device(f->context, a, data, 257), bad);
  must_say(f, "257 bytes at 0x");
  assert_int_equal(heddle_memcpy_to_device(f->context, a - 1, data, 1), bad);
  OK(heddle_memcpy_to_device(f->context, b + 99, data, 1));
  assert_int_equal(heddle_memcpy_to_device(f->context, b + 100, data, 1), bad);
  assert_int_equal(heddle_memcpy_to_host(f->context, data, a, 600), bad);
  assert_int_equal(heddle_memcpy_to_host(f->context, data, 0, 1), bad);
  assert_int_equal(heddle_memcpy_to_host(f->context, data, UINT64_MAX, 8), bad);
  assert_int_equal(heddle_memcpy_on_device(f->context, a, b, 101), bad);
  assert_int_equal(heddle_memset32(f->context, a, 1, UINT64_MAX / 2), bad);
  assert_int_equal(heddle_mem_free(f->context, a + 4), bad);
  OK(heddle_mem_free(f->context, 0));
  OK(heddle_mem_free(f->context, a));
  assert_int_equal(heddle_mem_free(f->context, a), bad); /* twice */
  assert_int_equal(heddle_memset8(f->context, a, 0, 1), bad);
}

static void shapes_and_limits(void **state) { /* of tiny: 4 warps, 256 registers, 8 KiB, no local memory */
  const struct fixture *f = *state;
  struct heddle_function *fill = function(f, "fill");
  uint64_t out = space(f, 4096), value = 0;
  void *params[] = {&out, &value};
  const enum heddle_error shape = HEDDLE_ERROR_LAUNCH_SHAPE, limits = HEDDLE_ERROR_LAUNCH_LIMITS;
  assert_int_equal(heddle_launch(fill, SIZE(0, 1, 1), ONE, 0, params), shape);
  assert_int_equal(heddle_launch(fill, ONE, SIZE(1, 0, 1), 0, params), shape);
  assert_int_equal(heddle_launch(fill, ONE, SIZE(1025, 1, 1), 0, params), shape);
  assert_int_equal(heddle_launch(fill, ONE, SIZE(1, 1, 65), 0, params), shape);
  assert_int_equal(heddle_launch(fill, ONE, SIZE(0x10000, 0x10000, 0x10000), 0, params), shape);
  must_say(f, "at most 1024 threads");
  assert_int_equal(heddle_launch(fill, ONE, SIZE(129, 1, 1), 0, params), limits);
  must_say(f, "a block of 5 warps; the device has 4");
  assert_int_equal(heddle_launch(function(f, "wide"), ONE, SIZE(33, 1, 1), 0, NULL), limits);
  must_say(f, "2 warps of 250 registers; the device has 256");
  assert_int_equal(heddle_launch(fill, ONE, ONE, 8193, params), limits);
  must_say(f, "8193 bytes of shared memory; the device has 8192");
  assert_int_equal(heddle_launch(fill, ONE, ONE, UINT32_MAX, params), limits);
  assert_int_equal(heddle_launch(function(f, "local"), ONE, ONE, 0, params), HEDDLE_ERROR_NOT_SUPPORTED);
  must_say(f, "local memory");
  OK(heddle_launch(fill, ONE, SIZE(128, 1, 1), 8192, params));
  OK(heddle_synchronize(f->context, 100));
  OK(heddle_launch(function(f, "wide"), ONE, SIZE(32, 1, 1), 0, NULL));
  OK(heddle_synchronize(f->context, 100));
}

static void capabilities_are_read(void **state) {
  const struct fixture *f = *state;
  static const struct {
    enum heddle_attribute a;
    uint64_t value;
  } table[] = {{HEDDLE_ATTRIBUTE_WARP_SIZE, 32},       {HEDDLE_ATTRIBUTE_LANES, 4},
               {HEDDLE_ATTRIBUTE_WARP_SLOTS, 4},       {HEDDLE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 128},
               {HEDDLE_ATTRIBUTE_WARP_REGISTERS, 256}, {HEDDLE_ATTRIBUTE_SHARED_BYTES, 8192},
               {HEDDLE_ATTRIBUTE_AXI_BITS, 64},        {HEDDLE_ATTRIBUTE_UNITS, 7},
               {HEDDLE_ATTRIBUTE_COUNTERS, 10},        {HEDDLE_ATTRIBUTE_MEMORY_BYTES, MEMORY},
               {HEDDLE_ATTRIBUTE_MAX_BLOCK_Z, 64},     {HEDDLE_ATTRIBUTE_VERSION, 0x10000}};
  uint64_t v;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    OK(heddle_device_attribute(f->device, table[i].a, &v));
    assert_int_equal(v, table[i].value);
  }
  assert_int_equal(heddle_device_attribute(f->device, (enum heddle_attribute)99, &v), HEDDLE_ERROR_INVALID_VALUE);
  assert_string_equal(heddle_device_name(f->device), "model");
}

/* ---- traps, and grids that do not end */

static void traps_are_told_once(void **state) {
  const struct fixture *f = *state;
  struct heddle_trap_info t;
  uint32_t value = 1;
  uint64_t at = space(f, 100) + 100;
  assert_int_equal(heddle_trap_last(f->context, &t), HEDDLE_ERROR_NOT_FOUND);
  OK(heddle_launch(function(f, "poke"), SIZE(1, 1, 1), SIZE(40, 1, 1), 0, (void *[]){&at, &value}));
  assert_int_equal(heddle_memset8(f->context, at - 100, 0, 1), HEDDLE_ERROR_TRAPPED); /* whoever comes first */
  must_say(f, "trap out_of_range at poke+0x0060 (pc 0x00f0), block 0,0,0 warp 0 lanes 0x00000001 address 0x");
  OK(heddle_synchronize(f->context, 100));
  OK(heddle_trap_last(f->context, &t));
  assert_int_equal(t.cause, 4);
  assert_string_equal(t.cause_name, "out_of_range");
  assert_string_equal(t.function, "poke");
  assert_int_equal(t.pc, 0xf0);
  assert_int_equal(t.lanes, 1);
  assert_int_equal(t.address, at);
  at -= 4; /* the next grid runs */
  OK(heddle_launch(function(f, "poke"), ONE, SIZE(40, 1, 1), 0, (void *[]){&at, &value}));
  assert_int_equal(word_at(f, at), 1);
}

static void grids_that_do_not_end(void **state) {
  const struct fixture *f = *state;
  const uint64_t before = free_bytes(f);
  uint64_t out = space(f, 64);
  OK(heddle_launch(function(f, "forever"), ONE, ONE, 0, NULL));
  assert_int_equal(heddle_synchronize(f->context, 0), HEDDLE_ERROR_TIMEOUT);
  assert_int_equal(heddle_synchronize(f->context, 5), HEDDLE_ERROR_TIMEOUT);
  must_say(f, "forever: not finished after 5 ms");
  OK(heddle_context_set_limit(f->context, 2));
  assert_int_equal(heddle_memset8(f->context, out, 0, 1), HEDDLE_ERROR_TIMEOUT);
  assert_int_equal(heddle_launch(function(f, "sizes"), ONE, ONE, 0, (void *[]){&out}), HEDDLE_ERROR_TIMEOUT);
  assert_int_equal(heddle_query(f->context), HEDDLE_ERROR_NOT_READY);
  assert_true(strlen(model_port_diagnosis(f->model)) > 0);
  OK(heddle_abort(f->context));
  OK(heddle_query(f->context));
  OK(heddle_abort(f->context)); /* nothing to stop */
  OK(heddle_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}));
  assert_int_equal(word_at(f, out), 0x1234);
  OK(heddle_mem_free(f->context, out));
  assert_int_equal(free_bytes(f), before);
  OK(heddle_launch(function(f, "forever"), ONE, ONE, 0, NULL)); /* the context is destroyed over it */
}

/* ---- memory: nothing is lost */

static void memory_is_given_back(void **state) {
  const struct fixture *f = *state;
  const uint64_t before = free_bytes(f);
  uint64_t at[64], total = 0;
  OK(heddle_mem_info(f->context, NULL, &total));
  assert_int_equal(total, MEMORY);
  uint32_t r = 1;
  for (unsigned round = 0; round < 200; round++) {
    const unsigned n = 1 + round % 64;
    for (unsigned i = 0; i < n; i++) {
      r = r * 1664525u + 1013904223u;
      at[i] = space(f, 1 + (r >> 18) % 4000);
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
      OK(heddle_launch(function(f, "poke"), ONE, ONE, 0, (void *[]){&one, &value}));
      assert_int_equal(word_at(f, one), value);
    }
    one = at[n / 2] + 300; /* one step behind */
    if (n > 1 && n <= 16) {
      OK(heddle_launch(function(f, "poke"), ONE, ONE, 0, (void *[]){&one, &value}));
      assert_int_equal(heddle_synchronize(f->context, 10), HEDDLE_ERROR_TRAPPED);
    }
    one = at[n - 1] + 300; /* behind the last, always */
    OK(heddle_launch(function(f, "poke"), ONE, ONE, 0, (void *[]){&one, &value}));
    assert_int_equal(heddle_synchronize(f->context, 10), HEDDLE_ERROR_TRAPPED);
  }
}

/* Programs cannot read or write code, whatever lies where. */
static void code_is_out_of_reach(void **state) {
  const struct fixture *f = *state;
  uint64_t from, to = space(f, 4), at = 0;
  unsigned reached = 0;
  while (heddle_mem_alloc(f->context, 256, &from) == HEDDLE_SUCCESS) at = from; /* up to the code */
  for (from = at - 1024; from < PLATFORM_MEMORY_BASE + MEMORY; from += 256) {
    uint32_t w;
    const bool mine = heddle_memcpy_to_host(f->context, &w, from, 4) == HEDDLE_SUCCESS;
    enum heddle_error e = heddle_launch(function(f, "peek"), ONE, ONE, 0, (void *[]){&from, &to});
    if (e == HEDDLE_ERROR_OUT_OF_MEMORY) break; /* no room for parameters */
    OK(e);
    e = heddle_synchronize(f->context, 10);
    if (from > at + 255) assert_int_equal(e, HEDDLE_ERROR_TRAPPED);
    if (mine) assert_int_equal(e, HEDDLE_SUCCESS);
    reached += e == HEDDLE_SUCCESS;
  }
  (void)reached;
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
    OK(heddle_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}));
    OK(heddle_synchronize(f->context, 10));
    assert_true(f->port.read32(f->port.self, HEDDLE_REG_MODE, &mode));
    assert_int_equal(mode, table[i].reg);
  }
}

static void unknown_latencies_mean_scoreboard(void **state) {
  struct fixture *f = *state;
  uint32_t mode;
  uint64_t out = space(f, 64);
  OK(heddle_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}));
  OK(heddle_synchronize(f->context, 10));
  assert_true(f->port.read32(f->port.self, HEDDLE_REG_MODE, &mode));
  assert_int_equal(mode, HEDDLE_MODE_SCOREBOARD);
  OK(heddle_context_set_mode(f->context, HEDDLE_DEPENDENCY_CONTROL));
  assert_int_equal(heddle_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}), HEDDLE_ERROR_NOT_SUPPORTED);
}

#define ROOMY(t) cmocka_unit_test_setup_teardown(t, open_roomy, close_all)
#define TINY(t) cmocka_unit_test_setup_teardown(t, open_tiny, close_all)

int main(void) {
  const struct CMUnitTest tests[] = {
      ROOMY(grids_run),
      TINY(grids_run),
      ROOMY(parameters_arrive),
      ROOMY(functions_describe_themselves),
      ROOMY(shared_memory_grows_by_launch),
      ROOMY(memory_is_filled_and_copied),
      ROOMY(a_second_module_and_files),
      ROOMY(values_are_checked),
      cmocka_unit_test(every_error_has_words),
      ROOMY(ranges_lie_in_one_allocation),
      TINY(shapes_and_limits),
      TINY(capabilities_are_read),
      ROOMY(traps_are_told_once),
      ROOMY(grids_that_do_not_end),
      ROOMY(memory_is_given_back),
      ROOMY(regions_follow_allocations),
      ROOMY(code_is_out_of_reach),
      TINY(modes_are_chosen),
      ROOMY(unknown_latencies_mean_scoreboard),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
