/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes late: writes that are shown too late to have been read, records that speak once more of what has paid
 * everything, traps that are found after the issue.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cosim/kit/conform/stream_find.h"
#include "tests/cosim/checker/bench.h"
#include "tests/test.h"

/* What comes late: writes that are shown too late to have been read, and records that speak once more of an instruction
 * which has paid everything. */

static const struct heddle_checker_config by_default;

/* ---- fences, clocks ---- */

/* A fence of lane 0 alone waits like one of all. */
static void test_fence_of_one(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, bench_fence, 1, 0);
  assert_int_equal(b.s.r[bench_nth(&b, ISA_OP_MEMBAR, HEDDLE_RECORD_ISSUE, 0)].u.issue.exec, 1);
  bench_judge(&b, &by_default, HEDDLE_CHECKER_NONE);
  stream_move(&b.s, bench_nth(&b, ISA_OP_STG_E, HEDDLE_RECORD_GLOBAL, 0),
              bench_nth(&b, ISA_OP_MEMBAR, HEDDLE_RECORD_ISSUE, 0));
  bench_judge(&b, &by_default, HEDDLE_CHECKER_ORDER_FENCE);
  bench_finish(&b);
}

/* The device's clock begins anew, as far ahead of the cycles as ever: no warp may read that. */
static void test_clock_falls(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, bench_fence, 32, 0);
  const uint64_t second = b.s.r[bench_nth(&b, ISA_OP_STG_E, HEDDLE_RECORD_ISSUE, 0)].cycle;
  for (size_t i = 0; i < b.s.n; i++)
    if (b.s.r[i].kind == HEDDLE_RECORD_ISSUE) b.s.r[i].u.issue.clock = b.s.r[i].cycle - second;
  bench_judge(&b, &by_default, HEDDLE_CHECKER_MODEL_STATE);
  assert_non_null(strstr(heddle_checker_first(b.c)->note, "falls"));
  assert_int_equal(heddle_checker_first(b.c)->cycle, second);
  bench_finish(&b);
}

/* ---- predicates and uniform registers that are written too late ---- */

#define NOPS_8                                                                                                         \
  "        NOP ;\n        NOP ;\n        NOP ;\n        NOP ;\n        NOP ;\n        NOP ;\n        NOP ;\n        "  \
  "NOP ;\n"

static const char program_forgotten[] =
    ".kernel forgotten\n" LANES_FROM_21 NOPS_8 NOPS_8 NOPS_8 NOPS_8 NOPS_8 "@P0     MOV R1, 0x1 ;\n"
    "        EXIT ;\n"
    ".end\n";

/* The age at which a write is just old enough for the issue. */
static uint8_t age_at(const struct bench *b, size_t write, size_t issue) {
  const uint64_t age = b->s.r[issue].cycle - b->s.r[write].cycle;
  assert_true(age > 0 && age < UINT8_MAX);
  return (uint8_t)age;
}

/* All that lies between two records happens in the cycle behind the first. */
static void squeeze(const struct bench *b, size_t first, size_t last) {
  const uint64_t by = b->s.r[last].cycle - b->s.r[first].cycle - 2;
  for (size_t i = first + 1; i < b->s.n; i++) {
    struct heddle_retire_record *r = &b->s.r[i];
    const uint64_t was = r->cycle;
    r->cycle = i < last ? b->s.r[first].cycle + 1 : was - by;
    if (r->kind == HEDDLE_RECORD_ISSUE) r->u.issue.clock -= was - r->cycle;
  }
}

/* Of a writer that nobody remembers its number is named. */
static void test_forgotten_writer(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_forgotten, 32, 0);
  const size_t write = bench_nth(&b, ISA_OP_ISETP, HEDDLE_RECORD_PREDICATE, 3),
               read = bench_nth(&b, ISA_OP_MOV, HEDDLE_RECORD_ISSUE, 0);
  squeeze(&b, write, read);
  const uint8_t age = age_at(&b, write, read);
  bench_judge(&b, &(struct heddle_checker_config){.pred_age = age}, HEDDLE_CHECKER_NONE);
  bench_judge(&b, &(struct heddle_checker_config){.pred_age = (uint8_t)(age + 1)}, HEDDLE_CHECKER_POISON_PRED_RAW);
  assert_string_equal(heddle_checker_first(b.c)->note, "P0 was written too late to be read here, by seq 1");
  bench_finish(&b);
}

static const char program_chain[] = ".kernel chain\n"
                                    "        UMOV UR9, 0x3 ;\n"
                                    "        UMOV UR4, 0x5 ;\n"
                                    "        UIADD3 UR7, UR4, 0x1, URZ ;\n"
                                    "        EXIT ;\n"
                                    ".end\n";

