/* SPDX-License-Identifier: Apache-2.0
 *
 * What a session asks of its device: to be told at once that the grid may be over, and that it writes nowhere but where
 * the launch may. A device of another configuration stands in between, and passes on what it is asked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cosim/kit/conform/fake.h"
#include <heddle/host_regs.h>
#include <heddle/session.h>
#include "cosim/kit/conform/programs.h"

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

struct between {
  struct heddle_dut *device;
  bool all_writable;          /* the host bus says so of every region, whatever the session writes */
  uint32_t lie_at, lie_bits;  /* a register of the host bus that is read with these bits set; 0: none is */
  uint32_t no_write, no_read; /* that one register is answered with an error; 0: none is */
  uint64_t host_seed;         /* of the session */
  uint8_t read_age, pred_age; /* what the device says of its port; 0: what it is */
  enum {
    HONEST,
    TAKES_PARTS,      /* a write of some bytes is answered as if it had been taken */
    WRITES_PARTS,     /* answered with an error, but it is written */
    FORGETS_ABORT,    /* ABORT does nothing */
    SECOND_STOPS,     /* START while a grid runs gives it up */
    NEVER_REFUSES,    /* what does not fit becomes something that does */
    OTHER_REASON,     /* STATUS names another reason for a refusal */
    KEEPS_REGISTERS,  /* a reset leaves launch registers as they are */
    WRITES_RUNNING,   /* launch registers can be written while a grid runs: they read so */
    READ_TAKES_WRITE, /* what is read beside a write is what was written */
    READ_IS_LOST,     /* a read beside a write is not answered */
    WRITE_IS_LOST,    /* a write beside a read is not */
    COUNTER_FALLS,    /* while a grid runs: a counter is less each time, */
    COUNTS_AHEAD,     /* instructions are counted that have not issued, */
    CYCLES_FALL,      /* CYCLES is less each time, */
    CYCLES_AHEAD,     /* or ahead of the clock, */
    TRAP_EARLY,       /* there is a trap that STATUS does not tell, */
    LOST_NOTHING,     /* STATUS says lost */
    COUNTER_MOVES,    /* a counter goes on when the grid has ended, */
    TRAP_MOVES,       /* and the trap is another each time */
    HABITS
  } habit;
  uint32_t grid_x, before_reset; /* what is read instead */
  uint64_t waited;               /* cycles from the end of a block to the session's look, the longest */
  unsigned blocks;               /* that have ended */
  uint32_t times;                /* that it has lied */
};

static struct between *the;

