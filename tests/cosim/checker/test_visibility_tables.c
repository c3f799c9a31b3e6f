/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/visibility.md, "Bounds": a run of any length needs no more room than what is under way and in the cache. What
 * does not fit is told as checker.capacity, at the first thing too many: nothing is dropped.
 */
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/checker/bench.h"
#include "tests/cosim/checker/visibility_programs.h"

static struct cached x;
static char text[6000];

enum { ROUNDS = 1200 };

/* A line is read, written over and read again, more often than there are places for copies. */
static void long_run(void **state) {
  (void)state;
  (void)snprintf(text, sizeof text,
                 PROGRAM("        MOV R6, RZ ;\n"
                         "again:  LDG.E R4, [R2] ;\n        STG.E [R2], R0 ;\n        IADD3 R6, R6, 0x1, RZ ;\n"
                         "        ISETP.LT.U32.AND P0, PT, R6, 0x%x, PT ;\n@P0     BRA again ;\n"),
                 ROUNDS);
  begin(&x, text, 1, &promising);
  (void)cached_issue(&x, 0);
  for (uint32_t n = 1; n <= ROUNDS; n++) {
    const uint32_t load = cached_issue_to(&x, 0, 1), store = cached_issue_to(&x, 0, 1);
    bring(&x, 0, load, LINE, n);
    write_line(&x, 0, store, LINE);
    (void)cached_issue_to(&x, 0, 3);
    cached_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  }
  well(&x);
}

/* As often a copy is written over while warp 0 waits for it; warp 0 reads what is new past the cache, and then, for an
 * older load, the copy. */
static void long_overwritten(void **state) {
  (void)state;
  (void)snprintf(text, sizeof text,
                 PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P1, PT, R8, 0x1f, PT ;\n"
                         "        MOV R6, RZ ;\n"
                         "again:  IADD3 R6, R6, 0x1, RZ ;\n        ISETP.LT.U32.AND P0, PT, R6, 0x%x, PT ;\n"
                         "@P1     STG.E [R2], R0 ;\n@!P1    LDG.E R4, [R2] ;\n@!P1    LDG.E.STRONG.GPU R5, [R2] ;\n"
                         "@P0     BRA again ;\n"),
                 ROUNDS);
  begin(&x, text, 2, &promising);
  for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 3);
  for (uint32_t n = 1; n <= ROUNDS; n++) {
    const uint32_t store = cached_issue_to(&x, 1, 3), load = cached_issue_to(&x, 0, 4), strong = load + 1;
    (void)cached_issue(&x, 0);
    cached_drop(&x, 1, store, LINE, 15);
    cached_merge(&x, 0, load, LINE, 15, n);
    fill_line(&x, n, LINE);
    cached_globals(&x, 1, store, LINE);
    cached_ack(&x, 1, store, LINE);
    cached_drop(&x, 0, strong, LINE, 15);
    cached_globals(&x, 0, strong, LINE);
    cached_hit(&x, 0, load, LINE, 15, n);
    (void)cached_issue(&x, 0);
    (void)cached_issue_to(&x, 1, 3);
    cached_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  }
  well(&x);
}

/* Warp 0 reads what is new more often than there are places for such reads, while an old copy is kept: it is told once.
 */
static void long_newer(void **state) {
  (void)state;
  (void)snprintf(text, sizeof text,
                 PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P1, PT, R8, 0x1f, PT ;\n"
                         "        MOV R6, RZ ;\n@!P1    LDG.E R4, [R2] ;\n@P1     STG.E [R2], R0 ;\n"
                         "again:  IADD3 R6, R6, 0x1, RZ ;\n        ISETP.LT.U32.AND P0, PT, R6, 0x%x, PT ;\n"
                         "        LDG.E.STRONG.GPU R5, [R2] ;\n@P0     BRA again ;\n"),
                 ROUNDS);
  begin(&x, text, 2, &plain);
  (void)cached_issue_to(&x, 1, 5);
  cached_drop(&x, 1, HEAD + 4, LINE, 15);
  (void)cached_issue_to(&x, 0, 5);
  cached_merge(&x, 0, HEAD + 3, LINE, 15, 1); /* and it does not read it soon */
  fill_line(&x, 1, LINE);
  cached_globals(&x, 1, HEAD + 4, LINE);
  for (unsigned n = 0; n < ROUNDS; n++) {
    const uint32_t strong = cached_issue_to(&x, 0, 3);
    cached_drop(&x, 0, strong, LINE, 15);
    cached_globals(&x, 0, strong, LINE);
    (void)cached_issue(&x, 0);
    cached_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  }
  cached_free(&x);
}

