/* SPDX-License-Identifier: Apache-2.0
 * Tables that a hostile or broken host might make, against the register map of the model: each ends in the fault that
 * isa/doc/18-virtual-memory.md has for it, at its address, and nothing of memory is touched. */
#include <stdlib.h>
#include <string.h>

#include <heddle/host.h>
#include <heddle/pages.h>
#include <heddle/program.h>
#include "tests/test.h"
#include "cosim/platform/platform.h"
#include "tests/firmware/driver_program.h"

#define BASE UINT64_C(0x100000)
enum { BYTES = 1 << 20, CODE = 0x10000, BANK = 0x20000, DATA = 0x30000, TABLES = 0x40000, PAGE = 4096 };
#define V_CODE UINT64_C(0x40000000)
#define V_BANK UINT64_C(0x40200000)
#define V_DATA UINT64_C(0x1234567890000) /* bits 48:39 are 0x246 */
#define AT (V_DATA + 0x2c4)
#define ALL (HEDDLE_ENTRY_ACCESSED | HEDDLE_ENTRY_DIRTY) /* so that walks change nothing */
#define BEYOND UINT64_C(0xff00000000)
enum { PF = HEDDLE_TRAP_PAGE, BUS = HEDDLE_TRAP_BUS, WP = HEDDLE_TRAP_WRITE_PROTECTED };

struct bench {
  struct model_port *model;
  struct heddle_port port;
  struct heddle_program *program;
  uint64_t root, next; /* next: frame for a table */
  uint8_t before[BYTES], after[BYTES];
};

/* ---- memory, tables */

static bool read_entry(void *self, uint64_t at, uint64_t *entry) {
  const struct bench *b = self;
  uint8_t bytes[8];
  if (!b->port.read(b->port.self, at, bytes, 8)) return false;
  *entry = 0;
  for (unsigned k = 0; k < 8; k++) *entry |= (uint64_t)bytes[k] << (8 * k);
  return true;
}

static void write_entry(struct bench *b, uint64_t at, uint64_t entry) {
  uint8_t bytes[8];
  for (unsigned k = 0; k < 8; k++) bytes[k] = (uint8_t)(entry >> (8 * k));
  assert_true(b->port.write(b->port.self, at, bytes, 8));
}

static bool exchange(void *self, uint64_t at, uint64_t entry, uint64_t *old) {
  if (!read_entry(self, at, old)) return false;
  write_entry(self, at, entry);
  return true;
}

static uint64_t table(void *self, uint64_t bytes) {
  struct bench *b = self;
  const uint64_t at = b->next;
  b->next += bytes;
  return at;
}

static struct heddle_page_memory tables_of(struct bench *b) {
  return (struct heddle_page_memory){sizeof(struct heddle_page_memory), b, read_entry, exchange, table};
}

static void map(struct bench *b, uint64_t virt, uint64_t offset, uint64_t flags) {
  const struct heddle_page_memory m = tables_of(b);
  assert_int_equal(heddle_pages_map(&m, b->root, virt, BASE + offset, PAGE, flags | ALL), HEDDLE_SUCCESS);
}

/* Where the entry of a level lies on the way to `virt`. */
static uint64_t place(struct bench *b, uint64_t virt, unsigned level) {
  uint64_t at = b->root, entry = 0;
  for (unsigned l = 3;; l--) {
    at += 8 * (virt >> (12 + 9 * l) & (l == 3 ? 1023 : 511));
    if (l == level) return at;
    assert_true(read_entry(b, at, &entry));
    at = entry & HEDDLE_ENTRY_PLACE;
  }
}

/* ---- the bench */

static uint32_t reg(const struct bench *b, uint32_t at) {
  uint32_t v = 0;
  assert_true(b->port.read32(b->port.self, at, &v));
  return v;
}

static uint64_t reg64(const struct bench *b, uint32_t at) {
  return (uint64_t)reg(b, at + 4) << 32 | reg(b, at);
}

static void set(const struct bench *b, uint32_t at, uint32_t value) {
  assert_true(b->port.write32(b->port.self, at, value));
}

static bool set_launch(void *self, uint32_t at, uint32_t value) {
  set(self, at, value);
  return true;
}

