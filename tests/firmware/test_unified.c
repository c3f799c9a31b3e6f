/* SPDX-License-Identifier: Apache-2.0
 * Unified memory: what one side writes the other reads; allocations, copies, an owner that hears of what the host
 * writes. Pages that are asked for: test_page_server.c, that give way: test_evict.c.
 * usage: tests_firmware unified [BOARD [TEST]]     BOARD: what does not look behind the model's registers there, as
 * "rtl:paged" */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/firmware/unified_bench.h"

/* ---- both sides */

static void the_host_touches_pages_between_launches(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", ROOM, FEW, NULL);
  uint32_t *u = unified(b, 8 * PAGE), *other = unified(b, 100);
  uint64_t out = space(&b->f, 256), from = (uint64_t)(uintptr_t)(u + 3 * 1024 + 7);
  for (uint32_t turn = 0; turn < 3; turn++) {
    fill(b, u, 8 * 1024, 100 * turn);
    must_work(b, settle(b));
    must_hold(u, 8 * 1024, 100 * turn);
    u[3 * 1024 + 7] = 77 + turn;
    must_work(b, start(b, "peek", 1, &from, &out));
    assert_int_equal(word_at(&b->f, out), 77 + turn);
    assert_int_equal(u[3 * 1024 + 7], 77 + turn);
  }
  *other = 5; /* a page that no grid wanted has not moved */
  from = (uint64_t)(uintptr_t)other;
  assert_int_equal(counts(b).brought, 3 * 9);
  must_work(b, start(b, "peek", 1, &from, &out));
  assert_int_equal(word_at(&b->f, out), 5);
  assert_int_equal(counts(b).brought, 3 * 9 + 1);
  assert_int_equal(counts(b).copied, 3 * 8); /* what was only read has stayed at home */
  close_bench(b);
}

/* Each launch needs what the one before has written, in pages that have gone meanwhile. */
static void launches_in_a_row(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", ROOM, FEW, NULL);
  uint32_t *u = unified(b, 80 * PAGE);
  u[5] = 1234;
  for (uint32_t i = 0; i < 5; i++) {
    uint64_t from = (uint64_t)(uintptr_t)(u + 15 * 1024 * i + 5), to = from + 15 * PAGE;
    fill(b, u + 15 * 1024 * i + 1024, 14 * 1024, i);
    must_work(b, start(b, "peek", 1, &from, &to));
  }
  uint64_t wild = 64;
  uint32_t value = 1;
  must_work(b, start(b, "poke", 1, &wild, &value));
  uint64_t at = (uint64_t)(uintptr_t)u;
  const enum heddle_error e = start(b, "fill", 16, &at, &value); /* given up, or never begun */
  must_trap(b, e == HEDDLE_SUCCESS ? settle(b) : e, &(struct wild){"poke", wild, "page_fault"});
  for (uint32_t i = 0; i < 6; i++) assert_int_equal(u[15 * 1024 * i + 5], 1234);
  for (uint32_t i = 0; i < 5; i++) must_hold(u + 15 * 1024 * i + 1024, 14 * 1024, i);
  assert_true(counts(b).brought >= 76);
  close_bench(b);
}

static void copies_know_it(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", ROOM, FEW, NULL);
  uint32_t *u = unified(b, 3 * PAGE), word[64];
  uint64_t at = (uint64_t)(uintptr_t)u, out = space(&b->f, sizeof word);
  fill(b, u, 3 * 1024, 9);
  must_work(b, heddle_memcpy_to_host(b->f.context, word, at + 4096 - 16, sizeof word));
  must_hold(word, 64, 9 + 1020);
  must_work(b, heddle_memcpy_on_device(b->f.context, out, at, sizeof word));
  must_work(b, heddle_memcpy_to_host(b->f.context, u + 1024, out, sizeof word)); /* unified as the host's side */
  must_hold(u + 1024, 64, 9);
  must_work(b, heddle_memset32(b->f.context, at, 3, 2));
  must_work(b, heddle_memcpy_to_device(b->f.context, at + 8, word, 4));
  assert_true(u[0] == 3 && u[1] == 3 && u[2] == 9 + 1020 && u[3] == 12);
  assert_int_equal(heddle_memset8(b->f.context, at + 3 * PAGE - 4, 0, 5), HEDDLE_ERROR_INVALID_ADDRESS);
  close_bench(b);
}

static void without_an_mmu_it_is_refused(void **state) {
  struct fixture *f = *state;
  uint64_t at;
  void *host;
  assert_int_equal(heddle_mem_alloc_unified(f->context, 1, &at, &host), HEDDLE_ERROR_NOT_SUPPORTED);
  must_say(f, "has no MMU");
  assert_int_equal(heddle_mem_alloc_unified(f->context, 0, &at, &host), HEDDLE_ERROR_INVALID_VALUE);
}

