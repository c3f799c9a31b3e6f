/* SPDX-License-Identifier: Apache-2.0
 * The driver's allocators: of the device's memory, against a plain map of 256-byte pieces; of its own in a block of
 * stated size, from which it takes nothing else, gives all back, and says when it is too small. */
#include <stdlib.h>
#include <string.h>

#include <heddle/sim.h>
#include "base/splitmix64.h"
#include "firmware/driver/heap.h"
#include "tests/firmware/driver_fixture.h"
#include "tests/test.h"

enum { BLOCK = 1 << 18 };
static _Alignas(16) unsigned char block[BLOCK + 64];

/* ---- malloc, as the driver calls it; what the board does for itself does not count */

static unsigned calls, on_board;
static const struct heddle_port *board;

#define WRAPPED(name, arguments, ...)                                                                                  \
  void *__real_##name arguments;                                                                                       \
  void *__wrap_##name arguments;                                                                                       \
  void *__wrap_##name arguments {                                                                                      \
    calls += on_board == 0;                                                                                            \
    return __real_##name(__VA_ARGS__);                                                                                 \
  }
WRAPPED(malloc, (size_t n), n)
WRAPPED(calloc, (size_t n, size_t each), n, each)
WRAPPED(realloc, (void *p, size_t n), p, n)

static bool read32(void *self, uint32_t reg, uint32_t *value) {
  on_board++;
  const bool ok = board->read32(self, reg, value);
  on_board--;
  return ok;
}

static bool write32(void *self, uint32_t reg, uint32_t value) {
  on_board++;
  const bool ok = board->write32(self, reg, value);
  on_board--;
  return ok;
}

static void wait_for(void *self, uint32_t microseconds) {
  on_board++;
  board->wait(self, microseconds);
  on_board--;
}

/* ---- the pool alone */

static void pieces_do_not_meet_and_come_back(void **state) {
  (void)state;
  enum { LIVE = 40 };
  unsigned char *piece[LIVE] = {NULL};
  size_t bytes[LIVE];
  uint64_t seed = 7;
  struct pool p;
  assert_true(pool_init(&p, block + 3, 20000));
  for (unsigned n = 0; n < 20000; n++) {
    const unsigned i = (unsigned)(splitmix64(&seed) % LIVE);
    if (piece[i]) {
      for (size_t b = 0; b < bytes[i]; b++) assert_int_equal(piece[i][b], i + 1);
      pool_give(&p, piece[i]);
      piece[i] = NULL;
      continue;
    }
    bytes[i] = (size_t)(splitmix64(&seed) % 900);
    piece[i] = pool_take(&p, bytes[i]);
    if (!piece[i]) continue;
    assert_true(piece[i] >= block + 3 && piece[i] + bytes[i] <= block + 3 + 20000);
    assert_int_equal((uintptr_t)piece[i] % _Alignof(max_align_t), 0);
    for (size_t b = 0; b < bytes[i]; b++) assert_int_equal(piece[i][b], 0);
    memset(piece[i], (int)i + 1, bytes[i]);
  }
  for (unsigned i = 0; i < LIVE; i++) pool_give(&p, piece[i]);
  assert_non_null(pool_take(&p, 19800));
  assert_null(pool_take(&p, 1000));
  assert_null(pool_take(&p, SIZE_MAX));
  assert_false(pool_init(&p, block, 16));
}

/* ---- the driver */

static enum heddle_error open_in(struct fixture *f, size_t bytes) {
  struct heddle_port port = f->port;
  const struct heddle_options o = {
      .size = sizeof o, .ports = &port, .count = 1, .memory = block, .memory_bytes = bytes};
  board = &f->port;
  port.read32 = read32;
  port.write32 = write32;
  port.wait = wait_for;
  return heddle_init_options(&o, &f->system);
}

static void nothing_but_the_block_is_taken(void **state) {
  struct fixture *f = *state;
  struct heddle_system *before = f->system;
  uint64_t at[40];
  uint32_t word = 0;
  struct heddle_function *k;
  void *params[] = {&at[0], &word};
  heddle_context_destroy(f->context);
  memset(block, 0xa5, sizeof block);
  calls = 0;
  OK(open_in(f, BLOCK));
  OK(heddle_device_get(f->system, 0, &f->device));
  OK(heddle_context_create(f->device, &f->context));
  assert_int_equal(calls, 0);
  OK(heddle_module_load_data(f->context, f->elf, f->elf_bytes, &f->module)); /* the file's tables are malloc's */
  assert_int_not_equal(calls, 0);
  for (unsigned i = 0; i < 40; i++) OK(heddle_mem_alloc(f->context, 256, &at[i]));
  OK(heddle_module_function(f->module, "fill", &k));
  calls = 0;
  for (unsigned n = 0; n < 3; n++) {
    OK(heddle_function_launch(k, (struct heddle_size){2, 1, 1}, (struct heddle_size){32, 1, 1}, 0, params));
    if (n == 0) calls = 0; /* the first launch looks at what the kernel needs */
    OK(heddle_synchronize(f->context, HEDDLE_FOREVER));
    OK(heddle_memset8(f->context, at[1], 1, 256));
    OK(heddle_memcpy_on_device(f->context, at[2], at[1], 256));
    OK(heddle_memcpy_to_host(f->context, &word, at[2], sizeof word));
  }
  for (unsigned i = 0; i < 40; i++) OK(heddle_mem_free(f->context, at[i]));
  assert_int_equal(calls, 0);
  for (size_t i = BLOCK; i < sizeof block; i++) assert_int_equal(block[i], 0xa5);
  heddle_context_destroy(f->context);
  heddle_shutdown(f->system);
  f->system = before;
  OK(heddle_device_get(f->system, 0, &f->device));
  OK(heddle_context_create(f->device, &f->context));
  OK(heddle_module_load_data(f->context, f->elf, f->elf_bytes, &f->module));
}

