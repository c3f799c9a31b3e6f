/* SPDX-License-Identifier: Apache-2.0
 *
 * The model as a judge of local and generic memory, wide atomics and LDSM:
 * what an issue says, and the order in which lanes may be performed.
 */
#include <string.h>

#include <heddle/isa_tables.h>
#include "tests/cmodel/machine.h"
#include "tests/cmodel/step.h"
#include "tests/test.h"

static struct heddle_performed p;

static void begin(struct machine *x, const char *text) {
  machine_init(x);
  x->launch.shared_bytes = 0x200;
  x->launch.local_bytes = 0x40;
  machine_text(x, text);
  machine_lockstep(x);
}

static void perform(struct machine *x, uint32_t seq, uint32_t lanes) {
  EXPECT(x, HEDDLE_SUCCESS, heddle_perform(x->model, 0, seq, lanes, &p));
}

static void refused(struct machine *x, enum heddle_error want, enum heddle_error got, const char *words) {
  EXPECT(x, want, got);
  if (strstr(heddle_model_diag(x->model), words) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", heddle_model_diag(x->model), words);
}

/* In program order where a lane's own bytes meet; lanes are free of each other. */
static void local_order(void **state) {
  (void)state;
  struct machine x;
  begin(&x, "S2R R0, SR_LANEID ;\n"
            "STL [RZ+0x4], R0 ;\n"      /* seq 1 */
            "STL.U8 [RZ+0x8], R0 ;\n"   /* seq 2 */
            "LDL.U8 R1, [RZ+0x6] ;\n"   /* seq 3: bytes of seq 1 */
            "LDL.U8 R2, [RZ+0x8] ;\n"); /* seq 4: those of seq 2 */
  steps(&x, 5);
  assert_int_equal(e.mem_space, ISA_SPACE_LOCAL);
  assert_int_equal(e.mem_lanes, ~0u);
  assert_int_equal(e.mem_addr[7], 8);
  perform(&x, 2, 0xffff0000u); /* apart from seq 1 */
  perform(&x, 4, 0x80000000u);
  assert_int_equal(p.rd_value[0][31], 31);
  assert_int_equal(p.rd_lanes, 0x80000000u);
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 4, 0x1, &p),
          "before older seq 2 pc 0x00000020 lanes 0x0000ffff of the same local bytes");
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 3, 0x3, &p), "before older seq 1");
  perform(&x, 1, 0x2);
  assert_int_equal(p.new_bytes[1][0], 1);
  perform(&x, 3, 0x2);
  assert_int_equal(p.old_bytes[1][0], 0);
  perform(&x, 1, ~0x2u);
  perform(&x, 3, ~0x2u);
  machine_free(&x);
}

/* Each lane obeys the rules of its space. */
static void generic_order(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_ADDRESS TEXT_LANES_BELOW(0x10) "IMAD R4, R0, 0x4, RZ ;\n"
                                                "SEL R5, R3, 0x1000000, P0 ;\n"
                                                "STS [R4], R0 ;\n"       /* seq 6 */
                                                "@P0 STG.E [R4], R0 ;\n" /* seq 7: R4:R5 are global */
                                                "LD.E R6, [R4] ;\n"      /* seq 8 */
                                                "IADD3 R7, R6, 0x1, RZ ;\n");
  steps(&x, 9);
  assert_int_equal(e.mem_space, ISA_SPACE_GENERIC);
  assert_int_equal(e.mem_lanes, ~0u);
  assert_true(e.mem_addr[3] == MEM_BASE + 12);
  assert_true(e.mem_addr[20] == (UINT64_C(1) << 56 | 80));
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 8, 0x80000000u, &p), "before older seq 6");
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 8, 0xff, &p), "before older seq 7");
  perform(&x, 6, ~0u);
  perform(&x, 8, 0x80000000u); /* shared loads in any portion */
  assert_int_equal(p.old_bytes[31][0], 31);
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 8, 0x1, &p), "of the same sector");
  perform(&x, 7, 0xff);
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 8, 0x7f, &p),
          "without lanes 0x00000080 of the same sector");
  perform(&x, 8, 0xff);
  refused(&x, HEDDLE_ERROR_PENDING, heddle_warp_issue(x.model, 0, &e),
          "reads R6, which waits in lanes 0x7fffff00 for the access of seq 8");
  perform(&x, 7, 0xff00);
  perform(&x, 8, 0x7fffff00u);
  assert_true(p.finished);
  steps(&x, 1);
  for (unsigned i = 0; i < 32; i++) assert_int_equal(heddle_reg(x.model, 0, 7, i), i + 1);
  machine_free(&x);
}

