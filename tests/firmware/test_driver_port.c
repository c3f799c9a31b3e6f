/* SPDX-License-Identifier: Apache-2.0
 * The driver over hardware that misbehaves: a bus that fails at any access, a device that is another one, that refuses,
 * that does not stop. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/firmware/driver_program.h"
#include <heddle/driver.h>
#include "cosim/platform/platform.h"

/* The model's port, with faults. */
struct flaky {
  struct heddle_port inner;
  long left; /* accesses until one fails; below 0: never */
  bool dead; /* all after it fail too */
  bool broke;
  uint32_t lie_reg, lie_value; /* what reading lie_reg says, unless 0xffffffff */
  unsigned accesses, waits;
};

static bool works(struct flaky *f) {
  f->accesses++;
  if (f->left < 0) return true;
  if (f->left > 0 && !(f->broke && f->dead)) {
    f->left--;
    return true;
  }
  if (f->broke && !f->dead) return true;
  f->broke = true;
  return false;
}

static bool read32(void *self, uint32_t reg, uint32_t *value) {
  struct flaky *f = self;
  if (!works(f)) return false;
  *value = f->lie_value;
  return reg == f->lie_reg || f->inner.read32(f->inner.self, reg, value);
}

static bool write32(void *self, uint32_t reg, uint32_t value) {
  struct flaky *f = self;
  return works(f) && f->inner.write32(f->inner.self, reg, value);
}

static bool read_memory(void *self, uint64_t addr, void *data, uint64_t bytes) {
  struct flaky *f = self;
  return works(f) && f->inner.read(f->inner.self, addr, data, bytes);
}

static bool write_memory(void *self, uint64_t addr, const void *data, uint64_t bytes) {
  struct flaky *f = self;
  return works(f) && f->inner.write(f->inner.self, addr, data, bytes);
}

static void wait_for(void *self, uint32_t microseconds) {
  struct flaky *f = self;
  f->waits++;
  f->inner.wait(f->inner.self, microseconds);
}

static enum heddle_error verdict(void *self, const char **why) {
  struct flaky *f = self;
  return f->inner.verdict(f->inner.self, why);
}

struct bench {
  struct model_port *model;
  struct flaky flaky;
  struct heddle_port port;
  uint8_t *elf;
  size_t elf_bytes;
};

static int open_bench(void **state) {
  const struct model_port_options o = {.bytes = 1 << 20};
  struct bench *b = calloc(1, sizeof *b);
  assert_non_null(b);
  b->model = model_port_new(&o);
  assert_non_null(b->model);
  model_port_bind(b->model, &b->flaky.inner);
  b->flaky.left = -1;
  b->flaky.lie_reg = UINT32_MAX;
  b->port = b->flaky.inner;
  b->port.self = &b->flaky;
  b->port.read32 = read32;
  b->port.write32 = write32;
  b->port.read = read_memory;
  b->port.write = write_memory;
  b->port.wait = wait_for;
  b->port.verdict = verdict;
  b->elf = driver_program(&b->elf_bytes);
  *state = b;
  return 0;
}

static int close_bench(void **state) {
  struct bench *b = *state;
  model_port_free(b->model);
  free(b->elf);
  free(b);
  return 0;
}

#define STEP(call)                                                                                                     \
  if (e == HEDDLE_SUCCESS) e = call

