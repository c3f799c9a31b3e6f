/* SPDX-License-Identifier: Apache-2.0
 * Pages that grids ask for: which come, which are not there, and what becomes of the grid.
 * usage: tests_firmware page_server [BOARD [TEST]]     BOARD: what does not look behind the model's registers there, as
 * "rtl:paged" */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/firmware/unified_bench.h"

static uint8_t *whole_memory(const struct bench *b) {
  uint8_t *all = malloc(b->f.port.memory_bytes);
  assert_non_null(all);
  assert_true(b->f.port.read(b->f.port.self, b->f.port.memory_base, all, b->f.port.memory_bytes));
  return all;
}

static void wild_pointers_trap(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", ROOM, FEW, NULL);
  uint32_t *u = unified(b, 2 * PAGE), value = 1;
  const uint64_t in = space(&b->f, 8192), out = space(&b->f, 256), code = b->f.port.memory_base + ROOM - 256;
  const uint64_t mine = (uint64_t)(uintptr_t)u;
  const struct wild wild[] = {{"poke", 16, "page_fault"},
                              {"poke", 0x123456789000, "page_fault"},
                              {"poke", UINT64_C(0x1ffffffffff80), "page_fault"},
                              {"poke", mine + 2 * PAGE, "page_fault"},
                              {"poke", mine - 4, "page_fault"},
                              {"poke", in + (1 << 20), "page_fault"},
                              {"poke", code, "write_protected"},
                              {"poke", UINT64_C(1) << 49, "out_of_range"},
                              {"peek", 16, "page_fault"},
                              {"peek", in + (1 << 20), "page_fault"}};
  memset(u, 0x55, 2 * PAGE);
  fill(b, (const uint32_t *)(uintptr_t)in, 64, 3);
  must_work(b, settle(b));
  for (unsigned i = 0; i < sizeof wild / sizeof *wild; i++) {
    uint64_t at = wild[i].at, to = out;
    uint8_t *before = whole_memory(b);
    const bool poke = strcmp(wild[i].name, "poke") == 0;
    must_work(b, start(b, wild[i].name, 1, &at, poke ? (void *)&value : (void *)&to));
    must_trap(b, settle(b), &wild[i]);
    if (at == 16) must_say(&b->f, "in the line of 128 bytes at 0x0"); /* the registers name the line */
    if (at == 16) must_say(&b->f, "a null pointer?");
    uint8_t *after = whole_memory(b);
    const uint64_t data = in - b->f.port.memory_base;
    assert_memory_equal(before + data, after + data, 1 << 20); /* all data, and far behind it */
    free(before);
    free(after);
    for (unsigned k = 0; k < 2 * PAGE / 4; k++) assert_int_equal(u[k], 0x55555555);
  }
  fill(b, u, 2048, 9); /* and on it goes */
  must_work(b, settle(b));
  must_hold(u, 2048, 9);
  close_bench(b);
}

/* Pages that are there come, however many others are not. */
static void wild_among_good_ones(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", ROOM, FEW, NULL);
  uint32_t *u = unified(b, 64 * PAGE);
  fill(b, u + 32 * 1024, 64 * 1024, 5); /* the second half lies behind the end */
  assert_int_equal(settle(b), HEDDLE_ERROR_TRAPPED);
  must_say(&b->f, "trap page_fault");
  must_say(&b->f, "nothing that was allocated is there");
  for (unsigned i = 0; i < 32 * 1024; i++) assert_int_equal(u[i], 0);
  for (unsigned i = 32 * 1024; i < 64 * 1024; i++) assert_true(u[i] == 0 || u[i] == 5 + i - 32 * 1024);
  struct heddle_trap_info t;
  OK(heddle_trap_last(b->f.context, &t));
  assert_in_range(t.address, (uint64_t)(uintptr_t)(u + 64 * 1024), (uint64_t)(uintptr_t)(u + 96 * 1024));
  close_bench(b);
}