static void open_bench(struct bench *b) {
  const struct model_port_options o = {.config = "paged", .bytes = BYTES};
  struct heddle_message msg;
  size_t bytes;
  uint8_t *elf = driver_program(&bytes);
  memset(b, 0, sizeof *b);
  b->model = model_port_new(&o);
  assert_non_null(b->model);
  model_port_bind(b->model, &b->port);
  assert_int_equal(heddle_program_load_memory(elf, bytes, "driver", &b->program, &msg), HEDDLE_SUCCESS);
  free(elf);
  assert_true(b->program->code_bytes <= 4 * PAGE);
  b->next = BASE + TABLES;
  const struct heddle_page_memory m = tables_of(b);
  assert_int_equal(heddle_pages_new(&m, &b->root), HEDDLE_SUCCESS);
  for (unsigned i = 0; i < 4; i++) map(b, V_CODE + i * PAGE, CODE + i * PAGE, 0);
  map(b, V_BANK, BANK, 0);
  map(b, V_DATA, DATA, HEDDLE_ENTRY_WRITE);
  assert_true(b->port.write(b->port.self, BASE + CODE, b->program->code, b->program->code_bytes));
}

static void close_bench(struct bench *b) {
  heddle_program_free(b->program);
  model_port_free(b->model);
}

/* poke(AT, 77) by one warp. */
static void start(struct bench *b, uint64_t root, uint32_t mode) {
  const struct heddle_kernel *k = heddle_program_kernel(b->program, "poke");
  struct heddle_host_launch l = {.size = sizeof l,
                                 .grid = {1, 1, 1},
                                 .block = {32, 1, 1},
                                 .entry_pc = k->entry_pc,
                                 .regs = k->regs,
                                 .mode = HEDDLE_MODE_PAGES | mode,
                                 .code_base = V_CODE,
                                 .code_bytes = b->program->code_bytes,
                                 .page_root = root,
                                 .space = 9};
  uint8_t bank[1024];
  const uint64_t at = AT;
  const uint32_t value = 77;
  l.cbank_base[0] = V_BANK;
  l.cbank_bytes[0] = heddle_bank0_bytes(k);
  assert_true(l.cbank_bytes[0] <= sizeof bank);
  heddle_bank0_fill(bank, k, l.grid, l.block, 0);
  heddle_bank0_param(bank, k, 0, &at);
  heddle_bank0_param(bank, k, 1, &value);
  assert_true(b->port.write(b->port.self, BASE + BANK, bank, l.cbank_bytes[0]));
  assert_true(b->port.read(b->port.self, BASE, b->before, BYTES));
  assert_int_equal(heddle_host_launch_write(&l, set_launch, b), HEDDLE_SUCCESS);
  set(b, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START);
  b->port.wait(b->port.self, 1);
}

static void nothing_is_touched(struct bench *b) {
  assert_true(b->port.read(b->port.self, BASE, b->after, BYTES));
  assert_memory_equal(b->before, b->after, BYTES);
}

static void must_trap(const struct bench *b, const char *name, uint32_t cause, uint64_t at) {
  if (reg(b, HEDDLE_REG_STATUS) != HEDDLE_STATUS_TRAPPED || reg(b, HEDDLE_REG_TRAP_CAUSE) != cause ||
      reg64(b, HEDDLE_REG_TRAP_ADDR) != at)
    fail_msg("%s: status 0x%x, cause %u at 0x%llx; expected cause %u at 0x%llx", name, reg(b, HEDDLE_REG_STATUS),
             reg(b, HEDDLE_REG_TRAP_CAUSE), (unsigned long long)reg64(b, HEDDLE_REG_TRAP_ADDR), cause,
             (unsigned long long)at);
}

/* ---- tables */

struct hostile {
  const char *name;
  unsigned level;       /* of the entry on the way to the data that is spoiled */
  uint64_t clear, set;  /* bits of it */
  uint32_t cause, kind; /* kind: of FAULT_INFO; of a bus error none */
};

