/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies: what they move, alone and as a judge sees it; what traps; the order of their two accesses with
 * each other and with those of their warp (isa/doc/14-asynchronous-copies.md).
 */
#include <stdio.h>
#include <string.h>

#include "tests/cmodel/machine.h"
#include "tests/test.h"
#include <heddle/isa_tables.h>
#include "tests/cmodel/step.h"

#define SHARED 0x400u

static struct heddle_performed p;

static void begin(struct machine *x, const char *text) {
  machine_init(x);
  x->launch.shared_bytes = SHARED;
  machine_text(x, text);
}

static void refused(struct machine *x, enum heddle_error got, const char *words) {
  EXPECT(x, HEDDLE_ERROR_STATE, got);
  if (strstr(heddle_model_diag(x->model), words) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", heddle_model_diag(x->model), words);
}

static void load(struct machine *x, uint32_t seq, uint32_t lanes) {
  EXPECT(x, HEDDLE_SUCCESS, heddle_perform(x->model, 0, seq, lanes, &p));
}

static void store(struct machine *x, uint32_t seq, uint32_t lanes) {
  EXPECT(x, HEDDLE_SUCCESS, heddle_perform_store(x->model, 0, seq, lanes, &p));
}

/* All accesses at once, until the warp ends. */
static enum heddle_error in_lockstep(struct machine *x) {
  machine_lockstep(x);
  for (;;) {
    enum heddle_error s = heddle_warp_issue(x->model, 0, &e);
    if (s == HEDDLE_SUCCESS) s = heddle_perform_whole(x->model, 0, &e, &p);
    if (s != HEDDLE_SUCCESS) return s;
    if (e.warp_ended) return heddle_block_end(x->model, 0);
  }
}

/* R0 = lane; R2:R3 = MEM_BASE + n lane; R6 = n lane. Seven instructions. */
#define TEXT_PLACES(n)                                                                                                 \
  TEXT_ADDRESS "S2R R0, SR_LANEID ;\nIMAD.WIDE R2, R0, " #n ", R2 ;\nIMAD R6, R0, " #n ", RZ ;\n"                      \
               "MOV R8, R2 ;\nMOV R9, R3 ;\n"
#define PLACES 7u

/* Each size from off its place, in the lanes of a guard; the others keep what was there. */
static void moves(void **state) {
  (void)state;
  static const char *const size[] = {"", ".64", ".128"};
  for (unsigned n = 0; n < 6; n++) {
    const unsigned bytes = 4u << n / 2, words = bytes / 4;
    char text[800];
    snprintf(text, sizeof text,
             TEXT_ADDRESS "S2R R0, SR_LANEID ;\nISETP.LT.U32.AND P0, PT, R0, 0x9, PT ;\n"
                          "IMAD.WIDE R4, R0, 0x%x, R2 ;\nIMAD R6, R0, 0x%x, RZ ;\n"
                          "MOV R8, 0x7 ;\nMOV R9, 0x7 ;\nMOV R10, 0x7 ;\nMOV R11, 0x7 ;\nSTS%s [R6], R8 ;\n"
                          "@!P0 LDGSTS.E%s [R6], [R4+0x1000] ;\nLDGDEPBAR ;\nDEPBAR.LE SB5, 0x0 ;\n"
                          "LDS%s R8, [R6] ;\nSTG.E%s [R4], R8 ;\nEXIT ;\n",
             bytes, bytes, size[n / 2], size[n / 2], size[n / 2], size[n / 2]);
    struct machine x;
    begin(&x, text);
    for (unsigned i = 0; i < 32 * words; i++) set_mem32(&x, 0x1000 + 4 * i, 100 + i);
    EXPECT(&x, HEDDLE_SUCCESS, n % 2 == 0 ? machine_run(&x) : in_lockstep(&x));
    for (unsigned i = 0; i < 32 * words; i++) assert_int_equal(mem32(&x, 4 * i), i / words < 9 ? 7 : 100 + i);
    machine_free(&x);
  }
}

/* Lanes that write the same bytes: the highest stays. */
static void highest_lane(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    struct machine x;
    begin(&x, TEXT_PLACES(0x4) "LOP3.LUT R6, R6, 0x38, RZ, 0xc0 ;\nLDGSTS.E [R6], [R2+0x80] ;\nLDS R7, [R6] ;\n"
                               "STG.E [R2], R7 ;\nEXIT ;\n");
    for (unsigned i = 0; i < 32; i++) set_mem32(&x, 0x80 + 4 * i, i);
    EXPECT(&x, HEDDLE_SUCCESS, way == 0 ? machine_run(&x) : in_lockstep(&x));
    for (unsigned i = 0; i < 32; i++) assert_int_equal(mem32(&x, 4 * i), 17 + (i & 14));
    machine_free(&x);
  }
}

