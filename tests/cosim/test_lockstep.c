/* SPDX-License-Identifier: Apache-2.0
 *
 * The Verilated RTL under a session: lockstep, alone, traced, faulty, trapping. Uses the configurations that are built
 * (arguments of the program; "systemc:tiny" for the SystemC back end).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <jansson.h>

#include "cosim/kit/conform/fake.h"
#include <heddle/asm.h>
#include <heddle/config.h>
#include <heddle/host_regs.h>
#include "cosim/checker/report.h"
#include <heddle/session.h>
#include "tests/cosim/lockstep_rig.h"
#include "cosim/kit/conform/programs.h"

static void test_lockstep(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  for (uint64_t seed = 1; seed <= 6; seed++) {
    struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, seed);
    c.adversarial = seed % 3 != 0;
    c.withhold_ready = seed % 2 == 0;
    c.scoreboard = seed % 4 < 2;
    rig_expect(HEDDLE_SESSION_OK, rig_run(&c, program_mix, &r, NULL), &r);
    assert_int_equal(r.checked.issued, r.insns);
    assert_int_equal(r.checked.retired, r.insns);
    assert_true(r.checked.lanes_compared > 10000 && r.checked.performs > 300 && r.cycles > 100);
    if (!c.adversarial) continue;
    assert_true(r.memory.w_before_aw > 0 && r.memory.r_reordered > 0 && r.memory.protocol_errors == 0);
    for (unsigned i = 0; i < HEDDLE_AXI_CHANNELS; i++)
      assert_true(i == HEDDLE_AXI_B || i == HEDDLE_AXI_R || r.memory.held[i] > 0);
  }
}

/* A race-free program ends in the same memory on the model alone, the device alone and both. */
static void test_three_modes(void **state) {
  (void)state;
  static uint8_t memory[3][FAKE_BYTES];
  struct heddle_session_result r = {.size = sizeof r};
  for (unsigned mode = 0; mode < 3; mode++) {
    const struct heddle_session_config c = rig_base((enum heddle_session_mode)mode, 9);
    rig_expect(HEDDLE_SESSION_OK, rig_run(&c, rig_vecadd, &r, memory[mode]), &r);
  }
  assert_memory_equal(memory[0], memory[1], FAKE_BYTES);
  assert_memory_equal(memory[0], memory[2], FAKE_BYTES);
}

/* What a machine says of itself, by one bit each: clocks rise, also as pairs; numbers are below how many there are. */
static const char program_machine[] = ".kernel machine\n"
                                      ".param u64 in\n"
                                      ".param u64 out\n"
                                      "        CS2R R10, SR_CLOCKLO ;\n"
                                      "        S2R R12, SR_CLOCKLO ;\n"
                                      "        S2R R13, SR_CLOCKHI ;\n"
                                      "        CS2R R14, SR_CLOCKLO ;\n"
                                      "        CS2R R16, SRZ ;\n"
                                      "        S2R R18, SRZ ;\n"
                                      "        S2R R20, SR_WARPID ;\n"
                                      "        S2R R21, SR_NWARPID ;\n"
                                      "        S2R R22, SR_SMID ;\n"
                                      "        S2R R23, SR_NSMID ;\n"
                                      "        ISETP.LT.U32.AND P0, PT, R10, R12, PT ;\n"
                                      "        ISETP.LT.U32.AND P1, PT, R12, R14, PT ;\n"
                                      "        ISETP.EQ.AND P2, PT, R11, R13, PT ;\n"
                                      "        ISETP.EQ.AND P2, PT, R15, R13, P2 ;\n"
                                      "        LOP3.LUT P3, R16, R16, R17, R18, 0xfe ;\n"
                                      "        ISETP.LT.U32.AND P4, PT, R20, R21, PT ;\n"
                                      "        ISETP.LT.U32.AND P5, PT, R22, R23, PT ;\n"
                                      "        MOV R0, RZ ;\n"
                                      "@P0     IADD3 R0, R0, 0x1, RZ ;\n"
                                      "@P1     IADD3 R0, R0, 0x2, RZ ;\n"
                                      "@P2     IADD3 R0, R0, 0x4, RZ ;\n"
                                      "@!P3    IADD3 R0, R0, 0x8, RZ ;\n"
                                      "@P4     IADD3 R0, R0, 0x10, RZ ;\n"
                                      "@P5     IADD3 R0, R0, 0x20, RZ ;\n"
                                      "        S2R R1, SR_CTAID.X ;\n"
                                      "        S2R R2, SR_TID.X ;\n"
                                      "        IMAD R2, R1, c[0x0][0x0], R2 ;\n"
                                      "        MOV R4, c[0x0][out] ;\n"
                                      "        MOV R5, c[0x0][out+4] ;\n"
                                      "        IMAD.WIDE R4, R2, 0x4, R4 ;\n"
                                      "        STG.E [R4], R0 ;\n"
                                      "        EXIT ;\n"
                                      ".end\n";

