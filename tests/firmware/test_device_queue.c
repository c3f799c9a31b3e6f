/* SPDX-License-Identifier: Apache-2.0
 * Launches in a device's own queue, through the driver: the same results as one by one, in fewer cycles; a trap among
 * them; whose event counters a host reads. A host that sleeps and one that looks. Prints what each costs.
 * usage: tests_firmware device_queue CONFIG, a device with a queue */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/firmware/driver_program.h"
#include <heddle/device.h>
#include <heddle/driver.h>
#include "cosim/platform/platform.h"

#define OK(call) assert_int_equal(call, HEDDLE_SUCCESS)

enum { LAUNCHES = 20, WORDS = 64, MEMORY = 1 << 20 };
static const struct heddle_size one = {1, 1, 1};
static const char *config;

struct host {
  struct heddle_dut *dut;
  struct heddle_port inner, port;
  struct heddle_system *system;
  struct heddle_device *device;
  struct heddle_context *context;
  struct heddle_module *module;
  uint64_t out, accesses;
};

static bool read32(void *self, uint32_t reg, uint32_t *value) {
  struct host *h = self;
  h->accesses++;
  return h->inner.read32(h->inner.self, reg, value);
}

static bool write32(void *self, uint32_t reg, uint32_t value) {
  struct host *h = self;
  h->accesses++;
  return h->inner.write32(h->inner.self, reg, value);
}

static bool read_memory(void *self, uint64_t addr, void *data, uint64_t bytes) {
  struct host *h = self;
  return h->inner.read(h->inner.self, addr, data, bytes);
}

static bool write_memory(void *self, uint64_t addr, const void *data, uint64_t bytes) {
  struct host *h = self;
  return h->inner.write(h->inner.self, addr, data, bytes);
}

static void wait_for(void *self, uint32_t microseconds) {
  struct host *h = self;
  h->inner.wait(h->inner.self, microseconds);
}

static enum heddle_error fine(void *self, const char **why) {
  (void)self, (void)why;
  return HEDDLE_SUCCESS;
}