/* What the judge is told, and asks. */
static void effect(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_PLACES(0x8) "LDGSTS.E.64 [R6], [R2-0x8] ;\n@!PT LDGSTS.E [R6], [R2+0x1] ;\nLDGDEPBAR ;\n");
  x.launch.region[0].writable = false; /* it only reads there */
  machine_lockstep(&x);
  steps(&x, PLACES);
  steps(&x, 1);
  assert_true(e.traps); /* lane 0 lies below the region */
  machine_free(&x);

  begin(&x, TEXT_PLACES(0x8) "LDGSTS.E.64 [R6], [R2+0x8] ;\n@!PT LDGSTS.E [R6], [R2+0x1] ;\nLDGDEPBAR ;\n");
  x.launch.region[0].writable = false;
  machine_lockstep(&x);
  steps(&x, PLACES + 1);
  assert_int_equal(e.mem_space, ISA_SPACE_GLOBAL);
  assert_int_equal(e.mem_kind, HEDDLE_ACCESS_COPY);
  assert_int_equal(e.mem_bytes, 8);
  assert_int_equal(e.mem_lanes, ~0u);
  assert_int_equal(e.rd_words, 0);
  assert_int_equal(e.src_words[0], 2);
  assert_int_equal(e.src_words[1], 1);
  for (unsigned i = 0; i < 32; i++) {
    assert_int_equal(e.mem_addr[i], MEM_BASE + 8 * i + 8);
    assert_int_equal(e.copy_addr[i], 8 * i);
  }
  assert_int_equal(heddle_warp_pending(x.model, 0), 2);
  steps(&x, 1);
  assert_int_equal(e.mem_lanes, 0); /* nobody executes it, whatever its address is */
  steps(&x, 1);
  assert_int_equal(e.mem_lanes, 0);
  assert_int_equal(e.mem_space, ISA_SPACE_NONE);
  machine_free(&x);
}

/* The load reads at its moment, the store writes at its own what the load has read. */
static void two_moments(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_PLACES(0x4) "LDGSTS.E [R6], [R2] ;\n" /* seq 7 */
                             "LDS R7, [R6] ;\nLDS R10, [R6] ;\n");
  machine_lockstep(&x);
  steps(&x, PLACES + 1);
  for (unsigned i = 0; i < 32; i++) set_mem32(&x, 4 * i, 50 + i);
  refused(&x, heddle_perform_store(x.model, 0, 7, 1, &p), "lanes 0x00000001 stored, of which 0x00000001 have not");
  refused(&x, heddle_perform(x.model, 0, 7, 0x7f, &p), "without lanes 0x00000080 of the same sector");
  load(&x, 7, 0xff);
  assert_int_equal(p.lanes, 0xff);
  assert_int_equal(p.bytes, 4);
  assert_int_equal(p.rd_words, 0);
  assert_int_equal(p.old_bytes[3][0], 53);
  assert_false(p.finished);
  refused(&x, heddle_perform_store(x.model, 0, 7, 0x1ff, &p), "0x00000100 have not been loaded");
  for (unsigned i = 0; i < 32; i++) set_mem32(&x, 4 * i, 90 + i);
  store(&x, 7, 0x0f);
  assert_int_equal(p.new_bytes[3][0], 53);
  refused(&x, heddle_perform(x.model, 0, 7, 0xff, &p), "of which 0x000000ff do not wait");
  refused(&x, heddle_perform_store(x.model, 0, 7, 0x0f, &p), "of which 0x0000000f do not wait");
  load(&x, 7, 0xffffff00);
  assert_false(p.finished);
  refused(&x, heddle_perform(x.model, 0, 7, 1, &p), "seq 7 has nothing to perform");
  store(&x, 7, 0xfffffff0);
  assert_true(p.finished);
  assert_int_equal(p.new_bytes[8][0], 98);
  assert_int_equal(p.new_bytes[7][0], 57);
  refused(&x, heddle_perform_store(x.model, 0, 7, 1, &p), "seq 7 has nothing to perform");
  assert_int_equal(heddle_warp_pending(x.model, 0), 0);
  steps(&x, 1);
  load(&x, 8, ~0u);
  assert_int_equal(p.rd_value[0][31], 121);
  machine_free(&x);
}