static void test_machine(void **state) {
  (void)state;
  static uint8_t memory[FAKE_BYTES];
  for (unsigned mode = 0; mode < 3; mode++) {
    struct heddle_session_result r = {.size = sizeof r};
    const struct heddle_session_config c = rig_base((enum heddle_session_mode)mode, 4);
    rig_expect(HEDDLE_SESSION_OK, rig_run(&c, program_machine, &r, memory), &r);
    for (unsigned i = 0; i < 12 * 64; i++) {
      uint32_t facts;
      memcpy(&facts, memory + FAKE_BYTES / 2 + 4 * i, 4);
      assert_int_equal(facts, 0x3f);
    }
  }
}

/* Several launches of one session; after a trap the next one runs as if nothing had been. */
static void test_several(void **state) {
  (void)state;
  struct heddle_message msg;
  struct fake_program p[3];
  struct heddle_session_result r = {.size = sizeof r};
  const struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 3);
  struct heddle_session *s;
  if (heddle_session_open(&c, &s, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  fake_assemble(&p[0], program_mix, 3, 64);
  fake_assemble(&p[1], program_address, 2, 64);
  fake_assemble(&p[2], program_illegal, 2, 32);
  for (unsigned i = 0; i < 7; i++) {
    fake_fill(heddle_session_memory(s));
    const unsigned k = i % 2 == 0 ? 0 : 1 + i / 2 % 2;
    rig_expect(k == 0 ? HEDDLE_SESSION_OK : HEDDLE_SESSION_TRAPPED, heddle_session_run(s, &p[k].launch, &r), &r);
    if (k == 1) assert_int_equal(r.trap.cause, HEDDLE_TRAP_MISALIGNED);
    if (k == 2) assert_int_equal(r.trap.cause, HEDDLE_TRAP_CONST_RANGE);
  }
  assert_int_equal(heddle_session_close(s, NULL), HEDDLE_SUCCESS);
  for (unsigned i = 0; i < 3; i++) fake_program_free(&p[i]);
}

/* A recorded run is judged again from its file. */
static void test_traced(void **state) {
  (void)state;
  char path[] = "/tmp/heddle_lockstep_XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  struct heddle_session_result live = {.size = sizeof live}, again = {.size = sizeof again};
  struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 4);
  c.trace = path;
  rig_expect(HEDDLE_SESSION_OK, rig_run(&c, program_mix, &live, NULL), &live);
  rig_expect(HEDDLE_SESSION_OK, heddle_session_check_trace(path, NULL, 0, rig_disassemble, NULL, &again, NULL), &again);
  assert_int_equal(live.checked.retired, again.checked.retired);
  assert_int_equal(live.checked.lanes_compared, again.checked.lanes_compared);
  c.fault = 1;
  rig_expect(HEDDLE_SESSION_DIFFERENCE, rig_run(&c, program_mix, &live, NULL), &live);
  rig_expect(HEDDLE_SESSION_DIFFERENCE, heddle_session_check_trace(path, NULL, 0, rig_disassemble, NULL, &again, NULL),
             &again);
  assert_int_equal(live.difference.kind, again.difference.kind);
  unlink(path);
}

