/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory answers with errors: what lies in them may stay out, and nothing else. A stream is made right by taking out
 * what the machine does not show then; each further record that is missing is found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/checker/bench.h"
#include "cosim/kit/conform/stream_find.h"

/* Three loads of each warp, one after the other, and a result that depends on none of them. */
static const char program_loads[] = ".kernel loads\n"
                                    ".param u64 in\n"
                                    "        S2R R0, SR_TID.X ;\n"
                                    "        MOV R4, c[0x0][in] ;\n"
                                    "        MOV R5, c[0x0][in+4] ;\n"
                                    "        IMAD.WIDE R4, R0, 0x4, R4 ;\n"
                                    "        LDG.E R8, [R4] ;\n"
                                    "        LDG.E R9, [R4+0x1000] ;\n"
                                    "        LDG.E R10, [R4+0x2000] ;\n"
                                    "        IADD3 R11, R0, R0, RZ ;\n"
                                    "        EXIT ;\n"
                                    ".end\n";

#define FIRST_LOAD 4u       /* seq of the first load of every warp */
#define SECTOR_AT FAKE_BASE /* what its lanes 0 to 7 want, of warp 0 */

static const struct heddle_checker_config errors_on = {.bus_errors = true};

/* Records of instruction `seq` of warp slot `slot`; of accesses to one sector only, or (UINT64_MAX) to any. */
static bool is_of(const struct heddle_retire_record *r, unsigned slot, uint32_t seq, uint32_t kind, uint64_t sector) {
  const struct heddle_record_id *id = heddle_record_id_of(r);
  return id != NULL && r->kind == kind && id->slot == slot && id->seq == seq &&
         (kind != HEDDLE_RECORD_GLOBAL || sector == UINT64_MAX || r->u.global.sector == sector);
}

static unsigned take_out(struct stream *s, unsigned slot, uint32_t seq, uint32_t kind, uint64_t sector, unsigned most) {
  unsigned n = 0;
  for (size_t i = s->n; i-- > 0 && n < most;)
    if (is_of(&s->r[i], slot, seq, kind, sector)) {
      stream_drop(s, i);
      n++;
    }
  return n;
}

/* Records of the sectors of one line. */
static unsigned take_line(struct stream *s, unsigned slot, uint32_t seq, uint64_t sector) {
  unsigned n = 0;
  for (unsigned i = 0; i < 4; i++) n += take_out(s, slot, seq, HEDDLE_RECORD_GLOBAL, sector / 4 * 4 + i, 9);
  return n;
}

/* In place of the end of the block: the trap of warp 0's first load, of the line at `at`. */
static void end_with_trap(struct bench *b, uint64_t at, uint32_t lanes) {
  size_t issue = 0;
  while (!is_of(&b->s.r[issue], 0, FIRST_LOAD, HEDDLE_RECORD_ISSUE, 0)) issue++;
  struct heddle_retire_record *end = &b->s.r[b->s.n - 1];
  assert_int_equal(end->kind, HEDDLE_RECORD_BLOCK_END);
  const struct heddle_record_issue i = b->s.r[issue].u.issue;
  end->kind = HEDDLE_RECORD_TRAP;
  end->u.trap =
      (struct heddle_record_trap){.cause = HEDDLE_TRAP_BUS, .id = i.id, .pc = i.pc, .lanes = lanes, .addr = at};
}

/* What a right machine shows when lanes 0 to 7 of warp 0's first load want a sector that answers with an error: nothing
 * of all lanes, which want that line. */
static void make(struct bench *b) {
  bench_make(b, program_loads, 64, 0);
  b->p.launch.errors = (struct heddle_errors){SECTOR_AT + 4, SECTOR_AT + 8};
  assert_int_equal(take_line(&b->s, 0, FIRST_LOAD, SECTOR_AT / 32), 4);
  assert_int_equal(take_out(&b->s, 0, FIRST_LOAD, HEDDLE_RECORD_WRITE, 0, 99), 4);
  end_with_trap(b, SECTOR_AT, 0xffffffff);
}

static void test_right(void **state) {
  (void)state;
  struct bench b;
  make(&b);
  bench_judge(&b, &errors_on, HEDDLE_CHECKER_NONE);
  b.p.launch.errors = (struct heddle_errors){0, 0}; /* who took the trace did not know where */
  bench_judge(&b, &errors_on, HEDDLE_CHECKER_NONE);
  bench_finish(&b);
}

