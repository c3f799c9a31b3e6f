/* SPDX-License-Identifier: Apache-2.0
 *
 * A host that does more beside launches than it must: it disturbs nothing, and sees what is wrong with a device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include <heddle/host_regs.h>
#include "tests/cosim/session_between.h"

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