static void test_faults(void **state) {
  (void)state;
  static const struct {
    uint8_t fault;
    enum heddle_checker_kind kind;
    unsigned more; /* seeds: what is written wrong to memory may be written again before anyone looks */
  } want[] = {{1, HEDDLE_CHECKER_WRITEBACK_VALUE, 0}, {5, HEDDLE_CHECKER_OPERAND_VALUE, 0},
              {7, HEDDLE_CHECKER_BARRIER_RELEASE, 0}, {11, HEDDLE_CHECKER_OPERAND_VALUE, 0},
              {13, HEDDLE_CHECKER_MEMORY_FINAL, 2},   {33, HEDDLE_CHECKER_PERFORM_DOUBLE, 0},
              {36, HEDDLE_CHECKER_SEQUENCE_GAP, 0},   {80, HEDDLE_CHECKER_MEMORY_FINAL, 2}};
  struct heddle_session_result r = {.size = sizeof r};
  const uint8_t absent = rig_writes_back() ? 13 : 80; /* one is of bursts to memory, the other of a cache before it */
  for (unsigned i = 0; i < sizeof want / sizeof want[0]; i++) {
    enum heddle_session_outcome o = HEDDLE_SESSION_OK;
    if (want[i].fault == absent) continue;
    for (unsigned seed = 1; seed <= 1 + want[i].more && o == HEDDLE_SESSION_OK; seed++) {
      struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, seed);
      c.fault = want[i].fault;
      o = rig_run(&c, program_mix, &r, NULL);
    }
    if (o != HEDDLE_SESSION_DIFFERENCE) fail_msg("fault %u: %s", want[i].fault, heddle_session_outcome_name(o));
    if (r.difference.kind != want[i].kind)
      print_message("fault %u: %s rather than %s\n", want[i].fault, heddle_checker_kind_name(r.difference.kind),
                    heddle_checker_kind_name(want[i].kind));
  }
}

/* An instruction of each unit, and atomics: it runs where the configuration names the unit (and the RTL has the
 * instruction), and is illegal elsewhere; lockstep, where both sides must agree, and the hardware alone. */
static void test_units(void **state) {
  (void)state;
  static const char *const line[] = {"MUFU.RCP R4, R0",
                                     "HADD2 R4, R0, R0",
                                     "DADD R4, R0, R0",
                                     "VOTE.ANY R4, P0, PT",
                                     "UMOV UR4, 0x1",
                                     "IADD3 R4, R0, R0, RZ",
                                     "FFMA R4, R0, R0, R0",
                                     "I2F R4, R0",
                                     "HMMA.16816.F32 R4, R0, R0, R0",
                                     "MUFU.EX2 R4, c[0x0][0x4]",
                                     "ATOMS.ADD.F32 R4, [RZ], R0",
                                     "ATOMS.ADD.F16X2 R4, [RZ], R0",
                                     "ATOMS.ADD.F64 R4, [RZ], R0",
                                     "ATOMS.ADD R4, [RZ], R0",
                                     "ATOMS.CAS R4, [RZ], R0, R1",
                                     "@!PT RED.E.ADD.F32 [R0], R2",
                                     "@!PT ATOMG.E.ADD.F64 R4, [R0], R2",
                                     "@!PT ATOM.E.ADD.F16X2 R4, [R0], R2",
                                     "@!PT RED.E.ADD [R0], R2",
                                     "@!PT LDGSTS.E.128 [R0], [R2]",
                                     "LDGDEPBAR"};
  const struct heddle_config *m = heddle_config_find(rig_machine);
  assert_non_null(m);
  unsigned ran = 0;
  for (unsigned i = 0; i < sizeof line / sizeof *line; i++) {
    char text[256];
    struct heddle_isa_dec d;
    struct heddle_session_result r = {.size = sizeof r};
    struct fake_program p;
    snprintf(text, sizeof text,
             ".pack off\n.kernel k\n.regs 8\n.shared room 16\n        MOV R0, 0x3f800000 ;\n        MOV R1, R0 ;\n     "
             "   MOV R2, "
             "R0 ;\n        "
             "MOV R3, R0 ;\n        STS.128 [RZ], R0 ;\n"
             "        %s ;\n        EXIT ;\n.end\n",
             line[i]);
    fake_assemble(&p, text, 1, 32);
    assert_true(heddle_isa_decode(heddle_program_word(p.program, 5 * ISA_WORD_BYTES), &d));
    fake_program_free(&p);
    const bool there = heddle_isa_in_machine(&d, heddle_config_units(m));
    for (unsigned mode = HEDDLE_SESSION_RTL; mode <= HEDDLE_SESSION_LOCKSTEP; mode++) {
      struct heddle_session_config c = rig_base((enum heddle_session_mode)mode, 4);
      const enum heddle_session_outcome o = rig_run(&c, text, &r, NULL);
      if (o != (there ? HEDDLE_SESSION_OK : HEDDLE_SESSION_TRAPPED))
        fail_msg("%s: %s: %s %s", line[i], there ? "there" : "not there", heddle_session_outcome_name(o), r.message);
      if (!there) assert_int_equal(r.trap.cause, HEDDLE_TRAP_ILLEGAL);
      if (!there) assert_int_equal(r.trap.pc, 5 * ISA_WORD_BYTES);
    }
    ran += there;
  }
  assert_true(ran >= 3); /* those of alu, fma, cvt */
}