/* Everything that the error does not touch is owed as ever: of that warp, of that instruction, of the other warp. */
static void test_others_are_owed(void **state) {
  (void)state;
  static const struct {
    unsigned slot, seq;
    uint32_t kind;
    unsigned records; /* that are taken out */
    enum heddle_checker_kind want;
  } missing[] = {{0, FIRST_LOAD, HEDDLE_RECORD_OPERANDS_MEMORY, 1, HEDDLE_CHECKER_OPERAND_MISSING},
                 {1, FIRST_LOAD, HEDDLE_RECORD_GLOBAL, 1, HEDDLE_CHECKER_PERFORM_MISSING},
                 {0, FIRST_LOAD + 1, HEDDLE_RECORD_OPERANDS_MEMORY, 4, HEDDLE_CHECKER_OPERAND_MISSING},
                 {0, FIRST_LOAD + 1, HEDDLE_RECORD_WRITE, 1, HEDDLE_CHECKER_WRITEBACK_MISSING},
                 {0, FIRST_LOAD + 3, HEDDLE_RECORD_WRITE, 1, HEDDLE_CHECKER_WRITEBACK_MISSING},
                 {1, FIRST_LOAD, HEDDLE_RECORD_OPERANDS_MEMORY, 1, HEDDLE_CHECKER_OPERAND_MISSING},
                 {1, FIRST_LOAD, HEDDLE_RECORD_WRITE, 4, HEDDLE_CHECKER_WRITEBACK_MISSING},
                 {1, FIRST_LOAD + 2, HEDDLE_RECORD_WRITE, 1, HEDDLE_CHECKER_WRITEBACK_MISSING},
                 {1, FIRST_LOAD + 3, HEDDLE_RECORD_WRITE, 1, HEDDLE_CHECKER_WRITEBACK_MISSING}};
  for (unsigned i = 0; i < sizeof missing / sizeof *missing; i++) {
    struct bench b;
    make(&b);
    /* operands that are read late, or an access, would be judged as early results */
    if (missing[i].kind == HEDDLE_RECORD_OPERANDS_MEMORY || missing[i].kind == HEDDLE_RECORD_GLOBAL)
      take_out(&b.s, missing[i].slot, missing[i].seq, HEDDLE_RECORD_WRITE, 0, 99);
    const unsigned n = take_out(&b.s, missing[i].slot, missing[i].seq, missing[i].kind, UINT64_MAX, missing[i].records);
    assert_int_equal(n, missing[i].records);
    bench_judge(&b, &errors_on, missing[i].want);
    assert_int_equal(heddle_checker_first(b.c)->slot, missing[i].slot);
    assert_int_equal(heddle_checker_first(b.c)->seq, missing[i].seq);
    bench_finish(&b);
  }
}

/* All of an instruction but its operands: as if the load/store unit had refused it. */
static void refuse(struct bench *b, unsigned slot, uint32_t seq) {
  assert_true(take_out(&b->s, slot, seq, HEDDLE_RECORD_GLOBAL, UINT64_MAX, 99) > 0);
  assert_true(take_out(&b->s, slot, seq, HEDDLE_RECORD_WRITE, 0, 99) > 0);
}

/* Behind the error, in its warp, accesses may be refused: as a whole, and then all that follow. */
static void test_refused(void **state) {
  (void)state;
  struct bench b;
  make(&b);
  refuse(&b, 0, FIRST_LOAD + 2);
  bench_judge(&b, &errors_on, HEDDLE_CHECKER_NONE);
  refuse(&b, 0, FIRST_LOAD + 1);
  bench_judge(&b, &errors_on, HEDDLE_CHECKER_NONE);
  bench_finish(&b);

  make(&b);
  refuse(&b, 0, FIRST_LOAD + 1); /* and the one behind it goes on */
  bench_judge(&b, &errors_on, HEDDLE_CHECKER_PERFORM_MISSING);
  bench_finish(&b);

  make(&b);
  assert_int_equal(take_out(&b.s, 0, FIRST_LOAD + 2, HEDDLE_RECORD_GLOBAL, UINT64_MAX, 1), 1); /* a part of it */
  take_out(&b.s, 0, FIRST_LOAD + 2, HEDDLE_RECORD_WRITE, 0, 99);
  bench_judge(&b, &errors_on, HEDDLE_CHECKER_PERFORM_MISSING);
  bench_finish(&b);

  make(&b);
  refuse(&b, 1, FIRST_LOAD + 2); /* of a warp without an error */
  bench_judge(&b, &errors_on, HEDDLE_CHECKER_PERFORM_MISSING);
  bench_finish(&b);
}