/* A whole life; the first error, or what was wrong with the result. Always cleans up. */
static enum heddle_error life(struct bench *b, bool *right) {
  struct heddle_system *s = NULL;
  struct heddle_device *d = NULL;
  struct heddle_context *c = NULL;
  struct heddle_module *m = NULL;
  struct heddle_function *k = NULL;
  uint64_t out = 0, before = 0, after = 0;
  uint32_t value = 3, got[8] = {0};
  enum heddle_error e = heddle_init(&b->port, 1, &s);
  STEP(heddle_device_get(s, 0, &d));
  STEP(heddle_context_create(d, &c));
  STEP(heddle_mem_info(c, &before, NULL));
  STEP(heddle_module_load_data(c, b->elf, b->elf_bytes, &m));
  STEP(heddle_module_function(m, "fill", &k));
  STEP(heddle_mem_alloc(c, sizeof got, &out));
  STEP(heddle_memset32(c, out, 7, 8));
  STEP(heddle_function_launch(k, (struct heddle_size){1, 1, 1}, (struct heddle_size){8, 1, 1}, 0,
                              (void *[]){&out, &value}));
  STEP(heddle_memcpy_to_host(c, got, out, sizeof got));
  *right = e == HEDDLE_SUCCESS;
  for (uint32_t i = 0; i < 8; i++) *right = *right && got[i] == 3 + i;
  /* What there is can be given back, whatever happened; at most the end of the grid could not be heard of. */
  (void)heddle_abort(c);
  if (out) assert_int_equal(heddle_mem_free(c, out), HEDDLE_SUCCESS);
  if (m) assert_int_equal(heddle_module_unload(m), HEDDLE_SUCCESS);
  if (c) {
    assert_int_equal(heddle_mem_info(c, &after, NULL), HEDDLE_SUCCESS);
    assert_int_equal(before, after);
    if (e == HEDDLE_ERROR_BUS) assert_true(strlen(heddle_context_message(c)) > 0);
  }
  heddle_context_destroy(c);
  heddle_shutdown(s);
  return e;
}

static void every_access_may_fail(void **state) {
  struct bench *b = *state;
  bool right = false;
  assert_int_equal(life(b, &right), HEDDLE_SUCCESS);
  assert_true(right);
  const unsigned accesses = b->flaky.accesses;
  assert_true(accesses > 100);
  unsigned failed = 0;
  for (unsigned dead = 0; dead < 2; dead++)
    for (unsigned n = 0; n < accesses; n++) {
      b->flaky.left = (long)n;
      b->flaky.dead = dead != 0;
      b->flaky.broke = false;
      const enum heddle_error e = life(b, &right);
      assert_true(e == HEDDLE_ERROR_BUS || (e == HEDDLE_SUCCESS && right));
      failed += e == HEDDLE_ERROR_BUS;
    }
  assert_true(failed > accesses);
  b->flaky.left = -1; /* and it works again */
  assert_int_equal(life(b, &right), HEDDLE_SUCCESS);
  assert_true(right);
}

static void other_devices_are_refused(void **state) {
  struct bench *b = *state;
  static const struct {
    uint32_t reg, value;
    enum heddle_error e;
  } table[] = {{HEDDLE_REG_ID, 0, HEDDLE_ERROR_WRONG_DEVICE},
               {HEDDLE_REG_ID, UINT32_MAX, HEDDLE_ERROR_WRONG_DEVICE},
               {HEDDLE_REG_VERSION, 0x00020000, HEDDLE_ERROR_WRONG_DEVICE},
               {HEDDLE_REG_VERSION, 0x00010007, HEDDLE_SUCCESS},
               {HEDDLE_REG_ISA_HASH, 0x12345678, HEDDLE_ERROR_WRONG_DEVICE},
               {HEDDLE_REG_ISA_HASH + 4, 0x12345678, HEDDLE_ERROR_WRONG_DEVICE}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct heddle_system *s;
    struct heddle_device *d;
    b->flaky.lie_reg = table[i].reg;
    b->flaky.lie_value = table[i].value;
    assert_int_equal(heddle_init(&b->port, 1, &s), HEDDLE_SUCCESS);
    assert_int_equal(heddle_device_get(s, 0, &d), table[i].e);
    heddle_shutdown(s);
  }
}

struct open {
  struct heddle_system *system;
  struct heddle_device *device;
  struct heddle_context *context;
  struct heddle_module *module;
  struct heddle_function *function;
};

static struct open open_function(struct bench *b, const char *name) {
  struct open o = {NULL, NULL, NULL, NULL, NULL};
  assert_int_equal(heddle_init(&b->port, 1, &o.system), HEDDLE_SUCCESS);
  assert_int_equal(heddle_device_get(o.system, 0, &o.device), HEDDLE_SUCCESS);
  assert_int_equal(heddle_context_create(o.device, &o.context), HEDDLE_SUCCESS);
  assert_int_equal(heddle_module_load_data(o.context, b->elf, b->elf_bytes, &o.module), HEDDLE_SUCCESS);
  assert_int_equal(heddle_module_function(o.module, name, &o.function), HEDDLE_SUCCESS);
  return o;
}

static void close_function(struct open *o) {
  heddle_context_destroy(o->context);
  heddle_shutdown(o->system);
}