/* A lower lane of the same bytes is stored before, or together. */
static void colliding_lanes(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_PLACES(0x4) "LDGSTS.E [RZ], [R2] ;\n");
  machine_lockstep(&x);
  steps(&x, PLACES + 1);
  load(&x, 7, ~0u);
  refused(&x, heddle_perform_store(x.model, 0, 7, 2, &p), "without lanes 0x00000001 of the same bytes");
  store(&x, 7, 3);
  store(&x, 7, ~3u);
  machine_free(&x);
}

/* What is older comes first: of global memory the sector, of shared memory the bytes. */
static void older_first(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_PLACES(0x4) "STG.E [R2], R0 ;\n"          /* seq 7 */
                             "STS [R6+0x100], R0 ;\n"      /* 8 */
                             "LDS R7, [R6+0x200] ;\n"      /* 9 */
                             "IADD3 R6, R6, 0x100, RZ ;\n" /* 10 */
                             "LDGSTS.E [R6], [R2] ;\n"     /* 11 */
                             "LDGSTS.E [RZ], [R2+0x80] ;\n" /* 12 */);
  machine_lockstep(&x);
  steps(&x, PLACES + 6);
  refused(&x, heddle_perform(x.model, 0, 11, 0xff, &p), "before older seq 7");
  load(&x, 7, 0xff);
  load(&x, 11, 0xff);
  assert_int_equal(p.old_bytes[5][0], 5);
  refused(&x, heddle_perform_store(x.model, 0, 11, 0xf, &p), "before older seq 8");
  load(&x, 8, 0xf);
  store(&x, 11, 0xf); /* the rest of seq 8 and all of seq 9 touch other bytes */
  load(&x, 12, ~0u);  /* copies wait for no copy */
  store(&x, 12, ~0u);
  load(&x, 8, ~0xfu);
  load(&x, 7, ~0xffu);
  load(&x, 11, ~0xffu);
  store(&x, 11, ~0xfu);
  machine_free(&x);
}

/* Two that touch the same bytes everywhere: the younger may be first. */
static void copies_unordered(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_PLACES(0x4) "LDGSTS.E [R6], [R2] ;\nLDGSTS.E [R6], [R2] ;\nLDS R7, [R6] ;\n");
  machine_lockstep(&x);
  steps(&x, PLACES + 2);
  load(&x, 8, ~0u);
  store(&x, 8, ~0u);
  set_mem32(&x, 0, 77);
  load(&x, 7, ~0u);
  store(&x, 7, ~0u);
  steps(&x, 1);
  load(&x, 9, ~0u);
  assert_int_equal(p.rd_value[0][0], 77);
  machine_free(&x);
}

/* What is younger does not wait, nor do barriers, nor a fence of a block. A wider fence does, and so does the block. */
static void younger_pass(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_PLACES(0x4) "STS [R6], R0 ;\n"        /* seq 7 */
                             "LDGSTS.E [R6], [R2] ;\n" /* 8 */
                             "STG.E [R2], R0 ;\n"      /* 9 */
                             "LDS R7, [R6] ;\n"        /* 10 */
                             "STS [R6], R0 ;\n"        /* 11 */
                             "MEMBAR.CTA ;\nBAR.SYNC 0x0 ;\nMEMBAR.GPU ;\nEXIT ;\n");
  machine_lockstep(&x);
  steps(&x, PLACES + 5);
  load(&x, 7, ~0u);
  load(&x, 9, ~0u);
  load(&x, 10, ~0u);
  refused(&x, heddle_warp_issue(x.model, 0, &e), "1 earlier access(es) of the warp are not performed, first seq 11");
  load(&x, 11, ~0u);
  steps(&x, 2);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 0));
  refused(&x, heddle_warp_issue(x.model, 0, &e), "MEMBAR issues while 2 earlier access(es) of the warp");
  load(&x, 8, ~0u);
  assert_int_equal(p.old_bytes[9][0], 9); /* what is younger was performed before it */
  store(&x, 8, 0xffff);
  refused(&x, heddle_warp_issue(x.model, 0, &e), "MEMBAR issues while 1 earlier access(es) of the warp");
  store(&x, 8, 0xffff0000);
  steps(&x, 1);
  machine_free(&x);

  begin(&x, TEXT_PLACES(0x4) "LDGSTS.E [R6], [R2] ;\nEXIT ;\n");
  machine_lockstep(&x);
  steps(&x, PLACES + 2);
  assert_true(e.warp_ended);
  load(&x, 7, ~0u);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_block_end(x.model, 0));
  store(&x, 7, ~0u);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_end(x.model, 0));
  machine_free(&x);
}

