/* SPDX-License-Identifier: Apache-2.0
 * The driver over a device with a queue of launches (queued_device.h). */
#include <stdlib.h>
#include <string.h>

#include <heddle/host.h>
#include "tests/test.h"
#include "tests/firmware/driver_fixture.h"
#include "tests/firmware/queued_device.h"

enum { UNDER_WAY = HEDDLE_ENDED_KEPT, BYTES = 1024 };

/* ---- the bench: the fixture on that device */

struct bench {
  struct fixture f;
  struct queued_device q;
  struct heddle_port port;
  uint64_t out; /* BYTES, word i is 100 + i */
  uint64_t before;
};

static enum heddle_error opened(struct bench *b) {
  struct fixture *f = &b->f;
  uint32_t word[BYTES / 4];
  for (uint32_t i = 0; i < BYTES / 4; i++) word[i] = 100 + i;
  enum heddle_error e = heddle_init(&b->port, 1, &f->system);
  if (e == HEDDLE_SUCCESS) e = heddle_device_get(f->system, 0, &f->device);
  if (e == HEDDLE_SUCCESS) e = heddle_context_create(f->device, &f->context);
  if (e == HEDDLE_SUCCESS) e = heddle_module_load_data(f->context, f->elf, f->elf_bytes, &f->module);
  if (e == HEDDLE_SUCCESS) e = heddle_mem_alloc(f->context, BYTES, &b->out);
  if (e == HEDDLE_SUCCESS) e = heddle_memcpy_to_device(f->context, b->out, word, sizeof word);
  if (e == HEDDLE_SUCCESS) b->before = free_bytes(f);
  b->q.waits = b->q.reads = b->q.writes = 0;
  return e;
}

static int open_bench(void **state) {
  const struct model_port_options o = {.bytes = MEMORY};
  struct bench *b = calloc(1, sizeof *b);
  assert_non_null(b);
  b->f.model = model_port_new(&o);
  assert_non_null(b->f.model);
  model_port_bind(b->f.model, &b->q.inner);
  queued_device_bind(&b->q, UINT32_MAX - 3, &b->port); /* numbers begin again, and rightly so */
  b->f.elf = driver_program(&b->f.elf_bytes);
  OK(opened(b));
  *state = b;
  return 0;
}

static int close_bench(void **state) {
  struct bench *b = *state;
  heddle_context_destroy(b->f.context);
  heddle_shutdown(b->f.system);
  model_port_free(b->f.model);
  free(b->f.elf);
  free(b);
  return 0;
}

/* Word i + 1 becomes word i: a chain of these is right in one order only. */
static enum heddle_error hand_on(const struct bench *b, unsigned i) {
  uint64_t from = b->out + 4 * (uint64_t)i, to = from + 4;
  return heddle_function_launch(function(&b->f, "peek"), ONE, ONE, 0, (void *[]){&from, &to});
}

static enum heddle_error put(const struct bench *b, unsigned i, uint32_t value) {
  uint64_t at = b->out + 4 * (uint64_t)i;
  return heddle_function_launch(function(&b->f, "poke"), ONE, ONE, 0, (void *[]){&at, &value});
}

/* A store behind the end of `out`. */
static enum heddle_error go_wrong(const struct bench *b) {
  return put(b, BYTES / 4, 1);
}

static uint64_t until(const struct bench *b, uint64_t launch) {
  uint64_t cycles = 0;
  OK(heddle_cycles_until(b->f.context, launch, &cycles));
  return cycles;
}

/* ---- tests */

/* Eight: of as many launches the device keeps the ends. Nine may be there, but the end of the first is lost once the
 * ninth has ended. */
