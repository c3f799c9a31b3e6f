/* SPDX-License-Identifier: Apache-2.0
 * One life of a device, well and badly, through the host driver: the same on the model and on hardware.
 * usage: driver_story PLATFORM */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/firmware/driver_program.h"
#include <heddle/driver.h>
#include <heddle/sim.h>

#define OK(call) assert_int_equal(call, HEDDLE_SUCCESS)

static const char *platform_name;
static const struct heddle_size one = {1, 1, 1}, two_warps = {64, 1, 1};

struct story {
  struct heddle_context *c;
  struct heddle_module *m;
  uint64_t out;
};

static struct heddle_function *function(const struct story *s, const char *name) {
  struct heddle_function *f;
  OK(heddle_module_function(s->m, name, &f));
  return f;
}

static void must_hold(const struct story *s, uint64_t at, uint32_t want) {
  uint32_t got = 0;
  OK(heddle_memcpy_to_host(s->c, &got, at, sizeof got));
  assert_int_equal(got, want);
}

static void a_grid(const struct story *s, uint32_t value) {
  uint64_t out = s->out;
  OK(heddle_memset8(s->c, out, 0, 768));
  OK(heddle_function_launch(function(s, "fill"), (struct heddle_size){3, 1, 1}, two_warps, 0,
                            (void *[]){&out, &value}));
  OK(heddle_synchronize(s->c, 1000));
  must_hold(s, out, value);
  must_hold(s, out + 4 * 191, value + 191);
  struct heddle_statistics t;
  OK(heddle_statistics_last(s->c, &t));
  assert_int_equal(t.counter[HEDDLE_COUNTER_ISSUED], 6 * 9);
  assert_true(t.cycles > 0);
}

static void a_trap(const struct story *s) {
  struct heddle_trap_info t;
  uint64_t at = s->out + 768;
  uint32_t value = 1;
  OK(heddle_function_launch(function(s, "poke"), one, two_warps, 0, (void *[]){&at, &value}));
  assert_int_equal(heddle_synchronize(s->c, 1000), HEDDLE_ERROR_TRAPPED);
  OK(heddle_trap_last(s->c, &t));
  assert_string_equal(t.cause_name, "out_of_range");
  assert_string_equal(t.function, "poke");
  assert_int_equal(t.pc, 0xf0);
  assert_int_equal(t.lanes, 1);
  assert_int_equal(t.warp, 0);
  assert_int_equal(t.address, at);
}

static void a_grid_without_an_end(const struct story *s) {
  OK(heddle_function_launch(function(s, "forever"), one, one, 0, NULL));
  assert_int_equal(heddle_synchronize(s->c, 1), HEDDLE_ERROR_TIMEOUT);
  assert_int_equal(heddle_query(s->c), HEDDLE_ERROR_NOT_READY);
  OK(heddle_abort(s->c));
  OK(heddle_query(s->c));
}

static void shared_and_constants(const struct story *s) {
  uint64_t out = s->out;
  uint32_t offset = 64;
  OK(heddle_function_launch(function(s, "constant"), one, one, 0, (void *[]){&out}));
  must_hold(s, out, 0x1234);
  OK(heddle_function_launch(function(s, "spare"), one, one, 4, (void *[]){&out, &offset}));
  must_hold(s, out, 7);
  OK(heddle_function_launch(function(s, "spare"), one, one, 0, (void *[]){&out, &offset}));
  assert_int_equal(heddle_synchronize(s->c, 1000), HEDDLE_ERROR_TRAPPED);
}

/* Each loaded module has its own, which live from launch to launch. */
static void module_variables(const struct story *s) {
  size_t bytes;
  uint8_t *elf = driver_globals_program(&bytes);
  struct story two[2] = {*s, *s};
  uint64_t out = s->out, at;
  const uint32_t hundred = 100;
  for (unsigned k = 0; k < 2; k++) OK(heddle_module_load_data(s->c, elf, bytes, &two[k].m));
  for (uint32_t i = 0; i < 4; i++) {
    OK(heddle_function_launch(function(&two[i % 2], "count"), one, one, 0, (void *[]){&out}));
    must_hold(s, out, 5 + i / 2);
  }
  OK(heddle_module_global(two[0].m, "counter", &at, NULL));
  must_hold(s, at, 7);
  OK(heddle_memcpy_to_device(s->c, at, &hundred, 4));
  OK(heddle_function_launch(function(&two[0], "count"), one, one, 0, (void *[]){&out}));
  must_hold(s, out, 100);
  OK(heddle_function_launch(function(&two[1], "follow"), one, one, 0, (void *[]){&out}));
  must_hold(s, out, 0x12345678);
  for (unsigned k = 0; k < 2; k++) OK(heddle_module_unload(two[k].m));
  free(elf);
}

static void a_life(void **state) {
  (void)state;
  struct heddle_message msg;
  size_t bytes;
  struct heddle_system *system;
  struct heddle_device *device;
  struct story s;
  const struct heddle_sim_options o = {.size = sizeof o, .name = platform_name};
  struct heddle_sim *p = NULL;
  if (heddle_sim_open(&o, &p, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  uint8_t *elf = driver_program(&bytes);
  OK(heddle_init(heddle_sim_port(p), 1, &system));
  OK(heddle_device_get(system, 0, &device));
  OK(heddle_context_create(device, &s.c));
  OK(heddle_module_load_data(s.c, elf, bytes, &s.m));
  OK(heddle_mem_alloc(s.c, 768, &s.out));
  for (unsigned mode = HEDDLE_DEPENDENCY_AUTOMATIC; mode <= HEDDLE_DEPENDENCY_SCOREBOARD; mode += 2) {
    OK(heddle_context_set_mode(s.c, (enum heddle_mode)mode));
    a_grid(&s, 5);
    a_trap(&s);
    a_grid(&s, 6);
    a_grid_without_an_end(&s);
    shared_and_constants(&s);
    module_variables(&s);
    a_grid(&s, 7);
  }
  OK(heddle_function_launch(function(&s, "forever"), one, one, 0, NULL));
  heddle_context_destroy(s.c); /* over a grid that runs */
  OK(heddle_context_create(device, &s.c));
  heddle_context_destroy(s.c);
  heddle_shutdown(system);
  heddle_sim_close(p);
  free(elf);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_life)};
  platform_name = argc > 1 ? argv[1] : "model";
  return cmocka_run_group_tests(tests, NULL, NULL);
}