/* First all addresses in global memory, then all in shared memory; nothing happens in any lane. */
static void traps(void **state) {
  (void)state;
  static const struct {
    const char *address; /* changes R2, R6 */
    const char *size;
    enum heddle_cause cause;
    uint32_t lanes;
    uint64_t addr;
  } t[] = {
      {"IADD3 R2, R2, 0x4, RZ ;\n", ".64", HEDDLE_TRAP_MISALIGNED, ~0u, MEM_BASE + 4},
      {"MOV R3, R0 ;\n", "", HEDDLE_TRAP_OUT_OF_RANGE, ~4u, 0},
      {"MOV R6, 0x6 ;\n", "", HEDDLE_TRAP_MISALIGNED, ~0u, 6},
      {"IMAD R6, R0, 0x20, RZ ;\nIADD3 R6, R6, 0x20, RZ ;\n", "", HEDDLE_TRAP_OUT_OF_RANGE, 0x80000000, SHARED},
      {"IMAD R6, R0, 0x20, RZ ;\nIADD3 R6, R6, 0x2, RZ ;\n", "", HEDDLE_TRAP_MISALIGNED, ~0u, 2},
      /* both: lane 0 fails in shared memory, the others in global memory */
      {"MOV R3, 0x2 ;\nIADD3 R2, R2, R0, RZ ;\nMOV R6, 0x2 ;\n", "", HEDDLE_TRAP_MISALIGNED, 0xeeeeeeee, MEM_BASE + 9},
  };
  for (unsigned n = 0; n < 2 * sizeof t / sizeof t[0]; n++) {
    const unsigned k = n / 2;
    char text[600];
    struct machine x;
    snprintf(text, sizeof text, TEXT_PLACES(0x8) "%sLDGSTS.E%s [R6], [R2] ;\nLDS R7, [R0] ;\nEXIT ;\n", t[k].address,
             t[k].size);
    begin(&x, text);
    const uint32_t pc = 16 * (x.n - 3);
    if (n % 2 == 0) {
      EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
    } else {
      machine_lockstep(&x);
      steps(&x, x.n - 2);
      assert_true(e.traps);
      assert_int_equal(e.mem_lanes, 0);
      refused(&x, heddle_perform(x.model, 0, e.seq, 1, &p), "is at or behind an address trap");
      refused(&x, heddle_perform_store(x.model, 0, e.seq, 1, &p), "is at or behind an address trap");
    }
    expect_trap(&x, t[k].cause, pc, t[k].lanes, t[k].addr);
    machine_free(&x);
  }
}

/* Behind a trap it is refused; before it it is completed. */
static void around_a_trap(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_PLACES(0x4) "LDGSTS.E [R6], [R2] ;\nSTG.E [R2+0x1], R0 ;\nLDGSTS.E [R6], [R2] ;\nMEMBAR.GPU ;\n");
  machine_lockstep(&x);
  steps(&x, PLACES + 3);
  assert_int_equal(e.mem_lanes, 0);
  refused(&x, heddle_perform(x.model, 0, 9, ~0u, &p), "is at or behind an address trap");
  assert_int_equal(heddle_warp_pending(x.model, 0), 2);
  load(&x, 7, ~0u);
  store(&x, 7, ~0u);
  steps(&x, 1); /* the fence waits for nothing that is never performed */
  machine_free(&x);
}

/* Memory answered some lanes with an error: they are never stored. */
static void never_loaded(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_PLACES(0x4) "LDGSTS.E [R6], [R2] ;\n");
  machine_lockstep(&x);
  steps(&x, PLACES + 1);
  load(&x, 7, 0xff);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform_never(x.model, 0, 7, ~0xffu));
  store(&x, 7, 0xff);
  refused(&x, heddle_perform_store(x.model, 0, 7, 0x100, &p), "have not been loaded");
  machine_free(&x);
}