/* A generic store into shared memory: lower lanes of the same bytes first. */
static void generic_stores(void **state) {
  (void)state;
  struct machine x;
  begin(&x, "S2R R0, SR_LANEID ;\nMOV R4, 0x10 ;\nMOV R5, 0x1000000 ;\nST.E [R4], R0 ;\nLDS R6, [RZ+0x10] ;\n");
  steps(&x, 5);
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 3, 0x8, &p), "without lanes 0x00000007 of the same bytes");
  perform(&x, 3, 0xf);
  perform(&x, 3, 0xfffffff0u);
  assert_int_equal(p.new_bytes[4][0], 31);
  perform(&x, 4, ~0u);
  assert_int_equal(p.rd_value[0][0], 31);
  machine_free(&x);
}

static void wide_atomics(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_ADDRESS "S2R R0, SR_LANEID ;\n"
                         "MOV R4, R0 ;\nMOV R5, 0x1 ;\n"
                         "ATOMG.E.ADD.64 R6, [R2], R4 ;\n" /* seq 5 */
                         "RED.E.ADD.64 [R2+0x20], R4 ;\n"
                         "MOV R8, 0x7 ;\nMOV R9, RZ ;\nMOV R10, RZ ;\nMOV R11, RZ ;\n"
                         "ATOMG.E.CAS.64 R12, [R2+0x40], R10, R8 ;\n"); /* seq 11 */
  set_mem32(&x, 0, 0xffffffffu);
  steps(&x, 6);
  assert_int_equal(e.mem_kind, HEDDLE_ACCESS_ATOMIC);
  assert_int_equal(e.mem_bytes, 8);
  assert_int_equal(e.rd_words, 2);
  assert_true(e.rd_pending);
  perform(&x, 5, ~0u);
  assert_int_equal(p.rd_words, 2);
  assert_int_equal(p.rd_value[0][1], 0xffffffffu); /* lane 0 added 1 << 32 */
  assert_int_equal(p.rd_value[1][1], 1);
  assert_int_equal(p.rd_value[0][2], 0);
  assert_int_equal(p.rd_value[1][2], 3);
  assert_int_equal(p.old_bytes[2][4], 3);
  assert_int_equal(p.new_bytes[2][0], (496 - 1) & 255);
  steps(&x, 1);
  assert_int_equal(e.mem_kind, HEDDLE_ACCESS_REDUCTION);
  assert_int_equal(e.rd_words, 0);
  perform(&x, 6, ~0u);
  assert_int_equal(p.rd_words, 0);
  assert_int_equal(p.old_bytes[1][4], 1);
  assert_int_equal(mem32(&x, 0x24), 32);
  steps(&x, 5);
  assert_int_equal(e.mem_kind, HEDDLE_ACCESS_COMPARE_SWAP);
  perform(&x, 11, ~0u);
  assert_int_equal(p.rd_value[0][0], 0);
  assert_int_equal(p.rd_value[0][1], 7);
  assert_int_equal(p.new_bytes[31][0], 7);
  machine_free(&x);
}

/* Fences wait for local and generic accesses too; CCTL does nothing. */
static void fences(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_ADDRESS "STL [RZ], R2 ;\nCCTL.E.IVALL [R2] ;\nCCTL.E.PF [R2+0x7ffff0] ;\nMEMBAR.CTA ;\n");
  steps(&x, 5);
  assert_int_equal(e.mem_lanes, 0);
  assert_int_equal(e.mem_space, ISA_SPACE_NONE);
  refused(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 0, &e), "MEMBAR issues while 1 earlier access(es)");
  perform(&x, 2, ~0u);
  steps(&x, 1);
  machine_free(&x);
}

