/* SPDX-License-Identifier: Apache-2.0
 *
 * What no single record shows: how deep the checker's tables are, warps that do not go on and whom they wait for. Each
 * comparison is also switched off: then nothing is reported under its name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>

#include "tests/test.h"
#include "cosim/checker/report.h"
#include "tests/cosim/checker/bench.h"
#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/stream_find.h"

/* ---- depth ---- */

#define LOADS 100u

/* So many loads whose results nobody asks for: all are under way at once. */
static char *many_loads(void) {
  char *text = NULL;
  size_t n;
  FILE *f = open_memstream(&text, &n);
  assert_non_null(f);
  fprintf(f, ".kernel deep\n.param u64 in\n.param u64 out\n"
             "        MOV R4, c[0x0][in] ;\n        MOV R5, c[0x0][in+4] ;\n");
  for (unsigned i = 0; i < LOADS; i++) fprintf(f, "        LDG.E R%u, [R4+0x%x] ;\n", 10 + i, 32 * i);
  fprintf(f, "        EXIT ;\n.end\n");
  fclose(f);
  return text;
}

static void test_depth(void **state) {
  (void)state;
  struct bench b;
  char *text = many_loads();
  bench_make(&b, text, 64, LOADS);
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, b.s.n) && heddle_checker_finish(b.c, b.last));
  assert_int_equal(heddle_checker_statistics(b.c)->retired, 2 * (LOADS + 3));
  bench_renew(&b, (struct heddle_checker_config){.in_flight = LOADS - 1}, HEDDLE_CHECKER_NONE);
  assert_false(bench_feed(&b, b.s.n));
  expect_kind(&b, HEDDLE_CHECKER_CAPACITY);
  /* the oldest of all those under way is compared like any other */
  const size_t load = find_issue(&b.s, 0, ISA_OP_LDG_E), write = of_insn(&b.s, load, HEDDLE_RECORD_WRITE);
  size_t between = 0;
  for (size_t i = load; i < write; i++)
    between += b.s.r[i].kind == HEDDLE_RECORD_ISSUE && b.s.r[i].u.issue.id.slot == b.s.r[load].u.issue.id.slot;
  assert_true(between > LOADS - 2);
  b.s.r[write].u.write.data[3] ^= 0x10;
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_false(bench_feed(&b, b.s.n));
  expect_kind(&b, HEDDLE_CHECKER_WRITEBACK_VALUE);
  assert_int_equal(heddle_checker_first(b.c)->seq, b.s.r[load].u.issue.id.seq);
  bench_finish(&b);
  free(text);
}

/* A table that has just room for what is under way, and one that lacks a place. */
static void test_depth_exact(void **state) {
  (void)state;
  struct bench b;
  char *text = many_loads();
  bench_make(&b, text, 32, LOADS);
  const size_t exit = find_issue(&b.s, 0, ISA_OP_EXIT); /* all loads are under way when it issues */
  assert_true(of_insn(&b.s, find_issue(&b.s, 0, ISA_OP_LDG_E), HEDDLE_RECORD_GLOBAL) > exit);
  bench_renew(&b, (struct heddle_checker_config){.in_flight = LOADS + 1}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, b.s.n) && heddle_checker_finish(b.c, b.last));
  bench_renew(&b, (struct heddle_checker_config){.in_flight = LOADS}, HEDDLE_CHECKER_NONE);
  assert_false(bench_feed(&b, b.s.n));
  expect_kind(&b, HEDDLE_CHECKER_CAPACITY);
  assert_int_equal(heddle_checker_first(b.c)->cycle, b.s.r[exit].cycle);
  bench_finish(&b);
  free(text);
}

/* Sizes that no counter of the checker could hold are refused. */
static void test_depth_refused(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_undefined, 32, 0);
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  const struct heddle_checker_config cfg = {
      .size = sizeof cfg, .lanes = 8, .warp_slots = 4, .block_slots = 2, .in_flight = 1u << 20};
  assert_null(heddle_checker_new(b.m, &b.p.launch, &cfg));
  bench_finish(&b);
}

/* ---- watchdogs ---- */

