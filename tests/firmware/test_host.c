/* SPDX-License-Identifier: Apache-2.0
 * A launch as hardware takes it: shapes, constant bank 0 byte by byte, registers written and read back. */
#include <string.h>

#include "tests/test.h"

#include <heddle/host.h>

static void shapes_are_judged(void **state) {
  (void)state;
  static const struct {
    uint32_t grid[3], block[3];
    enum heddle_refuse want;
  } cases[] = {
      {{1, 1, 1}, {1, 1, 1}, HEDDLE_REFUSE_NONE},
      {{UINT32_MAX, UINT32_MAX, UINT32_MAX}, {1024, 1, 1}, HEDDLE_REFUSE_NONE},
      {{1, 1, 1}, {1, 1024, 1}, HEDDLE_REFUSE_NONE},
      {{1, 1, 1}, {16, 1, 64}, HEDDLE_REFUSE_NONE},
      {{0, 1, 1}, {1, 1, 1}, HEDDLE_REFUSE_GRID},
      {{1, 0, 1}, {1, 1, 1}, HEDDLE_REFUSE_GRID},
      {{1, 1, 0}, {0, 0, 0}, HEDDLE_REFUSE_GRID}, /* the grid is looked at first */
      {{1, 1, 1}, {0, 1, 1}, HEDDLE_REFUSE_BLOCK},
      {{1, 1, 1}, {1, 0, 1}, HEDDLE_REFUSE_BLOCK},
      {{1, 1, 1}, {1, 1, 0}, HEDDLE_REFUSE_BLOCK},
      {{1, 1, 1}, {1025, 1, 1}, HEDDLE_REFUSE_BLOCK},
      {{1, 1, 1}, {1, 1025, 1}, HEDDLE_REFUSE_BLOCK},
      {{1, 1, 1}, {1, 1, 65}, HEDDLE_REFUSE_BLOCK},
      {{1, 1, 1}, {32, 33, 1}, HEDDLE_REFUSE_BLOCK},
      {{1, 1, 1}, {0x10000, 0x10000, 0x10000}, HEDDLE_REFUSE_BLOCK}, /* the product is 2^48 */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(heddle_host_check_shape(cases[i].grid, cases[i].block), cases[i].want);
}

/* Offsets as isa/doc/06-abi.md has them; what is not named there is 0. */
static void bank0_is_filled(void **state) {
  (void)state;
  struct heddle_param param[2] = {{.offset = 0, .size = 8}, {.offset = 8, .size = 3}};
  const struct heddle_kernel k = {.params = 2, .param_bytes = 11, .param = param, .local_bytes = 0x12340};
  const uint32_t grid[3] = {0x11, 0x12, 0x13}, block[3] = {0x21, 0x22, 0x23};
  uint8_t want[0x170] = {0}, bank[0x180];
  assert_int_equal(heddle_bank0_bytes(&k), sizeof want);
  memset(bank, 0xee, sizeof bank);
  heddle_bank0_fill(bank, &k, grid, block, UINT64_C(0x1122334455667788));
  heddle_bank0_shared(bank, 0x5678);
  heddle_bank0_param(bank, &k, 0, "ABCDEFGH");
  heddle_bank0_param(bank, &k, 1, "xyz");
  want[0x00] = 0x21, want[0x04] = 0x22, want[0x08] = 0x23;
  want[0x0c] = 0x11, want[0x10] = 0x12, want[0x14] = 0x13;
  want[0x28] = 0x40, want[0x29] = 0x23, want[0x2a] = 0x01;
  want[0x2c] = 0x78, want[0x2d] = 0x56;
  for (unsigned i = 0; i < 8; i++) want[0x30 + i] = (uint8_t)(0x88 - 0x11 * i);
  memcpy(want + 0x160, "ABCDEFGHxyz", 11);
  assert_memory_equal(bank, want, sizeof want);
  assert_int_equal(bank[sizeof want], 0xee); /* and nothing behind it */
}

/* Registers as a host sees them; `fail` counts down to the access that fails, 0: none does. */
struct bus {
  uint32_t word[0x1000 / 4];
  unsigned writes, fail;
};

static bool write32(void *self, uint32_t reg, uint32_t value) {
  struct bus *b = self;
  assert_true(reg % 4 == 0 && reg >= 0x100 && reg < 0x300);
  if (b->fail > 0 && --b->fail == 0) return false;
  b->word[reg / 4] = value;
  b->writes++;
  return true;
}

static bool read32(void *self, uint32_t reg, uint32_t *value) {
  struct bus *b = self;
  if (b->fail > 0 && --b->fail == 0) return false;
  *value = b->word[reg / 4];
  return true;
}

static struct heddle_host_launch some_launch(void) {
  struct heddle_host_launch l = {.size = sizeof l,
                                 .grid = {1, 2, 3},
                                 .block = {4, 5, 6},
                                 .entry_pc = 7,
                                 .regs = 8,
                                 .shared_bytes = 9,
                                 .mode = HEDDLE_MODE_SCOREBOARD,
                                 .code_base = UINT64_C(0xa123456789),
                                 .code_bytes = 10,
                                 .region_write = 0x8001,
                                 .local_base = UINT64_C(0xe100000020),
                                 .local_bytes = 48};
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++) {
    l.cbank_base[i] = UINT64_C(0xb000000000) + i;
    l.cbank_bytes[i] = 0x100 + i;
  }
  for (unsigned i = 0; i < HEDDLE_REGIONS; i++) {
    l.region_base[i] = UINT64_C(0xc000000000) + i;
    l.region_limit[i] = UINT64_C(0xd000000000) + i;
  }
  return l;
}

