/* SPDX-License-Identifier: Apache-2.0
 *
 * The device in between, and a session over it: one program, one launch.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include <heddle/host_regs.h>
#include "cosim/kit/conform/fake.h"
#include "session_between.h"

/* Every block stores its threads' numbers, and ends. */
static const char program[] = ".kernel numbers\n"
                              ".param u64 in\n"
                              ".param u64 out\n"
                              "        S2R R1, SR_TID.X ;\n"
                              "        MOV R6, c[0x0][out] ;\n"
                              "        MOV R7, c[0x0][out+4] ;\n"
                              "        IMAD.WIDE R6, R1, 0x4, R6 ;\n"
                              "        STG.E [R6], R1 ;\n"
                              "        EXIT ;\n"
                              ".end\n";
struct between *between_asked;

static const struct heddle_dut_info *info(void) {
  static struct heddle_dut_info says;
  says = *heddle_dut_describe(between_asked->device);
  if (between_asked->read_age != 0) says.read_age = between_asked->read_age;
  if (between_asked->pred_age != 0) says.pred_age = between_asked->pred_age;
  return &says;
}
static void reset(void *self) {
  struct between *b = self;
  if (b->habit == KEEPS_REGISTERS) (void)heddle_dut_read32(b->device, HEDDLE_REG_GRID_X, &b->before_reset);
  heddle_dut_reset(b->device);
  if (b->habit == KEEPS_REGISTERS) (void)heddle_dut_write32(b->device, HEDDLE_REG_GRID_X, b->before_reset);
}
static bool running(const struct between *b) {
  uint32_t status = 0;
  return heddle_dut_read32(b->device, HEDDLE_REG_STATUS, &status) && (status & HEDDLE_STATUS_RUNNING) != 0;
}
static bool host_write(void *self, uint32_t addr, uint32_t data) {
  struct between *b = self;
  if (b->habit == FORGETS_ABORT && addr == HEDDLE_REG_CONTROL) data &= ~HEDDLE_CONTROL_ABORT;
  if (b->habit == SECOND_STOPS && addr == HEDDLE_REG_CONTROL && data == HEDDLE_CONTROL_START && running(b))
    data = HEDDLE_CONTROL_ABORT;
  if (b->habit == NEVER_REFUSES && addr == HEDDLE_REG_REGS && (data == 0 || data > 255)) data = 8;
  if (b->habit == WRITES_RUNNING && addr == HEDDLE_REG_GRID_X) b->grid_x = data;
  const bool lie = b->all_writable && addr == HEDDLE_REG_REGION_WRITE;
  if (b->no_write != 0 && addr == b->no_write) return false;
  return heddle_dut_write32(b->device, addr, lie ? 0xffffu : data);
}
/* Of what depends on the grid. */
static void lie_of_grid(struct between *b, uint32_t addr, uint32_t *data) {
  const uint32_t about[HABITS] = {[COUNTER_FALLS] = HEDDLE_REG_COUNTER(1), [COUNTS_AHEAD] = HEDDLE_REG_COUNTER(0),
                                  [CYCLES_FALL] = HEDDLE_REG_CYCLES,       [CYCLES_AHEAD] = HEDDLE_REG_CYCLES,
                                  [TRAP_EARLY] = HEDDLE_REG_TRAP_PC,       [LOST_NOTHING] = HEDDLE_REG_STATUS,
                                  [COUNTER_MOVES] = HEDDLE_REG_COUNTER(3), [TRAP_MOVES] = HEDDLE_REG_TRAP_LANES};
  const uint32_t bits[HABITS] = {[COUNTER_FALLS] = 1u << 20, [COUNTS_AHEAD] = 60, [CYCLES_FALL] = 100,
                                 [CYCLES_AHEAD] = 1u << 30,  [TRAP_EARLY] = 16,   [LOST_NOTHING] = HEDDLE_STATUS_LOST};
  if (about[b->habit] != addr || addr == 0 || running(b) != (b->habit < COUNTER_MOVES)) return;
  b->times++;
  if (b->habit == COUNTER_FALLS || b->habit == CYCLES_FALL)
    *data = bits[b->habit] - b->times;
  else if (b->habit == LOST_NOTHING)
    *data |= bits[b->habit];
  else
    *data += b->habit < COUNTER_MOVES ? bits[b->habit] : b->times;
}
static bool host_read(void *self, uint32_t addr, uint32_t *data) {
  struct between *b = self;
  if (b->no_read != 0 && addr == b->no_read) return false;
  if (!heddle_dut_read32(b->device, addr, data)) return false;
  if (addr == b->lie_at) *data |= b->lie_bits;
  lie_of_grid(b, addr, data);
  if (b->habit == OTHER_REASON && addr == HEDDLE_REG_STATUS && (*data & HEDDLE_STATUS_REFUSED) != 0)
    *data ^= 6u << HEDDLE_STATUS_REFUSE_SHIFT;
  if (b->habit == WRITES_RUNNING && addr == HEDDLE_REG_GRID_X) *data = b->grid_x;
  return true;
}
static enum heddle_dut_answer host_write_bytes(void *self, uint32_t addr, uint32_t data, unsigned bytes) {
  struct between *b = self;
  if (b->habit == WRITES_PARTS && addr != HEDDLE_REG_CONTROL) (void)heddle_dut_write32(b->device, addr, data);
  const enum heddle_dut_answer a = heddle_dut_write_bytes(b->device, addr, data, bytes);
  return b->habit == TAKES_PARTS ? HEDDLE_DUT_OKAY : a;
}
static enum heddle_dut_answer host_both(void *self, const struct heddle_dut_both *w, uint32_t *data, bool *ok) {
  struct between *b = self;
  const enum heddle_dut_answer a = heddle_dut_write_and_read(b->device, w, data, ok);
  if (b->habit == READ_TAKES_WRITE) *data = w->write_data;
  if (b->habit == READ_IS_LOST) *ok = false;
  return b->habit == WRITE_IS_LOST ? HEDDLE_DUT_SILENT : a;
}
static uint64_t step(void *self, uint64_t cycles) {
  return heddle_dut_step(((struct between *)self)->device, cycles);
}
static const struct heddle_retire_record *records(void *self, size_t *count) {
  struct between *b = self;
  const struct heddle_retire_record *r = heddle_dut_records(b->device, count);
  for (size_t i = 0; i < *count; i++) {
    if (r[i].kind != HEDDLE_RECORD_BLOCK_END) continue;
    const uint64_t since = heddle_dut_cycle(b->device) - r[i].cycle;
    if (since > b->waited) b->waited = since;
    b->blocks++;
  }
  return r;
}
static const struct heddle_retire_record *take(void *self, size_t *count) {
  struct between *b = self;
  (void)records(self, count);
  return heddle_dut_records_take(b->device, count);
}
static void clear(void *self) {
  heddle_dut_records_clear(((struct between *)self)->device);
}
static struct heddle_axi_mem *memory(void *self) {
  return (struct heddle_axi_mem *)heddle_dut_memory(
      ((struct between *)self)->device); /* as the device's own table gives it */
}
static uint64_t cycle(void *self) {
  return heddle_dut_cycle(((struct between *)self)->device);
}
static bool wave(void *self, const char *path) {
  return heddle_dut_wave(((struct between *)self)->device, path);
}
static const char *failure(void *self) {
  return heddle_dut_failure(((struct between *)self)->device);
}

