/* SPDX-License-Identifier: Apache-2.0
 * Page tables as a host makes them (heddle/pages.h), against their bits written out. What a machine makes of them:
 * tests/cmodel/test_pages_*.c. */
#include <string.h>

#include "tests/test.h"

#include <heddle/pages.h>

#define BASE UINT64_C(0x40000000)
#define WORDS 16384u /* 32 frames */
#define V UINT64_C(0x1aaaabcdef000)
#define FRAME UINT64_C(0x123456000)

struct device {
  uint64_t word[WORDS];
  unsigned next, most; /* frames: that come next, that there are */
  bool silent;
};

static bool get(void *self, uint64_t at, uint64_t *entry) {
  struct device *d = self;
  assert_in_range(at, BASE, BASE + 8 * WORDS - 8);
  *entry = d->word[(at - BASE) / 8];
  return !d->silent;
}

static bool exchange(void *self, uint64_t at, uint64_t entry, uint64_t *old) {
  struct device *d = self;
  if (!get(self, at, old)) return false;
  d->word[(at - BASE) / 8] = entry;
  return true;
}

static uint64_t table(void *self, uint64_t bytes) {
  struct device *d = self;
  if (bytes == HEDDLE_PAGE_ROOT) d->next += d->next % 2;
  const unsigned first = d->next;
  if (first + bytes / 4096 > d->most) return 0;
  d->next += (unsigned)(bytes / 4096);
  return BASE + 4096u * (uint64_t)first;
}

static struct device d;
static const struct heddle_page_memory m = {sizeof m, &d, get, exchange, table};

static uint64_t fresh(unsigned frames) {
  uint64_t root;
  memset(&d, 0, sizeof d);
  d.most = frames;
  assert_int_equal(heddle_pages_new(&m, &root), HEDDLE_SUCCESS);
  assert_int_equal(root, BASE);
  return root;
}

static enum heddle_error map(uint64_t root, uint64_t virt, uint64_t phys, uint64_t bytes, uint64_t flags) {
  return heddle_pages_map(&m, root, virt, phys, bytes, flags);
}

/* Entry `i` of the n-th frame. */
static uint64_t entry(unsigned n, unsigned i) {
  return d.word[512 * n + i];
}

/* 0x1aaaabcdef000: bits 48:39 are 0x355, 38:30 0xaa, 29:21 0x1e6, 20:12 0x1ef. */
static void small_page(void **state) {
  (void)state;
  const uint64_t root = fresh(32);
  assert_int_equal(map(root, V, FRAME, HEDDLE_PAGE_SMALL, HEDDLE_ENTRY_WRITE), HEDDLE_SUCCESS);
  assert_int_equal(d.next, 5);
  assert_int_equal(entry(0, 0x355), (BASE + 0x2000) | 1);
  assert_int_equal(entry(2, 0xaa), (BASE + 0x3000) | 1);
  assert_int_equal(entry(3, 0x1e6), (BASE + 0x4000) | 1);
  assert_int_equal(entry(4, 0x1ef), FRAME | 7);
  unsigned used = 0;
  for (unsigned i = 0; i < WORDS; i++) used += d.word[i] != 0;
  assert_int_equal(used, 4);
  assert_int_equal(map(root, V, FRAME, HEDDLE_PAGE_SMALL, 0), HEDDLE_ERROR_INVALID_ADDRESS);
  assert_int_equal(map(root, V + 4096, FRAME, HEDDLE_PAGE_SMALL, 0x1c8), HEDDLE_SUCCESS); /* in the same table */
  assert_int_equal(d.next, 5);
  assert_int_equal(entry(4, 0x1f0), FRAME | 0x1cb);
}