static void test_uniform_too_late(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_chain, 32, 0);
  const size_t issue = bench_nth(&b, ISA_OP_UIADD3, HEDDLE_RECORD_ISSUE, 0);
  size_t write = issue;
  while (b.s.r[write].kind != HEDDLE_RECORD_UNIFORM_WRITE) write--;
  const uint8_t age = age_at(&b, write, issue);
  bench_judge(&b, &(struct heddle_checker_config){.pred_age = age}, HEDDLE_CHECKER_NONE);
  bench_judge(&b, &(struct heddle_checker_config){.pred_age = (uint8_t)(age + 1)}, HEDDLE_CHECKER_POISON_RAW);
  assert_string_equal(heddle_checker_first(b.c)->subject, "UR4");
  assert_non_null(strstr(heddle_checker_first(b.c)->note, "seq 1 (pc 0x10)"));
  bench_finish(&b);
}

static const char program_twice[] = ".kernel twice\n"
                                    "        UMOV UR4, 0x5 ;\n"
                                    "        UMOV UR4, 0x6 ;\n"
                                    "        EXIT ;\n"
                                    ".end\n";

/* Two writes of a uniform register are under way, and the younger comes first. */
static void test_uniform_passes(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_twice, 32, 0);
  bench_judge(&b, &by_default, HEDDLE_CHECKER_NONE);
  const size_t first = bench_nth(&b, ISA_OP_UMOV, HEDDLE_RECORD_UNIFORM_WRITE, 0);
  const size_t second = find_kind(&b.s, first + 1, HEDDLE_RECORD_UNIFORM_WRITE);
  stream_move(&b.s, first, second);
  bench_judge(&b, &by_default, HEDDLE_CHECKER_POISON_WAW);
  assert_string_equal(heddle_checker_first(b.c)->subject, "UR4");
  bench_finish(&b);
}

/* P2R with this mask issues before P1 is written. */
static enum heddle_checker_kind read_all(const char *mask) {
  struct bench b;
  char text[400];
  snprintf(text, sizeof text,
           ".kernel all\n        S2R R0, SR_LANEID ;\n        MOV R5, 0x1 ;\n        R2P PR, R0, 0x7d ;\n"
           "        ISETP.GT.U32.AND P1, PT, R0, 0x14, PT ;\n        P2R R8, PR, RZ, %s ;\n        EXIT ;\n.end\n",
           mask);
  bench_make(&b, text, 32, 0);
  const size_t reader = bench_nth(&b, ISA_OP_P2R, HEDDLE_RECORD_ISSUE, 0);
  for (unsigned k = 0; k < 4; k++) stream_move(&b.s, bench_nth(&b, ISA_OP_ISETP, HEDDLE_RECORD_PREDICATE, 0), reader);
  bench_renew(&b, by_default, HEDDLE_CHECKER_NONE);
  (void)bench_feed(&b, b.s.n);
  const enum heddle_checker_kind k = heddle_checker_first(b.c)->kind;
  bench_finish(&b);
  return k;
}

/* Which predicates are read is known when a number says it, and only then. */
static void test_all_predicates(void **state) {
  (void)state;
  assert_int_equal(read_all("0x2"), HEDDLE_CHECKER_POISON_PRED_RAW);
  assert_int_equal(read_all("0x7d"), HEDDLE_CHECKER_NONE);
  assert_int_equal(read_all("R5"), HEDDLE_CHECKER_POISON_PRED_RAW);
}

/* ---- registers that are written too late ---- */

static const char program_move[] = ".kernel move\n"
                                   "        S2R R0, SR_LANEID ;\n"
                                   "        MOV R9, R0 ;\n"
                                   "        IADD3 R10, R9, 0x1, RZ ;\n"
                                   "        EXIT ;\n"
                                   ".end\n";

/* R9's write of beat 0 comes just before a record, in its cycle. Returns where that record is now. */
static size_t write_with(struct bench *b, size_t at) {
  const size_t w = bench_nth(b, ISA_OP_MOV, HEDDLE_RECORD_WRITE, 0);
  assert_true(w < at && b->s.r[w].u.write.beat == 0);
  const uint64_t cycle = b->s.r[at].cycle;
  stream_move(&b->s, w, at - 1);
  b->s.r[at - 1].cycle = cycle;
  return at;
}