static void eight_are_under_way(void **state) {
  struct bench *b = *state;
  struct heddle_statistics s;
  uint64_t cycles;
  OK(hand_on(b, 0));
  const unsigned first = b->q.writes;
  for (unsigned i = 1; i < UNDER_WAY; i++) OK(hand_on(b, i));
  assert_int_equal(b->q.waits, 0);
  assert_int_equal(b->q.waiting, UNDER_WAY);
  assert_true(first > 80 && (b->q.writes - first) / (UNDER_WAY - 1) <= 2); /* where bank 0 lies, START */
  assert_int_equal(heddle_cycles_until(b->f.context, 1, &cycles), HEDDLE_ERROR_NOT_READY);
  assert_int_equal(heddle_query(b->f.context), HEDDLE_ERROR_NOT_READY);
  OK(hand_on(b, UNDER_WAY));
  assert_int_equal(b->q.waits, 1);
  OK(heddle_statistics_last(b->f.context, &s)); /* of the first, whose counters are gone */
  assert_int_equal(s.launch, 1);
  assert_int_equal(s.cycles, until(b, 1));
  assert_int_equal(s.counter[HEDDLE_COUNTER_ISSUED], 0);
  for (unsigned i = UNDER_WAY + 1; i < 20; i++) OK(hand_on(b, i));
  OK(heddle_synchronize(b->f.context, HEDDLE_FOREVER));
  OK(heddle_statistics_last(b->f.context, &s));
  assert_int_equal(s.launch, 20);
  assert_int_equal(s.counter[HEDDLE_COUNTER_ISSUED], s.cycles); /* the model's cycles are its instructions */
  for (unsigned n = 6; n <= 20; n++) assert_int_equal(until(b, n), n * s.cycles);
  assert_int_equal(heddle_cycles_until(b->f.context, 4, &cycles), HEDDLE_ERROR_NOT_FOUND);
  assert_int_equal(heddle_cycles_until(b->f.context, 21, &cycles), HEDDLE_ERROR_NOT_FOUND);
  assert_int_equal(word_at(&b->f, b->out + 80), 100);
  assert_int_equal(free_bytes(&b->f), b->before);
}

static void a_trap_ends_the_queue(void **state) {
  struct bench *b = *state;
  struct heddle_trap_info t;
  for (unsigned at_launch = 0; at_launch < 2; at_launch++) {
    OK(hand_on(b, 10 * at_launch));
    OK(hand_on(b, 10 * at_launch + 1));
    OK(go_wrong(b));
    for (unsigned i = 0; i < 5; i++) OK(hand_on(b, 10 * at_launch + 2 + i));
    if (at_launch) { /* the ninth waits: two end, then the trap */
      OK(hand_on(b, 200));
      OK(hand_on(b, 200));
      assert_int_equal(hand_on(b, 200), HEDDLE_ERROR_TRAPPED);
    } else {
      assert_int_equal(heddle_synchronize(b->f.context, HEDDLE_FOREVER), HEDDLE_ERROR_TRAPPED);
    }
    must_say(&b->f, "trap out_of_range at poke+0x00");
    must_say(&b->f, "at"); /* its parameter */
    OK(heddle_trap_last(b->f.context, &t));
    assert_string_equal(t.function, "poke");
    assert_string_equal(t.cause_name, "out_of_range");
    assert_int_equal(t.address, b->out + BYTES);
    OK(heddle_query(b->f.context)); /* told once, nothing runs */
    assert_int_equal(b->q.waiting, 0);
    assert_int_equal(free_bytes(&b->f), b->before);
    assert_int_equal(word_at(&b->f, b->out + 40 * at_launch + 8), 100 + 10 * at_launch);
    assert_int_equal(word_at(&b->f, b->out + 40 * at_launch + 12), 103 + 10 * at_launch); /* given up */
    OK(hand_on(b, 50 + at_launch));
    assert_int_equal(word_at(&b->f, b->out + 4 * (51 + at_launch)), 150);
  }
}

/* The device begins the launch that comes just behind a lonely trap, and forgets that. */
static void a_trap_that_the_next_start_hides_is_told(void **state) {
  struct bench *b = *state;
  struct heddle_trap_info t;
  OK(go_wrong(b));
  assert_int_equal(heddle_synchronize(b->f.context, HEDDLE_FOREVER), HEDDLE_ERROR_TRAPPED);
  OK(heddle_trap_last(b->f.context, &t));
  b->q.race = true;
  OK(go_wrong(b));
  OK(hand_on(b, 0));
  assert_int_equal(b->q.waiting, 1);
  assert_int_equal(heddle_synchronize(b->f.context, HEDDLE_FOREVER), HEDDLE_ERROR_TRAPPED);
  must_say(&b->f, "poke trapped; where and why is not known");
  assert_int_equal(heddle_trap_last(b->f.context, &t), HEDDLE_ERROR_NOT_FOUND);
  OK(heddle_query(b->f.context));
  assert_int_equal(word_at(&b->f, b->out + 4), 101); /* given up */
  b->q.race = false;
  OK(hand_on(b, 0));
  assert_int_equal(word_at(&b->f, b->out + 4), 100);
}

