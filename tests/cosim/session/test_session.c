/* SPDX-License-Identifier: Apache-2.0
 *
 * What a session asks of its device: to be told at once that the grid may be over, and that it writes nowhere but where
 * the launch may. A device of another configuration stands in between (session_between.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cosim/kit/conform/fake.h"
#include <heddle/host_regs.h>
#include "cosim/kit/conform/programs.h"
#include "tests/cosim/session/session_between.h"

static void the_end_of_a_block_is_seen_at_once(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  struct between b = {0};
  assert_int_equal(between_run(&b, HEDDLE_SESSION_LOCKSTEP, true, &r), HEDDLE_SESSION_OK);
  assert_int_equal(b.blocks, 6);
  assert_int_equal(b.waited, 1);
}

/* A device that claims ages which no machine can have is refused; one that claims others than its own is judged by
 * them, and the verdict says them. */
static void ages_are_bounded(void **state) {
  (void)state;
  struct heddle_message msg;
  struct heddle_session_result r = {.size = sizeof r};
  struct heddle_axi_mem_config m = {.size = sizeof m, .bytes = 1u << 20};
  const struct heddle_dut_options o = {.size = sizeof o, .memory = &m, .seed = 1, .records = true};
  heddle_axi_mem_calm(&m);
  struct between b = {0};
  if (heddle_dut_open(NULL, "verilator", "tiny", &o, &b.device, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  between_asked = &b;
  struct heddle_dut *d = heddle_dut_wrap(&between_ops, &b);
  const struct heddle_session_config c = {
      .size = sizeof c, .mode = HEDDLE_SESSION_LOCKSTEP, .device = d, .memory_bytes = 64};
  struct heddle_session *s;
  for (unsigned k = 0; k < 2; k++) {
    b.read_age = k == 0 ? HEDDLE_RECORD_AGE_MAX + 1 : 0;
    b.pred_age = k == 1 ? HEDDLE_RECORD_AGE_MAX + 1 : 0;
    assert_int_equal(heddle_session_open(&c, &s, &msg), HEDDLE_ERROR_WRONG_DEVICE);
    assert_null(s);
    assert_non_null(strstr(msg.text, "14 at most"));
  }
  b.read_age = b.pred_age = HEDDLE_RECORD_AGE_MAX;
  if (heddle_session_open(&c, &s, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  assert_int_equal(heddle_session_close(s, NULL), HEDDLE_SUCCESS);
  heddle_dut_free(d);
  heddle_dut_free(b.device);
  struct between own = {0}, less = {.read_age = 1, .pred_age = 1};
  assert_int_equal(between_run(&own, HEDDLE_SESSION_LOCKSTEP, true, &r), HEDDLE_SESSION_OK);
  assert_int_equal(r.checked.read_age, HEDDLE_RECORD_READ_AGE);
  assert_int_equal(r.checked.pred_age, HEDDLE_RECORD_PRED_AGE);
  assert_int_equal(between_run(&less, HEDDLE_SESSION_LOCKSTEP, true, &r), HEDDLE_SESSION_OK);
  assert_int_equal(r.checked.read_age, 1);
  assert_int_equal(r.checked.pred_age, 1);
}

/* The hardware takes the region for a writable one, and the model does not look on. */
static void a_write_elsewhere_is_a_failure(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  struct between b = {.all_writable = true};
  assert_int_equal(between_run(&b, HEDDLE_SESSION_RTL, true, &r), HEDDLE_SESSION_OK);
  assert_int_equal(between_run(&b, HEDDLE_SESSION_RTL, false, &r), HEDDLE_SESSION_DEVICE);
  assert_non_null(strstr(r.message, "in no writable region"));
  b.all_writable = false; /* then the hardware itself refuses */
  assert_int_equal(between_run(&b, HEDDLE_SESSION_RTL, false, &r), HEDDLE_SESSION_TRAPPED);
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
    struct heddle_session_result r = {.size = sizeof r};
    struct between b = {.lie_at = lie[i].at, .lie_bits = lie[i].bits};
    assert_int_equal(between_run(&b, HEDDLE_SESSION_RTL, true, &r), HEDDLE_SESSION_DEVICE);
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
    struct heddle_session_result r = {.size = sizeof r};
    struct between b = {.no_write = write ? at : 0, .no_read = write ? 0 : at};
    char words[96];
    assert_true(at != 0);
    (void)snprintf(words, sizeof words, "the host bus answers a %s of register 0x%x with an error",
                   write ? "write" : "read", at);
    for (unsigned mode = HEDDLE_SESSION_RTL; mode <= HEDDLE_SESSION_LOCKSTEP; mode++) {
      assert_int_equal(between_run(&b, (enum heddle_session_mode)mode, true, &r), HEDDLE_SESSION_DEVICE);
      assert_string_equal(r.message, words);
    }
  }
}

/* A device that makes no waves is not there for who asks for one. */
static void a_wave_needs_a_device_that_makes_it(void **state) {
  (void)state;
  struct heddle_message msg;
  struct heddle_axi_mem_config m = {.size = sizeof m, .bytes = 4096};
  struct heddle_dut_options o = {.size = sizeof o, .memory = &m, .seed = 1, .wave = "/dev/null"};
  heddle_axi_mem_calm(&m);
  struct heddle_dut *d;
  assert_int_equal(heddle_dut_open(NULL, "verilator", "tiny", &o, &d, &msg), HEDDLE_ERROR_NOT_SUPPORTED);
  assert_null(d);
  assert_non_null(strstr(msg.text, "a wave that is not built in"));
  o.wave = NULL;
  if (heddle_dut_open(NULL, "verilator", "tiny", &o, &d, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  assert_false(heddle_dut_describe(d)->has_wave);
  assert_false(heddle_dut_wave(d, "/dev/null"));
  heddle_dut_free(d);
}

/* Options that end where those of an older release may have: the rest is as if it were 0, whatever lies there. */
static void an_older_caller_opens_a_device(void **state) {
  (void)state;
  struct heddle_message msg;
  struct heddle_axi_mem_config m = {.size = sizeof m, .bytes = 4096};
  heddle_axi_mem_calm(&m);
  struct heddle_dut_options o = {.memory = &m, .fault = 1, .wave = "/dev/null", .stream_drop = true};
  o.size = offsetof(struct heddle_dut_options, fault);
  m.size = offsetof(struct heddle_axi_mem_config, error_base);
  m.error_base = 0, m.error_limit = 4096;
  struct heddle_dut *d;
  if (heddle_dut_open(NULL, "verilator", "tiny", &o, &d, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  const struct heddle_axi_mem_config *is = heddle_axi_mem_configuration(heddle_dut_memory(d));
  assert_true(is->size == sizeof *is && is->bytes == 4096 && is->latency_max == 1 && is->error_limit == 0);
  heddle_dut_free(d);
}

/* Everything that a run in lockstep says, in words. */
static char *said(unsigned fault, bool beside, struct heddle_session_result *r) {
  struct heddle_message msg;
  char *text = NULL;
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
  struct heddle_session *s;
  if (heddle_session_open(&c, &s, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  fake_assemble(&p, program_mix, 4, 64);
  fake_fill(heddle_session_memory(s));
  (void)heddle_session_run(s, &p.launch, r);
  FILE *f = open_memstream(&text, &bytes);
  assert_non_null(f);
  heddle_session_report_text(s, f);
  assert_int_equal(fclose(f), 0);
  assert_int_equal(heddle_session_close(s, NULL), HEDDLE_SUCCESS);
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
    struct heddle_session_result one = {.size = sizeof one}, two = {.size = sizeof two};
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
                                     cmocka_unit_test(a_wave_needs_a_device_that_makes_it),
                                     cmocka_unit_test(an_older_caller_opens_a_device)};
  return cmocka_run_group_tests(tests, NULL, NULL) + session_busy();
}