static const struct heddle_dut_info *info(void) {
  static struct heddle_dut_info says;
  says = *heddle_dut_describe(the->device);
  if (the->read_age != 0) says.read_age = the->read_age;
  if (the->pred_age != 0) says.pred_age = the->pred_age;
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

static const struct heddle_dut_ops ops = {.abi = HEDDLE_DUT_ABI,
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

/* Six blocks; `writable`: the region that they write into. */
static enum heddle_session_outcome run(struct between *b, enum heddle_session_mode mode, bool writable,
                                       struct heddle_session_result *r) {
  char err[512];
  struct fake_program p;
  struct heddle_axi_mem_config m = {.size = sizeof m, .base = FAKE_BASE, .bytes = FAKE_BYTES + (128u << 20)};
  const struct heddle_dut_options o = {
      .size = sizeof o, .memory = &m, .seed = 1, .records = true, .host_seed = b->host_seed};
  heddle_axi_mem_adversarial(&m, 1);
  the = b;
  b->device = heddle_dut_open(NULL, "verilator", "tiny", &o, err, sizeof err);
  if (b->device == NULL) fail_msg("%s", err);
  struct heddle_dut *d = heddle_dut_wrap(&ops, b);
  const struct heddle_session_config c = {.size = sizeof c,
                                          .mode = mode,
                                          .device = d,
                                          .scoreboard = true,
                                          .seed = 1,
                                          .host_seed = b->host_seed,
                                          .max_cycles = 100000,
                                          .memory_base = FAKE_BASE,
                                          .memory_bytes = FAKE_BYTES};
  struct heddle_session *s = heddle_session_open(&c, err, sizeof err);
  if (s == NULL) fail_msg("%s", err);
  fake_assemble(&p, program, 6, 64);
  fake_fill(heddle_session_memory(s));
  p.launch.region[0].writable = writable;
  const enum heddle_session_outcome got = heddle_session_run(s, &p.launch, r);
  assert_true(heddle_session_close(s));
  fake_program_free(&p);
  heddle_dut_free(d);
  heddle_dut_free(b->device);
  return got;
}

static void the_end_of_a_block_is_seen_at_once(void **state) {
  (void)state;
  struct heddle_session_result r;
  struct between b = {0};
  assert_int_equal(run(&b, HEDDLE_SESSION_LOCKSTEP, true, &r), HEDDLE_SESSION_OK);
  assert_int_equal(b.blocks, 6);
  assert_int_equal(b.waited, 1);
}

/* A device that claims ages which no machine can have is refused; one that claims others than its own is judged by
 * them, and the verdict says them. */
static void ages_are_bounded(void **state) {
  (void)state;
  char err[512];
  struct heddle_session_result r;
  struct heddle_axi_mem_config m = {.size = sizeof m, .bytes = 1u << 20};
  const struct heddle_dut_options o = {.size = sizeof o, .memory = &m, .seed = 1, .records = true};
  heddle_axi_mem_calm(&m);
  struct between b = {.device = heddle_dut_open(NULL, "verilator", "tiny", &o, err, sizeof err)};
  if (b.device == NULL) fail_msg("%s", err);
  the = &b;
  struct heddle_dut *d = heddle_dut_wrap(&ops, &b);
  const struct heddle_session_config c = {
      .size = sizeof c, .mode = HEDDLE_SESSION_LOCKSTEP, .device = d, .memory_bytes = 64};
  for (unsigned k = 0; k < 2; k++) {
    b.read_age = k == 0 ? HEDDLE_RECORD_AGE_MAX + 1 : 0;
    b.pred_age = k == 1 ? HEDDLE_RECORD_AGE_MAX + 1 : 0;
    assert_null(heddle_session_open(&c, err, sizeof err));
    assert_non_null(strstr(err, "14 at most"));
  }
  b.read_age = b.pred_age = HEDDLE_RECORD_AGE_MAX;
  struct heddle_session *s = heddle_session_open(&c, err, sizeof err);
  if (s == NULL) fail_msg("%s", err);
  assert_true(heddle_session_close(s));
  heddle_dut_free(d);
  heddle_dut_free(b.device);
  struct between own = {0}, less = {.read_age = 1, .pred_age = 1};
  assert_int_equal(run(&own, HEDDLE_SESSION_LOCKSTEP, true, &r), HEDDLE_SESSION_OK);
  assert_int_equal(r.checked.read_age, HEDDLE_RECORD_READ_AGE);
  assert_int_equal(r.checked.pred_age, HEDDLE_RECORD_PRED_AGE);
  assert_int_equal(run(&less, HEDDLE_SESSION_LOCKSTEP, true, &r), HEDDLE_SESSION_OK);
  assert_int_equal(r.checked.read_age, 1);
  assert_int_equal(r.checked.pred_age, 1);
}

/* The hardware takes the region for a writable one, and the model does not look on. */
static void a_write_elsewhere_is_a_failure(void **state) {
  (void)state;
  struct heddle_session_result r;
  struct between b = {.all_writable = true};
  assert_int_equal(run(&b, HEDDLE_SESSION_RTL, true, &r), HEDDLE_SESSION_OK);
  assert_int_equal(run(&b, HEDDLE_SESSION_RTL, false, &r), HEDDLE_SESSION_DEVICE);
  assert_non_null(strstr(r.message, "in no writable region"));
  b.all_writable = false; /* then the hardware itself refuses */
  assert_int_equal(run(&b, HEDDLE_SESSION_RTL, false, &r), HEDDLE_SESSION_TRAPPED);
  assert_int_equal(r.trap.cause, HEDDLE_TRAP_WRITE_PROTECTED);
}

/* What the host reads of a run that was right: STATUS with a bit that it does not have, with a reason for a refusal
 * that there was not, more cycles than were clocked. */
static void what_the_host_reads_is_held_against_the_run(void **state) {
  (void)state;
  static const struct {
    uint32_t at, bits;
    const char *words;
  } lie[] = {{HEDDLE_REG_STATUS, 1u << 31, "bits that it does not have"},
             {HEDDLE_REG_STATUS, HEDDLE_STATUS_REFUSE_MASK, "a reason without a refusal"},
             {HEDDLE_REG_CYCLES_HI, 1, "CYCLES says"}};
  for (size_t i = 0; i < sizeof lie / sizeof *lie; i++) {
    struct heddle_session_result r;
    struct between b = {.lie_at = lie[i].at, .lie_bits = lie[i].bits};
    assert_int_equal(run(&b, HEDDLE_SESSION_RTL, true, &r), HEDDLE_SESSION_DEVICE);
    if (strstr(r.message, lie[i].words) == NULL) fail_msg("'%s' does not say '%s'", r.message, lie[i].words);
  }
}

/* A host bus that answers with an error ends the run, whichever access it is, and the message names the register. */
static void an_error_of_the_host_bus_ends_the_run(void **state) {
  (void)state;
  static const uint32_t written[] = {HEDDLE_REG_GRID_X, HEDDLE_REG_REGION_WRITE, HEDDLE_REG_CONTROL};
  static const uint32_t seen[] = {HEDDLE_REG_STATUS, HEDDLE_REG_CYCLES, HEDDLE_REG_CYCLES_HI,
                                  HEDDLE_REG_COUNTER(HEDDLE_COUNTER_ISSUED)};
  for (size_t i = 0; i < sizeof written / sizeof *written + sizeof seen / sizeof *seen; i++) {
    const bool write = i < sizeof written / sizeof *written;
    const uint32_t at = write ? written[i] : seen[i - sizeof written / sizeof *written];
    struct heddle_session_result r;
    struct between b = {.no_write = write ? at : 0, .no_read = write ? 0 : at};
    char words[96];
    assert_true(at != 0);
    (void)snprintf(words, sizeof words, "the host bus answers a %s of register 0x%x with an error",
                   write ? "write" : "read", at);
    for (unsigned mode = HEDDLE_SESSION_RTL; mode <= HEDDLE_SESSION_LOCKSTEP; mode++) {
      assert_int_equal(run(&b, (enum heddle_session_mode)mode, true, &r), HEDDLE_SESSION_DEVICE);
      assert_string_equal(r.message, words);
    }
  }
}

/* A host that does more than it must disturbs nothing, and does the same for the same seed. */
static void a_busy_host_changes_nothing(void **state) {
  (void)state;
  uint64_t cycles = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    struct heddle_session_result r[2];
    for (unsigned i = 0; i < 2; i++) {
      struct between b = {.host_seed = seed};
      const enum heddle_session_outcome o =
          run(&b, seed % 4 == 0 ? HEDDLE_SESSION_RTL : HEDDLE_SESSION_LOCKSTEP, true, &r[i]);
      if (o != HEDDLE_SESSION_OK) fail_msg("seed %u: %s", (unsigned)seed, r[i].message);
    }
    assert_int_equal(r[0].cycles, r[1].cycles);
    assert_int_equal(r[0].device_cycles, r[1].device_cycles);
    assert_memory_equal(&r[0].memory, &r[1].memory, sizeof r[0].memory);
    cycles += r[0].memory.reads;
  }
  struct heddle_session_result alone;
  struct between b = {0};
  assert_int_equal(run(&b, HEDDLE_SESSION_LOCKSTEP, true, &alone), HEDDLE_SESSION_OK);
  assert_true(cycles > 50 * alone.memory.reads); /* it has begun other grids as well */
}

/* Some seed finds each, in the first forty, without a checker; what it says begins with `words`. Of what may not be
 * written the program's trap is seen. */
static void seen_by_a_busy_host(struct between lie, const char *words) {
  const bool writable = lie.habit != TRAP_MOVES;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    struct heddle_session_result r;
    struct between b = lie;
    b.host_seed = seed;
    const enum heddle_session_outcome o = run(&b, HEDDLE_SESSION_RTL, writable, &r);
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
      [TRAP_EARLY] = "host: of a trap that STATUS does not tell: register 0x0dc",
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
    struct heddle_session_result r;
    struct between b = {.habit = SECOND_STOPS, .host_seed = seed};
    const enum heddle_session_outcome o = run(&b, HEDDLE_SESSION_LOCKSTEP, true, &r);
    seen += o != HEDDLE_SESSION_OK;
  }
  assert_in_range(seen, 2, 10);
}