/* The trap names the line, its lanes, and an instruction of which some access is there. */
static void test_trap_names_it(void **state) {
  (void)state;
  static const struct {
    uint32_t lanes;
    uint64_t off;
  } bad[] = {{1, 0}, {0, 4}, {0, 0x100000}, {0, 0x20}};
  struct bench b;
  make(&b);
  struct heddle_record_trap *t = &b.s.r[b.s.n - 1].u.trap;
  for (unsigned i = 0; i < 4; i++) {
    t->lanes ^= bad[i].lanes;
    t->addr += bad[i].off;
    bench_judge(&b, &errors_on, HEDDLE_CHECKER_TRAP_MISMATCH);
    t->lanes ^= bad[i].lanes;
    t->addr -= bad[i].off;
  }
  b.p.launch.errors = (struct heddle_errors){SECTOR_AT + 128, SECTOR_AT + 160};
  bench_judge(&b, &errors_on, HEDDLE_CHECKER_TRAP_MISMATCH);
  bench_finish(&b);
}

/* Another trap is recorded: what lies in the error stays out all the same. And without any trap nothing may. */
static void test_other_trap(void **state) {
  (void)state;
  struct bench b;
  make(&b);
  struct heddle_retire_record *end = &b.s.r[b.s.n - 1];
  end->kind = HEDDLE_RECORD_BLOCK_END;
  end->u.block_end = (struct heddle_record_block_end){.bslot = 0};
  bench_judge(&b, &errors_on, HEDDLE_CHECKER_PERFORM_MISSING);
  bench_finish(&b);

  static const char program_both[] = ".kernel both\n"
                                     ".param u64 in\n"
                                     "        S2R R0, SR_TID.X ;\n"
                                     "        MOV R4, c[0x0][in] ;\n"
                                     "        MOV R5, c[0x0][in+4] ;\n"
                                     "        IMAD.WIDE R4, R0, 0x4, R4 ;\n"
                                     "        LDG.E R8, [R4] ;\n"
                                     "        BPT.TRAP ;\n"
                                     "        EXIT ;\n"
                                     ".end\n";
  bench_make(&b, program_both, 32, 0);
  assert_int_equal(b.s.r[b.s.n - 1].kind, HEDDLE_RECORD_TRAP);
  b.p.launch.errors = (struct heddle_errors){SECTOR_AT + 4, SECTOR_AT + 8};
  assert_int_equal(take_out(&b.s, 0, FIRST_LOAD, HEDDLE_RECORD_WRITE, 0, 99), 4);
  bench_judge(&b, &errors_on, HEDDLE_CHECKER_WRITEBACK_MISSING); /* its line has been read */
  assert_int_equal(take_line(&b.s, 0, FIRST_LOAD, SECTOR_AT / 32), 4);
  bench_judge(&b, &errors_on, HEDDLE_CHECKER_NONE);
  b.p.launch.errors = (struct heddle_errors){SECTOR_AT + 128, SECTOR_AT + 160};
  bench_judge(&b, &errors_on, HEDDLE_CHECKER_PERFORM_MISSING);
  bench_finish(&b);
}

/* Local memory: the launch says where it lies. Sector 1 of word 0, lanes 8 to 15: of all lanes, whose line it is. */
static void test_local(void **state) {
  (void)state;
  static const char program[] = ".kernel local\n"
                                ".local 32\n"
                                "        S2R R0, SR_TID.X ;\n"
                                "        MOV R1, R0 ;\n"
                                "        MOV R2, R0 ;\n"
                                "        MOV R3, R0 ;\n"
                                "        STL.64 [RZ], R0 ;\n"
                                "        EXIT ;\n"
                                ".end\n";
  const uint64_t at = UINT64_C(0x8000000000), slice = 32 * 32;
  struct bench b;
  bench_make(&b, program, 64, 0);
  b.p.launch.local_at = at;
  for (unsigned slot = 0; slot < 2; slot++) {
    const uint64_t sector = at + slot * slice + 32;
    b.p.launch.errors = (struct heddle_errors){sector, sector + 1};
    struct stream whole;
    stream_copy(&whole, &b.s);
    assert_int_equal(take_line(&b.s, 0, FIRST_LOAD, 1), 4);
    end_with_trap(&b, UINT64_C(2) << 56, 0xffffffff);
    bench_judge(&b, &errors_on, slot == 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_TRAP_MISMATCH);
    assert_int_equal(take_out(&b.s, 0, FIRST_LOAD, HEDDLE_RECORD_GLOBAL, 4 + 1, 9), 1); /* word 1 of these lanes */
    bench_judge(&b, &errors_on, slot == 0 ? HEDDLE_CHECKER_PERFORM_MISSING : HEDDLE_CHECKER_TRAP_MISMATCH);
    stream_free(&b.s);
    b.s = whole;
  }
  bench_finish(&b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_right),      cmocka_unit_test(test_others_are_owed),
                                     cmocka_unit_test(test_refused),    cmocka_unit_test(test_trap_names_it),
                                     cmocka_unit_test(test_other_trap), cmocka_unit_test(test_local)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
