/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/visibility.md, sentence by sentence: what a right cache shows, and what a wrong one is called. Fills, reads,
 * what is given up, and what a read must not miss; fences and acknowledgements are in test_visibility_fence.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "bench.h"
#include "visibility_programs.h"

static struct cached x;

/* ---- fills */

static void reads(void **state) {
  (void)state;
  begin(&x, PROGRAM(LOAD("4", "0x0") LOAD("5", "0x0") LOAD("6", "0x80")), 1, &promising);
  (void)cached_issue_to(&x, 0, 3);
  bring(&x, 0, HEAD, LINE, 1);
  cached_hit(&x, 0, HEAD + 1, LINE, 15, 1);
  bring(&x, 0, HEAD + 2, LINE + 1, 2);
  well(&x);
}

/* Sector by sector, in any order; one waits for what another has asked for. */
static void joins(void **state) {
  (void)state;
  begin(&x, PROGRAM(LOAD("4", "0x0")), 2, &promising);
  for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
  cached_merge(&x, 0, HEAD, LINE, 3, 1);
  cached_fill(&x, 1, FIRST + 1, false);
  cached_merge(&x, 1, HEAD, LINE, 2, 1);
  cached_merges(&x, 1, HEAD, LINE, 13, (const uint32_t[4]){1, 0, 2, 2}, false);
  cached_merge(&x, 0, HEAD, LINE, 12, 2);
  cached_hit(&x, 1, HEAD, LINE, 2, 1);
  cached_fill(&x, 2, FIRST + 3, false);
  cached_fill(&x, 1, FIRST, false);
  cached_hit(&x, 0, HEAD, LINE, 3, 1);
  cached_fill(&x, 2, FIRST + 2, false);
  cached_hit(&x, 0, HEAD, LINE, 12, 2);
  cached_hits(&x, 1, HEAD, LINE, 13, (const uint32_t[4]){1, 0, 2, 2}, false);
  well(&x);
}

static void one_load(unsigned sectors) {
  begin(&x, PROGRAM(LOAD("4", "0x0") LOAD("5", "0x0")), 1, &promising);
  (void)cached_issue_to(&x, 0, 2);
  if (sectors != 0) cached_merge(&x, 0, HEAD, LINE, sectors, 1);
}

static void fills_are_wrong(void **state) {
  (void)state;
  one_load(0);
  cached_merge(&x, 0, HEAD, LINE, 15, 2);
  done(&x, CHECKER_VISIBILITY_FILL, "the next one is 1");
  one_load(0);
  cached_fill(&x, 1, FIRST, false);
  done(&x, CHECKER_VISIBILITY_FILL, "nobody has asked it for");
  one_load(3);
  cached_fill(&x, 1, FIRST + 2, false);
  done(&x, CHECKER_VISIBILITY_FILL, "nobody has asked it for");
  one_load(15);
  cached_fill(&x, 1, FIRST + 4, false);
  done(&x, CHECKER_VISIBILITY_FILL, "nobody has asked it for");
  one_load(15);
  cached_fill(&x, 1, FIRST + 1, false);
  cached_fill(&x, 1, FIRST + 1, false);
  done(&x, CHECKER_VISIBILITY_FILL, "it has brought already");
  one_load(15);
  cached_merge(&x, 0, HEAD, LINE, 1, 1);
  done(&x, CHECKER_VISIBILITY_FILL, "waits for fill 1");
  one_load(3);
  cached_merge(&x, 0, HEAD, LINE, 12, 1);
  done(&x, CHECKER_VISIBILITY_FILL, "the next one is 2");
}

static void hits_are_wrong(void **state) {
  (void)state;
  one_load(15);
  cached_hit(&x, 0, HEAD, LINE, 15, 1);
  done(&x, CHECKER_VISIBILITY_FILL, "has not come");
  one_load(0);
  cached_hit(&x, 0, HEAD, LINE, 15, 1);
  done(&x, CHECKER_VISIBILITY_FILL, "nobody has asked for");
  one_load(15); /* the wrong one of two */
  cached_give_up(&x, RECORD_DROP_REPLACED, LINE, 15, false);
  cached_merge(&x, 0, HEAD + 1, LINE, 15, 2);
  fill_line(&x, 1, LINE);
  fill_line(&x, 2, LINE);
  cached_hit(&x, 0, HEAD, LINE, 15, 2);
  done(&x, CHECKER_VISIBILITY_FILL, "waits for fill 1");
  one_load(15);
  fill_line(&x, 1, LINE);
  cached_hit(&x, 0, HEAD, LINE, 15, 1);
  cached_merge(&x, 0, HEAD + 1, LINE, 15, 2);
  done(&x, CHECKER_VISIBILITY_FILL, "is asked for again");
  one_load(15);
  fill_line(&x, 1, LINE);
  cached_end(&x);
  done(&x, CHECKER_PERFORM_MISSING, NULL); /* what is under way has somebody who waits */
}