/* Errors on the bus become a trap, and only where they were asked for. */
static void test_bus_error(void **state) {
  (void)state;
  char path[] = "/tmp/heddle_lockstep_XXXXXX", words[64];
  const int fd = mkstemp(path);
  struct heddle_session_result r = {.size = sizeof r}, again = {.size = sizeof again};
  struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 2);
  assert_true(fd >= 0);
  close(fd);
  c.error_base = FAKE_BASE + 0x40;
  c.error_limit = FAKE_BASE + 0x60;
  c.trace = path;
  rig_expect(HEDDLE_SESSION_TRAPPED, rig_run(&c, rig_vecadd, &r, NULL), &r);
  assert_int_equal(r.trap.cause, HEDDLE_TRAP_BUS);
  rig_expect(HEDDLE_SESSION_TRAPPED, heddle_session_check_trace(path, NULL, 0, rig_disassemble, NULL, &again, NULL),
             &again);
  assert_int_equal(again.trap.cause, HEDDLE_TRAP_BUS);
  assert_int_equal(again.trap.pc, r.trap.pc);
  assert_int_equal(again.trap.lanes, r.trap.lanes);
  assert_int_equal(again.trap.addr, r.trap.addr);
  (void)snprintf(words, sizeof words, "trap bus_error at pc 0x%x", r.trap.pc);
  assert_string_equal(again.message, words);
  unlink(path);
}

static const char program_unwritten[] = ".kernel unwritten\n"
                                        ".param u64 in\n"
                                        ".param u64 out\n"
                                        "        S2R R1, SR_TID.X ;\n"
                                        "        MOV R6, c[0x0][out] ;\n"
                                        "        MOV R7, c[0x0][out+4] ;\n"
                                        "        IMAD.WIDE R6, R1, 0x4, R6 ;\n"
                                        "        STG.E [R6], R20 ;\n"
                                        "        EXIT ;\n"
                                        ".end\n";

/* What reset leaves alone starts at random: two seeds differ, one seed does not. With an MMU the first launch, too,
 * finds nothing of anybody else's: registers are 0. */
static void test_random_start(void **state) {
  (void)state;
  static uint8_t memory[3][FAKE_BYTES];
  for (unsigned i = 0; i < 3; i++) {
    struct heddle_session_result r = {.size = sizeof r};
    const struct heddle_session_config c = rig_base(HEDDLE_SESSION_RTL, i == 2 ? 1 : 1 + i);
    rig_expect(HEDDLE_SESSION_OK, rig_run(&c, program_unwritten, &r, memory[i]), &r);
  }
  if (heddle_config_find(rig_machine)->mmu != 0)
    assert_memory_equal(memory[0], memory[1], FAKE_BYTES);
  else
    assert_memory_not_equal(memory[0], memory[1], FAKE_BYTES);
  assert_memory_equal(memory[0], memory[2], FAKE_BYTES);
}

