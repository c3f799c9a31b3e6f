/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/visibility.md, "Demands of the architecture": what a read through a cache must not miss; local memory.
 */
#include <string.h>
#include "tests/cosim/checker/bench.h"
#include "tests/cosim/checker/visibility_programs.h"
#include "tests/test.h"

static struct cached x;

/* ---- what must not be missed */

/* The store has passed; a younger load of its warp reads what was taken before the store was performed. */
static void program_order(void **state) {
  (void)state;
  for (unsigned way = 0; way < 4; way++) {
    begin(&x, PROGRAM(STORE("0x0") LOAD("4", "0x0")), 1, &plain);
    (void)cached_issue_to(&x, 0, 2);
    cached_drop(&x, 0, HEAD, LINE, 15);
    cached_merge(&x, 0, HEAD + 1, LINE, 15, 1);
    if (way == 0) cached_globals(&x, 0, HEAD, LINE);
    fill_line(&x, 1, LINE);
    if (way == 1) cached_globals(&x, 0, HEAD, LINE);
    if (way == 3) cached_global(&x, 0, HEAD, FIRST + 3); /* of three sectors it is not known yet */
    cached_hit(&x, 0, HEAD + 1, LINE, way == 3 ? 4 : 15, 1);
    if (way == 0) {
      cached_ack(&x, 0, HEAD, LINE);
      well(&x);
      continue;
    }
    done(&x, HEDDLE_CHECKER_VISIBILITY_STALE, way == 1 ? "is older in its warp" : "is not performed");
  }
}

/* Bytes that the lane does not read do not matter. */
static void other_bytes(void **state) {
  (void)state;
  begin(&x,
        PROGRAM("        ISETP.GT.U32.AND P0, PT, R0, 0x14, PT ;\n"
                "@P0     STG.E [R2], R0 ;\n"
                "@!P0    LDG.E R4, [R2] ;\n"),
        1, &plain);
  (void)cached_issue_to(&x, 0, 3);
  cached_drop(&x, 0, HEAD + 1, LINE, 12);
  cached_merge(&x, 0, HEAD + 2, LINE, 7, 1);
  for (unsigned s = 0; s < 3; s++) cached_fill(&x, 1, FIRST + s, false);
  cached_globals(&x, 0, HEAD + 1, LINE);
  cached_hit(&x, 0, HEAD + 2, LINE, 7, 1);
  cached_ack(&x, 0, HEAD + 1, LINE);
  well(&x);
}

/* Warp 1 has stored before the barrier, warp 0 reads after it what it has read before: a copy that was taken when that
 * store had passed, before it was performed. A fence of the block tells nobody. */
static void barrier(void **state) {
  (void)state;
#define STORES_AND_READS(meets)                                                                                        \
  PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n" STORE(                       \
      "0x0") "@!P0    LDG.E R5, [R2] ;\n" meets LOAD("4", "0x0"))
  for (unsigned way = 0; way < 3; way++) {
    const bool bars = way != 2;
    begin(&x, bars ? STORES_AND_READS(BAR) : STORES_AND_READS(FENCE_CTA), 2, &plain);
    (void)cached_issue_to(&x, 0, 3);
    write_line(&x, 0, HEAD + 2, LINE);
    (void)cached_issue_to(&x, 1, 3);
    cached_drop(&x, 1, HEAD + 2, LINE, 15);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
    cached_merge(&x, 0, HEAD + 3, LINE, 15, 1);
    if (way == 0) cached_globals(&x, 1, HEAD + 2, LINE);
    fill_line(&x, 1, LINE);
    cached_hit(&x, 0, HEAD + 3, LINE, 15, 1);
    if (way != 0) cached_globals(&x, 1, HEAD + 2, LINE);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
    if (bars) assert_true(cached_barrier(&x, 0, 0));
    for (unsigned w = 0; w < 2 && !bars; w++) cached_fence(&x, w, HEAD + 4, HEDDLE_RECORD_SCOPE_CTA);
    (void)cached_issue(&x, 0);
    cached_hit(&x, 0, HEAD + 5, LINE, 15, 1);
    if (way != 1)
      done(&x, HEDDLE_CHECKER_NONE, NULL);
    else
      done(&x, HEDDLE_CHECKER_VISIBILITY_STALE, "is known since a barrier");
  }
#undef STORES_AND_READS
}