static void copies_and_modules_wait_for_all(void **state) {
  struct bench *b = *state;
  uint64_t more = space(&b->f, 256);
  for (unsigned i = 0; i < 4; i++) OK(hand_on(b, i));
  assert_int_equal(word_at(&b->f, b->out + 16), 100);
  OK(hand_on(b, 4));
  OK(heddle_memset32(b->f.context, b->out + 24, 7, 1));
  OK(hand_on(b, 5)); /* reads word 5, writes word 6 */
  OK(hand_on(b, 6));
  OK(heddle_mem_free(b->f.context, more));
  assert_int_equal(b->q.waiting, 0);
  assert_int_equal(word_at(&b->f, b->out + 28), 100);
  OK(hand_on(b, 7));
  OK(heddle_module_unload(b->f.module));
  assert_int_equal(b->q.waiting, 0);
  OK(heddle_module_load_data(b->f.context, b->f.elf, b->f.elf_bytes, &b->f.module));
  OK(hand_on(b, 8));
  OK(heddle_abort(b->f.context));
  assert_int_equal(word_at(&b->f, b->out + 32), 100);
  assert_int_equal(word_at(&b->f, b->out + 36), 109); /* given up */
}

/* Bank 0 and local memory of launches are given back when the device rests; where they are in the way it is waited for.
 */
static void a_full_heap_is_waited_for(void **state) {
  struct bench *b = *state;
  uint64_t out = b->out, most, more;
  struct heddle_function *local = function(&b->f, "local");
  const uint64_t left = 2u * 1024 * 32 + 4096; /* local memory of two launches */
  OK(heddle_mem_alloc(b->f.context, b->before - left, &most));
  for (unsigned i = 0; i < 3; i++) OK(heddle_function_launch(local, ONE, ONE, 0, (void *[]){&out}));
  assert_int_equal(b->q.waiting, 1);
  OK(heddle_mem_alloc(b->f.context, left - 512, &more));
  assert_int_equal(b->q.waiting, 0);
  assert_int_equal(heddle_function_launch(local, ONE, ONE, 0, (void *[]){&out}), HEDDLE_ERROR_OUT_OF_MEMORY);
  assert_int_equal(word_at(&b->f, out), 5);
  OK(heddle_mem_free(b->f.context, more));
  for (unsigned i = 0; i < 200; i++) OK(hand_on(b, i)); /* more than the list of what is held is long */
  assert_int_equal(word_at(&b->f, out + 800), 5);
}

static enum heddle_error fine(void *self, const char **why) {
  (void)self, (void)why;
  return HEDDLE_SUCCESS;
}

static void begins(void *self, const struct heddle_seen_launch *l) {
  (void)self, (void)l;
}

static void ends(void *self, const char *kernel, enum heddle_error e, const char *words) {
  (void)self, (void)kernel, (void)e, (void)words;
}

static void allocated(void *self, uint64_t at, uint64_t bytes, const void *caller) {
  (void)self, (void)at, (void)bytes, (void)caller;
}

static void compiled(void *self, const struct heddle_program *p, const char *ptx, size_t bytes) {
  (void)self, (void)p, (void)ptx, (void)bytes;
}

