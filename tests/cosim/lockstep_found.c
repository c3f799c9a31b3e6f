/* SPDX-License-Identifier: Apache-2.0
 *
 * The smallest programs that showed a difference once, or that a mutant lived through.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "cosim/kit/conform/fake.h"
#include <heddle/asm.h>
#include <heddle/config.h>
#include <heddle/host_regs.h>
#include "tests/cosim/lockstep_rig.h"
#include "cosim/kit/conform/programs.h"

/* The very first access traps: no lane of the beat before has left anything behind, whatever registers start with. */
static const char program_astray[] = ".kernel astray\n"
                                     "        S2R R2, SR_LANEID ;\n"
                                     "        MOV R4, 0x40 ;\n"
                                     "        MOV R5, RZ ;\n"
                                     "        STG.E [R4], R2 ;\n"
                                     "        EXIT ;\n"
                                     ".end\n";

static void test_first_access(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    struct heddle_session_result r = {.size = sizeof r};
    const struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, seed);
    rig_expect(HEDDLE_SESSION_TRAPPED, rig_run(&c, program_astray, &r, NULL), &r);
    assert_int_equal(r.trap.cause, HEDDLE_TRAP_OUT_OF_RANGE);
    assert_int_equal(r.trap.addr, 0x40);
  }
}

/* Two accesses that trap, both issued before the first is looked at, since stores of shared memory are before it: what
 * lies between them is behind the first. */
static const char program_trap_twice[] = ".kernel twice\n"
                                         ".shared all 512\n"
                                         "        S2R R2, SR_LANEID ;\n"
                                         "        MOV R4, 0x40 ;\n"
                                         "        MOV R5, RZ ;\n"
                                         "        IMAD R3, R2, 0x10, RZ ;\n"
                                         "        STS.128 [R3], RZ ;\n"
                                         "        STS.128 [R3], RZ ;\n"
                                         "        STG.E [R4], R2 ;\n"
                                         "        LDS R6, [R3] ;\n"
                                         "        LDS R7, [R3+0x1] ;\n"
                                         "        EXIT ;\n"
                                         ".end\n";

static void test_trap_twice(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  const struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 1);
  rig_expect(HEDDLE_SESSION_TRAPPED, rig_run(&c, program_trap_twice, &r, NULL), &r);
  assert_int_equal(r.trap.cause, HEDDLE_TRAP_OUT_OF_RANGE);
}

/* A conversion whose row stands on the operand bus for several cycles, and right after it an instruction whose operands
 * lie in one bank: none of them may come to the bus before the conversion has taken its own. */
static const char program_kept[] = ".kernel kept\n"
                                   "        S2R R2, SR_LANEID ;\n"
                                   "        IADD3 R8, R2, 0x100, RZ ;\n"
                                   "        IADD3 R12, R2, 0x2000, RZ ;\n"
                                   "        I2F R3, R2 ;\n"
                                   "        IADD3 R5, R8, R12, RZ ;\n"
                                   "        I2F R6, R8 ;\n"
                                   "        IADD3 R7, R12, R8, R12 ;\n"
                                   "        EXIT ;\n"
                                   ".end\n";

static void test_kept_row(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  const struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 6);
  rig_expect(HEDDLE_SESSION_OK, rig_run(&c, program_kept, &r, NULL), &r);
}

/* The last word of that bank as an operand: the one after it, which a pair would have, is not asked for. */
static const char program_last_word[] = ".kernel last\n"
                                        "        IADD3 R0, RZ, c[0x3][0x8], RZ ;\n"
                                        "        IADD3 R1, R0, c[0x3][0x0], RZ ;\n"
                                        "        EXIT ;\n"
                                        ".end\n";

static void test_last_word(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  const struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 6);
  rig_expect(HEDDLE_SESSION_OK, rig_run(&c, program_last_word, &r, NULL), &r);
}

/* Words of a matrix after bytes that lie at odd places: lanes that have no row of it to read have words of it all the
 * same, and what remains of the bytes that they read before says nothing of them. */
static const char program_matrix_bytes[] = ".kernel bytes\n"
                                           ".shared all 512\n"
                                           "        S2R R2, SR_LANEID ;\n"
                                           "        IMAD R3, R2, 0x10, RZ ;\n"
                                           "        IMAD R4, R2, 0x1010101, RZ ;\n"
                                           "        IADD3 R4, R4, 0x4030201, RZ ;\n"
                                           "        STS [R3], R4 ;\n"
                                           "        STS [R3+0x4], R4 ;\n"
                                           "        STS [R3+0x8], R4 ;\n"
                                           "        STS [R3+0xc], R4 ;\n"
                                           "        LDS.U8 R6, [R3+0x1] ;\n"
                                           "        LDS.U8 R7, [R3+0x1] ;\n"
                                           "        LDS.U8 R8, [R3+0x1] ;\n"
                                           "        LDS.U8 R9, [R3+0x1] ;\n"
                                           "        LDSM.16.1 R10, [R3] ;\n"
                                           "        LDSM.16.1 R11, [R3] ;\n"
                                           "        LDSM.16.1 R12, [R3] ;\n"
                                           "        LDSM.16.1 R13, [R3] ;\n"
                                           "        EXIT ;\n"
                                           ".end\n";