/* A register of an LDSM waits in all lanes until the last row of its matrix. */
static void matrix_waits(void **state) {
  (void)state;
  struct machine x;
  begin(&x, "S2R R0, SR_LANEID ;\nIMAD R1, R0, 0x10, RZ ;\nMOV R4, R0 ;\nMOV R5, R0 ;\nMOV R6, R0 ;\nMOV R7, R0 ;\n"
            "STS.128 [R1], R4 ;\n" /* seq 6 */
            "LDSM.16.M88.2 R8, [R1] ;\n"
            "MOV R10, R9 ;\n");
  steps(&x, 8);
  assert_int_equal(e.mem_lanes, 0xffff);
  assert_int_equal(e.rd_words, 2);
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 7, 1, &p), "before older seq 6");
  perform(&x, 6, ~0u);
  perform(&x, 7, 0xfe00);
  assert_int_equal(p.rd_words, 0);
  perform(&x, 7, 0xff);
  assert_int_equal(p.rd_done, 1);
  assert_int_equal(p.rd_value[0][31], 7);
  refused(&x, HEDDLE_ERROR_PENDING, heddle_warp_issue(x.model, 0, &e),
          "reads R9, which waits in lanes 0xffffffff for the access of seq 7");
  perform(&x, 7, 0x100);
  assert_int_equal(p.rd_words, 2);
  assert_int_equal(p.rd_done, 2);
  assert_int_equal(p.rd_value[1][31], 15);
  steps(&x, 1);
  assert_int_equal(heddle_reg(x.model, 0, 10, 4), 9);
  machine_free(&x);
}

/* Memory that answers with errors where code and constants are read: precise traps, by lines of 64 bytes. */

#define ODD_CODE_AT UINT64_C(0x8000000130) /* a multiple of 16 alone */
#define ODD_BANK_AT UINT64_C(0x800000007c) /* of 4 alone */

static void set_errors(struct machine *x, uint64_t base, uint64_t limit) {
  x->launch.code_at = ODD_CODE_AT;
  x->launch.cbank_at[0] = ODD_BANK_AT;
  x->launch.errors = (struct heddle_errors){base, limit};
}

static void begin_with_errors(struct machine *x, uint64_t base, uint64_t limit) {
  machine_init(x);
  set_errors(x, base, limit);
  machine_emit(x, s2r(0, ISA_SREG_SR_LANEID));
  for (unsigned i = 0; i < 8; i++) machine_emit(x, mov_imm(1, i));
  machine_emit(x, exit_word());
}

/* The line of 0x8000000140 holds pc 0x10 to 0x40: one byte of it is enough, whichever. */
static void fetch(void **state) {
  static const uint64_t byte[] = {0x8000000140, 0x800000015f, 0x8000000160, 0x800000017f};
  (void)state;
  for (unsigned i = 0; i < 4; i++) {
    struct machine x;
    begin_with_errors(&x, byte[i], byte[i] + 1);
    machine_lockstep(&x);
    step(&x, 0, ~0u);
    precise(&x, HEDDLE_TRAP_BUS, 0x10, ~0u, UINT64_C(0x8000000140));
    machine_free(&x);
  }
}

/* The sector is that of the word, wherever in its line the error is. */
static void sector_of_the_word(void **state) {
  struct machine x;
  (void)state;
  machine_init(&x);
  set_errors(&x, UINT64_C(0x8000000140), UINT64_C(0x8000000144));
  machine_emit(&x, bra(0, 0x40));
  for (unsigned i = 0; i < 3; i++) machine_emit(&x, mov_imm(1, i));
  machine_emit(&x, exit_word());
  machine_lockstep(&x);
  step(&x, 0, ~0u);
  precise(&x, HEDDLE_TRAP_BUS, 0x40, ~0u, UINT64_C(0x8000000160));
  machine_free(&x);
}

/* What is read ahead and never issues raises nothing; neighbouring lines have no part in it. */
static void not_reached(void **state) {
  (void)state;
  for (unsigned alone = 0; alone < 2; alone++) {
    struct machine x;
    machine_init(&x);
    set_errors(&x, UINT64_C(0x8000000140), UINT64_C(0x8000000180));
    machine_emit(&x, bra(0, 0x50));
    for (unsigned i = 0; i < 4; i++) machine_emit(&x, mov_imm(1, i));
    machine_emit(&x, exit_word());
    if (alone) {
      EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
    } else {
      machine_lockstep(&x);
      step(&x, 0, ~0u);
      step(&x, 0x50, ~0u);
    }
    machine_free(&x);
  }
}