/* What another knew when it arrived is known as well: 2 tells 1, and 1 tells 0. */
static void barrier_after_barrier(void **state) {
  (void)state;
  static const char body[] = PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n"
                                     "        ISETP.LT.U32.AND P1, PT, R8, 0x40, PT ;\n"
                                     "@P0     STG.E [R2], R0 ;\n@!P0    LDG.E R5, [R2] ;\n"
                                     "@P0     BAR.SYNC 0x1, 0x40 ;\n@P1     BAR.SYNC 0x2, 0x40 ;\n"
                                     "@!P0    LDG.E R4, [R2] ;\n");
  begin(&x, body, 3, &plain);
  (void)cached_issue_to(&x, 2, 4);
  cached_drop(&x, 2, HEAD + 3, LINE, 15);
  (void)cached_issue_to(&x, 1, 4);
  write_line(&x, 1, HEAD + 3, LINE);
  (void)cached_issue_to(&x, 0, 5);
  bring(&x, 0, HEAD + 4, LINE, 1);
  cached_globals(&x, 2, HEAD + 3, LINE);
  (void)cached_issue_to(&x, 2, 2);
  (void)cached_issue_to(&x, 1, 2);
  assert_true(cached_barrier(&x, 0, 1));
  (void)cached_issue(&x, 1);
  (void)cached_issue_to(&x, 0, 2);
  assert_true(cached_barrier(&x, 0, 2));
  (void)cached_issue(&x, 0);
  cached_hit(&x, 0, HEAD + 7, LINE, 15, 1);
  done(&x, HEDDLE_CHECKER_VISIBILITY_STALE, "is known since a barrier");
}

/* warp 1: data, fence, flag. Warp 0: copy of data; flag, fence; data. */
static void acquired(void **state) {
  (void)state;
  static const char body[] = PROGRAM("        S2R R8, SR_TID.X ;\n"
                                     "        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n"
                                     "@P0     STG.E [R2], R0 ;\n"
                                     "@P0     MEMBAR.GPU ;\n"
                                     "@P0     STG.E [R2+0x80], R0 ;\n"
                                     "@!P0    LDG.E R4, [R2] ;\n"
                                     "@!P0    LDG.E.STRONG.GPU R5, [R2+0x80] ;\n"
                                     "@!P0    MEMBAR.GPU ;\n"
                                     "@!P0    LDG.E R6, [R2] ;\n");
  for (unsigned way = 0; way < 4; way++) { /* 0: stale; 1: no fence of 1 before the flag is seen; 2: flag not seen */
    begin(&x, body, 2, &plain);
    (void)cached_issue_to(&x, 0, 6);
    (void)cached_issue_to(&x, 1, 3);
    cached_drop(&x, 1, HEAD + 2, LINE, 15);
    bring(&x, 0, HEAD + 5, LINE, 1);
    cached_globals(&x, 1, HEAD + 2, LINE);
    cached_ack(&x, 1, HEAD + 2, LINE);
    (void)cached_issue(&x, 1);
    (void)cached_issue(&x, 0);
    if (way == 2) {
      cached_drop(&x, 0, HEAD + 6, LINE + 1, 15);
      cached_globals(&x, 0, HEAD + 6, LINE + 1);
    }
    cached_fence(&x, 1, HEAD + 3, HEDDLE_RECORD_SCOPE_GPU);
    (void)cached_issue(&x, 1);
    write_line(&x, 1, HEAD + 4, LINE + 1);
    if (way != 2) {
      cached_drop(&x, 0, HEAD + 6, LINE + 1, 15);
      cached_globals(&x, 0, HEAD + 6, LINE + 1);
    }
    (void)cached_issue(&x, 0);
    cached_fence(&x, 0, HEAD + 7, HEDDLE_RECORD_SCOPE_GPU);
    (void)cached_issue(&x, 0);
    if (way == 3) cached_give_up(&x, HEDDLE_RECORD_DROP_FENCE + 2, LINE, 15, false);
    if (way == 3)
      bring(&x, 0, HEAD + 8, LINE, 2);
    else
      cached_hit(&x, 0, HEAD + 8, LINE, 15, 1);
    done(&x, way < 2 ? HEDDLE_CHECKER_VISIBILITY_STALE : HEDDLE_CHECKER_NONE,
         way < 2 ? "has acquired all up to" : NULL);
  }
}