static void big_page(void **state) {
  (void)state;
  const uint64_t root = fresh(32), v = V / HEDDLE_PAGE_BIG * HEDDLE_PAGE_BIG;
  assert_int_equal(map(root, v, 0x7e00000, HEDDLE_PAGE_BIG, HEDDLE_ENTRY_GLOBAL), HEDDLE_SUCCESS);
  assert_int_equal(d.next, 4);
  assert_int_equal(entry(3, 0x1e6), 0x7e00000 | 0xb);
  assert_int_equal(map(root, V, FRAME, HEDDLE_PAGE_SMALL, 0), HEDDLE_ERROR_INVALID_ADDRESS);
  assert_int_equal(map(root, v, 0x7e00000, HEDDLE_PAGE_BIG, 0), HEDDLE_ERROR_INVALID_ADDRESS);
  struct heddle_page p = {.size = sizeof p};
  assert_int_equal(heddle_pages_find(&m, root, V + 0x123, &p), HEDDLE_SUCCESS);
  assert_int_equal(p.level, 1);
  assert_int_equal(p.at, 0x7e00000 + (V + 0x123) % HEDDLE_PAGE_BIG);
  assert_int_equal(p.entry_at, BASE + 0x3000 + 8 * 0x1e6);
  const uint64_t next = v + HEDDLE_PAGE_BIG;
  assert_int_equal(map(root, next, FRAME, HEDDLE_PAGE_SMALL, 0), HEDDLE_SUCCESS);
  assert_int_equal(map(root, next, 0x7e00000, HEDDLE_PAGE_BIG, 0), HEDDLE_ERROR_INVALID_ADDRESS); /* a table */
}

static void refused(void **state) {
  static const struct {
    uint64_t virt, phys, bytes, flags;
  } bad[] = {{V + 1, FRAME, 4096, 0},
             {V, FRAME + 8, 4096, 0},
             {V, FRAME, 8192, 0},
             {V, 0x7e00000, HEDDLE_PAGE_BIG, 0},
             {0, FRAME, HEDDLE_PAGE_BIG, 0},
             {UINT64_C(1) << 49, FRAME, 4096, 0},
             {V, UINT64_C(1) << 40, 4096, 0},
             {V, FRAME, 4096, 1},
             {V, FRAME, 4096, 2},
             {V, FRAME, 4096, 0x200},
             {V, FRAME, 4096, UINT64_C(1) << 40}};
  (void)state;
  const uint64_t root = fresh(32);
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(map(root, bad[i].virt, bad[i].phys, bad[i].bytes, bad[i].flags), HEDDLE_ERROR_INVALID_VALUE);
  assert_int_equal(d.next, 2);
  for (unsigned i = 0; i < WORDS; i++) assert_int_equal(d.word[i], 0);
}

static void no_table(void **state) {
  uint64_t root;
  (void)state;
  memset(&d, 0, sizeof d);
  assert_int_equal(heddle_pages_new(&m, &root), HEDDLE_ERROR_OUT_OF_MEMORY);
  root = fresh(4);
  assert_int_equal(map(root, V, FRAME, HEDDLE_PAGE_SMALL, 0), HEDDLE_ERROR_OUT_OF_MEMORY);
  d.most = 5;
  assert_int_equal(map(root, V, FRAME, HEDDLE_PAGE_SMALL, 0), HEDDLE_SUCCESS);
  d.silent = true;
  assert_int_equal(map(root, V + 4096, FRAME, HEDDLE_PAGE_SMALL, 0), HEDDLE_ERROR_BUS);
  struct heddle_page p = {.size = sizeof p};
  assert_int_equal(heddle_pages_find(&m, root, V, &p), HEDDLE_ERROR_BUS);
}

/* What hardware has set since comes back. */
static void unmap(void **state) {
  uint64_t was = 0;
  struct heddle_page p = {.size = sizeof p};
  (void)state;
  const uint64_t root = fresh(32);
  assert_int_equal(heddle_pages_unmap(&m, root, V, &was), HEDDLE_ERROR_INVALID_ADDRESS);
  assert_int_equal(map(root, V, FRAME, HEDDLE_PAGE_SMALL, HEDDLE_ENTRY_WRITE), HEDDLE_SUCCESS);
  d.word[512 * 4 + 0x1ef] |= HEDDLE_ENTRY_ACCESSED | HEDDLE_ENTRY_DIRTY;
  assert_int_equal(heddle_pages_unmap(&m, root, V + 0xfff, &was), HEDDLE_SUCCESS);
  assert_int_equal(was, FRAME | 0x37);
  assert_int_equal(heddle_pages_find(&m, root, V, &p), HEDDLE_ERROR_INVALID_ADDRESS);
  assert_int_equal(p.level, 0);
  assert_int_equal(p.entry_at, BASE + 0x4000 + 8 * 0x1ef);
  assert_int_equal(heddle_pages_find(&m, root, UINT64_C(1) << 49, &p), HEDDLE_ERROR_INVALID_ADDRESS);
  assert_int_equal(map(root, V, FRAME + 4096, HEDDLE_PAGE_SMALL, 0), HEDDLE_SUCCESS);
}