/* In the very cycle of the read: it cannot have been seen, even if the value is right. */
static void test_register_too_late(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_move, 32, 0);
  (void)write_with(&b, bench_nth(&b, ISA_OP_IADD3, HEDDLE_RECORD_OPERANDS, 0));
  bench_judge(&b, &by_default, HEDDLE_CHECKER_POISON_RAW);
  assert_int_equal(heddle_checker_first(b.c)->lanes, 0xff);
  assert_non_null(strstr(heddle_checker_first(b.c)->note, "seq 1 (pc 0x10)"));
  bench_finish(&b);
}

/* In the cycle of the issue, or after it: the value tells whether it was seen; if not, who wrote is named. */
static void test_register_raced(void **state) {
  (void)state;
  for (unsigned after = 0; after < 2; after++) {
    struct bench b;
    bench_make(&b, program_move, 32, 0);
    (void)write_with(&b, bench_nth(&b, ISA_OP_IADD3, HEDDLE_RECORD_ISSUE, 0) + after);
    if (after != 0) /* the read is a cycle later */
      for (size_t i = bench_nth(&b, ISA_OP_IADD3, HEDDLE_RECORD_OPERANDS, 0); i < b.s.n; i++) {
        b.s.r[i].cycle++;
        if (b.s.r[i].kind == HEDDLE_RECORD_ISSUE) b.s.r[i].u.issue.clock++;
      }
    bench_judge(&b, &by_default, HEDDLE_CHECKER_NONE);
    b.s.r[bench_nth(&b, ISA_OP_IADD3, HEDDLE_RECORD_OPERANDS, 0)].u.operands.data[0][3] ^= 1;
    bench_judge(&b, &by_default, HEDDLE_CHECKER_POISON_RAW);
    assert_int_equal(heddle_checker_first(b.c)->lanes, 1u << 3);
    assert_non_null(strstr(heddle_checker_first(b.c)->note, "seq 1 (pc 0x10)"));
    bench_finish(&b);
  }
}

/* ---- predicates ---- */

static const char program_reduce[] = ".kernel reduce\n" LANES_FROM_21 "        BAR.RED.OR P1, 0x0, 0x0, P0 ;\n"
                                     "        EXIT ;\n"
                                     ".end\n";

/* What a barrier reduces is known when it is released. */
static void test_reduced_early(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_reduce, 64, 0);
  const size_t issue = bench_nth(&b, ISA_OP_BAR_RED, HEDDLE_RECORD_ISSUE, 0);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_PREDICATE, .cycle = b.s.r[issue].cycle};
  r.u.predicate = (struct heddle_record_predicate){.id = b.s.r[issue].u.issue.id, .used = 1, .value[0] = {0xff, 0, 1}};
  stream_insert(&b.s, issue + 1, &r);
  bench_judge(&b, &by_default, HEDDLE_CHECKER_WRITEBACK_EARLY);
  assert_int_equal(heddle_checker_first(b.c)->lanes, 0xff);
  bench_finish(&b);
}

/* Lane 0 of a report has its values like the others. */
static void test_predicate_lane(void **state) {
  (void)state;
  for (unsigned lane = 0; lane < 2; lane++) {
    struct bench b;
    bench_make(&b, program_forgotten, 32, 0);
    b.s.r[bench_nth(&b, ISA_OP_ISETP, HEDDLE_RECORD_PREDICATE, 0)].u.predicate.value[0].data ^= 1u << lane;
    bench_judge(&b, &by_default, HEDDLE_CHECKER_PREDICATE_VALUE);
    const struct heddle_checker_difference *d = heddle_checker_first(b.c);
    assert_int_equal(d->lanes, 1u << lane);
    assert_int_equal(d->expected[lane], 0);
    assert_int_equal(d->got[lane], 1);
    bench_finish(&b);
  }
}

/* ---- spoken of again ---- */

static const char program_zero[] = ".kernel zero\n        MOV R9, RZ ;\n        EXIT ;\n.end\n";

/* A lane is written once more when all has been paid. The comparison alone tells: without it nothing does. */
static void test_written_again(void **state) {
  (void)state;
  for (unsigned lane = 0; lane < 2; lane++) {
    struct bench b;
    bench_make(&b, program_zero, 32, 0);
    const size_t last = bench_nth(&b, ISA_OP_MOV, HEDDLE_RECORD_WRITE, 3);
    struct heddle_retire_record again = b.s.r[bench_nth(&b, ISA_OP_MOV, HEDDLE_RECORD_WRITE, 0)];
    again.cycle = b.s.r[last].cycle;
    again.u.write.mask = 1u << lane;
    stream_insert(&b.s, last + 1, &again);
    bench_judge(&b, &by_default, HEDDLE_CHECKER_WRITEBACK_DOUBLE);
    bench_renew(&b, by_default, HEDDLE_CHECKER_WRITEBACK_DOUBLE);
    const bool ok = bench_feed(&b, b.s.n) && heddle_checker_finish(b.c, b.last);
    expect_kind(&b, HEDDLE_CHECKER_NONE);
    assert_true(ok);
    bench_finish(&b);
  }
}