/* More than there is room for, unless what was replaced is shown. */
static void room(void **state) {
  (void)state;
  static const struct checker_config small = {.cache_sectors = 4, .cache_promises = CHECKER_CACHE_CLOSES};
  for (unsigned told = 0; told < 2; told++) {
    begin(&x, PROGRAM(LOAD("4", "0x0") LOAD("5", "0x80")), 1, &small);
    (void)cached_issue_to(&x, 0, 2);
    bring(&x, 0, HEAD, LINE, 1);
    cached_merge(&x, 0, HEAD + 1, LINE + 1, 15, 2);
    fill_line(&x, 2, LINE + 1);
    if (told != 0) cached_give_up(&x, RECORD_DROP_REPLACED, LINE, 15, false);
    cached_hit(&x, 0, HEAD + 1, LINE + 1, 15, 2);
    if (told != 0)
      well(&x);
    else
      done(&x, CHECKER_VISIBILITY_FILL, "has room for 4");
  }
}

static void lanes(void **state) {
  (void)state;
  struct retire_record r = {.kind = RECORD_MERGE};
  static const struct {
    uint32_t lanes;
    unsigned used, access;
    uint64_t line;
    enum checker_kind want;
  } wrong[] = {{0, 15, 0, LINE, CHECKER_RECORD_FORM},       {~0u, 0, 0, LINE, CHECKER_RECORD_FORM},
               {~0u, 16, 0, LINE, CHECKER_RECORD_FORM},     {~0u, 15, 1, LINE, CHECKER_RECORD_FORM},
               {~0u, 15, 3, LINE, CHECKER_PERFORM_ACCESS},  {~0u, 7, 0, LINE, CHECKER_PERFORM_ADDRESS},
               {0xff, 3, 0, LINE, CHECKER_PERFORM_ADDRESS}, {~0u, 15, 0, LINE + 1, CHECKER_PERFORM_ADDRESS},
               {0x7f, 1, 0, LINE, CHECKER_PERFORM_LANES}};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    one_load(0);
    r.u.merge = (struct record_merge){.id = cached_id(&x, 0, HEAD),
                                      .line = wrong[i].line,
                                      .lanes = wrong[i].lanes,
                                      .used = (uint8_t)wrong[i].used,
                                      .access = (uint8_t)wrong[i].access,
                                      .number = {1, 1, 1, 1}};
    cached_show(&x, &r);
    done(&x, wrong[i].want, NULL);
  }
}

/* ---- through the cache, or by it */

static void by_the_cache(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 6; wrong++) {
    begin(&x, PROGRAM(LOAD("4", "0x0") STRONG("5", "0x0")), 1, &promising);
    (void)cached_issue_to(&x, 0, 2);
    if (wrong == 1) cached_globals(&x, 0, HEAD, LINE);
    if (wrong == 2) cached_drop(&x, 0, HEAD, LINE, 15);
    if (wrong == 3) cached_merge(&x, 0, HEAD + 1, LINE, 15, 1);
    if (wrong >= 1 && wrong <= 3) {
      done(&x, CHECKER_PERFORM_ACCESS, NULL);
      continue;
    }
    bring(&x, 0, HEAD, LINE, 1);
    if (wrong != 4) cached_drop(&x, 0, HEAD + 1, LINE, 15);
    if (wrong == 5) cached_drop(&x, 0, HEAD + 1, LINE, 15);
    cached_globals(&x, 0, HEAD + 1, LINE);
    if (wrong == 0)
      well(&x);
    else
      done(&x, CHECKER_VISIBILITY_DROPPED, wrong == 4 ? "no drop was shown" : "a second time");
  }
}