/* Undefined bytes go along, byte by byte; who uses them is told. */
static void marks(void **state) {
  (void)state;
  static const char use[] = "LDS.U8 R7, [R6+0x1] ;\nLDS.U8 R7, [R7] ;\nLDS.U8 R7, [R6] ;\nLDS.U8 R7, [R7] ;\n"
                            "EXIT ;\n";
  for (unsigned way = 0; way < 2; way++) {
    struct machine x;
    char text[700];
    /* R10 is undefined; only its second byte is written over. */
    snprintf(text, sizeof text,
             TEXT_PLACES(0x4) "STG.E [R2], R10 ;\nSTG.E.U8 [R2+0x1], R0 ;\nSTS [R6], R0 ;\nLDGSTS.E [R6], [R2] ;\n"
                              "STG.E [R2], R0 ;\n%s",
             use);
    begin(&x, text);
    EXPECT(&x, HEDDLE_ERROR_UNDEFINED, way == 0 ? machine_run(&x) : in_lockstep(&x));
    assert_int_equal(heddle_model_undefined(x.model)->pc, 16 * (PLACES + 8));
    machine_free(&x);
  }
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x4) "@P0 LDGSTS.E [R6], [R2] ;\n");
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, machine_run(&x)); /* an address */
  machine_free(&x);
}

/* A lane that brings marks, then lanes without: each store says what its lanes know. */
static void marks_by_lane(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_PLACES(0x20) "ISETP.EQ.U32.AND P0, PT, R0, 0x1, PT ;\n@P0 STG.E [R2], R10 ;\nLDGSTS.E [R6], [R2] ;\n");
  machine_lockstep(&x);
  steps(&x, PLACES + 3);
  load(&x, 8, 2);
  load(&x, 9, 1);
  load(&x, 9, 2);
  assert_int_equal(p.bytes_unknown, 2);
  load(&x, 9, ~3u);
  assert_int_equal(p.bytes_unknown, 0);
  store(&x, 9, 5);
  assert_int_equal(p.bytes_unknown, 0);
  store(&x, 9, ~5u);
  assert_int_equal(p.bytes_unknown, 2);
  machine_free(&x);
}

/* A machine may lack both. */
static void lacking(void **state) {
  (void)state;
  static const char *const insn[2] = {"LDGSTS.E [RZ], [RZ] ;\n", "LDGDEPBAR ;\n"};
  for (unsigned n = 0; n < 2; n++) {
    struct machine x;
    begin(&x, insn[n]);
    x.launch.units = ~(1u << ISA_PART_ASYNC);
    EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
    expect_trap(&x, HEDDLE_TRAP_ILLEGAL, 0, ~0u, 0);
    machine_free(&x);
  }
}

/* Two warps that spin while a copy changes nothing, or something: the livelock is seen only where nothing changes. */
static void watched(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_PLACES(0x4) "loop:\nLDGSTS.E [R6], [R2] ;\nBRA loop ;\n");
  EXPECT(&x, HEDDLE_ERROR_LIMIT, machine_run(&x));
  if (strncmp(heddle_model_diag(x.model), "deadlock:", 9) != 0) fail_msg("%s", heddle_model_diag(x.model));
  machine_free(&x);
  begin(&x, TEXT_PLACES(0x4) "MOV R7, RZ ;\nloop:\nIADD3 R7, R7, 0x1, RZ ;\nLOP3.LUT R7, R7, 0x1, RZ, 0xc0 ;\n"
                             "IMAD.WIDE R2, R7, 0x100, R8 ;\nLDGSTS.E [R6], [R2] ;\nBRA loop ;\n");
  for (unsigned i = 0; i < 32; i++) set_mem32(&x, 0x100 + 4 * i, 9);
  EXPECT(&x, HEDDLE_ERROR_LIMIT, machine_run(&x));
  if (strncmp(heddle_model_diag(x.model), "deadlock:", 9) == 0) fail_msg("%s", heddle_model_diag(x.model));
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moves),
                                     cmocka_unit_test(highest_lane),
                                     cmocka_unit_test(effect),
                                     cmocka_unit_test(two_moments),
                                     cmocka_unit_test(colliding_lanes),
                                     cmocka_unit_test(older_first),
                                     cmocka_unit_test(copies_unordered),
                                     cmocka_unit_test(younger_pass),
                                     cmocka_unit_test(traps),
                                     cmocka_unit_test(around_a_trap),
                                     cmocka_unit_test(never_loaded),
                                     cmocka_unit_test(marks),
                                     cmocka_unit_test(marks_by_lane),
                                     cmocka_unit_test(lacking),
                                     cmocka_unit_test(watched)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