#define NOTHING (~UINT64_C(0))
static const struct hostile hostile[] = {{"no entry at level 3", 3, NOTHING, 0, PF, 0},
                                         {"no entry at level 2", 2, NOTHING, 0, PF, 0},
                                         {"no entry at level 1", 1, NOTHING, 0, PF, 0},
                                         {"no entry at level 0", 0, NOTHING, 0, PF, 0},
                                         {"all but P", 0, 1, ~UINT64_C(1), PF, 0},
                                         {"all bits at level 3", 3, 0, NOTHING, PF, 2},
                                         {"all bits at level 0", 0, 0, NOTHING, PF, 2},
                                         {"a page at level 3", 3, 0, 2, PF, 2},
                                         {"a page at level 2", 2, 0, 2, PF, 2},
                                         {"a table at level 0", 0, 2, 0, PF, 2},
                                         {"bit 9 of a table", 2, 0, 1 << 9, PF, 2},
                                         {"bit 10 of a table", 1, 0, 1 << 10, PF, 2},
                                         {"bit 11 of a page", 0, 0, 1 << 11, PF, 2},
                                         {"bit 40 of a table", 3, 0, UINT64_C(1) << 40, PF, 2},
                                         {"bit 63 of a page", 0, 0, UINT64_C(1) << 63, PF, 2},
                                         {"W of a table", 1, 0, 4, PF, 2},
                                         {"G of a table", 2, 0, 8, PF, 2},
                                         {"A of a table", 3, 0, 0x10, PF, 2},
                                         {"D of a table", 1, 0, 0x20, PF, 2},
                                         {"2 MiB at an odd place, bit 12", 1, NOTHING, BASE | 0x1007, PF, 2},
                                         {"2 MiB at an odd place, bit 20", 1, NOTHING, UINT64_C(0x100007), PF, 2},
                                         {"a table where no memory is", 2, NOTHING, BEYOND | 1, BUS, 3},
                                         {"a table below memory", 1, NOTHING, 1, BUS, 3},
                                         {"a page where no memory is", 0, NOTHING, BEYOND | 0x37, BUS, 3},
                                         {"2 MiB where no memory is", 1, NOTHING, UINT64_C(0xffffe00037), BUS, 3},
                                         {"data as a table", 1, NOTHING, (BASE + DATA) | 1, PF, 0},
                                         {"code as a table", 2, NOTHING, (BASE + CODE + 3 * PAGE) | 1, PF, 0},
                                         {"a page that is not to be written", 0, 4, 0, WP, 1}};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static void spoil(struct bench *b, const struct hostile *h) {
  uint64_t entry = 0;
  const uint64_t at = place(b, AT, h->level);
  assert_true(read_entry(b, at, &entry));
  write_entry(b, at, (entry & ~h->clear) | h->set);
}

static void faults_that_trap(void **state) {
  static struct bench b;
  (void)state;
  for (unsigned i = 0; i < HOSTILE; i++) {
    open_bench(&b);
    spoil(&b, &hostile[i]);
    start(&b, b.root, HEDDLE_MODE_FAULT_TRAP);
    must_trap(&b, hostile[i].name, hostile[i].cause, AT / 128 * 128);
    assert_int_equal(reg(&b, HEDDLE_REG_FAULTS), 0);
    nothing_is_touched(&b);
    close_bench(&b);
  }
}

static void faults_that_the_host_is_asked_for(void **state) {
  static struct bench b;
  (void)state;
  for (unsigned i = 0; i < HOSTILE; i++) {
    const struct hostile *h = &hostile[i];
    open_bench(&b);
    spoil(&b, h);
    start(&b, b.root, 0);
    if (h->kind < 3) {
      assert_int_equal(reg(&b, HEDDLE_REG_STATUS), HEDDLE_STATUS_RUNNING);
      assert_int_equal(reg(&b, HEDDLE_REG_IRQ_CAUSE), HEDDLE_IRQ_CAUSE_FAULT);
      set(&b, HEDDLE_REG_IRQ_CAUSE, HEDDLE_IRQ_CAUSE_FAULT);
      assert_int_equal(reg(&b, HEDDLE_REG_IRQ_CAUSE), 0);
      assert_int_equal(reg(&b, HEDDLE_REG_FAULTS), 1);
      assert_int_equal(reg64(&b, HEDDLE_REG_FAULT_PAGE), V_DATA);
      assert_int_equal(reg(&b, HEDDLE_REG_FAULT_INFO), h->kind | HEDDLE_FAULT_INFO_WRITE | 9 << 8);
      set(&b, HEDDLE_REG_FAULT_SELECT, 1);
      assert_int_equal(reg64(&b, HEDDLE_REG_FAULT_PAGE), 0);
      set(&b, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_REPLAY); /* in vain */
      assert_int_equal(reg(&b, HEDDLE_REG_FAULTS), 0);
      b.port.wait(b.port.self, 1);
      assert_int_equal(reg(&b, HEDDLE_REG_FAULTS), 1);
      set(&b, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_FAIL);
      b.port.wait(b.port.self, 1);
    }
    must_trap(&b, h->name, h->cause, AT / 128 * 128);
    nothing_is_touched(&b);
    close_bench(&b);
  }
}

