/* SPDX-License-Identifier: Apache-2.0
 *
 * Traps that are found after the issue: until then the instruction is judged like any other; and instructions that must
 * not issue at all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/bench.h"
#include "cosim/kit/conform/stream_find.h"

static const struct heddle_checker_config by_default;

static const char program_brx[] = ".kernel late\n" LANES_FROM_21 "        MOV R4, 0x123450 ;\n"
                                  "        MOV R5, 0x0 ;\n"
                                  "@P0     BRX R4 ;\n"
                                  "        EXIT ;\n"
                                  ".end\n";
static const char program_sync[] = ".kernel late\n" LANES_FROM_21 "        MOV R4, 0x7f ;\n"
                                   "@P0     WARPSYNC R4 ;\n"
                                   "        EXIT ;\n"
                                   ".end\n";

/* The trap is found after the operand has been read: until then the instruction is compared like any other. */
static void late_trap(const char *text, enum heddle_isa_op op) {
  struct bench b;
  bench_make(&b, text, 32, 0);
  assert_int_equal(b.s.r[b.s.n - 1].kind, HEDDLE_RECORD_TRAP);
  const size_t issue = bench_nth(&b, op, HEDDLE_RECORD_ISSUE, 0), last = bench_nth(&b, op, HEDDLE_RECORD_OPERANDS, 3);
  assert_int_equal(b.s.r[issue].u.issue.exec, 0xffe00000u);
  bench_judge(&b, &by_default, HEDDLE_CHECKER_NONE);
  b.s.r[last].u.operands.data[0][7] ^= 0x10;
  bench_judge(&b, &by_default, HEDDLE_CHECKER_OPERAND_VALUE);
  assert_int_equal(heddle_checker_first(b.c)->lanes, 1u << 31);
  b.s.r[last].u.operands.data[0][7] ^= 0x10;
  b.s.r[issue].u.issue.exec |= 1u << 20;
  bench_judge(&b, &by_default, HEDDLE_CHECKER_ISSUE_EXEC);
  b.s.r[issue].u.issue.exec &= ~(1u << 20);
  b.s.r[b.s.n - 1].u.trap.lanes |= 1u << 20;
  bench_judge(&b, &by_default, HEDDLE_CHECKER_TRAP_MISMATCH);
  b.s.r[b.s.n - 1].u.trap.lanes &= ~(1u << 20);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_WRITE, .cycle = b.s.r[last].cycle}; /* it has no result */
  r.u.write = (struct heddle_record_write){.id = b.s.r[issue].u.issue.id, .rd = 4, .mask = 0x80, .beat = 3};
  stream_insert(&b.s, last + 1, &r);
  bench_judge(&b, &by_default, HEDDLE_CHECKER_WRITEBACK_EXTRA);
  bench_finish(&b);
}

static void test_trap_target(void **state) {
  (void)state;
  late_trap(program_brx, ISA_OP_BRX);
}
static void test_trap_sync(void **state) {
  (void)state;
  late_trap(program_sync, ISA_OP_WARPSYNC);
}

static const char program_far[] = ".kernel far\n        BRX R4 ;\n        EXIT ;\n.end\n";

/* That instruction issues at this place, which the model does not let it. */
static void must_not_issue(struct bench *b, size_t at, const struct heddle_checker_config *cfg) {
  struct heddle_isa_word w;
  memcpy(&w, b->p.launch.code + b->p.launch.entry_pc, sizeof w);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_ISSUE, .cycle = b->s.r[at].cycle};
  r.u.issue = (struct heddle_record_issue){
      .id = b->s.r[at - 1].u.warp_start.id, .pc = b->p.launch.entry_pc, .word = {w.lo, w.hi}};
  r.u.issue.active = r.u.issue.exec = ~0u;
  stream_insert(&b->s, at, &r);
  bench_judge(b, cfg, HEDDLE_CHECKER_ISSUE_TRAP);
  assert_memory_equal(&heddle_checker_first(b->c)->word, &w, sizeof w); /* it is the one that is named */
}

/* Of a register that the warp does not have no instruction issues, though its target would be read late. */
static void test_trap_register(void **state) {
  (void)state;
  struct bench b;
  bench_assemble(&b, program_far, 1, 32, 0);
  b.p.launch.regs = 4;
  bench_run(&b);
  const size_t end = b.s.n - 1;
  assert_int_equal(b.s.r[end].kind, HEDDLE_RECORD_TRAP);
  assert_int_equal(b.s.r[end].u.trap.cause, HEDDLE_TRAP_ILLEGAL);
  bench_judge(&b, &by_default, HEDDLE_CHECKER_NONE);
  must_not_issue(&b, end, &by_default);
  bench_finish(&b);
}

/* Nor does one that memory refuses to give. */
static void test_trap_fetch(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_far, 32, 0);
  b.p.launch.code_at = UINT64_C(0x8000000000);
  b.p.launch.errors = (struct heddle_errors){b.p.launch.code_at, b.p.launch.code_at + 1};
  must_not_issue(&b, find_kind(&b.s, 0, HEDDLE_RECORD_WARP_START) + 1,
                 &(struct heddle_checker_config){.bus_errors = true});
  bench_finish(&b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_trap_target), cmocka_unit_test(test_trap_sync),
                                     cmocka_unit_test(test_trap_register), cmocka_unit_test(test_trap_fetch)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