/* Where the table in rtl/gpu/README.md has them. */
static void registers_are_written(void **state) {
  (void)state;
  static const uint32_t want[][2] = {
      {0x100, 1},    {0x104, 2},    {0x108, 3},          {0x10c, 4},    {0x110, 5},    {0x114, 6},     {0x118, 7},
      {0x11c, 8},    {0x120, 9},    {0x124, 0x23456789}, {0x128, 0xa1}, {0x12c, 10},   {0x130, 1},     {0x134, 0x8001},
      {0x140, 0},    {0x144, 0xb0}, {0x148, 0x100},      {0x170, 3},    {0x174, 0xb0}, {0x178, 0x103}, {0x200, 0},
      {0x204, 0xc0}, {0x208, 0},    {0x180, 0x20},       {0x184, 0xe1}, {0x188, 48},   {0x20c, 0xd0},  {0x2f0, 15},
      {0x2f4, 0xc0}, {0x2f8, 15},   {0x2fc, 0xd0}};
  const struct heddle_host_launch l = some_launch();
  struct bus b = {.fail = 0};
  assert_int_equal(heddle_host_launch_write(&l, write32, &b), HEDDLE_SUCCESS);
  assert_int_equal(b.writes, 3 + 3 + 3 + 1 + 3 + 1 + 4 * 3 + 3 + 16 * 4);
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) assert_int_equal(b.word[want[i][0] / 4], want[i][1]);
}

/* Words that stay are not written, of 64 bits each half for itself. */
static void changes_are_written(void **state) {
  (void)state;
  const struct heddle_host_launch was = some_launch();
  struct heddle_host_launch l = was, again = {.size = sizeof again};
  struct bus b = {.fail = 0};
  assert_int_equal(heddle_host_launch_write(&was, write32, &b), HEDDLE_SUCCESS);
  b.writes = 0;
  assert_int_equal(heddle_host_launch_change(&l, &was, write32, &b), HEDDLE_SUCCESS);
  assert_int_equal(b.writes, 0);
  l.grid[1] += 1;
  l.code_base ^= UINT64_C(1) << 36;
  l.cbank_base[3] ^= 64;
  l.region_limit[15] ^= UINT64_C(1) << 33 | 2;
  assert_int_equal(heddle_host_launch_change(&l, &was, write32, &b), HEDDLE_SUCCESS);
  assert_int_equal(b.writes, 1 + 1 + 1 + 2);
  assert_int_equal(heddle_host_launch_read(&again, read32, &b), HEDDLE_SUCCESS);
  assert_int_equal(again.grid[1], l.grid[1]);
  assert_int_equal(again.code_base, l.code_base);
  assert_memory_equal(again.cbank_base, l.cbank_base, sizeof l.cbank_base);
  assert_memory_equal(again.region_limit, l.region_limit, sizeof l.region_limit);
  b = (struct bus){.fail = 3};
  assert_int_equal(heddle_host_launch_change(&l, &was, write32, &b), HEDDLE_ERROR_BUS);
  assert_int_equal(b.writes, 2);
}

static void what_was_written_is_read(void **state) {
  (void)state;
  const struct heddle_host_launch l = some_launch();
  struct heddle_host_launch again = {.size = sizeof again, .mode = 0};
  struct bus b = {.fail = 0};
  assert_int_equal(heddle_host_launch_write(&l, write32, &b), HEDDLE_SUCCESS);
  assert_int_equal(heddle_host_launch_read(&again, read32, &b), HEDDLE_SUCCESS);
  assert_memory_equal(again.grid, l.grid, sizeof l.grid);
  assert_memory_equal(again.block, l.block, sizeof l.block);
  assert_int_equal(again.entry_pc, l.entry_pc);
  assert_int_equal(again.regs, l.regs);
  assert_int_equal(again.shared_bytes, l.shared_bytes);
  assert_int_equal(again.mode, l.mode);
  assert_int_equal(again.code_base, l.code_base);
  assert_int_equal(again.code_bytes, l.code_bytes);
  assert_int_equal(again.region_write, l.region_write);
  assert_memory_equal(again.cbank_base, l.cbank_base, sizeof l.cbank_base);
  assert_memory_equal(again.cbank_bytes, l.cbank_bytes, sizeof l.cbank_bytes);
  assert_memory_equal(again.region_base, l.region_base, sizeof l.region_base);
  assert_memory_equal(again.region_limit, l.region_limit, sizeof l.region_limit);
}

/* The first access that fails is the last. */
static void failures_end_it(void **state) {
  (void)state;
  struct heddle_host_launch l = some_launch();
  for (unsigned n = 1; n <= 90; n++) {
    struct bus b = {.fail = n};
    assert_int_equal(heddle_host_launch_write(&l, write32, &b), HEDDLE_ERROR_BUS);
    assert_int_equal(b.writes, n - 1);
    b.fail = n;
    assert_int_equal(heddle_host_launch_read(&l, read32, &b), HEDDLE_ERROR_BUS);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_are_judged),     cmocka_unit_test(bank0_is_filled),
      cmocka_unit_test(registers_are_written), cmocka_unit_test(what_was_written_is_read),
      cmocka_unit_test(failures_end_it),       cmocka_unit_test(changes_are_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