/* What repairs it while the grid runs. */
static void a_host_may_think_better_of_it(void **state) {
  static struct bench b;
  (void)state;
  for (unsigned i = 0; i < HOSTILE; i++) {
    uint64_t good = 0, spoiled = 0;
    if (hostile[i].kind == 3) continue;
    open_bench(&b);
    const uint64_t at = place(&b, AT, hostile[i].level);
    assert_true(read_entry(&b, at, &good));
    spoil(&b, &hostile[i]);
    assert_true(read_entry(&b, at, &spoiled));
    set(&b, HEDDLE_REG_ENTRY_ADDR, (uint32_t)at);
    set(&b, HEDDLE_REG_ENTRY_VALUE, (uint32_t)good);
    set(&b, HEDDLE_REG_ENTRY_VALUE + 4, (uint32_t)(good >> 32));
    set(&b, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_EXCHANGE); /* ignored: nothing runs */
    start(&b, b.root, 0);
    assert_int_equal(reg(&b, HEDDLE_REG_FAULTS), 1);
    set(&b, HEDDLE_REG_ENTRY_ADDR + 4, 0xff); /* no memory */
    set(&b, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_EXCHANGE);
    assert_int_equal(reg(&b, HEDDLE_REG_STATUS), HEDDLE_STATUS_RUNNING | HEDDLE_STATUS_EXCHANGE_BAD);
    nothing_is_touched(&b);
    set(&b, HEDDLE_REG_ENTRY_ADDR + 4, 0);
    set(&b, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_EXCHANGE);
    assert_int_equal(reg(&b, HEDDLE_REG_STATUS), HEDDLE_STATUS_RUNNING);
    assert_true(reg64(&b, HEDDLE_REG_ENTRY_OLD) == spoiled);
    set(&b, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_REPLAY);
    b.port.wait(b.port.self, 1);
    assert_int_equal(reg(&b, HEDDLE_REG_STATUS), HEDDLE_STATUS_DONE);
    uint32_t got = 0;
    assert_true(b.port.read(b.port.self, BASE + DATA + AT % PAGE, &got, 4));
    assert_int_equal(got, 77);
    close_bench(&b);
  }
}

/* A table that is its own entry: four steps, and no page. */
static void loops_end(void **state) {
  static struct bench b;
  (void)state;
  open_bench(&b);
  const unsigned i = AT >> 39 & 1023;
  const uint64_t entry = b.root | HEDDLE_ENTRY_PRESENT;
  write_entry(&b, b.root + 8 * i, entry);
  for (unsigned l = 0; l < 3; l++) write_entry(&b, b.root + 8 * (AT >> (12 + 9 * l) & 511), entry);
  start(&b, b.root, HEDDLE_MODE_FAULT_TRAP);
  must_trap(&b, "a loop", PF, AT / 128 * 128);
  nothing_is_touched(&b);
  close_bench(&b);
}

static void code_constants_and_roots(void **state) {
  static struct bench b;
  (void)state;
  const struct {
    const char *name;
    uint64_t virt;
    unsigned level;
    uint64_t entry;
    uint32_t cause;
  } c[] = {{"no code", V_CODE, 0, 0, PF},
           {"malformed code", V_CODE, 1, NOTHING, PF},
           {"code where no memory is", V_CODE, 0, BEYOND | 3, BUS},
           {"no constants", V_BANK, 0, 0, PF},
           {"constants where no memory is", V_BANK, 0, BEYOND | 3, BUS}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    open_bench(&b);
    const struct heddle_kernel *k = heddle_program_kernel(b.program, "poke");
    write_entry(&b, place(&b, c[i].virt, c[i].level), c[i].entry);
    start(&b, b.root, HEDDLE_MODE_FAULT_TRAP);
    const uint64_t word = V_CODE + k->entry_pc;
    const uint64_t at = reg64(&b, HEDDLE_REG_TRAP_ADDR); /* a sector of code, an offset of constants */
    if (c[i].virt == V_CODE)
      assert_int_equal(at, word / 32 * 32);
    else
      assert_in_range(at, 0, heddle_bank0_bytes(k));
    must_trap(&b, c[i].name, c[i].cause, at);
    nothing_is_touched(&b);
    close_bench(&b);
  }
  open_bench(&b);
  start(&b, BEYOND, HEDDLE_MODE_FAULT_TRAP);
  must_trap(&b, "a root where no memory is", BUS, reg64(&b, HEDDLE_REG_TRAP_ADDR));
  nothing_is_touched(&b);
  start(&b, BASE + CODE, 0); /* code as a root: then ABORT */
  set(&b, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT);
  assert_int_equal(reg(&b, HEDDLE_REG_STATUS), 0);
  assert_int_equal(reg(&b, HEDDLE_REG_FAULTS), 0);
  nothing_is_touched(&b);
  start(&b, b.root, 0);
  assert_int_equal(reg(&b, HEDDLE_REG_STATUS), HEDDLE_STATUS_DONE);
  close_bench(&b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(faults_that_trap),
                                     cmocka_unit_test(faults_that_the_host_is_asked_for),
                                     cmocka_unit_test(a_host_may_think_better_of_it), cmocka_unit_test(loops_end),
                                     cmocka_unit_test(code_constants_and_roots)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
