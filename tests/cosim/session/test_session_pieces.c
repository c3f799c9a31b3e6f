/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch of a session in pieces is the launch as a whole; given up it leaves a session that runs the next one; left
 * to the model alone it leaves memory as both would. On the smallest machine, with faults and without.
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

/* Every thread stores a sum of its number: whoever is first, memory ends the same. */
static const char program_sums[] = ".kernel sums\n"
                                   ".param u64 in\n"
                                   ".param u64 out\n"
                                   "        S2R R0, SR_TID.X ;\n"
                                   "        S2R R1, SR_CTAID.X ;\n"
                                   "        IMAD R0, R1, 0x40, R0 ;\n"
                                   "        MOV R6, c[0x0][out] ;\n"
                                   "        MOV R7, c[0x0][out+4] ;\n"
                                   "        IMAD.WIDE R6, R0, 0x4, R6 ;\n"
                                   "        MOV R2, RZ ;\n"
                                   "        MOV R3, 0x10 ;\n"
                                   "again:\n"
                                   "        IADD3 R2, R2, R0, RZ ;\n"
                                   "        IADD3 R3, R3, -0x1, RZ ;\n"
                                   "        ISETP.NE.AND P0, PT, R3, RZ, PT ;\n"
                                   "@P0     BRA again ;\n"
                                   "        STG.E [R6], R2 ;\n"
                                   "        EXIT ;\n"
                                   ".end\n";

struct rig {
  struct heddle_session *session;
  struct fake_program program;
  unsigned pieces;
};