/* A copy waits while a barrier lets its warp go, time and again: what the warp knew before is forgotten when it has
 * been read. */
static void long_barriers(void **state) {
  (void)state;
  (void)snprintf(text, sizeof text,
                 PROGRAM("        IMAD R7, R0, 0x4, RZ ;\n        MOV R6, RZ ;\n"
                         "again:  LDGSTS.E [R7], [R2] ;\n        BAR.SYNC 0x0 ;\n        IADD3 R6, R6, 0x1, RZ ;\n"
                         "        ISETP.LT.U32.AND P0, PT, R6, 0x%x, PT ;\n@P0     BRA again ;\n"),
                 ROUNDS / 4);
  begin(&x, text, 2, &promising);
  for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 2);
  for (uint32_t n = 1; n <= ROUNDS / 4; n++) {
    uint32_t load[2];
    for (unsigned w = 0; w < 2; w++) {
      load[w] = cached_issue_to(&x, w, 1);
      cached_merge(&x, w, load[w], LINE, 15, n);
      (void)cached_issue(&x, w);
    }
    assert_true(cached_barrier(&x, 0, 0));
    fill_line(&x, n, LINE);
    for (unsigned w = 0; w < 2; w++) cached_hit(&x, w, load[w], LINE, 15, n);
    for (unsigned w = 0; w < 2; w++) cached_shared(&x, w, load[w]);
    cached_give_up(&x, HEDDLE_RECORD_DROP_REPLACED, LINE, 15, false);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 3);
    cached_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  }
  well(&x);
}

/* Two warps read 2 KiB of local memory each, word by word, and each word makes room for the next: so many lines that
 * the last place of the judge's table of lines is one of theirs (whether it is there, a sanitizer tells). */
static void local_words(void **state) {
  (void)state;
  enum { BYTES = 2048 };
  (void)snprintf(text, sizeof text,
                 ".kernel k\n.param u64 in\n.local %u\n        MOV R6, RZ ;\n"
                 "again:  LDL R4, [R6] ;\n        IADD3 R6, R6, 0x4, RZ ;\n"
                 "        ISETP.LT.U32.AND P0, PT, R6, 0x%x, PT ;\n@P0     BRA again ;\n        EXIT ;\n.end\n",
                 BYTES, BYTES);
  cached_begin(&x, text, 1, 64, &promising);
  for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
  uint32_t number = 0;
  for (unsigned word = 0; word < BYTES / 4; word++)
    for (unsigned w = 0; w < 2; w++) {
      const uint64_t line = (uint64_t)w << 18 | word;
      const uint32_t seq = cached_issue_to(&x, w, 1), n = ++number;
      cached_merges(&x, w, seq, line, 15, (const uint32_t[4]){n, n, n, n}, true);
      for (unsigned s = 0; s < 4; s++) cached_fill(&x, n, 4 * line + s, true);
      cached_hits(&x, w, seq, line, 15, (const uint32_t[4]){n, n, n, n}, true);
      cached_give_up(&x, HEDDLE_RECORD_DROP_REPLACED, line, 15, true);
      (void)cached_issue_to(&x, w, 3);
    }
  well(&x);
}

/* ---- tables that are full: of 128 instructions under way (cached_config), eight sectors each */

enum { PLACES = 8 * 128, BLOCKS = CACHED_WARPS, ROW = 32, ROUND = PLACES / (BLOCKS * ROW) };