/* A launch writes all registers and START, after the end of the one before has been read: STATUS, cycles, counters. */
static void nothing_waits_where_somebody_looks(void **state) {
  struct bench *b = *state;
  static struct heddle_watch watch = {.size = sizeof watch, .allocated = allocated, .compiled = compiled};
  unsigned reads[3], writes[3];
  for (unsigned how = 0; how < 3; how++) { /* judged; watched; a watch that does not look at launches */
    heddle_context_destroy(b->f.context);
    heddle_shutdown(b->f.system);
    b->port.verdict = how == 0 ? fine : NULL;
    b->port.watch = how == 0 ? NULL : &watch;
    watch.begins = how == 1 ? begins : NULL;
    watch.ends = how == 1 ? ends : NULL;
    OK(opened(b));
    for (unsigned i = 0; i < 5; i++) {
      OK(hand_on(b, i));
      if (how < 2) assert_int_equal(b->q.waiting, 1);
    }
    OK(heddle_synchronize(b->f.context, HEDDLE_FOREVER));
    reads[how] = b->q.reads;
    writes[how] = b->q.writes;
    assert_int_equal(word_at(&b->f, b->out + 20), 100);
  }
  for (unsigned how = 0; how < 2; how++) {
    assert_int_equal(reads[how], 5 * (2 + 2 + HEDDLE_COUNTERS)); /* STATUS twice, CYCLES, counters */
    assert_int_equal(writes[how], 5 * (93 + 1 + 1));             /* launch registers, START, SM_SELECT */
  }
  assert_true(reads[2] < reads[0] && writes[2] < 110);
}

/* IRQ_MASK is a port's that can sleep: one end where one launch more wants room, else the end of all. */
static void who_sleeps_says_what_for(void **state) {
  struct bench *b = *state;
  for (unsigned sleeps = 0; sleeps < 2; sleeps++) {
    heddle_context_destroy(b->f.context);
    heddle_shutdown(b->f.system);
    b->port.sleeps = sleeps != 0;
    OK(opened(b));
    for (unsigned i = 0; i < UNDER_WAY + 2; i++) OK(hand_on(b, i));
    if (sleeps) assert_int_equal(b->q.mask, HEDDLE_IRQ_CAUSE_STOPPED | HEDDLE_IRQ_CAUSE_LAUNCH);
    OK(heddle_synchronize(b->f.context, HEDDLE_FOREVER));
    if (sleeps) assert_int_equal(b->q.mask, HEDDLE_IRQ_CAUSE_STOPPED | HEDDLE_IRQ_CAUSE_IDLE);
    assert_int_equal(b->q.mask_words, 2 * sleeps);
    assert_int_equal(word_at(&b->f, b->out + 4 * (UNDER_WAY + 2)), 100);
  }
  heddle_context_destroy(b->f.context);
  assert_int_equal(b->q.mask, 0);
  heddle_shutdown(b->f.system);
  OK(opened(b));
}

/* Whatever access fails, the host hears of it or all is right; and then it works again. */
static void every_access_may_fail(void **state) {
  struct bench *b = *state;
  unsigned failed = 0, done = 0;
  for (long n = 0; done == 0; n++) {
    uint32_t got = 0;
    heddle_context_destroy(b->f.context);
    heddle_shutdown(b->f.system);
    OK(opened(b));
    b->q.left = n;
    enum heddle_error e = HEDDLE_SUCCESS;
    for (unsigned i = 0; i < 10 && e == HEDDLE_SUCCESS; i++) e = i % 2 == 0 ? hand_on(b, i / 2) : put(b, 200, i);
    if (e == HEDDLE_SUCCESS) e = heddle_memcpy_to_host(b->f.context, &got, b->out + 20, sizeof got);
    done = b->q.left > 0;
    b->q.left = -1;
    failed += e == HEDDLE_ERROR_BUS;
    assert_true(e == HEDDLE_ERROR_BUS || (e == HEDDLE_SUCCESS && got == 100));
    (void)heddle_abort(b->f.context);
    OK(hand_on(b, 100));
    assert_int_equal(word_at(&b->f, b->out + 404), 200);
    OK(heddle_mem_free(b->f.context, b->out));
    OK(heddle_module_unload(b->f.module));
  }
  assert_true(failed > 100);
  OK(heddle_module_load_data(b->f.context, b->f.elf, b->f.elf_bytes, &b->f.module));
}

#define BENCH(t) cmocka_unit_test_setup_teardown(t, open_bench, close_bench)

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {BENCH(eight_are_under_way),
                                     BENCH(a_trap_ends_the_queue),
                                     BENCH(a_trap_that_the_next_start_hides_is_told),
                                     BENCH(copies_and_modules_wait_for_all),
                                     BENCH(a_full_heap_is_waited_for),
                                     BENCH(nothing_waits_where_somebody_looks),
                                     BENCH(who_sleeps_says_what_for),
                                     BENCH(every_access_may_fail)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