static const char program_load[] = ".kernel load\n"
                                   "        MOV R4, 0x10001 ;\n"
                                   "        MOV R5, 0x0 ;\n"
                                   "        LDG.E R8, [R4] ;\n"
                                   "        EXIT ;\n"
                                   ".end\n";

/* A load that has trapped writes nothing, neither before its operands are read nor after. */
static void test_trapped_again(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_load, 32, 0);
  bench_judge(&b, &by_default, HEDDLE_CHECKER_NONE);
  const size_t issue = bench_nth(&b, ISA_OP_LDG_E, HEDDLE_RECORD_ISSUE, 0),
               last = last_of_insn(&b.s, issue, HEDDLE_RECORD_OPERANDS_MEMORY);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_WRITE, .cycle = b.s.r[last].cycle};
  r.u.write = (struct heddle_record_write){.id = b.s.r[issue].u.issue.id, .rd = 8, .mask = 1};
  stream_insert(&b.s, last + 1, &r);
  bench_judge(&b, &by_default, HEDDLE_CHECKER_WRITEBACK_EXTRA);
  stream_move(&b.s, last + 1, issue + 1);
  bench_judge(&b, &by_default, HEDDLE_CHECKER_WRITEBACK_EXTRA);
  bench_finish(&b);
}

#define LOOPS 1057u
#define STORES 62u /* in each loop: with the last two a warp performs 65,536, more than a counter of 16 bits holds */

static char *many_stores(void) {
  char *text = NULL;
  size_t n;
  FILE *f = open_memstream(&text, &n);
  assert_non_null(f);
  fprintf(f,
          ".kernel stores\n.param u64 in\n.param u64 out\n        MOV R4, c[0x0][out] ;\n"
          "        MOV R5, c[0x0][out+4] ;\n        MOV R6, 0x%x ;\nagain:  IADD3 R6, R6, -0x1, RZ ;\n",
          LOOPS);
  for (unsigned i = 0; i < STORES; i++) fprintf(f, "        STG.E [R4], R6 ;\n");
  fprintf(f, "        ISETP.NE.AND P0, PT, R6, RZ, PT ;\n@P0     BRA again ;\n        STG.E.U8 [R4], R6 ;\n"
             "        STG.E.U8 [R4+1], R6 ;\n        EXIT ;\n.end\n");
  fclose(f);
  return text;
}

/* However many accesses a warp has performed, it is known how many are under way: here two of one sector. */
static void test_many_stores(void **state) {
  (void)state;
  struct bench b;
  char *text = many_stores();
  bench_assemble(&b, text, 1, 1, 2);
  b.f.lanes = 32;
  bench_run(&b);
  bench_judge(&b, &by_default, HEDDLE_CHECKER_NONE);
  assert_true(heddle_checker_statistics(b.c)->performs == LOOPS * STORES + 2);
  size_t second = b.s.n;
  while (b.s.r[--second].kind != HEDDLE_RECORD_GLOBAL) continue;
  size_t first = second;
  while (b.s.r[--first].kind != HEDDLE_RECORD_GLOBAL) continue;
  stream_move(&b.s, first, second);
  bench_judge(&b, &by_default, HEDDLE_CHECKER_PERFORM_ORDER);
  bench_finish(&b);
  free(text);
}

/* Traps that are found after the issue: until then the instruction is judged like any other; and instructions that must
 * not issue at all. */

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
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fence_of_one),      cmocka_unit_test(test_clock_falls),
                                     cmocka_unit_test(test_forgotten_writer),  cmocka_unit_test(test_uniform_too_late),
                                     cmocka_unit_test(test_uniform_passes),    cmocka_unit_test(test_all_predicates),
                                     cmocka_unit_test(test_register_too_late), cmocka_unit_test(test_register_raced),
                                     cmocka_unit_test(test_reduced_early),     cmocka_unit_test(test_predicate_lane),
                                     cmocka_unit_test(test_written_again),     cmocka_unit_test(test_trapped_again),
                                     cmocka_unit_test(test_many_stores),       cmocka_unit_test(test_trap_target),
                                     cmocka_unit_test(test_trap_sync),         cmocka_unit_test(test_trap_register),
                                     cmocka_unit_test(test_trap_fetch)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