static void of_no_cache(void **state) {
  (void)state;
  static const struct checker_config none = {.cache_sectors = 0};
  begin(&x, PROGRAM(LOAD("4", "0x0")), 1, &none);
  (void)cached_issue(&x, 0);
  cached_merge(&x, 0, HEAD, LINE, 15, 1);
  done(&x, CHECKER_RECORD_FORM, "has no cache");
}

/* ---- what is closed */

/* A line has been read; then `close` happens, and a younger load reads it once more. */
static void closed_by(const char *body, unsigned way, const struct checker_config *cfg, const char *words) {
  begin(&x, body, 2, cfg);
  const uint32_t first = HEAD, second = HEAD + 1;
  (void)cached_issue_to(&x, 0, 2);
  bring(&x, 0, first, LINE, 1);
  const uint32_t other = cached_issue_to(&x, 1, 3); /* two loads, and what closes */
  if (way <= 2) cached_drop(&x, 1, other, LINE, 4);
  if (way == 3) cached_give_up(&x, RECORD_DROP_REPLACED, LINE, 4, false);
  if (way == 4) cached_give_up(&x, RECORD_DROP_LAUNCH, 0, 0, false);
  if (way == 5 || way == 6) {
    bring(&x, 1, first, LINE + 1, 2);
    bring(&x, 1, second, LINE + 2, 3);
    cached_fence(&x, 1, other, way == 5 ? RECORD_SCOPE_GPU : RECORD_SCOPE_EMPTYING);
  }
  cached_hit(&x, 0, second, LINE, 15, 1);
  done(&x, words != NULL ? CHECKER_VISIBILITY_DROPPED : CHECKER_NONE, words);
}

#define TWO LOAD("4", "0x0") LOAD("5", "0x0")
static void closed(void **state) {
  (void)state;
  closed_by(PROGRAM(TWO STORE("0x0")), 0, &promising, "a store that passed");
  closed_by(PROGRAM(TWO ADD("6", "0x0")), 1, &promising, "an atomic that passed");
  closed_by(PROGRAM(TWO STRONG("6", "0x0")), 2, &promising, "a strong load that passed");
  closed_by(PROGRAM(TWO STORE("0x0")), 3, &promising, "another sector in its place");
  closed_by(PROGRAM(TWO STORE("0x0")), 4, &promising, "a launch");
  closed_by(PROGRAM(TWO STORE("0x0")), 2, &plain, "a store that passed"); /* a drop closes without a promise */
}

/* A fence and an emptying close what there is, where the device promises it. */
static void fences_close(void **state) {
  (void)state;
  for (unsigned way = 0; way < 4; way++) {
    const struct checker_config *cfg = way % 2 == 0 ? &promising : &plain;
    begin(&x,
          way < 2 ? PROGRAM(LOAD("4", "0x0") FENCE LOAD("5", "0x0"))
                  : PROGRAM(LOAD("4", "0x0") "        CCTL.E.IVALL [R2] ;\n" LOAD("5", "0x0")),
          2, cfg);
    (void)cached_issue(&x, 0);
    bring(&x, 0, HEAD, LINE, 1);
    (void)cached_issue(&x, 1);
    cached_hit(&x, 1, HEAD, LINE, 15, 1);
    (void)cached_issue(&x, 0);
    cached_fence(&x, 0, HEAD + 1, way < 2 ? RECORD_SCOPE_GPU : RECORD_SCOPE_EMPTYING);
    (void)cached_issue(&x, 0);
    cached_hit(&x, 0, HEAD + 2, LINE, 15, 1);
    done(&x, way % 2 == 0 ? CHECKER_VISIBILITY_DROPPED : CHECKER_NONE, way % 2 == 0 ? "the fence of warp" : NULL);
  }
}