/* The launch points into the rig. */
static void open_rig(struct rig *r, const char *text, enum heddle_session_mode mode, unsigned fault, bool beside) {
  struct heddle_message msg;
  const struct heddle_session_config c = {.size = sizeof c,
                                          .mode = mode,
                                          .config = "tiny",
                                          .scoreboard = true,
                                          .seed = 3,
                                          .adversarial = true,
                                          .fault = fault,
                                          .max_cycles = 60000,
                                          .memory_base = FAKE_BASE,
                                          .memory_bytes = FAKE_BYTES,
                                          .beside = beside};
  if (heddle_session_open(&c, &r->session, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  fake_assemble(&r->program, text, 4, 64);
  fake_fill(heddle_session_memory(r->session));
}

static void close_rig(struct rig *r) {
  assert_int_equal(heddle_session_close(r->session, NULL), HEDDLE_SUCCESS);
  fake_program_free(&r->program);
}

static enum heddle_session_outcome in_pieces(struct rig *r, uint64_t cycles, struct heddle_session_result *out) {
  enum heddle_session_outcome o = heddle_session_start(r->session, &r->program.launch, out);
  assert_int_equal(o, HEDDLE_SESSION_RUNNING);
  r->pieces = 0;
  for (; o == HEDDLE_SESSION_RUNNING; r->pieces++) o = heddle_session_go_on(r->session, cycles, out);
  assert_int_equal(out->outcome, o);
  return o;
}

static void pieces_make_a_whole(void **state) {
  (void)state;
  static const uint64_t piece[] = {1, 7, 100, 5000, UINT64_MAX};
  for (unsigned mode = HEDDLE_SESSION_RTL; mode <= HEDDLE_SESSION_LOCKSTEP; mode++) {
    struct heddle_session_result whole = {.size = sizeof whole}, r = {.size = sizeof r};
    struct rig a;
    open_rig(&a, program_mix, (enum heddle_session_mode)mode, 0, false);
    assert_int_equal(heddle_session_run(a.session, &a.program.launch, &whole), HEDDLE_SESSION_OK);
    for (size_t i = 0; i < sizeof piece / sizeof *piece; i++) {
      struct rig b;
      open_rig(&b, program_mix, (enum heddle_session_mode)mode, 0, i % 2 == 1);
      assert_int_equal(in_pieces(&b, piece[i], &r), HEDDLE_SESSION_OK);
      assert_true(b.pieces > 5 || piece[i] > 1000);
      assert_int_equal(r.insns, whole.insns);
      assert_int_equal(r.cycles, whole.cycles);
      assert_int_equal(r.checked.records, whole.checked.records);
      assert_memory_equal(heddle_session_memory(b.session), heddle_session_memory(a.session), FAKE_BYTES);
      close_rig(&b);
    }
    close_rig(&a);
  }
}

/* The same record is the first that is wrong. */
static void a_fault_is_found_in_pieces(void **state) {
  (void)state;
  unsigned differences = 0;
  for (unsigned fault = 1; fault < 16; fault++) {
    struct heddle_session_result whole = {.size = sizeof whole}, r = {.size = sizeof r};
    struct rig a, b;
    open_rig(&a, program_mix, HEDDLE_SESSION_LOCKSTEP, fault, false);
    open_rig(&b, program_mix, HEDDLE_SESSION_LOCKSTEP, fault, fault % 2 == 0);
    assert_int_equal(heddle_session_run(a.session, &a.program.launch, &whole), in_pieces(&b, 100, &r));
    assert_int_equal(r.difference.kind, whole.difference.kind);
    if (whole.difference.kind != HEDDLE_CHECKER_MEMORY_FINAL)
      assert_string_equal(r.difference.note, whole.difference.note);
    differences += whole.outcome == HEDDLE_SESSION_DIFFERENCE;
    close_rig(&a);
    close_rig(&b);
  }
  assert_true(differences >= 5);
}

static void what_is_given_up_leaves_room(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  uint32_t value;
  for (uint64_t cycles = 1; cycles < 1500; cycles = cycles * 2 + 5) {
    struct rig a, b;
    open_rig(&a, program_sums, HEDDLE_SESSION_LOCKSTEP, 0, cycles % 2 == 0);
    open_rig(&b, program_sums, HEDDLE_SESSION_LOCKSTEP, 0, false);
    assert_int_equal(heddle_session_start(a.session, &a.program.launch, &r), HEDDLE_SESSION_RUNNING);
    assert_int_equal(heddle_session_go_on(a.session, cycles, &r), HEDDLE_SESSION_RUNNING);
    heddle_session_give_up(a.session);
    heddle_session_give_up(a.session); /* nothing runs */
    assert_true(heddle_session_read32(a.session, HEDDLE_REG_STATUS, &value) && value == 0);
    fake_fill(heddle_session_memory(a.session));
    assert_int_equal(heddle_session_run(a.session, &a.program.launch, &r), HEDDLE_SESSION_OK);
    assert_int_equal(heddle_session_run(b.session, &b.program.launch, &r), HEDDLE_SESSION_OK);
    assert_memory_equal(heddle_session_memory(a.session), heddle_session_memory(b.session), FAKE_BYTES);
    assert_int_equal(heddle_session_start(b.session, &b.program.launch, &r), HEDDLE_SESSION_RUNNING);
    close_rig(&a);
    close_rig(&b); /* over what runs */
  }
}

/* A fault shows what ran on the device. */
static void the_model_alone_leaves_the_same(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r}, next = {.size = sizeof next};
  struct rig a, b;
  open_rig(&a, program_sums, HEDDLE_SESSION_LOCKSTEP, 5, false);
  open_rig(&b, program_sums, HEDDLE_SESSION_LOCKSTEP, 0, false);
  heddle_session_model_alone(a.session, true);
  assert_int_equal(heddle_session_start(a.session, &a.program.launch, &r), HEDDLE_SESSION_RUNNING);
  assert_int_equal(heddle_session_go_on(a.session, 1, &r), HEDDLE_SESSION_OK);
  assert_int_equal(r.cycles, 0);
  assert_int_equal(heddle_session_run(b.session, &b.program.launch, &next), HEDDLE_SESSION_OK);
  assert_int_equal(r.insns, next.insns);
  assert_memory_equal(heddle_session_memory(a.session), heddle_session_memory(b.session), FAKE_BYTES);
  heddle_session_model_alone(a.session, false);
  assert_memory_equal(heddle_session_memory(a.session), heddle_session_memory(b.session), FAKE_BYTES);
  assert_int_equal(heddle_session_run(a.session, &a.program.launch, &r), HEDDLE_SESSION_DIFFERENCE);
  close_rig(&a);
  close_rig(&b);
  open_rig(&a, program_sums, HEDDLE_SESSION_RTL, 0, false); /* where there is no model, it runs nothing */
  heddle_session_model_alone(a.session, true);
  assert_int_equal(heddle_session_start(a.session, &a.program.launch, &r), HEDDLE_SESSION_RUNNING);
  assert_int_equal(heddle_session_go_on(a.session, UINT64_MAX, &r), HEDDLE_SESSION_OK);
  assert_true(r.cycles > 0);
  close_rig(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_make_a_whole), cmocka_unit_test(a_fault_is_found_in_pieces),
      cmocka_unit_test(what_is_given_up_leaves_room), cmocka_unit_test(the_model_alone_leaves_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