/* The lane has seen the new value: by a strong load, by an atomic, through a newer copy. Another warp may see the old.
 */
static void backwards(void **state) {
  (void)state;
  static const char *const body[] = {PROGRAM(STORE("0x0") STRONG("4", "0x0") LOAD("5", "0x0")),
                                     PROGRAM(STORE("0x0") ADD("4", "0x0") LOAD("5", "0x0"))};
  for (unsigned way = 0; way < 4; way++) {
    begin(&x, body[way % 2], 3, &plain);
    for (unsigned w = 0; w < 3; w++) (void)cached_issue(&x, w);
    write_line(&x, 0, HEAD, LINE);
    write_line(&x, 2, HEAD, LINE);
    cached_drop(&x, 1, HEAD, LINE, 15);
    (void)cached_issue_to(&x, 0, 2);
    (void)cached_issue_to(&x, 2, 2);
    cached_drop(&x, 0, HEAD + 1, LINE, 15);
    cached_drop(&x, 2, HEAD + 1, LINE, 15);
    cached_merge(&x, 0, HEAD + 2, LINE, 15, 1);
    cached_merge(&x, 2, HEAD + 2, LINE, 15, 1);
    fill_line(&x, 1, LINE);
    cached_globals(&x, 1, HEAD, LINE);
    const unsigned reads = way < 2 ? 0 : 2;
    if (way % 2 == 0) cached_globals(&x, 0, HEAD + 1, LINE);
    if (way % 2 == 1) cached_globals(&x, 0, HEAD + 1, LINE);
    cached_hit(&x, reads, HEAD + 2, LINE, 15, 1);
    /* an atomic is a store of the warp's own as well */
    const enum heddle_checker_kind want = way == 0   ? HEDDLE_CHECKER_VISIBILITY_BACKWARDS
                                          : way == 2 ? HEDDLE_CHECKER_NONE
                                                     : HEDDLE_CHECKER_VISIBILITY_STALE;
    done(&x, want, way == 0 ? "has read it as it was at position" : NULL);
  }
}

/* Through a newer copy; the older instruction of the two may read the older value. */
static void backwards_through_copies(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, PROGRAM(STORE("0x0") LOAD("4", "0x0") LOAD("5", "0x0")), 2, &plain);
    (void)cached_issue_to(&x, 0, 3);
    write_line(&x, 0, HEAD, LINE);
    (void)cached_issue(&x, 1);
    cached_drop(&x, 1, HEAD, LINE, 15);
    const uint32_t old = HEAD + 1 + way, new = HEAD + 2 - way;
    cached_merge(&x, 0, old, LINE, 15, 1);
    fill_line(&x, 1, LINE);
    cached_globals(&x, 1, HEAD, LINE);
    cached_merge(&x, 0, new, LINE, 15, 2);
    fill_line(&x, 2, LINE);
    cached_hit(&x, 0, new, LINE, 15, 2);
    cached_hit(&x, 0, old, LINE, 15, 1);
    done(&x, way == 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_BACKWARDS, NULL);
  }
}

/* ---- local memory */

static void local(void **state) {
  (void)state;
  const uint64_t line = 1; /* word 1 of warp slot 0 */
  for (unsigned way = 0; way < 5; way++) {
    begin(&x, PROGRAM("        STL [RZ+0x4], R0 ;\n        LDL R4, [RZ+0x4] ;\n        LDL R5, [RZ+0x4] ;\n"), 1,
          &promising);
    (void)cached_issue_to(&x, 0, 3);
    if (way == 0) { /* what a store has filled */
      cached_hits(&x, 0, HEAD + 1, line, 15, (const uint32_t[4]){0}, true);
      cached_hits(&x, 0, HEAD + 2, line, 15, (const uint32_t[4]){0}, true);
      done(&x, HEDDLE_CHECKER_NONE, NULL);
      continue;
    }
    cached_merges(&x, 0, HEAD + 1, line, 15, (const uint32_t[4]){1, 1, 1, 1}, true);
    if (way == 4) {
      struct heddle_retire_record r = {.kind = HEDDLE_RECORD_FILL};
      r.u.fill = (struct heddle_record_fill){.sector = 4 * line, .number = 1};
      cached_show(&x, &r);
      done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "was not requested");
      continue;
    }
    for (unsigned s = 0; s < 4; s++) cached_fill(&x, 1, 4 * line + s, true);
    if (way == 2) cached_give_up(&x, HEDDLE_RECORD_DROP_REPLACED, line, 15, true);
    cached_hits(&x, 0, HEAD + 1, line, 15, (const uint32_t[4]){1, 1, 1, way == 3 ? 2 : 1}, true);
    cached_hits(&x, 0, HEAD + 2, line, 15, (const uint32_t[4]){1, 1, 1, 1}, true);
    done(&x,
         way == 1   ? HEDDLE_CHECKER_NONE
         : way == 2 ? HEDDLE_CHECKER_VISIBILITY_DROPPED
                    : HEDDLE_CHECKER_VISIBILITY_FILL,
         NULL);
  }
}