static void test_limits(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 2);
  c.max_cycles = 600;
  rig_expect(HEDDLE_SESSION_LIMIT, rig_run(&c, program_mix, &r, NULL), &r);
  c = rig_base(HEDDLE_SESSION_MODEL, 2);
  c.max_insns = 10;
  rig_expect(HEDDLE_SESSION_LIMIT, rig_run(&c, program_mix, &r, NULL), &r);
  struct heddle_session *s;
  c.config = "nonexistent";
  c.mode = HEDDLE_SESSION_RTL;
  assert_int_equal(heddle_session_open(&c, &s, NULL), HEDDLE_ERROR_NO_DEVICE);
  assert_null(s);
}

/* Warp 1 leaves; warp 0 waits for two warps, and model and hardware agree that it does. */
static const char program_stuck[] = ".kernel stuck\n"
                                    "        S2R RZ, SR_LANEID ;\n"
                                    "        S2R R0, SR_TID.X ;\n"
                                    "        ISETP.GT.U32.AND P0, PT, R0, 0x1f, PT ;\n"
                                    "@P0     EXIT ;\n"
                                    "        BAR.SYNC 0x1, 0x40 ;\n"
                                    "        EXIT ;\n"
                                    ".end\n";

static void test_deadlock(void **state) {
  (void)state;
  struct heddle_message msg;
  char *text = NULL;
  size_t n;
  struct heddle_session_result r = {.size = sizeof r};
  struct fake_program p;
  const struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 2);
  struct heddle_session *s;
  if (heddle_session_open(&c, &s, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  fake_assemble(&p, program_stuck, 1, 64);
  rig_expect(HEDDLE_SESSION_HUNG, heddle_session_run(s, &p.launch, &r), &r);
  assert_non_null(strstr(r.message, "deadlock"));
  assert_true(r.device_cycles < 10000);
  FILE *f = open_memstream(&text, &n);
  assert_non_null(f);
  heddle_session_report_text(s, f);
  fclose(f);
  assert_non_null(strstr(text, "barrier 1, where 1 of 2 warps are"));
  assert_non_null(strstr(text, "missing: warp 1, which has ended"));
  json_t *j = session_report_json(s);
  assert_int_equal(json_array_size(json_object_get(j, "waiting")), 2);
  json_decref(j);
  free(text);
  assert_int_equal(heddle_session_close(s, NULL), HEDDLE_SUCCESS);
  fake_program_free(&p);
}

static int one(const char *arg) {
  static char name[64];
  snprintf(name, sizeof name, "%s", arg);
  char *colon = strchr(name, ':');
  rig_backend = colon != NULL ? name : "verilator";
  rig_machine = colon != NULL ? colon + 1 : name;
  if (colon != NULL) *colon = '\0';
  print_message("%s %s\n", rig_backend, rig_machine);
  const struct CMUnitTest all[] = {
      cmocka_unit_test(test_lockstep),     cmocka_unit_test(test_three_modes), cmocka_unit_test(test_several),
      cmocka_unit_test(test_traced),       cmocka_unit_test(test_faults),      cmocka_unit_test(test_bus_error),
      cmocka_unit_test(test_random_start), cmocka_unit_test(test_limits),      cmocka_unit_test(test_deadlock),
      cmocka_unit_test(test_units),        cmocka_unit_test(test_machine)};
  const struct CMUnitTest few[] = {cmocka_unit_test(test_three_modes), cmocka_unit_test(test_several)};
  if (colon != NULL) return cmocka_run_group_tests(few, NULL, NULL);
  return cmocka_run_group_tests(all, NULL, NULL) + lockstep_found() + lockstep_async();
}

int main(int argc, char **argv) {
  int failed = argc < 2;
  for (int i = 1; i < argc; i++) failed += one(argv[i]);
  return failed;
}
