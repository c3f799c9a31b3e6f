/* SPDX-License-Identifier: Apache-2.0
 * What a device would tell of one warp, written by hand, and where its cycles are charged. */
#include <string.h>

#include <heddle/asm.h>
#include "tests/test.h"
#include "run/profile/internal.h"

enum { LDG = ISA_WORD_BYTES, EXIT = 2 * ISA_WORD_BYTES };

struct fixture {
  struct run_options options;
  struct job job;
  struct heddle_program *program;
  struct profiler *p;
};

static int setup(void **state) {
  static const char text[] = ".pack off\n.kernel k\nMOV R4, 0x1 ;\nLDG.E R5, [R6] ;\nEXIT ;\n.end\n";
  static struct fixture f;
  const struct heddle_asm_options o = {.size = sizeof o};
  f = (struct fixture){.options = {.config_name = "tiny", .profile_from = 4, .profile_cycles = 8}};
  f.options.config = heddle_config_find("tiny");
  assert_int_equal(heddle_assemble(text, sizeof text - 1, "k.s", &o, &f.program), HEDDLE_SUCCESS);
  f.job.program = f.program;
  f.job.kernel = &f.program->kernel[0];
  f.p = profiler_new(&f.options);
  assert_non_null(f.p);
  profiler_begin(f.p, &f.job);
  profile_observe(f.p, NULL, NULL, NULL);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  struct fixture *f = *state;
  profiler_free(f->p);
  heddle_program_free(f->program);
  return 0;
}

static void starts(struct profiler *p, uint64_t cycle) {
  const struct heddle_retire_record r = {.kind = HEDDLE_RECORD_BLOCK_START, .cycle = cycle};
  profile_observe(p, NULL, NULL, &r);
}

static void issues(struct profiler *p, uint64_t cycle, uint32_t seq, uint32_t pc) {
  const struct heddle_retire_record r = {
      .kind = HEDDLE_RECORD_ISSUE, .cycle = cycle, .u.issue = {.id.seq = seq, .pc = pc, .exec = UINT32_MAX}};
  profile_observe(p, NULL, NULL, &r);
}

static void reads(struct profiler *p, uint64_t cycle, uint64_t sector) {
  const struct heddle_retire_record r = {
      .kind = HEDDLE_RECORD_GLOBAL, .cycle = cycle, .u.global = {.id.seq = 1, .sector = sector, .lanes = UINT32_MAX}};
  profile_observe(p, NULL, NULL, &r);
}

/* Three instructions in the cycles 100 to 114; two follow each other without a cycle between. */
static void one_warp(struct profiler *p) {
  static const struct heddle_dut_class change[] = {
      {100, 0, 0, HEDDLE_COUNTER_FETCH}, {103, 0, 0, HEDDLE_COUNTER_STALL},  {105, 0, 0, HEDDLE_COUNTER_ISSUED},
      {106, 0, 0, HEDDLE_COUNTER_WAIT},  {110, 0, 0, HEDDLE_COUNTER_ISSUED}, {112, 0, 0, HEDDLE_COUNTER_SYNC},
      {114, 0, 0, HEDDLE_DUT_NO_WARP}};
  starts(p, 100);
  issues(p, 105, 0, 0);
  issues(p, 110, 1, LDG);
  issues(p, 111, 2, EXIT);
  profile_classes(p, change, sizeof change / sizeof *change);
  reads(p, 115, 8);
  reads(p, 120, 12);
  profile_settle(p);
}

static void cycles_go_to_what_issues_next(void **state) {
  struct profiler *p = ((struct fixture *)*state)->p;
  one_warp(p);
  const struct charge *mov = profile_charge(p, 0, 0), *ldg = profile_charge(p, 0, LDG),
                      *end = profile_charge(p, 0, EXIT);
  assert_int_equal(mov->cycles[HEDDLE_COUNTER_FETCH], 3);
  assert_int_equal(mov->cycles[HEDDLE_COUNTER_STALL], 2);
  assert_int_equal(charge_cycles(mov), 6);
  assert_int_equal(ldg->cycles[HEDDLE_COUNTER_WAIT], 4);
  assert_int_equal(charge_cycles(ldg), 5);
  assert_int_equal(end->cycles[HEDDLE_COUNTER_SYNC], 2); /* behind the last one */
  assert_int_equal(charge_cycles(end), 3);
  assert_int_equal(p->lost, 0);
  assert_int_equal(p->end, 14);
  assert_int_equal(p->bucket[0].cycles[HEDDLE_COUNTER_ISSUED], 3);
}

static void memory_is_counted_by_its_records(void **state) {
  struct profiler *p = ((struct fixture *)*state)->p;
  one_warp(p);
  const struct charge *ldg = profile_charge(p, 0, LDG);
  assert_int_equal(ldg->requests, 1);
  assert_int_equal(ldg->sectors, 2);
  assert_int_equal(ldg->lines, 2);
  assert_int_equal(ldg->ideal, 2); /* 32 lanes of 4 bytes would be 4, but lanes share */
  assert_int_equal(ldg->in_flight, 10);
}