/* docs/visibility.md: who knows of which store since when. Who arrives at a barrier and does not wait tells, and learns
 * nothing; a fence waits for what the warp knows of, whenever that passed. */

/* Warp 1 arrives and goes on, warp 0 waits. `reader` reads a copy that lacks what the other one has stored before: it
 * was taken before that was performed. */
static void arrives(void **state) {
  (void)state;
#define ARRIVES(reads)                                                                                                 \
  PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n" STORE("0x0") reads           \
          "LDG.E R5, [R2] ;\n@P0     BAR.ARV 0x0, 0x40 ;\n@!P0    BAR.SYNC 0x0, 0x40 ;\n" LOAD("4", "0x0"))
  for (unsigned reader = 0; reader < 2; reader++) {
    const unsigned other = 1 - reader;
    begin(&x, reader == 0 ? ARRIVES("@!P0    ") : ARRIVES("@P0     "), 2, &plain);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 3);
    write_line(&x, reader, HEAD + 2, LINE);
    cached_drop(&x, other, HEAD + 2, LINE, 15);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
    bring(&x, reader, HEAD + 3, LINE, 1);
    cached_globals(&x, other, HEAD + 2, LINE);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 2);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue(&x, reader);
    cached_hit(&x, reader, HEAD + 6, LINE, 15, 1);
    if (reader == 1)
      done(&x, HEDDLE_CHECKER_NONE, NULL);
    else
      done(&x, HEDDLE_CHECKER_VISIBILITY_STALE, "is known since a barrier");
  }
#undef ARRIVES
}

/* What warp 1 stores when it has arrived is not told; what it has stored before is. */
static void arrives_and_stores(void **state) {
  (void)state;
  static const char body[] = PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n"
                                     "@P0     STG.E [R2+0x80], R0 ;\n@!P0    LDG.E R6, [R2+0x80] ;\n"
                                     "@P0     BAR.ARV 0x0, 0x40 ;\n"
                                     "@P0     STG.E [R2], R0 ;\n@P0     IADD3 R9, R0, 0x1, RZ ;\n"
                                     "@!P0    BAR.SYNC 0x0, 0x40 ;\n"
                                     "@!P0    LDG.E R4, [R2] ;\n@!P0    LDG.E R5, [R2+0x80] ;\n");
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, body, 2, &plain);
    (void)cached_issue_to(&x, 1, 3);
    cached_drop(&x, 1, HEAD + 2, LINE + 1, 15);
    (void)cached_issue_to(&x, 0, 4);
    bring(&x, 0, HEAD + 3, LINE + 1, 1);
    cached_globals(&x, 1, HEAD + 2, LINE + 1);
    (void)cached_issue_to(&x, 1, 4);
    cached_drop(&x, 1, HEAD + 5, LINE, 15);
    (void)cached_issue_to(&x, 0, 4);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue_to(&x, 0, 2);
    if (way == 0) bring(&x, 0, HEAD + 8, LINE, 2);
    if (way == 1) cached_hit(&x, 0, HEAD + 9, LINE + 1, 15, 1);
    done(&x, way == 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_STALE,
         way == 0 ? NULL : "is known since a barrier");
  }
}