/* A fill that was overtaken serves those who waited, and nobody joins it. */
static void overtaken(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    begin(&x, PROGRAM(LOAD("4", "0x0") STORE("0x0") LOAD("5", "0x0")), 2, &promising);
    (void)cached_issue(&x, 0);
    cached_merge(&x, 0, HEAD, LINE, 15, 1);
    (void)cached_issue_to(&x, 1, 2);
    cached_merge(&x, 1, HEAD, LINE, 15, 1);
    cached_drop(&x, 1, HEAD + 1, LINE, 15);
    (void)cached_issue(&x, 1);
    cached_merge(&x, 1, HEAD + 2, LINE, 15, way == 1 ? 1 : 2);
    if (way == 1) {
      done(&x, CHECKER_VISIBILITY_DROPPED, "is joined");
      continue;
    }
    fill_line(&x, 1, LINE);
    if (way == 0) cached_hit(&x, 0, HEAD, LINE, 15, 1);
    cached_globals(&x, 1, HEAD + 1, LINE);
    cached_ack(&x, 1, HEAD + 1, LINE);
    fill_line(&x, 2, LINE);
    cached_hit(&x, 1, HEAD + 2, LINE, 15, 2);
    cached_hit(&x, 1, HEAD, LINE, 15, 1); /* older, and reads what was */
    if (way == 2) cached_hit(&x, 0, HEAD, LINE, 15, 1);
    write_line(&x, 0, cached_issue_to(&x, 0, 1), LINE);
    bring(&x, 0, cached_issue_to(&x, 0, 1), LINE, 3);
    well(&x);
  }
}

/* What was taken before an access of the SM was performed is closed by that; what is under way is not. */
static void performed_closes(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    begin(&x, PROGRAM(LOAD("4", "0x0") LOAD("5", "0x0") STORE("0x0")), 2, way == 2 ? &plain : &promising);
    (void)cached_issue_to(&x, 0, 2);
    (void)cached_issue_to(&x, 1, 3);
    cached_merge(&x, 1, HEAD, LINE, 15, 1);
    cached_drop(&x, 1, HEAD + 2, LINE, 15);
    cached_merge(&x, 0, HEAD, LINE, 15, 2);
    fill_line(&x, 1, LINE);
    if (way != 1) fill_line(&x, 2, LINE);
    cached_hit(&x, 1, HEAD, LINE, 15, 1);
    if (way != 1) cached_hit(&x, 0, HEAD, LINE, 15, 2);
    cached_merge(&x, 1, HEAD + 1, LINE, 15, 2); /* passed after the store did: it is not older */
    if (way != 1) cached_hit(&x, 1, HEAD + 1, LINE, 15, 2);
    cached_globals(&x, 1, HEAD + 2, LINE);
    if (way == 1) {
      done(&x, CHECKER_PERFORM_ORDER, NULL); /* its older load has read nothing yet */
      continue;
    }
    cached_hit(&x, 0, HEAD + 1, LINE, 15, 2);
    done(&x, way == 0 ? CHECKER_VISIBILITY_DROPPED : CHECKER_NONE, way == 0 ? "an access at position" : NULL);
  }
}

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
    done(&x, CHECKER_VISIBILITY_STALE, way == 1 ? "is older in its warp" : "is not performed");
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

/* Warp 1 has stored before the barrier, warp 0 reads after it. */
static void barrier(void **state) {
  (void)state;
  for (unsigned way = 0; way < 4; way++) {
    const bool bars = way != 3;
    begin(&x, bars ? PROGRAM(STORE("0x0") BAR LOAD("4", "0x0")) : PROGRAM(STORE("0x0") FENCE_CTA LOAD("4", "0x0")), 2,
          &plain);
    (void)cached_issue(&x, 0);
    write_line(&x, 0, HEAD, LINE);
    (void)cached_issue(&x, 1);
    cached_drop(&x, 1, HEAD, LINE, 15);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
    if (bars) assert_true(cached_barrier(&x, 0, 0));
    for (unsigned w = 0; w < 2 && !bars; w++) cached_fence(&x, w, HEAD + 1, RECORD_SCOPE_CTA);
    (void)cached_issue(&x, 0);
    cached_merge(&x, 0, HEAD + 2, LINE, 15, 1);
    if (way == 0) cached_globals(&x, 1, HEAD, LINE);
    fill_line(&x, 1, LINE);
    if (way == 1 || way == 3) cached_globals(&x, 1, HEAD, LINE);
    cached_hit(&x, 0, HEAD + 2, LINE, 15, 1);
    if (way == 0 || way == 3)
      done(&x, CHECKER_NONE, NULL);
    else
      done(&x, CHECKER_VISIBILITY_STALE, way == 1 ? "is known since a barrier" : "is not performed");
  }
}