/* It comes before illegal_instruction, bad_pc before it. */
static void order_of_causes(void **state) {
  struct machine x;
  (void)state;
  machine_init(&x);
  set_errors(&x, ODD_CODE_AT, ODD_CODE_AT + 1);
  machine_emit(&x, (struct heddle_isa_word){~UINT64_C(0), ~UINT64_C(0)});
  machine_lockstep(&x);
  precise(&x, HEDDLE_TRAP_BUS, 0, ~0u, UINT64_C(0x8000000120));
  machine_free(&x);
  machine_init(&x);
  machine_emit(&x, mov_imm(1, 1));
  set_errors(&x, ODD_CODE_AT + 0x10, ODD_CODE_AT + 0x50);
  machine_lockstep(&x);
  step(&x, 0, ~0u);
  precise(&x, HEDDLE_TRAP_BAD_PC, 0x10, ~0u, 0x10);
  machine_free(&x);
}

static void run_alone(void **state) {
  struct machine x;
  (void)state;
  begin_with_errors(&x, UINT64_C(0x8000000150), UINT64_C(0x8000000151));
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_BUS, 0x10, ~0u, UINT64_C(0x8000000140));
  assert_int_equal(x.retired, 1);
  machine_free(&x);
}

static struct heddle_isa_word add_constant(unsigned offset) {
  return WORD(ISA_ENC_IADD3_RCR, ISA_F_RD, 1, ISA_F_RA, 0, ISA_F_COFF, offset, ISA_F_RC, ISA_RZ);
}

/* Offset 0x4 begins the line of 0x8000000080. Whatever the guard says; the address is the offset. */
static void constant_operand(void **state) {
  (void)state;
  for (unsigned guard = 0; guard < 2; guard++) {
    struct machine x;
    machine_init(&x);
    set_errors(&x, UINT64_C(0x80000000bf), UINT64_C(0x80000000c0));
    machine_emit(&x, s2r(0, ISA_SREG_SR_LANEID));
    machine_emit(&x, add_constant(0x0));
    machine_emit(&x, add_constant(0x44));
    machine_emit(&x, guard ? word_guard(add_constant(0x40), 7, true) : add_constant(0x40));
    machine_lockstep(&x);
    steps(&x, 3);
    precise(&x, HEDDLE_TRAP_BUS, 0x30, ~0u, 0x40);
    machine_free(&x);
  }
}

/* Outside of the bank comes first: nothing is read there. */
static void outside_first(void **state) {
  struct machine x;
  (void)state;
  machine_init(&x);
  set_errors(&x, ODD_BANK_AT + 0x200, ODD_BANK_AT + 0x210);
  machine_emit(&x, add_constant(0x200));
  machine_lockstep(&x);
  precise(&x, HEDDLE_TRAP_CONST_RANGE, 0, ~0u, 0x200);
  machine_free(&x);
}

/* Of two words, either. The pair at 0x40 lies across a line's end. */
static void pair_of_words(void **state) {
  static const uint64_t byte[] = {UINT64_C(0x80000000bc), UINT64_C(0x80000000c0)};
  (void)state;
  for (unsigned i = 0; i < 2; i++) {
    struct machine x;
    machine_init(&x);
    set_errors(&x, byte[i], byte[i] + 4);
    machine_emit(&x, WORD(ISA_ENC_DADD_RC, ISA_F_RD, 2, ISA_F_RA, ISA_RZ, ISA_F_COFF, 0x40));
    machine_lockstep(&x);
    precise(&x, HEDDLE_TRAP_BUS, 0, ~0u, 0x40);
    machine_free(&x);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(local_order),    cmocka_unit_test(generic_order),
                                     cmocka_unit_test(generic_stores), cmocka_unit_test(wide_atomics),
                                     cmocka_unit_test(fences),         cmocka_unit_test(matrix_waits),
                                     cmocka_unit_test(fetch),          cmocka_unit_test(sector_of_the_word),
                                     cmocka_unit_test(not_reached),    cmocka_unit_test(order_of_causes),
                                     cmocka_unit_test(run_alone),      cmocka_unit_test(constant_operand),
                                     cmocka_unit_test(outside_first),  cmocka_unit_test(pair_of_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