/* Judged up to `end`, then nothing more: what the watchdogs say just before and just after their time. */
static void expect_watchdog(struct bench *b, size_t end, const struct heddle_checker_config *cfg, uint64_t patience,
                            enum heddle_checker_kind want) {
  for (unsigned off = 0; off < 2; off++) {
    bench_renew(b, *cfg, off != 0 ? want : HEDDLE_CHECKER_NONE);
    assert_true(bench_feed(b, end));
    assert_true(heddle_checker_look(b->c, b->last + patience));
    const bool quiet = heddle_checker_look(b->c, b->last + 2 * patience + 1);
    expect_kind(b, off != 0 ? HEDDLE_CHECKER_NONE : want);
    assert_true(quiet == (off != 0));
  }
  bench_renew(b, *cfg, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(b, end));
  assert_false(heddle_checker_look(b->c, b->last + 2 * patience + 1));
  assert_int_equal(heddle_checker_first(b->c)->cycle, b->last + 2 * patience + 1);
}

/* One warp, everything paid, and its next instruction does not come. */
static void test_could_issue(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_mix, 32, 0);
  const size_t wide = find_issue(&b.s, 0, ISA_OP_IMAD_WIDE);
  const struct heddle_checker_config by_default = {0}, quick = {.patience_issue = 100};
  expect_watchdog(&b, wide, &by_default, HEDDLE_CHECKER_PATIENCE_ISSUE, HEDDLE_CHECKER_WATCHDOG_ISSUE);
  expect_watchdog(&b, wide, &quick, 100, HEDDLE_CHECKER_WATCHDOG_ISSUE);
  assert_int_equal(heddle_checker_first(b.c)->pc, b.s.r[wide].u.issue.pc);
  assert_int_equal(heddle_checker_first(b.c)->word.lo, b.s.r[wide].u.issue.word[0]);
  static const char *const words[] = {"watchdog.issue", "could issue, and no warp issues", "next seq 5 pc 0x50",
                                      "it could issue", NULL};
  expect_words(&b, words);
  bench_finish(&b);
}

/* One warp's records, up to its barrier, 50 cycles from one to the next; the other warp starts only. */
static size_t one_slow_warp(struct bench *b) {
  bench_make(b, program_mix, 64, 0);
  const uint8_t slot = b->s.r[1].u.issue.id.slot;
  size_t n = 0;
  for (size_t i = 0; i < b->s.n && b->s.r[i].kind != HEDDLE_RECORD_BARRIER; i++) {
    const struct heddle_record_id *id = heddle_record_id_of(&b->s.r[i]);
    if (id == NULL || id->slot == slot) b->s.r[n++] = b->s.r[i];
    if (is_op(&b->s.r[n - 1], ISA_OP_STS)) break;
  }
  for (size_t i = 1; i < n; i++) {
    struct heddle_retire_record *r = &b->s.r[i];
    r->cycle = 50 * i;
    if (r->kind == HEDDLE_RECORD_ISSUE) r->u.issue.clock = r->cycle + 1000; /* as the fake device counts */
    if (r->kind == HEDDLE_RECORD_GLOBAL) r->u.global.stamp = r->cycle;
  }
  return n;
}

/* Others issue all the time: this one is never chosen. */
static void test_never_chosen(void **state) {
  (void)state;
  struct bench b;
  const size_t n = one_slow_warp(&b);
  for (unsigned off = 0; off < 2; off++) {
    bench_renew(&b, (struct heddle_checker_config){.patience_warp = 1000, .patience_issue = 100000},
                off != 0 ? HEDDLE_CHECKER_WATCHDOG_WARP : HEDDLE_CHECKER_NONE);
    const bool ok = bench_feed(&b, n);
    expect_kind(&b, off != 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_WATCHDOG_WARP);
    assert_true(ok == (off != 0));
  }
  bench_finish(&b);
}