/* What another knew when it arrived is known as well: 2 tells 1, and 1 tells 0. */
static void barrier_after_barrier(void **state) {
  (void)state;
  begin(&x, PROGRAM(STORE("0x0") "        BAR.SYNC 0x1, 0x40 ;\n        BAR.SYNC 0x2, 0x40 ;\n" LOAD("4", "0x0")), 3,
        &plain);
  (void)cached_issue(&x, 2);
  cached_drop(&x, 2, HEAD, LINE, 15);
  (void)cached_issue(&x, 1);
  write_line(&x, 1, HEAD, LINE);
  (void)cached_issue(&x, 2);
  (void)cached_issue(&x, 1);
  assert_true(cached_barrier(&x, 0, 1));
  (void)cached_issue(&x, 1);
  (void)cached_issue(&x, 2);
  assert_true(cached_barrier(&x, 0, 2));
  (void)cached_issue(&x, 1);
  cached_merge(&x, 1, HEAD + 3, LINE, 15, 1);
  fill_line(&x, 1, LINE);
  cached_hit(&x, 1, HEAD + 3, LINE, 15, 1);
  done(&x, CHECKER_VISIBILITY_STALE, "is not performed");
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
    cached_fence(&x, 1, HEAD + 3, RECORD_SCOPE_GPU);
    (void)cached_issue(&x, 1);
    write_line(&x, 1, HEAD + 4, LINE + 1);
    if (way != 2) {
      cached_drop(&x, 0, HEAD + 6, LINE + 1, 15);
      cached_globals(&x, 0, HEAD + 6, LINE + 1);
    }
    (void)cached_issue(&x, 0);
    cached_fence(&x, 0, HEAD + 7, RECORD_SCOPE_GPU);
    (void)cached_issue(&x, 0);
    if (way == 3) cached_give_up(&x, RECORD_DROP_FENCE + 2, LINE, 15, false);
    if (way == 3)
      bring(&x, 0, HEAD + 8, LINE, 2);
    else
      cached_hit(&x, 0, HEAD + 8, LINE, 15, 1);
    done(&x, way < 2 ? CHECKER_VISIBILITY_STALE : CHECKER_NONE, way < 2 ? "has acquired all up to" : NULL);
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
    const enum checker_kind want = way == 0   ? CHECKER_VISIBILITY_BACKWARDS
                                   : way == 2 ? CHECKER_NONE
                                              : CHECKER_VISIBILITY_STALE;
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
    done(&x, way == 0 ? CHECKER_NONE : CHECKER_VISIBILITY_BACKWARDS, NULL);
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
      done(&x, CHECKER_NONE, NULL);
      continue;
    }
    cached_merges(&x, 0, HEAD + 1, line, 15, (const uint32_t[4]){1, 1, 1, 1}, true);
    if (way == 4) {
      struct retire_record r = {.kind = RECORD_FILL};
      r.u.fill = (struct record_fill){.sector = 4 * line, .number = 1};
      cached_show(&x, &r);
      done(&x, CHECKER_VISIBILITY_FILL, "nobody has asked it for");
      continue;
    }
    for (unsigned s = 0; s < 4; s++) cached_fill(&x, 1, 4 * line + s, true);
    if (way == 2) cached_give_up(&x, RECORD_DROP_REPLACED, line, 15, true);
    cached_hits(&x, 0, HEAD + 1, line, 15, (const uint32_t[4]){1, 1, 1, way == 3 ? 2 : 1}, true);
    cached_hits(&x, 0, HEAD + 2, line, 15, (const uint32_t[4]){1, 1, 1, 1}, true);
    done(&x, way == 1 ? CHECKER_NONE : way == 2 ? CHECKER_VISIBILITY_DROPPED : CHECKER_VISIBILITY_FILL, NULL);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reads),
                                     cmocka_unit_test(joins),
                                     cmocka_unit_test(fills_are_wrong),
                                     cmocka_unit_test(hits_are_wrong),
                                     cmocka_unit_test(room),
                                     cmocka_unit_test(lanes),
                                     cmocka_unit_test(by_the_cache),
                                     cmocka_unit_test(of_no_cache),
                                     cmocka_unit_test(closed),
                                     cmocka_unit_test(fences_close),
                                     cmocka_unit_test(overtaken),
                                     cmocka_unit_test(performed_closes),
                                     cmocka_unit_test(program_order),
                                     cmocka_unit_test(other_bytes),
                                     cmocka_unit_test(barrier),
                                     cmocka_unit_test(barrier_after_barrier),
                                     cmocka_unit_test(acquired),
                                     cmocka_unit_test(backwards),
                                     cmocka_unit_test(backwards_through_copies),
                                     cmocka_unit_test(local)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