static void refusals_are_told(void **state) {
  struct bench *b = *state;
  static const char *const words[] = {"no reason given", "grid size",     "block sizes",   "too many warps",
                                      "registers",       "shared memory", "unknown reason"};
  struct open o = open_function(b, "forever");
  for (uint32_t why = 0; why < 7; why++) {
    b->flaky.lie_reg = HEDDLE_REG_STATUS;
    b->flaky.lie_value = HEDDLE_STATUS_REFUSED | why << HEDDLE_STATUS_REFUSE_SHIFT;
    assert_int_equal(
        heddle_function_launch(o.function, (struct heddle_size){1, 1, 1}, (struct heddle_size){1, 1, 1}, 0, NULL),
        HEDDLE_SUCCESS);
    assert_int_equal(heddle_synchronize(o.context, 1), HEDDLE_ERROR_REFUSED);
    assert_non_null(strstr(heddle_context_message(o.context), words[why]));
    assert_int_equal(heddle_query(o.context), HEDDLE_SUCCESS); /* told once */
    b->flaky.lie_reg = UINT32_MAX;
    assert_true(b->port.write32(b->port.self, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT));
  }
  close_function(&o);
}

static void waiting_takes_the_time_that_was_given(void **state) {
  struct bench *b = *state;
  struct open o = open_function(b, "forever");
  const struct heddle_size one = {1, 1, 1};
  assert_int_equal(heddle_function_launch(o.function, one, one, 0, NULL), HEDDLE_SUCCESS);
  for (uint32_t ms = 0; ms < 4; ms++) {
    b->flaky.waits = 0;
    assert_int_equal(heddle_synchronize(o.context, ms), HEDDLE_ERROR_TIMEOUT);
    assert_int_equal(b->flaky.waits, ms * 100); /* 10 microseconds each */
  }
  close_function(&o);
}

static void devices_that_do_not_stop(void **state) {
  struct bench *b = *state;
  struct open o = open_function(b, "forever");
  const struct heddle_size one = {1, 1, 1};
  assert_int_equal(heddle_function_launch(o.function, one, one, 0, NULL), HEDDLE_SUCCESS);
  b->flaky.lie_reg = HEDDLE_REG_STATUS;
  b->flaky.lie_value = HEDDLE_STATUS_DRAINING;
  assert_int_equal(heddle_abort(o.context), HEDDLE_ERROR_BUS);
  assert_non_null(strstr(heddle_context_message(o.context), "does not stop, status 0x10"));
  close_function(&o);
  struct heddle_system *s;
  struct heddle_device *d;
  struct heddle_context *c;
  assert_int_equal(heddle_init(&b->port, 1, &s), HEDDLE_SUCCESS);
  assert_int_equal(heddle_device_get(s, 0, &d), HEDDLE_SUCCESS);
  assert_int_equal(heddle_context_create(d, &c), HEDDLE_ERROR_BUS); /* no context on it */
  b->flaky.lie_reg = UINT32_MAX;
  assert_int_equal(heddle_context_create(d, &c), HEDDLE_SUCCESS);
  heddle_context_destroy(c);
  heddle_shutdown(s);
}

static void several_devices(void **state) {
  struct bench *b = *state;
  struct heddle_port ports[3] = {b->port, b->flaky.inner, b->port};
  struct heddle_system *s;
  struct heddle_device *d[3];
  struct heddle_context *c[2];
  assert_int_equal(heddle_init(ports, 3, &s), HEDDLE_SUCCESS);
  assert_int_equal(heddle_device_count(s), 3);
  for (unsigned i = 0; i < 3; i++) assert_int_equal(heddle_device_get(s, i, &d[i]), HEDDLE_SUCCESS);
  assert_ptr_not_equal(d[0], d[1]);
  for (unsigned i = 0; i < 2; i++) assert_int_equal(heddle_context_create(d[i], &c[i]), HEDDLE_SUCCESS);
  for (unsigned i = 0; i < 2; i++) heddle_context_destroy(c[i]);
  heddle_shutdown(s);
}

#define BENCH(t) cmocka_unit_test_setup_teardown(t, open_bench, close_bench)

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {BENCH(every_access_may_fail),    BENCH(other_devices_are_refused),
                                     BENCH(refusals_are_told),        BENCH(waiting_takes_the_time_that_was_given),
                                     BENCH(devices_that_do_not_stop), BENCH(several_devices)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