/* ---- an owner that hears of what the host writes */

struct owner {
  uint8_t *at;
  unsigned pages, taken;
  bool open[64];
};

static void *owner_take(void *self, uint64_t bytes) {
  struct owner *o = self;
  o->taken++;
  o->pages = (unsigned)(bytes / PAGE);
  assert_true(bytes % PAGE == 0 && o->pages <= 64);
  memset(o->open, 1, sizeof o->open);
  return o->at = aligned_alloc(PAGE, bytes);
}

static void owner_give(void *self, void *p, uint64_t bytes) {
  struct owner *o = self;
  assert_true(p == o->at && bytes == (uint64_t)o->pages * PAGE);
  o->taken--;
  free(p);
}

static bool owner_protect(void *self, void *p, uint64_t bytes, bool may_write) {
  struct owner *o = self;
  const uint64_t first = (uint64_t)((uint8_t *)p - o->at) / PAGE;
  assert_true(bytes % PAGE == 0 && first + bytes / PAGE <= o->pages);
  for (uint64_t i = 0; i < bytes / PAGE; i++) o->open[first + i] = may_write;
  return true;
}

static unsigned closed(const struct owner *o) {
  unsigned n = 0;
  for (unsigned i = 0; i < o->pages; i++) n += !o->open[i];
  return n;
}

static void pages_stay_where_touches_are_told(void **state) {
  (void)state;
  struct owner o = {.at = NULL};
  const struct heddle_unified h = {
      .size = sizeof h, .self = &o, .take = owner_take, .give = owner_give, .protect = owner_protect};
  struct bench *b = open_bench("paged", ROOM, 0, &h);
  uint32_t *u = unified(b, 8 * PAGE);
  fill(b, u, 6 * 1024, 1);
  must_work(b, settle(b));
  must_hold(u, 6 * 1024, 1);
  assert_int_equal(closed(&o), 6);
  assert_int_equal(counts(b).resident, 6);
  fill(b, u, 6 * 1024, 2); /* none comes anew */
  must_work(b, settle(b));
  must_hold(u, 6 * 1024, 2);
  assert_int_equal(counts(b).brought, 6);
  assert_int_equal(counts(b).copied, 12);
  OK(heddle_unified_touch(b->f.context, u + 2 * 1024 + 5));
  assert_true(closed(&o) == 5 && o.open[2]);
  u[2 * 1024 + 5] = 99;
  uint64_t from = (uint64_t)(uintptr_t)(u + 2 * 1024 + 5), out = space(&b->f, 256);
  must_work(b, start(b, "peek", 1, &from, &out));
  OK(heddle_unified_touch(b->f.context, u + 1)); /* while it runs: waits */
  assert_int_equal(word_at(&b->f, out), 99);
  assert_int_equal(counts(b).brought, 7);
  assert_int_equal(heddle_unified_touch(b->f.context, &o), HEDDLE_ERROR_INVALID_ADDRESS);
  /* pages give way to what else needs their room */
  uint64_t most, n = 0;
  OK(heddle_mem_info(b->f.context, &n, NULL));
  OK(heddle_mem_alloc(b->f.context, n - 4096, &most));
  assert_true(closed(&o) == 0 && counts(b).resident == 0);
  OK(heddle_mem_free(b->f.context, most));
  /* nor do they stay behind a trap */
  fill(b, u, 1024, 3);
  must_work(b, settle(b));
  uint64_t wild = 16;
  uint32_t value = 1;
  must_work(b, start(b, "poke", 1, &wild, &value));
  assert_int_equal(settle(b), HEDDLE_ERROR_TRAPPED);
  assert_true(closed(&o) == 0 && counts(b).resident == 0);
  must_hold(u, 1024, 3);
  OK(heddle_mem_free(b->f.context, (uint64_t)(uintptr_t)u));
  assert_int_equal(o.taken, 0);
  close_bench(b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_host_touches_pages_between_launches),
                                     cmocka_unit_test(launches_in_a_row), cmocka_unit_test(copies_know_it),
                                     ROOMY(without_an_mmu_it_is_refused),
                                     cmocka_unit_test(pages_stay_where_touches_are_told)};
  const struct CMUnitTest on_board[] = {cmocka_unit_test(the_host_touches_pages_between_launches),
                                        cmocka_unit_test(launches_in_a_row), cmocka_unit_test(copies_know_it),
                                        cmocka_unit_test(pages_stay_where_touches_are_told)};
  const char *board = argc > 1 ? argv[1] : NULL;
  run_on_board(board);
  cmocka_set_test_filter(argc > 2 ? argv[2] : NULL);
  if (board) return cmocka_run_group_tests(on_board, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