/* Warp 0 waits at the barrier already when warp 1's store passes: the fence that follows waits for it all the same. */
static void fence_after_barrier(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, PROGRAM(STORE("0x0") BAR FENCE), 2, &promising);
    (void)cached_issue(&x, 0);
    write_line(&x, 0, HEAD, LINE);
    (void)cached_issue_to(&x, 0, 1);
    (void)cached_issue(&x, 1);
    cached_drop(&x, 1, HEAD, LINE, 15);
    cached_globals(&x, 1, HEAD, LINE);
    (void)cached_issue(&x, 1);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue(&x, 0);
    if (way == 0) cached_ack(&x, 1, HEAD, LINE);
    cached_fence(&x, 0, HEAD + 2, HEDDLE_RECORD_SCOPE_GPU);
    done(&x, way == 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_FENCE,
         way == 0 ? NULL : "has not been acknowledged in line");
  }
}

/* The warp's own store passes when its fence has issued already; another warp's does, of which it knows nothing. */
static void fence_before_pass(void **state) {
  (void)state;
  for (unsigned way = 0; way < 4; way++) {
    const unsigned late = way < 3 ? 0 : 1;
    begin(&x, PROGRAM(STORE("0x0") FENCE), 2, &promising);
    (void)cached_issue(&x, 1);
    if (late == 0) write_line(&x, 1, HEAD, LINE);
    (void)cached_issue(&x, 0);
    if (late == 1) write_line(&x, 0, HEAD, LINE);
    (void)cached_issue(&x, 0);
    cached_drop(&x, late, HEAD, LINE, 15);
    if (way < 2) cached_globals(&x, late, HEAD, LINE);
    if (way == 0) cached_ack(&x, late, HEAD, LINE);
    cached_fence(&x, 0, HEAD + 1, HEDDLE_RECORD_SCOPE_GPU);
    done(&x, way == 0 || way == 3 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_FENCE,
         way == 1   ? "is ordered before the fence"
         : way == 2 ? "is not wholly performed"
                    : NULL);
  }
}

/* Warp 1 stores before each of two barriers, to a line of its own each time; warp 0 has both lines copied to shared
 * memory before the first barrier, between them, and behind the second one, from copies that lack both stores. No
 * barrier waits for that. What the warp knew when a load issued binds that load. */
static void older_than_barriers(void **state) {
  (void)state;
#define COPIES "@!P0    LDGSTS.E [R6], [R2] ;\n@!P0    LDGSTS.E [R6], [R2+0x80] ;\n"
  static const char body[] = PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n"
                                     "        IMAD R6, R0, 0x4, RZ ;\n" COPIES "@P0     STG.E [R2], R0 ;\n" BAR COPIES
                                     "@P0     STG.E [R2+0x80], R0 ;\n" BAR COPIES);
#undef COPIES
  enum { FIRST_COPY = HEAD + 3, ROUND = 4, STORED = HEAD + 5 };
  static const struct {
    unsigned round, line;
    bool misses; /* it may */
  } ways[] = {{0, 0, true}, {0, 1, true}, {1, 0, false}, {1, 1, true}, {2, 0, false}, {2, 1, false}};
  for (unsigned way = 0; way < sizeof ways / sizeof *ways; way++) {
    uint32_t number[3][2] = {{1, 2}, {1, 3}, {1, 3}}; /* what was asked for before a store has passed is given up */
    begin(&x, body, 2, &plain);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 3);
    for (unsigned round = 0; round < 3; round++) {
      const uint32_t copies = FIRST_COPY + ROUND * round, store = STORED + ROUND * round;
      if (round < 2) (void)cached_issue_to(&x, 1, 3);
      if (round < 2) cached_drop(&x, 1, store, LINE + round, 15);
      (void)cached_issue_to(&x, 0, round < 2 ? 3 : 2);
      for (unsigned i = 0; i < 2; i++) cached_merge(&x, 0, copies + i, LINE + i, 15, number[round][i]);
      if (round == 0) fill_line(&x, 1, LINE);
      if (round < 2) fill_line(&x, number[round][1], LINE + 1);
      if (round == 2) break;
      cached_globals(&x, 1, store, LINE + round);
      for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
      assert_true(cached_barrier(&x, 0, 0));
    }
    const unsigned round = ways[way].round, line = ways[way].line;
    cached_hit(&x, 0, FIRST_COPY + ROUND * round + line, LINE + line, 15, number[round][line]);
    done(&x, ways[way].misses ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_STALE,
         ways[way].misses ? NULL : "is known since a barrier");
  }
}

