/* SPDX-License-Identifier: Apache-2.0
 *
 * The model as a judge of local and generic memory, wide atomics and LDSM:
 * what an issue says, and the order in which lanes may be performed.
 */
#include <string.h>

#include <heddle/isa_tables.h>
#include "tests/cmodel/assembly.h"
#include "tests/test.h"
#include "tests/cmodel/step.h"

static struct heddle_performed p;

static void begin(struct machine *x, const char *text) {
  machine_init(x);
  x->launch.shared_bytes = 0x200;
  x->launch.local_bytes = 0x40;
  machine_text(x, text);
  machine_lockstep(x);
}

static void perform(struct machine *x, uint32_t seq, uint32_t lanes) {
  EXPECT(x, HEDDLE_OK, heddle_perform(x->model, 0, seq, lanes, &p));
}

static void refused(struct machine *x, enum heddle_status want, enum heddle_status got, const char *words) {
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
  refused(&x, HEDDLE_STATE, heddle_perform(x.model, 0, 4, 0x1, &p),
          "before older seq 2 pc 0x00000020 lanes 0x0000ffff of the same local bytes");
  refused(&x, HEDDLE_STATE, heddle_perform(x.model, 0, 3, 0x3, &p), "before older seq 1");
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
  refused(&x, HEDDLE_STATE, heddle_perform(x.model, 0, 8, 0x80000000u, &p), "before older seq 6");
  refused(&x, HEDDLE_STATE, heddle_perform(x.model, 0, 8, 0xff, &p), "before older seq 7");
  perform(&x, 6, ~0u);
  perform(&x, 8, 0x80000000u); /* shared loads in any portion */
  assert_int_equal(p.old_bytes[31][0], 31);
  refused(&x, HEDDLE_STATE, heddle_perform(x.model, 0, 8, 0x1, &p), "of the same sector");
  perform(&x, 7, 0xff);
  refused(&x, HEDDLE_STATE, heddle_perform(x.model, 0, 8, 0x7f, &p), "without lanes 0x00000080 of the same sector");
  perform(&x, 8, 0xff);
  refused(&x, HEDDLE_PENDING, heddle_warp_issue(x.model, 0, &e),
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
  refused(&x, HEDDLE_STATE, heddle_perform(x.model, 0, 3, 0x8, &p), "without lanes 0x00000007 of the same bytes");
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
  refused(&x, HEDDLE_STATE, heddle_warp_issue(x.model, 0, &e), "MEMBAR issues while 1 earlier access(es)");
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
  refused(&x, HEDDLE_STATE, heddle_perform(x.model, 0, 7, 1, &p), "before older seq 6");
  perform(&x, 6, ~0u);
  perform(&x, 7, 0xfe00);
  assert_int_equal(p.rd_words, 0);
  perform(&x, 7, 0xff);
  assert_int_equal(p.rd_done, 1);
  assert_int_equal(p.rd_value[0][31], 7);
  refused(&x, HEDDLE_PENDING, heddle_warp_issue(x.model, 0, &e),
          "reads R9, which waits in lanes 0xffffffff for the access of seq 7");
  perform(&x, 7, 0x100);
  assert_int_equal(p.rd_words, 2);
  assert_int_equal(p.rd_done, 2);
  assert_int_equal(p.rd_value[1][31], 15);
  steps(&x, 1);
  assert_int_equal(heddle_reg(x.model, 0, 10, 4), 9);
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(local_order),  cmocka_unit_test(generic_order), cmocka_unit_test(generic_stores),
      cmocka_unit_test(wide_atomics), cmocka_unit_test(fences),        cmocka_unit_test(matrix_waits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