/* What is counted while a grid runs is held against the records that it has shown. */
static void no_counter_is_ahead_of_the_records(void **state) {
  (void)state;
  unsigned seen = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    struct heddle_session_result r;
    struct between b = {.habit = COUNTS_AHEAD, .host_seed = seed};
    const enum heddle_session_outcome o = run(&b, HEDDLE_SESSION_LOCKSTEP, true, &r);
    seen += o == HEDDLE_SESSION_DIFFERENCE && strstr(r.message, "by the records") != NULL;
  }
  assert_in_range(seen, 1, 40);
}

/* A device that makes no waves is not there for who asks for one. */
static void a_wave_needs_a_device_that_makes_it(void **state) {
  (void)state;
  char err[512];
  struct heddle_axi_mem_config m = {.size = sizeof m, .bytes = 4096};
  struct heddle_dut_options o = {.size = sizeof o, .memory = &m, .seed = 1, .wave = "/dev/null"};
  heddle_axi_mem_calm(&m);
  assert_null(heddle_dut_open(NULL, "verilator", "tiny", &o, err, sizeof err));
  assert_non_null(strstr(err, "a wave that is not built in"));
  o.wave = NULL;
  struct heddle_dut *d = heddle_dut_open(NULL, "verilator", "tiny", &o, err, sizeof err);
  if (d == NULL) fail_msg("%s", err);
  assert_false(heddle_dut_describe(d)->has_wave);
  assert_false(heddle_dut_wave(d, "/dev/null"));
  heddle_dut_free(d);
}

