/* SPDX-License-Identifier: Apache-2.0
 *
 * Who a record speaks of: generations of a slot, the partition that it belongs to.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>

#include "tests/test.h"
#include "cosim/checker/report.h"
#include "tests/cosim/bench.h"

static const char program_short[] = ".kernel short\n"
                                    "        S2R R0, SR_TID.X ;\n"
                                    "        EXIT ;\n"
                                    ".end\n";

static struct heddle_record_id *id_in(struct bench *b, size_t i) {
  return (struct heddle_record_id *)heddle_record_id_of(&b->s.r[i]); /* of a record of ours */
}

/* Registers of its own for each slot, whatever partition it says. */
static void spread(struct bench *b) {
  for (size_t i = 0; i < b->s.n; i++)
    if (b->s.r[i].kind == HEDDLE_RECORD_WARP_START)
      b->s.r[i].u.warp_start.reg_base = (uint16_t)(b->p.launch.regs * id_in(b, i)->slot);
}

/* 300 warps in one slot: eight bits of generation begin anew. */
static void test_generations_wrap(void **state) {
  (void)state;
  struct bench b;
  bench_assemble(&b, program_short, 300, 32, 0);
  b.f.warp_slots = b.f.block_slots = 1;
  bench_run(&b);
  const struct heddle_checker_config cfg = {0};
  bench_judge(&b, &cfg, HEDDLE_CHECKER_NONE);
  unsigned wrapped = 0;
  for (size_t i = 0; i < b.s.n; i++)
    if (id_in(&b, i) != NULL && id_in(&b, i)->gen == 0) {
      id_in(&b, i)->gen = 1; /* 0 is left out */
      wrapped++;
    }
  assert_true(wrapped > 0);
  bench_judge(&b, &cfg, HEDDLE_CHECKER_IDENTITY_GEN);
  bench_finish(&b);
}

/* Nobody has said how many partitions there are: slots of two of them, and one slot that always says the other one. */
static void test_partitions(void **state) {
  (void)state;
  static const struct heddle_checker_config unknown;
  for (unsigned slot = 0; slot < 4; slot++) {
    struct bench b;
    bench_make(&b, program_short, 128, 0);
    spread(&b);
    bench_judge(&b, &unknown, HEDDLE_CHECKER_NONE);
    for (size_t i = 0; i < b.s.n; i++)
      if (id_in(&b, i) != NULL && id_in(&b, i)->slot == slot) id_in(&b, i)->partition ^= 1;
    bench_judge(&b, &unknown, HEDDLE_CHECKER_IDENTITY_PARTITION);
    bench_finish(&b);
  }
}

/* Three partitions are possible as well, five are not. */
static void test_other_numbers(void **state) {
  (void)state;
  static const struct heddle_checker_config unknown;
  for (unsigned n = 1; n <= 5; n++) {
    struct bench b;
    bench_assemble(&b, program_short, 1, 256, 0);
    b.f.warp_slots = 8;
    bench_run(&b);
    spread(&b);
    for (size_t i = 0; i < b.s.n; i++)
      if (id_in(&b, i) != NULL) id_in(&b, i)->partition = (uint8_t)(id_in(&b, i)->slot % n);
    bench_judge(&b, &unknown, n < 5 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_IDENTITY_PARTITION);
    bench_finish(&b);
  }
}

/* Records of one SM among several: all of them say which one, and no other is meant. */
static void set_sm(struct heddle_retire_record *r, uint8_t sm) {
  struct heddle_record_id *id = (struct heddle_record_id *)heddle_record_id_of(r); /* of a record of ours */
  if (id != NULL) id->sm = sm;
  if (r->kind == HEDDLE_RECORD_BLOCK_START) r->u.block_start.sm = sm;
  if (r->kind == HEDDLE_RECORD_BLOCK_END) r->u.block_end.sm = sm;
  if (r->kind == HEDDLE_RECORD_BARRIER) r->u.barrier.sm = sm;
}

static void test_other_sm(void **state) {
  (void)state;
  static const struct heddle_checker_config third = {.sm = 3}, first;
  struct bench b;
  bench_make(&b, program_short, 64, 0);
  bench_judge(&b, &third, HEDDLE_CHECKER_RECORD_FORM);
  for (size_t i = 0; i < b.s.n; i++) set_sm(&b.s.r[i], 3);
  bench_judge(&b, &third, HEDDLE_CHECKER_NONE);
  bench_judge(&b, &first, HEDDLE_CHECKER_RECORD_FORM);
  bool seen[HEDDLE_RECORD_KINDS] = {false};
  for (size_t i = 0; i < b.s.n; i++) {
    if (seen[b.s.r[i].kind]) continue;
    seen[b.s.r[i].kind] = true;
    set_sm(&b.s.r[i], 4);
    bench_judge(&b, &third, HEDDLE_CHECKER_RECORD_FORM);
    set_sm(&b.s.r[i], 3);
  }
  bench_finish(&b);
}

/* How old a write must be to be seen: what no machine can have makes no checker, and what was said is in the verdict.
 */
static void test_ages(void **state) {
  (void)state;
  static const struct {
    uint8_t read, pred;
    const char *words;
  } age[] = {{3, 2, "a register write is seen after 3 cycles, a predicate's after 2"},
             {HEDDLE_RECORD_AGE_MAX, HEDDLE_RECORD_AGE_MAX, "seen after 14 cycles, a predicate's after 14"},
             {0, 0, "seen after 1 cycles; of predicates' the device does not say it"}};
  struct bench b;
  bench_make(&b, program_short, 32, 0);
  for (unsigned i = 0; i < 3; i++) {
    const struct heddle_checker_config cfg = {.read_age = age[i].read, .pred_age = age[i].pred};
    bench_renew(&b, cfg, HEDDLE_CHECKER_NONE);
    expect_words(&b, (const char *const[]){age[i].words, NULL});
    json_t *j = checker_report_json(b.c);
    json_int_t read = -1, pred = -1;
    assert_int_equal(json_unpack(j, "{s:{s:I, s:I}}", "statistics", "read_age", &read, "pred_age", &pred), 0);
    assert_int_equal(read, age[i].read == 0 ? 1 : age[i].read);
    assert_int_equal(pred, age[i].pred);
    json_decref(j);
  }
  for (unsigned i = 0; i < 2; i++) {
    struct heddle_checker_config cfg = {.size = sizeof cfg, .lanes = 8, .warp_slots = 4, .block_slots = 2};
    if (i == 0) cfg.read_age = HEDDLE_RECORD_AGE_MAX + 1;
    if (i == 1) cfg.pred_age = HEDDLE_RECORD_AGE_MAX + 1;
    assert_null(heddle_checker_new(b.m, &b.p.launch, &cfg));
  }
  bench_finish(&b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_generations_wrap), cmocka_unit_test(test_partitions),
                                     cmocka_unit_test(test_other_numbers), cmocka_unit_test(test_other_sm),
                                     cmocka_unit_test(test_ages)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