static void open_host(struct host *h, bool queued, bool sleeps) {
  const struct heddle_axi_mem_config m = {.size = sizeof m, .base = PLATFORM_MEMORY_BASE, .bytes = MEMORY};
  const struct heddle_dut_options o = {.size = sizeof o, .memory = &m, .seed = 1};
  uint32_t word[WORDS];
  struct heddle_message msg;
  size_t bytes;
  *h = (struct host){0};
  if (heddle_dut_open(NULL, "verilator", config, &o, &h->dut, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  device_port_bind(h->dut, &h->inner, PLATFORM_MEMORY_BASE, MEMORY);
  h->port = h->inner;
  h->port.self = h;
  h->port.read32 = read32;
  h->port.write32 = write32;
  h->port.read = read_memory;
  h->port.write = write_memory;
  h->port.wait = wait_for;
  assert_true(h->port.sleeps);
  h->port.sleeps = sleeps;
  h->port.verdict = queued ? NULL : fine; /* where somebody judges each, they run one by one */
  uint8_t *elf = driver_program(&bytes);
  OK(heddle_init(&h->port, 1, &h->system));
  OK(heddle_device_get(h->system, 0, &h->device));
  OK(heddle_context_create(h->device, &h->context));
  OK(heddle_module_load_data(h->context, elf, bytes, &h->module));
  free(elf);
  for (uint32_t i = 0; i < WORDS; i++) word[i] = 100 + i;
  OK(heddle_mem_alloc(h->context, sizeof word, &h->out));
  OK(heddle_memcpy_to_device(h->context, h->out, word, sizeof word));
}

static void close_host(struct host *h) {
  heddle_context_destroy(h->context);
  heddle_shutdown(h->system);
  heddle_dut_free(h->dut);
}

static enum heddle_error launch(const struct host *h, const char *name, void **params) {
  struct heddle_function *f;
  OK(heddle_module_function(h->module, name, &f));
  return heddle_function_launch(f, one, one, 0, params);
}

/* Word i becomes word i + 1. */
static enum heddle_error hand_on(const struct host *h, unsigned i) {
  uint64_t from = h->out + 4 * (uint64_t)i, to = from + 4;
  return launch(h, "peek", (void *[]){&from, &to});
}

struct cost {
  uint64_t cycles, accesses, sum;
  uint32_t word[WORDS];
};

static void run_chain(bool queued, bool sleeps, struct cost *c) {
  struct host h;
  uint64_t before = 0;
  open_host(&h, queued, sleeps);
  OK(hand_on(&h, 0)); /* looks at what the kernel needs; writes every register */
  OK(heddle_synchronize(h.context, HEDDLE_FOREVER));
  const uint64_t begin = heddle_dut_cycle(h.dut), accesses = h.accesses;
  for (unsigned i = 0; i < LAUNCHES; i++) OK(hand_on(&h, i));
  OK(heddle_synchronize(h.context, HEDDLE_FOREVER));
  c->cycles = heddle_dut_cycle(h.dut) - begin;
  c->accesses = h.accesses - accesses;
  c->sum = 0;
  for (uint64_t n = LAUNCHES + 2 - HEDDLE_GRIDS_DATED; n <= LAUNCHES + 1; n++) { /* the first one came before them */
    uint64_t until = 0;
    OK(heddle_cycles_until(h.context, n, &until));
    assert_true(until > before);
    if (before > 0) c->sum += until - before;
    before = until;
  }
  assert_true(c->sum < c->cycles);
  OK(heddle_memcpy_to_host(h.context, c->word, h.out, sizeof c->word));
  close_host(&h);
}

static void tell(const char *how, const struct cost *c) {
  printf("%s, %d launches, %s: %.0f cycles, %.1f register accesses each\n", config, LAUNCHES, how,
         (double)c->cycles / LAUNCHES, (double)c->accesses / LAUNCHES);
}

static void a_queue_saves_cycles(void **state) {
  struct cost queued, alone, slept, slept_alone;
  (void)state;
  run_chain(true, false, &queued);
  run_chain(true, true, &slept);
  run_chain(false, false, &alone);
  run_chain(false, true, &slept_alone);
  tell("in the queue", &queued);
  tell("in the queue, the host sleeps", &slept);
  tell("one by one", &alone);
  tell("one by one, the host sleeps", &slept_alone);
  for (unsigned i = 0; i < WORDS; i++) assert_int_equal(queued.word[i], i <= LAUNCHES ? 100 : 100 + i);
  assert_memory_equal(queued.word, alone.word, sizeof alone.word);
  assert_memory_equal(queued.word, slept.word, sizeof alone.word);
  assert_memory_equal(queued.word, slept_alone.word, sizeof alone.word);
  assert_true(2 * queued.cycles < alone.cycles);
  assert_true(4 * queued.accesses < alone.accesses);
  assert_true(slept.cycles <= queued.cycles && slept_alone.cycles < alone.cycles);
}

/* A long launch: who sleeps looks at a register a few times. */
static void who_sleeps_does_not_look(void **state) {
  uint64_t accesses[2], cycles[2];
  (void)state;
  for (unsigned sleeps = 0; sleeps < 2; sleeps++) {
    struct host h;
    open_host(&h, true, sleeps != 0);
    OK(launch(&h, "forever", NULL));
    const uint64_t begin = heddle_dut_cycle(h.dut), before = h.accesses;
    assert_int_equal(heddle_synchronize(h.context, 1), HEDDLE_ERROR_TIMEOUT);
    accesses[sleeps] = h.accesses - before;
    cycles[sleeps] = heddle_dut_cycle(h.dut) - begin;
    OK(heddle_abort(h.context));
    OK(hand_on(&h, 0)); /* what has woken it before does not count any more */
    OK(heddle_synchronize(h.context, 1));
    close_host(&h);
  }
  assert_true(accesses[0] > 100 && accesses[1] < 25);
  /* A millisecond, by the port; what had happened before may have ended the first ten microseconds early. */
  assert_true(cycles[0] >= 100000 && cycles[1] >= 99000);
}

static uint32_t word_at(const struct host *h, unsigned i) {
  uint32_t got = 0;
  OK(heddle_memcpy_to_host(h->context, &got, h->out + 4 * (uint64_t)i, sizeof got));
  return got;
}

static void a_trap_stops_those_behind(void **state) {
  struct host h;
  struct heddle_trap_info t;
  uint32_t value = 1;
  (void)state;
  open_host(&h, true, true);
  uint64_t behind = h.out + 4 * WORDS, out = h.out;
  for (unsigned turn = 0; turn < 2; turn++) {
    const unsigned at = 8 * turn;
    OK(hand_on(&h, at));
    OK(hand_on(&h, at + 1));
    OK(launch(&h, "poke", (void *[]){&behind, &value}));
    OK(hand_on(&h, at + 2));
    OK(hand_on(&h, at + 3));
    assert_int_equal(heddle_synchronize(h.context, HEDDLE_FOREVER), HEDDLE_ERROR_TRAPPED);
    if (!strstr(heddle_context_message(h.context), "trap out_of_range at poke+0x"))
      fail_msg("%s", heddle_context_message(h.context));
    OK(heddle_trap_last(h.context, &t));
    assert_string_equal(t.function, "poke");
    assert_int_equal(t.address, behind);
    OK(heddle_query(h.context));
    assert_int_equal(word_at(&h, at + 2), 100 + at);
    assert_int_equal(word_at(&h, at + 3), 103 + at); /* given up */
    OK(launch(&h, "local", (void *[]){&out}));       /* each launch has local memory of its own */
    OK(launch(&h, "local", (void *[]){&out}));
    assert_int_equal(word_at(&h, 0), 5);
  }
  close_host(&h);
}

/* Counters are those of the launch that statistics name: of launches in the queue the last one. A host that wants those
 * of each waits for each. */
static void counters_are_of_the_launch_that_is_named(void **state) {
  struct heddle_statistics s, alone[2];
  struct host h;
  (void)state;
  open_host(&h, true, true);
  uint64_t out = h.out;
  OK(hand_on(&h, 0));
  OK(heddle_synchronize(h.context, HEDDLE_FOREVER));
  OK(heddle_statistics_last(h.context, &alone[0]));
  OK(launch(&h, "local", (void *[]){&out}));
  OK(heddle_synchronize(h.context, HEDDLE_FOREVER));
  OK(heddle_statistics_last(h.context, &alone[1]));
  assert_int_equal(alone[0].launch, 1);
  assert_int_equal(alone[1].launch, 2);
  assert_int_not_equal(alone[0].counter[HEDDLE_COUNTER_ISSUED], alone[1].counter[HEDDLE_COUNTER_ISSUED]);
  for (unsigned i = 0; i < 3; i++) OK(hand_on(&h, i));
  OK(launch(&h, "local", (void *[]){&out}));
  OK(heddle_synchronize(h.context, HEDDLE_FOREVER));
  OK(heddle_statistics_last(h.context, &s));
  assert_int_equal(s.launch, 6);
  assert_int_equal(s.counter[HEDDLE_COUNTER_ISSUED], alone[1].counter[HEDDLE_COUNTER_ISSUED]);
  close_host(&h);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_queue_saves_cycles), cmocka_unit_test(a_trap_stops_those_behind),
      cmocka_unit_test(who_sleeps_does_not_look), cmocka_unit_test(counters_are_of_the_launch_that_is_named)};
  config = argc > 1 ? argv[1] : "cached";
  return cmocka_run_group_tests(tests, NULL, NULL);
}