static void test_matrix_bytes(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  const struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 6);
  rig_expect(HEDDLE_SESSION_OK, rig_run(&c, program_matrix_bytes, &r, NULL), &r);
}

/* A slow unit is at work while the first word of a bank is fetched for a uniform register, which the next instruction
 * reads: what lets the warp go on is the word, not the unit's end. */
static const char program_uniform_load[] = ".kernel load\n"
                                           "        S2R R1, SR_LANEID ;\n"
                                           "        MUFU.EX2 R5, R1 ;\n"
                                           "        ULDC UR4, c[0x3][URZ] ;\n"
                                           "        IADD3 R6, R1, UR4, RZ ;\n"
                                           "        MOV R7, R5 ;\n"
                                           "        EXIT ;\n"
                                           ".end\n";

static void test_uniform_load(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  const struct heddle_config *m = heddle_config_find(rig_machine);
  assert_non_null(m);
  struct fake_program p;
  bool there = true;
  fake_assemble(&p, program_uniform_load, 1, 32);
  for (uint32_t pc = 0, bytes; pc < p.program->code_bytes; pc += bytes) {
    struct heddle_isa_dec d;
    struct heddle_isa_word w;
    assert_true(heddle_isa_fetch(p.program->code, pc, &w, &bytes) && heddle_isa_decode(w, &d));
    there &= heddle_isa_in_machine(&d, heddle_config_units(m));
  }
  fake_program_free(&p);
  struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 6);
  c.scoreboard = false; /* which would see to it as well */
  rig_expect(there ? HEDDLE_SESSION_OK : HEDDLE_SESSION_TRAPPED, rig_run(&c, program_uniform_load, &r, NULL), &r);
}

/* A grid that begins where no code is, just behind it and far away. */
static void test_entry(void **state) {
  (void)state;
  struct heddle_message msg;
  struct fake_program p;
  struct heddle_session_result r = {.size = sizeof r};
  const struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 5);
  struct heddle_session *s;
  if (heddle_session_open(&c, &s, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  fake_assemble(&p, program_mix, 2, 64);
  const uint32_t entry = p.launch.entry_pc, wrong[] = {p.launch.code_bytes, 0x7ffffff0, entry + 4};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    fake_fill(heddle_session_memory(s));
    p.launch.entry_pc = wrong[i];
    rig_expect(HEDDLE_SESSION_TRAPPED, heddle_session_run(s, &p.launch, &r), &r);
    assert_int_equal(r.trap.cause, HEDDLE_TRAP_BAD_PC);
    assert_int_equal(r.trap.pc, wrong[i]);
    fake_fill(heddle_session_memory(s));
    p.launch.entry_pc = entry;
    rig_expect(HEDDLE_SESSION_OK, heddle_session_run(s, &p.launch, &r), &r);
  }
  assert_int_equal(heddle_session_close(s, NULL), HEDDLE_SUCCESS);
  fake_program_free(&p);
}

/* The first warp of a block traps before the last one has been started, and the host launches again at once: what the
 * first grid still shows is its own. */