static void what_is_freed_is_gone(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", ROOM, FEW, NULL);
  uint32_t *u = unified(b, PAGE), value = 4;
  uint64_t a = space(&b->f, 3 * PAGE), second = space(&b->f, PAGE), at = a + 2 * PAGE;
  must_work(b, start(b, "poke", 1, &at, &value));
  assert_int_equal(word_at(&b->f, at), 4);
  OK(heddle_mem_free(b->f.context, a));
  at = a + PAGE;
  must_work(b, start(b, "poke", 1, &at, &value));
  must_trap(b, settle(b), &(struct wild){"poke", at, "page_fault"});
  must_work(b, start(b, "poke", 1, &second, &value)); /* its neighbour, in the same page, is there */
  assert_int_equal(word_at(&b->f, second), 4);
  OK(heddle_mem_free(b->f.context, (uint64_t)(uintptr_t)u));
  must_work(b, start(b, "poke", 1, &at, &value)); /* without pages */
  must_trap(b, settle(b), &(struct wild){"poke", at / 128 * 128, "out_of_range"});
  OK(heddle_mem_free(b->f.context, second));
  assert_int_equal(free_bytes(&b->f), b->free);
  u = unified(b, PAGE);
  fill(b, u, 64, 2);
  must_work(b, settle(b));
  must_hold(u, 64, 2);
  close_bench(b);
}

/* Large allocations have large pages, whose neighbours are not there. */
static void large_pages(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", 16 << 20, FEW, NULL);
  (void)unified(b, PAGE);
  const uint32_t words = (6 << 20) / 4;
  const uint64_t big = space(&b->f, 4 * words);
  uint32_t *got = malloc(4 * words);
  assert_non_null(got);
  fill(b, (const uint32_t *)(uintptr_t)big, words, 11);
  must_work(b, heddle_memcpy_to_host(b->f.context, got, big, 4 * words));
  must_hold(got, words, 11);
  free(got);
  assert_true(counts(b).faults < 100); /* of 1,536 pages of 4 KiB */
  uint64_t at = big + (8 << 20);
  uint32_t value = 1;
  must_work(b, start(b, "poke", 1, &at, &value));
  must_trap(b, settle(b), &(struct wild){"poke", at, "page_fault"});
  close_bench(b);
}

static void no_room_for_a_page(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", 1 << 20, 0, NULL);
  uint32_t *u = unified(b, PAGE);
  uint64_t at[16], parameters = space(&b->f, 1024);
  unsigned taken = 0;
  for (uint64_t n = 1 << 20; n >= 2048;) /* no hole is left that holds a page */
    if (heddle_mem_alloc(b->f.context, n, &at[taken]) == HEDDLE_SUCCESS)
      assert_true(++taken < 16);
    else
      n -= 256;
  OK(heddle_mem_free(b->f.context, parameters));
  fill(b, u, 64, 1);
  assert_int_equal(settle(b), HEDDLE_ERROR_OUT_OF_MEMORY);
  OK(heddle_query(b->f.context)); /* given up */
  while (taken > 0) OK(heddle_mem_free(b->f.context, at[--taken]));
  fill(b, u, 64, 1);
  must_work(b, settle(b));
  must_hold(u, 64, 1);
  close_bench(b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wild_pointers_trap), cmocka_unit_test(wild_among_good_ones),
                                     cmocka_unit_test(what_is_freed_is_gone), cmocka_unit_test(large_pages),
                                     cmocka_unit_test(no_room_for_a_page)};
  const struct CMUnitTest on_board[] = {cmocka_unit_test(wild_pointers_trap), cmocka_unit_test(wild_among_good_ones),
                                        cmocka_unit_test(what_is_freed_is_gone)};
  const char *board = argc > 1 ? argv[1] : NULL;
  run_on_board(board);
  cmocka_set_test_filter(argc > 2 ? argv[2] : NULL);
  if (board) return cmocka_run_group_tests(on_board, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