/* R10:R11 is the lane's own sector of 32, P0 is warp 0. Loads of ROUND + 1 times 32 sectors, by all or by warp 0 alone;
 * stores of the same sectors. */
static void write_program(const char *guard, bool stores) {
  size_t n = (size_t)snprintf(text, sizeof text,
                              ".kernel k\n.param u64 in\n.param u64 out\n        S2R R0, SR_LANEID ;\n"
                              "        MOV R2, c[0x0][in] ;\n        MOV R3, c[0x0][in+4] ;\n"
                              "        IMAD.WIDE R10, R0, 0x20, R2 ;\n        S2R R8, SR_TID.X ;\n"
                              "        ISETP.LT.U32.AND P0, PT, R8, 0x20, PT ;\n");
  for (unsigned i = 0; i <= ROUND; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%sLDG.E R%u, [R10+0x%x] ;\n", guard, 20 + i, i * ROW * 32);
  for (unsigned i = 0; i <= ROUND && stores; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "STG.E [R10+0x%x], R0 ;\n", i * ROW * 32);
  (void)snprintf(text + n, sizeof text - n, "        EXIT ;\n.end\n");
}

static void start(unsigned cache_sectors) {
  const struct heddle_checker_config cfg = {.cache_sectors = cache_sectors};
  begin(&x, text, BLOCKS, &cfg);
  for (unsigned w = 0; w < BLOCKS; w++) (void)cached_issue_to(&x, w, 2);
}

static uint64_t line_of(unsigned round, unsigned i) {
  return LINE + round * (ROW / 4) + i;
}

/* Warp 0 has a copy of every sector; round by round. */
static void copy_all(uint32_t first_seq) {
  for (unsigned round = 0; round <= ROUND; round++)
    for (unsigned i = 0; i < ROW / 4; i++)
      bring(&x, 0, first_seq + round, line_of(round, i), round * (ROW / 4) + i + 1);
}

static void full(const char *what) {
  done(&x, HEDDLE_CHECKER_CAPACITY, what);
}

/* Loads wait, four warps' and 32 sectors each. */
static void waits(void **state) {
  (void)state;
  write_program("        ", false);
  start(PLACES);
  for (unsigned w = 0; w < BLOCKS; w++) (void)cached_issue_to(&x, w, ROUND + 1);
  for (unsigned round = 0; round < ROUND; round++)
    for (unsigned w = 0; w < BLOCKS; w++)
      for (unsigned i = 0; i < ROW / 4; i++)
        cached_merge(&x, w, HEAD + 2 + round, line_of(round, i), 15, round * (ROW / 4) + i + 1);
  cached_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  cached_merge(&x, 0, HEAD + 2 + ROUND, line_of(ROUND, 0), 1, ROUND * (ROW / 4) + 1);
  full("loads that wait");
}

/* Four warps write over the copies. A warp that does so twice is told once. */
static void overwrites(void **state) {
  (void)state;
  write_program("@P0     ", true);
  start(2 * PLACES);
  for (unsigned w = 0; w < BLOCKS; w++) (void)cached_issue_to(&x, w, 2 * (ROUND + 1));
  const uint32_t store = HEAD + 2 + ROUND + 1;
  for (unsigned round = 0; round <= ROUND; round++)
    for (unsigned w = 0; w < BLOCKS; w++)
      for (unsigned i = 0; i < ROW / 4; i++) cached_drop(&x, w, store + round, line_of(round, i), 15);
  copy_all(HEAD + 2);
  for (unsigned round = 0; round < ROUND; round++)
    for (unsigned w = 0; w < BLOCKS; w++)
      for (unsigned i = 0; i < ROW / 4; i++) cached_globals(&x, w, store + round, line_of(round, i));
  cached_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  cached_global(&x, 0, store + ROUND, 4 * line_of(ROUND, 0));
  full("stores over copies");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(long_run),    cmocka_unit_test(long_overwritten),
                                     cmocka_unit_test(long_newer),  cmocka_unit_test(long_barriers),
                                     cmocka_unit_test(local_words), cmocka_unit_test(waits),
                                     cmocka_unit_test(overwrites)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