static void a_small_block_is_an_error(void **state) {
  struct fixture *f = *state;
  struct heddle_system *before = f->system, *s = NULL;
  struct heddle_device *d;
  struct heddle_context *c;
  unsigned opened = 0;
  for (size_t bytes = 0; bytes < 8192; bytes += 64) {
    f->system = NULL;
    const enum heddle_error e = open_in(f, bytes);
    s = f->system;
    if (e != HEDDLE_SUCCESS) {
      assert_int_equal(e, HEDDLE_ERROR_HOST_MEMORY);
      continue;
    }
    OK(heddle_device_get(s, 0, &d));
    const enum heddle_error made = heddle_context_create(d, &c);
    if (made == HEDDLE_SUCCESS) {
      opened++;
      uint64_t at;
      const enum heddle_error got = heddle_mem_alloc(c, 4096, &at);
      assert_true(got == HEDDLE_SUCCESS || got == HEDDLE_ERROR_HOST_MEMORY);
      if (bytes >= 6144) OK(heddle_memset8(c, at, 1, 4096)); /* in pieces */
      heddle_context_destroy(c);
    } else {
      assert_int_equal(made, HEDDLE_ERROR_HOST_MEMORY);
    }
    heddle_shutdown(s);
  }
  assert_int_not_equal(opened, 0);
  f->system = before;
}

/* ---- structs of other releases */

static void sizes_tell_releases(void **state) {
  const struct fixture *f = *state;
  struct heddle_system *s;
  struct {
    struct heddle_options o;
    uint64_t later;
  } newer = {.o = {.size = sizeof newer, .ports = &f->port, .count = 1}};
  OK(heddle_init_options(&newer.o, &s)); /* a field that is not set */
  heddle_shutdown(s);
  newer.later = 1;
  assert_int_equal(heddle_init_options(&newer.o, &s), HEDDLE_ERROR_INVALID_VALUE);
  struct heddle_options older = {.size = offsetof(struct heddle_options, memory), .ports = &f->port, .count = 1};
  older.memory = block; /* behind what it knows */
  older.memory_bytes = 1;
  OK(heddle_init_options(&older, &s));
  heddle_shutdown(s);
  older.size = 0;
  assert_int_equal(heddle_init_options(&older, &s), HEDDLE_ERROR_INVALID_VALUE);
  struct heddle_port port = f->port;
  port.size = 0;
  assert_int_equal(heddle_init(&port, 1, &s), HEDDLE_ERROR_INVALID_VALUE);
  struct heddle_function *k;
  struct heddle_function_info info = {.param_bytes = 77};
  OK(heddle_module_function(f->module, "fill", &k));
  OK(heddle_function_describe_sized(k, &info, offsetof(struct heddle_function_info, param_bytes)));
  assert_int_equal(info.param_bytes, 77);
  OK(heddle_function_describe(k, &info));
  assert_int_not_equal(info.param_bytes, 77);
}

/* Options of boards, too. */
static void a_board_wants_its_size(void **state) {
  (void)state;
  struct heddle_sim_options o = {.name = "model"};
  struct heddle_sim *s = NULL;
  struct heddle_message msg;
  assert_int_equal(heddle_sim_open(&o, &s, &msg), HEDDLE_ERROR_INVALID_VALUE);
  assert_int_not_equal(strlen(msg.text), 0);
  o.size = sizeof o;
  o.name = "model:nobody";
  assert_int_equal(heddle_sim_open(&o, &s, &msg), HEDDLE_ERROR_NOT_FOUND);
  o.name = "rtl:nobody";
  assert_int_equal(heddle_sim_open(&o, &s, NULL), HEDDLE_ERROR_NO_DEVICE);
  o.name = "paper";
  assert_int_equal(heddle_sim_open(&o, &s, &msg), HEDDLE_ERROR_INVALID_VALUE);
  assert_null(s);
}

/* ---- the device's memory */

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
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_do_not_meet_and_come_back),
      cmocka_unit_test(a_board_wants_its_size),
      cmocka_unit_test_setup_teardown(nothing_but_the_block_is_taken, open_roomy, close_all),
      cmocka_unit_test_setup_teardown(a_small_block_is_an_error, open_roomy, close_all),
      cmocka_unit_test_setup_teardown(sizes_tell_releases, open_roomy, close_all),
      cmocka_unit_test(agrees_with_a_map),
      cmocka_unit_test(edges)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