/* The host's walk knows the same malformed entries. */
static void malformed(void **state) {
  static const struct {
    unsigned frame, index;
    uint64_t entry;
    unsigned level;
  } bad[] = {{0, 0x355, (BASE + 0x2000) | 3, 3},
             {2, 0xaa, (BASE + 0x3000) | 3, 2},
             {3, 0x1e6, (BASE + 0x4000) | 3, 1},
             {3, 0x1e6, (BASE + 0x4000) | 5, 1},
             {3, 0x1e6, (BASE + 0x4000) | 9, 1},
             {3, 0x1e6, (BASE + 0x4000) | 0x11, 1},
             {3, 0x1e6, (BASE + 0x4000) | 0x21, 1},
             {4, 0x1ef, FRAME | 1, 0},
             {4, 0x1ef, FRAME | 3 | 0x200, 0},
             {4, 0x1ef, FRAME | 3 | 0x800, 0},
             {4, 0x1ef, FRAME | 3 | UINT64_C(1) << 40, 0},
             {4, 0x1ef, FRAME | 3 | UINT64_C(1) << 63, 0}};
  (void)state;
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct heddle_page p = {.size = sizeof p};
    const uint64_t root = fresh(32);
    assert_int_equal(map(root, V, FRAME, HEDDLE_PAGE_SMALL, 0), HEDDLE_SUCCESS);
    d.word[512 * bad[i].frame + bad[i].index] = bad[i].entry;
    assert_int_equal(heddle_pages_find(&m, root, V, &p), HEDDLE_ERROR_INVALID_IMAGE);
    assert_int_equal(p.level, bad[i].level);
    assert_int_equal(p.entry, bad[i].entry);
    assert_int_equal(heddle_pages_unmap(&m, root, V, NULL), HEDDLE_ERROR_INVALID_IMAGE);
    if (bad[i].level > 0 && (bad[i].entry & 2) == 0)
      assert_int_equal(map(root, V, FRAME, HEDDLE_PAGE_SMALL, 0), HEDDLE_ERROR_INVALID_IMAGE);
  }
}

/* Never less than what mapping it takes, and no more where nothing is there yet. */
static void bytes(void **state) {
  static const struct {
    uint64_t virt, bytes, page;
    unsigned tables;
  } c[] = {{V, 0, 4096, 0},
           {V, 4096, 4096, 3},
           {0x1ff000, 0x2000, 4096, 4},         /* two of level 0 */
           {0x3fe00000, 0x400000, 0x200000, 3}, /* pages of 2 MiB: two of level 1 */
           {0x3ffff000, 0x2000, 4096, 5},       /* two of levels 1 and 0 */
           {UINT64_C(0x7ffffff000), 0x2000, 4096, 6}};
  (void)state;
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    const uint64_t root = fresh(32);
    assert_int_equal(heddle_pages_bytes(c[i].virt, c[i].bytes, c[i].page), 4096u * c[i].tables);
    for (uint64_t at = 0; at < c[i].bytes; at += c[i].page)
      assert_int_equal(map(root, c[i].virt + at, 0, c[i].page, 0), HEDDLE_SUCCESS);
    assert_int_equal(d.next - 2, c[i].tables);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_page), cmocka_unit_test(big_page),  cmocka_unit_test(refused), cmocka_unit_test(no_table),
      cmocka_unit_test(unmap),      cmocka_unit_test(malformed), cmocka_unit_test(bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