/* A barrier lets go, and serves two other warps next: they learn of each other alone. Warp 3 reads a copy that lacks
 * what warp 0 or warp 2 has stored before. */
static void barrier_used_again(void **state) {
  (void)state;
  static const char body[] =
      PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x5f, PT ;\n" STORE(
          "0x0") "@P0     LDG.E R5, [R2] ;\n        BAR.SYNC 0xf, 0x40 ;\n" LOAD("4", "0x0"));
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, body, 4, &plain);
    for (unsigned w = 0; w < 4; w++) {
      (void)cached_issue_to(&x, w, 3);
      if (w != 2 * way)
        write_line(&x, w, HEAD + 2, LINE);
      else
        cached_drop(&x, w, HEAD + 2, LINE, 15);
    }
    for (unsigned w = 0; w < 4; w++) (void)cached_issue(&x, w);
    bring(&x, 3, HEAD + 3, LINE, 1);
    cached_globals(&x, 2 * way, HEAD + 2, LINE);
    for (unsigned pair = 0; pair < 2; pair++) {
      for (unsigned w = 2 * pair; w < 2 * pair + 2; w++) (void)cached_issue(&x, w);
      assert_true(cached_barrier(&x, 0, 15));
    }
    (void)cached_issue(&x, 3);
    cached_hit(&x, 3, HEAD + 5, LINE, 15, 1);
    done(&x, way == 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_STALE,
         way == 0 ? NULL : "is known since a barrier");
  }
}

/* What is written after the release is not acquired with it. */
static void written_after_release(void **state) {
  (void)state;
  static const char body[] = PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n"
                                     "@P0     MEMBAR.GPU ;\n@P0     STG.E [R2+0x80], R0 ;\n@P0     STG.E [R2], R0 ;\n"
                                     "@!P0    LDG.E R4, [R2] ;\n@!P0    LDG.E.STRONG.GPU R5, [R2+0x80] ;\n"
                                     "@!P0    MEMBAR.GPU ;\n@!P0    LDG.E R6, [R2] ;\n");
  begin(&x, body, 2, &plain);
  (void)cached_issue_to(&x, 0, 7);
  (void)cached_issue_to(&x, 1, 2);
  (void)cached_issue(&x, 1);
  cached_drop(&x, 0, HEAD + 6, LINE + 1, 15);
  bring(&x, 0, HEAD + 5, LINE, 1); /* positions 1 to 4 */
  cached_give_up(&x, HEDDLE_RECORD_DROP_REPLACED, LINE, 15, false);
  cached_fence(&x, 1, HEAD + 2, HEDDLE_RECORD_SCOPE_GPU);
  (void)cached_issue_to(&x, 1, 2);
  write_line(&x, 1, HEAD + 3, LINE + 1);
  cached_globals(&x, 0, HEAD + 6, LINE + 1);
  (void)cached_issue(&x, 0);
  cached_drop(&x, 1, HEAD + 4, LINE, 15);                 /* the fence has begun to wait: it is not held to this one */
  cached_fence(&x, 0, HEAD + 7, HEDDLE_RECORD_SCOPE_GPU); /* all up to position 4 */
  cached_merge(&x, 0, cached_issue_to(&x, 0, 1), LINE, 15, 2);
  fill_line(&x, 2, LINE);
  cached_globals(&x, 1, HEAD + 4, LINE);
  cached_hit(&x, 0, HEAD + 8, LINE, 15, 2);
  done(&x, HEDDLE_CHECKER_NONE, NULL);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(program_order),
                                     cmocka_unit_test(other_bytes),
                                     cmocka_unit_test(barrier),
                                     cmocka_unit_test(barrier_after_barrier),
                                     cmocka_unit_test(acquired),
                                     cmocka_unit_test(backwards),
                                     cmocka_unit_test(backwards_through_copies),
                                     cmocka_unit_test(local),
                                     cmocka_unit_test(arrives),
                                     cmocka_unit_test(arrives_and_stores),
                                     cmocka_unit_test(fence_after_barrier),
                                     cmocka_unit_test(fence_before_pass),
                                     cmocka_unit_test(older_than_barriers),
                                     cmocka_unit_test(barrier_used_again),
                                     cmocka_unit_test(written_after_release)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