/* Everything that a run in lockstep says, in words. */
static char *said(unsigned fault, bool beside, struct heddle_session_result *r) {
  char err[512], *text = NULL;
  size_t bytes = 0;
  struct fake_program p;
  const struct heddle_session_config c = {.size = sizeof c,
                                          .mode = HEDDLE_SESSION_LOCKSTEP,
                                          .config = "tiny",
                                          .scoreboard = true,
                                          .seed = 3,
                                          .adversarial = true,
                                          .withhold_ready = fault % 2 != 0,
                                          .fault = fault,
                                          .max_cycles = 12000,
                                          .memory_base = FAKE_BASE,
                                          .memory_bytes = FAKE_BYTES,
                                          .beside = beside};
  struct heddle_session *s = heddle_session_open(&c, err, sizeof err);
  if (s == NULL) fail_msg("%s", err);
  fake_assemble(&p, program_mix, 4, 64);
  fake_fill(heddle_session_memory(s));
  (void)heddle_session_run(s, &p.launch, r);
  FILE *f = open_memstream(&text, &bytes);
  assert_non_null(f);
  heddle_session_report_text(s, f);
  assert_int_equal(fclose(f), 0);
  assert_true(heddle_session_close(s));
  fake_program_free(&p);
  return text;
}

/* With each fault (every fourth without --full), and without one: the same record of the same instruction is the first
 * that is wrong, however far the device has gone meanwhile. What hangs does so for the same reason; when that is
 * noticed may be later, and so may the end be at which memory is compared. */
static unsigned faults_each = 4; /* --full: 1 */

static void a_second_thread_says_the_same(void **state) {
  (void)state;
  unsigned differences = 0, others = 0;
  for (unsigned fault = 0; fault < 60; fault += faults_each) {
    struct heddle_session_result one, two;
    char *alone = said(fault, false, &one), *beside = said(fault, true, &two);
    if (one.outcome != two.outcome) fail_msg("fault %u: %sbut beside: %s", fault, alone, beside);
    const bool shown = one.outcome == HEDDLE_SESSION_DIFFERENCE && one.difference.kind != HEDDLE_CHECKER_MEMORY_FINAL;
    if (shown || one.outcome == HEDDLE_SESSION_OK) assert_string_equal(alone, beside);
    assert_int_equal(one.difference.kind, two.difference.kind);
    assert_string_equal(one.difference.note, two.difference.note);
    assert_memory_equal(&one.checked, &two.checked, sizeof one.checked);
    differences += one.outcome == HEDDLE_SESSION_DIFFERENCE;
    others += one.outcome != HEDDLE_SESSION_DIFFERENCE;
    free(alone);
    free(beside);
  }
  assert_true(differences >= 10 / faults_each && others >= 10 / faults_each);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--full") == 0) faults_each = 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_second_thread_says_the_same),
                                     cmocka_unit_test(the_end_of_a_block_is_seen_at_once),
                                     cmocka_unit_test(ages_are_bounded),
                                     cmocka_unit_test(a_write_elsewhere_is_a_failure),
                                     cmocka_unit_test(what_the_host_reads_is_held_against_the_run),
                                     cmocka_unit_test(an_error_of_the_host_bus_ends_the_run),
                                     cmocka_unit_test(a_busy_host_changes_nothing),
                                     cmocka_unit_test(a_busy_host_sees_what_is_wrong),
                                     cmocka_unit_test(a_second_start_is_none),
                                     cmocka_unit_test(no_counter_is_ahead_of_the_records),
                                     cmocka_unit_test(a_wave_needs_a_device_that_makes_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