/* The memory's clock is so far from that of the records, and a cycle more; or it stands still. */
static void test_still(void **state) {
  (void)state;
  struct bench b;
  const size_t n = one_slow_warp(&b);
  size_t first = 0, last = 0;
  for (size_t i = n; i-- > 0;) {
    if (b.s.r[i].kind != HEDDLE_RECORD_GLOBAL) continue;
    if (last == 0) last = i;
    first = i;
  }
  assert_true(b.s.r[last].cycle - b.s.r[first].cycle > (uint64_t)HEDDLE_CHECKER_STAMP_DRIFT);
  for (unsigned way = 0; way < 3; way++) {
    b.s.r[last].u.global.stamp = b.s.r[last].cycle + (uint64_t)HEDDLE_CHECKER_STAMP_DRIFT + (way == 1);
    for (size_t i = 0; i < n && way == 2; i++)
      if (b.s.r[i].kind == HEDDLE_RECORD_GLOBAL) b.s.r[i].u.global.stamp = b.s.r[first].u.global.stamp;
    bench_renew(&b, (struct heddle_checker_config){.patience_warp = 100000}, HEDDLE_CHECKER_NONE);
    (void)bench_feed(&b, last + 1);
    expect_kind(&b, way == 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_PERFORM_STAMP);
  }
  bench_finish(&b);
}

/* A load has issued and read its address; memory never answers. Its consumer waits for a counter. */
static void test_owes(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_mix, 32, 0);
  const size_t load = find_issue(&b.s, 0, ISA_OP_LDG_E);
  const size_t end = of_insn(&b.s, load, HEDDLE_RECORD_GLOBAL);
  const struct heddle_checker_config cfg = {.patience_warp = 5000};
  expect_watchdog(&b, end, &cfg, 5000, HEDDLE_CHECKER_WATCHDOG_WARP);
  static const char *const words[] = {"watchdog.warp", "waits for what it owes", "under way: seq 6 pc 0x60",
                                      "access 0xffffffff result 0xffffffff", NULL};
  expect_words(&b, words);
  bench_finish(&b);
}

static const char program_counter[] = ".kernel counter\n"
                                      ".param u64 in\n"
                                      "[B------:R-:W-:-:S08] MOV R4, c[0x0][in] ;\n"
                                      "[B------:R-:W-:-:S08] MOV R5, c[0x0][in+4] ;\n"
                                      "[B------:R-:W3:-:S08] LDG.E R8, [R4] ;\n"
                                      "[B---3--:R-:W-:-:S08] IADD3 R9, R8, 0x1, RZ ;\n"
                                      "[B------:R-:W-:-:S08] EXIT ;\n"
                                      ".end\n";

static void test_counter(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_counter, 32, 0);
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  const size_t load = find_issue(&b.s, 0, ISA_OP_LDG_E);
  assert_true(bench_feed(&b, of_insn(&b.s, load, HEDDLE_RECORD_GLOBAL)));
  static const char *const words[] = {"next seq 3 pc 0x30", "awaits SB3, owed by seq 2 pc 0x20", NULL};
  static const char *const others[] = {"SB0", "SB1", "SB2", "SB4", "SB5", "nothing under way", "it could issue", NULL};
  expect_words(&b, words);
  expect_no_words(&b, others);
  bench_finish(&b);
}

static const char program_counters[] = ".kernel counters\n"
                                       ".param u64 in\n"
                                       "[B------:R-:W-:-:S08] MOV R4, c[0x0][in] ;\n"
                                       "[B------:R-:W-:-:S08] MOV R5, c[0x0][in+4] ;\n"
                                       "[B------:R-:W3:-:S08] LDG.E R8, [R4] ;\n"
                                       "[B------:R1:W4:-:S08] LDG.E R10, [R4+0x80] ;\n"
                                       "[B---3--:R-:W-:-:S08] IADD3 R9, R8, 0x1, RZ ;\n"
                                       "[B----4-:R-:W-:-:S08] EXIT ;\n"
                                       ".end\n";

/* Of two loads under way the one that owes the counter is named. */
static void test_two_counters(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_counters, 32, 0);
  const size_t second = find_issue(&b.s, find_issue(&b.s, 0, ISA_OP_LDG_E) + 1, ISA_OP_LDG_E);
  size_t n = 0; /* no load is answered */
  for (size_t i = 0; i < b.s.n && !is_op(&b.s.r[i], ISA_OP_IADD3); i++)
    if (b.s.r[i].kind != HEDDLE_RECORD_GLOBAL && !(b.s.r[i].kind == HEDDLE_RECORD_WRITE && b.s.r[i].u.write.rd >= 8))
      b.s.r[n++] = b.s.r[i];
  assert_true(second < n);
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, n));
  static const char *const words[] = {"next seq 4 pc 0x40", "awaits SB3, owed by seq 2 pc 0x20", NULL};
  static const char *const others[] = {"SB3, owed by seq 3", "SB1", "SB4", NULL};
  expect_words(&b, words);
  expect_no_words(&b, others);
  bench_finish(&b);
}