const struct heddle_dut_ops between_ops = {.abi = HEDDLE_DUT_ABI,
                                           .info = info,
                                           .reset = reset,
                                           .host_write = host_write,
                                           .host_read = host_read,
                                           .host_write_bytes = host_write_bytes,
                                           .host_both = host_both,
                                           .step = step,
                                           .records = records,
                                           .take = take,
                                           .clear = clear,
                                           .memory = memory,
                                           .cycle = cycle,
                                           .wave = wave,
                                           .failure = failure};

enum heddle_session_outcome between_run(struct between *b, enum heddle_session_mode mode, bool writable,
                                        struct heddle_session_result *r) {
  struct heddle_message msg;
  struct fake_program p;
  struct heddle_axi_mem_config m = {.size = sizeof m, .base = FAKE_BASE, .bytes = FAKE_BYTES + (128u << 20)};
  const struct heddle_dut_options o = {
      .size = sizeof o, .memory = &m, .seed = 1, .records = true, .host_seed = b->host_seed};
  heddle_axi_mem_adversarial(&m, 1);
  between_asked = b;
  if (heddle_dut_open(NULL, "verilator", "tiny", &o, &b->device, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  struct heddle_dut *d = heddle_dut_wrap(&between_ops, b);
  const struct heddle_session_config c = {.size = sizeof c,
                                          .mode = mode,
                                          .device = d,
                                          .scoreboard = true,
                                          .seed = 1,
                                          .host_seed = b->host_seed,
                                          .max_cycles = 100000,
                                          .memory_base = FAKE_BASE,
                                          .memory_bytes = FAKE_BYTES};
  struct heddle_session *s;
  if (heddle_session_open(&c, &s, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  fake_assemble(&p, program, 6, 64);
  fake_fill(heddle_session_memory(s));
  p.launch.region[0].writable = writable;
  const enum heddle_session_outcome got = heddle_session_run(s, &p.launch, r);
  assert_int_equal(heddle_session_close(s, NULL), HEDDLE_SUCCESS);
  fake_program_free(&p);
  heddle_dut_free(d);
  heddle_dut_free(b->device);
  return got;
}

/* A host that does more beside launches than it must: it disturbs nothing, and sees what is wrong with a device. */

/* A host that does more than it must disturbs nothing, and does the same for the same seed. */
static void a_busy_host_changes_nothing(void **state) {
  (void)state;
  uint64_t cycles = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    struct heddle_session_result r[2] = {{.size = sizeof *r}, {.size = sizeof *r}};
    for (unsigned i = 0; i < 2; i++) {
      struct between b = {.host_seed = seed};
      const enum heddle_session_outcome o =
          between_run(&b, seed % 4 == 0 ? HEDDLE_SESSION_RTL : HEDDLE_SESSION_LOCKSTEP, true, &r[i]);
      if (o != HEDDLE_SESSION_OK) fail_msg("seed %u: %s", (unsigned)seed, r[i].message);
    }
    assert_int_equal(r[0].cycles, r[1].cycles);
    assert_int_equal(r[0].device_cycles, r[1].device_cycles);
    assert_memory_equal(&r[0].memory, &r[1].memory, sizeof r[0].memory);
    cycles += r[0].memory.reads;
  }
  struct heddle_session_result alone = {.size = sizeof alone};
  struct between b = {0};
  assert_int_equal(between_run(&b, HEDDLE_SESSION_LOCKSTEP, true, &alone), HEDDLE_SESSION_OK);
  assert_true(cycles > 50 * alone.memory.reads); /* it has begun other grids as well */
}

/* Some seed finds each, in the first forty, without a checker; what it says begins with `words`. Of what may not be
 * written the program's trap is seen. */
static void seen_by_a_busy_host(struct between lie, const char *words) {
  const bool writable = lie.habit != TRAP_MOVES;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    struct heddle_session_result r = {.size = sizeof r};
    struct between b = lie;
    b.host_seed = seed;
    const enum heddle_session_outcome o = between_run(&b, HEDDLE_SESSION_RTL, writable, &r);
    if (o == HEDDLE_SESSION_DEVICE && strncmp(r.message, words, strlen(words)) == 0) return;
  }
  fail_msg("nobody says '%s'", words);
}

static void a_busy_host_sees_what_is_wrong(void **state) {
  (void)state;
  static const struct {
    uint32_t at, bits;
    const char *words;
  } lie[] = {{HEDDLE_REG_ID, 1, "host: what it must hold: register 0x000"},
             {HEDDLE_REG_CAP_LANES, 32, "host: what it must hold: register 0x008"},
             {HEDDLE_REG_CAP_WARPS, 32, "host: what it must hold: register 0x00c"},
             {HEDDLE_REG_CAP_PARTS, 2, "host: what it must hold: register 0x050"},
             {HEDDLE_REG_CAP_UNITS, 1u << 20, "host: the machine has other units"},
             {HEDDLE_REG_CONTROL, 1, "host: what it must hold: register 0x040"},
             {HEDDLE_REG_CAP_SMS, 2, "host: what it must hold: register 0x054"},
             {HEDDLE_REG_SM_SELECT, 1, "host: what it must hold: register 0x058"},
             {HEDDLE_REG_SM_SELECT + 4, 1, "host: what it must hold: register 0x05c"},
             {HEDDLE_REG_MODE, 8, "host: what it must hold: register 0x130"},
             {HEDDLE_REG_TRAP_LANES, 1, "host: what it must hold: register 0x0e0"},
             {HEDDLE_REG_COUNTER(1), 1u << 30, "host: counted in a launch that was refused"},
             {HEDDLE_REG_CYCLES, 1u << 31, "host: after a reset"}};
  for (size_t i = 0; i < sizeof lie / sizeof *lie; i++)
    seen_by_a_busy_host((struct between){.lie_at = lie[i].at, .lie_bits = lie[i].bits}, lie[i].words);
  static const char *const words[HABITS] = {
      [TAKES_PARTS] = "host: a write of bytes",
      [WRITES_PARTS] = "host: what it must hold",
      [FORGETS_ABORT] = "host: after an abort",
      [NEVER_REFUSES] = "host: a launch that must be refused",
      [OTHER_REASON] = "host: a launch that must be refused",
      [KEEPS_REGISTERS] = "host: what it must hold: register 0x100",
      [WRITES_RUNNING] = "host: what it must hold: register 0x100",
      [READ_TAKES_WRITE] = "host: beside a write: register",
      [READ_IS_LOST] = "host: a read beside a write is not answered",
      [WRITE_IS_LOST] = "host: a write beside a read is answered wrongly",
      [COUNTER_FALLS] = "host: a counter that falls: register 0x084",
      [CYCLES_FALL] = "host: cycles that fall",
      [CYCLES_AHEAD] = "host: more cycles than were clocked",
      [TRAP_EARLY] = "host: of a trap that STATUS does not report: register 0x0dc",
      [LOST_NOTHING] = "host: lost, and memory has refused nothing",
      [COUNTER_MOVES] = "host: counter",
      [TRAP_MOVES] = "host: of the trap: register 0x0e0",
  };
  for (unsigned habit = HONEST + 1; habit < HABITS; habit++)
    if (words[habit] != NULL) seen_by_a_busy_host((struct between){.habit = habit}, words[habit]);
}

/* A grid that a second START has given up does not end. One that begins anew before its first block has begun cannot be
 * told from one that does not. */
static void a_second_start_is_none(void **state) {
  (void)state;
  unsigned seen = 0;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    struct heddle_session_result r = {.size = sizeof r};
    struct between b = {.habit = SECOND_STOPS, .host_seed = seed};
    const enum heddle_session_outcome o = between_run(&b, HEDDLE_SESSION_LOCKSTEP, true, &r);
    seen += o != HEDDLE_SESSION_OK;
  }
  assert_in_range(seen, 2, 10);
}

/* What is counted while a grid runs is held against the records that it has shown. */
static void no_counter_is_ahead_of_the_records(void **state) {
  (void)state;
  unsigned seen = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    struct heddle_session_result r = {.size = sizeof r};
    struct between b = {.habit = COUNTS_AHEAD, .host_seed = seed};
    const enum heddle_session_outcome o = between_run(&b, HEDDLE_SESSION_LOCKSTEP, true, &r);
    seen += o == HEDDLE_SESSION_DIFFERENCE && strstr(r.message, "by the records") != NULL;
  }
  assert_in_range(seen, 1, 40);
}
int session_busy(void) {
  const struct CMUnitTest all[] = {
      cmocka_unit_test(a_busy_host_changes_nothing), cmocka_unit_test(a_busy_host_sees_what_is_wrong),
      cmocka_unit_test(a_second_start_is_none), cmocka_unit_test(no_counter_is_ahead_of_the_records)};
  return cmocka_run_group_tests(all, NULL, NULL);
}