static void test_trap_at_once(void **state) {
  (void)state;
  struct heddle_message msg;
  struct fake_program p;
  struct heddle_session_result r = {.size = sizeof r};
  const struct heddle_config *m = heddle_config_find(rig_machine);
  assert_non_null(m);
  for (uint64_t seed = 1; seed <= 4; seed++) {
    const struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, seed);
    struct heddle_session *s;
    if (heddle_session_open(&c, &s, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
    fake_assemble(&p, rig_vecadd, 2, m->warps < 32 ? 32 * m->warps : 1024);
    p.launch.entry_pc = 0x7ffffff0;
    for (unsigned i = 0; i < 4; i++) {
      fake_fill(heddle_session_memory(s));
      rig_expect(HEDDLE_SESSION_TRAPPED, heddle_session_run(s, &p.launch, &r), &r);
      assert_int_equal(r.trap.cause, HEDDLE_TRAP_BAD_PC);
    }
    assert_int_equal(heddle_session_close(s, NULL), HEDDLE_SUCCESS);
    fake_program_free(&p);
  }
}

/* Memory answers a line with an error, since it goes wrong in its first sector; younger accesses of the warp have
 * already gone to the last one, which is right. They are performed, and wait for nothing that never will be. */
static const char program_error_line[] = ".kernel line\n"
                                         ".param u64 out\n"
                                         "        S2R R2, SR_LANEID ;\n"
                                         "        MOV R4, c[0x0][out] ;\n"
                                         "        MOV R5, c[0x0][out+4] ;\n"
                                         "        ISETP.GE.U32.AND P0, PT, R2, 0x18, PT ;\n"
                                         "        IMAD.WIDE R4, R2, 0x4, R4 ;\n"
                                         "        STG.E [R4], R2 ;\n"
                                         "    @P0 STG.E [R4], R4 ;\n"
                                         "    @P0 LDG.E R6, [R4] ;\n"
                                         "        EXIT ;\n"
                                         ".end\n";

/* The same in local memory, where words 0 to 3 of a thread are lines. */
static const char program_error_word[] = ".kernel word\n"
                                         ".local 32\n"
                                         "        S2R R2, SR_LANEID ;\n"
                                         "        ISETP.GE.U32.AND P0, PT, R2, 0x18, PT ;\n"
                                         "        STL.128 [RZ], RZ ;\n"
                                         "    @P0 STL.64 [RZ], RZ ;\n"
                                         "    @P0 LDL R6, [RZ] ;\n"
                                         "        EXIT ;\n"
                                         ".end\n";

static void test_error_of_a_line(void **state) {
  (void)state;
  static const struct {
    const char *text;
    enum heddle_errors_in in;
    uint64_t base;
  } all[] = {{program_error_line, HEDDLE_ERRORS_AT, FAKE_BASE}, {program_error_word, HEDDLE_ERRORS_LOCAL, 0}};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    struct heddle_session_result r = {.size = sizeof r};
    struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 6);
    c.adversarial = false;
    c.latency = 20;
    c.error_in = all[i].in;
    c.error_base = all[i].base;
    c.error_limit = all[i].base + 4;
    const bool kept = rig_writes_back(); /* all words of the load are there: nobody asks memory */
    rig_expect(kept ? HEDDLE_SESSION_OK : HEDDLE_SESSION_TRAPPED, rig_run(&c, all[i].text, &r, NULL), &r);
    if (!kept) assert_int_equal(r.trap.cause, HEDDLE_TRAP_BUS);
  }
}

/* Two loads of lines that memory refuses, in whatever order it answers: the first one is told. */
static const char program_two_errors[] = ".kernel two\n"
                                         ".param u64 out\n"
                                         "        MOV R4, c[0x0][out] ;\n"
                                         "        MOV R5, c[0x0][out+4] ;\n"
                                         "        LDG.E.STRONG.GPU R6, [R4] ;\n"
                                         "        LDG.E.STRONG.GPU R7, [R4+0x80] ;\n"
                                         "        EXIT ;\n"
                                         ".end\n";

static void test_two_errors(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    struct heddle_session_result r = {.size = sizeof r};
    struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, seed);
    c.error_base = FAKE_BASE;
    c.error_limit = FAKE_BASE + 0x100;
    rig_expect(HEDDLE_SESSION_TRAPPED, rig_run(&c, program_two_errors, &r, NULL), &r);
    assert_int_equal(r.trap.cause, HEDDLE_TRAP_BUS);
    assert_int_equal(r.trap.pc, 0x20);
  }
}

/* So many blocks of one warp, which ends at once, that slots have had 256 warps: generation 0 follows 255. */
static void test_generations(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 1);
  c.adversarial = false;
  c.max_cycles = 0;
  rig_expect(HEDDLE_SESSION_OK, rig_run_grid(&c, ".kernel many\n        EXIT ;\n.end\n", 8192, 32, &r, NULL), &r);
  assert_int_equal(r.insns, 8192);
}

/* With few lanes each word of each lane is a beat on the request channel, whatever they share: 128 of one request. */
static const char program_one_place[] = ".kernel place\n"
                                        ".param u64 out\n"
                                        "        MOV R4, c[0x0][out] ;\n"
                                        "        MOV R5, c[0x0][out+4] ;\n"
                                        "        ST.E.128 [R4], RZ ;\n"
                                        "        EXIT ;\n"
                                        ".end\n";

static void test_one_place(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  const struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 1);
  rig_expect(HEDDLE_SESSION_OK, rig_run(&c, program_one_place, &r, NULL), &r);
}

int lockstep_found(void) {
  const struct CMUnitTest all[] = {
      cmocka_unit_test(test_first_access),    cmocka_unit_test(test_trap_twice), cmocka_unit_test(test_kept_row),
      cmocka_unit_test(test_matrix_bytes),    cmocka_unit_test(test_last_word),  cmocka_unit_test(test_uniform_load),
      cmocka_unit_test(test_error_of_a_line), cmocka_unit_test(test_entry),      cmocka_unit_test(test_trap_at_once),
      cmocka_unit_test(test_one_place),       cmocka_unit_test(test_two_errors), cmocka_unit_test(test_generations)};
  return cmocka_run_group_tests(all, NULL, NULL);
}
