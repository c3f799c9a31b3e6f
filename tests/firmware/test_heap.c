/* SPDX-License-Identifier: Apache-2.0
 * The driver's allocator against a plain map of 256-byte pieces. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "firmware/driver/heap.h"
#include "base/splitmix64.h"

enum { PIECES = 512, LIVE = 64 };
#define BASE UINT64_C(0x10000)

struct piece_map {
  uint8_t owner[PIECES]; /* 0: free */
};

static unsigned pieces(uint64_t bytes, enum heap_kind kind) {
  return (unsigned)((bytes + (kind == HEAP_CODE ? 0 : 1) + 255) / 256);
}

/* The lowest (data) or highest (code) run of n free pieces, or PIECES. */
static unsigned fit(const struct piece_map *m, unsigned n, enum heap_kind kind) {
  for (unsigned k = 0; k + n <= PIECES; k++) {
    const unsigned first = kind == HEAP_CODE ? PIECES - n - k : k;
    unsigned i = 0;
    while (i < n && m->owner[first + i] == 0) i++;
    if (i == n) return first;
  }
  return PIECES;
}

static void agrees_with_a_map(void **state) {
  (void)state;
  struct heap h = {.base = BASE, .bytes = PIECES * 256};
  static struct piece_map m;
  struct {
    uint64_t at, bytes;
    enum heap_kind kind;
  } live[LIVE] = {{0, 0, false}};
  uint64_t seed = 5;
  memset(&m, 0, sizeof m);
  for (unsigned step = 0; step < 20000; step++) {
    const unsigned i = (splitmix64(&seed) >> 32) % LIVE;
    if (live[i].bytes > 0) {
      if (live[i].bytes > 256) assert_false(heap_give(&h, live[i].at + 256, live[i].kind));
      assert_false(heap_give(&h, live[i].at, live[i].kind == HEAP_DATA ? HEAP_CODE : HEAP_DATA));
      assert_true(heap_give(&h, live[i].at, live[i].kind));
      for (unsigned k = 0; k < PIECES; k++)
        if (m.owner[k] == i + 1) m.owner[k] = 0;
      live[i].bytes = 0;
      continue;
    }
    const uint64_t bytes = 1 + (splitmix64(&seed) >> 32) % 6000;
    const enum heap_kind kind = (splitmix64(&seed) >> 32) % 4 == 0 ? HEAP_CODE : HEAP_DATA;
    const unsigned n = pieces(bytes, kind), want = fit(&m, n, kind);
    uint64_t at = 0;
    const enum heap_result r = heap_take(&h, bytes, kind, &at);
    assert_int_equal(r, want < PIECES ? HEAP_OK : HEAP_FULL);
    if (r != HEAP_OK) continue;
    assert_int_equal(at, BASE + 256 * want);
    for (unsigned k = 0; k < n; k++) m.owner[want + k] = (uint8_t)(i + 1);
    live[i].at = at;
    live[i].bytes = bytes;
    live[i].kind = kind;
    uint64_t free_pieces = 0;
    for (unsigned k = 0; k < PIECES; k++) free_pieces += m.owner[k] == 0;
    assert_int_equal(heap_free_bytes(&h), 256 * free_pieces);
    assert_int_equal(heap_holds(&h, at, bytes), kind == HEAP_DATA);
    assert_int_equal(heap_holds(&h, at + bytes - 1, 1), kind == HEAP_DATA);
    assert_false(heap_holds(&h, at, bytes + 1));
    if (kind == HEAP_DATA) assert_false(heap_holds(&h, at + bytes, 1));
  }
  heap_clear(&h);
}

static void edges(void **state) {
  (void)state;
  struct heap h = {.base = BASE, .bytes = 1024};
  uint64_t at;
  assert_int_equal(heap_take(&h, 1024, false, &at), HEAP_FULL); /* one byte is nobody's */
  assert_int_equal(heap_take(&h, 1024, true, &at), HEAP_OK);
  assert_int_equal(at, BASE);
  assert_int_equal(heap_free_bytes(&h), 0);
  assert_true(heap_give(&h, BASE, true));
  assert_int_equal(heap_take(&h, 1023, false, &at), HEAP_OK);
  assert_int_equal(heap_take(&h, 1, true, &at), HEAP_FULL);
  assert_int_equal(heap_take(&h, UINT64_MAX, false, &at), HEAP_FULL);
  assert_false(heap_holds(&h, 0, 1));
  assert_false(heap_holds(&h, UINT64_MAX, 1));
  assert_false(heap_holds(&h, BASE, UINT64_MAX));
  heap_clear(&h);
  struct heap none = {.base = 0, .bytes = 0};
  assert_int_equal(heap_take(&none, 1, true, &at), HEAP_FULL);
  assert_false(heap_give(&none, 0, true));
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_a_map), cmocka_unit_test(edges)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