static void a_window_cuts_what_is_kept(void **state) {
  static const struct stretch want[] = {{4, 5, 0, 0, 0, HEDDLE_COUNTER_STALL},
                                        {5, 6, 0, 0, 0, HEDDLE_COUNTER_ISSUED},
                                        {6, 10, LDG, 0, 0, HEDDLE_COUNTER_WAIT},
                                        {10, 11, LDG, 0, 0, HEDDLE_COUNTER_ISSUED},
                                        {11, 12, EXIT, 0, 0, HEDDLE_COUNTER_ISSUED}};
  struct profiler *p = ((struct fixture *)*state)->p;
  one_warp(p);
  assert_int_equal(p->stretches, sizeof want / sizeof *want);
  for (size_t i = 0; i < p->stretches; i++) {
    assert_int_equal(p->stretch[i].from, want[i].from);
    assert_int_equal(p->stretch[i].to, want[i].to);
    assert_int_equal(p->stretch[i].pc, want[i].pc);
    assert_int_equal(p->stretch[i].state, want[i].state);
  }
  assert_int_equal(p->traceds, 3);
  assert_int_equal(p->traced[1].waits_from, 6);
  assert_int_equal(p->traced[1].issued, 10);
  assert_int_equal(p->traced[1].end, 20);
}

static void sums_must_be_the_counters(void **state) {
  struct profiler *p = ((struct fixture *)*state)->p;
  char why[200] = "";
  one_warp(p);
  static const uint64_t counted[HEDDLE_COUNTERS] = {[HEDDLE_COUNTER_ISSUED] = 3,
                                                    [HEDDLE_COUNTER_FETCH] = 3,
                                                    [HEDDLE_COUNTER_STALL] = 2,
                                                    [HEDDLE_COUNTER_WAIT] = 4,
                                                    [HEDDLE_COUNTER_SYNC] = 2};
  memcpy(p->counted[0].cycles, counted, sizeof counted);
  assert_true(charge_is_counted(p, why, sizeof why));
  p->counted[0].cycles[HEDDLE_COUNTER_FETCH] = 0; /* one class for another */
  p->counted[0].cycles[HEDDLE_COUNTER_CONST] = 3;
  assert_false(charge_is_counted(p, why, sizeof why));
  assert_non_null(strstr(why, "SM 0 has counted 0 warp cycles of class fetch, but 3 were charged"));
}

static void an_issue_without_its_record_is_told(void **state) {
  struct profiler *p = ((struct fixture *)*state)->p;
  static const struct heddle_dut_class change[] = {{100, 0, 0, HEDDLE_COUNTER_ISSUED}, {101, 0, 0, HEDDLE_DUT_NO_WARP}};
  starts(p, 100);
  profile_classes(p, change, 2);
  issues(p, 105, 0, 0); /* and a record without its cycle */
  profile_settle(p);
  assert_int_equal(p->lost, 2);
}

static void intervals_grow_and_keep_their_sums(void **state) {
  struct profiler *p = ((struct fixture *)*state)->p;
  time_add(p, HEDDLE_COUNTER_WAIT, 0, 16 * PROFILE_BUCKETS);
  assert_int_equal(p->width, 16);
  time_add(p, HEDDLE_COUNTER_STALL, 16 * PROFILE_BUCKETS - 8, 16 * PROFILE_BUCKETS + 8);
  assert_int_equal(p->width, 32);
  assert_int_equal(p->bucket[0].cycles[HEDDLE_COUNTER_WAIT], 32);
  assert_int_equal(p->bucket[PROFILE_BUCKETS / 2 - 1].cycles[HEDDLE_COUNTER_STALL], 8);
  assert_int_equal(p->bucket[PROFILE_BUCKETS / 2].cycles[HEDDLE_COUNTER_STALL], 8);
  assert_int_equal(time_buckets(p), PROFILE_BUCKETS / 2 + 1);
}

static void a_window_is_read(void **state) {
  (void)state;
  uint64_t from, cycles;
  assert_true(run_profile_window("100", &from, &cycles) && from == 0 && cycles == 100);
  assert_true(run_profile_window("7:100", &from, &cycles) && from == 7 && cycles == 100);
  static const char *const bad[] = {"", "0", ":", "5:", ":5", "5:0", "x", "1:2:3", "1000001"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (run_profile_window(bad[i], &from, &cycles)) fail_msg("%s is no window", bad[i]);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(cycles_go_to_what_issues_next, setup, teardown),
      cmocka_unit_test_setup_teardown(memory_is_counted_by_its_records, setup, teardown),
      cmocka_unit_test_setup_teardown(a_window_cuts_what_is_kept, setup, teardown),
      cmocka_unit_test_setup_teardown(sums_must_be_the_counters, setup, teardown),
      cmocka_unit_test_setup_teardown(an_issue_without_its_record_is_told, setup, teardown),
      cmocka_unit_test_setup_teardown(intervals_grow_and_keep_their_sums, setup, teardown),
      cmocka_unit_test(a_window_is_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