/* A fence waits for what is not performed yet; of nothing it does not. */
static void test_fence(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, bench_fence, 32, 0);
  static const char *const words[] = {"its earlier accesses, before it may take effect", NULL};
  const size_t store = find_issue(&b.s, 0, ISA_OP_STG_E), performed = of_insn(&b.s, store, HEDDLE_RECORD_GLOBAL);
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, performed));
  expect_words(&b, words);
  assert_true(find_issue(&b.s, 0, ISA_OP_MEMBAR) > performed);
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, find_issue(&b.s, 0, ISA_OP_MEMBAR)));
  expect_no_words(&b, words);
  bench_finish(&b);
}

/* All have come, and nobody is released. */
static void test_barrier(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_mix, 64, 0);
  const struct heddle_checker_config cfg = {.patience_issue = 300};
  expect_watchdog(&b, find_kind(&b.s, 0, HEDDLE_RECORD_BARRIER), &cfg, 300, HEDDLE_CHECKER_WATCHDOG_BARRIER);
  assert_false(heddle_checker_deadlock(b.c));
  static const char *const words[] = {"watchdog.barrier", "barrier 0, where 2 of 2 warps are", "it is not released",
                                      NULL};
  expect_words(&b, words);
  bench_finish(&b);
}

/* Warp 1 leaves; warp 0 waits for two warps. */
static const char program_stuck[] = ".kernel stuck\n"
                                    "        S2R R0, SR_TID.X ;\n"
                                    "        ISETP.GT.U32.AND P0, PT, R0, 0x1f, PT ;\n"
                                    "@P0     EXIT ;\n"
                                    "        BAR.SYNC 0x1, 0x40 ;\n"
                                    "        EXIT ;\n"
                                    ".end\n";

static void test_deadlock(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_stuck, 64, 0);
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, b.s.n - 1));
  assert_false(heddle_checker_deadlock(b.c)); /* somebody has something to show */
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, b.s.n));
  assert_true(heddle_checker_deadlock(b.c));
  assert_true(heddle_checker_look(
      b.c, b.last + 100 * HEDDLE_CHECKER_PATIENCE_WARP)); /* the program's fault, not a difference */
  static const char *const words[] = {"barrier 1, where 1 of 2 warps are (warps 0x1 of the block)",
                                      "missing: warp 1, which has ended", NULL};
  expect_words(&b, words);
  json_t *j = checker_waiting_json(b.c);
  assert_int_equal(json_array_size(j), 2);
  unsigned found = 0;
  for (size_t i = 0; i < 2; i++) {
    json_t *w = json_array_get(j, i);
    if (json_integer_value(json_object_get(w, "warp")) != 0) continue;
    found++;
    assert_true(json_is_false(json_object_get(w, "ended")));
    assert_non_null(strstr(json_string_value(json_array_get(json_object_get(w, "awaits"), 0)), "barrier 1"));
  }
  assert_int_equal(found, 1);
  json_decref(j);
  bench_finish(&b);
}

/* Lanes that wait at a convergence barrier are named, with those for whom they wait. */
static void test_parked(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_mix, 32, 0);
  size_t i = find_issue(&b.s, 0, ISA_OP_BSYNC);
  assert_true(i != NOT_FOUND);
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, i + 1));
  static const char *const words[] = {"parked at B0 at pc 0x", " until 0x", NULL};
  expect_words(&b, words);
  bench_finish(&b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_depth),       cmocka_unit_test(test_depth_exact),  cmocka_unit_test(test_depth_refused),
      cmocka_unit_test(test_could_issue), cmocka_unit_test(test_never_chosen), cmocka_unit_test(test_still),
      cmocka_unit_test(test_owes),        cmocka_unit_test(test_counter),      cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_deadlock),    cmocka_unit_test(test_parked),       cmocka_unit_test(test_two_counters),
      cmocka_unit_test(test_fence)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
